use serde_json::{Value, json};

use super::{Effect, Record, read};
use crate::gate::Fault;

/// The example of the document that governed tools were conceived from, byte for byte.
const EXAMPLE: &str = include_str!("create-matter.json");

const FIELDS: [&str; 17] = [
    "tool_id",
    "name",
    "description",
    "category",
    "version",
    "enabled",
    "kill_switch",
    "input_schema",
    "output_schema",
    "permissions_required",
    "org_scoped",
    "rate_limit",
    "latency_slo_ms",
    "idempotency_key",
    "side_effects",
    "rollback_support",
    "legal_safety_notes",
];

fn example() -> Value {
    serde_json::from_str(EXAMPLE).unwrap()
}

fn with(changes: &Value) -> Value {
    let mut value = example();
    for (key, change) in changes.as_object().unwrap() {
        value[key] = change.clone();
    }
    value
}

fn record(changes: &Value) -> Record {
    read("tool.json", &with(changes).to_string()).unwrap().record
}

fn faults(value: &Value) -> Vec<Fault> {
    read("tool.json", &value.to_string()).unwrap_err()
}

#[test]
fn the_example_loads_unchanged() {
    let loaded = read("create-matter.json", EXAMPLE).unwrap();
    assert_eq!(loaded.record.effect(), Effect::Write);
    assert_eq!(loaded.record.tool_id.to_string(), "efirm.matter-db.create-matter");
    assert_eq!(loaded.record.version.to_string(), "1.2");
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        ["create-matter.json#/effect: no effect is stated, so `write` is taken; state \
          `\"effect\": \"write\"` or another"]
    );
}

#[test]
fn each_field_is_needed() {
    assert_eq!(example().as_object().unwrap().len(), FIELDS.len());
    for field in FIELDS {
        let mut value = example();
        value.as_object_mut().unwrap().remove(field).unwrap();
        let faults = faults(&value);
        assert_eq!(faults.len(), 1, "{field}: {faults:?}");
        assert_eq!(faults[0].pointer, format!("/{field}"));
        assert_eq!(faults[0].message, format!("`{field}` is missing"));
    }
}

#[test]
fn every_fault_at_once() {
    let faults = faults(&with(&json!({
        "name": "create matter",
        "colour": "red",
        "latency_slo_ms": 0,
        "rate_limit": { "requests_per_minute": 10, "per": "org" },
        "effect": "reading",
        "input_schema": { "type": "object", "properties": { "a": { "type": "word" } } },
        "permissions_required": ["matter:create", "matter:create"],
    })));
    let mut pointers: Vec<&str> = faults.iter().map(|it| it.pointer.as_str()).collect();
    pointers.sort_unstable();
    assert_eq!(
        pointers,
        [
            "/colour",
            "/effect",
            "/input_schema/properties/a/type",
            "/latency_slo_ms",
            "/name",
            "/permissions_required",
            "/rate_limit/per",
        ]
    );
    assert!(faults.iter().all(|it| it.file == "tool.json" && !it.mend.is_empty()));
}

/// A change to the example, and the one place that is told of.
const REFUSED: &[(&str, &str)] = &[
    (r#"{"tool_id": "matter"}"#, "/tool_id"),
    (r#"{"tool_id": "efirm.matter-db.create-matter:v1"}"#, "/tool_id"),
    (r#"{"tool_id": "efirm.matter-db.create-matter:v2"}"#, "/version"),
    (r#"{"version": "2.0"}"#, "/version"),
    (r#"{"version": "1.2-beta"}"#, "/version"),
    (r#"{"version": "1.02"}"#, "/version"),
    (r#"{"category": "dms"}"#, "/category"),
    (r#"{"enabled": "true"}"#, "/enabled"),
    (r#"{"description": "Short."}"#, "/description"),
    (r#"{"idempotency_key": "client_id+matter_type"}"#, "/idempotency_key"),
    (r#"{"output_schema": {"$ref": "https://example.org/schema.json"}}"#, "/output_schema"),
    (r#"{"input_schema": {"type": "array"}}"#, "/input_schema/type"),
    (r#"{"prerequisites": [{"tool": "efirm.conflict-check.run"}]}"#, "/prerequisites/0/within_s"),
    (r#"{"approval": {"count": 6, "roles_any": ["partner"], "ttl_s": 600}}"#, "/approval/count"),
    (r#"{"audit": {"fields": {"client_id": "open"}}}"#, "/audit/fields/client_id"),
    (r#"{"definition_hash": "sha256:00"}"#, "/definition_hash"),
];

#[test]
fn refused() {
    for (change, pointer) in REFUSED {
        let faults = faults(&with(&serde_json::from_str(change).unwrap()));
        let pointers: Vec<&str> = faults.iter().map(|it| it.pointer.as_str()).collect();
        assert_eq!(pointers, [*pointer], "{change}: {faults:?}");
    }
}

#[test]
fn repeated_keys_are_refused_at_any_depth() {
    let again = EXAMPLE.replacen("\"matter_id\": {", "\"matter_id\": {}, \"matter_id\": {", 1);
    let faults = read("tool.json", &again).unwrap_err();
    assert_eq!(faults[0].pointer, "/output_schema/properties/matter_id");
    assert_eq!(read("tool.json", "[").unwrap_err().len(), 1);
}

#[test]
fn names_on_the_wire() {
    assert_eq!(record(&json!({})).wire_name(), "create_matter");
    for (major, name) in [(2, "create_matter_v2"), (12, "create_matter_v12")] {
        let id = format!("efirm.matter-db.create-matter:v{major}");
        let record = record(&json!({ "tool_id": id, "version": format!("{major}.0") }));
        assert_eq!(record.wire_name(), name);
        assert_eq!(record.tool_id.to_string(), id);
    }
    let long = with(&json!({
        "tool_id": "efirm.matter-db.create-matter:v2", "version": "2.0", "name": "a".repeat(62),
    }));
    assert_eq!(faults(&long)[0].pointer, "/name");
}

#[test]
fn effects_inferred() {
    for (id, effects, effect) in [
        ("efirm.matter-db.lookup", json!([]), Effect::Read),
        ("dms.document.delete", json!(["removes a document"]), Effect::Destructive),
        ("efirm.matter-db.purge-matter", json!(["removes a matter"]), Effect::Destructive),
        ("dms.document.deleted-list", json!(["counts a look-up"]), Effect::Write),
        ("email.send", json!(["sends a message"]), Effect::External),
        ("esign.initiate", json!(["asks for a signature"]), Effect::External),
        ("email-archive.store", json!(["keeps a message"]), Effect::Write),
    ] {
        let category = id.split('.').next().unwrap();
        let record =
            record(&json!({ "tool_id": id, "category": category, "side_effects": effects }));
        assert_eq!(record.effect(), effect, "{id}");
    }
    assert_eq!(record(&json!({ "effect": "external" })).effect(), Effect::External);
}
