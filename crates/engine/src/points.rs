//! The numbers that represent all others, for an assertion with one undetermined number.
//!
//! Where every numeric expression is, branch by branch, a linear form `a*x + b`, a comparison
//! can change its answer only where two of its forms meet. Between two neighbouring meeting
//! points, and beyond the outermost, all numbers answer alike. So each meeting point, one number
//! between each two of them, and one beyond each end stand for the whole line. Points at which
//! nothing changes do no harm, so branches need not be told apart: every form that a branch could
//! give counts.

use std::collections::BTreeSet;

use assay_base::Rational;
use assay_dsail::ir::{Node, NodeId, Sort};

use crate::meter::{Arithmetic, Meter, PAIR};
use crate::question::Question;
use crate::rewrite::reachable;

/// Most forms of one expression.
const MAX_FORMS: usize = 32;

/// Most meeting points.
const MAX_POINTS: usize = 1_024;

/// The form `slope * x + shift`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    slope: Rational,
    shift: Rational,
}

impl Form {
    fn constant(shift: Rational) -> Self {
        Self { slope: Rational::ZERO, shift }
    }

    fn is_constant(&self) -> bool {
        self.slope.is_zero()
    }

    fn add(&self, other: &Self, meter: &Meter<'_>) -> Option<Self> {
        let slope = meter.compute(Arithmetic::Add, &self.slope, &other.slope)?;
        let shift = meter.compute(Arithmetic::Add, &self.shift, &other.shift)?;
        Some(Self { slope, shift })
    }

    /// The form times a factor, or divided by it.
    fn scale(&self, by: Arithmetic, factor: &Rational, meter: &Meter<'_>) -> Option<Self> {
        let slope = meter.compute(by, &self.slope, factor)?;
        let shift = meter.compute(by, &self.shift, factor)?;
        Some(Self { slope, shift })
    }

    /// Where the form is zero, if that is one number.
    fn zero(&self, meter: &Meter<'_>) -> Option<Rational> {
        meter.compute(Arithmetic::Divide, &self.shift.negate(), &self.slope)
    }
}

type Forms = BTreeSet<Form>;

/// The samples of the question's only undetermined number, ascending; `None` where it is not
/// linear in that number, has too many forms, or the meter refuses the arithmetic.
pub(crate) fn samples(question: &Question, meter: &Meter<'_>) -> Option<Vec<Rational>> {
    let arena = &question.arena;
    let mut forms: Vec<Forms> = vec![Forms::new(); arena.nodes().len()];
    let mut points = BTreeSet::new();
    for id in reachable(arena, &[question.root]) {
        if let &Node::Compare(_, a, b) = arena.node(id)
            && arena.sort(a) == Sort::Number
        {
            meet(of(&forms, a)?, of(&forms, b)?, &mut points, meter)?;
            if points.len() > MAX_POINTS {
                return None;
            }
        }
        if arena.sort(id) == Sort::Number {
            let found = expression(question, id, &forms, meter)?;
            *forms.get_mut(id.index())? = found;
        }
    }
    between(points, meter)
}

fn of(forms: &[Forms], id: NodeId) -> Option<&Forms> {
    forms.get(id.index())
}

/// Adds where any form of one side meets any of the other; `None` where that is not paid for.
fn meet(
    left: &Forms,
    right: &Forms,
    points: &mut BTreeSet<Rational>,
    meter: &Meter<'_>,
) -> Option<()> {
    let minus_one = Rational::from(-1);
    for b in right {
        let negative = b.scale(Arithmetic::Multiply, &minus_one, meter)?;
        for a in left {
            meter.pay(PAIR).then_some(())?;
            let difference = a.add(&negative, meter)?;
            if !difference.is_constant() {
                let point = difference.zero(meter)?;
                meter.pay_for_search(&point, points.len()).then_some(())?;
                points.insert(point);
            }
        }
    }
    Some(())
}

fn expression(
    question: &Question,
    id: NodeId,
    forms: &[Forms],
    meter: &Meter<'_>,
) -> Option<Forms> {
    let forms_of = |id: &NodeId| of(forms, *id);
    let found = match question.arena.node(id) {
        Node::Number(value) => Forms::from([Form::constant(value.clone())]),
        Node::Variable(_) => Forms::from([Form { slope: Rational::ONE, shift: Rational::ZERO }]),
        Node::If(_, a, b) => {
            let both = forms_of(a)?.iter().chain(forms_of(b)?);
            collect(both.map(|it| Some(it.clone())), meter)?
        }
        Node::Add(list) => {
            let mut sums = Forms::from([Form::constant(Rational::ZERO)]);
            for operand in list {
                sums = pairs(&sums, forms_of(operand)?, meter, |a, b| a.add(b, meter))?;
            }
            sums
        }
        Node::Multiply(a, b) => pairs(forms_of(a)?, forms_of(b)?, meter, |a, b| {
            let (form, factor) = if a.is_constant() { (b, a) } else { (a, b) };
            let linear = factor.is_constant();
            linear.then(|| form.scale(Arithmetic::Multiply, &factor.shift, meter))?
        })?,
        Node::Divide(a, b) => pairs(forms_of(a)?, forms_of(b)?, meter, |a, b| {
            b.is_constant().then(|| a.scale(Arithmetic::Divide, &b.shift, meter))?
        })?,
        Node::Modulo(a, b) => pairs(forms_of(a)?, forms_of(b)?, meter, |a, b| {
            let constant = a.is_constant() && b.is_constant();
            let rest = constant.then(|| meter.compute(Arithmetic::Modulo, &a.shift, &b.shift))?;
            rest.map(Form::constant)
        })?,
        Node::Boolean(_)
        | Node::Member(..)
        | Node::Not(_)
        | Node::And(_)
        | Node::Or(_)
        | Node::Same(..)
        | Node::Compare(..)
        | Node::Convert(..) => return None,
    };
    Some(found)
}

/// The operation on every form of one operand with every form of the other; `None` where it
/// gives no form for some pair.
fn pairs(
    left: &Forms,
    right: &Forms,
    meter: &Meter<'_>,
    operation: impl Fn(&Form, &Form) -> Option<Form>,
) -> Option<Forms> {
    let operation = &operation;
    collect(left.iter().flat_map(|a| right.iter().map(move |b| operation(a, b))), meter)
}

/// The forms, unless one is missing or they are too many.
fn collect(forms: impl Iterator<Item = Option<Form>>, meter: &Meter<'_>) -> Option<Forms> {
    let mut found = Forms::new();
    for form in forms {
        let form = form?;
        let paid = meter.pay(PAIR)
            && meter.pay_for_search(&form.slope, found.len())
            && meter.pay_for_search(&form.shift, found.len());
        paid.then_some(())?;
        found.insert(form);
        if found.len() > MAX_FORMS {
            return None;
        }
    }
    Some(found)
}

fn between(points: BTreeSet<Rational>, meter: &Meter<'_>) -> Option<Vec<Rational>> {
    let add = |a: &Rational, b: &Rational| meter.compute(Arithmetic::Add, a, b);
    let (Some(first), Some(last)) = (points.first().cloned(), points.last().cloned()) else {
        return Some(vec![Rational::ZERO]);
    };
    let half = Rational::fraction(1, 2).unwrap_or(Rational::ONE);
    let mut samples = vec![add(&first, &Rational::from(-1))?];
    let mut before: Option<Rational> = None;
    for point in points {
        if let Some(before) = before {
            let sum = add(&before, &point)?;
            samples.push(meter.compute(Arithmetic::Multiply, &sum, &half)?);
        }
        samples.push(point.clone());
        before = Some(point);
    }
    samples.push(add(&last, &Rational::ONE)?);
    Some(samples)
}
