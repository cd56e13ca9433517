//! `dsail_add_unit_converter`: a figure that a person supplied, as part of the unit library.

use assay_base::Rational;
use assay_base::json::{Scalar, printable, scalar};
use assay_dsail::units::{Conversion, Converter};

use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::names::attribution as check_attribution;
use crate::table::{Call, Step};
use crate::units::{NOTE, fraction, symbol, write_library};

const WARNING: &str = "Results depend on this library from now on. Approvals that were recorded \
                       under the previous one no longer describe what a ruleset does: each names \
                       the library that it was given for.";

const PARAMETERS: &[&str] = &["from_unit", "to_unit", "factor", "offset", "attribution"];

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, PARAMETERS)?;
    let unit = |key: &str| {
        let text = input.string(key)?.ok_or_else(|| missing(key))?;
        symbol(key, &text)
    };
    let (from, to) = (unit("from_unit")?, unit("to_unit")?);
    let factor = number(&input, "factor")?.ok_or_else(|| missing("factor"))?;
    let offset = number(&input, "offset")?.unwrap_or(Rational::ZERO);
    let attribution = input.string("attribution")?.map(std::borrow::Cow::into_owned);
    attribution.as_deref().map_or(Ok(()), check_attribution)?;
    let converter = Converter { from, to, conversion: Conversion { factor, offset } };
    Ok(call.work(move |context, _| {
        let (library, rows, changed) = context.add_converter(&converter, attribution.as_deref())?;
        Ok(context.service.payload(|object| {
            object.key("changed").boolean(changed);
            object.key("note").string(NOTE);
            if changed {
                object.key("warning").string(WARNING);
            }
            write_library(object, &library, &rows);
        }))
    }))
}

/// An exact number, written as one or as a fraction in a string.
fn number(input: &Input<'_>, key: &str) -> Result<Option<Rational>, Failure> {
    let Some(raw) = input.raw(key) else { return Ok(None) };
    let value = match scalar(raw) {
        Scalar::Number(text) => fraction(text),
        Scalar::String(text) => fraction(&text),
        _ => None,
    };
    let refuse = || {
        let text: String = raw.get().chars().take(40).collect();
        let text = printable(&text);
        Failure::bad_request(format!(
            "`{key}` is {text}, and a figure is a finite number of at most 1,000 digits or a \
             fraction such as `\"1/3\"`"
        ))
    };
    value.map(Some).ok_or_else(refuse)
}
