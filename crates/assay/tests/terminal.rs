//! What a person sees.

mod support;

use std::process::Stdio;

use support::{EXPENSES, command, file, folder, run, run_with};

const CLAIMS: &str = r#"{"amount": "30000 USD", "has_receipt": "unknown", "category": "meals"}"#;

#[test]
fn a_check_names_what_was_read_and_what_is_missing() {
    let folder = folder("check");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let expected = "\
FALSE    within_cap
         No expense is above the cap.
         amount <= 25000 \"USD\"
         read: amount = 30000 \"USD\"

UNKNOWN  receipt_needed
         Travel, and every expense above 75 dollars, needs a receipt.
         Implies(Or(amount > 75 \"USD\", category == \"travel\"), has_receipt)
         read: amount = 30000 \"USD\", has_receipt = unknown, category = \"meals\"
         missing: has_receipt
         why: the answer depends on what is undetermined: `has_receipt`

FALSE    receipt_shown
         What cannot be shown counts as a violation.
         has_receipt
         read: has_receipt = unknown
         policy where it is open: pessimistic

0 TRUE, 2 FALSE, 1 UNKNOWN, 0 AMBIGUOUS
";
    assert_eq!(run(&["check", &source, "--claims", CLAIMS]).stdout, expected);
}

#[test]
fn a_conversion_is_shown() {
    let folder = folder("conversion");
    let text = "// @unit d km\ndeclare d as numeric;\nassert near { d <= 10 \"km\" };\n";
    let source = file(&folder, "near.dsail", text);
    let money = file(&folder, "money.dsail", text.replace("km", "USD"));
    for (source, value, line) in [
        (&source, "3 mi", "\nd was given as 3 mi and converted from mi to km, factor 1.609344\n"),
        (&money, "3 CAD", "\nd was given as 3 CAD and not converted from CAD to USD: no_path\n"),
    ] {
        let run = run(&["check", source, "--claims", &format!("{{\"d\": \"{value}\"}}")]);
        assert!(run.stdout.contains(line), "{}{}", run.stdout, run.stderr);
    }
    let plain = run(&["check", &source, "--claims", r#"{"d": 3}"#]);
    assert!(!plain.stdout.contains("was given as"), "{}", plain.stdout);
}

#[test]
fn every_problem_is_underlined_and_counted() {
    let folder = folder("problems");
    let text = "declare a as boolean;\nassert b { And(a, c) };\nassert d { a = True };\n";
    let source = file(&folder, "wrong.dsail", text);
    let run = run(&["compile", &source]);
    for text in [
        "error[dsail/undefined]",
        "wrong.dsail:2:19",
        "2 | assert b { And(a, c) };\n  |                   ^\n",
        "error[dsail/single-equals]",
        "= help: ",
        "run `assay docs errors/dsail-single-equals`",
        "error[COMPILE_FAILED]",
    ] {
        assert!(run.stderr.contains(text), "lacks `{text}`\n{}", run.stderr);
    }
}

#[test]
fn every_rejection_is_a_row() {
    let folder = folder("rejections");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let run = run(&["check", &source, "--claims", r#"{"amount": "x", "has_receipt": 1, "b": 2}"#]);
    let fields: Vec<&str> =
        run.stderr.lines().filter_map(|it| it.split_once("  ").map(|it| it.0)).collect();
    for field in ["field", "amount", "has_receipt", "b", "category"] {
        assert!(fields.contains(&field), "{field}: {}", run.stderr);
    }
    assert!(run.stderr.contains("4 fields"), "{}", run.stderr);
}

#[test]
fn nothing_is_wider_than_the_screen() {
    let folder = folder("wide");
    let long = "a_claim_with_a_very_long_name_indeed".repeat(3);
    let (question, description) = ("why ".repeat(60), "because ".repeat(40));
    let operands = [long.as_str(); 9].join(", ");
    let text = format!(
        "// @ask {long} {question}\ndeclare {long} as boolean;\n\
         // {description}\nassert b {{ And({operands}) }};\n"
    );
    let source = file(&folder, "wide.dsail", text);
    let claims = format!("{{\"{long}\": null}}");
    for arguments in [
        vec!["compile", &source],
        vec!["compile", &source, "--review"],
        vec!["prompt-pack", &source],
        vec!["check", &source, "--claims", &claims],
    ] {
        let run = run(&arguments);
        assert_eq!(run.exit, Some(0), "{arguments:?} {}", run.stderr);
        let widest = run.stdout.lines().map(|it| it.chars().count()).max();
        assert!(widest <= Some(80), "{arguments:?} {widest:?}\n{}", run.stdout);
    }
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let folder = folder("colour");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let arguments = ["check", &source, "--claims", CLAIMS];
    let shown = |variables: &[(&str, &str)]| {
        run_with(command().args(arguments).envs(variables.iter().copied()), b"").stdout
    };
    assert!(!shown(&[]).contains('\u{1b}'), "a pipe is no terminal");
    let forced = shown(&[("CLICOLOR_FORCE", "1")]);
    assert!(forced.contains("\u{1b}[1m\u{1b}[31mFALSE\u{1b}[0m"), "{forced:?}");
}

#[test]
fn text_cannot_steer_the_terminal() {
    let folder = folder("steer");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let claims = "{\"amount\": \"\\u001b[2Jx\\u202e\", \"b\\u001b]0;t\": 1}";
    let run = run(&["check", &source, "--claims", claims]);
    assert_eq!(run.exit, Some(2));
    assert!(!run.stderr.contains(['\u{1b}', '\u{202e}']), "{:?}", run.stderr);
    assert!(run.stderr.contains("u{1b}"), "{}", run.stderr);
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    for arguments in [&["docs"][..], &["docs", "--json"], &["--help"], &["version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = command();
        let output = command.args(arguments).stdout(writer).stderr(Stdio::piped()).output();
        let output = output.unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.as_ref()), (Some(0), ""), "{arguments:?}");
    }
}
