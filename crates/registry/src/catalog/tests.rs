use std::collections::BTreeSet;

use assay_base::Code;
use serde_json::{Value, json};

use super::Catalog;
use crate::files::{Files, shipped};
use crate::gate::invariants::{Filed, Operator, check, lint};
use crate::gate::permission::PRACTICE;

/// Name, facet, scope, parameters (a required one with `*`), and the hints read-only, idempotent
/// and destructive.
type Row = (&'static str, &'static str, &'static str, &'static str, [bool; 3]);

const READS: [bool; 3] = [true, true, false];
const ADDS: [bool; 3] = [false, false, false];
const SETS: [bool; 3] = [false, true, false];
const REPLACES: [bool; 3] = [false, true, true];

/// What all names, titles, descriptions and input schemas take together.
const MAX_INPUT_BYTES: usize = 24 * 1024;
/// What all output schemas take together.
const MAX_OUTPUT_BYTES: usize = 86 * 1024;

const TOOLS: &[Row] = &[
    ("dsail_compile", "drafting", "compile", "label parent_hash source*", SETS),
    ("dsail_check", "execution", "check", "claims* label ruleset_hash source", ADDS),
    ("dsail_get_prompt_pack", "reference", "check", "ruleset_hash source", SETS),
    ("dsail_save_ruleset", "editing", "write", "label name* parent_hash source*", ADDS),
    ("dsail_load_ruleset", "reference", "read", "name*", READS),
    ("dsail_list_rulesets", "reference", "read", "", READS),
    ("dsail_record_approval", "editing", "write", "approver* label name note ruleset_hash*", ADDS),
    ("dsail_review", "reference", "read", "name ruleset_hash", READS),
    ("dsail_get_account_status", "reference", "read", "", READS),
    ("dsail_issue_api_key", "editing", "account", "label", ADDS),
    ("dsail_unit_library", "reference", "read", "from_unit to_unit", READS),
    (
        "dsail_add_unit_converter",
        "drafting",
        "write",
        "attribution factor* from_unit* offset to_unit*",
        REPLACES,
    ),
    ("dsail_list_workspaces", "reference", "read", "", READS),
    ("dsail_use_workspace", "editing", "account", "workspace*", SETS),
    ("dsail_create_team", "editing", "account", "name*", ADDS),
    ("dsail_invite_to_team", "editing", "account", "email* team_id*", ADDS),
    ("dsail_team_members", "reference", "account", "team_id*", READS),
    ("dsail_set_team_role", "editing", "account", "member* role* team_id*", REPLACES),
    ("dsail_remove_from_team", "editing", "account", "member* team_id*", REPLACES),
    ("dsail_copy_ruleset", "editing", "account", "destination* name* new_name source", ADDS),
];

#[test]
fn the_shipped_files_make_a_catalogue() {
    let catalog = Catalog::load().unwrap();
    assert_eq!(catalog.tools().len(), TOOLS.len());
    for (tool, (name, facet, scope, parameters, hints)) in catalog.tools().iter().zip(TOOLS) {
        assert_eq!(tool.name, *name);
        assert_eq!((tool.facet.word(), tool.scope.word()), (*facet, *scope), "{name}");
        assert_eq!(tool.input_schema()["additionalProperties"], json!(false));
        let properties = tool.input_schema()["properties"].as_object().unwrap();
        let required = tool.input_schema()["required"].as_array().unwrap();
        let star = |it: &String| if required.contains(&json!(it)) { "*" } else { "" };
        let found: Vec<_> = properties.keys().map(|it| format!("{it}{}", star(it))).collect();
        assert_eq!(found.join(" "), *parameters, "{name}");
        assert!(properties.values().all(|it| it["description"].is_string()));
        let annotations = &tool.annotations;
        let values = [&annotations.read_only, &annotations.idempotent, &annotations.destructive];
        assert_eq!(values.map(|it| it.value), *hints, "{name}");
        assert!(!annotations.open_world.value, "{name}");
        let opening = &catalog.phrasing().problem_statements[*name];
        assert!(tool.description.starts_with(&format!("{opening}\n\n")), "{name}");
        let bytes: Value = serde_json::from_slice(tool.output_bytes.as_bytes()).unwrap();
        assert_eq!(bytes, *tool.output_schema());
        let bytes: Value = serde_json::from_slice(tool.input_bytes.as_bytes()).unwrap();
        assert_eq!(bytes, *tool.input_schema());
    }
}

/// Own tools keep every rule that the records of other servers keep, but for one: calls that do
/// something again when they are repeated have no key, since the store carries them out and no call
/// ends without its outcome.
#[test]
fn own_records_keep_the_rules_of_all_records() {
    let catalog = Catalog::load().unwrap();
    let filed = |it: &'static str, record| Filed { file: it, record };
    let records: Vec<Filed<'_>> =
        catalog.tools().iter().zip(TOOLS).map(|(it, row)| filed(row.0, &it.record)).collect();
    let operator = Operator { unscoped: &[], grants: &PRACTICE };
    let faults = check(&records, Some(operator));
    let repeats = |row: &&Row| !row.4[1];
    let expected: Vec<&str> = TOOLS.iter().filter(repeats).map(|row| row.0).collect();
    let found: Vec<&str> = faults.iter().map(|it| it.file.as_str()).collect();
    assert_eq!(found, expected, "{faults:#?}");
    assert!(faults.iter().all(|it| it.pointer == "/idempotency_key"), "{faults:#?}");
    assert_eq!(lint(&records), []);
}

/// An argument is about one tool; where several had the same, none of them was argued.
#[test]
fn each_hint_is_argued_in_one_line_of_its_own() {
    let catalog = Catalog::load().unwrap();
    let mut reasons = BTreeSet::new();
    for tool in catalog.tools() {
        for (hint, it) in tool.annotations.named() {
            assert!(!it.reason.contains('\n'), "{} {hint}", tool.name);
            assert!(reasons.insert(&it.reason), "{} {hint}: `{}`", tool.name, it.reason);
        }
    }
}

#[test]
fn three_tools_carry_the_review_interface() {
    let catalog = Catalog::load().unwrap();
    let with: Vec<_> = catalog
        .tools()
        .iter()
        .filter_map(|it| it.ui.as_ref().map(|ui| (it.name.as_str(), ui.as_str())))
        .collect();
    let expected = ["dsail_check", "dsail_save_ruleset", "dsail_review"];
    assert_eq!(with, expected.map(|it| (it, "ui://dsail/review-widget.html")));
}

/// A label is one thing, whatever call it comes with.
#[test]
fn every_label_is_described_alike() {
    let catalog = Catalog::load().unwrap();
    let labels: Vec<_> = catalog
        .tools()
        .iter()
        .filter(|it| it.name != "dsail_issue_api_key")
        .filter_map(|it| it.input_schema()["properties"].get("label"))
        .collect();
    assert_eq!(labels.len(), 4);
    assert!(labels.windows(2).all(|it| it[0] == it[1]));
    let stored = |name: &str| {
        catalog.tool(name).unwrap().output_schema()["oneOf"][0]["properties"]["label"].clone()
    };
    assert!(stored("dsail_compile").is_object());
    for name in ["dsail_save_ruleset", "dsail_record_approval"] {
        assert_eq!(stored(name), stored("dsail_compile"), "{name}");
    }
}

/// Clients pay for every byte of the list in every conversation.
#[test]
fn the_list_of_tools_stays_small() {
    let catalog = Catalog::load().unwrap();
    let inputs = catalog.tools().iter().map(|it| {
        it.name.len() + it.title.len() + it.description.len() + it.input_bytes.as_bytes().len()
    });
    let outputs = catalog.tools().iter().map(|it| it.output_bytes.as_bytes().len());
    let (inputs, outputs): (usize, usize) = (inputs.sum(), outputs.sum());
    assert!(inputs <= MAX_INPUT_BYTES, "{inputs} bytes of descriptions and input schemas");
    assert!(outputs <= MAX_OUTPUT_BYTES, "{outputs} bytes of output schemas");
}

/// What is changed in the record of the first tool, and the fault that it makes.
const FAULTS: &[[&str; 3]] = &[
    ["\"name\": \"dsail_compile\"", "\"name\": \"other\"", "is the record of `other`"],
    ["\"title\": \"Compile a policy into a ruleset\"", "\"title\": \" \"", "has no title"],
    ["\"title\": ", "\"tilte\": ", "unknown field `tilte`"],
    ["\"facet\": \"drafting\",", "", "missing field `facet`"],
    ["\"drafting\"", "\"draft\"", "names the unknown facet `draft`"],
    ["\"scope\": \"compile\",", "", "missing field `scope`"],
    ["\"scope\": \"compile\"", "\"scope\": \"all\"", "names the unknown scope `all`"],
    [
        "\"scope\": \"compile\"",
        "\"scope\": \"compile\", \"ui\": \"https://example.org\"",
        "has an interface whose address does not begin with `ui://`",
    ],
    [
        "\"Compiles DSAIL",
        "\"Use it. Compiles DSAIL",
        "description opens a clause with the command `use`",
    ],
    [
        "The ruleset as DSAIL text",
        "Your ruleset",
        "the description of `source` addresses or obliges",
    ],
    [
        "Hash of the stored revision",
        "From dsail_check",
        "of `parent_hash` names the tool `dsail_check`",
    ],
    ["\"description\": \"Hash of", "\"x\": \"Hash of", "unknown field `x`"],
    [
        "Subject of the policy, without effect on any result: a domain with a topic and a \
         confidence, or `declined`.",
        " ",
        "the parameter `label` has no description",
    ],
    [
        "\"required\": [\n    \"source\"",
        "\"required\": [\n    \"sauce\"",
        "requires `sauce`, which is no parameter",
    ],
    ["\"It stores the source that it compiled.\"", "\"\"", "`readOnlyHint` has no reason"],
    ["\"reason\": \"It stores", "\"because\": \"It stores", "unknown field `because`"],
    ["\"openWorldHint\"", "\"closedWorldHint\"", "unknown field `closedWorldHint`"],
];

#[test]
fn every_fault_is_named_at_once() {
    for [from, to, fault] in FAULTS {
        let record = shipped().tools[0].record;
        assert!(record.contains(from), "{from}");
        let changed = record.replacen(from, to, 1);
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
    files.tools[2].output = "{\"type\": \"array\"}";
    assert_eq!(
        Catalog::from_files(&files).unwrap_err(),
        [
            "data/schemas/error.json: EOF while parsing an object at line 1 column 1",
            "data/tools/dsail_check.json: has no problem statement in data/phrasing.json",
            "data/schemas/dsail_get_prompt_pack.output.json: describes no object with `ok: true`",
            "data/phrasing.json: has a problem statement for the unknown tool `dsail_chekc`",
            "data/phrasing.json: the problem statement of `dsail_compile` opens a clause with the \
             command `never`",
        ]
        .map(str::to_owned)
        .into_iter()
        .collect::<Vec<_>>()
    );
}

const CODES: &str = include_str!("../../../base/data/codes.json");

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
    // The others are sent for tools of other servers, or stand at places in a source text.
    let table: Value = serde_json::from_str(CODES).unwrap();
    let own = table["failures"].as_array().unwrap().iter().filter(|it| it["governed"] != true);
    let mut sent: Vec<_> = own.map(|it| it["code"].as_str().unwrap()).collect();
    assert!(sent.iter().all(|word| Code::ALL.iter().any(|it| it.word() == *word)));
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
