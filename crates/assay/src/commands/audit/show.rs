//! `assay audit show`.

use assay_core::{AuditFound, AuditSought};
use serde_json::Value;

use super::{Opened, place, told, unserved};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::show::table::{Cell, Table};

/// Entries with one identifier that are looked for, to name them.
const SEVERAL: usize = 10;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The id of the event, or its organisation and number.
    #[arg(value_name = "EVENT_ID|ORG/NUMBER")]
    entry: String,
}

pub(super) fn run(opened: &Opened, arguments: &Arguments, as_json: bool) -> Outcome {
    let entry = sought(opened, &arguments.entry)?;
    if as_json {
        output::payload(entry.row.record.as_bytes())?;
        return Ok(Exit::Ran);
    }
    let mut table = Table::new();
    table.row([Cell::from("place"), Cell::from(place(&entry))]);
    table.row([Cell::from("hash"), Cell::from(entry.row.hash.to_string())]);
    match told(&entry) {
        Some(told) => rows(&mut table, "", &told),
        None => table.row([Cell::from("unreadable"), Cell::from(&entry.row.record)]),
    }
    output::page(&table.render(output::columns()))?;
    Ok(Exit::Ran)
}

fn sought(opened: &Opened, written: &str) -> Result<AuditFound, Failure> {
    let place = written.rsplit_once('/').and_then(|(org, it)| Some((org, it.parse().ok()?)));
    if let Some((org, number)) = place
        && let Some(entry) = opened.log.entry(org, number).map_err(unserved)?
    {
        return Ok(entry);
    }
    let by_id = AuditSought { event_id: Some(written), ..AuditSought::default() };
    let found = opened.log.find(by_id, SEVERAL).map_err(unserved)?;
    match found.as_slice() {
        [entry] => Ok(entry.clone()),
        [] => Err(Failure::refused(format!("there is no entry `{written}`"))
            .help("name one by its id, or as ORG/NUMBER; `assay audit list` shows both")),
        several => {
            let places: Vec<String> = several.iter().map(super::place).collect();
            Err(Failure::refused(format!("several entries have the id `{written}`"))
                .help(format!("name one of {}", places.join(", "))))
        }
    }
}

/// What a value tells, one row for each thing, named by its path. What is absent has no row.
fn rows(table: &mut Table, path: &str, value: &Value) {
    // An entry is three levels deep; deeper ones are not ours and are shown as they are.
    match value {
        Value::Null => {}
        Value::Object(members) if path.matches('.').count() < 3 => {
            for (key, value) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                rows(table, &path, value);
            }
        }
        Value::Array(items) if items.is_empty() => {}
        Value::Array(items) => {
            let lines: Vec<String> = items.iter().map(line).collect();
            table.row([Cell::from(path), Cell::from(lines.join("\n"))]);
        }
        value => table.row([Cell::from(path), Cell::from(line(value))]),
    }
}

fn line(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(": ")
        }
        // A stage with what it relied on.
        Value::Array(items) => match items.as_slice() {
            [name, word, Value::Array(evidence)] => {
                let evidence: Vec<String> = evidence.iter().map(line).collect();
                format!("{}: {} ({})", line(name), line(word), evidence.join(", "))
            }
            _ => value.to_string(),
        },
        value => value.to_string(),
    }
}
