//! `assay tool show`.

use std::path::Path;

use assay_base::canonical::to_bytes;
use assay_core::gate::switch::Stopped;
use assay_core::{Governed, Tool};
use serde_json::Value;

use super::record;
use super::registry::{Registry, own_tool, own_tools};
use super::state::{State, stopped};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::settings::governed;
use crate::show::table::{Cell, Table};

const AFTER_HELP: &str = "\
A tool is named by its id or by its name for models, and a version of a governed one as ID@VERSION.
First stand the seventeen fields that every record has, then what follows from it.

Examples:
  assay tool show dsail_check
  assay tool show efirm.matter-db.create-matter --registry ./registry
  assay tool show create_matter --registry ./registry --json";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The tool.
    #[arg(value_name = "ID|NAME")]
    tool: String,
    #[command(flatten)]
    governed: governed::Flags,
}

pub(super) fn run(data: &Path, arguments: &Arguments, as_json: bool) -> Outcome {
    let written = arguments.tool.as_str();
    let own = own_tools()?;
    let registry = arguments.governed.registry();
    let registry = registry.map(|it| Registry::sound(&it, &own)).transpose()?;
    let governed = registry.as_ref().and_then(|it| Some((it, it.find(written)?)));
    let own = own_tool(&own, written);
    let (value, rows) = match (governed, own) {
        (Some((registry, tool)), _) => {
            let value = serde_json::from_str(registry.text(tool)).unwrap_or_default();
            let rows = if as_json {
                Vec::new()
            } else {
                rows(registry, tool, &stopped(data, arguments.governed.settings()?)?)
            };
            (value, rows)
        }
        (None, Some(tool)) => {
            let rows = if as_json {
                Vec::new()
            } else {
                own_rows(tool, &stopped(data, arguments.governed.settings()?)?)
            };
            (record::of_own(&tool.record), rows)
        }
        (None, None) => return Err(unknown(written, registry.is_some())),
    };
    if as_json {
        output::payload(&to_bytes(|slot| slot.json(&value)))?;
    } else {
        output::page(&page(&value, rows))?;
    }
    Ok(Exit::Ran)
}

fn unknown(written: &str, has_registry: bool) -> Failure {
    let help = if has_registry {
        "`assay tool list` shows the ids and names"
    } else {
        "it is none of the product's own; name the registry of governed ones by `--registry`"
    };
    Failure::usage(format!("there is no tool `{written}`")).help(help)
}

fn page(value: &Value, rows: Vec<(&'static str, Cell)>) -> String {
    let mut table = Table::new();
    for (name, text) in record::fields(value) {
        table.row([Cell::from(name), Cell::from(text)]);
    }
    table.row([Cell::from(""), Cell::from("")]);
    for (name, cell) in rows {
        table.row([Cell::from(name), cell]);
    }
    table.render(output::columns())
}

/// What follows from a record, the registry that it is in, and what is stopped.
fn rows(registry: &Registry, tool: &Governed, stopped: &Stopped) -> Vec<(&'static str, Cell)> {
    let record = &tool.record;
    let state = State::of(tool, stopped);
    let place = tool.place().map(|(upstream, tool)| format!("{upstream}/{tool}"));
    let mut rows = vec![
        ("state", Cell::styled(state.word(), state.style())),
        ("name on the wire", Cell::from(&tool.tool.name)),
        ("file", Cell::from(&tool.file)),
        (
            "facet and effect",
            Cell::from(format!("{}, {}", tool.facet.word(), record.effect().word())),
        ),
        ("carried out by", Cell::from(place.unwrap_or_default())),
    ];
    for (name, lines) in [
        ("may be called by", record::callers(record, registry.snapshot.grants())),
        ("session", record::session(record)),
        ("approval", record::approval(record)),
        ("confirmation", record::confirmation(record)),
        ("comes after", record::prerequisites(record)),
        ("belongs to the caller", record::scope(record)),
        ("bound by", or(registry.skills(record), "no skill, so that nobody may call it")),
        ("deprecation", record::deprecation(record)),
    ] {
        if !lines.is_empty() {
            rows.push((name, Cell::from(lines.join("\n"))));
        }
    }
    rows
}

fn or(lines: Vec<String>, otherwise: &str) -> Vec<String> {
    if lines.is_empty() { vec![otherwise.to_owned()] } else { lines }
}

fn own_rows(tool: &Tool, stopped: &Stopped) -> Vec<(&'static str, Cell)> {
    let state = State::of_own(tool, stopped);
    let kind = format!("{}, {}", tool.facet.word(), tool.record.effect().word());
    vec![
        ("state", Cell::styled(state.word(), state.style())),
        ("name on the wire", Cell::from(&tool.name)),
        ("facet and effect", Cell::from(kind)),
        ("carried out by", Cell::from("the product itself")),
        ("may be called by", Cell::from(format!("whose credential has `{}`", tool.scope.word()))),
    ]
}
