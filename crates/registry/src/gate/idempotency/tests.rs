use serde_json::{Value, json};

use super::{Fingerprint, Next, State, key, next, subject};
use crate::gate::record::ToolId;

const EXPRESSION: &str = "client_id + matter.type + description_hash";

/// Two sets of arguments, and whether they are the same call by [`EXPRESSION`].
const PAIRS: &[(&str, &str, bool)] = &[
    (r#"{}"#, r#"{}"#, true),
    (r#"{"client_id": "a"}"#, r#"{"client_id": "a", "fee": "fixed"}"#, true),
    (r#"{"client_id": "a"}"#, r#"{"client_id": "b"}"#, false),
    (r#"{"client_id": "a"}"#, r#"{"client_id": "A"}"#, false),
    (r#"{"client_id": "1"}"#, r#"{"client_id": 1}"#, false),
    (r#"{}"#, r#"{"client_id": ""}"#, false),
    (r#"{}"#, r#"{"client_id": null}"#, false),
    (r#"{"client_id": ""}"#, r#"{"client_id": null}"#, false),
    (r#"{"client_id": 1}"#, r#"{"client_id": 1.0}"#, true),
    (r#"{"client_id": [{"x": -20}]}"#, r#"{"client_id": [{"x": -20.0}]}"#, true),
    (r#"{"client_id": 1}"#, r#"{"client_id": 1.5}"#, false),
    (r#"{"client_id": 10}"#, r#"{"client_id": 1.0}"#, false),
    (r#"{"client_id": "1"}"#, r#"{"client_id": "1.0"}"#, false),
    (r#"{"client_id": "\u00e9"}"#, r#"{"client_id": "e\u0301"}"#, false),
    (r#"{"matter": {"type": "ip"}}"#, r#"{"matter": {"type": "ip", "x": 1}}"#, true),
    (r#"{"matter": {"type": "ip"}}"#, r#"{"matter": {"type": "tax"}}"#, false),
    (r#"{"description": "A  case\n"}"#, r#"{"description": "a CASE"}"#, true),
    (r#"{"description": "a case"}"#, r#"{"description": "acase"}"#, false),
    (r#"{"description": "\u00c9t\u00e9"}"#, r#"{"description": "e\u0301te\u0301"}"#, true),
    (r#"{"description": ""}"#, r#"{}"#, false),
    (r#"{"description": ""}"#, r#"{"description": null}"#, false),
    (r#"{"description": null}"#, r#"{}"#, false),
    (r#"{"description_hash": "a"}"#, r#"{"description_hash": "a", "description": "b"}"#, true),
];

#[test]
fn keys() {
    let tool = ToolId::parse("efirm.matter-db.create-matter").unwrap();
    for (first, second, same) in PAIRS {
        let [first, second] = [first, second]
            .map(|it| key(EXPRESSION, ("o1", None), &tool, &serde_json::from_str(it).unwrap()));
        assert_eq!(first == second, *same, "{first} {second}");
    }
    let newer = ToolId::parse("efirm.matter-db.create-matter:v2").unwrap();
    let none = json!({});
    assert_ne!(key("a", ("o1", None), &tool, &none), key("a", ("o2", None), &tool, &none));
    let in_matter = |matter| key("a", ("o1", matter), &tool, &none);
    assert_ne!(in_matter(Some("m1")), in_matter(None));
    assert_ne!(in_matter(Some("m1")), in_matter(Some("m2")));
    assert_ne!(key("a", ("o1", None), &tool, &none), key("a", ("o1", None), &newer, &none));
    // Values do not run into each other.
    let [first, second] = [json!({ "a": "x", "b": "yz" }), json!({ "a": "xy", "b": "z" })];
    assert_ne!(
        key("a + b", ("o1", None), &tool, &first),
        key("a + b", ("o1", None), &tool, &second)
    );
}

/// Two subjects under expressions of two tools, and whether they are the same.
const SUBJECTS: &[(&str, &str, bool)] = &[
    (r#"{"full_name": "Ada Lovelace"}"#, r#"{"name": "ada  lovelace "}"#, true),
    (r#"{"full_name": "\uff21da Lovelace"}"#, r#"{"name": "Ada Lovelace"}"#, true),
    (r#"{"full_name": "A Ltd"}"#, r#"{"name": "B Ltd"}"#, false),
    (r#"{"full_name": ""}"#, r#"{"name": ""}"#, true),
];

#[test]
fn subjects() {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for (first, second, same) in SUBJECTS {
        let [one, two] = [subject("full_name", &read(first)), subject("name", &read(second))];
        assert_eq!(one == two, *same, "{first} {second}");
    }
    assert_eq!(subject("name", &json!({})), None);
    assert_eq!(subject("name", &json!({ "name": null })), None);
    assert_eq!(subject("name", &json!({ "name": 1 })), subject("name", &json!({ "name": 1.0 })));
    let fingerprint = Fingerprint::of(&json!({ "a": 1, "b": "x\"y" }));
    assert_eq!(Fingerprint::of(&json!({ "a": 1.0, "b": "x\"y" })), fingerprint);
    assert_eq!(Fingerprint::from_text(&fingerprint.to_text()), fingerprint);
}

fn word(state: &State, arguments: &Value, now: i64) -> String {
    match next(state, &Fingerprint::of(arguments), now) {
        Ok(Next::Execute) => "execute".to_owned(),
        Ok(Next::Replay(outcome)) => format!("replay {outcome}"),
        Err(refusal) => format!("{} {}", refusal.code.word(), Value::Object(refusal.details)),
    }
}

#[test]
fn five_states() {
    let first = json!({ "client": "a", "fee": "fixed" });
    let other = json!({ "client": "a", "fee": "hourly", "note": "n" });
    let fingerprint = Fingerprint::of(&first);
    let mismatch = r#"IDEMPOTENCY_MISMATCH {"fields":["fee","note"]}"#;
    let in_flight = State::InFlight { fingerprint: fingerprint.clone(), until: 10_000 };
    let done = State::Done {
        fingerprint: fingerprint.clone(),
        outcome: json!({ "id": 1 }),
        until: 10_000,
    };
    let unknown = State::Unknown { fingerprint, reference: "r1".to_owned() };
    for (state, now, same, different) in [
        (&State::None, 0, "execute", "execute"),
        (&State::Released, 0, "execute", "execute"),
        (&in_flight, 8_500, r#"IDEMPOTENCY_IN_FLIGHT {"retry_after":2}"#, mismatch),
        (&in_flight, 10_000, r#"IDEMPOTENCY_UNKNOWN_OUTCOME {"reference":null}"#, mismatch),
        (&done, 9_999, r#"replay {"id":1}"#, mismatch),
        (&done, 10_000, "execute", "execute"),
        (&unknown, 0, r#"IDEMPOTENCY_UNKNOWN_OUTCOME {"reference":"r1"}"#, mismatch),
        (&unknown, i64::MAX, r#"IDEMPOTENCY_UNKNOWN_OUTCOME {"reference":"r1"}"#, mismatch),
    ] {
        assert_eq!(word(state, &first, now), same);
        assert_eq!(word(state, &other, now), different);
    }
}
