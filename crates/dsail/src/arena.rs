//! Expression nodes and the checked constructors that make them.

use std::collections::BTreeMap;

use assay_base::{Operation, Rational};

use crate::ir::{Sort, UnitId, VariableId, VocabularyId, index};

index! {
    /// A node of an [`Arena`]. Operands of a node have smaller ids than the node.
    NodeId
}

/// One expression without sugar. Operands are ids in the same arena.
///
/// Division and modulo by zero have no value; see the engine for what that means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// A truth value.
    Boolean(bool),
    /// A number.
    Number(Rational),
    /// A member of a vocabulary, by its place.
    Member(VocabularyId, u32),
    /// A claim or an undefined local name.
    Variable(VariableId),
    /// Negation.
    Not(NodeId),
    /// All hold. At least two operands, none of them a constant.
    And(Box<[NodeId]>),
    /// At least one holds. At least two operands, none of them a constant.
    Or(Box<[NodeId]>),
    /// Both booleans are equal.
    Same(NodeId, NodeId),
    /// The second where the first holds, else the third; both of one sort.
    If(NodeId, NodeId, NodeId),
    /// Two numbers, or two members of equal vocabularies by their places.
    Compare(Comparison, NodeId, NodeId),
    /// The sum of at least two numbers.
    Add(Box<[NodeId]>),
    /// The product of two numbers.
    Multiply(NodeId, NodeId),
    /// The quotient of two numbers.
    Divide(NodeId, NodeId),
    /// `a - b * floor(a / b)`.
    Modulo(NodeId, NodeId),
    /// A number in the first unit, expressed in the second. Whether and how that is possible is
    /// the unit library's to say, which the ruleset does not include.
    Convert(NodeId, UnitId, UnitId),
}

/// How two values compare. The other four comparisons are these with swapped sides or negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

impl Comparison {
    /// Whether the comparison holds for values in this order.
    #[must_use]
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
        }
    }
}

/// All nodes of a ruleset, each once.
#[derive(Debug, Clone, Default)]
pub struct Arena {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    depths: Vec<u32>,
    degrees: Vec<u32>,
    ids: BTreeMap<Node, NodeId>,
}

impl Arena {
    /// The nodes; operands stand before the nodes that use them.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node behind an id; `False` for an id of another arena.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        const NONE: &Node = &Node::Boolean(false);
        self.nodes.get(id.index()).unwrap_or(NONE)
    }

    /// How many nodes the longest path below a node has, the node included.
    #[must_use]
    pub fn depth(&self, id: NodeId) -> u32 {
        self.depths.get(id.index()).copied().unwrap_or_default()
    }

    /// How many undetermined or large numbers are multiplied to make a value of a node, at most.
    /// The digits of the value grow with it.
    #[must_use]
    pub fn degree(&self, id: NodeId) -> u32 {
        self.degrees.get(id.index()).copied().unwrap_or_default()
    }

    /// The sort of a node.
    #[must_use]
    pub fn sort(&self, id: NodeId) -> Sort {
        self.sorts.get(id.index()).copied().unwrap_or(Sort::Boolean)
    }

    /// A truth value.
    #[must_use]
    pub fn boolean(&mut self, value: bool) -> NodeId {
        self.intern(Node::Boolean(value), Sort::Boolean)
    }

    /// A number.
    #[must_use]
    pub fn number(&mut self, value: Rational) -> NodeId {
        self.intern(Node::Number(value), Sort::Number)
    }

    /// A member of a vocabulary by its place.
    #[must_use]
    pub fn member(&mut self, vocabulary: VocabularyId, place: u32) -> NodeId {
        self.intern(Node::Member(vocabulary, place), Sort::Member(vocabulary))
    }

    /// A claim or an undefined local name of the given sort.
    #[must_use]
    pub fn variable(&mut self, variable: VariableId, sort: Sort) -> NodeId {
        self.intern(Node::Variable(variable), sort)
    }

    /// Negation.
    #[must_use]
    pub fn not(&mut self, operand: NodeId) -> NodeId {
        match *self.node(operand) {
            Node::Boolean(value) => self.boolean(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(operand), Sort::Boolean),
        }
    }

    /// Conjunction; true without operands.
    #[must_use]
    pub fn and(&mut self, operands: Vec<NodeId>) -> NodeId {
        self.connect(operands, true)
    }

    /// Disjunction; false without operands.
    #[must_use]
    pub fn or(&mut self, operands: Vec<NodeId>) -> NodeId {
        self.connect(operands, false)
    }

    /// `And` with the neutral element `true`, `Or` with `false`: flattened, constants folded,
    /// repetitions dropped.
    fn connect(&mut self, operands: Vec<NodeId>, neutral: bool) -> NodeId {
        let mut kept = Vec::with_capacity(operands.len());
        for operand in operands {
            match self.node(operand) {
                Node::Boolean(value) if *value == neutral => {}
                Node::Boolean(_) => return self.boolean(!neutral),
                Node::And(inner) if neutral => kept.extend_from_slice(inner),
                Node::Or(inner) if !neutral => kept.extend_from_slice(inner),
                _ => kept.push(operand),
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        kept.retain(|it| seen.insert(*it));
        match kept.as_slice() {
            [] => self.boolean(neutral),
            &[only] => only,
            _ if neutral => self.intern(Node::And(kept.into()), Sort::Boolean),
            _ => self.intern(Node::Or(kept.into()), Sort::Boolean),
        }
    }

    /// Equality of two booleans.
    #[must_use]
    pub fn same(&mut self, left: NodeId, right: NodeId) -> NodeId {
        match (self.node(left), self.node(right)) {
            _ if left == right => self.boolean(true),
            (&Node::Boolean(value), _) => {
                if value {
                    right
                } else {
                    self.not(right)
                }
            }
            (_, &Node::Boolean(value)) => {
                if value {
                    left
                } else {
                    self.not(left)
                }
            }
            _ => self.intern(Node::Same(left.min(right), left.max(right)), Sort::Boolean),
        }
    }

    /// `then` where `condition` holds, else `otherwise`.
    #[must_use]
    pub fn conditional(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        if let &Node::Boolean(value) = self.node(condition) {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if self.sort(then) != Sort::Boolean {
            let sort = self.sort(then);
            return self.intern(Node::If(condition, then, otherwise), sort);
        }
        match (self.node(then), self.node(otherwise)) {
            (Node::Boolean(true), _) => self.or(vec![condition, otherwise]),
            (_, Node::Boolean(false)) => self.and(vec![condition, then]),
            (_, Node::Boolean(true)) => {
                let not = self.not(condition);
                self.or(vec![not, then])
            }
            (Node::Boolean(false), _) => {
                let not = self.not(condition);
                self.and(vec![not, otherwise])
            }
            _ => self.intern(Node::If(condition, then, otherwise), Sort::Boolean),
        }
    }

    /// A comparison of two numbers, or of two members by their places. Constants fold, unless they
    /// are longer than any that a source writes.
    #[must_use]
    pub fn compare(&mut self, comparison: Comparison, left: NodeId, right: NodeId) -> NodeId {
        let order = match (self.node(left), self.node(right)) {
            (Node::Number(a), Node::Number(b)) if is_cheap(a, b) => Some(a.cmp(b)),
            (Node::Member(_, a), Node::Member(_, b)) => Some(a.cmp(b)),
            _ => None,
        };
        match order {
            Some(order) => self.boolean(comparison.holds(order)),
            None => self.intern(Node::Compare(comparison, left, right), Sort::Boolean),
        }
    }

    /// The sum; zero without operands. Small constants are added up.
    #[must_use]
    pub fn add(&mut self, operands: Vec<NodeId>) -> NodeId {
        let (mut kept, mut constant) = (Vec::with_capacity(operands.len()), Rational::ZERO);
        for operand in operands {
            match self.node(operand) {
                Node::Number(value) if are_small(&constant, value) => {
                    constant = constant.add(value);
                }
                _ => kept.push(operand),
            }
        }
        if !constant.is_zero() || kept.is_empty() {
            kept.push(self.number(constant));
        }
        match kept.as_slice() {
            &[only] => only,
            _ => self.intern(Node::Add(kept.into()), Sort::Number),
        }
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negate(&mut self, operand: NodeId) -> NodeId {
        if let Node::Number(value) = self.node(operand) {
            let negative = value.negate();
            return self.number(negative);
        }
        let minus_one = self.number(Rational::from(-1));
        self.multiply(minus_one, operand)
    }

    /// The product.
    #[must_use]
    pub fn multiply(&mut self, left: NodeId, right: NodeId) -> NodeId {
        match (self.node(left), self.node(right)) {
            (Node::Number(a), Node::Number(b)) if are_small(a, b) => {
                let product = a.multiply(b);
                self.number(product)
            }
            (Node::Number(one), _) if *one == Rational::ONE => right,
            (_, Node::Number(one)) if *one == Rational::ONE => left,
            _ => self.intern(Node::Multiply(left, right), Sort::Number),
        }
    }

    /// The quotient. A zero divisor is kept, since it has no value to fold.
    #[must_use]
    pub fn divide(&mut self, left: NodeId, right: NodeId) -> NodeId {
        if let (Node::Number(a), Node::Number(b)) = (self.node(left), self.node(right))
            && are_small(a, b)
            && let Some(quotient) = a.divide(b)
        {
            return self.number(quotient);
        }
        self.intern(Node::Divide(left, right), Sort::Number)
    }

    /// The floored remainder. A zero divisor is kept.
    #[must_use]
    pub fn modulo(&mut self, left: NodeId, right: NodeId) -> NodeId {
        if let (Node::Number(a), Node::Number(b)) = (self.node(left), self.node(right))
            && are_small(a, b)
            && let Some(rest) = a.modulo(b)
        {
            return self.number(rest);
        }
        self.intern(Node::Modulo(left, right), Sort::Number)
    }

    /// A number in one unit, expressed in another.
    #[must_use]
    pub fn convert(&mut self, operand: NodeId, from: UnitId, to: UnitId) -> NodeId {
        if from == to {
            return operand;
        }
        self.intern(Node::Convert(operand, from, to), Sort::Number)
    }

    fn intern(&mut self, node: Node, sort: Sort) -> NodeId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node.clone());
        self.sorts.push(sort);
        let below = self.operands(id).into_iter().map(|it| self.depth(it)).max();
        self.depths.push(below.unwrap_or_default() + 1);
        self.degrees.push(self.degree_from_operands(id));
        self.ids.insert(node, id);
        id
    }

    fn degree_from_operands(&self, id: NodeId) -> u32 {
        match self.node(id) {
            Node::Number(value) => u32::from(value.as_small().is_none()),
            Node::Variable(_) => 1,
            Node::Multiply(a, b) | Node::Divide(a, b) | Node::Modulo(a, b) => {
                self.degree(*a).saturating_add(self.degree(*b))
            }
            _ => self.operands(id).into_iter().map(|it| self.degree(it)).max().unwrap_or_default(),
        }
    }

    /// The operands of a node.
    #[must_use]
    pub fn operands(&self, id: NodeId) -> Vec<NodeId> {
        match self.node(id) {
            Node::Boolean(_) | Node::Number(_) | Node::Member(..) | Node::Variable(_) => Vec::new(),
            Node::Not(a) | Node::Convert(a, ..) => vec![*a],
            Node::And(list) | Node::Or(list) | Node::Add(list) => list.to_vec(),
            Node::If(a, b, c) => vec![*a, *b, *c],
            Node::Same(a, b)
            | Node::Compare(_, a, b)
            | Node::Multiply(a, b)
            | Node::Divide(a, b)
            | Node::Modulo(a, b) => vec![*a, *b],
        }
    }
}

/// Whether two constants are compared here: any that a source can write, though not any that
/// deciders can compute.
fn is_cheap(a: &Rational, b: &Rational) -> bool {
    const MOST: u64 = 1 << 15;
    a.cost(Operation::Compare, b) <= MOST
}

/// Whether two constants are computed with here. Large ones are left to the deciders, or a short
/// text could ask for a number that no memory holds.
fn are_small(a: &Rational, b: &Rational) -> bool {
    a.as_small().is_some() && b.as_small().is_some()
}
