//! Copies of expressions in which some nodes are replaced.
//!
//! Both functions walk by lists and not by recursion, so that no expression is too deep for them,
//! and visit a shared node once.

use std::cmp::Ordering;

use assay_base::Rational;
use assay_dsail::ir::{Arena, Node, NodeId};

use crate::meter::{Arithmetic, Meter};

/// Up to this many nodes, finding repetitions afterwards is cheaper than marking what was seen.
const FEW: usize = 64;

/// The nodes that `roots` reach, ascending: operands stand before the nodes that use them.
pub(crate) fn reachable(arena: &Arena, roots: &[NodeId]) -> Vec<NodeId> {
    let mut found = few(arena, roots).unwrap_or_else(|| marked(arena, roots));
    found.sort_unstable();
    found.dedup();
    found
}

/// What is reached, repetitions included; `None` where that is much. The cost is that of the
/// expression alone, however large its arena is.
fn few(arena: &Arena, roots: &[NodeId]) -> Option<Vec<NodeId>> {
    let mut found = roots.to_vec();
    let mut next = 0;
    while let Some(id) = found.get(next) {
        let operands = arena.operands(*id);
        found.extend(operands);
        next += 1;
        if found.len() > FEW {
            return None;
        }
    }
    Some(found)
}

fn marked(arena: &Arena, roots: &[NodeId]) -> Vec<NodeId> {
    let mut seen = vec![false; arena.nodes().len()];
    let mut pending = roots.to_vec();
    let mut found = Vec::new();
    while let Some(id) = pending.pop() {
        if let Some(flag) = seen.get_mut(id.index())
            && !std::mem::replace(flag, true)
        {
            found.push(id);
            pending.extend(arena.operands(id));
        }
    }
    found
}

/// Where the nodes of one arena stand in another, ascending by the former.
#[derive(Debug)]
pub(crate) struct Mapping(Vec<(NodeId, NodeId)>);

impl Mapping {
    /// The copy of a node; an id that no arena knows where the node was not reached.
    pub(crate) fn of(&self, id: NodeId) -> NodeId {
        let place = self.0.binary_search_by_key(&id, |(original, _)| *original);
        let pair = place.ok().and_then(|it| self.0.get(it));
        pair.map_or_else(|| NodeId::new(usize::MAX), |(_, copy)| *copy)
    }

    fn list(&self, ids: &[NodeId]) -> Vec<NodeId> {
        ids.iter().map(|id| self.of(*id)).collect()
    }
}

/// Copies what `roots` reach into `target`. `replace` may give a node another copy; its operands
/// are in the mapping by then. Constants fold on the way: small ones by the arena's own
/// constructors, which make the copies, and large ones where a meter pays for them. Where it refuses,
/// the copy ends.
pub(crate) fn rewrite(
    source: &Arena,
    roots: &[NodeId],
    target: &mut Arena,
    meter: Option<&Meter<'_>>,
    replace: &mut dyn FnMut(&mut Arena, &Node, &Mapping) -> Option<NodeId>,
) -> Mapping {
    let reached = reachable(source, roots);
    let mut mapping = Mapping(Vec::with_capacity(reached.len()));
    for id in reached {
        if meter.is_some_and(Meter::has_refused) {
            break;
        }
        let node = source.node(id);
        let copy = match replace(target, node, &mapping) {
            Some(copy) => copy,
            None => Copying { source, target, meter, mapping: &mapping }.copy(id),
        };
        mapping.0.push((id, copy));
    }
    mapping
}

/// A copy in the making.
struct Copying<'c> {
    source: &'c Arena,
    target: &'c mut Arena,
    meter: Option<&'c Meter<'c>>,
    mapping: &'c Mapping,
}

impl Copying<'_> {
    fn copy(&mut self, id: NodeId) -> NodeId {
        let mapping = self.mapping;
        let of = |id: &NodeId| mapping.of(*id);
        let list = |ids: &[NodeId]| mapping.list(ids);
        match self.source.node(id) {
            Node::Boolean(value) => self.target.boolean(*value),
            Node::Number(value) => self.constant(value.clone()),
            Node::Member(vocabulary, place) => self.target.member(*vocabulary, *place),
            Node::Variable(variable) => self.target.variable(*variable, self.source.sort(id)),
            Node::Not(a) => self.target.not(of(a)),
            Node::And(operands) => self.target.and(list(operands)),
            Node::Or(operands) => self.target.or(list(operands)),
            Node::Same(a, b) => self.target.same(of(a), of(b)),
            Node::If(a, b, c) => self.target.conditional(of(a), of(b), of(c)),
            Node::Compare(comparison, a, b) => {
                let (a, b) = (of(a), of(b));
                let folded = self.order(a, b).map(|it| self.target.boolean(comparison.holds(it)));
                folded.unwrap_or_else(|| self.target.compare(*comparison, a, b))
            }
            Node::Add(operands) => self.sum(list(operands)),
            Node::Multiply(a, b) => {
                let (a, b) = (of(a), of(b));
                let folded = self.fold(Arithmetic::Multiply, a, b);
                folded.unwrap_or_else(|| self.target.multiply(a, b))
            }
            Node::Divide(a, b) => {
                let (a, b) = (of(a), of(b));
                let folded = self.fold(Arithmetic::Divide, a, b);
                folded.unwrap_or_else(|| self.target.divide(a, b))
            }
            Node::Modulo(a, b) => {
                let (a, b) = (of(a), of(b));
                let folded = self.fold(Arithmetic::Modulo, a, b);
                folded.unwrap_or_else(|| self.target.modulo(a, b))
            }
            Node::Convert(a, from, to) => self.target.convert(of(a), *from, *to),
        }
    }

    fn number(&self, id: NodeId) -> Option<&Rational> {
        match self.target.node(id) {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    fn order(&self, a: NodeId, b: NodeId) -> Option<Ordering> {
        self.meter?.order(self.number(a)?, self.number(b)?)
    }

    /// The constant that an operation on two constants gives, where it has a value.
    fn fold(&mut self, operation: Arithmetic, a: NodeId, b: NodeId) -> Option<NodeId> {
        let result = self.meter?.compute(operation, self.number(a)?, self.number(b)?)?;
        Some(self.constant(result))
    }

    fn constant(&mut self, value: Rational) -> NodeId {
        if let Some(meter) = self.meter {
            // A refusal is told by the meter itself.
            let _ = meter.pay_for_search(&value, self.target.nodes().len());
        }
        self.target.number(value)
    }

    /// The sum, its constants added up where a meter pays for them.
    fn sum(&mut self, operands: Vec<NodeId>) -> NodeId {
        let Some(meter) = self.meter else { return self.target.add(operands) };
        let (mut kept, mut sum) = (Vec::with_capacity(operands.len()), Rational::ZERO);
        for operand in operands {
            let value = self.number(operand);
            match value.and_then(|value| meter.compute(Arithmetic::Add, &sum, value)) {
                Some(value) => sum = value,
                None => kept.push(operand),
            }
        }
        let constant = self.constant(sum);
        kept.push(constant);
        self.target.add(kept)
    }
}
