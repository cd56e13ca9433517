//! `assay audit`: what was recorded of calls, and whether it is still what was recorded.

mod export;
mod list;
mod show;
mod verify;

use std::path::PathBuf;

use assay_core::{AuditFound, AuditLog, OperatorError};
use serde_json::Value;

use crate::failure::{Failure, Outcome};
use crate::service;
use crate::settings::data_file;

const AFTER_HELP: &str = "\
The log is read from the data file, also while a server writes to it. Entries stand in one chain for
each organisation and are numbered from one; `org_1/12` is the twelfth of the chain `org_1`.

`verify` exits with 1 when anything is wrong. What finds out somebody who may write the data file are
copies of the checkpoints that he cannot reach: name their folder.

Examples:
  assay audit list --since 2026-12-01 --denied
  assay audit show org_1/12
  assay audit verify --checkpoints /mnt/elsewhere/checkpoints --key audit.key.pub
  assay audit export --org org_1 --proof > org_1.jsonl";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    flags: data_file::Flags,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List entries, the newest first.
    List(list::Arguments),
    /// Show everything that one entry tells.
    Show(show::Arguments),
    /// Find out whether anything was changed, removed or put in.
    Verify(verify::Arguments),
    /// Print entries as lines of JSON, with what proves them where it is asked for.
    Export(export::Arguments),
}

/// The log, and where its data lies.
struct Opened {
    folder: PathBuf,
    log: AuditLog,
}

/// Does what was asked for.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let folder = arguments.flags.folder()?;
    let log = AuditLog::open(&service::data_file(&folder)).map_err(|error| {
        unserved(error).help(format!(
            "the data folder is `{}`; choose another with `--data`",
            folder.display()
        ))
    })?;
    let opened = Opened { folder, log };
    match &arguments.action {
        Action::List(it) => list::run(&opened, it, arguments.flags.json),
        Action::Show(it) => show::run(&opened, it, arguments.flags.json),
        Action::Verify(it) => verify::run(&opened, it, arguments.flags.json),
        Action::Export(it) => export::run(&opened, it),
    }
}

/// The data file does not serve.
fn unserved(error: impl Into<OperatorError>) -> Failure {
    Failure::unavailable(error.into().to_string())
}

/// What an entry tells; `None` where its text is no JSON any more.
fn told(entry: &AuditFound) -> Option<Value> {
    serde_json::from_str(&entry.row.record).ok()
}

/// The name by which an entry is shown and asked for.
fn place(entry: &AuditFound) -> String {
    format!("{}/{}", entry.chain, entry.row.sequence)
}

/// The chain that was asked for, or every one.
fn chains(opened: &Opened, org: Option<&str>) -> Result<Vec<String>, Failure> {
    let known = opened.log.chains().map_err(unserved)?.into_iter().map(|it| it.name);
    match org {
        None => Ok(known.collect()),
        Some(org) => Ok(known.filter(|it| it == org).collect()),
    }
}

/// There is no such chain.
fn no_chain(org: &str) -> Failure {
    Failure::refused(format!("there is no chain `{org}`"))
        .help("`assay audit verify` names every chain")
}
