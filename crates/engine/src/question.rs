//! What is left of an assertion once the determined values stand in it.

use assay_dsail::arena::Comparison;
use assay_dsail::ir::{Arena, Node, NodeId, Sort, Value, VariableId};

use crate::limits::{NUMERAL_LIMIT, PRODUCT_NUMERAL_LIMIT};
use crate::meter::Meter;
use crate::plan::{Plan, constant};
use crate::rewrite::{reachable, rewrite};

/// A statement about what is undetermined.
#[derive(Debug)]
pub(crate) struct Question {
    /// The expressions of this question alone.
    pub(crate) arena: Arena,
    /// The statement.
    pub(crate) root: NodeId,
    /// What holds besides; nothing where the values stand in the statement itself.
    pub(crate) given: Vec<NodeId>,
    /// The variables of both, ascending.
    pub(crate) unknowns: Vec<Unknown>,
    /// Whether no integer takes part: no member of a vocabulary and no remainder.
    pub(crate) real: bool,
    /// Whether every number is a linear form, so that the solver is complete.
    pub(crate) linear: bool,
    /// Whether a quotient or remainder by the constant zero is part of it.
    pub(crate) undefined: bool,
    /// How many 64-bit limbs its long numbers have together.
    pub(crate) limbs: u64,
}

/// A variable without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unknown {
    pub(crate) variable: VariableId,
    pub(crate) domain: Domain,
}

/// What an unknown may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Domain {
    /// True or false.
    Boolean,
    /// One of that many members.
    Members(u32),
    /// Any number.
    Number,
}

impl Question {
    /// The statement with the determined values in the place of their variables.
    /// Its constants are computed. `None` where the meter refuses that.
    pub(crate) fn remaining(
        plan: &Plan,
        root: NodeId,
        values: &[Option<Value>],
        meter: &Meter<'_>,
    ) -> Option<Self> {
        let mut arena = Arena::default();
        let mapping =
            rewrite(&plan.arena, &[root], &mut arena, Some(meter), &mut |target, node, _| {
                let &Node::Variable(variable) = node else { return None };
                let value = values.get(variable.index())?.as_ref()?;
                if let Value::Number(number) = value {
                    // A refusal is told by the meter itself.
                    let _ = meter.pay_for_search(number, target.nodes().len());
                }
                constant(target, value, sort(plan, variable))
            });
        let refused = meter.has_refused();
        (!refused).then(|| Self::about(plan, arena, mapping.of(root), Vec::new()))
    }

    /// The statement as it is written, and beside it one equation for each determined value.
    pub(crate) fn whole(plan: &Plan, root: NodeId, values: &[Option<Value>]) -> Self {
        let mut arena = Arena::default();
        let mapping = rewrite(&plan.arena, &[root], &mut arena, None, &mut |_, _, _| None);
        let read = variables(&arena, &[mapping.of(root)]);
        let given = read.into_iter().filter_map(|(node, variable)| {
            let value = values.get(variable.index())?.as_ref()?;
            let value = constant(&mut arena, value, sort(plan, variable))?;
            Some(match arena.sort(node) {
                Sort::Boolean => arena.same(node, value),
                Sort::Number | Sort::Member(_) => arena.compare(Comparison::Equal, node, value),
            })
        });
        let given = given.collect();
        Self::about(plan, arena, mapping.of(root), given)
    }

    fn about(plan: &Plan, arena: Arena, root: NodeId, given: Vec<NodeId>) -> Self {
        let (mut real, mut linear, mut undefined, mut limbs) = (true, true, false, 0);
        let mut unknowns = Vec::new();
        let roots: Vec<_> = std::iter::once(root).chain(given.iter().copied()).collect();
        for id in reachable(&arena, &roots) {
            let constant = |id: &NodeId| matches!(arena.node(*id), Node::Number(_));
            match arena.node(id) {
                Node::Variable(variable) => {
                    let domain = plan.domain(*variable);
                    real &= !matches!(domain, Domain::Members(_));
                    unknowns.push(Unknown { variable: *variable, domain });
                }
                Node::Number(value) => limbs += value.limbs(),
                Node::Multiply(a, b) => linear &= constant(a) || constant(b),
                node @ (Node::Divide(_, b) | Node::Modulo(_, b)) => {
                    real &= matches!(node, Node::Divide(..));
                    let zero = matches!(arena.node(*b), Node::Number(it) if it.is_zero());
                    undefined |= zero;
                    linear &= constant(b) && !zero;
                }
                _ => {}
            }
        }
        unknowns.sort_unstable_by_key(|it| it.variable);
        Self { arena, root, given, unknowns, real, linear, undefined, limbs }
    }

    /// How many limbs the solver is given at most.
    pub(crate) fn limit(&self) -> u64 {
        if self.linear { NUMERAL_LIMIT } else { PRODUCT_NUMERAL_LIMIT }
    }

    /// The truth value, where the statement has become one.
    pub(crate) fn settled(&self) -> Option<bool> {
        match self.arena.node(self.root) {
            Node::Boolean(value) if self.given.is_empty() => Some(*value),
            _ => None,
        }
    }
}

fn sort(plan: &Plan, variable: VariableId) -> Sort {
    plan.ruleset.sort(variable)
}

fn variables(arena: &Arena, roots: &[NodeId]) -> Vec<(NodeId, VariableId)> {
    let nodes = reachable(arena, roots).into_iter();
    nodes.filter_map(|id| Some((id, crate::plan::variable(arena, id)?))).collect()
}
