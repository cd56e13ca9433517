//! Every exit code, and what is said with it.

mod support;

use support::{EXPENSES, Run, command, file, folder, run, run_with};

/// Runs the command, compares its exit code, and looks for a text on standard output (when it
/// ran) or on standard error.
#[track_caller]
fn check(arguments: &[&str], exit: i32, text: &str) -> Run {
    let run = run(arguments);
    let shown = if matches!(exit, 0 | 4) { &run.stdout } else { &run.stderr };
    assert_eq!(run.exit, Some(exit), "{arguments:?}\n{}{}", run.stdout, run.stderr);
    assert!(shown.contains(text), "{arguments:?} lacks `{text}`\n{}{}", run.stdout, run.stderr);
    run
}

#[test]
fn it_ran_whatever_the_words_were() {
    let folder = folder("ran");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let claims = r#"{"amount": "30000 USD", "has_receipt": "unknown", "category": "meals"}"#;
    for (arguments, text) in [
        (vec!["compile", &source], "within_cap"),
        (vec!["compile", &source, "--review"], "DECIDES"),
        (vec!["compile", &source, "--require-descriptions"], "receipt_shown"),
        (vec!["prompt-pack", &source], "What is the total of the expense, in USD?"),
        (vec!["check", &source, "--claims", claims], "1 UNKNOWN"),
        (vec!["check", &source, "--claims", claims, "--summary"], "FALSE        2\n"),
        (vec!["check", &source, "--claims", claims, "--fail-on", "TRUE,AMBIGUOUS"], "2 FALSE"),
        (vec!["docs"], "/docs/errors/bad-request.md"),
        (vec!["docs", "BAD_REQUEST"], "# "),
        (vec!["version"], "solver"),
        (vec!["--version"], "assay 0"),
        (vec!["--help"], "Exit codes:"),
        (vec!["help", "check"], "assay check expenses.dsail"),
    ] {
        let run = check(&arguments, 0, text);
        assert_eq!(run.stderr, "", "{arguments:?}");
    }
}

#[test]
fn the_command_line_cannot_be_used() {
    let folder = folder("usage");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let latin = file(&folder, "latin.dsail", b"// caf\xe9\n");
    let missing = folder.join("missing.dsail");
    let (missing, directory) = (missing.to_str().unwrap(), folder.to_str().unwrap());
    for (arguments, text) in [
        (vec![], "Usage: assay"),
        (vec!["compline"], "unrecognized subcommand"),
        (vec!["compile"], "<FILE>"),
        (vec!["compile", &source, "--nothing"], "unexpected argument"),
        (vec!["compile", &source, "--json", "--review"], "cannot be used with"),
        (vec!["compile", missing], "there is no file"),
        (vec!["compile", directory], "is a folder, not a file"),
        (vec!["compile", &latin], "is not UTF-8: byte 0xe9 on line 1"),
        (vec!["check", &source], "--claims"),
        (vec!["check", &source, "--claims", "{"], "`--claims` is not JSON"),
        (vec!["check", &source, "--claims", "{}, \"label\": {}"], "`--claims` is not JSON"),
        (vec!["check", &source, "--claims", "@missing.json"], "there is no file"),
        (vec!["check", &source, "--claims", "{}", "--fail-on", "MAYBE"], "invalid value 'MAYBE'"),
        (vec!["check", "-", "--claims", "-"], "cannot both be standard input"),
        (vec!["serve", "--http", "0.0.0.0:0"], "is reachable from other machines"),
        (vec!["serve", "--http", "8725"], "is no address with a port"),
        (vec!["stdio", "--forward", "https://example.com"], "is not plain HTTP"),
        (vec!["stdio", "--forward", "x", "--data", "y"], "cannot be used with"),
    ] {
        let run = check(&arguments, 1, text);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
}

#[test]
fn the_service_refused() {
    let folder = folder("refused");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let wrong = file(&folder, "wrong.dsail", "declare a as boolean;\nassert b { c };\n");
    let plain = file(&folder, "plain.dsail", "declare a as boolean;\nassert b { a };\n");
    let large = file(&folder, "large.dsail", "// x\n".repeat(100_000));
    for (arguments, code) in [
        (vec!["compile", &wrong], "COMPILE_FAILED"),
        (vec!["compile", &plain, "--require-descriptions"], "COMPILE_FAILED"),
        (vec!["prompt-pack", &wrong], "COMPILE_FAILED"),
        (vec!["check", &wrong, "--claims", "{}"], "COMPILE_FAILED"),
        (vec!["check", &source, "--claims", "{}"], "VALIDATION_REJECTED"),
        (vec!["check", &source, "--claims", "[1]"], "BAD_REQUEST"),
        (vec!["check", &plain, "--claims", r#"{"a": 1, "a": true}"#], "VALIDATION_REJECTED"),
        (vec!["compile", &large], "BUDGET_EXCEEDED"),
        (vec!["docs", "nothing"], "NOT_FOUND"),
    ] {
        let shown = check(&arguments, 2, code);
        assert_eq!(shown.stdout, "", "{arguments:?}");
        let payload = run(&[&arguments[..], &["--json"]].concat());
        assert_eq!((payload.exit, payload.stderr.as_str()), (Some(2), ""), "{arguments:?}");
        let envelope: serde_json::Value = serde_json::from_str(&payload.stdout).unwrap();
        assert_eq!(envelope["error"]["code"], code, "{arguments:?}");
        assert_eq!(envelope["ok"], false, "{arguments:?}");
    }
}

#[test]
fn something_outside_does_not_serve() {
    let folder = folder("unavailable");
    let occupied = file(&folder, "occupied", "");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().to_string();
    let data = folder.to_str().unwrap();
    check(&["serve", "--http", &taken, "--data", data], 3, "another process has the port");
    check(&["serve", "--http", "127.0.0.1:0", "--data", &occupied], 3, "occupied");
    check(&["stdio", "--data", &occupied], 3, "occupied");
    drop(listener);
    check(&["stdio", "--forward", &format!("http://{taken}")], 3, "nothing answers");
}

#[test]
fn output_that_cannot_be_written_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command().arg("docs").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the output cannot be written"));
}

#[test]
fn a_listed_word_was_answered() {
    let folder = folder("listed");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let claims = r#"{"amount": 80, "has_receipt": null, "category": "meals"}"#;
    for (words, exit) in [
        ("UNKNOWN", 4),
        ("false,ambiguous", 4),
        ("AMBIGUOUS", 0),
        ("TRUE,FALSE,UNKNOWN,AMBIGUOUS", 4),
    ] {
        let arguments = ["check", &source, "--claims", claims, "--fail-on", words];
        let shown = check(&arguments, exit, "1 TRUE, 1 FALSE, 1 UNKNOWN, 0 AMBIGUOUS");
        let summary = check(&[&arguments[..], &["--summary"]].concat(), exit, "UNKNOWN      1");
        let payload = check(&[&arguments[..], &["--json"]].concat(), exit, r#"{"claims":"#);
        assert_eq!(format!("{}{}{}", shown.stderr, summary.stderr, payload.stderr), "");
    }
}

#[test]
fn settings_that_make_no_sense_are_told() {
    for (variable, value, text) in [
        ("ASSAY_SOLVER_THREADS", "0", "`ASSAY_SOLVER_THREADS` is `0`"),
        ("ASSAY_SOLVER_STEPS", "-1", "give a whole number from 1 to 4294967295"),
        ("ASSAY_SOLVER_SECONDS", "ten", "`ASSAY_SOLVER_SECONDS` is `ten`"),
    ] {
        let run = run_with(command().arg("version").env(variable, value), b"");
        assert_eq!(run.exit, Some(1), "{variable}");
        assert!(run.stderr.contains(text), "{variable}: {}", run.stderr);
    }
    let run = run_with(command().arg("version").env("ASSAY_SOLVER_THREADS", ""), b"");
    assert_eq!(run.exit, Some(0), "an empty variable counts as not given");
}
