//! The published schemas tell what a tool sends from what no tool sends.
//!
//! `payloads.json` holds for each tool samples of its success (without `ok` and `versions`, which
//! all have alike), the members that a payload may lack, and values that no payload holds. In its
//! pointers `*` stands for every index.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]

use std::collections::{BTreeMap, BTreeSet};

use assay_registry::{Catalog, closed};
use serde_json::{Map, Value, json};

type Samples = BTreeMap<String, Sample>;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    /// The tool whose payloads are part of these.
    includes: Option<String>,
    payloads: Vec<Map<String, Value>>,
    #[serde(default)]
    optional: BTreeSet<String>,
    refused: Vec<(String, Value)>,
}

fn samples() -> Samples {
    serde_json::from_str(include_str!("payloads.json")).unwrap()
}

/// The payloads of a tool in full.
fn payloads(samples: &Samples, tool: &str) -> Vec<Value> {
    let sample = &samples[tool];
    let included = sample.includes.as_ref().map(|it| payloads(samples, it)).unwrap_or_default();
    let complete = |(index, payload): (usize, &Map<String, Value>)| {
        let mut whole = match included.get(index) {
            Some(Value::Object(included)) => included.clone(),
            _ => Map::new(),
        };
        whole.extend(payload.clone());
        whole.insert("ok".to_owned(), json!(true));
        whole.insert("versions".to_owned(), versions());
        Value::Object(whole)
    };
    sample.payloads.iter().enumerate().map(complete).collect()
}

fn versions() -> Value {
    json!({
        "engine": "assay", "engine_version": "0.1.0", "language_version": "1.3",
        "service_version": "0.1.0", "wire_version": "2.10.0",
        "supported_language_versions": ["1.2", "1.3"], "solver": "z3 5.3.2"
    })
}

fn failures() -> [Value; 3] {
    let failure = |error: Value| json!({"ok": false, "versions": versions(), "error": error});
    [
        failure(json!({
            "code": "VALIDATION_REJECTED", "message": "m", "docs": "/docs/errors/x.md",
            "failures": [{"field": "amount", "expected": "a number", "received": "true"}],
            "failure_count": 1, "diagnostic_count": 1, "hint": "h", "budget": "claims", "limit": 500, "actual": 501,
            "retry_after_ms": 100,
            "diagnostics": [{
                "severity": "error", "message": "m", "line": 1, "column": 1, "end_line": 1,
                "end_column": 2, "code": "dsail/syntax", "help": "h", "docs": "/d",
                "notes": [{"message": "n", "line": 1, "column": 1}],
            }],
        })),
        failure(json!({
            "code": "ENTITLEMENT_EXCEEDED", "message": "m", "docs": "/docs/errors/x.md",
            "limit_value": 100, "period": "2026-12", "tier": "self-hosted", "used": 98,
        })),
        failure(json!({
            "code": "RATE_LIMITED", "message": "m", "docs": "/docs/errors/x.md",
            "details": {"retry_after": 7}, "retry_after_ms": 7000, "retryable": true,
            "user_message": "u",
        })),
    ]
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::meta::validate(schema).unwrap();
    jsonschema::draft202012::options().should_validate_formats(true).build(schema).unwrap()
}

/// A pointer to every value within `value`, and that value.
fn places<'v>(pointer: &str, value: &'v Value, found: &mut Vec<(String, &'v Value)>) {
    found.push((pointer.to_owned(), value));
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, it)| places(&format!("{pointer}/{key}"), it, found));
        }
        Value::Array(items) => {
            for (index, it) in items.iter().enumerate() {
                places(&format!("{pointer}/{index}"), it, found);
            }
        }
        _ => {}
    }
}

/// The pattern of every member that a schema describes.
fn described(pattern: &str, schema: &Value, found: &mut BTreeSet<String>) {
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let pattern = format!("{pattern}/{key}");
        described(&pattern, property, found);
        found.insert(pattern);
    }
    for branch in schema["oneOf"].as_array().into_iter().flatten() {
        described(pattern, branch, found);
    }
    if schema["items"].is_object() {
        described(&format!("{pattern}/*"), &schema["items"], found);
    }
}

/// The pointer with `*` for every index.
fn pattern(pointer: &str) -> String {
    let step = |it: &str| if it.parse::<usize>().is_ok() { "*".to_owned() } else { it.to_owned() };
    pointer.split('/').map(step).collect::<Vec<_>>().join("/")
}

fn with(payload: &Value, pointer: &str, value: Value) -> Value {
    let mut changed = payload.clone();
    *changed.pointer_mut(pointer).unwrap() = value;
    changed
}

/// The payload without a member; `None` where the pointer leads to no member.
fn without(payload: &Value, pointer: &str) -> Option<Value> {
    let mut changed = payload.clone();
    let (parent, key) = pointer.rsplit_once('/')?;
    changed.pointer_mut(parent)?.as_object_mut()?.remove(key)?;
    Some(changed)
}

#[test]
fn every_tool_has_samples_that_its_schema_accepts() {
    let (catalog, samples) = (Catalog::load().unwrap(), samples());
    let sampled: BTreeSet<&str> = samples.keys().map(String::as_str).collect();
    assert_eq!(sampled, catalog.tools().iter().map(|it| it.name.as_str()).collect());
    for tool in catalog.tools() {
        let validator = validator(&closed(tool.output_schema()));
        for payload in payloads(&samples, &tool.name).iter().chain(&failures()) {
            let faults: Vec<String> =
                validator.iter_errors(payload).map(|it| it.to_string()).collect();
            assert!(faults.is_empty(), "{}: {faults:?}", tool.name);
        }
    }
}

/// A member that no sample has is one that the other tests do not look at.
#[test]
fn samples_have_every_member_that_a_schema_describes() {
    let (catalog, samples) = (Catalog::load().unwrap(), samples());
    for tool in catalog.tools() {
        let mut sampled = BTreeSet::new();
        for payload in payloads(&samples, &tool.name).iter().chain(&failures()) {
            let mut found = Vec::new();
            places("", payload, &mut found);
            sampled.extend(found.into_iter().map(|it| pattern(&it.0)));
        }
        let mut expected = BTreeSet::new();
        described("", tool.output_schema(), &mut expected);
        assert_eq!(expected.difference(&sampled).collect::<Vec<_>>(), [""; 0], "{}", tool.name);
    }
}

/// What a schema does not require is listed, and nothing else may be missing.
#[test]
fn members_that_all_payloads_have_are_required() {
    let (catalog, samples) = (Catalog::load().unwrap(), samples());
    for tool in catalog.tools() {
        let validator = validator(tool.output_schema());
        let sample = &samples[&tool.name];
        let mut optional = BTreeSet::new();
        for payload in payloads(&samples, &tool.name) {
            let mut found = Vec::new();
            places("", &payload, &mut found);
            for (pointer, _) in found {
                if without(&payload, &pointer).is_some_and(|it| validator.is_valid(&it)) {
                    optional.insert(pattern(&pointer));
                }
            }
        }
        let included = sample.includes.as_ref().map(|it| &samples[it].optional);
        let expected: BTreeSet<String> =
            included.into_iter().chain([&sample.optional]).flatten().cloned().collect();
        assert_eq!(optional, expected, "{}", tool.name);
    }
}

#[test]
fn values_of_another_type_are_refused_everywhere() {
    let catalog = Catalog::load().unwrap();
    let samples = samples();
    for tool in catalog.tools() {
        let validator = validator(tool.output_schema());
        for payload in payloads(&samples, &tool.name).iter().chain(&failures()) {
            let mut found = Vec::new();
            places("", payload, &mut found);
            for (pointer, value) in found {
                let other =
                    if value.is_object() || value.is_array() { json!(1) } else { json!({}) };
                let changed = with(payload, &pointer, other);
                assert!(!validator.is_valid(&changed), "{} {pointer}", tool.name);
            }
        }
    }
}

#[test]
fn values_that_no_tool_sends_are_refused() {
    let (catalog, samples) = (Catalog::load().unwrap(), samples());
    for tool in catalog.tools() {
        let validator = validator(tool.output_schema());
        let payloads = payloads(&samples, &tool.name);
        let sample = &samples[&tool.name];
        let always = [("/ok".to_owned(), json!(false)), ("/versions".to_owned(), json!(null))];
        for (pointer, value) in sample.refused.iter().chain(&always) {
            let with_place: Vec<_> =
                payloads.iter().filter(|it| it.pointer(pointer).is_some()).collect();
            assert!(!with_place.is_empty(), "{} {pointer}", tool.name);
            for payload in with_place {
                let changed = with(payload, pointer, value.clone());
                assert!(!validator.is_valid(&changed), "{} {pointer} {value}", tool.name);
            }
        }
    }
}

#[test]
fn failures_are_told_from_what_no_tool_sends() {
    let catalog = Catalog::load().unwrap();
    let [rejected, exceeded, refused] = failures();
    for tool in catalog.tools() {
        let validator = validator(tool.output_schema());
        for (failure, pointer, value) in [
            (&rejected, "/ok", json!(true)),
            (&rejected, "/error/code", json!("OTHER")),
            (&rejected, "/error/failures", json!([{"field": "amount"}])),
            (&exceeded, "/error/limit_value", json!("100")),
            (&exceeded, "/error/used", json!(-1)),
            (&refused, "/error/details/retry_after", json!(0)),
        ] {
            let changed = with(failure, pointer, value);
            assert!(!validator.is_valid(&changed), "{} {pointer}", tool.name);
        }
        for pointer in ["/error", "/error/code", "/error/docs", "/error/message", "/versions"] {
            let changed = without(&rejected, pointer).unwrap();
            assert!(!validator.is_valid(&changed), "{} {pointer}", tool.name);
        }
    }
}

/// Whoever loads or reviews a ruleset gets all that its compile returned.
#[test]
fn a_loaded_ruleset_is_described_as_a_compiled_one() {
    let catalog = Catalog::load().unwrap();
    let success = |name: &str| catalog.tool(name).unwrap().output_schema()["oneOf"][0].clone();
    let compiled = success("dsail_compile");
    let properties = compiled["properties"].as_object().unwrap();
    let required = compiled["required"].as_array().unwrap();
    for name in ["dsail_load_ruleset", "dsail_review"] {
        let schema = success(name);
        for (key, property) in properties {
            assert_eq!(&schema["properties"][key], property, "{name} {key}");
        }
        for key in required {
            assert!(schema["required"].as_array().unwrap().contains(key), "{name} {key}");
        }
    }
}
