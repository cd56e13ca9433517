//! The review text: what a ruleset asks and decides, for a person who is about to approve it.
//!
//! It is derived from the typed ruleset on every call and never kept, so it cannot differ from
//! what is asked and decided. Text that an author wrote is indented line by line and rid of
//! characters that do not show, so that it can neither pass for a heading nor hide anything.

use std::fmt::{self, Write};

use assay_base::json::is_invisible;

use crate::answer::{data_type, unknown_is_member, vocabulary};
use crate::compile::UnbridgedPair;
use crate::ir::{Assertion, Claim, LanguageVersion, Policy, Ruleset, Vocabulary};
use crate::question::question;

/// The review text of a ruleset, together with the unit pairs that nothing bridges.
#[must_use]
pub fn review(ruleset: &Ruleset, unbridged: &[UnbridgedPair]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_review(&mut text, ruleset, unbridged);
    text
}

/// One sentence on what a ruleset is.
#[must_use]
pub fn summary(ruleset: &Ruleset) -> String {
    let rules = ruleset.assertions.iter().map(|it| it.name.as_str());
    let rules = listed(rules, ruleset.assertions.len());
    format!("{}: {rules}.", counts(ruleset))
}

/// Most names that a sentence lists.
const LISTED: usize = 8;

fn listed<'a>(names: impl Iterator<Item = &'a str>, count: usize) -> String {
    let shown: Vec<&str> = names.take(LISTED).collect();
    match count.checked_sub(shown.len()) {
        None | Some(0) => shown.join(", "),
        Some(rest) => format!("{} and {rest} more", shown.join(", ")),
    }
}

fn counts(ruleset: &Ruleset) -> String {
    let count = |number: usize, one: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {one}s"),
    };
    let rules = count(ruleset.assertions.len(), "rule");
    format!("{rules} over {}", count(ruleset.claims.len(), "claim"))
}

fn write_review(out: &mut String, ruleset: &Ruleset, unbridged: &[UnbridgedPair]) -> fmt::Result {
    let version = match ruleset.version {
        LanguageVersion::V1_2 => "1.2",
        LanguageVersion::V1_3 => "1.3",
    };
    writeln!(out, "RULESET {}", ruleset.hash)?;
    writeln!(out, "{}, language version {version}", counts(ruleset))?;
    writeln!(out, "\nASKS")?;
    writeln!(out, "Each value comes from the evidence or is left undetermined.")?;
    for (place, claim) in ruleset.claims.iter().enumerate() {
        write_claim(out, ruleset, place + 1, claim)?;
    }
    writeln!(out, "\nDECIDES")?;
    writeln!(out, "Each rule is answered on its own. No overall result is formed.")?;
    for (place, assertion) in ruleset.assertions.iter().enumerate() {
        write_assertion(out, ruleset, place + 1, assertion)?;
    }
    writeln!(out, "\nANSWERS")?;
    write_answers(out, ruleset)?;
    if !unbridged.is_empty() {
        writeln!(out, "\nUNITS THAT NOTHING CONVERTS")?;
        for pair in unbridged {
            write_unbridged(out, pair)?;
        }
    }
    Ok(())
}

fn write_claim(out: &mut String, ruleset: &Ruleset, number: usize, claim: &Claim) -> fmt::Result {
    writeln!(out, "\n{number}. {}", claim.name)?;
    write_text(out, "Question: ", &question(ruleset, claim))?;
    write!(out, "   Answer: {}", data_type(claim.sort))?;
    if let Some(unit) = &claim.unit {
        write!(out, ", in {}", visible(unit.symbol()))?;
    }
    if let Some(range) = &claim.range {
        write!(out, ", from {} to {}, both included", range.low, range.high)?;
    }
    writeln!(out)?;
    if let Some(vocabulary) = vocabulary(ruleset, claim) {
        write_text(out, "Words: ", &words(vocabulary))?;
    }
    if unknown_is_member(ruleset, claim) {
        writeln!(out, "   Undetermined: null, since \"unknown\" is one of the words")?;
    }
    match &claim.context {
        Some(context) => write_text(out, "Context: ", context),
        None => Ok(()),
    }
}

fn words(vocabulary: &Vocabulary) -> String {
    let quoted: Vec<String> = vocabulary.members.iter().map(|it| format!("\"{it}\"")).collect();
    if vocabulary.ordered {
        format!("{} (in this order, lowest first)", quoted.join(" < "))
    } else {
        quoted.join(", ")
    }
}

fn write_assertion(
    out: &mut String,
    ruleset: &Ruleset,
    number: usize,
    assertion: &Assertion,
) -> fmt::Result {
    let line = ruleset.source.line(assertion.span.start);
    writeln!(out, "\n{number}. {} (line {line})", assertion.name)?;
    match &assertion.description {
        Some(description) => write_text(out, "Says: ", description)?,
        None => writeln!(out, "   Says: nothing, since the author left no description")?,
    }
    write_text(out, "TRUE when: ", ruleset.source.slice(assertion.body))?;
    let reads = assertion.reads.iter().filter_map(|it| ruleset.claim(*it));
    let reads: Vec<&str> = reads.map(|it| it.name.as_str()).collect();
    let reads = if reads.is_empty() { "no claim".to_owned() } else { reads.join(", ") };
    writeln!(out, "   Reads: {reads}")?;
    let word = match assertion.policy {
        Policy::Neutral => "UNKNOWN",
        Policy::Pessimistic => "FALSE",
        Policy::Optimistic => "TRUE",
    };
    writeln!(out, "   When undetermined values leave it open: {word} ({})", assertion.policy.word())
}

fn write_answers(out: &mut String, ruleset: &Ruleset) -> fmt::Result {
    let has = |policy: Policy| ruleset.assertions.iter().any(|it| it.policy == policy);
    writeln!(out, "TRUE: the statement holds, whatever the undetermined values are.")?;
    writeln!(out, "FALSE: the statement fails, whatever the undetermined values are.")?;
    if has(Policy::Neutral) {
        writeln!(
            out,
            "UNKNOWN, from a neutral rule: undetermined values leave both outcomes possible. It \
             is neither a pass nor a violation."
        )?;
    }
    if has(Policy::Pessimistic) {
        writeln!(
            out,
            "A pessimistic rule answers FALSE instead: it then says that the statement could not \
             be shown to hold, not that it is known to fail."
        )?;
    }
    if has(Policy::Optimistic) {
        writeln!(
            out,
            "An optimistic rule answers TRUE instead: it then says that the statement could not \
             be shown to fail, not that it is known to hold."
        )?;
    }
    writeln!(
        out,
        "Every rule answers UNKNOWN where the solver's budget runs out, and says so in the reason."
    )?;
    writeln!(out, "AMBIGUOUS: the evidence contradicts itself. No check produces it today.")
}

fn write_unbridged(out: &mut String, pair: &UnbridgedPair) -> fmt::Result {
    let (from, to) = (visible(pair.from.symbol()), visible(pair.to.symbol()));
    let why =
        if pair.ambiguous { "only an interval leads there" } else { "no converter leads there" };
    writeln!(
        out,
        "- {}: {from} to {to}, {why}. Values that need the step leave the rule open.",
        pair.assertion
    )
}

/// Writes a labelled text; its further lines are indented to stand below the first.
fn write_text(out: &mut String, label: &str, text: &str) -> fmt::Result {
    let indent = " ".repeat(label.len());
    for (index, line) in text.lines().enumerate() {
        let lead = if index == 0 { label } else { indent.as_str() };
        writeln!(out, "   {}", format!("{lead}{}", visible(line)).trim_end())?;
    }
    Ok(())
}

/// `text` with characters that do not show written as escapes.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => shown.push_str("    "),
            _ if character.is_control() || is_invisible(character) => {
                shown.extend(character.escape_unicode());
            }
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests;
