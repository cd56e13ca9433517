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

    fn add(&self, other: &Self) -> Self {
        Self { slope: self.slope.add(&other.slope), shift: self.shift.add(&other.shift) }
    }

    fn scale(&self, factor: &Rational) -> Self {
        Self { slope: self.slope.multiply(factor), shift: self.shift.multiply(factor) }
    }
}

type Forms = BTreeSet<Form>;

/// The samples of the question's only undetermined number, ascending; `None` where it is not
/// linear in that number or has too many forms.
pub(crate) fn samples(question: &Question) -> Option<Vec<Rational>> {
    let arena = &question.arena;
    let mut forms: Vec<Forms> = vec![Forms::new(); arena.nodes().len()];
    let mut points = BTreeSet::new();
    for id in reachable(arena, &[question.root]) {
        if let &Node::Compare(_, a, b) = arena.node(id)
            && arena.sort(a) == Sort::Number
        {
            meet(of(&forms, a)?, of(&forms, b)?, &mut points);
            if points.len() > MAX_POINTS {
                return None;
            }
        }
        if arena.sort(id) == Sort::Number {
            let found = expression(question, id, &forms)?;
            *forms.get_mut(id.index())? = found;
        }
    }
    Some(between(points))
}

fn of(forms: &[Forms], id: NodeId) -> Option<&Forms> {
    forms.get(id.index())
}

/// Adds where any form of one side meets any of the other.
fn meet(left: &Forms, right: &Forms, points: &mut BTreeSet<Rational>) {
    let minus_one = Rational::from(-1);
    for difference in left.iter().flat_map(|a| {
        let minus_one = &minus_one;
        right.iter().map(move |b| a.add(&b.scale(minus_one)))
    }) {
        points.extend(difference.shift.negate().divide(&difference.slope));
    }
}

fn expression(question: &Question, id: NodeId, forms: &[Forms]) -> Option<Forms> {
    let forms_of = |id: &NodeId| of(forms, *id);
    let found = match question.arena.node(id) {
        Node::Number(value) => Forms::from([Form::constant(value.clone())]),
        Node::Variable(_) => Forms::from([Form { slope: Rational::ONE, shift: Rational::ZERO }]),
        Node::If(_, a, b) => forms_of(a)?.union(forms_of(b)?).cloned().collect(),
        Node::Add(list) => {
            let mut sums = Forms::from([Form::constant(Rational::ZERO)]);
            for operand in list {
                sums = pairs(&sums, forms_of(operand)?, |a, b| Some(a.add(b)))?;
            }
            sums
        }
        Node::Multiply(a, b) => pairs(forms_of(a)?, forms_of(b)?, |a, b| {
            if a.is_constant() {
                return Some(b.scale(&a.shift));
            }
            b.is_constant().then(|| a.scale(&b.shift))
        })?,
        Node::Divide(a, b) => pairs(forms_of(a)?, forms_of(b)?, |a, b| {
            let inverse = Rational::ONE.divide(&b.shift)?;
            b.is_constant().then(|| a.scale(&inverse))
        })?,
        Node::Modulo(a, b) => pairs(forms_of(a)?, forms_of(b)?, |a, b| {
            let constant = a.is_constant() && b.is_constant();
            a.shift.modulo(&b.shift).filter(|_| constant).map(Form::constant)
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
    (found.len() <= MAX_FORMS).then_some(found)
}

/// The operation on every form of one operand with every form of the other; `None` where it
/// gives no form for some pair.
fn pairs(
    left: &Forms,
    right: &Forms,
    operation: impl Fn(&Form, &Form) -> Option<Form>,
) -> Option<Forms> {
    let mut found = Forms::new();
    for a in left {
        for b in right {
            found.insert(operation(a, b)?);
        }
        if found.len() > MAX_FORMS {
            return None;
        }
    }
    Some(found)
}

fn between(points: BTreeSet<Rational>) -> Vec<Rational> {
    let (Some(first), Some(last)) = (points.first().cloned(), points.last().cloned()) else {
        return vec![Rational::ZERO];
    };
    let half = Rational::fraction(1, 2).unwrap_or(Rational::ONE);
    let mut samples = vec![first.subtract(&Rational::ONE)];
    let mut before: Option<Rational> = None;
    for point in points {
        samples.extend(before.map(|it| it.add(&point).multiply(&half)));
        samples.push(point.clone());
        before = Some(point);
    }
    samples.push(last.add(&Rational::ONE));
    samples
}
