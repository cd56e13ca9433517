//! `docs/tools/`: one page for each tool, from the record that a client reads.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{Files, MARK};
use crate::tree::Tree;

const RECORDS: &str = "crates/registry/data/tools/";
const FOLDER: &str = "docs/tools";

pub(super) fn files(tree: &Tree) -> Result<Files, String> {
    let records = tree.texts().filter(|(path, _)| path.starts_with(RECORDS));
    let mut files = Files::new();
    for (path, text) in records {
        let record: Value = serde_json::from_str(text).map_err(|it| format!("{path}: {it}"))?;
        let name = string(&record, "name");
        files.insert(format!("{FOLDER}/{name}.md"), page(path, &record));
    }
    Ok(files)
}

fn page(path: &str, record: &Value) -> String {
    let mut out = format!(
        "# {}\n\n`{}` · facet {} · scope {}\n\n{}\n\n## Parameters\n\n",
        string(record, "title"),
        string(record, "name"),
        string(record, "facet"),
        string(record, "scope"),
        string(record, "description"),
    );
    let required: Vec<&str> =
        record["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if members(record, "parameters").next().is_none() {
        out.push_str("There are none.\n\n");
    }
    for (name, parameter) in members(record, "parameters") {
        let must = if required.contains(&name.as_str()) { "required" } else { "optional" };
        let _ = write!(out, "### `{name}`\n\n{must}, {}\n\n", kind(&parameter["schema"]));
        let _ = write!(out, "{}\n\n", fenced(&string(parameter, "description")));
    }
    out.push_str("## What a client may assume\n\n| hint | value | because |\n|---|---|---|\n");
    for (name, hint) in members(record, "annotations") {
        let _ = writeln!(out, "| `{name}` | {} | {} |", hint["value"], string(hint, "reason"));
    }
    let _ = write!(out, "\n<!-- Generated from `{path}` {MARK} -->\n");
    out
}

/// The types of a schema in words.
fn kind(schema: &Value) -> String {
    match &schema["type"] {
        Value::String(one) => one.clone(),
        Value::Array(several) => {
            several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => "any type".to_owned(),
    }
}

/// A description with the sample behind its last blank line set as one, where it holds DSAIL.
fn fenced(description: &str) -> String {
    match description.split_once("\n\nversion ") {
        Some((words, sample)) => format!("{words}\n\n```dsail\nversion {sample}\n```"),
        None => description.to_owned(),
    }
}

fn members<'v>(record: &'v Value, key: &str) -> impl Iterator<Item = (&'v String, &'v Value)> {
    record[key].as_object().into_iter().flat_map(Map::iter)
}

fn string(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}
