//! Numbers and units in the text of a claim value.

use assay_base::json::is_invisible;
use assay_base::{Rational, numeral};

use crate::budget::MAX_STRING_BYTES;

/// A number as it stands in a string, with its unit where one follows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Numeric<'t> {
    pub(super) value: Rational,
    /// How many bytes the number takes, its sign included.
    pub(super) numeral_bytes: usize,
    pub(super) unit: Option<&'t str>,
}

/// Reads the whole of `text` as `NUMERAL` or `NUMERAL UNIT`, and says what to mend otherwise.
///
/// The unit is not looked up. Quotes and backslashes are refused everywhere, so that no value can
/// end a literal and begin another.
pub(super) fn numeric(text: &str) -> Result<Numeric<'_>, String> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (value, length) = numeral::scan(unsigned).map_err(|(error, _)| error.to_string())?;
    let value = if unsigned.len() == text.len() { value } else { value.negate() };
    let numeral_bytes = text.len() - unsigned.len() + length;
    let rest = unsigned.get(length..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(Numeric { value, numeral_bytes, unit: None });
    }
    let Some(unit) = rest.strip_prefix(' ') else {
        return Err("only one space and a unit may follow the number".to_owned());
    };
    match refusal(unit) {
        Some(refusal) => Err(refusal.to_owned()),
        None => Ok(Numeric { value, numeral_bytes, unit: Some(unit) }),
    }
}

/// Why `unit` cannot be the spelling of a unit.
fn refusal(unit: &str) -> Option<&'static str> {
    let first = unit.chars().next();
    if first.is_none_or(|it| it == ' ') {
        Some("exactly one space stands between number and unit")
    } else if first.is_some_and(|it| it.is_ascii_digit()) {
        Some("a unit does not begin with a digit, and digits are not grouped")
    } else if unit.contains(['"', '\\']) {
        Some("a value holds no quotes and no backslashes")
    } else if unit.contains(|it: char| it.is_control() || is_invisible(it)) {
        Some("a unit holds printable characters only")
    } else if unit.len() > MAX_STRING_BYTES {
        Some("a unit is at most 256 bytes long")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::numeric;

    #[test]
    fn the_whole_text_is_read() {
        for (text, value, numeral, unit) in [
            ("42", "42", "42", None),
            ("-0.50", "-0.5", "-0.50", None),
            ("5e3", "5000", "5e3", None),
            ("5E-3 kg", "0.005", "5E-3", Some("kg")),
            ("-40 degC", "-40", "-40", Some("degC")),
            ("6000 USD", "6000", "6000", Some("USD")),
            ("3 fl oz", "3", "3", Some("fl oz")),
            ("5 e3", "5", "5", Some("e3")),
            ("9 %", "9", "9", Some("%")),
            (
                "12345678901234567890.123 m",
                "12345678901234567890.123",
                "12345678901234567890.123",
                Some("m"),
            ),
        ] {
            let read = numeric(text).unwrap();
            assert_eq!(read.value.to_string(), value, "{text}");
            let read = (text.get(..read.numeral_bytes), read.unit);
            assert_eq!(read, (Some(numeral), unit), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let long = format!("1 {}", "u".repeat(257));
        for (text, part) in [
            ("", "ASCII digit"),
            ("USD", "ASCII digit"),
            ("USD 5", "ASCII digit"),
            ("$5", "ASCII digit"),
            (" 5", "ASCII digit"),
            ("+5", "ASCII digit"),
            (".5", "ASCII digit"),
            ("- 5", "ASCII digit"),
            ("--5", "ASCII digit"),
            ("−5", "ASCII digit"),
            ("٥٠٠٠", "ASCII digit"),
            ("５", "ASCII digit"),
            ("NaN", "ASCII digit"),
            ("Infinity", "ASCII digit"),
            ("-Infinity", "ASCII digit"),
            ("\"5\"", "ASCII digit"),
            ("5.", "decimal point"),
            ("5.e3", "decimal point"),
            ("5e", "exponent needs"),
            ("5 ", "exactly one space"),
            ("5  USD", "exactly one space"),
            ("500 000", "does not begin with a digit"),
            ("5 0USD", "does not begin with a digit"),
            ("12x34", "only one space"),
            ("340USD", "only one space"),
            ("5km", "only one space"),
            ("5%", "only one space"),
            ("1_000", "only one space"),
            ("1,000", "only one space"),
            ("1/3", "only one space"),
            ("5\tUSD", "only one space"),
            ("5\u{a0}USD", "only one space"),
            ("0x10", "only one space"),
            ("5 \"USD\"", "no quotes"),
            ("5 USD\"; assert x { True }; //", "no quotes"),
            ("5 U\\SD", "no quotes"),
            ("5 US\u{200b}D", "printable"),
            ("5 USD\n", "printable"),
            ("1e1001", "exponent lies"),
            (&long, "256 bytes"),
        ] {
            let refusal = numeric(text).unwrap_err();
            assert!(refusal.contains(part), "{text}: {refusal}");
        }
    }
}
