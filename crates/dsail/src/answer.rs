//! What counts as an answer for a claim: the one account that the manifest, the schema, the
//! contract, the prompts and the rejections share.

use std::fmt::Write as _;

use assay_base::canonical::Slot;
use assay_base::json::printable;

use crate::ir::{Claim, Range, Ruleset, Sort, Vocabulary};

/// The word that says that a claim could not be determined.
pub(crate) const UNKNOWN: &str = "unknown";

/// The pattern of a number that is submitted as a string, in the syntax that JSON Schema uses.
pub(crate) const NUMERAL_PATTERN: &str = "-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?";
/// The pattern of a unit behind its number, with the space between them.
pub(crate) const UNIT_PATTERN: &str = " [^ 0-9\"\\\\][^\"\\\\]*";

/// Most members and most bytes of a vocabulary that a rejection lists.
const LISTED_MEMBERS: usize = 12;
const LISTED_BYTES: usize = 200;

/// The word of a claim's type on the wire.
#[must_use]
pub(crate) const fn data_type(sort: Sort) -> &'static str {
    match sort {
        Sort::Boolean => "boolean",
        Sort::Number => "numeric",
        Sort::Member(_) => "enum",
    }
}

/// The vocabulary of an enum claim.
#[must_use]
pub(crate) fn vocabulary<'r>(ruleset: &'r Ruleset, claim: &Claim) -> Option<&'r Vocabulary> {
    match claim.sort {
        Sort::Member(id) => Some(ruleset.vocabulary(id)),
        Sort::Boolean | Sort::Number => None,
    }
}

/// Whether the word `unknown` is a member of the claim's own vocabulary. Then the word is that
/// member, and only `null` says that the claim is undetermined. Letter case counts, as it does
/// for every member: `Unknown` is another word.
#[must_use]
pub(crate) fn unknown_is_member(ruleset: &Ruleset, claim: &Claim) -> bool {
    vocabulary(ruleset, claim).is_some_and(|it| it.members.iter().any(|it| it == UNKNOWN))
}

/// Writes the value that says undetermined for a claim: `"unknown"`, or `null` where that word is
/// a member.
pub(crate) fn write_undetermined(slot: Slot<'_>, ruleset: &Ruleset, claim: &Claim) {
    let is_member = unknown_is_member(ruleset, claim);
    slot.optional_string((!is_member).then_some(UNKNOWN));
}

/// Writes bounds as `{max, min}`, each exact and without a fraction where it is an integer.
pub(crate) fn write_range(slot: Slot<'_>, range: &Range) {
    slot.object(|object| {
        object.key("max").number(&range.high);
        object.key("min").number(&range.low);
    });
}

/// What a claim accepts, in words that fit behind "expected". Long vocabularies are cut and the
/// rest counted, so that a rejection stays small whatever the ruleset holds.
#[must_use]
pub(crate) fn expected(ruleset: &Ruleset, claim: &Claim) -> String {
    let undetermined =
        if unknown_is_member(ruleset, claim) { "null" } else { "\"unknown\" or null" };
    match claim.sort {
        Sort::Boolean => format!("true or false, or {undetermined}"),
        Sort::Number => format!("{}, or {undetermined}", number(claim)),
        Sort::Member(id) => {
            format!("one of {}, or {undetermined}", members(ruleset.vocabulary(id)))
        }
    }
}

/// The number that a claim takes: its unit and its bounds.
#[must_use]
pub(crate) fn number(claim: &Claim) -> String {
    let mut text = "a number".to_owned();
    // Writing to a string does not fail.
    if let Some(unit) = &claim.unit {
        let _ = write!(text, " in {unit}");
    }
    if let Some(range) = &claim.range {
        let _ = write!(text, " from {} to {}", range.low, range.high);
    }
    text
}

fn members(vocabulary: &Vocabulary) -> String {
    let mut text = String::new();
    for (index, member) in vocabulary.members.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        if index >= LISTED_MEMBERS || text.len() + member.len() > LISTED_BYTES {
            let rest = vocabulary.members.len() - index;
            let _ = write!(text, "{separator}and {rest} more");
            break;
        }
        let _ = write!(text, "{separator}\"{}\"", printable(member));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::expected;
    use crate::fixture::Rules;

    #[test]
    fn expectations_name_type_unit_bounds_and_members() {
        let mut rules = Rules::new();
        rules.boolean("b");
        rules.number("n");
        rules.quantity("q", "USD", Some(("0", "1e6")));
        rules.member("m", &["a", "n/a"], false);
        rules.member("u", &["unknown", "known"], false);
        let many: Vec<String> = (0..100).map(|it| format!("m{it}")).collect();
        rules.member("v", &many.iter().map(String::as_str).collect::<Vec<_>>(), false);
        let long = "x".repeat(250);
        rules.member("w", &["y", &long], false);
        let ruleset = rules.build();
        let texts: Vec<_> = ruleset.claims.iter().map(|it| expected(&ruleset, it)).collect();
        assert_eq!(
            texts[..5],
            [
                "true or false, or \"unknown\" or null",
                "a number, or \"unknown\" or null",
                "a number in USD from 0 to 1000000, or \"unknown\" or null",
                "one of \"a\", \"n/a\", or \"unknown\" or null",
                "one of \"unknown\", \"known\", or null",
            ]
        );
        assert!(texts[5].ends_with("\"m11\", and 88 more, or \"unknown\" or null"), "{}", texts[5]);
        assert_eq!(texts[6], "one of \"y\", and 1 more, or \"unknown\" or null");
    }
}
