//! The typed ruleset: what the manifest, the prompts, the review text and every decider read.
//!
//! Every expression lives in one [`Arena`] as a node without sugar. Nodes are made by checked
//! constructors only, which give each its sort, fold constants and share equal nodes, so that
//! equal text is decided once. Quantifiers are unrolled, sets have become lists, implications
//! and `CASE` have become `Or` and `If`.

use std::fmt;
use std::sync::Arc;

use assay_base::{Rational, RulesetHash, Source, Span};

pub use crate::arena::{Arena, Comparison, Node, NodeId};

/// A language version that compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LanguageVersion {
    /// `version 1.2;`
    V1_2,
    /// `version 1.3;`, also without a version statement.
    V1_3,
}

/// A compiled ruleset.
#[derive(Debug, Clone)]
pub struct Ruleset {
    /// The address of the normalised source.
    pub hash: RulesetHash,
    /// The normalised source.
    pub source: Source,
    /// The language version that it is written in.
    pub version: LanguageVersion,
    /// Claims in the order of their declaration. Claim `i` is variable `i`.
    pub claims: Vec<Claim>,
    /// Local names in the order of their declaration. Local `i` is variable `claims.len() + i`.
    pub locals: Vec<Local>,
    /// Every vocabulary; equal ones are shared.
    pub vocabularies: Vec<Vocabulary>,
    /// Every unit that a conversion names.
    pub units: Vec<Unit>,
    /// The assertions in the order of the source.
    pub assertions: Vec<Assertion>,
    /// The expressions of all assertions.
    pub arena: Arena,
}

impl Ruleset {
    /// How many variables there are: claims, then locals.
    #[must_use]
    pub fn variable_count(&self) -> usize {
        self.claims.len() + self.locals.len()
    }

    /// The claim behind a variable; `None` for a local name.
    #[must_use]
    pub fn claim(&self, variable: VariableId) -> Option<&Claim> {
        self.claims.get(variable.index())
    }

    /// The sort of a variable's values; boolean for an id of another ruleset.
    #[must_use]
    pub fn sort(&self, variable: VariableId) -> Sort {
        match self.claim(variable) {
            Some(claim) => claim.sort,
            None => {
                let local = variable.index().checked_sub(self.claims.len());
                local.and_then(|it| self.locals.get(it)).map_or(Sort::Boolean, |it| it.sort)
            }
        }
    }

    /// The vocabulary behind its id; empty for an id of another ruleset.
    #[must_use]
    pub fn vocabulary(&self, id: VocabularyId) -> &Vocabulary {
        const NONE: &Vocabulary = &Vocabulary { members: Vec::new(), ordered: false };
        self.vocabularies.get(id.index()).unwrap_or(NONE)
    }
}

/// Defines an index into one list of a ruleset.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The index of a place in its list.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The place in its list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use index;

index! {
    /// A claim or a local name: claims first, then locals, each in the order of declaration.
    VariableId
}

index! {
    /// A vocabulary of a ruleset.
    VocabularyId
}

index! {
    /// A unit of a ruleset.
    UnitId
}

/// What kind of value a variable or an expression has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// `True` or `False`.
    Boolean,
    /// An exact rational.
    Number,
    /// A member of the vocabulary, known by its place in it.
    Member(VocabularyId),
}

/// A value of one of the sorts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// `True` or `False`.
    Boolean(bool),
    /// A number, in the declared unit where the claim has one.
    Number(Rational),
    /// The place of a member in its vocabulary.
    Member(u32),
}

/// A unit symbol. In the units of a ruleset it is canonical where a library knows it; in a claim it
/// is spelled as the author spelled it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit(Arc<str>);

impl Unit {
    /// The unit with this symbol.
    #[must_use]
    pub fn new(symbol: &str) -> Self {
        Self(symbol.into())
    }

    /// The symbol.
    #[must_use]
    pub fn symbol(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Debug for Unit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A value that the caller extracts from its evidence.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The declared name.
    pub name: String,
    /// What kind of value it takes.
    pub sort: Sort,
    /// The question of `@ask`.
    pub question: Option<String>,
    /// The text of `@context`.
    pub context: Option<String>,
    /// The unit of `@unit`.
    pub unit: Option<Unit>,
    /// The bounds of `@range`, both inclusive, in the declared unit.
    pub range: Option<Range>,
    /// The name in the declaration.
    pub span: Span,
}

/// Inclusive bounds with `low <= high`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The lower bound.
    pub low: Rational,
    /// The upper bound.
    pub high: Rational,
}

/// A name of the ruleset's own, never asked for. Where `let` defines it, every use has been
/// replaced by the definition; otherwise it stays unknown.
#[derive(Debug, Clone)]
pub struct Local {
    /// The declared name.
    pub name: String,
    /// What kind of value it takes.
    pub sort: Sort,
    /// The name in the declaration.
    pub span: Span,
}

/// The members of an enum.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vocabulary {
    /// The members as listed.
    pub members: Vec<String>,
    /// Whether the listing is an order.
    pub ordered: bool,
}

/// What an assertion answers when both outcomes are possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// `UNKNOWN`.
    Neutral,
    /// `FALSE`: it could not be shown to hold.
    Pessimistic,
    /// `TRUE`: it could not be shown to be violated.
    Optimistic,
}

impl Policy {
    /// The word in the source and on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Pessimistic => "pessimistic",
            Self::Optimistic => "optimistic",
        }
    }
}

/// One rule: a statement that is answered on its own.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// The declared name, unique in the ruleset.
    pub name: String,
    /// What it answers when both outcomes are possible.
    pub policy: Policy,
    /// The statement, of sort boolean.
    pub expression: NodeId,
    /// The variables that the statement reads, ascending.
    pub reads: Vec<VariableId>,
    /// The comment block directly above, without its slashes.
    pub description: Option<String>,
    /// The whole statement from `assert` to `;`.
    pub span: Span,
    /// The expression between the braces, without surrounding white space.
    pub body: Span,
}
