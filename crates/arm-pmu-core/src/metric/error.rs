//! Reasons why a metric has no value.

use core::fmt;

use crate::count::CountError;

/// Reason why a metric has no value, or only an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MetricError {
    /// The denominator is 0, for example in a hit rate without accesses.
    Undefined,
    /// The count of an input is invalid.
    Doubtful {
        /// Position in [`Metric::events`](crate::metric::Metric::events), from 0.
        input: usize,
        /// Reason why the count is invalid.
        why: CountError,
    },
    /// An input was not counted.
    Missing {
        /// Position in [`Metric::events`](crate::metric::Metric::events), from 0.
        input: usize,
    },
    /// An input was counted in a different pass over the work.
    OtherPass {
        /// Position in [`Metric::events`](crate::metric::Metric::events), from 0.
        input: usize,
    },
    /// The value is an estimate.
    ///
    /// An input is an estimate, or the caller allowed inputs from different passes.
    Estimate,
    /// An intermediate result needs more than 128 bits.
    TooLarge,
    /// The device lacks an event. The text contains the reason, as a sentence.
    ///
    /// After deserialization, the text is a general sentence, because the reason cannot be stored without a
    /// heap.
    UnavailableMetric(&'static str),
}

/// The serialized form of a [`MetricError`], without the text of the reason.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Serialized {
    Undefined,
    Doubtful { input: usize, why: CountError },
    Missing { input: usize },
    OtherPass { input: usize },
    Estimate,
    TooLarge,
    UnavailableMetric(crate::encoding::AnyText),
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for MetricError {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Serialized::deserialize(deserializer)? {
            Serialized::Undefined => Self::Undefined,
            Serialized::Doubtful { input, why } => Self::Doubtful { input, why },
            Serialized::Missing { input } => Self::Missing { input },
            Serialized::OtherPass { input } => Self::OtherPass { input },
            Serialized::Estimate => Self::Estimate,
            Serialized::TooLarge => Self::TooLarge,
            Serialized::UnavailableMetric(_) => {
                Self::UnavailableMetric("The device does not count it.")
            }
        })
    }
}

impl MetricError {
    /// Returns the word that tables print in place of a value.
    #[inline]
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Undefined => "undefined",
            Self::UnavailableMetric(_) => "not computable",
            _ => "unknown",
        }
    }
}

/// Writes the name of the input at an index.
pub(super) type Name<'n> = &'n dyn Fn(usize, &mut fmt::Formatter<'_>) -> fmt::Result;

impl MetricError {
    /// Writes the reason with the names of the inputs.
    #[inline]
    pub(super) fn write(self, f: &mut fmt::Formatter<'_>, name: Name<'_>) -> fmt::Result {
        match self {
            Self::Undefined => f.write_str("there is nothing to divide by"),
            Self::Doubtful { input, why } => {
                name(input, f)?;
                write!(f, ": {why}")
            }
            Self::Missing { input } => {
                name(input, f)?;
                f.write_str(" was not counted")
            }
            Self::OtherPass { input } => {
                name(input, f)?;
                f.write_str(" was counted in another pass over the work")
            }
            Self::Estimate => f.write_str("it is an estimate"),
            Self::TooLarge => f.write_str("the numbers are too large"),
            Self::UnavailableMetric(why) => f.write_str(why),
        }
    }
}

/// Prints the reason; inputs are numbered from 1.
///
/// [`Metric::explain`](crate::metric::Metric::explain) prints the names of the inputs instead.
impl fmt::Display for MetricError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &number)
    }
}

/// Writes the number of an input in place of its name.
#[inline]
pub(super) fn number(input: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "input {}", input + 1)
}

impl core::error::Error for MetricError {}
