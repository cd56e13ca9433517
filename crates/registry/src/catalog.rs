//! The catalogue: every tool record joined with its phrases and schemas, or every reason why not.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::directive::directives;
use crate::facet::Facet;
use crate::files::{Files, ToolFiles, shipped};
use crate::gate::record as gate;
use crate::gate::switch::own_id;
use crate::instructions::{self, Instructions};
use crate::phrasing::Phrasing;
use crate::record::{AnnotationRecord, HintRecord, Record};
use crate::scope::Scope;
use crate::tool::{Annotations, Hint, Tool};

/// Every tool that exists, in listing order, with the phrases that introduce them.
#[derive(Debug, Clone)]
pub struct Catalog {
    tools: Vec<Tool>,
    phrasing: Phrasing,
}

impl Catalog {
    /// Joins the files that the program carries.
    ///
    /// # Errors
    /// Every fault in them at once, each as one line that names its file. A program with a fault
    /// does not start, so that nothing reaches a client half described.
    pub fn load() -> Result<Self, Vec<String>> {
        let catalog = Self::from_files(&shipped())?;
        let faults = catalog.head_faults(Instructions::HEAD);
        if faults.is_empty() { Ok(catalog) } else { Err(faults) }
    }

    /// The tools in listing order.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool of this name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|it| it.name == name)
    }

    /// The agreed phrases.
    #[must_use]
    pub const fn phrasing(&self) -> &Phrasing {
        &self.phrasing
    }

    /// What a head of the instructions lacks in its first [`crate::WINDOW`] characters, each as one
    /// line: the confirmation gate word for word, and the tools of the authoring order.
    #[must_use]
    pub fn head_faults(&self, head: &str) -> Vec<String> {
        instructions::head_faults(head, &self.phrasing.confirmation_gate)
    }

    pub(crate) fn from_files(files: &Files<'_>) -> Result<Self, Vec<String>> {
        let mut faults = Faults::default();
        let phrasing: Option<Phrasing> = faults.parse("data/phrasing.json", files.phrasing);
        let error: Option<Value> = faults.parse("data/schemas/error.json", files.error);
        let names: Vec<&str> = files.tools.iter().map(|it| it.name).collect();
        let mut tools = Vec::new();
        for tool_files in &files.tools {
            let path = format!("data/tools/{}.json", tool_files.name);
            let record: Option<Record> = faults.parse(&path, tool_files.record);
            let success = output(&mut faults, *tool_files);
            let Some(record) = record else { continue };
            let before = faults.found.len();
            check_record(&mut faults, &path, tool_files.name, &record, &names);
            let opening =
                phrasing.as_ref().and_then(|it| it.problem_statements.get(tool_files.name));
            if phrasing.is_some() && opening.is_none() {
                faults.add(&path, "has no problem statement in data/phrasing.json");
            }
            let facet = Facet::parse(&record.facet);
            if facet.is_none() {
                faults.add(&path, format_args!("names the unknown facet `{}`", record.facet));
            }
            let scope = Scope::parse(&record.scope);
            if scope.is_none() {
                faults.add(&path, format_args!("names the unknown scope `{}`", record.scope));
            }
            if let (Some(opening), Some(facet), Some(scope), Some(success), Some(error)) =
                (opening, facet, scope, success, &error)
                && faults.found.len() == before
            {
                match compose(record, (facet, scope), opening, [&success, error]) {
                    Ok(tool) => tools.push(tool),
                    Err(error) => faults.add(&path, error),
                }
            }
        }
        if let Some(phrasing) = &phrasing {
            check_phrasing(&mut faults, phrasing, &names);
        }
        match phrasing {
            Some(phrasing) if faults.found.is_empty() => Ok(Self { tools, phrasing }),
            _ => Err(faults.found),
        }
    }
}

/// Faults as they are found, each as one line that begins with its file.
#[derive(Default)]
struct Faults {
    found: Vec<String>,
}

impl Faults {
    fn add(&mut self, path: &str, fault: impl std::fmt::Display) {
        self.found.push(format!("{path}: {fault}"));
    }

    fn parse<T: DeserializeOwned>(&mut self, path: &str, text: &str) -> Option<T> {
        match serde_json::from_str(text) {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(path, error);
                None
            }
        }
    }

    fn directives(&mut self, path: &str, place: &str, text: &str, tools: &[&str]) {
        for directive in directives(text, tools) {
            self.add(path, format_args!("the {place} {directive}"));
        }
    }
}

/// The schema of a success.
fn output(faults: &mut Faults, tool: ToolFiles<'_>) -> Option<Value> {
    let path = format!("data/schemas/{}.output.json", tool.name);
    let schema: Value = faults.parse(&path, tool.output)?;
    if schema.pointer("/type") != Some(&json!("object"))
        || schema.pointer("/properties/ok") != Some(&json!({"const": true}))
    {
        faults.add(&path, "describes no object with `ok: true`");
        return None;
    }
    Some(schema)
}

fn check_record(faults: &mut Faults, path: &str, name: &str, record: &Record, tools: &[&str]) {
    if record.name != name {
        faults.add(path, format_args!("is the record of `{}`", record.name));
    }
    let narrow = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_';
    if name.is_empty() || name.len() > 64 || !name.bytes().all(narrow) {
        faults.add(path, "has a name that some clients refuse");
    }
    for (place, text) in [("title", &record.title), ("description", &record.description)] {
        if text.trim().is_empty() {
            faults.add(path, format_args!("has no {place}"));
        }
    }
    faults.directives(path, "description", &record.description, tools);
    for (parameter, entry) in &record.parameters {
        if entry.description.trim().is_empty() || entry.schema.contains_key("description") {
            faults.add(path, format_args!("the parameter `{parameter}` has no description"));
        }
        let place = format!("description of `{parameter}`");
        faults.directives(path, &place, &entry.description, tools);
    }
    let unknown = record.required.iter().filter(|it| !record.parameters.contains_key(*it));
    for parameter in unknown {
        faults.add(path, format_args!("requires `{parameter}`, which is no parameter"));
    }
    if record.ui.as_ref().is_some_and(|it| !it.starts_with("ui://")) {
        faults.add(path, "has an interface whose address does not begin with `ui://`");
    }
    check_reasons(faults, path, &record.annotations);
}

fn check_reasons(faults: &mut Faults, path: &str, annotations: &AnnotationRecord) {
    for (name, hint) in [
        ("readOnlyHint", &annotations.read_only_hint),
        ("idempotentHint", &annotations.idempotent_hint),
        ("destructiveHint", &annotations.destructive_hint),
        ("openWorldHint", &annotations.open_world_hint),
    ] {
        if hint.reason.trim().is_empty() {
            faults.add(path, format_args!("`{name}` has no reason"));
        }
    }
    if annotations.read_only_hint.value && annotations.destructive_hint.value {
        faults.add(path, "claims to be read-only and destructive");
    }
}

fn check_phrasing(faults: &mut Faults, phrasing: &Phrasing, tools: &[&str]) {
    let path = "data/phrasing.json";
    let known: BTreeSet<&str> = tools.iter().copied().collect();
    for (name, statement) in &phrasing.problem_statements {
        if !known.contains(name.as_str()) {
            faults.add(path, format_args!("has a problem statement for the unknown tool `{name}`"));
        }
        if statement.trim().is_empty() {
            faults.add(path, format_args!("the problem statement of `{name}` is empty"));
        }
        let place = format!("problem statement of `{name}`");
        faults.directives(path, &place, statement, tools);
    }
}

fn compose(
    file: Record,
    (facet, scope): (Facet, Scope),
    opening: &str,
    outcomes: [&Value; 2],
) -> Result<Tool, serde_json::Error> {
    let mut properties = Map::new();
    for (name, parameter) in file.parameters {
        let mut schema = parameter.schema;
        schema.insert("description".to_owned(), Value::String(parameter.description));
        properties.insert(name, Value::Object(schema));
    }
    let annotations = annotations(file.annotations);
    let id = own_id(&file.name);
    let record: gate::Record = serde_json::from_value(json!({
        "tool_id": id,
        "name": file.name,
        "description": format!("{}\n\n{}", opening.trim(), file.description.trim()),
        "category": id.split('.').next(),
        "version": file.version,
        "enabled": true,
        "kill_switch": false,
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": file.required,
            "additionalProperties": false,
        },
        "output_schema": { "type": "object", "oneOf": outcomes },
        "permissions_required": [scope.permission()],
        "org_scoped": true,
        "rate_limit": null,
        "latency_slo_ms": file.latency_slo_ms,
        "idempotency_key": null,
        "side_effects": annotations.changes(),
        "rollback_support": file.rollback_support,
        "legal_safety_notes": "",
        "facet": facet.word(),
        "effect": annotations.effect().word(),
        "execution": { "upstream_idempotent": annotations.idempotent.value },
    }))?;
    Ok(Tool {
        title: file.title,
        ui: file.ui,
        package: file.package,
        ..Tool::new(record, facet, annotations, None)
    })
}

fn annotations(record: AnnotationRecord) -> Annotations {
    let hint = |it: HintRecord| Hint { value: it.value, reason: it.reason };
    Annotations {
        read_only: hint(record.read_only_hint),
        idempotent: hint(record.idempotent_hint),
        destructive: hint(record.destructive_hint),
        open_world: hint(record.open_world_hint),
    }
}

#[cfg(test)]
mod tests;
