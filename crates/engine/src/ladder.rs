//! The first three rungs, from the cheapest to the dearest; the first that can decide does.

use assay_dsail::bind::Bound;
use assay_dsail::ir::{Unit, VariableId};

use crate::enumerate::{Overlay, axes, enumerate, finite};
use crate::evaluate::Evaluation;
use crate::limits::QUICK_LIMIT;
use crate::meter::{Meter, STEP};
use crate::outcome::{Outcome, Reason, Word};
use crate::plan::{Plan, Planned};
use crate::policy::{Possible, word};
use crate::program::Entry;
use crate::question::{Question, Unknown};

impl Plan {
    /// Decides what needs no solver and about a millisecond, in the order of the assertions; `None`
    /// is left to [`crate::Engine::check`]. A pure function of plan and values.
    ///
    /// Where the millisecond is used up, that assertion and all behind it are left, so that what is
    /// decided here is what [`crate::Engine::check`] decides.
    #[must_use]
    pub fn quick(&self, bound: &Bound) -> Vec<Option<Outcome>> {
        let meter = Meter::new(QUICK_LIMIT);
        let mut climb = Climb::new(self, bound, &meter);
        let mut outcomes = Vec::with_capacity(self.assertions.len());
        for (place, planned) in self.assertions.iter().enumerate() {
            let outcome = match climb.truth(planned) {
                Some(holds) => Some(forced(holds)),
                None => climb.undetermined(place, planned).ok(),
            };
            if meter.has_refused() {
                break;
            }
            outcomes.push(outcome);
        }
        outcomes.resize(self.assertions.len(), None);
        outcomes
    }

    fn unknowns(&self, planned: &Planned, bound: &Bound) -> impl Iterator<Item = Unknown> {
        let unknown = |it: &&VariableId| !matches!(bound.values.get(it.index()), Some(Some(_)));
        planned.reads.iter().filter(unknown).map(|variable| {
            let variable = *variable;
            Unknown { variable, domain: self.domain(variable) }
        })
    }

    /// The outcome of an assertion of which nothing was shown because a budget does not suffice.
    pub(crate) fn unpaid(&self, planned: &Planned, reason: Reason, bound: &Bound) -> Outcome {
        let unknowns: Vec<_> = self.unknowns(planned, bound).collect();
        let unbridged = self.unbridged(&unknowns, bound);
        Outcome { word: Word::Unknown, reason: Some(reason), unbridged }
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

/// Why an assertion has no outcome yet.
#[derive(Debug)]
pub(crate) enum Left {
    /// The meter refused something that the answer may depend on.
    Refused,
    /// This is for the solver.
    Question(Box<Question>),
}

/// The way up the first three rungs, for the assertions of one check in their order.
#[derive(Debug)]
pub(crate) struct Climb<'c> {
    plan: &'c Plan,
    bound: &'c Bound,
    meter: &'c Meter<'c>,
    overlay: Overlay<'c>,
}

impl<'c> Climb<'c> {
    pub(crate) fn new(plan: &'c Plan, bound: &'c Bound, meter: &'c Meter<'c>) -> Self {
        let overlay = Overlay::new(&bound.values, plan.variable_count(), meter);
        Self { plan, bound, meter, overlay }
    }

    /// The outcome of the assertion at a place, or what remains of it.
    pub(crate) fn rung(&mut self, place: usize, planned: &Planned) -> Result<Outcome, Left> {
        match self.truth(planned) {
            Some(holds) => Ok(forced(holds)),
            None => self.undetermined(place, planned),
        }
    }

    /// The truth value of an assertion that evaluation alone decides.
    #[inline]
    fn truth(&self, planned: &Planned) -> Option<bool> {
        let Entry { step, visits } = planned.entry;
        if !self.meter.pay(u64::from(visits?) * STEP) {
            return None;
        }
        let (program, values) = (&self.plan.program, &self.bound.values);
        Evaluation { program, values, meter: self.meter }.truth(step)
    }

    #[cold]
    fn undetermined(&mut self, place: usize, planned: &Planned) -> Result<Outcome, Left> {
        let (plan, bound) = (self.plan, self.bound);
        if self.meter.has_refused() {
            return Err(Left::Refused);
        }
        let unknowns: Vec<_> = plan.unknowns(planned, bound).collect();
        let tried = axes(unknowns.iter().copied())
            .and_then(|axes| enumerate(&plan.program, planned.entry, &mut self.overlay, &axes));
        match tried {
            Some(Possible::Only(holds)) => return Ok(forced(holds)),
            Some(Possible::Both) if unknowns.len() == 1 => {
                let parts = Parts { unknowns: &unknowns, undefined: false };
                return Ok(plan.outcome(place, Possible::Both, &parts, bound));
            }
            Some(Possible::Both) | None => {}
        }
        if self.meter.has_refused() || !self.meter.pay(planned.cost) {
            return Err(Left::Refused);
        }
        let question = Question::remaining(plan, planned.root, &bound.values, self.meter);
        let question = question.ok_or(Left::Refused)?;
        if let Some(holds) = question.settled() {
            return Ok(forced(holds));
        }
        match tried.or_else(|| finite(&question, &mut self.overlay)) {
            Some(possible) => Ok(plan.outcome(place, possible, &Parts::of(&question), bound)),
            None if self.meter.has_refused() => Err(Left::Refused),
            None => Err(Left::Question(Box::new(question))),
        }
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
