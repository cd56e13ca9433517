//! `assay version`: what produced an answer.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::exit::Exit;
use crate::failure::Outcome;
use crate::payload::read;
use crate::show::table::{Cell, Table};
use crate::{output, service};

const AFTER_HELP: &str = "\
Examples:
  assay version
  assay version --json";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Print the payload, byte for byte.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Deserialize)]
struct Payload {
    versions: BTreeMap<String, Value>,
}

/// Names with what they stand for, in the order in which they are shown.
const NAMES: [(&str, &str); 6] = [
    ("service_version", "assay"),
    ("engine", "engine"),
    ("engine_version", "engine version"),
    ("solver", "solver"),
    ("language_version", "language"),
    ("wire_version", "wire"),
];

/// Prints the versions; the solver is asked for its own.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let reply = service::in_memory()?.health();
    if arguments.json {
        return service::payload(&reply);
    }
    let payload: Payload = read(&reply.body)?;
    let mut table = Table::new();
    for (key, name) in NAMES {
        let value = payload.versions.get(key).and_then(Value::as_str).unwrap_or_default();
        table.row([Cell::from(name), Cell::from(value)]);
    }
    output::page(&table.render(output::columns()))?;
    Ok(Exit::Ran)
}
