//! Values of metrics.

use core::fmt;

use super::error::{MetricError, Name, number};
use super::ratio::{Decimal, Ratio};
use super::unit::MetricUnit;
use crate::count::pad;

/// Value of a metric: an exact number, an estimate, or the reason for a missing number.
///
/// [`Metric::compute`](crate::metric::Metric::compute) returns a `Value`, which contains the numerator and the
/// denominator.
///
/// A value is printed as a figure followed by both numbers, for example `75.00 % (15 / 20)`. An estimate prints `~`
/// before the figure. A value without a figure prints the reason. [`figure`](Self::figure) prints the figure alone, for
/// tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Value {
    result: Result<Ratio, MetricError>,
    estimate: bool,
    unit: MetricUnit,
}

impl Value {
    #[inline]
    pub(crate) const fn new(
        result: Result<Ratio, MetricError>,
        estimate: bool,
        unit: MetricUnit,
    ) -> Self {
        Self { result, estimate, unit }
    }

    /// Returns the number if the value is exact. The number is not in percent: 75 % is 3 / 4.
    ///
    /// A value is exact if all inputs are exact counts of one pass over the work.
    ///
    /// # Errors
    ///
    /// Returns the reason if the metric has no value. The error is [`MetricError::Estimate`] if the
    /// value is an estimate.
    #[inline]
    pub const fn exact(self) -> Result<Ratio, MetricError> {
        if self.is_estimate() { Err(MetricError::Estimate) } else { self.result }
    }

    /// Returns the number, exact or estimated, not in percent: 75 % is 3 / 4.
    ///
    /// # Errors
    ///
    /// Returns the reason if the metric has no value.
    #[inline]
    pub const fn estimate(self) -> Result<Ratio, MetricError> {
        self.result
    }

    /// Returns whether the value is an estimate.
    ///
    /// A value is an estimate if an input was counted for only part of the time, or if
    /// [`find_in_any_pass`](crate::metric::Metric::find_in_any_pass) used inputs from different passes.
    #[must_use]
    #[inline]
    pub const fn is_estimate(self) -> bool {
        self.estimate && self.result.is_ok()
    }

    /// Returns the unit.
    #[must_use]
    #[inline]
    pub const fn unit(self) -> MetricUnit {
        self.unit
    }

    /// Returns the figure alone, for tables; a word replaces a missing figure.
    ///
    /// The precision of the format is the number of decimals: `{:>9.1}`.
    #[must_use]
    #[inline]
    pub const fn figure(self) -> Figure {
        Figure(self)
    }
}

impl Value {
    /// Returns the number as it is printed, with the given number of decimals.
    #[inline]
    pub(crate) fn decimal(self, decimals: Option<usize>) -> Result<Decimal, MetricError> {
        let (factor, usual, _) = self.unit.format();
        let ratio = self.result?;
        ratio.decimal(factor, decimals.unwrap_or(usual)).ok_or(MetricError::TooLarge)
    }

    /// Returns a percentage in thousandths, at least 0.
    ///
    /// The result is `None` if the unit is not percent, or if there is no number.
    #[inline]
    pub(crate) fn per_mille(self) -> Option<u64> {
        let MetricUnit::Percent = self.unit else { return None };
        let per_mille = self.result.ok()?.times(1_000)?;
        Some(u64::try_from(per_mille.max(0)).unwrap_or(u64::MAX))
    }

    /// Writes the value, or the reason why there is none. `name` writes the name of an input.
    #[inline]
    pub(crate) fn write(self, f: &mut fmt::Formatter<'_>, name: Name<'_>) -> fmt::Result {
        match self.result {
            // For this error, the word alone explains the reason.
            Err(MetricError::Undefined) => f.write_str(MetricError::Undefined.word()),
            Err(why) => {
                write!(f, "{}: ", why.word())?;
                why.write(f, name)
            }
            Ok(ratio) => {
                fmt::Display::fmt(&self.figure(), f)?;
                if ratio.denominator() == 1 && !self.unit.is_fraction() {
                    return Ok(());
                }
                write!(f, "  ({ratio})")
            }
        }
    }
}

impl fmt::Display for Value {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &number)
    }
}

/// The printed figure of a [`Value`]: `75.00 %`, `1.375`, `4096 bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Figure(Value);

/// Prints the figure or the word that replaces it, aligned to the right by default.
impl fmt::Display for Figure {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, _, suffix) = self.0.unit.format();
        match self.0.decimal(f.precision()) {
            Ok(decimal) => padded(if self.0.is_estimate() { "~" } else { "" }, decimal, suffix, f),
            Err(why) => pad(why.word().len(), f, |f| f.write_str(why.word())),
        }
    }
}

#[inline]
fn padded(mark: &str, decimal: Decimal, suffix: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let length = mark.len() + decimal.length() + suffix.len();
    pad(length, f, |f| write!(f, "{mark}{decimal}{suffix}"))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::metric::Term;
    use std::format;
    use std::string::ToString;

    fn value(term: Term, unit: MetricUnit) -> Value {
        Value::new(term.get(), false, unit)
    }

    fn over(numerator: u64, denominator: u64) -> Term {
        Term::from(numerator) / Term::from(denominator)
    }

    #[test]
    fn a_value_shows_its_figure_and_its_numbers() {
        assert_eq!(value(over(15, 20), MetricUnit::Percent).to_string(), "75.00 %  (15 / 20)");
        assert_eq!(
            value(over(3, 80), MetricUnit::PerThousand).to_string(),
            "37.500 per 1000  (3 / 80)"
        );
        assert_eq!(value(over(11, 8), MetricUnit::Ratio).to_string(), "1.375  (11 / 8)");
        assert_eq!(value(Term::from(4096), MetricUnit::Bytes).to_string(), "4096 bytes");
        assert_eq!(value(Term::from(12), MetricUnit::Occurrences).to_string(), "12");
        assert_eq!(value(over(5, 1), MetricUnit::Ratio).to_string(), "5.000  (5 / 1)");
        assert_eq!(value(over(25, 2), MetricUnit::Bytes).to_string(), "13 bytes  (25 / 2)");
        assert_eq!(value(over(1, 1), MetricUnit::Percent).to_string(), "100.00 %  (1 / 1)");
        let negative = Term::from(2) - Term::from(5);
        assert_eq!(value(negative, MetricUnit::Occurrences).to_string(), "-3");
        assert_eq!(value(over(0, 3), MetricUnit::Percent).to_string(), "0.00 %  (0 / 3)");
    }

    #[test]
    fn an_estimate_is_marked_and_not_exact() {
        let estimate = Value::new(over(1, 4).get(), true, MetricUnit::Percent);
        assert_eq!(estimate.to_string(), "~25.00 %  (1 / 4)");
        assert_eq!(estimate.exact(), Err(MetricError::Estimate));
        assert_eq!(estimate.estimate(), over(1, 4).get());
        let undefined = Value::new(over(1, 0).get(), true, MetricUnit::Percent);
        assert!(estimate.is_estimate() && !undefined.is_estimate());
        assert_eq!(undefined.exact(), Err(MetricError::Undefined));
        assert_eq!(undefined.to_string(), "undefined");
    }

    #[test]
    fn figures_line_up_in_a_table() {
        let rate = value(over(1, 3), MetricUnit::Percent).figure();
        assert_eq!(format!("{rate}|"), "33.33 %|");
        assert_eq!(format!("{rate:10}|"), "   33.33 %|");
        assert_eq!(format!("{rate:<10.1}|"), "33.3 %    |");
        assert_eq!(format!("{rate:^10.0}|"), "   33 %   |");
        let ratio = Value::new(over(2, 3).get(), true, MetricUnit::Ratio).figure();
        assert_eq!(format!("{ratio:>10.2}|"), "     ~0.67|");
        let undefined = value(over(2, 0), MetricUnit::Ratio).figure();
        assert_eq!(format!("{undefined:>10.2}|"), " undefined|");
        assert_eq!(format!("{undefined:<10}|"), "undefined |");
    }
}
