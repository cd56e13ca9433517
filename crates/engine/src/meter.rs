//! What the first three rungs of one check may still cost.
//!
//! Work is paid for before it is done. Where the rest does not suffice the work is refused and
//! nothing is taken, so a cheap assertion is still answered behind a dear one. What was refused
//! counts as unknown, which keeps every truth value that is found right; the assertion at hand is
//! marked, so that nobody takes the missing number for an undetermined one.

use std::cell::Cell;
use std::cmp::Ordering;

use assay_base::{Operation, Rational};

use crate::cancel::Cancel;

/// What evaluating one step costs besides its arithmetic.
pub(crate) const STEP: u64 = 8;

/// What one node of a question costs to copy, to lay out and to look through.
pub(crate) const NODE: u64 = 256;

/// What each operand of such a node costs.
pub(crate) const OPERAND: u64 = 32;

/// What one pair of linear forms costs besides its arithmetic.
pub(crate) const PAIR: u64 = 128;

/// What may still be spent.
#[derive(Debug)]
pub(crate) struct Meter<'c> {
    left: Cell<u64>,
    refused: Cell<bool>,
    /// Refuses everything once this is cancelled; there is no answer then.
    cancel: Option<&'c Cancel>,
}

impl<'c> Meter<'c> {
    pub(crate) fn new(limit: u64) -> Self {
        Self { left: Cell::new(limit), refused: Cell::new(false), cancel: None }
    }

    /// As [`Meter::new`], for somebody who may cancel.
    pub(crate) fn cancelled_by(limit: u64, cancel: &'c Cancel) -> Self {
        Self { cancel: Some(cancel), ..Self::new(limit) }
    }

    /// Pays; false where the rest does not suffice.
    #[inline]
    pub(crate) fn pay(&self, cost: u64) -> bool {
        let Some(left) = self.left.get().checked_sub(cost) else {
            return self.refuse();
        };
        self.left.set(left);
        true
    }

    #[cold]
    fn refuse(&self) -> bool {
        self.refused.set(true);
        false
    }

    /// Forgets what was refused, for the next assertion.
    pub(crate) fn forget_refusal(&self) {
        self.refused.set(false);
    }

    /// Whether anything was refused.
    pub(crate) fn has_refused(&self) -> bool {
        self.refused.get()
    }

    /// The result of an operation; `None` where it has none or is not paid for.
    pub(crate) fn compute(
        &self,
        operation: Arithmetic,
        a: &Rational,
        b: &Rational,
    ) -> Option<Rational> {
        if !self.affords(operation.into(), a, b) {
            return None;
        }
        match operation {
            Arithmetic::Add => Some(a.add(b)),
            Arithmetic::Multiply => Some(a.multiply(b)),
            Arithmetic::Divide => a.divide(b),
            Arithmetic::Modulo => a.modulo(b),
        }
    }

    /// The order of two numbers; `None` where it is not paid for.
    #[inline]
    pub(crate) fn order(&self, a: &Rational, b: &Rational) -> Option<Ordering> {
        self.affords(Operation::Compare, a, b).then(|| a.cmp(b))
    }

    /// Pays for an operation.
    #[inline]
    fn affords(&self, operation: Operation, a: &Rational, b: &Rational) -> bool {
        match a.cost(operation, b) {
            0 => true,
            cost => self.pay_for_numbers(cost),
        }
    }

    #[cold]
    fn pay_for_numbers(&self, cost: u64) -> bool {
        if self.cancel.is_some_and(Cancel::is_cancelled) {
            return self.refuse();
        }
        self.pay(cost)
    }

    /// Pays for looking a number up among so many others; small ones cost nothing.
    pub(crate) fn pay_for_search(&self, number: &Rational, others: usize) -> bool {
        let cost = number.cost(Operation::Compare, number);
        let comparisons = u64::from(usize::BITS - others.leading_zeros());
        cost == 0 || self.pay_for_numbers(comparisons.saturating_mul(cost))
    }
}

/// The operations that give a number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Arithmetic {
    Add,
    Multiply,
    Divide,
    Modulo,
}

impl From<Arithmetic> for Operation {
    fn from(operation: Arithmetic) -> Self {
        match operation {
            Arithmetic::Add => Self::Add,
            Arithmetic::Multiply => Self::Multiply,
            Arithmetic::Divide => Self::Divide,
            Arithmetic::Modulo => Self::Modulo,
        }
    }
}
