//! `assay tool restore`.

use std::path::{Path, PathBuf};

use assay_core::{Credentials, Door, Target};

use super::state::target;
use crate::commands::key::{json, refused};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::input::Text;
use crate::settings::governed;
use crate::show::refusal;
use crate::{output, service};

const AFTER_HELP: &str = "\
Two persons with the role admin lift a stop, each with the token of their own session, and none within
a minute after it was set. The first asks, the second lifts.

Examples:
  assay tool restore email.send --fix PR-12 --reason \"recipients are looked up again\"
  assay tool restore everything --fix INC-7 --reason \"restored\" --session-file ./session";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// What is no longer stopped.
    #[arg(value_parser = target)]
    target: Target,
    /// Where the repair is written down.
    #[arg(long, value_name = "REF")]
    fix: String,
    /// Why the stop is no longer needed.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// A file with the token of your session on its first line [default: ASSAY_SESSION]
    #[arg(long, value_name = "FILE")]
    session_file: Option<PathBuf>,
}

pub(super) fn run(data: &Path, arguments: &Arguments, as_json: bool) -> Outcome {
    let Arguments { target, fix, reason, session_file } = arguments;
    let token = governed::session(session_file.as_deref())?;
    let service = service::of_operator(data)?;
    let credentials = Credentials { bearer: Some(&token), key: None };
    let caller = match service.caller(Door::CommandLine, &credentials) {
        Ok(caller) => caller,
        Err(reply) if as_json => return service::payload(&reply),
        Err(reply) => return refusal::report(&reply.body, &Text::default()),
    };
    let lifted = service.lift(&caller, target, (fix, reason)).map_err(refused)?;
    if as_json {
        return json(|object| {
            object.key("lifted").boolean(lifted);
            object.key("target").display(target);
        });
    }
    output::page(&match lifted {
        true => format!("lifted: {target} is no longer stopped\n"),
        false => format!("asked: another administrator has to do the same for {target}\n"),
    })?;
    Ok(Exit::Ran)
}
