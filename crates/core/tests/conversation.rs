//! One conversation that calls every tool, `conversation.json`: each payload holds what the schema
//! of its tool describes and nothing more.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use assay_base::canonical::to_bytes;
use assay_core::{Cancel, Credentials, Door, Service, Settings, Tool};
use assay_registry::closed;
use serde_json::{Value, json};

const UNITS: &str = "// @unit amount USD\n// @range amount 0.5..1e6\ndeclare amount as numeric;\n\
                     // Nothing converts.\nassert cap { amount <= 24000 \"EUR\" };\n\
                     // @unit age mo\ndeclare age as numeric;\n// Days.\nassert old { age > 90 \"d\" };\n";

/// What calls have in common, by the word that stands for it.
type Kept = BTreeMap<String, Value>;

/// The value with every word replaced by what it stands for.
fn filled(value: &Value, kept: &Kept) -> Value {
    match value {
        Value::String(word) => kept.get(word).unwrap_or(value).clone(),
        Value::Array(items) => items.iter().map(|it| filled(it, kept)).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, it)| (key.clone(), filled(it, kept))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::draft202012::new(schema).unwrap();
    validator.iter_errors(value).map(|it| it.to_string()).collect()
}

fn text(value: &Value) -> String {
    String::from_utf8(to_bytes(|slot| slot.json(value))).unwrap()
}

/// The payload of one call, held to the schemas of its tool.
fn call(service: &Arc<Service>, tool: &Tool, arguments: &Value) -> Value {
    let caller = service.local(Door::Mcp).unwrap();
    let reply = service.call(&caller, &tool.name, &text(arguments), &Cancel::new());
    let payload: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(
        faults(&closed(tool.output_schema()), &payload),
        [""; 0],
        "{} {arguments}\n{payload}",
        tool.name
    );
    if reply.failure.is_none() {
        assert_eq!(faults(tool.input_schema(), arguments), [""; 0], "{} {arguments}", tool.name);
    }
    payload
}

#[test]
fn every_tool_answers_what_it_publishes() {
    let service = Service::open(Settings::default()).unwrap();
    let caller = service.local(Door::Mcp).unwrap();
    let tools: Vec<Tool> =
        service.tools(&caller).into_iter().map(std::borrow::Cow::into_owned).collect();
    let mut kept = Kept::from([
        ("$units".to_owned(), json!(UNITS)),
        ("$changed".to_owned(), json!(UNITS.replace("24000", "25000"))),
        ("$example".to_owned(), json!(assay_dsail::grammar::example())),
        ("$nowhere".to_owned(), json!("0".repeat(64))),
    ]);
    let steps: Vec<Value> = serde_json::from_str(include_str!("conversation.json")).unwrap();
    let mut succeeded = BTreeSet::new();
    for step in &steps {
        if let Some(accepted) = step.get("accept") {
            let body = text(&filled(accepted, &kept));
            let reply = service.accept_invitation(Door::Rest, &Credentials::default(), &body);
            assert_eq!(reply.failure, None);
            continue;
        }
        let name = step.pointer("/tool").and_then(Value::as_str).unwrap();
        let tool = tools.iter().find(|it| it.name == name).unwrap();
        let payload = call(&service, tool, &filled(step.get("arguments").unwrap(), &kept));
        assert_eq!(payload.pointer("/error/code"), step.get("fails"), "{step}\n{payload}");
        if step.get("fails").is_none() {
            succeeded.insert(name);
        }
        let keep = step.get("keep").and_then(Value::as_object);
        for (word, pointer) in keep.into_iter().flatten() {
            let value = payload.pointer(pointer.as_str().unwrap()).unwrap();
            kept.insert(word.clone(), value.clone());
        }
    }
    assert_eq!(succeeded, tools.iter().map(|it| it.name.as_str()).collect());
}
