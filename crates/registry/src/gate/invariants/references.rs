//! What a record names must be there: its id and name once, places in its own schemas, and roles.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::json::printable;
use serde_json::Value;

use crate::gate::Fault;
use crate::gate::invariants::Filed;
use crate::gate::permission::ROLES;

pub(super) fn check(records: &[Filed<'_>], faults: &mut Vec<Fault>) {
    twice(records, faults);
    for &filed in records {
        arguments(filed, faults);
        answers(filed, faults);
        roles(filed, faults);
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

/// Findings and summaries stand on fields that the output schema has. Without one the answer is a
/// text, which has no fields.
fn answers(filed: Filed<'_>, faults: &mut Vec<Fault>) {
    let record = filed.record;
    let Some(schema) = &record.output_schema else {
        if record.verdict.is_some() {
            let message = "an answer that promises no form holds no finding";
            let mend = "state `output_schema`, or remove `verdict`";
            faults.push(filed.fault("/verdict", message, mend));
        }
        return;
    };
    let mut refuse = |pointer: &str, name: &str| {
        let message = format!("`{}` is no field of the output schema", printable(name));
        faults.push(filed.fault(pointer, message, "correct it, or add the field to the schema"));
    };
    if let Some(verdict) = &record.verdict
        && !has(schema, verdict.pointer.split('/').skip(1))
    {
        refuse("/verdict/pointer", &verdict.pointer);
    }
    for (index, field) in record.audit.output_summary.iter().enumerate() {
        if !has(schema, field.split('.')) {
            refuse(&format!("/audit/output_summary/{index}"), field);
        }
    }
}

/// A role that nobody can be given would ask for people whom there are not.
fn roles(filed: Filed<'_>, faults: &mut Vec<Fault>) {
    let record = filed.record;
    let mut hold = |pointer: String, role: &str| {
        if !ROLES.contains(&role) {
            let message = format!("`{}` is no role", printable(role));
            let mend = format!("use one of {}", ROLES.join(", "));
            faults.push(filed.fault(&pointer, message, mend));
        }
    };
    let mut each = |place: &str, roles: &[String]| {
        for (index, role) in roles.iter().enumerate() {
            hold(format!("{place}/{index}"), role);
        }
    };
    each("/session_requirements/roles_any", &record.session_requirements.roles_any);
    if let Some(approval) = &record.approval {
        each("/approval/roles_any", &approval.roles_any);
        each("/approval/unless_requester_role", &approval.unless_requester_role);
    }
    for (index, needed) in record.prerequisites.iter().enumerate() {
        if let Some(decision) = &needed.or_decision {
            hold(format!("/prerequisites/{index}/or_decision/role"), &decision.role);
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
