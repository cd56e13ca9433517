//! `docs/tools/`: one page for each tool, from the record that a client reads, the schema of its
//! result, its problem statement, its routes and its example.

mod result;
mod routes;

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{Files, MARK};
use crate::tree::Tree;
use routes::Route;

const DATA: &str = "crates/registry/data";
const FOLDER: &str = "docs/tools";

/// What the pages of all tools are made from.
struct Sources<'t> {
    tree: &'t Tree,
    problems: Value,
    examples: Value,
    routes: Vec<Route>,
}

pub(super) fn files(tree: &Tree) -> Result<Files, String> {
    let prefix = format!("{DATA}/tools/");
    let mut files = Files::new();
    let records = tree.texts().filter(|(path, _)| path.starts_with(&prefix));
    let records: Vec<&str> = records.map(|it| it.0).collect();
    // Where there is no tool, nothing else needs to be there.
    if records.is_empty() {
        return Ok(files);
    }
    let phrasing = read(tree, &format!("{DATA}/phrasing.json"))?;
    let sources = Sources {
        tree,
        problems: phrasing.get("problem_statements").cloned().unwrap_or_default(),
        examples: read(tree, &format!("{DATA}/examples.json"))?,
        routes: routes::routes(tree)?,
    };
    for path in records {
        let record = read(tree, path)?;
        let name = string(&record, "name");
        files.insert(format!("{FOLDER}/{name}.md"), page(&sources, path, &record)?);
    }
    Ok(files)
}

fn read(tree: &Tree, path: &str) -> Result<Value, String> {
    let text = tree.text(path).ok_or_else(|| format!("{path} is not there"))?;
    serde_json::from_str(text).map_err(|it| format!("{path}: {it}"))
}

fn page(sources: &Sources<'_>, path: &str, record: &Value) -> Result<String, String> {
    let name = string(record, "name");
    let mut out = format!(
        "# {}\n\n`{name}` · facet {} · scope {}\n\n> {}\n\n{}\n\n",
        string(record, "title"),
        string(record, "facet"),
        string(record, "scope"),
        string(&sources.problems, &name),
        string(record, "description"),
    );
    parameters(&mut out, record);
    out.push_str("## Result\n\n");
    let schema = read(sources.tree, &format!("{DATA}/schemas/{name}.output.json"))?;
    out.push_str(&result::tables(&schema));
    out.push_str(
        "Every answer holds `ok` and `versions` besides. A refusal has `ok: false` and an `error` \
         with a code; [each code](../errors/README.md) has a page.\n\n",
    );
    example(&mut out, sources, &name)?;
    out.push_str("## What a client may assume\n\n| hint | value | because |\n|---|---|---|\n");
    for (name, hint) in members(record, "annotations") {
        let _ = writeln!(out, "| `{name}` | {} | {} |", hint["value"], string(hint, "reason"));
    }
    out.push_str("\nWhat it reads and changes is in the [matrix of effects](../effects.md).\n");
    let _ = write!(out, "\n<!-- Generated from `{path}` {MARK} -->\n");
    Ok(out)
}

/// One call, over MCP and over REST, and every route.
fn example(out: &mut String, sources: &Sources<'_>, name: &str) -> Result<(), String> {
    let arguments = sources.examples.get(name).and_then(Value::as_object);
    let arguments = arguments.ok_or_else(|| format!("`{name}` has no example"))?;
    let routes: Vec<&Route> = sources.routes.iter().filter(|it| it.is_of(name)).collect();
    let command = routes.iter().find_map(|it| it.command(arguments));
    let command = command.ok_or_else(|| format!("no route of `{name}` takes its example"))?;
    let call = serde_json::json!({"name": name, "arguments": arguments});
    let call = serde_json::to_string_pretty(&call).map_err(|it| it.to_string())?;
    let _ = write!(
        out,
        "## An example\n\nThe parameters of `tools/call`:\n\n```json\n{call}\n```\n\nThe same \
         over HTTP:\n\n```sh\n{command}\n```\n\n"
    );
    let listed = routes.iter().map(|it| format!("`{} {}`", it.method, it.path));
    let listed = listed.collect::<Vec<_>>().join(" and ");
    let _ = write!(out, "Routes: {listed}.\n\n");
    Ok(())
}

fn parameters(out: &mut String, record: &Value) {
    out.push_str("## Parameters\n\n");
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
