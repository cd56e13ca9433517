//! Units of measure: which exist, and how one leads to another in exact rationals.
//!
//! Six standards are built in, each a data file. Their units fall into groups: within a group
//! every unit converts to every other through the base unit of the group. A project adds
//! converters, which join groups and may introduce units of its own.
//!
//! What leads from one unit to another is the chain with the fewest steps, where a step is one
//! converter or one conversion within a group; of equally short chains the one whose symbols sort
//! first, read from the smaller of the two end symbols. The other direction is the exact inverse
//! of the same chain, so a value that goes there and back is unchanged even where the converters
//! of a project disagree among each other.

mod graph;
mod project;
mod standards;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use assay_base::{LibraryHash, Rational};

use crate::ir::Unit;
use graph::Graph;
use project::Project;
pub use project::{Converter, ConverterError, MAX_CONVERTERS, MAX_DIGITS, MAX_SYMBOL};
pub use standards::Interval;
use standards::Standards;

/// Most steps of one chain. It bounds the size of the numbers that a chain can multiply up.
pub const MAX_STEPS: usize = 16;

/// How a quantity in one unit is expressed in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bridge {
    /// Both are one unit, which needs no library to be seen where they are spelled alike.
    Same,
    /// An exact conversion leads there.
    Convertible(Conversion),
    /// Only an interval leads there, as from months to days.
    Ambiguous,
    /// They differ and no library knows one of the two.
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

impl Conversion {
    /// The conversion that changes nothing.
    pub const IDENTITY: Self = Self { factor: Rational::ONE, offset: Rational::ZERO };

    /// A value in the first unit, expressed in the second.
    #[must_use]
    pub fn apply(&self, value: &Rational) -> Rational {
        value.multiply(&self.factor).add(&self.offset)
    }

    /// The way back; `None` where the factor is zero.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let factor = Rational::ONE.divide(&self.factor)?;
        let offset = self.offset.multiply(&factor).negate();
        Some(Self { factor, offset })
    }

    /// This conversion and then the next.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self { factor: self.factor.multiply(&next.factor), offset: next.apply(&self.offset) }
    }
}

/// The standards together with what a project added.
#[derive(Debug)]
pub struct Library {
    standards: &'static Standards,
    project: Project,
    graph: Graph,
}

impl Library {
    /// The six built-in standards alone.
    #[must_use]
    pub fn standard() -> &'static Self {
        static STANDARD: OnceLock<Library> = OnceLock::new();
        STANDARD.get_or_init(|| {
            let standards = Standards::built_in();
            let project = Project::default();
            let graph = Graph::new(standards, &project);
            Self { standards, project, graph }
        })
    }

    /// The standards and the converters of a project. Their symbols may be aliases and come back
    /// canonical from [`Library::converters`]; a converter that stands twice counts once.
    ///
    /// # Errors
    /// [`ConverterError`] says which converter cannot be taken and why: the first one in the order
    /// given.
    pub fn with_converters(
        converters: impl IntoIterator<Item = Converter>,
    ) -> Result<Self, ConverterError> {
        let standards = Standards::built_in();
        let project = Project::new(standards, converters)?;
        let graph = Graph::new(standards, &project);
        Ok(Self { standards, project, graph })
    }

    /// This library with one more converter, which takes the place of an earlier one between the
    /// same two units in either direction.
    ///
    /// # Errors
    /// [`ConverterError`] where the converter cannot be taken.
    pub fn with_converter(&self, converter: Converter) -> Result<Self, ConverterError> {
        let new = project::canonical(self.standards, converter);
        let others = self.converters().iter().filter(|it| !it.joins_same_pair(&new));
        let mut converters: Vec<Converter> = others.cloned().collect();
        converters.push(new);
        Self::with_converters(converters)
    }

    /// The address of what a project added; `None` where it added nothing.
    #[must_use]
    pub fn hash(&self) -> Option<LibraryHash> {
        self.project.hash
    }

    /// Id and name of each built-in standard, in the order of their documentation.
    pub fn standards(&self) -> impl Iterator<Item = (&str, &str)> {
        self.standards.names().iter().copied()
    }

    /// What a project added, in canonical symbols, sorted by them.
    #[must_use]
    pub fn converters(&self) -> &[Converter] {
        &self.project.converters
    }

    /// The conversions of the standards that are known only between bounds.
    #[must_use]
    pub fn intervals(&self) -> &[Interval] {
        self.standards.intervals()
    }

    /// The unit that a symbol or an alias names; `None` where no library knows it.
    #[must_use]
    pub fn unit(&self, symbol: &str) -> Option<Unit> {
        self.unit_at(self.place(symbol)?).cloned()
    }

    /// The known symbol or alias that is spelled most like `symbol`: at most two edits away, and
    /// fewer than it has characters. The case of letters does not count as an edit.
    #[must_use]
    pub fn nearest(&self, symbol: &str) -> Option<&str> {
        const MAX_EDITS: usize = 2;
        let added = self.project.added.iter().map(|it| it.unit.symbol());
        let length = symbol.chars().take(MAX_SYMBOL + 1).count();
        if length > MAX_SYMBOL {
            return None;
        }
        let folded = symbol.to_lowercase();
        self.standards
            .spellings()
            .chain(added)
            .filter(|it| it.chars().count().abs_diff(length) <= MAX_EDITS)
            .map(|it| (strsim::osa_distance(&folded, &it.to_lowercase()), it))
            .filter(|(edits, _)| *edits <= MAX_EDITS && *edits < length)
            .min_by_key(|(edits, it)| (*edits, strsim::osa_distance(symbol, it), *it))
            .map(|(_, it)| it)
    }

    /// What the unit measures, such as `length`; `None` where no library knows it.
    ///
    /// A unit of a project measures what the standard units measure that its converters lead to
    /// without passing another standard unit. Where these disagree or there are none, the units
    /// that are joined this way measure something of their own, named by their smallest symbol.
    #[must_use]
    pub fn dimension(&self, unit: &Unit) -> Option<&str> {
        let place = self.place(unit.symbol())?;
        match self.standards.at(place) {
            Some(standard) => Some(standard.dimension),
            None => self.project.added_at(self.standards, place).map(|it| it.dimension.symbol()),
        }
    }

    /// Whether the unit's scale has a zero of its own, as `degC` has.
    ///
    /// A unit of a project is taken to have one if a converter that it is joined by has an offset
    /// or leads to such a standard unit.
    #[must_use]
    pub fn is_affine(&self, unit: &Unit) -> bool {
        let Some(place) = self.place(unit.symbol()) else { return false };
        match self.standards.at(place) {
            Some(standard) => standard.is_affine(),
            None => self.project.added_at(self.standards, place).is_some_and(|it| it.is_affine),
        }
    }

    /// Which document fixes the unit's factor; `None` for a unit that no standard has.
    #[must_use]
    pub fn source(&self, unit: &Unit) -> Option<&str> {
        let place = self.place(unit.symbol())?;
        self.standards.at(place).map(|it| it.source)
    }

    /// How a quantity in `from` is expressed in `to`. Either may be spelled as an alias.
    #[must_use]
    pub fn bridge(&self, from: &Unit, to: &Unit) -> Bridge {
        if from == to {
            return Bridge::Same;
        }
        let (Some(start), Some(goal)) = (self.place(from.symbol()), self.place(to.symbol())) else {
            return Bridge::UnknownUnit;
        };
        if start == goal {
            return Bridge::Same;
        }
        if let Some(conversion) = self.standards.conversion(start, goal) {
            return Bridge::Convertible(conversion);
        }
        if let Some(conversion) = self.chain(start, goal) {
            return Bridge::Convertible(conversion);
        }
        match self.graph.path(self, start, goal, graph::Links::ExactAndIntervals) {
            Some(_) => Bridge::Ambiguous,
            None => Bridge::NoPath,
        }
    }

    /// The exact conversion along the shortest chain, if one leads from `start` to `goal`.
    fn chain(&self, start: Place, goal: Place) -> Option<Conversion> {
        if self.unit_at(start) > self.unit_at(goal) {
            return self.chain_upward(goal, start)?.inverse();
        }
        self.chain_upward(start, goal)
    }

    /// As [`Library::chain`], from the smaller symbol to the larger.
    fn chain_upward(&self, start: Place, goal: Place) -> Option<Conversion> {
        let path = self.graph.path(self, start, goal, graph::Links::Exact)?;
        let steps = path.iter().zip(path.iter().skip(1));
        steps.into_iter().try_fold(Conversion::IDENTITY, |sum, (&from, &to)| {
            let within_group = || self.standards.conversion(from, to);
            let step = self.graph.converter(from, to).cloned().or_else(within_group)?;
            Some(sum.then(&step))
        })
    }

    fn place(&self, symbol: &str) -> Option<Place> {
        let added = || self.project.place(self.standards, symbol);
        self.standards.place(symbol).or_else(added)
    }

    fn unit_at(&self, place: Place) -> Option<&Unit> {
        let added = || self.project.added_at(self.standards, place).map(|it| &it.unit);
        self.standards.at(place).map(|it| &it.unit).or_else(added)
    }
}

/// Where a unit stands in a library: first the units of the standards, then those of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place(usize);
