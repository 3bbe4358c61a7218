//! Fractions of integers, without floating point.

use core::fmt::{self, Write as _};
use core::ops::{Add, Div, Mul, Sub};

use super::error::MetricError;

/// A fraction of two integers: the exact value of a metric.
///
/// The fraction is not reduced. For example, in a hit rate, the numerator is the number of hits, and the
/// denominator is the number of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Fraction"))]
pub struct Ratio {
    numerator: i128,
    /// Greater than 0.
    denominator: i128,
}

/// Serialized form of a [`Ratio`], before its denominator is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Fraction {
    numerator: i128,
    denominator: i128,
}

#[cfg(feature = "serde")]
impl TryFrom<Fraction> for Ratio {
    type Error = &'static str;

    fn try_from(fraction: Fraction) -> Result<Self, Self::Error> {
        let Fraction { numerator, denominator } = fraction;
        if denominator > 0 {
            Ok(Self { numerator, denominator })
        } else {
            Err("the denominator has to be greater than 0")
        }
    }
}

impl Ratio {
    /// Returns the numerator, which is negative if a formula subtracts more than it adds.
    #[must_use]
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator, which is greater than 0.
    #[must_use]
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// Returns `factor` times the fraction, rounded to the nearest integer.
    ///
    /// A factor of 100 returns the fraction in percent. Halves are rounded away from 0. The result
    /// is `None` if the numerator times `factor`, or the rounded number, needs more than 128 bits.
    #[must_use]
    pub const fn times(self, factor: u32) -> Option<i128> {
        let Some(numerator) = self.numerator.checked_mul(factor as i128) else { return None };
        let denominator = self.denominator.unsigned_abs();
        // Neither exceeds 2^127.
        let (rounded, _) = divide(numerator.unsigned_abs() + denominator / 2, denominator);
        if rounded > i128::MAX as u128 {
            return None;
        }
        Some(if numerator < 0 { -(rounded as i128) } else { rounded as i128 })
    }

    const fn whole(number: i128) -> Self {
        Self { numerator: number, denominator: 1 }
    }

    fn plus(self, other: Self) -> Option<Self> {
        if self.denominator == other.denominator {
            let numerator = self.numerator.checked_add(other.numerator)?;
            return Some(Self { numerator, ..self });
        }
        let one = self.numerator.checked_mul(other.denominator)?;
        let two = other.numerator.checked_mul(self.denominator)?;
        Some(Self {
            numerator: one.checked_add(two)?,
            denominator: self.denominator.checked_mul(other.denominator)?,
        })
    }

    fn negative(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }

    fn multiplied_by(self, other: Self) -> Option<Self> {
        Some(Self {
            numerator: self.numerator.checked_mul(other.numerator)?,
            denominator: self.denominator.checked_mul(other.denominator)?,
        })
    }

    /// Divides. The divisor must not be 0.
    fn divided_by(self, other: Self) -> Option<Self> {
        let (numerator, denominator) = if self.denominator == other.denominator {
            (self.numerator, other.numerator)
        } else {
            (
                self.numerator.checked_mul(other.denominator)?,
                self.denominator.checked_mul(other.numerator)?,
            )
        };
        if denominator < 0 {
            return Some(Self {
                numerator: numerator.checked_neg()?,
                denominator: denominator.checked_neg()?,
            });
        }
        Some(Self { numerator, denominator })
    }

    /// Returns `factor` times the fraction, rounded to at most 9 `decimals`.
    ///
    /// The result is `None` if it needs more than 128 bits.
    pub(crate) fn decimal(self, factor: u32, decimals: usize) -> Option<Decimal> {
        let numerator = self.numerator.checked_mul(factor.into())?;
        let (magnitude, mut divisor) = (numerator.unsigned_abs(), self.denominator.unsigned_abs());
        let (mut whole, mut rest) = divide(magnitude, divisor);
        let decimals = decimals.min(9);
        let one = 10_u32.pow(decimals as u32);
        // Drops low bits of both numbers, so that 10^9 times the rest fits into 128 bits. The dropped bits do not
        // affect the decimals.
        let excess = 32_u32.saturating_sub(divisor.leading_zeros());
        (rest, divisor) = (rest >> excess, divisor >> excess);
        let (fraction, _) = divide(rest * u128::from(one) + divisor / 2, divisor);
        let mut fraction = fraction as u32;
        if fraction >= one {
            (whole, fraction) = (whole + 1, 0);
        }
        let negative = numerator < 0 && (whole, fraction) != (0, 0);
        Some(Decimal { negative, whole: Digits::of(whole), fraction, decimals })
    }
}

/// Prints the numerator and the denominator: `15 / 20`.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.numerator < 0 {
            f.write_char('-')?;
        }
        let [numerator, denominator] = [self.numerator, self.denominator].map(i128::unsigned_abs);
        write!(f, "{} / {}", Digits::of(numerator), Digits::of(denominator))
    }
}

/// Returns the quotient and the remainder.
///
/// All 128-bit divisions share this function, because the code of a division is large.
#[inline(never)]
const fn divide(dividend: u128, divisor: u128) -> (u128, u128) {
    let quotient = dividend / divisor;
    (quotient, dividend - quotient * divisor)
}

/// Decimal digits of a number.
///
/// Printing the `u128` instead would take 5 KB more on a Cortex-A8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Digits {
    /// Digits, with the least significant digit first.
    digits: [u8; 39],
    count: usize,
}

impl Digits {
    fn of(number: u128) -> Self {
        let mut this = Self { digits: [0; 39], count: 0 };
        let mut rest = number;
        for digit in &mut this.digits {
            let (higher, last) = divide(rest, 10);
            *digit = last as u8;
            this.count += 1;
            rest = higher;
            if rest == 0 {
                break;
            }
        }
        this
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.digits.iter().take(self.count).rev();
        digits.copied().try_for_each(|digit| f.write_char((b'0' + digit) as char))
    }
}

/// A number with decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    whole: Digits,
    fraction: u32,
    decimals: usize,
}

impl Decimal {
    /// Returns the number of characters of the printed number.
    pub(crate) fn length(self) -> usize {
        let point = if self.decimals == 0 { 0 } else { 1 };
        usize::from(self.negative) + self.whole.count + point + self.decimals
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{}", self.whole)?;
        match self.decimals {
            0 => Ok(()),
            decimals => write!(f, ".{:0decimals$}", self.fraction),
        }
    }
}

/// A term of a formula: a number, or the reason why there is no number.
///
/// The operators `+`, `-`, `*` and `/` use no floating point and never panic.
///
/// ```
/// use arm_pmu_core::metric::{MetricError, Term};
///
/// let share = Term::from(1) - Term::from(30) / Term::from(200);
/// assert_eq!(share.get().map(|ratio| ratio.to_string()), Ok("170 / 200".into()));
/// assert_eq!((Term::from(1) / Term::from(0)).get(), Err(MetricError::Undefined));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term(Result<Ratio, MetricError>);

impl Term {
    /// Returns the number.
    ///
    /// # Errors
    ///
    /// If there is no number, returns the reason that comes from the leftmost term in the formula.
    pub const fn get(self) -> Result<Ratio, MetricError> {
        self.0
    }

    /// Creates a term without a number.
    #[must_use]
    pub const fn none(why: MetricError) -> Self {
        Self(Err(why))
    }

    fn with(self, other: Self, compute: fn(Ratio, Ratio) -> Option<Ratio>) -> Self {
        match (self.0, other.0) {
            (Err(why), _) | (_, Err(why)) => Self(Err(why)),
            (Ok(one), Ok(other)) => Self(compute(one, other).ok_or(MetricError::TooLarge)),
        }
    }
}

impl From<u64> for Term {
    fn from(number: u64) -> Self {
        Self(Ok(Ratio::whole(number.into())))
    }
}

impl Add for Term {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.with(other, Ratio::plus)
    }
}

impl Sub for Term {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.with(other, |one, other| one.plus(other.negative()?))
    }
}

impl Mul for Term {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.with(other, Ratio::multiplied_by)
    }
}

impl Div for Term {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        match other.0 {
            Ok(divisor) if divisor.numerator == 0 && self.0.is_ok() => {
                Self(Err(MetricError::Undefined))
            }
            _ => self.with(other, Ratio::divided_by),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::{String, ToString};

    fn term(number: u64) -> Term {
        Term::from(number)
    }

    fn text(term: Term) -> String {
        match term.get() {
            Ok(ratio) => ratio.to_string(),
            Err(why) => std::format!("{why:?}"),
        }
    }

    #[test]
    fn a_formula_keeps_its_numbers() {
        assert_eq!(text(term(15) / term(20)), "15 / 20");
        assert_eq!(text(term(15) / (term(12) + term(8))), "15 / 20");
        assert_eq!(text(term(1) - term(3) / term(4)), "1 / 4");
        assert_eq!(text(term(3) / term(4) - term(1)), "-1 / 4");
        assert_eq!(text(term(1) / term(4) + term(2) / term(4)), "3 / 4", "not 12 / 16");
        assert_eq!(text(term(1) / term(4) + term(2) / term(3)), "11 / 12");
        assert_eq!(text(term(3) / term(4) * term(16)), "48 / 4");
        assert_eq!(text(term(3) / term(4) / (term(5) / term(7))), "21 / 20");
        assert_eq!(text(term(3) / term(4) / (term(5) / term(4))), "3 / 5");
        assert_eq!(text(term(3) / (term(1) - term(5))), "-3 / 4", "the numerator has the sign");
        assert_eq!(text((term(1) - term(4)) / (term(1) - term(5))), "3 / 4");
    }

    #[test]
    fn a_term_without_a_value_has_the_reason() {
        assert_eq!(text(term(3) / term(0)), "Undefined");
        assert_eq!(text(term(0) / term(0)), "Undefined");
        assert_eq!(text(term(1) - term(3) / (term(2) - term(2))), "Undefined");
        assert_eq!(text(term(5) / (term(0) / term(7))), "Undefined");
        let most = term(u64::MAX);
        assert_eq!(text(most * most), "TooLarge", "2^128 is beyond 127 bits");
        assert_eq!(text(most * most / term(0)), "TooLarge", "the first reason");
        assert_eq!(text(term(1) / most / most), "TooLarge");
        assert_eq!(text(term(1) / most + term(1) / (most * term(1 << 63))), "TooLarge");
        let lowest = Term(Ok(Ratio::whole(i128::MIN)));
        assert_eq!(text(term(0) - lowest), "TooLarge");
        assert_eq!(text(term(1) / lowest), "TooLarge");
        assert_eq!(text(lowest - term(1)), "TooLarge");
        // Sums of 64-bit inputs stay far below this limit.
        assert_eq!(text(most * term(16) / most), "295147905179352825840 / 18446744073709551615");
    }

    fn ratio(numerator: i128, denominator: i128) -> Ratio {
        Ratio { numerator, denominator }
    }

    #[test]
    fn integers_are_rounded_to_the_nearest() {
        assert_eq!(ratio(15, 20).times(100), Some(75));
        assert_eq!(ratio(1, 3).times(1_000), Some(333));
        assert_eq!(ratio(2, 3).times(100), Some(67));
        assert_eq!(ratio(1, 2).times(1), Some(1));
        assert_eq!(ratio(-1, 2).times(1), Some(-1));
        assert_eq!(ratio(-1, 3).times(1), Some(0));
        assert_eq!(ratio(i128::MAX, 1).times(1), Some(i128::MAX));
        assert_eq!(ratio(i128::MAX, 1).times(2), None);
        assert_eq!(ratio(i128::MIN, 1).times(1), None);
        assert_eq!(ratio(i128::MAX, i128::MAX).times(1), Some(1));
    }

    #[test]
    fn decimals_are_rounded_to_the_nearest() {
        let text = |ratio: Ratio, factor, decimals| {
            let decimal = ratio.decimal(factor, decimals).unwrap();
            let text = decimal.to_string();
            assert_eq!(text.len(), decimal.length(), "{text}");
            text
        };
        assert_eq!(text(ratio(15, 20), 100, 2), "75.00");
        assert_eq!(text(ratio(2, 3), 1, 3), "0.667");
        assert_eq!(text(ratio(2, 3), 1, 0), "1");
        assert_eq!(text(ratio(1, 400), 100, 1), "0.3", "a half goes up");
        assert_eq!(text(ratio(9_996, 10_000), 1, 3), "1.000", "carried over");
        assert_eq!(text(ratio(-15, 20), 100, 2), "-75.00");
        assert_eq!(text(ratio(-1, 1_000_000), 1, 3), "0.000", "no negative zero");
        assert_eq!(text(ratio(1, 3), 1, 40), "0.333333333", "9 decimals at most");
        assert_eq!(text(ratio(0, 7), 1, 3), "0.000");
        assert_eq!(text(ratio(1_234_567, 1), 1, 0), "1234567");
        // These numbers leave no room for decimals.
        assert_eq!(text(ratio(i128::MAX / 4, i128::MAX), 1, 9), "0.250000000");
        assert_eq!(text(ratio(i128::MAX - 1, i128::MAX), 1, 9), "1.000000000");
        assert_eq!(text(ratio(i128::MAX, 3), 1, 3), "56713727820156410577229101238628035242.333");
        assert_eq!(ratio(i128::MAX, 3).decimal(100, 2), None);
    }
}
