//! The built-in standards, read once from their data files.
//!
//! A file has an `id`, a `name` and `units`. A unit names the `base` unit of its group, which
//! stands in the same file, and how it leads there: `base = unit * factor + offset`, in decimal
//! digits or as a fraction `n/d`. Currencies are groups of one, since no rate is a constant. The
//! `intervals` of a file say what is known between two groups where no exact conversion exists.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use assay_base::{Rational, numeral};
use serde::Deserialize;

use super::{Conversion, Place};
use crate::ir::Unit;

/// The data files, in the order in which the standards are listed.
pub(super) const FILES: [&str; 6] = [
    include_str!("../../data/units/length.json"),
    include_str!("../../data/units/mass.json"),
    include_str!("../../data/units/time.json"),
    include_str!("../../data/units/temperature.json"),
    include_str!("../../data/units/data_size.json"),
    include_str!("../../data/units/currency.json"),
];

/// A conversion that is known only between bounds: `low..=high` of `to` make one `from`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// The unit converted from.
    pub from: Unit,
    /// The unit converted to.
    pub to: Unit,
    /// The least factor.
    pub low: Rational,
    /// The largest factor.
    pub high: Rational,
    /// The document that says so.
    pub source: &'static str,
}

/// One unit of a standard.
#[derive(Debug)]
pub(super) struct StandardUnit {
    pub(super) unit: Unit,
    pub(super) dimension: &'static str,
    pub(super) source: &'static str,
    /// The base of its group, by which groups are told apart.
    pub(super) base: Place,
    to_base: Conversion,
    from_base: Conversion,
}

impl StandardUnit {
    pub(super) fn is_affine(&self) -> bool {
        !self.to_base.offset.is_zero()
    }
}

/// The units of all standards.
#[derive(Debug, Default)]
pub(super) struct Standards {
    names: Vec<(&'static str, &'static str)>,
    units: Vec<StandardUnit>,
    spellings: BTreeMap<&'static str, Place>,
    intervals: Vec<Interval>,
    interval_places: Vec<(Place, Place)>,
}

impl Standards {
    /// The six standards. A data file that cannot be read would leave no unit known, so that every
    /// comparison of quantities is refused; a test keeps that from happening.
    pub(super) fn built_in() -> &'static Self {
        static BUILT_IN: OnceLock<Standards> = OnceLock::new();
        BUILT_IN.get_or_init(|| Self::read(&FILES).unwrap_or_default())
    }

    /// Reads standards from the text of their files.
    ///
    /// # Errors
    /// [`DataError`] for the first thing that is wrong.
    pub(super) fn read(files: &[&'static str]) -> Result<Self, DataError> {
        let mut standards = Self::default();
        for text in files {
            let file = serde_json::from_str(text).map_err(|it| DataError::Json(it.to_string()))?;
            standards.add(&file)?;
        }
        Ok(standards)
    }

    pub(super) fn names(&self) -> &[(&'static str, &'static str)] {
        &self.names
    }

    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    pub(super) fn at(&self, place: Place) -> Option<&StandardUnit> {
        self.units.get(place.0)
    }

    /// The unit that a symbol or an alias names.
    pub(super) fn place(&self, spelling: &str) -> Option<Place> {
        self.spellings.get(spelling).copied()
    }

    /// Every symbol and alias.
    pub(super) fn spellings(&self) -> impl Iterator<Item = &str> {
        self.spellings.keys().copied()
    }

    pub(super) fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// The two units of each interval.
    pub(super) fn interval_places(&self) -> &[(Place, Place)] {
        &self.interval_places
    }

    /// The base of the group of a standard unit; `None` for another unit.
    pub(super) fn base(&self, place: Place) -> Option<Place> {
        self.at(place).map(|it| it.base)
    }

    /// The conversion between two units of one group.
    pub(super) fn conversion(&self, from: Place, to: Place) -> Option<Conversion> {
        let (from, to) = (self.at(from)?, self.at(to)?);
        (from.base == to.base).then(|| from.to_base.then(&to.from_base))
    }

    fn add(&mut self, file: &File) -> Result<(), DataError> {
        self.names.push((file.id, file.name));
        let first = self.units.len();
        for (index, unit) in file.units.iter().enumerate() {
            for spelling in std::iter::once(&unit.symbol).chain(&unit.aliases) {
                if self.spellings.insert(spelling, Place(first + index)).is_some() {
                    return Err(DataError::Twice(spelling));
                }
            }
        }
        for unit in &file.units {
            self.add_unit(file.id, unit)?;
        }
        for unit in &file.units {
            self.check_base(unit, first)?;
        }
        file.intervals.iter().try_for_each(|it| self.add_interval(it))
    }

    fn add_unit(&mut self, dimension: &'static str, record: &UnitRecord) -> Result<(), DataError> {
        let factor = rational(record.factor)?;
        let offset = record.offset.map_or(Ok(Rational::ZERO), rational)?;
        if factor.is_negative() {
            return Err(DataError::Number(record.factor));
        }
        let to_base = Conversion { factor, offset };
        let from_base = to_base.inverse().ok_or(DataError::Number(record.factor))?;
        let base = self.place(record.base).ok_or(DataError::Base(record.symbol))?;
        let unit = Unit::new(record.symbol);
        let source = record.source;
        self.units.push(StandardUnit { unit, dimension, source, base, to_base, from_base });
        Ok(())
    }

    /// A base unit is of the same file, is its own base and counts as one.
    fn check_base(&self, record: &UnitRecord, first: usize) -> Result<(), DataError> {
        let place = self.place(record.base).filter(|it| it.0 >= first);
        match place.and_then(|it| self.at(it)) {
            Some(base) if Some(base.base) == place && base.to_base == Conversion::IDENTITY => {
                Ok(())
            }
            _ => Err(DataError::Base(record.symbol)),
        }
    }

    fn add_interval(&mut self, record: &IntervalRecord) -> Result<(), DataError> {
        let place = |symbol| self.place(symbol).ok_or(DataError::Base(symbol));
        let (from, to) = (place(record.from)?, place(record.to)?);
        let (low, high) = (rational(record.low)?, rational(record.high)?);
        if low >= high || self.base(from) == self.base(to) {
            return Err(DataError::Interval(record.from));
        }
        self.interval_places.push((from, to));
        let (from, to) = (Unit::new(record.from), Unit::new(record.to));
        self.intervals.push(Interval { from, to, low, high, source: record.source });
        Ok(())
    }
}

/// What is wrong with a data file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DataError {
    /// It is not the JSON that is asked for.
    Json(String),
    /// A number is not exact, or a factor is not positive.
    Number(&'static str),
    /// A unit leads to no base unit.
    Base(&'static str),
    /// A symbol or alias stands twice.
    Twice(&'static str),
    /// An interval is empty, or joins units that convert exactly.
    Interval(&'static str),
}

impl fmt::Display for DataError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(message) => out.write_str(message),
            Self::Number(text) => write!(out, "`{text}` is no number that may stand here"),
            Self::Base(symbol) => write!(out, "`{symbol}` leads to no base unit of its file"),
            Self::Twice(spelling) => write!(out, "`{spelling}` names two units"),
            Self::Interval(symbol) => write!(out, "the interval from `{symbol}` bounds nothing"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    id: &'static str,
    name: &'static str,
    units: Vec<UnitRecord>,
    #[serde(default)]
    intervals: Vec<IntervalRecord>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitRecord {
    symbol: &'static str,
    aliases: Vec<&'static str>,
    base: &'static str,
    factor: &'static str,
    offset: Option<&'static str>,
    source: &'static str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IntervalRecord {
    from: &'static str,
    to: &'static str,
    low: &'static str,
    high: &'static str,
    source: &'static str,
}

/// Decimal digits, or a fraction of two such numbers.
fn rational(text: &'static str) -> Result<Rational, DataError> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let parse = |part| numeral::parse(part).ok();
    let quotient = parse(top).zip(parse(bottom)).and_then(|(top, bottom)| top.divide(&bottom));
    quotient.ok_or(DataError::Number(text))
}
