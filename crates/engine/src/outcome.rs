//! What is said about one assertion.

use std::fmt::Write as _;

use assay_dsail::ir::{Ruleset, Unit, VariableId};

use crate::limits::{EVALUATION_BUDGET, NUMERAL_BUDGET, RESOURCE_LIMIT};

/// The four words of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// Established.
    True,
    /// Refuted.
    False,
    /// Not established: something needed was not determined.
    Unknown,
    /// The evidence contradicts itself. One value per claim cannot, so no check says this.
    Ambiguous,
}

impl Word {
    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::True => "TRUE",
            Self::False => "FALSE",
            Self::Unknown => "UNKNOWN",
            Self::Ambiguous => "AMBIGUOUS",
        }
    }
}

impl From<bool> for Word {
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// The answer to one assertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The word, after the assertion's policy.
    pub word: Word,
    /// Why the word is `UNKNOWN`; `None` for every other word.
    pub reason: Option<Reason>,
    /// Pairs of units, from and to, that nothing converts exactly and that the answer depends on.
    /// Ascending, each once; also there where a policy has turned `UNKNOWN` into another word.
    pub unbridged: Vec<(Unit, Unit)>,
}

/// Why an assertion is neither established nor refuted. Where several are true, the first of
/// this order is given: the rarer one tells more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// What may be computed for one check was used up; nothing was shown, the solver was not asked,
    /// and the policy is not applied.
    EvaluationBudget {
        /// What each check may spend.
        limit: u64,
    },
    /// The numbers are too long for the solver, which was not asked; nothing was shown, and the
    /// policy is not applied.
    NumeralBudget {
        /// The 64-bit limbs that the long numbers of one question may have.
        limit: u64,
    },
    /// The solver used up its steps; nothing was shown, and the policy is not applied.
    SolverBudget {
        /// The steps that each question was given.
        limit: u32,
    },
    /// The solver ended without an answer before its steps were used up, as it may for products
    /// of undetermined numbers; nothing was shown, and the policy is not applied.
    SolverIncomplete,
    /// The answer depends on a quotient or remainder by zero, which has no value.
    DivisionByZero,
    /// The answer depends on a conversion that no exact one serves, see [`Outcome::unbridged`].
    UnbridgedUnits,
    /// The answer depends on these claims and local names, ascending.
    Undetermined(Vec<VariableId>),
}

impl Reason {
    /// The reason in one line.
    #[must_use]
    pub fn text(&self, ruleset: &Ruleset) -> String {
        match self {
            Self::EvaluationBudget { limit } => format!(
                "the check used up its budget (`{EVALUATION_BUDGET}` of {limit}) before either outcome was shown"
            ),
            Self::NumeralBudget { limit } => format!(
                "the numbers are too long for the solver (`{NUMERAL_BUDGET}` of {limit}), so neither outcome was shown"
            ),
            Self::SolverBudget { limit } => format!(
                "the solver used up its budget (`{RESOURCE_LIMIT}` of {limit}) before either outcome was shown"
            ),
            Self::SolverIncomplete => {
                "the solver has no complete method for this assertion and showed neither outcome"
                    .to_owned()
            }
            Self::DivisionByZero => "the answer depends on a division by zero".to_owned(),
            Self::UnbridgedUnits => {
                "the answer depends on units that no exact conversion bridges".to_owned()
            }
            Self::Undetermined(variables) => {
                let mut text = "the answer depends on what is undetermined:".to_owned();
                for (place, variable) in variables.iter().enumerate() {
                    let separator = if place == 0 { " " } else { ", " };
                    // Writing to a string does not fail.
                    let _ = write!(text, "{separator}`{}`", name(ruleset, *variable));
                }
                text
            }
        }
    }
}

fn name(ruleset: &Ruleset, variable: VariableId) -> &str {
    match ruleset.claim(variable) {
        Some(claim) => &claim.name,
        None => {
            let local = variable.index().checked_sub(ruleset.claims.len());
            local.and_then(|it| ruleset.locals.get(it)).map_or("", |it| &it.name)
        }
    }
}
