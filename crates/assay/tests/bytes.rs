//! The bytes of `--json`, where input comes from, and what is written where.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

mod support;

use assay_core::{Cancel, Door, Service, Settings};
use serde_json::json;
use support::{EXPENSES, command, file, folder, run, run_with};

const CLAIMS: &str =
    r#"{"amount": 12345678901234567890.123, "has_receipt": null,"category":"meals"}"#;

/// What the core answers over its own interface.
fn core(tool: &str, arguments: &str) -> String {
    let settings = Settings::default();
    let service = Service::open(settings).unwrap();
    let caller = service.local(Door::CommandLine).unwrap();
    String::from_utf8(service.call(&caller, tool, arguments, &Cancel::new()).body).unwrap()
}

#[test]
fn payloads_are_those_of_the_core() {
    let folder = folder("payloads");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let text = json!(EXPENSES);
    for (arguments, tool, call) in [
        (vec!["compile", &source], "dsail_compile", format!("{{\"source\":{text}}}")),
        (vec!["prompt-pack", &source], "dsail_get_prompt_pack", format!("{{\"source\":{text}}}")),
        (
            vec!["check", &source, "--claims", CLAIMS],
            "dsail_check",
            format!("{{\"claims\":{CLAIMS},\"source\":{text}}}"),
        ),
        (
            vec!["check", &source, "--claims", "{}"],
            "dsail_check",
            format!("{{\"claims\":{{}},\"source\":{text}}}"),
        ),
    ] {
        let run = run(&[&arguments[..], &["--json"]].concat());
        assert_eq!(run.stdout, core(tool, &call), "{arguments:?}");
        assert_eq!(run.stderr, "", "{arguments:?}");
    }
}

#[test]
fn numbers_are_not_rounded_on_their_way() {
    let folder = folder("numbers");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    for more in [&["--json"][..], &[]] {
        let run = run(&[&["check", &source, "--claims", CLAIMS][..], more].concat());
        assert!(run.stdout.contains("12345678901234567890.123"), "{}", run.stdout);
    }
}

#[test]
fn input_may_be_a_file_or_standard_input() {
    let folder = folder("input");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let at_claims = format!("@{}", file(&folder, "claims.json", format!("\n{CLAIMS}\n")));
    let expected = run(&["check", &source, "--claims", CLAIMS, "--json"]);
    for (arguments, stdin) in [
        (["check", "-", "--claims", CLAIMS, "--json"], EXPENSES),
        (["check", "-", "--claims", &at_claims, "--json"], EXPENSES),
        (["check", &source, "--claims", &at_claims, "--json"], ""),
        (["check", &source, "--claims", "-", "--json"], CLAIMS),
    ] {
        let run = run_with(command().args(arguments), stdin.as_bytes());
        assert_eq!(run.stdout, expected.stdout, "{arguments:?}");
    }
    let refused = run_with(command().args(["compile", "-"]), b"\xff");
    assert_eq!(refused.exit, Some(1));
    assert!(refused.stderr.contains("`standard input` is not UTF-8"), "{}", refused.stderr);
}

#[test]
fn line_ends_do_not_shift_what_is_underlined() {
    let folder = folder("lines");
    let text = "declare a as boolean;\r\n\r\nassert b { ä };\r\n";
    let run = run(&["compile", &file(&folder, "a.dsail", text)]);
    assert!(run.stderr.contains("a.dsail:3:12"), "{}", run.stderr);
    assert!(run.stderr.contains("3 | assert b { ä };\n  |            ^\n"), "{}", run.stderr);
}

#[test]
fn commands_that_only_ask_write_no_file() {
    let home = folder("home");
    let elsewhere = folder("elsewhere");
    let source = file(&elsewhere, "expenses.dsail", EXPENSES);
    for arguments in [
        vec!["compile", &source],
        vec!["prompt-pack", &source],
        vec!["check", &source, "--claims", CLAIMS],
        vec!["version"],
        vec!["docs"],
    ] {
        let mut command = command();
        command.args(&arguments).current_dir(&home).env("HOME", &home).env("ASSAY_DATA", &home);
        command.env("TMPDIR", &home).env("XDG_DATA_HOME", &home).env("XDG_CACHE_HOME", &home);
        assert_eq!(run_with(&mut command, b"").exit, Some(0), "{arguments:?}");
        assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0, "{arguments:?}");
    }
}
