//! The schema and the binding agree, but for what the module comment names.

use super::write_claim_schema;
use crate::bind::{ClaimIndex, bind};
use crate::compile::{Options, compile};
use crate::fixture::written;
use crate::ir::Ruleset;
use crate::units::Library;

const SOURCE: &str = r#"
// @ask amount What was paid?
// @unit amount USD
// @range amount 0..100.5
declare amount as numeric;
declare count as numeric;
declare flag as boolean;
declare word as enum {"a", "n/a"};
declare state as enum ["known", "unknown"];
assert x { And(amount > 1 "USD", count > 1, flag, word == "a", state == "known") };
"#;

fn ruleset() -> Ruleset {
    let options = Options { require_descriptions: false };
    compile(SOURCE, Library::standard(), options).unwrap().ruleset.unwrap()
}

fn schema(ruleset: &Ruleset) -> serde_json::Value {
    serde_json::from_str(&written(|slot| write_claim_schema(slot, ruleset))).unwrap()
}

/// Whether the schema and the binding accept a dictionary.
fn verdicts(ruleset: &Ruleset, claims: &str) -> (bool, bool) {
    let validator = jsonschema::draft202012::new(&schema(ruleset)).unwrap();
    let instance: serde_json::Value = serde_json::from_str(claims).unwrap();
    let index = ClaimIndex::new(ruleset);
    let bound = bind(ruleset, &index, Library::standard(), claims);
    (validator.is_valid(&instance), bound.is_ok())
}

fn with(field: &str, value: &str) -> String {
    let names = ["amount", "count", "flag", "word", "state"];
    let members =
        names.map(|name| format!("\"{name}\": {}", if name == field { value } else { "null" }));
    format!("{{{}}}", members.join(", "))
}

#[test]
fn the_schema_is_a_schema() {
    let schema = schema(&ruleset());
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
    let amount = &schema["properties"]["amount"];
    assert_eq!(amount["description"], "What was paid?");
    assert_eq!(schema["required"], serde_json::json!(["amount", "count", "flag", "word", "state"]));
}

const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "100.5",
    "100.6",
    "1e2",
    "5E-3",
    "[]",
    "{}",
    "[1]",
    "\"\"",
    "\"unknown\"",
    "\"Unknown\"",
    "\"known\"",
    "\"true\"",
    "\"a\"",
    "\"A\"",
    "\"n/a\"",
    "\"a \"",
    "\"null\"",
    "\"1\"",
    "\"-1.5\"",
    "\"1.50\"",
    "\"5e3\"",
    "\"5E+3\"",
    "\"5e\"",
    "\"5.\"",
    "\".5\"",
    "\"+5\"",
    "\" 5\"",
    "\"5 \"",
    "\"--5\"",
    "\"1_000\"",
    "\"1,000\"",
    "\"500 000\"",
    "\"12x34\"",
    "\"٥\"",
    "\"NaN\"",
    "\"Infinity\"",
    "\"0x1\"",
    "\"5 USD\"",
    "\"5USD\"",
    "\"5  USD\"",
    "\"5 \\\"USD\\\"\"",
    "\"5 U\\\\SD\"",
    "\"USD 5\"",
    "\"5 US dollar\"",
    "\"5 1USD\"",
    "\"-5e1 EUR\"",
];

#[test]
fn both_accept_the_same_values() {
    let ruleset = ruleset();
    let mut accepted = 0;
    for field in ["amount", "count", "flag", "word", "state"] {
        for &value in VALUES {
            let (schema, bound) = verdicts(&ruleset, &with(field, value));
            // Bounds of numbers in strings are not the schema's to say.
            let beyond = field == "amount" && ["\"5e3\"", "\"5E+3\"", "\"-1.5\""].contains(&value);
            assert_eq!(schema, bound || beyond, "{field} {value}");
            accepted += usize::from(bound);
        }
    }
    assert!(accepted > 30, "{accepted}");
}

#[test]
fn both_want_every_field_and_no_other() {
    let ruleset = ruleset();
    let complete = with("flag", "true");
    assert_eq!(verdicts(&ruleset, &complete), (true, true));
    let missing = complete.replace("\"flag\": true, ", "");
    assert_ne!(missing, complete);
    assert_eq!(verdicts(&ruleset, &missing), (false, false));
    let undeclared = complete.replace("{\"amount\"", "{\"other\": null, \"amount\"");
    assert_ne!(undeclared, complete);
    assert_eq!(verdicts(&ruleset, &undeclared), (false, false));
    assert_eq!(verdicts(&ruleset, "{}"), (false, false));
}

#[test]
fn the_binding_is_stricter_where_a_schema_cannot_follow() {
    let ruleset = ruleset();
    let long = format!("\"{}\"", "1".repeat(1_001));
    for (field, value) in [
        ("amount", "\"101\""),
        ("amount", "\"5 parsnips\""),
        ("amount", "\"5 km\""),
        ("count", "\"1e1001\""),
        ("count", &long),
    ] {
        assert_eq!(verdicts(&ruleset, &with(field, value)), (true, false), "{field} {value}");
    }
}
