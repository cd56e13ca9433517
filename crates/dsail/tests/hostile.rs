//! Sources that are made to break a compiler: each gets its answer, on a small stack.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::thread;

use assay_dsail::units::Library;
use assay_dsail::{Options, compile};

/// The stack of a thread that nobody configured.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// What a source comes to.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// A ruleset without any problem.
    Compiles,
    /// Problems of these kinds, each kind once.
    Codes(Vec<&'static str>),
    /// How many problems, where their kinds do not matter.
    Problems(usize),
    /// Any problems at all, where neither kinds nor number matter.
    Refused,
    /// A limit with this name is exceeded.
    Budget(&'static str),
}

use Outcome::{Budget, Codes, Compiles, Problems, Refused};

/// Compiles every source on one small stack and reports every difference.
fn check(cases: Vec<(&'static str, String, Outcome)>) {
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let differences = cases.into_iter().filter_map(|(name, text, expected)| {
            let found = outcome(&text, &expected);
            (found != expected).then(|| format!("{name}: {found:?} instead of {expected:?}"))
        });
        differences.collect::<Vec<String>>()
    });
    let differences = worker.map(thread::JoinHandle::join);
    assert!(matches!(&differences, Ok(Ok(it)) if it.is_empty()), "{differences:#?}");
}

/// The outcome of a source, in the form of the expected one.
fn outcome(text: &str, form: &Outcome) -> Outcome {
    let compiled = match compile(text, Library::standard(), Options { require_descriptions: false })
    {
        Ok(compiled) => compiled,
        Err(exceeded) => return Budget(exceeded.budget),
    };
    let codes: BTreeSet<&str> = compiled.diagnostics.iter().map(|it| it.code.word()).collect();
    match form {
        Problems(_) => Problems(compiled.diagnostics.len()),
        Refused if compiled.ruleset.is_none() && !codes.is_empty() => Refused,
        _ if codes.is_empty() && compiled.ruleset.is_some() => Compiles,
        _ => Codes(codes.into_iter().collect()),
    }
}

/// `text` for every number below `count`, with the number in place of `#`.
fn numbered(count: usize, text: &str) -> String {
    (0..count).fold(String::new(), |mut all, number| {
        // Writing to a string does not fail.
        let _ = write!(all, "{}", text.replace('#', &number.to_string()));
        all
    })
}

fn boolean(body: &str) -> String {
    format!("declare p as boolean;\ndeclare q as boolean;\nassert a {{ {body} }};\n")
}

fn numeric(body: &str) -> String {
    format!("declare x as numeric;\nassert a {{ {body} }};\n")
}

#[test]
fn depth_is_bounded_before_anything_recurses() {
    let calls = |count: usize| {
        let open = ["And(q, ", "Or(p, "].iter().cycle().take(count).copied().collect::<String>();
        boolean(&format!("{open}Not(q){}", ")".repeat(count)))
    };
    let conditionals = |count: usize| {
        boolean(&format!("{}p{}", "IF q THEN p == ".repeat(count), " ELSE q END".repeat(count)))
    };
    let deep = || Codes(vec!["dsail/nesting"]);
    check(vec![
        ("open parentheses", boolean(&"(".repeat(100_000)), deep()),
        (
            "parentheses",
            boolean(&format!("{}p{}", "(".repeat(100_000), ")".repeat(100_000))),
            deep(),
        ),
        ("braces", boolean(&"{".repeat(100_000)), deep()),
        (
            "minus signs",
            numeric(&format!("x < {}1", "-".repeat(100_000))),
            Codes(vec!["dsail/syntax"]),
        ),
        // One bracket is the body's own and one is that of `Not`.
        ("calls up to the limit", calls(126), Compiles),
        ("calls beyond the limit", calls(127), deep()),
        ("conditionals up to the limit", conditionals(127), Compiles),
        ("conditionals beyond the limit", conditionals(128), deep()),
        ("conditionals without end", boolean(&"IF p THEN ".repeat(20_000)), deep()),
        ("cases without end", boolean(&"CASE p OF \"a\": ".repeat(10_000)), deep()),
        ("brackets in strings do not count", numeric(&format!("x < 1 \"{}\"", "(".repeat(200))), {
            Codes(vec!["dsail/missing-unit", "dsail/unknown-unit"])
        }),
        (
            "brackets in comments do not count",
            format!("// {}\n{}", "(".repeat(200), boolean("And(p, q)")),
            Compiles,
        ),
        ("a broken statement does not deepen the next", "assert a { ( };\n".repeat(5_000), {
            Codes(vec!["dsail/syntax"])
        }),
    ]);
}

#[test]
fn what_expands_is_bounded() {
    let chain = |count: usize, first: &str, next: &str| {
        let mut text = format!("declare x as numeric;\nlet l0 = {first};\n");
        text += &numbered(count, "declare local l# as numeric;\n");
        for number in 1..count {
            text += &format!("let l{number} = {};\n", next.replace('#', &(number - 1).to_string()));
        }
        text + &format!("assert a {{ l{} <= x }};\n", count - 1)
    };
    let deep = || Codes(vec!["dsail/nesting"]);
    let terms = |count: usize, operator: &str| {
        numeric(&format!("{} <= 5", vec!["x"; count].join(operator)))
    };
    let set = |count: usize| {
        let elements: Vec<String> = (0..count).map(|it| it.to_string()).collect();
        numeric(&format!("Exists(y in {{{}}}, y == x)", elements.join(", ")))
    };
    check(vec![
        ("a long sum", terms(15_000, " + "), Compiles),
        ("a longer sum", terms(20_000, " + "), Budget("expression_nodes")),
        ("a long product", terms(60, " * "), Compiles),
        ("a longer product", terms(600, " * "), deep()),
        ("large constants", numeric(&format!("x <= {}", ["9e999"; 5_000].join(" * "))), deep()),
        ("many fractions", numeric(&format!("x <= {}1", numbered(4_000, "1/1# + "))), Compiles),
        ("a chain of definitions", chain(400, "x", "l# + 1"), Compiles),
        ("definitions that double", chain(400, "x", "l# + l#"), Compiles),
        ("definitions that square", chain(40, "x", "l# * l#"), deep()),
        ("a constant that squares", chain(40, "12345678901234567", "l# * l#"), deep()),
        (
            "definitions in a circle",
            chain(400, "l399", "l# + 1"),
            Codes(vec!["dsail/circular-let"]),
        ),
        ("elements up to the limit", set(4_096), Compiles),
        ("elements beyond the limit", set(4_097), Budget("unrolled_elements")),
        (
            "sets of sets",
            numeric(&format!("IsMember(x, Intersect({0}, Difference({0}, {0})))", set_of(70))),
            Budget("unrolled_elements"),
        ),
        (
            "quantifiers in quantifiers",
            numeric(&format!("ForAll(a in {0}, ForAll(b in {0}, a + b != x))", set_of(70))),
            Budget("expression_nodes"),
        ),
    ]);
}

fn set_of(count: usize) -> String {
    format!("{{{}0}}", numbered(count - 1, "#, "))
}

#[test]
fn size_is_bounded() {
    let members = |count: usize| numbered(count, "\"m#\", ");
    check(vec![
        ("no text", String::new(), Codes(vec!["dsail/no-assertion"])),
        ("as large as allowed", "//\n".repeat(262_144 / 3), Codes(vec!["dsail/no-assertion"])),
        ("larger", "x".repeat(262_145), Budget("source_bytes")),
        ("claims", numbered(501, "declare c# as boolean;\n"), Budget("claims")),
        ("assertions", boolean("p") + &numbered(2_000, "assert b# { q };\n"), Budget("assertions")),
        (
            "many members",
            format!("declare c as enum {{{}\"z\"}};\nassert a {{ c == \"z\" }};", members(20_000)),
            Compiles,
        ),
        (
            "many words that are no members",
            format!(
                "declare c as enum {{{}\"z\"}};\nassert a {{ IsMember(c, {{{}}}) }};",
                members(9_000),
                numbered(9_000, "\"n#\", ").trim_end_matches(", ")
            ),
            Codes(vec!["dsail/member"]),
        ),
        (
            "many names that are not declared",
            boolean(&format!("And({}p)", numbered(4_000, "unknown_name_#, "))),
            Problems(4_000),
        ),
        (
            "many annotations for no claim",
            boolean("Or(p, q)") + &numbered(5_000, "// @ask unknown_name_# what?\n"),
            Problems(5_000),
        ),
        (
            "broken declarations",
            "declare c numeric;\n".repeat(400),
            Codes(vec!["dsail/duplicate-name", "dsail/syntax"]),
        ),
        ("broken statements", "declare = c;\n".repeat(5_000), Problems(5_000)),
        ("one long line", "assert a { ( }; ".repeat(10_000), Problems(10_000)),
        ("one long name", boolean(&"p".repeat(200_000)), Problems(2)),
        (
            "one long number",
            numeric(&format!("x < {}", "9".repeat(200_000))),
            Codes(vec!["dsail/numeral"]),
        ),
        ("one long exponent", numeric("x < 10245423601e680507880"), Codes(vec!["dsail/numeral"])),
        ("quotes", "\"\\".repeat(125_000), Refused),
        ("single quotes", "'".repeat(250_000), Refused),
        ("strings", "\"a\" ".repeat(60_000), Refused),
        ("garbage", garbage(250_000), Refused),
        ("garbage of words", words(40_000), Refused),
    ]);
}

/// Printable characters in an order that looks random and is the same every time.
fn garbage(length: u32) -> String {
    let mut state = 2_463_534_242_u32;
    let printable = (0..length).map(|_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        char::from(b' ' + u8::try_from(state % 95).unwrap_or_default())
    });
    printable.collect()
}

/// Words and signs of the language in such an order.
fn words(length: u32) -> String {
    const WORDS: [&str; 32] = [
        "declare",
        "local",
        "as",
        "assert",
        "let",
        "p",
        "q",
        "boolean",
        "numeric",
        "enum",
        ";",
        ";\nassert a {",
        "};\n",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "IF",
        "THEN",
        "ELSE",
        "END",
        "CASE",
        "OF",
        "\"m\"",
        "1",
        "ForAll(",
        "in",
        "==",
    ];
    let random = garbage(length);
    let chosen = random
        .bytes()
        .map(|it| WORDS.get(usize::from(it) % WORDS.len()).copied().unwrap_or_default());
    chosen.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_cannot_be_seen_is_refused() {
    let member = |text: &str| {
        format!("declare c as enum {{\"{text}\", \"other\"}};\nassert a {{ c == \"other\" }};\n")
    };
    let character = || Codes(vec!["dsail/character"]);
    let in_string = || Codes(vec!["dsail/string-character"]);
    let valid = boolean("And(p, q)");
    check(vec![
        ("a byte order mark", format!("\u{feff}{valid}"), Compiles),
        ("a second byte order mark", format!("\u{feff}\u{feff}{valid}"), character()),
        ("line ends of other systems", valid.replace('\n', "\r\n"), Compiles),
        ("lone carriage returns", valid.replace('\n', "\r"), Compiles),
        ("NUL between statements", valid.replace('\n', "\0\n"), character()),
        ("NUL in a name", valid.replace("And(p", "And(p\0"), character()),
        ("NUL in a comment", format!("// a\0b\n{valid}"), character()),
        ("NUL in a string", member("a\0b"), in_string()),
        ("an escape sequence in a comment", format!("// \u{1b}[31mred\n{valid}"), character()),
        ("bidirectional control in a comment", format!("// a\u{202e}b\n{valid}"), character()),
        ("bidirectional control in a string", member("a\u{202e}b"), in_string()),
        ("bidirectional isolate in a string", member("a\u{2066}b\u{2069}"), in_string()),
        ("zero width in a string", member("a\u{200b}b"), in_string()),
        ("zero width in a name", valid.replace("declare p", "declare p\u{200b}"), character()),
        ("no-break space", valid.replace("And(p, q)", "And(p,\u{a0}q)"), character()),
        ("a tab in a string", member("a\tb"), in_string()),
        ("a quote in a string", member("a\\\"b"), in_string()),
        ("Cyrillic in a claim's name", valid.replace("declare p", "declare \u{440}"), character()),
        ("Cyrillic in a use", valid.replace("And(p", "And(\u{440}"), character()),
        ("Cyrillic in a function", valid.replace("And", "\u{410}nd"), character()),
        ("Cyrillic in a keyword", valid.replace("assert", "\u{430}ssert"), character()),
        ("Cyrillic and Latin in a member", member("\u{440}aid"), Codes(vec!["dsail/mixed-script"])),
        ("a member in one other alphabet", member("оплачено"), Compiles),
        ("digits of another alphabet", numeric("x < ٥٠"), Problems(2)),
        ("an accent on its own", valid.replace("declare p", "declare p\u{301}"), character()),
    ]);
}

#[test]
fn the_end_of_the_text_is_an_end() {
    let syntax = || Codes(vec!["dsail/syntax"]);
    let unterminated = || Codes(vec!["dsail/unterminated-string"]);
    let claim = "declare c as enum {\"a\", \"b\"};\n";
    check(vec![
        (
            "an open string",
            format!("{claim}assert a {{ c == \"a"),
            Codes(vec!["dsail/syntax", "dsail/unterminated-string"]),
        ),
        (
            "an open string before the rest",
            format!("{claim}assert a {{ c == \"a }};"),
            unterminated(),
        ),
        ("an open string in a list", "declare c as enum {\"a, \"b\"};".to_owned(), Problems(2)),
        ("a lone quote", "\"".to_owned(), Codes(vec!["dsail/syntax", "dsail/unterminated-string"])),
        ("an open body", format!("{claim}assert a {{ c == \"a\""), syntax()),
        ("an open list", "declare c as enum {\"a\",".to_owned(), syntax()),
        ("a keyword", "declare".to_owned(), syntax()),
        ("a policy", "assert a [".to_owned(), syntax()),
        ("a comment", "//".to_owned(), Codes(vec!["dsail/no-assertion"])),
        ("an annotation", "// @".to_owned(), Codes(vec!["dsail/annotation-tag"])),
        ("an exponent", "assert a { 1e".to_owned(), Codes(vec!["dsail/numeral", "dsail/syntax"])),
    ]);
}
