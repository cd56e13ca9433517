//! The ruleset as written, without comments.
//!
//! Chains of operators are flat lists, so the depth of this tree is bounded by the nesting that
//! the lexer measured. A place that could not be read is an [`Expr::Error`], which every later
//! stage passes over in silence because its problem is reported already.

use assay_base::{Rational, Span};

use crate::ir::Policy;

/// A whole source.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) version: Option<Name>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) assertions: Vec<Assertion>,
    /// Whether a declaration was so broken that its name could not be read, or not as it was meant.
    pub(crate) lost_declaration: bool,
}

/// A text with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// `declare [local] NAME as TYPE;`
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    pub(crate) local: bool,
    pub(crate) kind: Type,
}

/// A declared type.
#[derive(Debug)]
pub(crate) enum Type {
    Boolean,
    Numeric,
    Enum { members: Vec<Name>, ordered: bool },
    Error,
}

/// `let NAME = EXPR;`
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) name: Name,
    pub(crate) value: Expr,
}

/// `assert NAME [POLICY] { EXPR };`
#[derive(Debug)]
pub(crate) struct Assertion {
    pub(crate) name: Name,
    pub(crate) policy: Policy,
    pub(crate) body: Expr,
    /// Everything between the braces, without the white space around it.
    pub(crate) body_span: Span,
    /// From `assert` to the closing semicolon.
    pub(crate) span: Span,
}

/// An expression.
#[derive(Debug)]
pub(crate) enum Expr {
    Boolean(bool, Span),
    /// A number, with its unit where one follows.
    Number {
        value: Rational,
        unit: Option<Name>,
        span: Span,
    },
    String(Name),
    Name(Name),
    Negate(Box<Expr>, Span),
    Compare {
        operator: Comparison,
        operator_span: Span,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// The first operand and what is added or subtracted, or multiplied and so on, in turn.
    Chain {
        first: Box<Expr>,
        rest: Vec<(Arithmetic, Expr)>,
    },
    Call {
        function: Function,
        name_span: Span,
        arguments: Vec<Expr>,
        span: Span,
    },
    Quantified(Box<Quantified>),
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Option<Box<Expr>>,
        span: Span,
    },
    Case {
        subject: Box<Expr>,
        arms: Vec<Arm>,
        span: Span,
    },
    Set {
        elements: Vec<Expr>,
        span: Span,
    },
    Error(Span),
}

/// `QUANTIFIER([count,] VARIABLE in SET, BODY)`
#[derive(Debug)]
pub(crate) struct Quantified {
    pub(crate) quantifier: Quantifier,
    pub(crate) count: Option<Expr>,
    pub(crate) variable: Name,
    pub(crate) domain: Expr,
    pub(crate) body: Expr,
    pub(crate) span: Span,
}

/// One arm of a `CASE`.
#[derive(Debug)]
pub(crate) struct Arm {
    /// The member, or nothing for `DEFAULT`.
    pub(crate) label: Option<Name>,
    pub(crate) label_span: Span,
    pub(crate) value: Expr,
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// Whether the operator asks for an order.
    pub(crate) fn is_order(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// A function that takes a plain list of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    And,
    Or,
    Not,
    Xor,
    Implies,
    If,
    IsMember,
    IsSubset,
    Union,
    Intersect,
    Difference,
}

impl Function {
    /// Every function with its spelling and the fewest and most arguments it takes.
    pub(crate) const ALL: [(&'static str, Self, usize, usize); 11] = [
        ("And", Self::And, 1, usize::MAX),
        ("Or", Self::Or, 1, usize::MAX),
        ("Not", Self::Not, 1, 1),
        ("Xor", Self::Xor, 2, 2),
        ("Implies", Self::Implies, 2, 2),
        ("If", Self::If, 3, 3),
        ("IsMember", Self::IsMember, 2, 2),
        ("IsSubset", Self::IsSubset, 2, 2),
        ("Union", Self::Union, 2, 2),
        ("Intersect", Self::Intersect, 2, 2),
        ("Difference", Self::Difference, 2, 2),
    ];
}

/// A function that binds a variable over a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantifier {
    ForAll,
    Exists,
    AtLeast,
    AtMost,
    ExactlyOne,
    CountWhere,
}

impl Quantifier {
    /// Every quantifier with its spelling.
    pub(crate) const ALL: [(&'static str, Self); 6] = [
        ("ForAll", Self::ForAll),
        ("Exists", Self::Exists),
        ("AtLeast", Self::AtLeast),
        ("AtMost", Self::AtMost),
        ("ExactlyOne", Self::ExactlyOne),
        ("CountWhere", Self::CountWhere),
    ];

    /// Whether a number of elements stands before the variable.
    pub(crate) fn takes_count(self) -> bool {
        matches!(self, Self::AtLeast | Self::AtMost)
    }
}

impl Expr {
    /// The expressions directly inside.
    pub(crate) fn operands(&self) -> Vec<&Expr> {
        match self {
            Self::Boolean(..)
            | Self::Number { .. }
            | Self::String(_)
            | Self::Name(_)
            | Self::Error(_) => Vec::new(),
            Self::Negate(operand, _) => vec![operand],
            Self::Compare { left, right, .. } => vec![left, right],
            Self::Chain { first, rest } => {
                std::iter::once(&**first).chain(rest.iter().map(|(_, it)| it)).collect()
            }
            Self::Call { arguments, .. } => arguments.iter().collect(),
            Self::Quantified(quantified) => {
                let Quantified { count, domain, body, .. } = &**quantified;
                count.iter().chain([domain, body]).collect()
            }
            Self::If { condition, then, otherwise, .. } => {
                [&**condition, &**then].into_iter().chain(otherwise.as_deref()).collect()
            }
            Self::Case { subject, arms, .. } => {
                std::iter::once(&**subject).chain(arms.iter().map(|it| &it.value)).collect()
            }
            Self::Set { elements, .. } => elements.iter().collect(),
        }
    }

    /// The text that the expression spans.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Boolean(_, span)
            | Self::Number { span, .. }
            | Self::Negate(_, span)
            | Self::Call { span, .. }
            | Self::If { span, .. }
            | Self::Case { span, .. }
            | Self::Set { span, .. }
            | Self::Error(span) => *span,
            Self::String(name) | Self::Name(name) => name.span,
            Self::Compare { left, right, .. } => left.span().to(right.span()),
            Self::Chain { first, rest } => {
                rest.last().map_or(first.span(), |(_, last)| first.span().to(last.span()))
            }
            Self::Quantified(quantified) => quantified.span,
        }
    }
}

/// Every name of a function, of either kind.
pub(crate) fn function_names() -> impl Iterator<Item = &'static str> {
    let plain = Function::ALL.iter().map(|(name, ..)| *name);
    plain.chain(Quantifier::ALL.iter().map(|(name, _)| *name))
}
