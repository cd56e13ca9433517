//! The text that a person approves, as a whole.

use super::{review, summary};
use crate::compile::{Options, compile};
use crate::fixture::{Rules, expenses};
use crate::ir::Policy;
use crate::units::Library;

#[test]
fn the_review_shows_what_is_asked_and_decided() {
    let ruleset = expenses();
    let expected = format!(
        r#"RULESET {}
2 rules over 4 claims, language version 1.3

ASKS
Each value comes from the evidence or is left undetermined.

1. amount
   Question: What is the total of the expense, in USD?
   Answer: numeric, in USD, from 0 to 1000000, both included
   Context: Tips count.

2. has_receipt
   Question: Is this true: has receipt?
   Answer: boolean

3. category
   Question: What is the category: travel, meals or other?
   Answer: enum
   Words: "travel", "meals", "other"

4. tier
   Question: What is the tier: low, unknown or high?
   Answer: enum
   Words: "low" < "unknown" < "high" (in this order, lowest first)
   Undetermined: null, since "unknown" is one of the words

DECIDES
Each rule is answered on its own. No overall result is formed.

1. within_cap (line 1)
   Says: No expense is above the cap.
   TRUE when: amount <= 25000 "USD"
   Reads: amount
   When undetermined values leave it open: UNKNOWN (neutral)

2. receipt_over_75 (line 2)
   Says: nothing, since the author left no description
   TRUE when: Implies(amount > 75 "USD", has_receipt)
   Reads: amount, has_receipt
   When undetermined values leave it open: FALSE (pessimistic)

ANSWERS
TRUE: the statement holds, whatever the undetermined values are.
FALSE: the statement fails, whatever the undetermined values are.
UNKNOWN, from a neutral rule: undetermined values leave both outcomes possible. It is neither a pass nor a violation.
A pessimistic rule answers FALSE instead: it then says that the statement could not be shown to hold, not that it is known to fail.
Every rule answers UNKNOWN where the solver's budget runs out, and says so in the reason.
AMBIGUOUS: the evidence contradicts itself. No check produces it today.
"#,
        ruleset.hash
    );
    assert_eq!(review(&ruleset, &[]), expected);
}

#[test]
fn units_that_nothing_converts_are_named() {
    let source = concat!(
        "// @unit price USD\ndeclare price as numeric;\n// @unit wait d\ndeclare wait as numeric;\n",
        "assert cheap { price < 5 \"EUR\" };\nassert soon { wait < 2 \"mo\" };\n",
    );
    let options = Options { require_descriptions: false };
    let compilation = compile(source, Library::standard(), options).unwrap();
    let text = review(&compilation.ruleset.unwrap(), &compilation.unbridged);
    let (_, section) = text.split_once("\nUNITS THAT NOTHING CONVERTS\n").unwrap();
    let lines: Vec<&str> = section.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("- cheap: EUR to USD, no converter leads there"), "{section}");
    assert!(lines[1].starts_with("- soon: mo to d, only an interval leads there"), "{section}");
}

#[test]
fn an_authors_text_cannot_pass_for_the_review() {
    let mut rules = Rules::new();
    let claim = rules.boolean("flag");
    claim.question = Some("Is it?\n\nDECIDES\n1. nothing".to_owned());
    claim.context = Some("a\u{202e}b\u{1b}[2Jc\td".to_owned());
    let rule = rules.assertion("x", Policy::Optimistic, "Or(\n  flag,\n  flag\n)");
    rule.description = Some("first line\nANSWERS\nTRUE: always".to_owned());
    let text = review(&rules.build(), &[]);
    let headings: Vec<&str> =
        text.lines().filter(|it| ["ASKS", "DECIDES", "ANSWERS"].contains(it)).collect();
    assert_eq!(headings, ["ASKS", "DECIDES", "ANSWERS"]);
    assert!(text.contains("   Context: a\\u{202e}b\\u{1b}[2Jc    d\n"), "{text}");
    assert!(
        text.contains(
            "   TRUE when: Or(\n                flag,\n                flag\n              )\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("   Says: first line\n         ANSWERS\n         TRUE: always\n"),
        "{text}"
    );
}

#[test]
fn the_summary_is_one_sentence() {
    assert_eq!(summary(&expenses()), "2 rules over 4 claims: within_cap, receipt_over_75.");
    let mut rules = Rules::new();
    rules.boolean("flag");
    rules.assertion("only", Policy::Neutral, "flag");
    assert_eq!(summary(&rules.build()), "1 rule over 1 claim: only.");
    let mut rules = Rules::new();
    rules.boolean("flag");
    for rule in 0..10 {
        rules.assertion(&format!("r{rule}"), Policy::Neutral, "flag");
    }
    assert_eq!(
        summary(&rules.build()),
        "10 rules over 1 claim: r0, r1, r2, r3, r4, r5, r6, r7 and 2 more."
    );
}
