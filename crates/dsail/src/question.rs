//! The question that a claim is asked with.

use std::fmt::Write as _;

use crate::ir::{Claim, Ruleset, Sort};

/// Most members of a vocabulary that a generated question lists.
const LISTED: usize = 8;

/// The question of `@ask`, or one made from the claim's name and type where there is none.
#[must_use]
pub(crate) fn question(ruleset: &Ruleset, claim: &Claim) -> String {
    match &claim.question {
        Some(question) => question.clone(),
        None => generated(ruleset, claim),
    }
}

fn generated(ruleset: &Ruleset, claim: &Claim) -> String {
    let words = words(&claim.name);
    match claim.sort {
        Sort::Boolean => format!("Is this true: {words}?"),
        Sort::Number => match &claim.unit {
            Some(unit) => format!("What is the {words}, in {unit}?"),
            None => format!("What is the {words}?"),
        },
        Sort::Member(id) => {
            let members = &ruleset.vocabulary(id).members;
            match members.split_last() {
                Some((last, others)) if !others.is_empty() && others.len() < LISTED => {
                    format!("What is the {words}: {} or {last}?", others.join(", "))
                }
                _ => format!("What is the {words}?"),
            }
        }
    }
}

/// The words of a name: `loanAmount` and `loan_amount` both read `loan amount`.
///
/// A run of capitals is one word and keeps them, as in `totalInUSD`; its last letter begins the
/// next word where a small one follows, as in `USDAmount`.
#[must_use]
pub(crate) fn words(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let mut text = String::with_capacity(name.len() + 4);
    let mut word = String::new();
    for (index, &character) in characters.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|it| characters.get(it));
        let after = characters.get(index + 1);
        let starts_word = character.is_ascii_uppercase()
            && before.is_some_and(|it| {
                !it.is_ascii_uppercase() || after.is_some_and(char::is_ascii_lowercase)
            });
        if starts_word || character == '_' {
            push_word(&mut text, &word);
            word.clear();
        }
        if character != '_' {
            word.push(character);
        }
    }
    push_word(&mut text, &word);
    if text.is_empty() { name.to_owned() } else { text }
}

fn push_word(text: &mut String, word: &str) {
    if word.is_empty() {
        return;
    }
    let separator = if text.is_empty() { "" } else { " " };
    let is_acronym = word.len() > 1 && !word.bytes().any(|it| it.is_ascii_lowercase());
    let word = if is_acronym { word.to_owned() } else { word.to_ascii_lowercase() };
    // Writing to a string does not fail.
    let _ = write!(text, "{separator}{word}");
}

#[cfg(test)]
mod tests {
    use super::{question, words};
    use crate::fixture::Rules;

    #[test]
    fn names_fall_into_words() {
        for (name, expected) in [
            ("loanAmount", "loan amount"),
            ("loan_amount", "loan amount"),
            ("has_receipt", "has receipt"),
            ("LoanAmount", "loan amount"),
            ("totalInUSD", "total in USD"),
            ("USDAmount", "USD amount"),
            ("days_to_notice", "days to notice"),
            ("__x__", "x"),
            ("_", "_"),
            ("x2Y3", "x2 Y3"),
            ("a", "a"),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn a_question_is_made_where_none_is_written() {
        let mut rules = Rules::new();
        rules.number("loanAmount").unit = Some(crate::ir::Unit::new("USD"));
        rules.number("reason_count");
        rules.boolean("hasAppraisal");
        rules.member("riskTier", &["low", "medium", "high"], true);
        rules.member("only", &["one"], false);
        let long: Vec<String> = (0..20).map(|it| format!("m{it}")).collect();
        rules.member("code", &long.iter().map(String::as_str).collect::<Vec<_>>(), false);
        rules.boolean("asked").question = Some("Was it asked?".to_owned());
        let ruleset = rules.build();
        let questions: Vec<_> = ruleset.claims.iter().map(|it| question(&ruleset, it)).collect();
        assert_eq!(
            questions,
            [
                "What is the loan amount, in USD?",
                "What is the reason count?",
                "Is this true: has appraisal?",
                "What is the risk tier: low, medium or high?",
                "What is the only?",
                "What is the code?",
                "Was it asked?",
            ]
        );
    }
}
