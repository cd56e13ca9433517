use assay_base::canonical::to_bytes;

use super::{Change, Kind, Subject, changes, write_changes};
use crate::ir::Ruleset;
use crate::units::Library;
use crate::{Options, compile};

const BASE: &str = "version 1.3;
// @ask amount What is the total?
// @unit amount USD
// @range amount 0..100
declare amount as numeric;
// @ask level How severe is it?
declare level as enum [\"low\", \"high\"];
declare local cap as numeric;
let cap = 50 \"USD\";
// Expenses stay below the cap.
assert capped { amount <= cap };
// Severe cases are reported.
assert severe [pessimistic] { level == \"low\" };
";

/// What is replaced in the base, by what, and what a reader is told.
const CASES: &[(&str, &str, &[&str])] = &[
    ("", "", &[]),
    // Comments that describe nothing, line breaks and spaces.
    ("version 1.3;", "version 1.3;\n// A remark.\n", &[]),
    ("{ amount <= cap }", "{\n  amount // so much\n    <= cap\n}", &[]),
    ("amount <= cap", "amount<=cap", &[]),
    (
        "below the cap",
        "under it",
        &[
            "changed rule capped: description Expenses stay below the cap. -> Expenses stay under it.",
        ],
    ),
    ("[pessimistic]", "[optimistic]", &["changed rule severe: policy pessimistic -> optimistic"]),
    ("[pessimistic] ", "", &["changed rule severe: policy pessimistic -> neutral"]),
    ("0..100", "0..1000", &["changed claim amount: range 0 to 100 -> 0 to 1000"]),
    ("// @range amount 0..100\n", "", &["changed claim amount: range 0 to 100 -> "]),
    (
        "the total?",
        "the sum?",
        &["changed claim amount: question What is the total? -> What is the sum?"],
    ),
    (
        "[\"low\", \"high\"]",
        "[\"high\", \"low\"]",
        &["changed claim level: vocabulary \"low\", \"high\" -> \"high\", \"low\""],
    ),
    ("let cap = 50", "let cap = 60", &["changed local cap: expression 50 \"USD\" -> 60 \"USD\""]),
    ("assert severe", "assert reported", &["changed rule reported: name severe -> reported"]),
    (
        "assert severe [pessimistic] { level == \"low\" };\n",
        "",
        &["removed rule severe: description Severe cases are reported. -> , expression \
         level == \"low\" -> , policy pessimistic -> "],
    ),
    (
        "// Severe",
        "// New.\nassert new { amount > 1 \"USD\" };\n// Severe",
        &[
            "added rule new: description  -> New., expression  -> amount > 1 \"USD\", policy  -> neutral",
        ],
    ),
];

fn compiled(source: &str) -> Ruleset {
    let options = Options { require_descriptions: false };
    let compilation = compile(source, Library::standard(), options).unwrap();
    let diagnostics = compilation.diagnostics;
    compilation.ruleset.unwrap_or_else(|| panic!("{source}\n{diagnostics:?}"))
}

fn told(change: &Change) -> String {
    let kind = match change.kind {
        Kind::Added => "added",
        Kind::Removed => "removed",
        Kind::Changed => "changed",
    };
    let subject = match change.subject {
        Subject::Claim => "claim",
        Subject::Local => "local",
        Subject::Rule => "rule",
    };
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    let aspects: Vec<String> = change
        .aspects
        .iter()
        .map(|it| format!("{} {} -> {}", it.aspect, text(&it.before), text(&it.after)))
        .collect();
    format!("{kind} {subject} {}: {}", change.name, aspects.join(", "))
}

#[test]
fn a_reader_is_told_what_changed() {
    for (from, to, expected) in CASES {
        let after = BASE.replacen(from, to, 1);
        assert!(from == to || after != BASE, "{from:?} does not occur");
        let found: Vec<String> =
            changes(&compiled(BASE), &compiled(&after)).iter().map(told).collect();
        assert_eq!(found, *expected, "{from:?} -> {to:?}");
    }
}

#[test]
fn what_moved_is_no_change() {
    let mut statements: Vec<&str> = BASE.split_inclusive(";\n").skip(1).collect();
    statements[..2].reverse();
    statements[4..].reverse();
    let moved = format!("version 1.3;\n{}", statements.concat());
    assert_ne!(moved, BASE);
    assert_eq!(changes(&compiled(BASE), &compiled(&moved)), []);
}

#[test]
fn a_plain_claim_is_not_taken_for_a_renamed_one() {
    let source = |name: &str| format!("declare {name} as boolean;\nassert a {{ {name} }};\n");
    let found = changes(&compiled(&source("x")), &compiled(&source("y")));
    let found: Vec<String> = found.iter().map(told).collect();
    assert_eq!(
        found,
        [
            "added claim y: type  -> boolean",
            "removed claim x: type boolean -> ",
            "changed rule a: expression x -> y",
        ]
    );
}

#[test]
fn texts_are_passed_on_as_data() {
    let source = |text: &str| {
        format!("// @ask a {text}\ndeclare a as boolean;\n// {text}\nassert r {{ a }};\n")
    };
    let hostile = "<script>alert(\\\"1\\\")</script> \\u202e";
    let found = changes(&compiled(&source("Old?")), &compiled(&source(hostile)));
    let bytes = to_bytes(|slot| write_changes(slot, &found));
    let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(value[0]["aspects"][0]["after"], hostile);
    assert_eq!(value[1]["aspects"][0]["after"], hostile);
    assert_eq!(value[1]["subject"], "rule");
}
