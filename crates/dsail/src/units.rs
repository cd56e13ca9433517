//! Units of measure: which exist, and how one leads to another in exact rationals.

use assay_base::{LibraryHash, Rational};

use crate::ir::Unit;

/// How a quantity in one unit is expressed in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bridge {
    /// Both are one unit.
    Same,
    /// An exact conversion leads there.
    Convertible(Conversion),
    /// Only an interval leads there, as from months to days.
    Ambiguous,
    /// No library knows one of the two.
    UnknownUnit,
    /// Both are known and nothing leads from one to the other.
    NoPath,
}

/// `to = from * factor + offset`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The factor, never zero.
    pub factor: Rational,
    /// The offset, zero for all but scales with a zero of their own.
    pub offset: Rational,
}

/// The standards together with what a project added.
#[derive(Debug)]
pub struct Library {}

impl Library {
    /// The six built-in standards alone.
    #[must_use]
    pub fn standard() -> &'static Self {
        const STANDARD: &Library = &Library {};
        STANDARD
    }

    /// The address of what a project added; `None` where it added nothing.
    #[must_use]
    pub fn hash(&self) -> Option<LibraryHash> {
        None
    }

    /// The unit that a symbol or an alias names; `None` where no library knows it.
    #[must_use]
    pub fn unit(&self, symbol: &str) -> Option<Unit> {
        Some(Unit::new(symbol))
    }

    /// The known symbol that is spelled most like `symbol`, if any is close.
    #[must_use]
    pub fn nearest(&self, _symbol: &str) -> Option<&str> {
        None
    }

    /// What the unit measures, such as `length`; `None` where no library knows it.
    #[must_use]
    pub fn dimension(&self, _unit: &Unit) -> Option<&str> {
        None
    }

    /// Whether the unit's scale has a zero of its own, as `degC` has.
    #[must_use]
    pub fn is_affine(&self, _unit: &Unit) -> bool {
        false
    }

    /// How a quantity in `from` is expressed in `to`.
    #[must_use]
    pub fn bridge(&self, _from: &Unit, _to: &Unit) -> Bridge {
        Bridge::NoPath
    }
}
