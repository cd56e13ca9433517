//! The one strict reader of numbers, for source text and for claim values alike.
//!
//! A numeral is ASCII digits with an optional fraction and an optional exponent, where a sign may
//! stand only where the caller allows one. The exponent belongs to the number. Nothing passes
//! through a float.

use std::fmt;

use num_bigint::BigInt;

use crate::rational::Rational;

/// Most digits of one numeral, the exponent's not counted.
pub const MAX_DIGITS: usize = 1_000;
/// Largest magnitude of an exponent.
pub const MAX_EXPONENT: i32 = 1_000;

/// Why a text is not a numeral.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumeralError {
    /// There is no digit where one must stand.
    Missing,
    /// A decimal point without a digit behind it.
    Fraction,
    /// An exponent without digits.
    Exponent,
    /// More than [`MAX_DIGITS`] digits.
    TooLong,
    /// An exponent beyond [`MAX_EXPONENT`].
    TooLarge,
}

impl fmt::Display for NumeralError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(out, "a number starts with an ASCII digit"),
            Self::Fraction => write!(out, "a decimal point needs a digit behind it"),
            Self::Exponent => write!(out, "an exponent needs at least one digit"),
            Self::TooLong => write!(out, "a number has at most {MAX_DIGITS} digits"),
            Self::TooLarge => {
                write!(out, "an exponent lies between -{MAX_EXPONENT} and {MAX_EXPONENT}")
            }
        }
    }
}

/// Reads the longest numeral at the start of `text`, without a sign.
///
/// Returns its value and its length in bytes.
///
/// # Errors
/// [`NumeralError`] says which rule the text breaks, together with the length of the offending
/// text, so that a lexer can go on behind it.
pub fn scan(text: &str) -> Result<(Rational, usize), (NumeralError, usize)> {
    let bytes = text.as_bytes();
    let whole = digits(bytes, 0);
    if whole == 0 {
        return Err((NumeralError::Missing, 0));
    }
    let mut end = whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1) != Some(&b'.') {
        fraction = digits(bytes, end + 1);
        if fraction == 0 {
            return Err((NumeralError::Fraction, end + 1));
        }
        end += 1 + fraction;
    }
    let mantissa = end;
    let exponent = match exponent(bytes, end) {
        None => 0,
        Some((value, length)) => {
            end += length;
            value.map_err(|error| (error, end))?
        }
    };
    if whole + fraction > MAX_DIGITS {
        return Err((NumeralError::TooLong, end));
    }
    let scale = exponent - i32::try_from(fraction).unwrap_or(i32::MAX);
    Ok((value(text.get(..mantissa).unwrap_or_default(), scale), end))
}

/// Reads `text` as one numeral from end to end, with an optional leading minus.
///
/// # Errors
/// [`NumeralError`] when the text breaks a rule, or [`NumeralError::Missing`] when something
/// follows the numeral.
pub fn parse(text: &str) -> Result<Rational, NumeralError> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (value, length) = scan(unsigned).map_err(|(error, _)| error)?;
    if length != unsigned.len() {
        return Err(NumeralError::Missing);
    }
    Ok(if negative { value.negate() } else { value })
}

fn digits(bytes: &[u8], from: usize) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take_while(|it| it.is_ascii_digit()).count()
}

/// The exponent at `from` and its length in bytes, or `None` where no exponent starts.
fn exponent(bytes: &[u8], from: usize) -> Option<(Result<i32, NumeralError>, usize)> {
    if !matches!(bytes.get(from), Some(b'e' | b'E')) {
        return None;
    }
    let sign = usize::from(matches!(bytes.get(from + 1), Some(b'+' | b'-')));
    let start = from + 1 + sign;
    let length = digits(bytes, start);
    let consumed = 1 + sign + length;
    if length == 0 {
        return Some((Err(NumeralError::Exponent), consumed));
    }
    let magnitude =
        bytes.get(start..start + length).unwrap_or_default().iter().fold(0_i32, |sum, digit| {
            sum.saturating_mul(10).saturating_add(i32::from(digit - b'0'))
        });
    if magnitude > MAX_EXPONENT {
        return Some((Err(NumeralError::TooLarge), consumed));
    }
    let negative = bytes.get(from + 1) == Some(&b'-');
    Some((Ok(if negative { -magnitude } else { magnitude }), consumed))
}

fn value(mantissa: &str, scale: i32) -> Rational {
    let small = mantissa
        .bytes()
        .filter(|&it| it != b'.')
        .try_fold(0_i64, |sum, digit| sum.checked_mul(10)?.checked_add(i64::from(digit - b'0')));
    let significand = small.map_or_else(|| big(mantissa), Rational::from);
    significand.scale_by_power_of_ten(scale)
}

fn big(mantissa: &str) -> Rational {
    let digits: Vec<u8> = mantissa.bytes().filter(|&it| it != b'.').collect();
    Rational::from(BigInt::parse_bytes(&digits, 10).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{NumeralError, parse, scan};

    #[test]
    fn values() {
        for (text, value) in [
            ("0", "0"),
            ("-0", "0"),
            ("007", "7"),
            ("42", "42"),
            ("3.50", "3.5"),
            ("0.05", "0.05"),
            ("5e3", "5000"),
            ("5E-3", "0.005"),
            ("1.25e+2", "125"),
            ("-12.5", "-12.5"),
            ("18446744073709551617", "18446744073709551617"),
            ("12345678901234567890.123", "12345678901234567890.123"),
            ("9007199254740993", "9007199254740993"),
            (
                "0.1000000000000000000000000000000000000001",
                "0.1000000000000000000000000000000000000001",
            ),
        ] {
            assert_eq!(parse(text).map(|it| it.to_string()), Ok(value.to_owned()), "{text}");
        }
    }

    #[test]
    fn refusals() {
        let long = "1".repeat(1_001);
        for (text, error) in [
            ("", NumeralError::Missing),
            ("-", NumeralError::Missing),
            ("+1", NumeralError::Missing),
            (" 1", NumeralError::Missing),
            ("1 ", NumeralError::Missing),
            (".5", NumeralError::Missing),
            ("٥", NumeralError::Missing),
            ("500 000", NumeralError::Missing),
            ("12x34", NumeralError::Missing),
            ("1_000", NumeralError::Missing),
            ("0x10", NumeralError::Missing),
            ("--1", NumeralError::Missing),
            ("NaN", NumeralError::Missing),
            ("1.", NumeralError::Fraction),
            ("1.e5", NumeralError::Fraction),
            ("1e", NumeralError::Exponent),
            ("1e+", NumeralError::Exponent),
            ("1e1001", NumeralError::TooLarge),
            ("1e99999999999999999999", NumeralError::TooLarge),
            (long.as_str(), NumeralError::TooLong),
        ] {
            assert_eq!(parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn scanning_stops_behind_the_numeral() {
        assert_eq!(scan("12 \"km\"").map(|it| it.1), Ok(2));
        assert_eq!(scan("0..100").map(|it| it.1), Ok(1));
        assert_eq!(scan("1.5)").map(|it| it.1), Ok(3));
    }
}
