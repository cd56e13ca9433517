//! The door of the command line: one process for each call.

use std::fs;

use crate::call::Call;
use crate::process::{Scratch, assay};
use crate::seen::{Answer, Door, Seen};

pub(crate) fn replay(calls: &[Call], scratch: &Scratch) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        if call.goes_through(Door::CommandLine) {
            let answer = answer(call, scratch);
            seen.push(Seen { call: place, door: "the command line".to_owned(), answer });
        }
    }
    seen
}

fn answer(call: &Call, scratch: &Scratch) -> Result<Answer, String> {
    let (source, claims) = call.as_command_line().ok_or("the command line cannot say this")?;
    let command = match call.tool.as_str() {
        "dsail_compile" => "compile",
        "dsail_get_prompt_pack" => "prompt-pack",
        _ => "check",
    };
    let file = scratch.join("source.dsail");
    fs::write(&file, source).map_err(|it| it.to_string())?;
    let mut process = assay();
    process.arg(command).arg(&file).arg("--json");
    if let Some(claims) = claims {
        process.args(["--claims", &claims]);
    }
    let output = process.output().map_err(|it| it.to_string())?;
    let failed = match output.status.code() {
        Some(0) => false,
        Some(2) => true,
        _ => return Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    };
    let text = String::from_utf8(output.stdout).map_err(|it| it.to_string())?;
    Ok(Answer::Payload { text, failed: Some(failed), structured: None })
}
