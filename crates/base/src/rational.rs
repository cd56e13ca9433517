//! Exact rational numbers that stay on the stack while they are small.
//!
//! Everyday numbers are a pair of 64-bit integers in lowest terms and cost no allocation. Any
//! operation whose result does not fit is repeated on big integers, so nothing is ever rounded
//! and nothing overflows. What an operation will cost can be asked before it is done.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use crate::big::{self, Size};

/// An exact rational number.
///
/// INVARIANT: `Small` is in lowest terms with a positive denominator, and `Big` holds only what
/// does not fit `Small`, so that equal numbers have equal representations.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Form);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Small { numerator: i64, denominator: i64 },
    Big(Box<BigRational>),
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// [`Rational::add`]
    Add,
    /// [`Rational::multiply`]
    Multiply,
    /// [`Rational::divide`]
    Divide,
    /// [`Rational::modulo`]
    Modulo,
    /// [`Rational::cmp`]
    Compare,
}

/// What reducing a fraction of 128-bit integers costs.
const SMALL_COST: u64 = 256;

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self(Form::Small { numerator: 0, denominator: 1 });
    /// One.
    pub const ONE: Self = Self(Form::Small { numerator: 1, denominator: 1 });

    /// `numerator / denominator`; `None` when the denominator is zero.
    #[must_use]
    pub fn fraction(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self::reduce(i128::from(numerator), i128::from(denominator)))
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        if let (Some((a, b)), Some((c, d))) = (self.small(), other.small()) {
            if b == 1 && d == 1 {
                return Self::reduce_integer(a + c);
            }
            // Each product is below 2^126 and their sum below 2^127.
            return Self::reduce(a * d + c * b, b * d);
        }
        Self::from_big(big::sum(&self.to_big(), &other.to_big()))
    }

    /// The difference.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Self {
        self.add(&other.negate())
    }

    /// The product.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Self {
        if let (Some((a, b)), Some((c, d))) = (self.small(), other.small()) {
            return Self::reduce(a * c, b * d);
        }
        Self::from_big(big::product(&self.to_big(), &other.to_big()))
    }

    /// The quotient; `None` when the divisor is zero.
    #[must_use]
    pub fn divide(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        if let (Some((a, b)), Some((c, d))) = (self.small(), other.small()) {
            return Some(Self::reduce(a * d, b * c));
        }
        Some(Self::from_big(big::product(&self.to_big(), &big::inverse(&other.to_big()))))
    }

    /// `self - other * floor(self / other)`, which has the sign of `other`; `None` when `other`
    /// is zero.
    #[must_use]
    pub fn modulo(&self, other: &Self) -> Option<Self> {
        let floor = self.divide(other)?.floor();
        Some(self.subtract(&other.multiply(&floor)))
    }

    /// The largest integer that is not above the number.
    #[must_use]
    pub fn floor(&self) -> Self {
        match &self.0 {
            Form::Small { numerator, denominator } => {
                Self::from(Integer::div_floor(numerator, denominator))
            }
            Form::Big(big) => Self::from(Integer::div_floor(big.numer(), big.denom())),
        }
    }

    /// What an operation of this number with another costs, about in nanoseconds: counted from the
    /// lengths of both before it is done, so that it is equal on every machine. Integers of 64
    /// bits cost nothing.
    #[must_use]
    #[inline]
    pub fn cost(&self, operation: Operation, other: &Self) -> u64 {
        let (Some((_, b)), Some((_, d))) = (self.as_small(), other.as_small()) else {
            return self.big_cost(operation, other);
        };
        match operation {
            Operation::Compare => 0,
            Operation::Add | Operation::Multiply if b == 1 && d == 1 => 0,
            Operation::Add | Operation::Multiply | Operation::Divide => SMALL_COST,
            Operation::Modulo => 3 * SMALL_COST,
        }
    }

    #[cold]
    fn big_cost(&self, operation: Operation, other: &Self) -> u64 {
        let (left, right) = (self.size(), other.size());
        match operation {
            Operation::Add => left.sum_cost(right, self.has_denominator_of(other)),
            Operation::Multiply => left.product_cost(right),
            Operation::Divide => left.product_cost(right.inverse()),
            Operation::Modulo => left.modulo_cost(right),
            Operation::Compare => left.order_cost(right),
        }
    }

    /// How many 64-bit limbs the numerator and the denominator take together; none where both fit 64
    /// bits.
    #[must_use]
    pub fn limbs(&self) -> u64 {
        match &self.0 {
            Form::Small { .. } => 0,
            Form::Big(big) => Size::of(big).limbs(),
        }
    }

    fn size(&self) -> Size {
        match &self.0 {
            Form::Small { denominator, .. } => {
                Size { numerator: 1, denominator: u64::from(*denominator != 1) }
            }
            Form::Big(big) => Size::of(big),
        }
    }

    fn has_denominator_of(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Form::Big(a), Form::Big(b)) => a.denom() == b.denom(),
            (Form::Small { .. }, _) | (_, Form::Small { .. }) => false,
        }
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negate(&self) -> Self {
        match &self.0 {
            Form::Small { numerator, denominator } => {
                Self::reduce(-i128::from(*numerator), i128::from(*denominator))
            }
            Form::Big(big) => Self::from_big(-big.as_ref()),
        }
    }

    /// The number times ten to the power of `exponent`.
    #[must_use]
    pub fn scale_by_power_of_ten(&self, exponent: i32) -> Self {
        if exponent == 0 {
            return self.clone();
        }
        let power = exponent.unsigned_abs();
        let factor = 10_i64.checked_pow(power).map_or_else(
            || Self::from(num_traits::pow(BigInt::from(10), power as usize)),
            Self::from,
        );
        if exponent > 0 {
            self.multiply(&factor)
        } else {
            // The factor is a power of ten and never zero.
            self.divide(&factor).unwrap_or(Self::ZERO)
        }
    }

    /// Whether the number is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Form::Small { numerator: 0, .. })
    }

    /// Whether the number is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Form::Small { numerator, .. } => *numerator < 0,
            Form::Big(big) => big.is_negative(),
        }
    }

    /// Whether the number has no fraction.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Form::Small { denominator, .. } => *denominator == 1,
            Form::Big(big) => big.is_integer(),
        }
    }

    /// Numerator and denominator in decimal digits, the denominator positive.
    #[must_use]
    pub fn to_fraction(&self) -> (String, String) {
        match &self.0 {
            Form::Small { numerator, denominator } => {
                (numerator.to_string(), denominator.to_string())
            }
            Form::Big(big) => (big.numer().to_string(), big.denom().to_string()),
        }
    }

    /// Numerator and denominator where both fit 64 bits.
    #[must_use]
    pub fn as_small(&self) -> Option<(i64, i64)> {
        match self.0 {
            Form::Small { numerator, denominator } => Some((numerator, denominator)),
            Form::Big(_) => None,
        }
    }

    /// The exact decimal digits, without exponent; `None` where they never end (a third).
    #[must_use]
    pub fn to_decimal(&self) -> Option<String> {
        if let Some((numerator, 1)) = self.as_small() {
            return Some(numerator.to_string());
        }
        let big = self.to_big();
        let places = decimal_places(big.denom())?;
        let scaled = big.numer() * num_traits::pow(BigInt::from(10), places) / big.denom();
        let digits = format!("{:0>width$}", scaled.abs().to_string(), width = places + 1);
        let (whole, fraction) = digits.split_at_checked(digits.len() - places)?;
        let sign = if scaled.is_negative() { "-" } else { "" };
        let point = if places == 0 { "" } else { "." };
        Some(format!("{sign}{whole}{point}{fraction}"))
    }

    fn small(&self) -> Option<(i128, i128)> {
        self.as_small().map(|(a, b)| (i128::from(a), i128::from(b)))
    }

    fn reduce_integer(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(numerator) => Self(Form::Small { numerator, denominator: 1 }),
            Err(_) => Self::from_big(BigRational::from_integer(BigInt::from(value))),
        }
    }

    /// The fraction in lowest terms; `denominator` is not zero.
    fn reduce(numerator: i128, denominator: i128) -> Self {
        if denominator == 1 {
            return Self::reduce_integer(numerator);
        }
        let divisor = numerator.gcd(&denominator) * denominator.signum();
        let (top, bottom) = (numerator / divisor, denominator / divisor);
        match (i64::try_from(top), i64::try_from(bottom)) {
            (Ok(numerator), Ok(denominator)) => Self(Form::Small { numerator, denominator }),
            _ => Self(Form::Big(Box::new(BigRational::new_raw(top.into(), bottom.into())))),
        }
    }

    fn to_big(&self) -> BigRational {
        match &self.0 {
            Form::Small { numerator, denominator } => {
                BigRational::new_raw((*numerator).into(), (*denominator).into())
            }
            Form::Big(big) => big.as_ref().clone(),
        }
    }

    /// `big` is in lowest terms, as every operation of `num-rational` leaves it.
    fn from_big(big: BigRational) -> Self {
        match (big.numer().to_i64(), big.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => Self(Form::Small { numerator, denominator }),
            _ => Self(Form::Big(Box::new(big))),
        }
    }
}

/// How many decimal places write one over `denominator` exactly, if any number does.
fn decimal_places(denominator: &BigInt) -> Option<usize> {
    let twos = denominator.trailing_zeros()?;
    let rest = denominator >> twos;
    // A power of five has its exponent times 2.32 bits, rounded up, so its bits tell the exponent.
    let fives =
        u64::try_from(u128::from(rest.bits()) * 430_676_558_073_393 / 1_000_000_000_000_000)
            .ok()?;
    let (twos, fives) = (usize::try_from(twos).ok()?, usize::try_from(fives).ok()?);
    (num_traits::pow(BigInt::from(5), fives) == rest).then_some(twos.max(fives))
}

impl From<i64> for Rational {
    fn from(numerator: i64) -> Self {
        Self(Form::Small { numerator, denominator: 1 })
    }
}

impl From<BigInt> for Rational {
    fn from(value: BigInt) -> Self {
        Self::from_big(BigRational::from_integer(value))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.small(), other.small()) {
            (Some((a, b)), Some((c, d))) if b == d => a.cmp(&c),
            (Some((a, b)), Some((c, d))) => (a * d).cmp(&(c * b)),
            _ => big::order(&self.to_big(), &other.to_big()),
        }
    }
}

/// The decimal digits where they end, else the fraction `n/d`.
impl fmt::Display for Rational {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(decimal) = self.to_decimal() {
            return out.write_str(&decimal);
        }
        let (numerator, denominator) = self.to_fraction();
        write!(out, "{numerator}/{denominator}")
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::{Operation, Rational};

    fn rational(text: &str) -> Rational {
        match text.split_once('/') {
            None => crate::numeral::parse(text).unwrap(),
            Some((a, b)) => rational(a).divide(&rational(b)).unwrap(),
        }
    }

    #[test]
    fn arithmetic_is_exact() {
        let min = i64::MIN.to_string();
        for (a, operator, b, value) in [
            ("0.1", '+', "0.2", "0.3"),
            ("15.3", '/', "3", "5.1"),
            ("49649733057", '+', "1", "49649733058"),
            ("18446744073709551617", '+', "1", "18446744073709551618"),
            ("9223372036854775807", '+', "1", "9223372036854775808"),
            (
                "9223372036854775807",
                '*',
                "9223372036854775807",
                "85070591730234615847396907784232501249",
            ),
            (&min, '/', "-1", "9223372036854775808"),
            (&min, '-', "1", "-9223372036854775809"),
            ("1", '/', "3", "1/3"),
            ("1/3", '+', "1/6", "0.5"),
            ("1/3", '*', "3", "1"),
            ("100000000000000000000", '-', "99999999999999999999", "1"),
            ("-7", '%', "2", "1"),
            ("7", '%', "-2", "-1"),
            ("7.5", '%', "2", "1.5"),
            ("0.00001", '*', "1", "0.00001"),
        ] {
            let (left, right) = (rational(a), rational(b));
            let result = match operator {
                '+' => left.add(&right),
                '-' => left.subtract(&right),
                '*' => left.multiply(&right),
                '/' => left.divide(&right).unwrap(),
                _ => left.modulo(&right).unwrap(),
            };
            assert_eq!(result.to_string(), value, "{a} {operator} {b}");
            assert_eq!(result, rational(value), "one representation: {value}");
        }
    }

    #[test]
    fn order_is_exact() {
        let ascending =
            ["-1e30", "-1.5", "0", "1/3", "0.34", "9007199254740992", "9007199254740993", "1e30"];
        for pair in ascending.windows(2) {
            assert!(rational(pair[0]) < rational(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn division_by_zero_has_no_value() {
        assert_eq!(rational("1").divide(&Rational::ZERO), None);
        assert_eq!(rational("1").modulo(&Rational::ZERO), None);
        assert_eq!(Rational::fraction(1, 0), None);
    }

    #[test]
    fn extremes() {
        let min = Rational::from(i64::MIN);
        assert_eq!(min.negate().to_string(), "9223372036854775808");
        assert_eq!(min.negate().negate(), min);
        assert_eq!(Rational::fraction(1, i64::MIN).unwrap().to_fraction().1, "9223372036854775808");
        assert_eq!(rational("-5").divide(&rational("2")).unwrap().floor().to_string(), "-3");
    }

    #[test]
    fn decimals_end_where_only_twos_and_fives_divide() {
        for exponent in [1, 18, 19, 20, 27, 300, 999, 1_000] {
            let one = Rational::ONE;
            let tenth = one.scale_by_power_of_ten(-exponent);
            let zeros = "0".repeat(usize::try_from(exponent).unwrap() - 1);
            assert_eq!(tenth.to_decimal(), Some(format!("0.{zeros}1")));
            assert_eq!(tenth.divide(&Rational::from(3)).unwrap().to_decimal(), None);
        }
        assert_eq!(Rational::fraction(1, 1 << 40).unwrap().to_decimal().unwrap().len(), 42);
        let mut power = Rational::ONE;
        for exponent in 1..200 {
            power = power.divide(&Rational::from(5)).unwrap();
            assert_eq!(power.to_decimal().unwrap().len(), exponent + 2, "5^-{exponent}");
        }
    }

    #[test]
    fn costs_are_told_before() {
        let big = rational("1e30");
        for (a, operation, b, cost) in [
            ("7", Operation::Add, "8", 0),
            ("7", Operation::Multiply, "8", 0),
            ("0.1", Operation::Compare, "0.7", 0),
            ("0.1", Operation::Add, "8", 256),
            ("7", Operation::Divide, "8", 256),
            ("7", Operation::Modulo, "8", 768),
        ] {
            let (left, right) = (rational(a), rational(b));
            assert_eq!(left.cost(operation, &right), cost, "{a} {operation:?} {b}");
            assert!(left.cost(operation, &big) > 0);
            assert!(big.cost(operation, &right) > 0);
        }
        assert_eq!((Rational::ONE.limbs(), big.limbs(), rational("1e-30").limbs()), (0, 2, 3));
    }
}
