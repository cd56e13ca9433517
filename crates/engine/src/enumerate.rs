//! Rung three: trying every completion, where finitely many represent them all.
//!
//! Truth values and members are finite. One undetermined number among them is tried at the
//! samples of the `points` module, which represent the whole line. A completion that leaves an
//! undefined term proves nothing, but two others that differ still prove that both outcomes are
//! possible.

use assay_dsail::ir::{Value, VariableId};

use crate::evaluate::Evaluation;
use crate::meter::{Meter, STEP};
use crate::points;
use crate::policy::Possible;
use crate::program::{Entry, Program};
use crate::question::{Domain, Question, Unknown};

/// Most completions that are tried for one assertion.
const MAX_COMPLETIONS: u64 = 4_096;

/// Most steps that are visited for one check: some ten milliseconds. What would need more is left
/// to the solver, where the meter has the last word on anything else.
const MAX_WORK: u64 = 1 << 21;

/// A variable and everything that it is tried with.
#[derive(Debug)]
pub(crate) struct Axis {
    variable: VariableId,
    candidates: Vec<Value>,
}

/// The values of all variables with room for those that are tried. It is copied when it is first
/// needed and serves all assertions of a check.
#[derive(Debug)]
pub(crate) struct Overlay<'b> {
    given: &'b [Option<Value>],
    meter: &'b Meter<'b>,
    count: usize,
    values: Vec<Option<Value>>,
    /// How many steps may still be visited.
    work: u64,
}

impl<'b> Overlay<'b> {
    /// The given values, with `count` variables in all.
    pub(crate) fn new(given: &'b [Option<Value>], count: usize, meter: &'b Meter<'b>) -> Self {
        Self { given, meter, count, values: Vec::new(), work: MAX_WORK }
    }

    fn values(&mut self) -> &mut [Option<Value>] {
        if self.values.len() < self.count {
            self.values = self.given.to_vec();
            self.values.resize(self.count, None);
        }
        &mut self.values
    }
}

/// The axes of unknowns, none of which is a number; `None` where there are too many completions.
pub(crate) fn axes(unknowns: impl Iterator<Item = Unknown>) -> Option<Vec<Axis>> {
    let (mut axes, mut completions) = (Vec::new(), 1);
    for Unknown { variable, domain } in unknowns {
        let candidates: Vec<_> = match domain {
            Domain::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
            Domain::Members(count) if u64::from(count) <= MAX_COMPLETIONS => {
                (0..count).map(Value::Member).collect()
            }
            Domain::Members(_) | Domain::Number => return None,
        };
        completions *= candidates.len() as u64;
        if completions > MAX_COMPLETIONS {
            return None;
        }
        axes.push(Axis { variable, candidates });
    }
    Some(axes)
}

/// What is possible for the rest of an assertion; `None` where this rung cannot tell.
pub(crate) fn finite(question: &Question, overlay: &mut Overlay<'_>) -> Option<Possible> {
    let is_number = |it: &&Unknown| it.domain == Domain::Number;
    let mut numbers = question.unknowns.iter().filter(is_number);
    let number = numbers.next();
    if numbers.next().is_some() {
        return None;
    }
    let others = question.unknowns.iter().filter(|it| !is_number(it));
    let mut axes = axes(others.copied())?;
    if let Some(number) = number {
        let samples = points::samples(question, overlay.meter)?;
        let candidates = samples.into_iter().map(Value::Number).collect();
        axes.push(Axis { variable: number.variable, candidates });
    }
    let (program, entries) = Program::lower(&question.arena, &[question.root]);
    enumerate(&program, *entries.first()?, overlay, &axes)
}

/// Evaluates a statement for every completion along the axes, until both outcomes were seen.
pub(crate) fn enumerate(
    program: &Program,
    entry: Entry,
    overlay: &mut Overlay<'_>,
    axes: &[Axis],
) -> Option<Possible> {
    let completions = axes.iter().map(|it| it.candidates.len() as u64).product::<u64>();
    let meter = overlay.meter;
    let visits = u64::from(entry.visits?);
    if completions > MAX_COMPLETIONS || completions.saturating_mul(visits) > overlay.work {
        return None;
    }
    let mut tried = 0;
    let values = overlay.values();
    let mut seen = Seen::default();
    for completion in 0..completions {
        if meter.has_refused() || !meter.pay(visits * STEP) {
            seen.undefined = true;
            break;
        }
        tried += 1;
        complete(values, axes, completion);
        seen.record(Evaluation { program, values, meter }.truth(entry.step));
        if seen.both() {
            break;
        }
    }
    for axis in axes {
        set(values, axis.variable, None);
    }
    overlay.work = overlay.work.saturating_sub(tried * visits);
    seen.possible()
}

/// Sets the variables of the axes to the completion of this number: a numeral with one digit for
/// each axis.
fn complete(values: &mut [Option<Value>], axes: &[Axis], completion: u64) {
    let mut rest = completion;
    for axis in axes {
        let base = axis.candidates.len().max(1) as u64;
        let digit = usize::try_from(rest % base).unwrap_or_default();
        rest /= base;
        set(values, axis.variable, axis.candidates.get(digit).cloned());
    }
}

fn set(values: &mut [Option<Value>], variable: VariableId, value: Option<Value>) {
    if let Some(place) = values.get_mut(variable.index()) {
        *place = value;
    }
}

/// Which outcomes were met.
#[derive(Debug, Default)]
struct Seen {
    holds: bool,
    fails: bool,
    undefined: bool,
}

impl Seen {
    fn record(&mut self, truth: Option<bool>) {
        match truth {
            Some(true) => self.holds = true,
            Some(false) => self.fails = true,
            None => self.undefined = true,
        }
    }

    fn both(&self) -> bool {
        self.holds && self.fails
    }

    fn possible(&self) -> Option<Possible> {
        match (self.holds, self.fails) {
            (true, true) => Some(Possible::Both),
            _ if self.undefined => None,
            (true, false) => Some(Possible::Only(true)),
            (false, true) => Some(Possible::Only(false)),
            (false, false) => None,
        }
    }
}
