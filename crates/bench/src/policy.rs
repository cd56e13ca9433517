//! The policy that every entrant is given: limits of an amount, and receipts above a limit.
//!
//! Rules at even places say `amount <= LIMIT`, rules at odd places say that an amount above the
//! limit has a receipt. Limits differ from rule to rule, so that nobody gains from equal rules.

use std::fmt::Write as _;

/// The rules.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) rules: Vec<Rule>,
}

/// One rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) limit: i64,
    pub(crate) form: Form,
}

/// What a rule says of its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The amount does not exceed it.
    Cap,
    /// An amount above it has a receipt.
    Receipt,
}

/// The facts of one case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) amount: i64,
    pub(crate) has_receipt: Option<bool>,
}

impl Facts {
    /// The facts as a JSON object.
    pub(crate) fn to_json(self) -> String {
        let receipt = self.has_receipt.map_or("null".to_owned(), |it| it.to_string());
        format!("{{\"amount\": {}, \"has_receipt\": {receipt}}}", self.amount)
    }
}

impl Policy {
    pub(crate) fn new(count: usize) -> Self {
        let rule = |place: usize| Rule {
            name: format!("rule_{place}"),
            limit: i64::try_from(place + 1).unwrap_or(i64::MAX).saturating_mul(100),
            form: if place.is_multiple_of(2) { Form::Cap } else { Form::Receipt },
        };
        Self { rules: (0..count).map(rule).collect() }
    }

    /// Facts that half of the rules hold for. The amount lies in the middle of the limits.
    pub(crate) fn facts(&self) -> Facts {
        let middle = self.rules.get(self.rules.len() / 2).map_or(0, |it| it.limit);
        Facts { amount: middle + 50, has_receipt: Some(false) }
    }

    /// Which rules hold; `None` where it depends on the receipt.
    pub(crate) fn right(&self, facts: Facts) -> Vec<Option<bool>> {
        let verdict = |rule: &Rule| match (facts.amount <= rule.limit, rule.form) {
            (true, _) => Some(true),
            (false, Form::Cap) => Some(false),
            (false, Form::Receipt) => facts.has_receipt,
        };
        self.rules.iter().map(verdict).collect()
    }

    /// The rules in each language, one text for each rule.
    pub(crate) fn texts(&self, text: impl Fn(&Rule) -> String) -> Vec<String> {
        self.rules.iter().map(text).collect()
    }

    /// The ruleset for Assay.
    pub(crate) fn dsail(&self) -> String {
        let mut source = "version 1.3;\n\n\
            // @ask amount What is the amount, in USD?\n\
            // @unit amount USD\n\
            declare amount as numeric;\n\n\
            // @ask has_receipt Is there a receipt?\n\
            declare has_receipt as boolean;\n"
            .to_owned();
        for Rule { name, limit, form } in &self.rules {
            let (description, statement) = match form {
                Form::Cap => (
                    format!("The amount is at most {limit} dollars."),
                    format!("amount <= {limit} \"USD\""),
                ),
                Form::Receipt => (
                    format!("Above {limit} dollars there is a receipt."),
                    format!("Implies(amount > {limit} \"USD\", has_receipt)"),
                ),
            };
            // Writing to a string does not fail.
            let _ = write!(source, "\n// {description}\nassert {name} {{ {statement} }};\n");
        }
        source
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, Policy};

    #[test]
    fn verdicts_follow_from_the_facts() {
        let policy = Policy::new(4);
        let right = |has_receipt| policy.right(Facts { amount: 250, has_receipt });
        assert_eq!(right(Some(true)), [false, true, true, true].map(Some));
        assert_eq!(right(Some(false)), [false, false, true, true].map(Some));
        assert_eq!(right(None), [Some(false), None, Some(true), Some(true)]);
    }
}
