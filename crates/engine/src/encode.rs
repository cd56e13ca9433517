//! The encoding of a question for the solver. This comment is its specification.
//!
//! | in the ruleset | for the solver |
//! |---|---|
//! | boolean variable | a boolean constant `v<place>` |
//! | number variable | a real constant `v<place>`, unconstrained: `@range` is no constraint |
//! | enum variable | an integer constant `v<place>` with `0 <= v` and `v < members` beside the statement |
//! | truth value, number, member | literal; numbers by their exact numerator and denominator; a member is its place |
//! | `Not`, `And`, `Or`, `If`, `+` | the operation of the same name |
//! | equality of booleans | equivalence |
//! | comparison of numbers or members | `=`, `<`, `<=` over reals or integers |
//! | product | real multiplication; linear where one factor is a literal |
//! | `a / b`, literal `b` that is not zero | `a` times the literal `1/b` |
//! | `a / b` otherwise | real division, whose value at zero is the solver's arbitrary but fixed function of `a` |
//! | `a % b`, literal `b` that is not zero | `a - b * floor(a * 1/b)`, `floor` being the solver's `to_int` |
//! | `a % b`, literal zero | `rest(a)` for an uninterpreted `rest`: arbitrary but fixed |
//! | `a % b` otherwise | if `b = 0` then `rest(a)` else `a - b * floor(a / b)` |
//!
//! Values that are known never appear as variables: they stand in the statement and were folded
//! before. What is linear in the source therefore stays in linear arithmetic over reals and
//! integers. Nodes are encoded in their order, operands first and each once, so nothing recurses.

use assay_base::Rational;
use assay_dsail::arena::Comparison;
use assay_dsail::ir::{Arena, Node, NodeId, Sort};
use z3::ast::{Bool, Int, Real};
use z3::{FuncDecl, Sort as SolverSort};

use crate::question::{Domain, Question};
use crate::rewrite::reachable;

/// A question in the solver's terms, which belong to the context of this thread.
#[derive(Debug)]
pub(crate) struct Encoded {
    /// The statement.
    pub(crate) goal: Bool,
    /// What holds besides.
    pub(crate) given: Vec<Bool>,
}

/// Encodes a question in the context of this thread.
///
/// # Errors
/// A sentence that names the operation whose operands have the wrong sorts. The compiler does not
/// let such an expression through, so this is a fault of the product.
pub(crate) fn encode(question: &Question) -> Result<Encoded, String> {
    let mut encoder =
        Encoder { arena: &question.arena, terms: vec![None; question.arena.nodes().len()] };
    let roots: Vec<_> = std::iter::once(question.root).chain(question.given.clone()).collect();
    for id in reachable(&question.arena, &roots) {
        let term = encoder.node(id)?;
        if let Some(place) = encoder.terms.get_mut(id.index()) {
            *place = Some(term);
        }
    }
    let mut given = Vec::with_capacity(question.given.len());
    for id in &question.given {
        given.push(encoder.boolean(*id)?);
    }
    for unknown in &question.unknowns {
        if let Domain::Members(count) = unknown.domain {
            let member = Int::new_const(name(unknown.variable.index()));
            given.push(member.ge(0));
            given.push(member.lt(Int::from_u64(count.into())));
        }
    }
    Ok(Encoded { goal: encoder.boolean(question.root)?, given })
}

/// A term by its sort.
#[derive(Debug, Clone)]
enum Term {
    Boolean(Bool),
    Number(Real),
    Member(Int),
}

struct Encoder<'q> {
    arena: &'q Arena,
    terms: Vec<Option<Term>>,
}

impl Encoder<'_> {
    fn node(&self, id: NodeId) -> Result<Term, String> {
        Ok(match self.arena.node(id) {
            Node::Boolean(value) => Term::Boolean(Bool::from_bool(*value)),
            Node::Number(value) => Term::Number(number(value)?),
            Node::Member(_, place) => Term::Member(Int::from_u64((*place).into())),
            Node::Variable(variable) => {
                let name = name(variable.index());
                match self.arena.sort(id) {
                    Sort::Boolean => Term::Boolean(Bool::new_const(name)),
                    Sort::Number => Term::Number(Real::new_const(name)),
                    Sort::Member(_) => Term::Member(Int::new_const(name)),
                }
            }
            Node::Not(a) => Term::Boolean(self.boolean(*a)?.not()),
            Node::And(list) => Term::Boolean(Bool::and(&self.booleans(list)?)),
            Node::Or(list) => Term::Boolean(Bool::or(&self.booleans(list)?)),
            Node::Same(a, b) => Term::Boolean(self.boolean(*a)?.iff(self.boolean(*b)?)),
            Node::If(a, b, c) => self.choose(*a, *b, *c)?,
            Node::Compare(comparison, a, b) => Term::Boolean(self.compare(*comparison, *a, *b)?),
            Node::Add(list) => {
                let terms: Result<Vec<_>, _> = list.iter().map(|it| self.real(*it)).collect();
                Term::Number(Real::add(&terms?))
            }
            Node::Multiply(a, b) => Term::Number(Real::mul(&[self.real(*a)?, self.real(*b)?])),
            Node::Divide(a, b) => Term::Number(self.quotient(*a, *b)?),
            Node::Modulo(a, b) => Term::Number(self.rest(*a, *b)?),
            Node::Convert(..) => return Err(mismatch("a conversion that was not resolved")),
        })
    }

    fn choose(&self, condition: NodeId, then: NodeId, otherwise: NodeId) -> Result<Term, String> {
        let condition = self.boolean(condition)?;
        match (self.term(then)?, self.term(otherwise)?) {
            (Term::Boolean(a), Term::Boolean(b)) => Ok(Term::Boolean(condition.ite(a, b))),
            (Term::Number(a), Term::Number(b)) => Ok(Term::Number(condition.ite(a, b))),
            (Term::Member(a), Term::Member(b)) => Ok(Term::Member(condition.ite(a, b))),
            _ => Err(mismatch("`If` with branches of different sorts")),
        }
    }

    fn compare(&self, comparison: Comparison, a: NodeId, b: NodeId) -> Result<Bool, String> {
        match (self.term(a)?, self.term(b)?) {
            (Term::Number(a), Term::Number(b)) => Ok(match comparison {
                Comparison::Equal => a.eq(b),
                Comparison::Less => a.lt(b),
                Comparison::LessOrEqual => a.le(b),
            }),
            (Term::Member(a), Term::Member(b)) => Ok(match comparison {
                Comparison::Equal => a.eq(b),
                Comparison::Less => a.lt(b),
                Comparison::LessOrEqual => a.le(b),
            }),
            _ => Err(mismatch("a comparison of different sorts")),
        }
    }

    /// The literal that a node is, if it is one and not zero.
    fn divisor(&self, id: NodeId) -> Option<Rational> {
        match self.arena.node(id) {
            Node::Number(value) => Rational::ONE.divide(value),
            _ => None,
        }
    }

    fn quotient(&self, a: NodeId, b: NodeId) -> Result<Real, String> {
        let dividend = self.real(a)?;
        match self.divisor(b) {
            Some(inverse) => Ok(Real::mul(&[number(&inverse)?, dividend])),
            None => Ok(dividend.div(self.real(b)?)),
        }
    }

    fn rest(&self, a: NodeId, b: NodeId) -> Result<Real, String> {
        let (dividend, divisor) = (self.real(a)?, self.real(b)?);
        let floored = |quotient: Real| {
            let multiple = Real::mul(&[divisor.clone(), quotient.to_int().to_real()]);
            Real::sub(&[dividend.clone(), multiple])
        };
        if let Some(inverse) = self.divisor(b) {
            return Ok(floored(Real::mul(&[number(&inverse)?, dividend.clone()])));
        }
        let real = SolverSort::real();
        let undefined = FuncDecl::new("rest", &[&real], &real).apply(&[&dividend]).as_real();
        let undefined = undefined.ok_or_else(|| mismatch("a remainder that is no number"))?;
        if matches!(self.arena.node(b), Node::Number(_)) {
            return Ok(undefined);
        }
        let zero = divisor.eq(number(&Rational::ZERO)?);
        Ok(zero.ite(&undefined, &floored(dividend.div(&divisor))))
    }

    fn term(&self, id: NodeId) -> Result<&Term, String> {
        let term = self.terms.get(id.index()).and_then(Option::as_ref);
        term.ok_or_else(|| mismatch("an operand that does not exist"))
    }

    fn boolean(&self, id: NodeId) -> Result<Bool, String> {
        match self.term(id)? {
            Term::Boolean(term) => Ok(term.clone()),
            Term::Number(_) | Term::Member(_) => Err(mismatch("an operand that is no truth value")),
        }
    }

    fn booleans(&self, ids: &[NodeId]) -> Result<Vec<Bool>, String> {
        ids.iter().map(|id| self.boolean(*id)).collect()
    }

    fn real(&self, id: NodeId) -> Result<Real, String> {
        match self.term(id)? {
            Term::Number(term) => Ok(term.clone()),
            Term::Boolean(_) | Term::Member(_) => Err(mismatch("an operand that is no number")),
        }
    }
}

fn name(place: usize) -> String {
    format!("v{place}")
}

fn number(value: &Rational) -> Result<Real, String> {
    if let Some((numerator, denominator)) = value.as_small() {
        return Ok(Real::from_rational(numerator, denominator));
    }
    let (numerator, denominator) = value.to_fraction();
    Real::from_rational_str(&numerator, &denominator)
        .ok_or_else(|| mismatch("a number that the solver does not read"))
}

fn mismatch(what: &str) -> String {
    format!("the solver's translation met {what}")
}
