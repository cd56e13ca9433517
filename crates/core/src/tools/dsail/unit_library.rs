//! `dsail_unit_library`: what is loaded, or how one unit is expressed in another.

use assay_base::Rational;
use assay_base::canonical::Slot;
use assay_dsail::ir::Unit;
use assay_dsail::units::{Bridge, Conversion, Library};

use crate::failure::{Failure, write_hash};
use crate::input::{Input, missing};
use crate::table::{Call, Step};
use crate::units::{NOTE, symbol, write_library};

const AMBIGUOUS: &str = "Only bounds are fixed for this pair, so a comparison answers UNKNOWN. A \
                         converter of the project can fix the factor.";
const NO_PATH: &str = "Nothing leads from one unit to the other. A person can supply a converter.";
const UNKNOWN: &str = "No standard and no converter of the project has a unit that is spelled so.";

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["from_unit", "to_unit"])?;
    let unit = |key: &str| -> Result<Option<Unit>, Failure> {
        input.string(key)?.map(|text| symbol(key, &text)).transpose()
    };
    match (unit("from_unit")?, unit("to_unit")?) {
        (None, None) => Ok(call.work(|context, _| {
            let (service, session) = (&context.service, &context.session);
            let rows = service.store.converters(session.workspace.id)?;
            let library = crate::units::library(&rows)?;
            Ok(service.payload(|object| {
                object.key("note").string(NOTE);
                write_library(object, &library, &rows);
            }))
        })),
        (Some(from), Some(to)) => Ok(Step::Done(Ok(pair(call, &from, &to)))),
        (Some(_), None) => Err(missing("to_unit")),
        (None, Some(_)) => Err(missing("from_unit")),
    }
}

fn pair(call: &Call<'_>, from: &Unit, to: &Unit) -> Vec<u8> {
    let library = &call.caller.session.library;
    let (status, conversion, note) = answer(library, from, to);
    call.service.payload(|object| {
        write_number(object.key("factor"), conversion.as_ref().map(|it| &it.factor));
        object.key("from_unit").string(from.symbol());
        object.key("note").optional_string(note);
        write_number(object.key("offset"), conversion.as_ref().map(|it| &it.offset));
        object.key("status").string(status);
        object.key("to_unit").string(to.symbol());
        write_hash(object.key("unit_library_hash"), library.hash());
    })
}

/// One of five answers for a pair.
fn answer(
    library: &Library,
    from: &Unit,
    to: &Unit,
) -> (&'static str, Option<Conversion>, Option<&'static str>) {
    // Equal spellings are one unit wherever they are compared, but a unit that nobody knows is no
    // answer to a question about units.
    if library.unit(from.symbol()).is_none() || library.unit(to.symbol()).is_none() {
        return ("unknown_unit", None, Some(UNKNOWN));
    }
    match library.bridge(from, to) {
        Bridge::Same => ("same", Some(Conversion::IDENTITY), None),
        Bridge::Convertible(conversion) => ("convertible", Some(conversion), None),
        Bridge::Ambiguous => ("ambiguous", None, Some(AMBIGUOUS)),
        Bridge::UnknownUnit => ("unknown_unit", None, Some(UNKNOWN)),
        Bridge::NoPath => ("no_path", None, Some(NO_PATH)),
    }
}

fn write_number(slot: Slot<'_>, value: Option<&Rational>) {
    match value {
        Some(value) => slot.number(value),
        None => slot.null(),
    }
}
