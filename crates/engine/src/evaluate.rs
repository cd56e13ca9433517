//! Rungs one and two: exact evaluation, in which what is not known makes a result unknown only
//! where the result depends on it.
//!
//! `And`, `Or` and `If` are those of Kleene. A product is known where one factor is zero. A
//! quotient or remainder by zero is an unknown number, as is a conversion that nothing resolves.
//! A number whose arithmetic the meter refuses is unknown as well. Known results are therefore right
//! for every value of what is not known.

use assay_base::Rational;
use assay_dsail::arena::Comparison;
use assay_dsail::ir::Value;

use crate::meter::{Arithmetic, Meter};
use crate::program::{List, Program, Step, StepId};

/// A program, the values of its variables by their place, and what evaluating may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evaluation<'e> {
    pub(crate) program: &'e Program,
    pub(crate) values: &'e [Option<Value>],
    pub(crate) meter: &'e Meter<'e>,
}

/// A number, copied only where it was computed.
#[derive(Debug, Clone)]
enum Number<'e> {
    Given(&'e Rational),
    Computed(Rational),
    Unknown,
}

impl Number<'_> {
    fn get(&self) -> Option<&Rational> {
        match self {
            Self::Given(value) => Some(value),
            Self::Computed(value) => Some(value),
            Self::Unknown => None,
        }
    }

    fn is_zero(&self) -> bool {
        self.get().is_some_and(Rational::is_zero)
    }
}

impl<'e> Evaluation<'e> {
    /// The truth value of a step, where what is known forces one. Entries without visits are too
    /// deep for this.
    pub(crate) fn truth(&self, step: StepId) -> Option<bool> {
        match self.program.step(step) {
            Step::Boolean(value) => Some(value),
            Step::Variable(place) => match self.value(place)? {
                Value::Boolean(value) => Some(*value),
                Value::Number(_) | Value::Member(_) => None,
            },
            Step::Not(a) => Some(!self.truth(a)?),
            Step::And(list) => self.connect(list, true),
            Step::Or(list) => self.connect(list, false),
            Step::Same(a, b) => Some(self.truth(a)? == self.truth(b)?),
            Step::If(condition, then, otherwise) => match self.truth(condition) {
                Some(true) => self.truth(then),
                Some(false) => self.truth(otherwise),
                None => {
                    let value = self.truth(then)?;
                    (self.truth(otherwise)? == value).then_some(value)
                }
            },
            Step::AtMost(comparison, variable, constant) => {
                let value = self.known_number(variable)?;
                let order = self.meter.order(value, self.program.constant(constant))?;
                Some(comparison.holds(order))
            }
            Step::AtLeast(comparison, constant, variable) => {
                let value = self.known_number(variable)?;
                let order = self.meter.order(self.program.constant(constant), value)?;
                Some(comparison.holds(order))
            }
            Step::IsMember(variable, place) => match self.value(variable)? {
                Value::Member(value) => Some(*value == place),
                Value::Boolean(_) | Value::Number(_) => None,
            },
            Step::Compare(comparison, a, b) => self.compare(comparison, a, b),
            Step::Rank(comparison, a, b) => {
                Some(comparison.holds(self.member(a)?.cmp(&self.member(b)?)))
            }
            Step::Number(_)
            | Step::Member(_)
            | Step::Add(_)
            | Step::Multiply(..)
            | Step::Divide(..)
            | Step::Modulo(..)
            | Step::Unknown => None,
        }
    }

    fn value(&self, place: u32) -> Option<&'e Value> {
        self.values.get(place as usize)?.as_ref()
    }

    fn known_number(&self, place: u32) -> Option<&'e Rational> {
        match self.value(place)? {
            Value::Number(value) => Some(value),
            Value::Boolean(_) | Value::Member(_) => None,
        }
    }

    /// `And` with the neutral element true, `Or` with false.
    fn connect(&self, list: List, neutral: bool) -> Option<bool> {
        let mut result = Some(neutral);
        for step in self.program.list(list) {
            match self.truth(*step) {
                Some(value) if value == neutral => {}
                Some(value) => return Some(value),
                None => result = None,
            }
        }
        result
    }

    fn compare(&self, comparison: Comparison, a: StepId, b: StepId) -> Option<bool> {
        let left = self.number(a);
        let left = left.get()?;
        let right = self.number(b);
        Some(comparison.holds(self.meter.order(left, right.get()?)?))
    }

    fn number(&self, step: StepId) -> Number<'e> {
        let known = |value: Option<Rational>| value.map_or(Number::Unknown, Number::Computed);
        match self.program.step(step) {
            Step::Number(place) => Number::Given(self.program.constant(place)),
            Step::Variable(place) => {
                self.known_number(place).map_or(Number::Unknown, Number::Given)
            }
            Step::If(condition, then, otherwise) => match self.truth(condition) {
                Some(true) => self.number(then),
                Some(false) => self.number(otherwise),
                None => {
                    let (then, otherwise) = (self.number(then), self.number(otherwise));
                    if then.get() == otherwise.get() { then } else { Number::Unknown }
                }
            },
            Step::Add(list) => known(self.sum(list)),
            Step::Multiply(a, b) => self.product(a, b),
            Step::Divide(a, b) => known(self.ratio(Arithmetic::Divide, a, b)),
            Step::Modulo(a, b) => known(self.ratio(Arithmetic::Modulo, a, b)),
            Step::Boolean(_)
            | Step::Member(_)
            | Step::Not(_)
            | Step::And(_)
            | Step::Or(_)
            | Step::Same(..)
            | Step::Compare(..)
            | Step::AtMost(..)
            | Step::AtLeast(..)
            | Step::Rank(..)
            | Step::IsMember(..)
            | Step::Unknown => Number::Unknown,
        }
    }

    fn sum(&self, list: List) -> Option<Rational> {
        let mut sum = Rational::ZERO;
        for step in self.program.list(list) {
            sum = self.meter.compute(Arithmetic::Add, &sum, self.number(*step).get()?)?;
        }
        Some(sum)
    }

    fn product(&self, a: StepId, b: StepId) -> Number<'e> {
        let left = self.number(a);
        if left.is_zero() {
            return left;
        }
        let right = self.number(b);
        if right.is_zero() {
            return right;
        }
        match (left.get(), right.get()) {
            (Some(left), Some(right)) => {
                let product = self.meter.compute(Arithmetic::Multiply, left, right);
                product.map_or(Number::Unknown, Number::Computed)
            }
            _ => Number::Unknown,
        }
    }

    fn ratio(&self, operation: Arithmetic, a: StepId, b: StepId) -> Option<Rational> {
        let left = self.number(a);
        self.meter.compute(operation, left.get()?, self.number(b).get()?)
    }

    fn member(&self, step: StepId) -> Option<u32> {
        match self.program.step(step) {
            Step::Member(place) => Some(place),
            Step::Variable(place) => match self.value(place)? {
                Value::Member(place) => Some(*place),
                Value::Boolean(_) | Value::Number(_) => None,
            },
            Step::If(condition, then, otherwise) => match self.truth(condition) {
                Some(true) => self.member(then),
                Some(false) => self.member(otherwise),
                None => {
                    let place = self.member(then)?;
                    (self.member(otherwise)? == place).then_some(place)
                }
            },
            _ => None,
        }
    }
}
