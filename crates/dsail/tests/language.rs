//! What the language means where a table says it best: what compiles, what one mistake is called,
//! what the hash covers, and which text describes which assertion.

use assay_dsail::ir::{LanguageVersion, Policy};
use assay_dsail::units::Library;
use assay_dsail::{Compilation, Options, compile};

/// BLAKE3-256 of one line feed, to which the empty text is normalised.
const EMPTY: &str = "295192ea1ec8566d563b1a7587e5f0198580cdbd043842f5090a4c197c20c67a";

const CLAIMS: &str = "\
declare p as boolean;
declare q as boolean;
declare n as numeric;
declare m as numeric;
// @unit money EUR
declare money as numeric;
// @unit length km
declare length as numeric;
// @unit heat degC
declare heat as numeric;
declare tier as enum [\"low\", \"medium\", \"high\"];
declare floor as enum [\"low\", \"medium\", \"high\"];
declare risen as enum [\"medium\", \"low\", \"high\"];
declare kind as enum {\"low\", \"medium\", \"high\"};
declare other as enum {\"low\", \"medium\"};
";

/// The codes of a source in order, or the name of the budget that it exceeds.
fn codes(source: &str) -> Vec<&'static str> {
    match compile(source, Library::standard(), Options { require_descriptions: false }) {
        Ok(compiled) => compiled.diagnostics.iter().map(|it| it.code.word()).collect(),
        Err(exceeded) => vec![exceeded.budget],
    }
}

fn compiled(source: &str, require_descriptions: bool) -> Option<Compilation> {
    compile(source, Library::standard(), Options { require_descriptions }).ok()
}

/// What is said about one assertion over [`CLAIMS`], claims that it does not read aside.
fn body_codes(body: &str) -> Vec<&'static str> {
    let mut codes = codes(&format!("{CLAIMS}assert a {{ {body} }};\n"));
    codes.retain(|it| *it != "dsail/unused-claim");
    codes
}

/// Compares every row and reports all differences at once.
fn check(rows: &[(&str, &str)], codes: fn(&str) -> Vec<&'static str>) {
    let differences = rows.iter().filter_map(|(text, expected)| {
        let found = codes(text).join(" ");
        (found != *expected).then(|| format!("{text}: `{found}` instead of `{expected}`"))
    });
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Bodies over [`CLAIMS`] and the codes that they provoke.
const BODIES: &[(&str, &str)] = &[
    // Every function and form.
    ("And(p, q, True)", ""),
    ("Or(p, q)", ""),
    ("Xor(p, Not(q))", ""),
    ("Implies(p, If(q, n > 1, n < 1))", ""),
    ("IF p THEN q END", ""),
    ("IF p THEN q ELSE True END", ""),
    ("CASE tier OF \"low\": p, \"medium\": q, \"high\": False END", ""),
    ("CASE tier OF \"low\": p, DEFAULT: q END", ""),
    ("n == CASE kind OF \"low\": 1, DEFAULT: 2 END", ""),
    ("tier == CASE kind OF \"low\": \"high\", DEFAULT: \"low\" END", ""),
    ("tier >= If(p, \"medium\", floor)", ""),
    ("ForAll(x in {n, m, 3}, x > 0)", ""),
    ("Exists(x in {\"low\", \"high\"}, tier == x)", ""),
    ("ForAll(x in {tier, floor}, x < \"high\")", ""),
    ("AtLeast(2, x in {p, q}, x)", ""),
    ("AtMost(n, x in {p, q}, x)", ""),
    ("ExactlyOne(x in {p, q}, Not(x))", ""),
    ("CountWhere(x in {n, m}, x > 1) * 2 >= 2", ""),
    ("IsMember(kind, {\"low\", \"medium\"})", ""),
    ("IsMember(n, Union({1, m}, Intersect({2}, Difference({2, 3}, {3}))))", ""),
    ("IsSubset({n, m}, {1, 2, 3})", ""),
    ("ForAll(n in {m}, n > 0)", ""),
    // Numbers and their operators.
    ("-n * 2 + 1 < -3 - -m", ""),
    ("n % 10 == 0.50e1", ""),
    ("(n + m) / 2 <= n * 1.1", ""),
    ("n < m < 3", "dsail/chained-comparison"),
    ("n = 3", "dsail/single-equals"),
    ("n < .5", "dsail/character"),
    ("n < 1,000", "dsail/syntax"),
    ("n", "dsail/type"),
    ("p + 1 < 2", "dsail/type"),
    // Truth values.
    ("p == q", ""),
    ("p != True", ""),
    ("p < q", "dsail/type"),
    ("p == true", "dsail/undefined"),
    ("p and q", "dsail/infix-logic"),
    ("not p", "dsail/infix-logic"),
    ("!p", "dsail/infix-logic"),
    ("p || q", "dsail/infix-logic"),
    ("kind in {\"low\"}", "dsail/infix-logic"),
    ("Iff(p, q)", "dsail/unknown-function"),
    ("and(p, q)", "dsail/unknown-function"),
    // Enums.
    ("tier >= floor", ""),
    ("\"low\" < tier", ""),
    ("kind == \"low\"", ""),
    ("tier == risen", "dsail/vocabularies-differ"),
    ("tier == kind", "dsail/vocabularies-differ"),
    ("kind == other", "dsail/vocabularies-differ"),
    ("kind < \"low\"", "dsail/unordered"),
    ("tier == \"Low\"", "dsail/member"),
    ("tier == n", "dsail/type"),
    ("\"low\" == \"low\"", "dsail/type"),
    ("CASE tier OF \"low\": p END", "dsail/case-coverage"),
    ("CASE tier OF DEFAULT: p, \"low\": q END", "dsail/case-arm"),
    ("CASE n OF \"low\": p, DEFAULT: q END", "dsail/type"),
    ("n > IF p THEN 1 END", "dsail/if-without-else"),
    // Sets.
    ("IsMember(n, {})", "dsail/set"),
    ("IsMember(n, {1, p})", "dsail/set"),
    ("IsMember(n, m)", "dsail/set"),
    ("{n} == {m}", "dsail/set dsail/set"),
    ("ForAll(x in {1, 2}, y > x)", "dsail/undefined"),
    // Units.
    ("money <= 5 \"€\"", ""),
    ("money + 5 \"euros\" <= 2 * money", ""),
    ("money / money <= 1.5", ""),
    ("money / 3 <= 1 \"EUR\"", ""),
    ("length < 3 \"mi\" + 20 \"metres\"", ""),
    ("length == If(p, 1 \"m\", 1 \"km\")", ""),
    ("IsMember(length, {1 \"m\", 1 \"km\"})", ""),
    ("heat > 32 \"°F\"", ""),
    ("heat > -5 \"degC\"", ""),
    ("money <= 0", "dsail/bare-literal"),
    ("0 == heat", "dsail/bare-literal"),
    ("money + 1 > 2 \"EUR\"", "dsail/bare-literal"),
    ("n <= 5 \"EUR\"", "dsail/missing-unit"),
    ("n + money <= 5 \"EUR\"", "dsail/missing-unit"),
    ("money <= length", "dsail/dimension"),
    ("money <= 5 \"USD\"", "dsail/unbridged-units"),
    ("length <= 5 \"kmh\"", "dsail/unknown-unit"),
    ("length <= 5 km", "dsail/bare-unit"),
    ("money * money > 5 \"EUR\"", "dsail/unit-product"),
    ("1 / money > 5", "dsail/unit-product"),
    ("heat + 1 \"degC\" > 5 \"degC\"", "dsail/affine-arithmetic"),
    ("heat * 2 > 5 \"degC\"", "dsail/affine-arithmetic"),
    ("AtLeast(1 \"km\", x in {p}, x)", "dsail/type"),
];

#[test]
fn bodies() {
    check(BODIES, body_codes);
}

/// Whole sources and the codes that they provoke.
const SOURCES: &[(&str, &str)] = &[
    ("version 1.2;\ndeclare p as boolean; assert a { p };", ""),
    ("version 1.3; declare p as boolean; assert a { p };", ""),
    ("version 1.30; declare p as boolean; assert a { p };", "dsail/version"),
    ("version 1.1; declare p as boolean; assert a { p };", "dsail/version"),
    ("declare p as boolean; version 1.3; assert a { p };", "dsail/version"),
    // Order does not matter: neither of declarations nor of definitions.
    ("assert a { p };\ndeclare p as boolean;", ""),
    (
        "let b = c; declare local b as boolean; declare local c as boolean; let c = p; assert a { b }; declare p as boolean;",
        "",
    ),
    // Claims and assertions are named apart from each other.
    ("declare p as boolean; assert p { p };", ""),
    ("declare p as boolean; declare p as numeric; assert a { p };", "dsail/duplicate-name"),
    ("declare p as boolean; assert a { p }; assert a { Not(p) };", "dsail/duplicate-name"),
    ("declare And as boolean; assert a { True };", "dsail/reserved-name"),
    ("declare end as boolean; assert a { end };", ""),
    ("declare version as numeric;\nassert a {\n  version > 1\n};", "dsail/reserved-name"),
    // One mistake is one problem.
    ("delcare p as boolean;\n// @ask p Is it?\nassert a { p };", "dsail/syntax"),
    ("declare p boolean; assert a { p };", "dsail/syntax"),
    ("declare p as integer; assert a { p > 2 };", "dsail/syntax"),
    ("declare p as enum {\"a\" \"b\"}; assert a { p == \"a\" };", "dsail/syntax"),
    ("declare p as boolean\nassert a { p };", "dsail/missing-semicolon"),
    ("declare p as boolean;\nassert a { p }\nassert b { Not(p) };", "dsail/missing-semicolon"),
    ("declare p as boolean;\nassert a { p\nassert b { Not(p) };", "dsail/syntax"),
    (
        "declare p as boolean; declare local b as boolean; let b = p && p; assert a { b };",
        "dsail/infix-logic",
    ),
    ("declare n as numeric; assert a { n ≤ 5 };", "dsail/character"),
    ("declare p as enum {“a”, \"b\"}; assert a { p == \"a\" };", "dsail/character"),
    ("declare p as boolean; # that is it\nassert a { p };", "dsail/character"),
    // Two mistakes are two.
    ("declare p as boolean; assert a { x }; assert b { p == 3 };", "dsail/undefined dsail/type"),
    // Annotations.
    ("// @ask p Is it?\n// @context p So it is.\ndeclare p as boolean; assert a { p };", ""),
    ("declare n as numeric; assert a { n > 1 }; // @range n -1.5..1e3", ""),
    (
        "// @range n 1 .. 2\n// @unit n \"USD\"\ndeclare n as numeric; assert a { n > 1 \"USD\" };",
        "",
    ),
    ("// @range n 2..2\ndeclare n as numeric; assert a { n > 1 };", ""),
    ("// @range n 3..2\ndeclare n as numeric; assert a { n > 1 };", "dsail/range"),
    ("// @range n 3\ndeclare n as numeric; assert a { n > 1 };", "dsail/range"),
    ("// @unit n 3km\ndeclare n as numeric; assert a { n > 1 };", "dsail/annotation-text"),
    ("// @consistency n x\ndeclare n as numeric; assert a { n > 1 };", "dsail/removed-annotation"),
    ("// @enum n x\ndeclare n as numeric; assert a { n > 1 };", "dsail/annotation-tag"),
    ("// write to legal@example.org\ndeclare n as numeric; assert a { n > 1 };", ""),
    (
        "// @ask b Is it?\ndeclare local b as boolean; let b = p; declare p as boolean; assert a { b };",
        "dsail/annotation-claim",
    ),
];

#[test]
fn whole_sources() {
    check(SOURCES, codes);
}

#[test]
fn the_hash_covers_all_but_line_ends() {
    let source = "// A rule.\ndeclare p as boolean;\nassert a { p };\n";
    let hash = |text: &str| compiled(text, false).unwrap().hash;
    for same in [source.replace('\n', "\r\n"), source.replace('\n', "\r"), format!("{source}\n\n")]
    {
        assert_eq!(hash(&same), hash(source), "{same:?}");
    }
    for other in [
        source.replace("A rule", "The rule"),
        source.replace("{ p }", "{  p }"),
        format!("\u{feff}{source}"),
        format!("\n{source}"),
        source.replace(";\n", "; \n"),
    ] {
        assert_ne!(hash(&other), hash(source), "{other:?}");
    }
    // The bytes of one address; were they to change, stored rulesets would be lost.
    assert_eq!(hash("").to_string(), EMPTY);
}

#[test]
fn versions_and_policies_are_kept() {
    let source = "version 1.2; declare p as boolean; assert a { p }; assert b [neutral] { p };\n\
        assert c [pessimistic] { p }; assert d [optimistic] { p };";
    let ruleset = compiled(source, false).unwrap().ruleset.unwrap();
    assert_eq!(ruleset.version, LanguageVersion::V1_2);
    let policies: Vec<Policy> = ruleset.assertions.iter().map(|it| it.policy).collect();
    let expected = [Policy::Neutral, Policy::Neutral, Policy::Pessimistic, Policy::Optimistic];
    assert_eq!(policies, expected);
    let unversioned = compiled("declare p as boolean; assert a { p };", false).unwrap();
    assert_eq!(unversioned.ruleset.unwrap().version, LanguageVersion::V1_3);
}

#[test]
fn descriptions_stand_directly_above() {
    for (above, expected) in [
        ("", None),
        ("// One.\n", Some("One.")),
        ("// One,\n//  and two.\n", Some("One,\nand two.")),
        ("// One.\n//\n// Two.\n", Some("One.\n\nTwo.")),
        ("// One.\n// @ask p Is it?\n", Some("One.")),
        ("// @ask p Is it?\n", None),
        ("// ---- Rules ----\n", None),
        ("// Before.\n// ---- Rules ----\n// One.\n", Some("One.")),
        ("// One.\n\n", None),
        ("// One.\n\n// Two.\n", Some("Two.")),
        ("declare q as boolean; // Not this.\n", None),
        ("/// One.\n", Some("One.")),
        ("//\n", None),
    ] {
        let source = format!("declare p as boolean;\n{above}assert a {{ p }};\n");
        let ruleset = compiled(&source, false).unwrap().ruleset.unwrap();
        assert_eq!(ruleset.assertions[0].description.as_deref(), expected, "{above:?}");
        let refused = compiled(&source, true).unwrap().ruleset.is_none();
        assert_eq!(refused, expected.is_none(), "{above:?}");
    }
    let source = "declare p as boolean;\n// One.\nassert a { p }; assert b { Not(p) };\n";
    let ruleset = compiled(source, false).unwrap().ruleset.unwrap();
    assert_eq!(ruleset.assertions[1].description, None, "the text describes the first");
}
