//! `assay tool kill`.

use std::path::Path;

use assay_core::Target;

use super::state::target;
use crate::commands::key::{json, refused};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::{output, service};

const AFTER_HELP: &str = "\
A target is the id of a tool (email.send), one version of it (email.send@1.2), a category (email.*),
everything that one server carries out (upstream:practice), or everything. Servers that run refuse
new calls within a second; calls that have left already end as they end.

Examples:
  assay tool kill email.send --reason \"wrong recipients\"
  assay tool kill upstream:practice --reason \"the back end is being restored\" --by ops-3";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// What is stopped.
    #[arg(value_parser = target)]
    target: Target,
    /// Why, for the record and for whoever lifts it.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who says so.
    #[arg(long, value_name = "NAME", default_value = "operator")]
    by: String,
}

pub(super) fn run(data: &Path, arguments: &Arguments, as_json: bool) -> Outcome {
    let Arguments { target, reason, by } = arguments;
    service::of_operator(data)?.stop(by, target, reason).map_err(refused)?;
    if as_json {
        return json(|object| object.key("stopped").display(target));
    }
    output::page(&format!("{target} is stopped\n"))?;
    Ok(Exit::Ran)
}
