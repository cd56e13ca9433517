//! The unit library of a workspace: how converters are kept, changed and shown.

use assay_base::canonical::{Array, Object};
use assay_base::json::printable;
use assay_base::{Rational, numeral};
use assay_dsail::ir::Unit;
use assay_dsail::units::{Conversion, Converter, ConverterError, Library};
use assay_store::Converter as Row;

use crate::failure::{Failure, write_hash};
use crate::table::Context;

/// What every view of a library says.
pub(crate) const NOTE: &str = "No exchange rate and no other figure that somebody has to decide is built in. \
                    A person supplies it as a converter of the project.";

/// How often a change starts over because another one came first.
const ATTEMPTS: usize = 16;

/// The library that the converters of a workspace make.
pub(crate) fn library(rows: &[Row]) -> Result<Library, Failure> {
    let converters: Option<Vec<Converter>> = rows.iter().map(converter).collect();
    let damaged = || {
        let message = "the unit converters of the workspace cannot be read: put a backup of the \
                       data file in its place";
        Failure::other(assay_base::Code::StoreUnavailable, message)
    };
    Library::with_converters(converters.ok_or_else(damaged)?).map_err(|error| refused(&error))
}

fn converter(row: &Row) -> Option<Converter> {
    let conversion = Conversion { factor: fraction(&row.factor)?, offset: fraction(&row.offset)? };
    Some(Converter { from: Unit::new(&row.from), to: Unit::new(&row.to), conversion })
}

fn row(converter: &Converter, attribution: Option<String>) -> Row {
    Row {
        from: converter.from.symbol().to_owned(),
        to: converter.to.symbol().to_owned(),
        factor: converter.conversion.factor.to_string(),
        offset: converter.conversion.offset.to_string(),
        attribution,
    }
}

/// Reads a numeral, or two with a bar between them.
pub(crate) fn fraction(text: &str) -> Option<Rational> {
    match text.split_once('/') {
        None => numeral::parse(text).ok(),
        Some((top, bottom)) => numeral::parse(top).ok()?.divide(&numeral::parse(bottom).ok()?),
    }
}

fn refused(error: &ConverterError) -> Failure {
    Failure::bad_request(format!("{error}: {}", error.help()))
}

impl Context {
    /// Adds a converter to the workspace, or puts it in the place of the one between the same two
    /// units. Returns the library with its rows, and whether anything changed in its arithmetic.
    pub(crate) fn add_converter(
        &self,
        new: &Converter,
        attribution: Option<&str>,
    ) -> Result<(Library, Vec<Row>, bool), Failure> {
        let (store, workspace) = (&self.service.store, self.session.workspace.id);
        for _ in 0..ATTEMPTS {
            let old = store.converters(workspace)?;
            let before = library(&old)?;
            let after = before.with_converter(new.clone()).map_err(|error| refused(&error))?;
            let changed = after.hash() != before.hash();
            let rows: Vec<Row> = after
                .converters()
                .iter()
                .map(|it| match old.iter().find(|row| converter(row).as_ref() == Some(it)) {
                    Some(kept) if changed || attribution.is_none() => kept.clone(),
                    // The same figure once more, with another source: the newer word stands.
                    Some(kept) if !is_pair(kept, new, &after) => kept.clone(),
                    _ => row(it, attribution.map(str::to_owned)),
                })
                .collect();
            if rows == old
                || store.replace_converters(workspace, &old, &rows, self.service.now())?
            {
                return Ok((after, rows, changed));
            }
        }
        let message = "the unit library of the workspace keeps changing: repeat the call";
        Err(Failure::other(assay_base::Code::StoreUnavailable, message))
    }
}

/// Whether a kept converter joins the units of `new`, whose spellings may be aliases.
fn is_pair(kept: &Row, new: &Converter, library: &Library) -> bool {
    let canonical = |unit: &Unit| library.unit(unit.symbol());
    let new = (canonical(&new.from), canonical(&new.to));
    new == (Some(Unit::new(&kept.from)), Some(Unit::new(&kept.to)))
}

/// Writes everything about a library but the note.
pub(crate) fn write_library(object: &mut Object<'_>, library: &Library, rows: &[Row]) {
    object.key("project_converters").array(|array| rows.iter().for_each(|it| write_row(array, it)));
    object.key("standards_loaded").array(|array| {
        for (id, name) in library.standards() {
            array.item().object(|object| {
                object.key("id").string(id);
                object.key("name").string(name);
            });
        }
    });
    write_hash(object.key("unit_library_hash"), library.hash());
}

fn write_row(array: &mut Array<'_>, row: &Row) {
    array.item().object(|object| {
        object.key("attribution").optional_string(row.attribution.as_deref());
        for (key, text) in [("factor", &row.factor), ("offset", &row.offset)] {
            match fraction(text) {
                Some(value) => object.key(key).number(&value),
                None => object.key(key).string(text),
            }
        }
        object.key("from").string(&row.from);
        object.key("to").string(&row.to);
    });
}

/// A unit symbol from outside, short enough to look up.
pub(crate) fn symbol(key: &str, text: &str) -> Result<Unit, Failure> {
    let length = text.chars().count();
    if (1..=assay_dsail::units::MAX_SYMBOL).contains(&length) {
        return Ok(Unit::new(text));
    }
    let text: String = text.chars().take(40).collect();
    Err(Failure::bad_request(format!(
        "`{key}` is `{}`, and a unit has 1 to {} characters",
        printable(&text),
        assay_dsail::units::MAX_SYMBOL
    )))
}
