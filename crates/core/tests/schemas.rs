//! What the service answers is what its tools publish.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]

use std::sync::Arc;

use assay_base::canonical::to_bytes;
use assay_core::{Cancel, Door, Service, Settings};
use serde_json::{Value, json};

fn service() -> Arc<Service> {
    Service::open(Settings::default()).unwrap()
}

fn call(service: &Arc<Service>, tool: &str, arguments: &Value) -> Value {
    let text = String::from_utf8(to_bytes(|slot| slot.json(arguments))).unwrap();
    let caller = service.local(Door::Mcp).unwrap();
    let reply = service.call(&caller, tool, &text, &Cancel::new());
    serde_json::from_slice(&reply.body).unwrap()
}

/// Calls that meet every member of the schemas, with whether they succeed.
fn calls() -> Vec<(&'static str, Value, bool)> {
    let example = assay_dsail::grammar::example();
    let units = "// @unit amount USD\n// @range amount 0.5..1e6\ndeclare amount as numeric;\n\
                 // A warning: nothing converts.\nassert cap { amount <= 24000 \"EUR\" };\n\
                 // @unit age mo\ndeclare age as numeric;\n// Another.\nassert old { age > 90 \"d\" };\n";
    let claims = json!({"amount": "5 USD", "age": null});
    vec![
        ("dsail_compile", json!({"source": example}), true),
        ("dsail_compile", json!({"source": units, "label": {"declined": true}}), true),
        ("dsail_compile", json!({"source": "declare x as boolean; assert a { y };"}), false),
        ("dsail_compile", json!({"source": "x".repeat(300_000)}), false),
        ("dsail_compile", json!({"source": units, "parent_hash": "0".repeat(64)}), false),
        ("dsail_compile", json!({"source": units, "label": {"domain": "astrology"}}), false),
        ("dsail_compile", json!({"sauce": units}), false),
        ("dsail_get_prompt_pack", json!({"source": example}), true),
        ("dsail_get_prompt_pack", json!({"ruleset_hash": "f".repeat(64)}), false),
        ("dsail_check", json!({"source": units, "claims": claims}), true),
        ("dsail_check", json!({"source": units, "claims": claims.to_string()}), true),
        ("dsail_check", json!({"source": units, "claims": {"amount": "x", "b": 1}}), false),
        ("dsail_check", json!({"source": units, "claims": []}), false),
    ]
}

#[test]
fn payloads_follow_the_published_schemas() {
    let service = service();
    let caller = service.local(Door::Mcp).unwrap();
    for tool in service.tools(&caller) {
        let validator = jsonschema::validator_for(tool.output_schema()).unwrap();
        for (name, arguments, succeeds) in calls() {
            if name != tool.name {
                continue;
            }
            let payload = call(&service, name, &arguments);
            assert_eq!(payload["ok"], json!(succeeds), "{name} {arguments}: {payload}");
            let faults: Vec<String> =
                validator.iter_errors(&payload).map(|it| it.to_string()).collect();
            assert!(faults.is_empty(), "{name}: {faults:?}\n{payload}");
        }
    }
}

#[test]
fn the_sample_in_the_description_compiles() {
    let service = service();
    let caller = service.local(Door::Mcp).unwrap();
    let tools = service.tools(&caller);
    let compile = tools.iter().find(|it| it.name == "dsail_compile").unwrap();
    let described = compile.input_schema()["properties"]["source"]["description"].as_str().unwrap();
    let sample = described.split_once("\n\n").unwrap().1;
    let payload = call(&service, "dsail_compile", &json!({"source": sample}));
    assert_eq!(payload["ok"], json!(true), "{payload}");
    assert_eq!(payload["diagnostics"], json!([]));
}

#[test]
fn a_hash_works_once_its_source_was_seen_and_not_before() {
    let (first, second) = (service(), service());
    let source = assay_dsail::grammar::example();
    let compiled = call(&first, "dsail_compile", &json!({"source": source}));
    let by_hash = json!({"ruleset_hash": compiled["ruleset_hash"]});
    let pack = call(&first, "dsail_get_prompt_pack", &by_hash);
    assert_eq!(pack["ok"], json!(true));
    let unknown = call(&second, "dsail_get_prompt_pack", &by_hash);
    assert_eq!(unknown["error"]["code"], json!("RULESET_NOT_FOUND"));
    let by_source = call(&second, "dsail_get_prompt_pack", &json!({"source": source}));
    assert_eq!(by_source, pack);
    assert_eq!(call(&second, "dsail_get_prompt_pack", &by_hash), pack);
}
