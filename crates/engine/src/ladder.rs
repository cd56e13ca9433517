//! The first three rungs, from the cheapest to the dearest; the first that can decide does.

use assay_dsail::bind::Bound;
use assay_dsail::ir::{Unit, VariableId};

use crate::enumerate::{Overlay, axes, enumerate, finite};
use crate::evaluate::Evaluation;
use crate::outcome::{Outcome, Reason, Word};
use crate::plan::{Plan, Planned};
use crate::policy::{Possible, word};
use crate::question::{Question, Unknown};

impl Plan {
    /// Decides what needs no solver, in the order of the assertions; `None` is left to
    /// [`crate::Engine::check`]. A pure function of plan and values.
    #[must_use]
    pub fn quick(&self, bound: &Bound) -> Vec<Option<Outcome>> {
        self.climb(bound).into_iter().map(Result::ok).collect()
    }

    /// As [`Plan::quick`], with what remains of the assertions that are left.
    pub(crate) fn climb(&self, bound: &Bound) -> Vec<Result<Outcome, Box<Question>>> {
        let evaluation = Evaluation { program: &self.program, values: &bound.values };
        let mut overlay = Overlay::new(&bound.values, self.variable_count());
        let mut climbed = Vec::with_capacity(self.assertions.len());
        for (place, planned) in self.assertions.iter().enumerate() {
            let entry = planned.entry;
            let truth = entry.visits.and_then(|_| evaluation.truth(entry.step));
            climbed.push(match truth {
                Some(holds) => Ok(forced(holds)),
                None => self.undetermined(place, planned, bound, &mut overlay),
            });
        }
        climbed
    }

    #[cold]
    fn undetermined(
        &self,
        place: usize,
        planned: &Planned,
        bound: &Bound,
        overlay: &mut Overlay<'_>,
    ) -> Result<Outcome, Box<Question>> {
        let unknowns: Vec<_> = self.unknowns(planned, bound).collect();
        let tried = axes(unknowns.iter().copied())
            .and_then(|axes| enumerate(&self.program, planned.entry, overlay, &axes));
        match tried {
            Some(Possible::Only(holds)) => return Ok(forced(holds)),
            Some(Possible::Both) if unknowns.len() == 1 => {
                let parts = Parts { unknowns: &unknowns, undefined: false };
                return Ok(self.outcome(place, Possible::Both, &parts, bound));
            }
            Some(Possible::Both) | None => {}
        }
        let question = Question::remaining(self, planned.root, &bound.values);
        if let Some(holds) = question.settled() {
            return Ok(forced(holds));
        }
        match tried.or_else(|| finite(&question, overlay)) {
            Some(possible) => Ok(self.outcome(place, possible, &Parts::of(&question), bound)),
            None => Err(Box::new(question)),
        }
    }

    fn unknowns(&self, planned: &Planned, bound: &Bound) -> impl Iterator<Item = Unknown> {
        let unknown = |it: &&VariableId| !matches!(bound.values.get(it.index()), Some(Some(_)));
        planned.reads.iter().filter(unknown).map(|variable| {
            let variable = *variable;
            Unknown { variable, domain: self.domain(variable) }
        })
    }

    /// The outcome of the assertion at a place, of which these parts remain.
    pub(crate) fn outcome(
        &self,
        place: usize,
        possible: Possible,
        parts: &Parts<'_>,
        bound: &Bound,
    ) -> Outcome {
        if let Possible::Only(holds) = possible {
            return forced(holds);
        }
        let policy = self.ruleset.assertions.get(place).map(|it| it.policy);
        let word = policy.map_or(Word::Unknown, |policy| word(possible, policy));
        let unbridged = self.unbridged(parts.unknowns, bound);
        let reason = (word == Word::Unknown).then(|| {
            if parts.undefined {
                Reason::DivisionByZero
            } else if unbridged.is_empty() {
                Reason::Undetermined(parts.unknowns.iter().map(|it| it.variable).collect())
            } else {
                Reason::UnbridgedUnits
            }
        });
        Outcome { word, reason, unbridged }
    }

    /// The units that stand between the unknowns and their values, ascending, each pair once.
    pub(crate) fn unbridged(&self, unknowns: &[Unknown], bound: &Bound) -> Vec<(Unit, Unit)> {
        let mut pairs: Vec<_> = unknowns
            .iter()
            .filter_map(|Unknown { variable, .. }| {
                let conversion = self.unresolved(*variable).cloned();
                conversion.or_else(|| {
                    let claim = bound.unbridged.iter().find(|it| it.variable == *variable)?;
                    Some((claim.from.clone(), claim.to.clone()))
                })
            })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// What an undecided answer depends on.
#[derive(Debug)]
pub(crate) struct Parts<'q> {
    pub(crate) unknowns: &'q [Unknown],
    /// Whether a quotient or remainder by zero is among it.
    pub(crate) undefined: bool,
}

impl<'q> Parts<'q> {
    pub(crate) fn of(question: &'q Question) -> Self {
        Self { unknowns: &question.unknowns, undefined: question.undefined }
    }
}

fn forced(holds: bool) -> Outcome {
    Outcome { word: holds.into(), reason: None, unbridged: Vec::new() }
}
