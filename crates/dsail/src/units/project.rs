//! What a project adds to the standards: converters, and the units that they introduce.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use assay_base::{LibraryHash, Rational, canonical as bytes, json};

use super::standards::Standards;
use super::{Conversion, Place};
use crate::ir::Unit;

/// Most converters of one project.
pub const MAX_CONVERTERS: usize = 1_000;
/// Most characters of a unit symbol that a project introduces.
pub const MAX_SYMBOL: usize = 64;
/// Most digits above and below the fraction bar of a factor or an offset.
pub const MAX_DIGITS: usize = 100;

/// A conversion that a project supplies. It works in both directions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converter {
    /// The unit converted from.
    pub from: Unit,
    /// The unit converted to.
    pub to: Unit,
    /// How `from` is expressed in `to`.
    pub conversion: Conversion,
}

impl Converter {
    /// Whether both converters are between the same two units, in whichever direction.
    #[must_use]
    pub fn joins_same_pair(&self, other: &Self) -> bool {
        self.pair() == other.pair()
    }

    fn pair(&self) -> (&Unit, &Unit) {
        ((&self.from).min(&self.to), (&self.from).max(&self.to))
    }
}

/// Why a converter cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConverterError {
    /// The text cannot be a unit symbol.
    Symbol(Unit),
    /// Both symbols name one unit.
    OneUnit(Unit, Unit),
    /// The factor is zero.
    ZeroFactor(Unit, Unit),
    /// The factor is less than zero.
    NegativeFactor(Unit, Unit),
    /// The factor or the offset has more than [`MAX_DIGITS`] digits.
    Digits(Unit, Unit),
    /// The standards fix another conversion between the two units, which is given here.
    Contradicts(Unit, Unit, Conversion),
    /// Two converters between the same two units differ.
    Twice(Unit, Unit),
    /// There are more than [`MAX_CONVERTERS`].
    TooMany,
}

impl ConverterError {
    /// What to do about it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Symbol(_) => {
                "use 1 to 64 visible characters without white space, quotes or backslashes, \
                 the first of them no digit, sign or point"
            }
            Self::OneUnit(..) => "name two different units",
            Self::ZeroFactor(..) | Self::NegativeFactor(..) => {
                "give the factor by which a value in the first unit is \
                                     multiplied to express it in the second"
            }
            Self::Digits(..) => "give a factor and an offset of at most 100 digits each",
            Self::Contradicts(..) => {
                "introduce a unit of your own for a scale that differs from \
                                      the standard one"
            }
            Self::Twice(..) => "keep one converter for the pair; it works in both directions",
            Self::TooMany => "keep the converters that the project's rules need",
        }
    }
}

impl fmt::Display for ConverterError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |unit: &Unit| json::printable(unit.symbol());
        match self {
            Self::Symbol(unit) => write!(out, "`{}` cannot be a unit symbol", shown(unit)),
            Self::OneUnit(from, to) => {
                write!(out, "`{}` and `{}` name one unit", shown(from), shown(to))
            }
            Self::ZeroFactor(from, to) => {
                write!(out, "the factor from `{}` to `{}` is zero", shown(from), shown(to))
            }
            Self::NegativeFactor(from, to) => write!(
                out,
                "the factor from `{}` to `{}` is negative: more of one would be less of the other",
                shown(from),
                shown(to)
            ),
            Self::Digits(from, to) => write!(
                out,
                "the factor or offset from `{}` to `{}` has more than {MAX_DIGITS} digits",
                shown(from),
                shown(to)
            ),
            Self::Contradicts(from, to, Conversion { factor, offset }) => {
                let (from, to) = (shown(from), shown(to));
                write!(out, "by the standards `{to}` is `{from}` times {factor}")?;
                if offset.is_zero() { Ok(()) } else { write!(out, " plus {offset}") }
            }
            Self::Twice(from, to) => {
                write!(out, "two converters join `{}` and `{}`", shown(from), shown(to))
            }
            Self::TooMany => write!(out, "a project has at most {MAX_CONVERTERS} converters"),
        }
    }
}

impl std::error::Error for ConverterError {}

/// A unit that no standard has.
#[derive(Debug)]
pub(super) struct AddedUnit {
    pub(super) unit: Unit,
    /// A dimension of the standards, or the symbol that names one of the project's own.
    pub(super) dimension: Unit,
    pub(super) is_affine: bool,
}

/// The converters of a project and what follows from them.
#[derive(Debug, Default)]
pub(super) struct Project {
    /// In canonical symbols, sorted by them, no pair of units twice.
    pub(super) converters: Vec<Converter>,
    /// Sorted by symbol. Unit `i` has the place behind the standards' units plus `i`.
    pub(super) added: Vec<AddedUnit>,
    /// The address of the converters; `None` without any.
    pub(super) hash: Option<LibraryHash>,
}

impl Project {
    pub(super) fn new(
        standards: &Standards,
        converters: impl IntoIterator<Item = Converter>,
    ) -> Result<Self, ConverterError> {
        let mut taken: BTreeMap<(Unit, Unit), Converter> = BTreeMap::new();
        for converter in converters {
            let converter = canonical(standards, converter);
            check(standards, &converter)?;
            let (low, high) = converter.pair();
            let pair = (low.clone(), high.clone());
            let first = taken.entry(pair).or_insert_with(|| converter.clone());
            if *first != converter {
                return Err(ConverterError::Twice(converter.from, converter.to));
            }
            if taken.len() > MAX_CONVERTERS {
                return Err(ConverterError::TooMany);
            }
        }
        let mut converters: Vec<Converter> = taken.into_values().collect();
        converters.sort_by(|a, b| (&a.from, &a.to).cmp(&(&b.from, &b.to)));
        let hash = (!converters.is_empty()).then(|| address(&converters));
        let added = introduced(standards, &converters);
        Ok(Self { converters, added, hash })
    }

    /// The place of a unit that no standard has.
    pub(super) fn place(&self, standards: &Standards, symbol: &str) -> Option<Place> {
        let index = self.added.binary_search_by(|it| it.unit.symbol().cmp(symbol)).ok()?;
        Some(Place(standards.len() + index))
    }

    pub(super) fn added_at(&self, standards: &Standards, place: Place) -> Option<&AddedUnit> {
        self.added.get(place.0.checked_sub(standards.len())?)
    }

    /// Each converter with the places of its units.
    pub(super) fn links<'a>(
        &'a self,
        standards: &'a Standards,
    ) -> impl Iterator<Item = (Place, Place, Conversion)> + 'a {
        let place = |unit: &Unit| {
            let symbol = unit.symbol();
            standards.place(symbol).or_else(|| self.place(standards, symbol))
        };
        self.converters
            .iter()
            .filter_map(move |it| Some((place(&it.from)?, place(&it.to)?, it.conversion.clone())))
    }
}

/// The converter with aliases of the standards replaced by the symbols that they stand for.
pub(super) fn canonical(standards: &Standards, converter: Converter) -> Converter {
    let resolve = |unit: Unit| {
        let standard = standards.place(unit.symbol()).and_then(|it| standards.at(it));
        standard.map_or(unit, |it| it.unit.clone())
    };
    let Converter { from, to, conversion } = converter;
    Converter { from: resolve(from), to: resolve(to), conversion }
}

fn check(standards: &Standards, converter: &Converter) -> Result<(), ConverterError> {
    let Converter { from, to, conversion } = converter;
    let (start, goal) = (standards.place(from.symbol()), standards.place(to.symbol()));
    for (unit, place) in [(from, start), (to, goal)] {
        if place.is_none() && !may_be_symbol(unit.symbol()) {
            return Err(ConverterError::Symbol(unit.clone()));
        }
    }
    if from == to {
        return Err(ConverterError::OneUnit(from.clone(), to.clone()));
    }
    if conversion.factor.is_zero() {
        return Err(ConverterError::ZeroFactor(from.clone(), to.clone()));
    }
    if conversion.factor.is_negative() {
        return Err(ConverterError::NegativeFactor(from.clone(), to.clone()));
    }
    if has_many_digits(&conversion.factor) || has_many_digits(&conversion.offset) {
        return Err(ConverterError::Digits(from.clone(), to.clone()));
    }
    match start.zip(goal).and_then(|(start, goal)| standards.conversion(start, goal)) {
        Some(fixed) if fixed != *conversion => {
            Err(ConverterError::Contradicts(from.clone(), to.clone(), fixed))
        }
        _ => Ok(()),
    }
}

/// Whether a project may introduce a unit with this symbol. It must be told apart from the number
/// before it and be seen as what it is.
fn may_be_symbol(symbol: &str) -> bool {
    let starts_like_a_number =
        symbol.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
    let all_visible = symbol.chars().all(|it| {
        !it.is_whitespace() && !it.is_control() && !json::is_invisible(it) && !"\"\\".contains(it)
    });
    let length = symbol.chars().take(MAX_SYMBOL + 1).count();
    (1..=MAX_SYMBOL).contains(&length) && !starts_like_a_number && all_visible
}

fn has_many_digits(value: &Rational) -> bool {
    let (top, bottom) = value.to_fraction();
    top.trim_start_matches('-').len() > MAX_DIGITS || bottom.len() > MAX_DIGITS
}

/// The address of sorted converters. Who supplied them takes no part in it.
fn address(converters: &[Converter]) -> LibraryHash {
    LibraryHash::of(&bytes::to_bytes(|value| {
        value.array(|array| {
            for Converter { from, to, conversion } in converters {
                array.item().object(|object| {
                    object.key("factor").number(&conversion.factor);
                    object.key("from").string(from.symbol());
                    object.key("offset").number(&conversion.offset);
                    object.key("to").string(to.symbol());
                });
            }
        });
    }))
}

/// The units that no standard has, sorted by symbol.
fn introduced(standards: &Standards, converters: &[Converter]) -> Vec<AddedUnit> {
    let mut touching: BTreeMap<&Unit, Vec<(&Unit, bool)>> = BTreeMap::new();
    for Converter { from, to, conversion } in converters {
        let has_offset = !conversion.offset.is_zero();
        touching.entry(from).or_default().push((to, has_offset));
        touching.entry(to).or_default().push((from, has_offset));
    }
    let is_new = |unit: &Unit| standards.place(unit.symbol()).is_none();
    let (mut added, mut seen) = (Vec::new(), BTreeSet::new());
    for &unit in touching.keys().filter(|it| is_new(it)) {
        if seen.contains(unit) {
            continue;
        }
        let family = Family::around(standards, &touching, unit);
        let dimension = family.dimension(unit);
        let is_affine = family.is_affine;
        added.extend(family.members.iter().map(|&member| AddedUnit {
            unit: member.clone(),
            dimension: dimension.clone(),
            is_affine,
        }));
        seen.extend(family.members);
    }
    added.sort_by(|a, b| a.unit.cmp(&b.unit));
    added
}

/// New units that converters join without passing a standard unit.
struct Family<'a> {
    members: BTreeSet<&'a Unit>,
    /// What the standard units measure that converters lead to.
    dimensions: BTreeSet<&'static str>,
    is_affine: bool,
}

impl<'a> Family<'a> {
    fn around(
        standards: &Standards,
        touching: &BTreeMap<&'a Unit, Vec<(&'a Unit, bool)>>,
        first: &'a Unit,
    ) -> Self {
        let members = BTreeSet::from([first]);
        let mut family = Self { members, dimensions: BTreeSet::new(), is_affine: false };
        let mut open = vec![first];
        while let Some(unit) = open.pop() {
            for &(other, has_offset) in touching.get(unit).into_iter().flatten() {
                family.is_affine |= has_offset;
                match standards.place(other.symbol()).and_then(|it| standards.at(it)) {
                    Some(standard) => {
                        family.is_affine |= standard.is_affine();
                        family.dimensions.insert(standard.dimension);
                    }
                    None if family.members.insert(other) => open.push(other),
                    None => {}
                }
            }
        }
        family
    }

    /// The one dimension that the family leads to, else one of its own, named by `smallest`.
    fn dimension(&self, smallest: &Unit) -> Unit {
        match (self.dimensions.first(), self.dimensions.len()) {
            (Some(only), 1) => Unit::new(only),
            _ => smallest.clone(),
        }
    }
}
