//! Copies of expressions in which some nodes are replaced.
//!
//! Both functions walk by lists and not by recursion, so that no expression is too deep for them,
//! and visit a shared node once.

use assay_dsail::ir::{Arena, Node, NodeId};

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
/// are in the mapping by then. Constants fold on the way, since the copies are made by the
/// arena's own constructors.
pub(crate) fn rewrite(
    source: &Arena,
    roots: &[NodeId],
    target: &mut Arena,
    replace: &mut dyn FnMut(&mut Arena, &Node, &Mapping) -> Option<NodeId>,
) -> Mapping {
    let reached = reachable(source, roots);
    let mut mapping = Mapping(Vec::with_capacity(reached.len()));
    for id in reached {
        let node = source.node(id);
        let copy = match replace(target, node, &mapping) {
            Some(copy) => copy,
            None => copy(source, id, target, &mapping),
        };
        mapping.0.push((id, copy));
    }
    mapping
}

fn copy(source: &Arena, id: NodeId, target: &mut Arena, mapping: &Mapping) -> NodeId {
    let of = |id: &NodeId| mapping.of(*id);
    match source.node(id) {
        Node::Boolean(value) => target.boolean(*value),
        Node::Number(value) => target.number(value.clone()),
        Node::Member(vocabulary, place) => target.member(*vocabulary, *place),
        Node::Variable(variable) => target.variable(*variable, source.sort(id)),
        Node::Not(a) => target.not(of(a)),
        Node::And(list) => target.and(mapping.list(list)),
        Node::Or(list) => target.or(mapping.list(list)),
        Node::Same(a, b) => target.same(of(a), of(b)),
        Node::If(a, b, c) => target.conditional(of(a), of(b), of(c)),
        Node::Compare(comparison, a, b) => target.compare(*comparison, of(a), of(b)),
        Node::Add(list) => target.add(mapping.list(list)),
        Node::Multiply(a, b) => target.multiply(of(a), of(b)),
        Node::Divide(a, b) => target.divide(of(a), of(b)),
        Node::Modulo(a, b) => target.modulo(of(a), of(b)),
        Node::Convert(a, from, to) => target.convert(of(a), *from, *to),
    }
}
