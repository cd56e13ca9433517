//! The expressions of a plan in one flat list, laid out for evaluation.
//!
//! A step takes sixteen bytes and names its operands by place; numbers and operand lists lie
//! beside the steps, so that following an assertion stays within a few cache lines. The commonest
//! atoms, a variable against a constant, are one step each.

use assay_base::Rational;
use assay_dsail::arena::Comparison;
use assay_dsail::ir::{Arena, Node, NodeId, Sort};

use crate::rewrite::reachable;

/// Statements that are deeper are left to deciders that do not recurse. Source nests half as
/// deep at most.
const MAX_DEPTH: u32 = 256;

/// Statements whose shared parts would be visited more often are left to deciders that visit
/// them once.
const MAX_VISITS: u64 = 100_000;

/// Steps with their numbers and lists.
#[derive(Debug, Default)]
pub(crate) struct Program {
    steps: Vec<Step>,
    lists: Vec<StepId>,
    constants: Vec<Rational>,
}

/// The place of a step.
pub(crate) type StepId = u32;

/// Where a statement starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) step: StepId,
    /// How many steps an evaluation visits at most; `None` where evaluation is not for it.
    pub(crate) visits: Option<u32>,
}

/// One operation. Operands are steps unless said otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// A truth value.
    Boolean(bool),
    /// The number at a place among the constants.
    Number(u32),
    /// A member by its place.
    Member(u32),
    /// The variable at a place.
    Variable(u32),
    Not(StepId),
    And(List),
    Or(List),
    Same(StepId, StepId),
    If(StepId, StepId, StepId),
    /// Two numbers.
    Compare(Comparison, StepId, StepId),
    /// A variable on the left and a constant on the right, by their places.
    AtMost(Comparison, u32, u32),
    /// A constant on the left and a variable on the right, by their places.
    AtLeast(Comparison, u32, u32),
    /// Two members by their places in the vocabulary.
    Rank(Comparison, StepId, StepId),
    /// Whether a variable is the member at a place.
    IsMember(u32, u32),
    Add(List),
    Multiply(StepId, StepId),
    Divide(StepId, StepId),
    Modulo(StepId, StepId),
    /// A number that nobody knows.
    Unknown,
}

/// A stretch of the operand lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    start: u32,
    end: u32,
}

impl Program {
    /// Lays out what `roots` reach; the entries stand in the order of the roots.
    pub(crate) fn lower(arena: &Arena, roots: &[NodeId]) -> (Self, Vec<Entry>) {
        let mut lowering =
            Lowering { arena, program: Self::default(), placed: vec![None; arena.nodes().len()] };
        let entries = roots.iter().map(|root| lowering.root(*root)).collect();
        (lowering.program, entries)
    }

    pub(crate) fn step(&self, id: StepId) -> Step {
        self.steps.get(id as usize).copied().unwrap_or(Step::Unknown)
    }

    pub(crate) fn list(&self, list: List) -> &[StepId] {
        self.lists.get(list.start as usize..list.end as usize).unwrap_or_default()
    }

    pub(crate) fn constant(&self, place: u32) -> &Rational {
        const ZERO: &Rational = &Rational::ZERO;
        self.constants.get(place as usize).unwrap_or(ZERO)
    }
}

struct Lowering<'a> {
    arena: &'a Arena,
    program: Program,
    placed: Vec<Option<Placed>>,
}

/// A node that has become a step.
#[derive(Clone, Copy)]
struct Placed {
    step: StepId,
    depth: u32,
    visits: u64,
}

impl Lowering<'_> {
    fn root(&mut self, root: NodeId) -> Entry {
        for id in reachable(self.arena, &[root]) {
            // Leaves are placed when something asks for them: atoms need none.
            if !self.arena.operands(id).is_empty() && self.existing(id).is_none() {
                self.place(id);
            }
        }
        let placed = self.operand(root);
        let light = placed.depth <= MAX_DEPTH && placed.visits <= MAX_VISITS;
        let visits = u32::try_from(placed.visits).ok().filter(|_| light);
        Entry { step: placed.step, visits }
    }

    fn existing(&self, id: NodeId) -> Option<Placed> {
        self.placed.get(id.index()).copied().flatten()
    }

    fn operand(&mut self, id: NodeId) -> Placed {
        match self.existing(id) {
            Some(placed) => placed,
            None => self.place(id),
        }
    }

    fn place(&mut self, id: NodeId) -> Placed {
        let (step, (depth, visits)) = match self.atom(id) {
            Some(atom) => (atom, (0, 0)),
            None => {
                let operands = self.arena.operands(id);
                let below: Vec<_> = operands.into_iter().map(|it| self.operand(it)).collect();
                let size = below.iter().fold((0, 0_u64), |(depth, visits), it| {
                    (it.depth.max(depth), visits.saturating_add(it.visits))
                });
                (self.operation(id, &below), size)
            }
        };
        let place = Placed {
            step: small(self.program.steps.len()),
            depth: depth + 1,
            visits: visits.saturating_add(1),
        };
        self.program.steps.push(step);
        if let Some(entry) = self.placed.get_mut(id.index()) {
            *entry = Some(place);
        }
        place
    }

    /// The step of a comparison that reads no other step.
    fn atom(&mut self, id: NodeId) -> Option<Step> {
        let &Node::Compare(comparison, a, b) = self.arena.node(id) else { return None };
        match (self.arena.node(a), self.arena.node(b)) {
            (Node::Variable(variable), Node::Number(value)) => {
                let constant = self.constant(value);
                Some(Step::AtMost(comparison, small(variable.index()), constant))
            }
            (Node::Number(value), Node::Variable(variable)) => {
                let constant = self.constant(value);
                Some(Step::AtLeast(comparison, constant, small(variable.index())))
            }
            (Node::Variable(variable), Node::Member(_, place))
            | (Node::Member(_, place), Node::Variable(variable))
                if comparison == Comparison::Equal =>
            {
                Some(Step::IsMember(small(variable.index()), *place))
            }
            _ => None,
        }
    }

    fn constant(&mut self, value: &Rational) -> u32 {
        self.program.constants.push(value.clone());
        small(self.program.constants.len() - 1)
    }

    fn operation(&mut self, id: NodeId, operands: &[Placed]) -> Step {
        let of = |place: usize| operands.get(place).map_or(StepId::MAX, |it| it.step);
        match self.arena.node(id) {
            Node::Boolean(value) => Step::Boolean(*value),
            Node::Number(value) => Step::Number(self.constant(value)),
            Node::Member(_, place) => Step::Member(*place),
            Node::Variable(variable) => Step::Variable(small(variable.index())),
            Node::Not(_) => Step::Not(of(0)),
            Node::And(_) => Step::And(self.list(operands)),
            Node::Or(_) => Step::Or(self.list(operands)),
            Node::Same(..) => Step::Same(of(0), of(1)),
            Node::If(..) => Step::If(of(0), of(1), of(2)),
            Node::Compare(comparison, a, _) => match self.arena.sort(*a) {
                Sort::Member(_) => Step::Rank(*comparison, of(0), of(1)),
                Sort::Boolean | Sort::Number => Step::Compare(*comparison, of(0), of(1)),
            },
            Node::Add(_) => Step::Add(self.list(operands)),
            Node::Multiply(..) => Step::Multiply(of(0), of(1)),
            Node::Divide(..) => Step::Divide(of(0), of(1)),
            Node::Modulo(..) => Step::Modulo(of(0), of(1)),
            // A plan resolves every conversion whose units the ruleset lists.
            Node::Convert(..) => Step::Unknown,
        }
    }

    fn list(&mut self, operands: &[Placed]) -> List {
        let start = small(self.program.lists.len());
        self.program.lists.extend(operands.iter().map(|it| it.step));
        List { start, end: small(self.program.lists.len()) }
    }
}

/// Rulesets are capped far below four billion nodes, so saturation is never seen.
fn small(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
