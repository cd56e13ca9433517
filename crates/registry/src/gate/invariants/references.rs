//! What a record names must be there: other tools, and places in its own schemas.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::json::printable;
use serde_json::Value;

use crate::gate::Fault;
use crate::gate::invariants::Filed;

pub(super) fn check(records: &[Filed<'_>], faults: &mut Vec<Fault>) {
    twice(records, faults);
    prerequisites(records, faults);
    for &filed in records {
        arguments(filed, faults);
    }
}

/// One definition per id and version, and one id per name on the wire.
fn twice(records: &[Filed<'_>], faults: &mut Vec<Fault>) {
    let mut versions = BTreeSet::new();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for &filed in records {
        let (record, id) = (filed.record, filed.record.tool_id.to_string());
        if !versions.insert((id.clone(), record.version)) {
            let message = format!("version {} of this tool stands twice", record.version);
            faults.push(filed.fault("/version", message, "keep one of the two"));
        }
        let owner = names.entry(record.wire_name()).or_insert_with(|| id.clone());
        if *owner != id {
            let message = format!("`{owner}` has the same name for the model");
            faults.push(filed.fault("/name", message, "give one of the two another name"));
        }
    }
}

fn prerequisites(records: &[Filed<'_>], faults: &mut Vec<Fault>) {
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for filed in records {
        let tools = filed.record.prerequisites.iter().map(|it| it.tool.clone());
        needs.entry(filed.record.tool_id.to_string()).or_default().extend(tools);
    }
    for filed in records {
        let id = filed.record.tool_id.to_string();
        for (index, needed) in filed.record.prerequisites.iter().enumerate() {
            let pointer = format!("/prerequisites/{index}/tool");
            if !needs.contains_key(&needed.tool) {
                let message = format!("`{}` is no tool of this registry", printable(&needed.tool));
                faults.push(filed.fault(&pointer, message, "correct it, or add the tool"));
            } else if leads_to(&needs, &needed.tool, &id) {
                let message = "the two tools wait for each other";
                faults.push(filed.fault(&pointer, message, "remove one of the prerequisites"));
            }
        }
    }
}

/// Whether `from` is `to`, or needs it at some remove.
fn leads_to(needs: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(tool) = open.pop() {
        if tool == to {
            return true;
        }
        if seen.insert(tool) {
            open.extend(needs.get(tool).into_iter().flatten().map(String::as_str));
        }
    }
    false
}

/// Keys, scopes and audit classes stand on arguments that the input schema has.
fn arguments(filed: Filed<'_>, faults: &mut Vec<Fault>) {
    let record = filed.record;
    let schema = &record.input_schema;
    let mut refuse = |pointer: &str, name: &str| {
        let message = format!("`{}` is no field of the input schema", printable(name));
        faults.push(filed.fault(pointer, message, "correct it, or add the field to the schema"));
    };
    for (pointer, key) in
        [("/idempotency_key", &record.idempotency_key), ("/subject_key", &record.subject_key)]
    {
        for term in key.iter().flat_map(|it| it.split(" + ")) {
            let whole = has(schema, term.split('.'));
            let hashed = term.strip_suffix("_hash").is_some_and(|it| has(schema, it.split('.')));
            if !whole && !hashed {
                refuse(pointer, term);
            }
        }
    }
    for (index, field) in record.scope_fields.iter().enumerate() {
        if !has(schema, field.pointer.split('/').skip(1)) {
            refuse(&format!("/scope_fields/{index}/pointer"), &field.pointer);
        }
    }
    for field in record.audit.fields.keys() {
        if !has(schema, field.split('.')) {
            refuse(&format!("/audit/fields/{field}"), field);
        }
    }
}

/// Whether `schema` declares the place: by name in an object, by number or `*` in an array.
fn has<'p>(schema: &Value, path: impl Iterator<Item = &'p str>) -> bool {
    let mut place = Some(schema);
    for step in path {
        let step = step.replace("~1", "/").replace("~0", "~");
        place = place.and_then(|it| {
            let property = it.get("properties").and_then(|it| it.get(&step));
            let is_item = step == "*" || step.bytes().all(|it| it.is_ascii_digit());
            property.or_else(|| it.get("items").filter(|_| is_item))
        });
    }
    place.is_some()
}
