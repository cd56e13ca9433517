use assay_base::Code;
use serde_json::{Value, json};

use super::Catalog;
use crate::files::{Files, shipped};

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::meta::validate(schema).unwrap();
    jsonschema::draft202012::new(schema).unwrap()
}

/// The sample with the value at `pointer` replaced, or removed where there is none.
fn with(sample: &Value, pointer: &str, value: Option<Value>) -> Value {
    let mut changed = sample.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let members = changed.pointer_mut(parent).unwrap();
    match value {
        Some(value) => members[key] = value,
        None => assert!(members.as_object_mut().unwrap().remove(key).is_some(), "{pointer}"),
    }
    changed
}

#[test]
fn the_shipped_files_make_a_catalogue() {
    let catalog = Catalog::load().unwrap();
    // Name, required parameters, all parameters, and the hints read-only, idempotent, destructive,
    // open-world.
    let expected = [
        (
            "dsail_compile",
            json!(["source"]),
            "label parent_hash source",
            [false, true, false, false],
        ),
        ("dsail_get_prompt_pack", json!([]), "ruleset_hash source", [false, true, false, false]),
        (
            "dsail_check",
            json!(["claims"]),
            "claims label ruleset_hash source",
            [false, false, false, false],
        ),
    ];
    assert_eq!(catalog.tools().len(), expected.len());
    for (tool, (name, required, parameters, hints)) in catalog.tools().iter().zip(expected) {
        assert_eq!(tool.name, name);
        assert_eq!(tool.input_schema["required"], required);
        assert_eq!(tool.input_schema["additionalProperties"], json!(false));
        let properties = tool.input_schema["properties"].as_object().unwrap();
        assert_eq!(properties.keys().cloned().collect::<Vec<_>>().join(" "), parameters);
        assert!(properties.values().all(|it| it["description"].is_string()));
        let annotations = &tool.annotations;
        let [read_only, idempotent, destructive, open_world] = hints;
        assert_eq!(annotations.read_only.value, read_only);
        assert_eq!(annotations.idempotent.value, idempotent);
        assert_eq!(annotations.destructive.value, destructive);
        assert_eq!(annotations.open_world.value, open_world);
        let opening = &catalog.phrasing().problem_statements[name];
        assert!(tool.description.starts_with(&format!("{opening}\n\n")), "{name}");
        let bytes: Value = serde_json::from_slice(tool.output_bytes.as_bytes()).unwrap();
        assert_eq!(bytes, tool.output_schema);
        let bytes: Value = serde_json::from_slice(tool.input_bytes.as_bytes()).unwrap();
        assert_eq!(bytes, tool.input_schema);
    }
}

#[test]
fn every_fault_is_named_at_once() {
    let record = |from: &str, to: &str| {
        let record = shipped().tools[0].record;
        assert!(record.contains(from), "{from}");
        record.replacen(from, to, 1)
    };
    // What is changed in the record of the first tool, and the fault that it makes.
    let reason = "\"It stores the source that it compiled.\"";
    for (from, to, fault) in [
        ("\"name\": \"dsail_compile\"", "\"name\": \"other\"", "is the record of `other`"),
        ("\"title\": \"Compile a policy into a ruleset\"", "\"title\": \" \"", "has no title"),
        ("\"title\": ", "\"tilte\": ", "unknown field `tilte`"),
        ("\"facet\": \"drafting\",", "", "missing field `facet`"),
        ("\"drafting\"", "\"draft\"", "names the unknown facet `draft`"),
        ("\"scope\": \"compile\",", "", "missing field `scope`"),
        ("\"scope\": \"compile\"", "\"scope\": \"all\"", "names the unknown scope `all`"),
        (
            "\"Compiles DSAIL",
            "\"Use it. Compiles DSAIL",
            "description opens a clause with the command `use`",
        ),
        (
            "The ruleset as DSAIL text",
            "Your ruleset",
            "the description of `source` addresses or obliges",
        ),
        (
            "Hash of the stored revision",
            "From dsail_check",
            "of `parent_hash` names the tool `dsail_check`",
        ),
        ("\"description\": \"Hash of", "\"x\": \"Hash of", "unknown field `x`"),
        (
            "Subject of the policy, without effect on any result: a domain with a topic and a \
             confidence, or `declined`.",
            " ",
            "the parameter `label` has no description",
        ),
        (
            "\"required\": [\n    \"source\"",
            "\"required\": [\n    \"sauce\"",
            "requires `sauce`, which is no parameter",
        ),
        (reason, "\"\"", "`readOnlyHint` has no reason"),
        ("\"reason\": \"It stores", "\"because\": \"It stores", "unknown field `because`"),
        ("\"openWorldHint\"", "\"closedWorldHint\"", "unknown field `closedWorldHint`"),
    ] {
        let changed = record(from, to);
        let mut files = shipped();
        files.tools[0].record = &changed;
        let faults = Catalog::from_files(&files).unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("data/tools/dsail_compile.json: "), "{faults:?}");
        assert!(faults[0].contains(fault), "{faults:?} should contain {fault}");
    }
}

#[test]
fn faults_of_several_files_come_together() {
    let phrasing = shipped()
        .phrasing
        .replace("\"dsail_check\":", "\"dsail_chekc\":")
        .replace("A policy in prose", "Never read a policy in prose. It");
    let mut files = Files { phrasing: &phrasing, error: "{", ..shipped() };
    files.tools[1].output = "{\"type\": \"array\"}";
    assert_eq!(
        Catalog::from_files(&files).unwrap_err(),
        [
            "data/schemas/error.json: EOF while parsing an object at line 1 column 1",
            "data/schemas/dsail_get_prompt_pack.output.json: describes no object with `ok: true`",
            "data/tools/dsail_check.json: has no problem statement in data/phrasing.json",
            "data/phrasing.json: has a problem statement for the unknown tool `dsail_chekc`",
            "data/phrasing.json: the problem statement of `dsail_compile` opens a clause with the \
             command `never`",
        ]
        .map(str::to_owned)
        .into_iter()
        .collect::<Vec<_>>()
    );
}

#[test]
fn every_failure_that_can_be_sent_is_in_the_schema() {
    let error: Value = serde_json::from_str(shipped().error).unwrap();
    let mut listed: Vec<_> = error["properties"]["error"]["properties"]["code"]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    listed.sort_unstable();
    // Codes with a family are for places in a source text.
    let mut sent: Vec<_> =
        Code::ALL.iter().map(|it| it.word()).filter(|it| !it.contains('/')).collect();
    sent.sort_unstable();
    assert_eq!(listed, sent);
}

#[test]
fn every_answer_describes_the_versions_alike() {
    let files = shipped();
    let versions = |text: &str| {
        let schema: Value = serde_json::from_str(text).unwrap();
        schema["properties"]["versions"].clone()
    };
    let expected = versions(files.error);
    assert!(expected.is_object());
    for tool in &files.tools {
        assert_eq!(versions(tool.output), expected, "{}", tool.name);
    }
}

#[test]
fn inputs_are_told_apart() {
    let catalog = Catalog::load().unwrap();
    let hash = "0".repeat(64);
    for (name, input, valid) in [
        ("dsail_compile", json!({"source": "x"}), true),
        ("dsail_compile", json!({"source": "x", "parent_hash": hash, "label": null}), true),
        ("dsail_compile", json!({"source": "x", "label": {"declined": true}}), true),
        (
            "dsail_compile",
            json!({"source": "x", "label": {"domain": "other", "topic": "t", "confidence": "low"}}),
            true,
        ),
        ("dsail_compile", json!({"source": "x", "label": {"domain": "astrology"}}), false),
        ("dsail_compile", json!({"source": "x", "parent_hash": "ABC"}), false),
        ("dsail_compile", json!({}), false),
        ("dsail_compile", json!({"source": "x", "extra": 1}), false),
        ("dsail_get_prompt_pack", json!({"ruleset_hash": hash}), true),
        ("dsail_get_prompt_pack", json!({"ruleset_hash": null, "source": "x"}), true),
        ("dsail_get_prompt_pack", json!({"ruleset_hash": "g".repeat(64)}), false),
        (
            "dsail_check",
            json!({"ruleset_hash": hash, "claims": {"a": true, "b": "5 USD", "c": 1, "d": null}}),
            true,
        ),
        ("dsail_check", json!({"source": "x", "claims": "{\"a\": true}"}), true),
        ("dsail_check", json!({"source": "x", "claims": {"a": [1]}}), false),
        ("dsail_check", json!({"ruleset_hash": hash}), false),
    ] {
        let schema = &catalog.tool(name).unwrap().input_schema;
        assert_eq!(validator(schema).is_valid(&input), valid, "{name} {input}");
    }
}

fn versions() -> Value {
    json!({
        "engine": "assay", "engine_version": "0.1.0", "language_version": "1.3",
        "service_version": "0.1.0", "wire_version": "2.10.0",
        "supported_language_versions": ["1.2", "1.3"], "solver": "z3 5.3.2"
    })
}

fn success(name: &str) -> Value {
    let hash = "a".repeat(64);
    let source = "amount <= 25000 \"USD\"";
    match name {
        "dsail_compile" => json!({
            "ok": true, "ruleset_hash": hash, "source": "version 1.3;\n", "review": "ASKS\n",
            "summary": "1 rule over 2 claims.", "claim_schema": {"type": "object"},
            "validation_contract": {"budgets": {}}, "unit_library_hash": null, "label": null,
            "manifest": {
                "ruleset_hash": hash,
                "claims": [
                    {"claim": "amount", "data_type": "numeric", "question": "How much?",
                     "required": true, "unknown_allowed": true, "unit": "USD",
                     "range": {"min": 0, "max": "1/3"}, "context": "Tips count."},
                    {"claim": "tier", "data_type": "enum", "question": "Which?", "required": true,
                     "unknown_allowed": true, "ordered": true, "vocabulary": ["low", "unknown"],
                     "unknown_sentinel": "null"},
                ],
                "rules": [{"rule": "cap", "name": "cap", "assertions": [
                    {"name": "cap", "unknown_policy": "neutral", "line": 4, "source": source}]}],
            },
            "diagnostics": [
                {"severity": "warning", "message": "m", "line": 3, "column": 1, "end_line": 3,
                 "end_column": 9, "code": "dsail/unused-claim", "help": "h",
                 "docs": "/docs/errors/dsail-unused-claim.md"},
                {"severity": "warning", "message": "m", "line": null, "code": "c", "docs": "/d"},
            ],
            "stored": {"parent_hash": null, "revision_depth": 0},
            "unbridged_units": [{"rule": "cap", "from": "EUR", "to": "USD", "cause": "missing"}],
            "versions": versions(),
        }),
        "dsail_get_prompt_pack" => json!({
            "ok": true, "ruleset_hash": hash, "integrity_rule": "i", "claim_schema": {},
            "validation_contract": {}, "assembly_notes": ["a", "b", "c"], "versions": versions(),
            "prompts": [
                {"claim": "amount", "data_type": "numeric", "question": "How much?",
                 "answer_format": "a number", "unknown_rule": "u", "undetermined_value": "unknown",
                 "unit": "USD", "range": {"min": 0.5, "max": 1_000_000}},
                {"claim": "tier", "data_type": "enum", "question": "Which?", "answer_format": "a",
                 "unknown_rule": "u", "undetermined_value": null, "vocabulary": ["unknown"],
                 "ordered_vocabulary": true, "context": "c"},
            ],
        }),
        _ => json!({
            "ok": true, "ruleset_hash": hash, "unit_library_hash": null, "versions": versions(),
            "rules": [{"rule": "cap", "name": "cap", "assertions": [
                {"name": "cap", "check": "UNKNOWN", "source": source, "unknown_policy": "neutral",
                 "reason_unknown": "r", "unbridged_units": [{"from": "EUR", "to": "USD"}]}]}],
            "claims": {"bound": ["amount"], "unbound": ["tier"], "quantities": [
                {"claim": "amount", "submitted": "5 km", "bound": "5 \"km\"", "measured_in": "m",
                 "conversion": {"from": "km", "to": "m", "by": "engine", "status": "convertible",
                                "factor": 1000}},
                {"claim": "amount", "submitted": "5", "bound": "5", "measured_in": null}]},
        }),
    }
}

fn failure() -> Value {
    json!({"ok": false, "versions": versions(), "error": {
        "code": "VALIDATION_REJECTED", "message": "m", "docs": "/docs/errors/x.md",
        "failures": [{"field": "amount", "expected": "a number", "received": "true"}],
        "failure_count": 1, "diagnostics": [], "hint": "h", "budget": "claims", "limit": 500,
        "actual": 501, "retry_after_ms": 100}})
}

#[test]
fn answers_are_told_from_what_no_tool_sends() {
    let catalog = Catalog::load().unwrap();
    for tool in catalog.tools() {
        let validator = validator(&tool.output_schema);
        let sample = success(&tool.name);
        for valid in [&sample, &failure()] {
            assert!(validator.is_valid(valid), "{}: {:?}", tool.name, validator.validate(valid));
        }
        for (sample, pointer, value) in [
            (&sample, "/ok", Some(json!(false))),
            (&sample, "/ruleset_hash", Some(json!("abc"))),
            (&sample, "/versions", None),
            (&sample, "/versions/solver", None),
            (&failure(), "/ok", Some(json!(true))),
            (&failure(), "/error/docs", None),
            (&failure(), "/error/code", Some(json!("OTHER"))),
            (&failure(), "/error/failures", Some(json!([{"field": "amount"}]))),
        ] {
            let changed = with(sample, pointer, value);
            assert!(!validator.is_valid(&changed), "{} {pointer}", tool.name);
        }
    }
}

#[test]
fn each_answer_has_its_own_shape() {
    let catalog = Catalog::load().unwrap();
    for (name, pointer, value) in [
        ("dsail_compile", "/stored/revision_depth", Some(json!(-1))),
        ("dsail_compile", "/unit_library_hash", None),
        ("dsail_compile", "/manifest/rules/0/name", None),
        ("dsail_compile", "/manifest/claims/0/range/min", Some(json!("0.5"))),
        ("dsail_compile", "/manifest/claims/0/data_type", Some(json!("date"))),
        ("dsail_compile", "/diagnostics/0/severity", Some(json!("hint"))),
        ("dsail_compile", "/diagnostics/0/docs", None),
        ("dsail_get_prompt_pack", "/prompts/0/undetermined_value", Some(json!("n/a"))),
        ("dsail_get_prompt_pack", "/prompts/0/unknown_rule", None),
        ("dsail_check", "/rules/0/assertions/0/check", Some(json!("PASS"))),
        ("dsail_check", "/rules/0/rule", None),
        ("dsail_check", "/claims/quantities", None),
        ("dsail_check", "/claims/quantities/0/conversion/by", Some(json!("model"))),
    ] {
        let validator = validator(&catalog.tool(name).unwrap().output_schema);
        assert!(!validator.is_valid(&with(&success(name), pointer, value)), "{name} {pointer}");
    }
}
