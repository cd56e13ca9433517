//! Arithmetic on fractions of big integers in lowest terms, and what each operation costs.
//!
//! Sums and products take the common divisors out of their operands before they multiply, so that
//! integers need none at all and a small denominator costs one pass over a large one. An order is
//! told by lengths where these suffice, and else by cross products.
//!
//! Costs are counted from the lengths of the operands alone, before anything is computed, so they
//! are equal on every machine. One unit is about a nanosecond on a processor of today.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// What any operation costs besides its digits: memory for the result.
const BASE_COST: u64 = 200;

/// The sum, by Henrici: what the denominators share is the only divisor that the result can lose.
pub(crate) fn sum(left: &BigRational, right: &BigRational) -> BigRational {
    let (a, b) = (left.numer(), left.denom());
    let (c, d) = (right.numer(), right.denom());
    if b.is_one() && d.is_one() {
        return BigRational::from_integer(a + c);
    }
    let shared = if b == d { b.clone() } else { gcd(b, d) };
    if shared.is_one() {
        return BigRational::new_raw(a * d + c * b, b * d);
    }
    let rest = b / &shared;
    let top = a * (d / &shared) + c * &rest;
    let divisor = gcd(&top, &shared);
    if divisor.is_one() {
        return BigRational::new_raw(top, rest * d);
    }
    BigRational::new_raw(top / &divisor, rest * (d / divisor))
}

/// The product.
pub(crate) fn product(left: &BigRational, right: &BigRational) -> BigRational {
    let (a, d) = without_common(left.numer(), right.denom());
    let (c, b) = without_common(right.numer(), left.denom());
    BigRational::new_raw(a * c, b * d)
}

/// One over a number that is not zero.
pub(crate) fn inverse(value: &BigRational) -> BigRational {
    let (top, bottom) = (value.denom().clone(), value.numer().clone());
    if bottom.is_negative() {
        BigRational::new_raw(-top, -bottom)
    } else {
        BigRational::new_raw(top, bottom)
    }
}

/// The order of two numbers.
pub(crate) fn order(left: &BigRational, right: &BigRational) -> Ordering {
    let signs = rank(left.numer().sign()).cmp(&rank(right.numer().sign()));
    if signs.is_ne() {
        return signs;
    }
    if left.denom() == right.denom() {
        return left.numer().cmp(right.numer());
    }
    // Each cross product has as many bits as its factors together, or one less.
    let bits = |a: &BigInt, b: &BigInt| a.bits() + b.bits();
    let (first, second) = (bits(left.numer(), right.denom()), bits(right.numer(), left.denom()));
    if first.abs_diff(second) > 1 {
        let magnitudes = first.cmp(&second);
        return if left.is_negative() { magnitudes.reverse() } else { magnitudes };
    }
    (left.numer() * right.denom()).cmp(&(right.numer() * left.denom()))
}

fn rank(sign: Sign) -> i8 {
    match sign {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

/// Both numbers without their common divisor.
fn without_common(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let divisor = gcd(a, b);
    if divisor.is_one() { (a.clone(), b.clone()) } else { (a / &divisor, b / divisor) }
}

/// The greatest common divisor. One division brings numbers of different lengths to one length,
/// which the binary method of the library would take away bit by bit.
fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (long, short) = if a.bits() < b.bits() { (b, a) } else { (a, b) };
    if short.is_zero() {
        return long.abs();
    }
    if short.magnitude().is_one() {
        return BigInt::one();
    }
    let rest = long % short;
    match (rest.magnitude().to_u64(), short.magnitude().to_u64()) {
        (Some(0), _) => short.abs(),
        (Some(1), _) => BigInt::one(),
        (Some(rest), Some(short)) => BigInt::from(rest.gcd(&short)),
        _ => rest.gcd(short),
    }
}

/// The 64-bit limbs of a numerator and a denominator; a denominator of one has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) numerator: u64,
    pub(crate) denominator: u64,
}

impl Size {
    pub(crate) fn of(value: &BigRational) -> Self {
        let limbs = |it: &BigInt| it.bits().div_ceil(64);
        let denominator = if value.denom().is_one() { 0 } else { limbs(value.denom()) };
        Self { numerator: limbs(value.numer()), denominator }
    }

    pub(crate) fn limbs(self) -> u64 {
        self.numerator + self.denominator
    }

    /// What [`sum`] costs. `alike` says that the denominators are equal.
    pub(crate) fn sum_cost(self, other: Self, alike: bool) -> u64 {
        let (b, d) = (self.denominator, other.denominator);
        let shared = if alike { 0 } else { gcd_cost(b, d) };
        let top = (self.numerator + d).max(other.numerator + b);
        let products = self.numerator * d + other.numerator * b + b * d;
        let products = if alike { 0 } else { 2 * products };
        BASE_COST + top + products + shared + gcd_cost(top, b.min(d))
    }

    /// What [`product`] costs.
    pub(crate) fn product_cost(self, other: Self) -> u64 {
        BASE_COST
            + self.numerator * other.numerator
            + self.denominator * other.denominator
            + gcd_cost(self.numerator, other.denominator)
            + gcd_cost(other.numerator, self.denominator)
    }

    /// What [`order`] costs.
    pub(crate) fn order_cost(self, other: Self) -> u64 {
        let linear = self.numerator.min(other.numerator);
        let crossed = self.numerator * other.denominator + other.numerator * self.denominator;
        BASE_COST + linear + crossed
    }

    /// What `a - b * floor(a / b)` costs, computed as it is written.
    pub(crate) fn modulo_cost(self, other: Self) -> u64 {
        let quotient = self.numerator + other.denominator;
        let floor = Self { numerator: quotient, denominator: 0 };
        let multiple =
            Self { numerator: quotient + other.numerator, denominator: other.denominator };
        self.product_cost(other.inverse())
            + BASE_COST
            + quotient * (self.denominator + other.numerator)
            + other.product_cost(floor)
            + self.sum_cost(multiple, false)
    }

    /// The size of one over the number.
    pub(crate) fn inverse(self) -> Self {
        Self { numerator: self.denominator.max(1), denominator: self.numerator }
    }
}

/// What [`gcd`] costs, by the number of limbs. The binary method takes the shorter number away bit
/// by bit, each time in a pass over what is left.
fn gcd_cost(a: u64, b: u64) -> u64 {
    const PASS: u64 = 1_000;
    const LIMB_OF_A_PASS: u64 = 16;
    let (long, short) = (a.max(b), a.min(b));
    match short {
        0 => 0,
        1 => BASE_COST + 4 * long,
        _ => 2 * BASE_COST + 2 * long * short + short * (PASS + LIMB_OF_A_PASS * short),
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::{One, pow};

    use super::{Size, gcd_cost, inverse, order, product, sum};

    /// Numbers that share factors in all the ways that the operations tell apart.
    fn numbers() -> Vec<BigRational> {
        let power = |base: i64, exponent| pow(BigInt::from(base), exponent);
        let integers = [
            BigInt::one(),
            BigInt::from(6),
            power(2, 100),
            power(10, 40),
            power(10, 41) + 1,
            power(3, 80) * 7,
            power(6, 60) - 1,
            power(2, 64) * power(5, 30),
        ];
        let mut numbers = vec![BigRational::from_integer(BigInt::from(0))];
        for top in &integers {
            for bottom in &integers {
                let value = BigRational::new(top.clone(), bottom.clone());
                numbers.extend([-value.clone(), value]);
            }
        }
        numbers
    }

    #[test]
    fn agrees_with_the_plain_operations() {
        let numbers = numbers();
        for a in &numbers {
            for b in &numbers {
                assert_eq!(sum(a, b), a + b, "{a} + {b}");
                assert_eq!(product(a, b), a * b, "{a} * {b}");
                assert_eq!(order(a, b), a.cmp(b), "{a} <=> {b}");
                if *b.numer() != BigInt::from(0) {
                    assert_eq!(product(a, &inverse(b)), a / b, "{a} / {b}");
                }
            }
        }
    }

    #[test]
    fn results_are_in_lowest_terms() {
        let numbers = numbers();
        for a in &numbers {
            for b in &numbers {
                for value in [sum(a, b), product(a, b)] {
                    let reduced = BigRational::new(value.numer().clone(), value.denom().clone());
                    let parts = (value.numer(), value.denom());
                    assert_eq!(parts, (reduced.numer(), reduced.denom()), "{a} and {b}");
                }
            }
        }
    }

    #[test]
    fn costs_grow_with_the_lengths() {
        let integer = |limbs| Size { numerator: limbs, denominator: 0 };
        let fraction = |limbs| Size { numerator: limbs, denominator: limbs };
        // Integers have no divisors to lose.
        assert_eq!(integer(50).sum_cost(integer(50), false), 250);
        assert_eq!(integer(50).product_cost(integer(50)), 2_700);
        assert_eq!(gcd_cost(50, 50), 95_400);
        for (a, b) in [(1, 2), (2, 20), (20, 200)] {
            let (few, many) = (fraction(a), fraction(b));
            assert!(few.sum_cost(few, false) < few.sum_cost(many, false));
            assert!(few.sum_cost(many, false) < many.sum_cost(many, false));
            assert!(many.sum_cost(many, true) < many.sum_cost(many, false));
            assert!(few.product_cost(few) < many.product_cost(few));
            assert!(few.modulo_cost(few) < many.modulo_cost(many));
            assert!(few.order_cost(few) < many.order_cost(many));
        }
    }
}
