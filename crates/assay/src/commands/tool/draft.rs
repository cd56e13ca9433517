//! `assay tool draft`.

use std::fs;
use std::path::{Path, PathBuf};

use anstyle::Style;
use assay_core::{Drafts, draft};

use crate::commands::key::json;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::settings::governed;
use crate::show::text::visible;

const AFTER_HELP: &str = "\
Asks a server of registry.json for its tools and writes what is missing: a record for each tool, a
skill that lists them, and a profile that reads them. Files that are there stay as they are, but for
registry.json, to which it adds who holds the permissions of the new records.

A draft is for you to read. A tool that says it changes nothing needs `UPSTREAM:read`, which associates
and partners hold; any other one needs `UPSTREAM:write`, which partners hold. Write somebody else into
`grants` of registry.json where that is not right.

Examples:
  assay tool draft notes --registry ./registry
  assay tool draft notes --registry ./registry --json";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The name of the server in registry.json
    #[arg(value_name = "UPSTREAM")]
    upstream: String,
    /// The folder with registry.json [default: none]
    #[arg(long, value_name = "DIR")]
    registry: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, as_json: bool) -> Outcome {
    let folder =
        governed::registry(arguments.registry.as_ref()).ok_or_else(governed::no_registry)?;
    let drafts = draft(&governed::source(folder.clone()), &arguments.upstream)
        .map_err(|faults| Failure::usage(faults.join("\n")))?;
    for (path, text) in &drafts.files {
        write(&folder, path, text)?;
    }
    if as_json {
        return json(|object| {
            object.key("granted").strings(&drafts.granted);
            object.key("left_out").strings(&drafts.left_out);
            object.key("written").strings(drafts.files.iter().map(|(path, _)| path));
        });
    }
    output::page(&told(&drafts, &folder, &arguments.upstream))?;
    Ok(Exit::Ran)
}

fn write(folder: &Path, path: &str, text: &str) -> Result<(), Failure> {
    let file = folder.join(path);
    let failed = |error: std::io::Error| {
        Failure::unavailable(format!("`{}` cannot be written: {error}", file.display()))
    };
    file.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(&file, text).map_err(failed)
}

fn told(drafts: &Drafts, folder: &Path, upstream: &str) -> String {
    let bold = Style::new().bold();
    let mut page = String::new();
    for (path, _) in &drafts.files {
        page.push_str(&format!("wrote {}\n", visible(&folder.join(path).display().to_string())));
    }
    for line in &drafts.granted {
        page.push_str(&format!("granted {}\n", visible(line)));
    }
    for line in &drafts.left_out {
        page.push_str(&format!("left out {}\n", visible(line)));
    }
    if drafts.files.is_empty() {
        page.push_str("nothing is missing\n");
        return page;
    }
    let folder = folder.display();
    page.push_str(&format!(
        "\n{bold}Read them, then:{bold:#}\n  assay tool check {folder}\n  assay role grant owner partner\n  \
         assay stdio --registry {folder} --profile {folder}/profiles/{upstream}.json --skill \
         {upstream}@1.0\n"
    ));
    page
}
