//! The input schemas tell arguments that a tool takes from those that it does not.
//!
//! `inputs.json` lists tools with an argument object and whether the schema accepts it.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]

use std::collections::{BTreeMap, BTreeSet};

use assay_registry::Catalog;
use serde_json::Value;

fn inputs() -> Vec<(String, Value, bool)> {
    serde_json::from_str(include_str!("inputs.json")).unwrap()
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::meta::validate(schema).unwrap();
    jsonschema::draft202012::new(schema).unwrap()
}

#[test]
fn inputs_are_told_apart() {
    let catalog = Catalog::load().unwrap();
    for (name, input, valid) in inputs() {
        let schema = catalog.tool(&name).unwrap().input_schema();
        assert_eq!(validator(schema).is_valid(&input), valid, "{name} {input}");
    }
}

#[test]
fn every_tool_has_inputs_of_both_kinds() {
    let catalog = Catalog::load().unwrap();
    for kind in [true, false] {
        let inputs = inputs();
        let of_kind: BTreeSet<&str> =
            inputs.iter().filter(|it| it.2 == kind).map(|it| it.0.as_str()).collect();
        assert_eq!(of_kind, catalog.tools().iter().map(|it| it.name.as_str()).collect());
    }
}

/// The page of each tool shows one call, which the tool takes.
#[test]
fn every_tool_has_an_example_that_it_takes() {
    let catalog = Catalog::load().unwrap();
    let examples: BTreeMap<String, Value> =
        serde_json::from_str(include_str!("../data/examples.json")).unwrap();
    let names: BTreeSet<&str> = catalog.tools().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(examples.keys().map(String::as_str).collect::<BTreeSet<_>>(), names);
    for (name, example) in &examples {
        let schema = catalog.tool(name).unwrap().input_schema();
        assert!(validator(schema).is_valid(example), "{name} {example}");
    }
}
