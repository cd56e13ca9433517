//! The tree of what was written to the typed ruleset.
//!
//! Names are resolved, types and units checked, quantifiers unrolled, and every expression is made
//! through the arena's constructors. A mistake gives one diagnostic and a [`Typed::Error`], which
//! everything above it passes on in silence.

mod compare;
mod conditional;
mod expression;
mod names;
mod number;
mod set;
mod summary;

pub(crate) use summary::Statement;

use std::collections::BTreeMap;

use assay_base::{Code, Diagnostic, Severity, Source, Span};

use crate::annotation::Described;
use crate::arena::{Arena, NodeId};
use crate::ast::{self, Name};
use crate::budget::{Budget, BudgetExceeded, MAX_NESTING};
use crate::ir::{Claim, Local, Unit, UnitId, Vocabulary, VocabularyId};
use crate::nearest::Suggestions;
use crate::units::Library;

/// Deepest path through the nodes of one expression. Unrolling and `let` deepen what was written,
/// and deciders recurse along these paths.
const MAX_DEPTH: u32 = 4 * MAX_NESTING as u32;

/// Most numbers that are multiplied with each other. A definition that squares another doubles
/// them, and the digits of the result with them.
const MAX_DEGREE: u32 = 64;

/// What lowering leaves: the parts of a ruleset, complete only when no error was reported.
#[derive(Debug, Default)]
pub(crate) struct Lowered {
    pub(crate) claims: Vec<Claim>,
    pub(crate) locals: Vec<Local>,
    pub(crate) vocabularies: Vec<Vocabulary>,
    pub(crate) units: Vec<Unit>,
    /// The statement of each assertion of the file; `None` where it has an error.
    pub(crate) statements: Vec<Option<Statement>>,
    pub(crate) arena: Arena,
}

/// Lowers a file.
///
/// # Errors
/// [`BudgetExceeded`] when the unrolled expressions outgrow a limit.
pub(crate) fn lower(
    source: &Source,
    file: &ast::File,
    described: &BTreeMap<String, Described>,
    library: &Library,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Lowered, BudgetExceeded> {
    let mut lowering = Lowering {
        source,
        library,
        diagnostics,
        lowered: Lowered::default(),
        names: BTreeMap::new(),
        bound: Vec::new(),
        suggestions: Suggestions::default(),
        lost_names: file.lost_declaration,
        work: 0,
        unrolled: 0,
        exceeded: None,
    };
    lowering.declare(file, described);
    lowering.define_locals(file);
    for assertion in &file.assertions {
        let statement = lowering.statement(&assertion.body);
        lowering.lowered.statements.push(statement);
    }
    lowering.warn_about_unused(file);
    match lowering.exceeded {
        Some(exceeded) => Err(exceeded),
        None => Ok(lowering.lowered),
    }
}

/// A lowered expression with what is known of its type.
#[derive(Debug, Clone)]
enum Typed {
    Boolean(NodeId),
    Number(NodeId, Measure),
    Member(NodeId, VocabularyId),
    /// A string that meets no vocabulary yet.
    Word(Name),
    /// A mistake that is reported already.
    Error,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// Numbers written without a unit, and what is computed from them alone.
    Bare,
    /// A value that has no unit: a count, an ordinal, a ratio.
    Count,
    /// A quantity.
    Unit(UnitId),
}

struct Lowering<'a> {
    source: &'a Source,
    library: &'a Library,
    diagnostics: &'a mut Vec<Diagnostic>,
    lowered: Lowered,
    names: BTreeMap<&'a str, Typed>,
    /// Variables of the quantifiers around the current place, innermost last.
    bound: Vec<(&'a str, Typed)>,
    suggestions: Suggestions,
    lost_names: bool,
    work: usize,
    unrolled: usize,
    exceeded: Option<BudgetExceeded>,
}

impl<'a> Lowering<'a> {
    /// The statement of one assertion.
    fn statement(&mut self, body: &'a ast::Expr) -> Option<Statement> {
        let node = self.boolean(body)?;
        let expression = self.within_depth(node, body.span())?;
        Some(Statement::new(&self.lowered.arena, expression))
    }

    /// The node, unless deciders would have to recurse too deep or compute too large for it.
    fn within_depth(&mut self, node: NodeId, span: Span) -> Option<NodeId> {
        let message = if self.lowered.arena.depth(node) > MAX_DEPTH {
            "the expression is too deep once its names and quantifiers are expanded"
        } else if self.lowered.arena.degree(node) > MAX_DEGREE {
            "the expression multiplies too many numbers once its names are expanded"
        } else {
            return Some(node);
        };
        self.report(
            Diagnostic::new(Code::Nesting, span, message).help(
                "split the assertion, or shorten the longest chain of products or definitions",
            ),
        );
        None
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Whether the ruleset is refused already, so that what is missing may be a consequence.
    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity() == Severity::Error)
    }

    /// Counts one more lowered expression; false when the budget is used up.
    fn spend(&mut self) -> bool {
        self.work += 1;
        self.within(Budget::EXPRESSION_NODES, self.work)
    }

    /// Counts elements that a quantifier ranges over; false when the budget is used up.
    fn unroll(&mut self, elements: usize) -> bool {
        self.unrolled += elements;
        self.within(Budget::UNROLLED_ELEMENTS, self.unrolled)
    }

    fn within(&mut self, budget: Budget, actual: usize) -> bool {
        if actual > budget.limit {
            // Work stops here, so how much there would have been is not known.
            self.exceeded.get_or_insert(budget.exceeded(None));
        }
        self.exceeded.is_none()
    }

    /// The id of a vocabulary; equal vocabularies share one.
    fn vocabulary_id(&mut self, vocabulary: Vocabulary) -> VocabularyId {
        let known = self.lowered.vocabularies.iter().position(|it| *it == vocabulary);
        let index = known.unwrap_or_else(|| {
            self.lowered.vocabularies.push(vocabulary);
            self.lowered.vocabularies.len() - 1
        });
        VocabularyId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn vocabulary(&self, id: VocabularyId) -> &Vocabulary {
        const NONE: &Vocabulary = &Vocabulary { members: Vec::new(), ordered: false };
        self.lowered.vocabularies.get(id.index()).unwrap_or(NONE)
    }

    /// The id of the unit that a symbol names. Aliases share one; an unknown symbol is a unit of
    /// its own and is warned about where it stands first.
    fn unit_id(&mut self, symbol: &str, span: Span) -> UnitId {
        let known = self.library.unit(symbol);
        let unit = known.clone().unwrap_or_else(|| Unit::new(symbol));
        let place = self.lowered.units.iter().position(|it| *it == unit);
        let index = place.unwrap_or_else(|| {
            if known.is_none() {
                self.warn_unknown_unit(symbol, span);
            }
            self.lowered.units.push(unit);
            self.lowered.units.len() - 1
        });
        UnitId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn warn_unknown_unit(&mut self, symbol: &str, span: Span) {
        let known = if self.suggestions.spend() { self.library.nearest(symbol) } else { None };
        let help = match known {
            Some(known) => format!("did you mean `{known}`?"),
            None => "it compares with itself only, until a project supplies a converter".to_owned(),
        };
        let message = format!("no library knows the unit `{symbol}`");
        self.report(Diagnostic::new(Code::UnknownUnit, span, message).help(help));
    }

    fn unit(&self, id: UnitId) -> Unit {
        self.lowered.units.get(id.index()).cloned().unwrap_or_else(|| Unit::new(""))
    }
}

impl Typed {
    /// The kind of value, as a message names it.
    fn kind(&self) -> &'static str {
        match self {
            Self::Boolean(_) => "a truth value",
            Self::Number(..) => "a number",
            Self::Member(..) => "an enum member",
            Self::Word(_) => "a string",
            Self::Error => "an error",
        }
    }
}
