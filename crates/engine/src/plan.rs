//! A ruleset with its conversions resolved by one unit library.
//!
//! A conversion with an exact bridge becomes a multiplication and an addition, which constants
//! fold into. One without becomes a number of its own that nobody knows, and the plan remembers
//! the pair of units: such a number is the variable behind the last local name.

use std::sync::Arc;

use assay_dsail::ir::{Arena, Node, NodeId, Ruleset, Sort, Unit, UnitId, Value, VariableId};
use assay_dsail::units::{Bridge, Library};

use crate::meter::{NODE, OPERAND, STEP};
use crate::program::{Entry, Program};
use crate::question::Domain;
use crate::rewrite::{Mapping, reachable, rewrite};

/// What the engine evaluates. It stays valid for as long as the library it was made with is the
/// one that its answers are attributed to.
#[derive(Debug)]
pub struct Plan {
    pub(crate) ruleset: Arc<Ruleset>,
    /// The expressions without conversions.
    pub(crate) arena: Arena,
    /// The same for fast evaluation.
    pub(crate) program: Program,
    /// One for each assertion of the ruleset, in its order.
    pub(crate) assertions: Vec<Planned>,
    /// The units of the conversions that nothing resolves.
    unresolved: Vec<(Unit, Unit)>,
}

/// One assertion of a plan.
#[derive(Debug)]
pub(crate) struct Planned {
    /// The statement in the plan's arena.
    pub(crate) root: NodeId,
    /// The statement in the plan's program. It has no visits where its parts are shared so often
    /// that a question, in which each stands once, is cheaper.
    pub(crate) entry: Entry,
    /// Every variable of the statement, unresolved conversions included, ascending.
    pub(crate) reads: Vec<VariableId>,
    /// What making a question of the statement costs besides its arithmetic.
    pub(crate) cost: u64,
}

impl Plan {
    /// Resolves the conversions of a ruleset. Small constants are computed on the way, which takes
    /// a moment for each; large ones are left to the checks and their budget.
    #[must_use]
    pub fn new(ruleset: Arc<Ruleset>, library: &Library) -> Self {
        let mut arena = Arena::default();
        let mut unresolved = Vec::new();
        let roots: Vec<_> = ruleset.assertions.iter().map(|it| it.expression).collect();
        let count = ruleset.variable_count();
        let mut replace = |target: &mut Arena, node: &Node, mapping: &Mapping| {
            let &Node::Convert(operand, from, to) = node else { return None };
            let (from, to) = (unit(&ruleset, from)?, unit(&ruleset, to)?);
            let operand = mapping.of(operand);
            Some(convert(library, target, operand, (from, to)).unwrap_or_else(|| {
                let variable = VariableId::new(count + unresolved.len());
                unresolved.push((from.clone(), to.clone()));
                target.variable(variable, Sort::Number)
            }))
        };
        let mapping = rewrite(&ruleset.arena, &roots, &mut arena, None, &mut replace);
        let (program, assertions) = lower(&arena, &roots, &mapping);
        Self { ruleset, arena, program, assertions, unresolved }
    }

    /// The ruleset that the plan was made from.
    #[must_use]
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// How many variables there are: claims, locals, then unresolved conversions.
    pub(crate) fn variable_count(&self) -> usize {
        self.ruleset.variable_count() + self.unresolved.len()
    }

    /// The units of the conversion that a variable stands for, if it stands for one.
    pub(crate) fn unresolved(&self, variable: VariableId) -> Option<&(Unit, Unit)> {
        self.unresolved.get(variable.index().checked_sub(self.ruleset.variable_count())?)
    }

    /// What a variable may be while nobody knows its value.
    pub(crate) fn domain(&self, variable: VariableId) -> Domain {
        if variable.index() >= self.ruleset.variable_count() {
            return Domain::Number;
        }
        match self.ruleset.sort(variable) {
            Sort::Boolean => Domain::Boolean,
            Sort::Number => Domain::Number,
            Sort::Member(vocabulary) => {
                let members = self.ruleset.vocabulary(vocabulary).members.len();
                Domain::Members(u32::try_from(members).unwrap_or(u32::MAX))
            }
        }
    }
}

fn unit(ruleset: &Ruleset, id: UnitId) -> Option<&Unit> {
    ruleset.units.get(id.index())
}

/// The operand in the other unit, or `None` where no exact bridge leads there.
fn convert(
    library: &Library,
    target: &mut Arena,
    operand: NodeId,
    (from, to): (&Unit, &Unit),
) -> Option<NodeId> {
    match library.bridge(from, to) {
        Bridge::Same => Some(operand),
        Bridge::Convertible(conversion) => {
            let factor = target.number(conversion.factor);
            let scaled = target.multiply(factor, operand);
            let offset = target.number(conversion.offset);
            Some(target.add(vec![scaled, offset]))
        }
        Bridge::Ambiguous | Bridge::UnknownUnit | Bridge::NoPath => None,
    }
}

fn lower(arena: &Arena, roots: &[NodeId], mapping: &Mapping) -> (Program, Vec<Planned>) {
    let roots: Vec<_> = roots.iter().map(|it| mapping.of(*it)).collect();
    let (program, entries) = Program::lower(arena, &roots);
    let planned = roots.into_iter().zip(entries).map(|(root, mut entry)| {
        let reached = reachable(arena, &[root]);
        let mut reads: Vec<_> = reached.iter().filter_map(|it| variable(arena, *it)).collect();
        reads.sort_unstable();
        let operands: usize = reached.iter().map(|it| arena.operands(*it).len()).sum();
        let cost = NODE * reached.len() as u64 + OPERAND * operands as u64;
        entry.visits = entry.visits.filter(|it| u64::from(*it) * STEP <= cost);
        Planned { root, entry, reads, cost }
    });
    (program, planned.collect())
}

/// The variable that a node is, if it is one.
pub(crate) fn variable(arena: &Arena, id: NodeId) -> Option<VariableId> {
    match arena.node(id) {
        Node::Variable(variable) => Some(*variable),
        _ => None,
    }
}

/// The constant node of a value; `sort` is that of its variable.
pub(crate) fn constant(arena: &mut Arena, value: &Value, sort: Sort) -> Option<NodeId> {
    match (value, sort) {
        (Value::Boolean(value), Sort::Boolean) => Some(arena.boolean(*value)),
        (Value::Number(value), Sort::Number) => Some(arena.number(value.clone())),
        (Value::Member(place), Sort::Member(vocabulary)) => Some(arena.member(vocabulary, *place)),
        _ => None,
    }
}
