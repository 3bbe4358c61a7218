//! Why a metric has no figure.

use core::fmt;

use crate::count::CountError;

/// Why a metric comes to no number, or to none that is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MetricError {
    /// There is nothing to divide by: what the metric is about did not happen.
    Undefined,
    /// An input cannot be relied on.
    Doubtful {
        /// Its place among [`Metric::events`](crate::metric::Metric::events), from 0.
        input: usize,
        /// What is wrong with it.
        why: CountError,
    },
    /// An input is not among what was counted.
    Missing {
        /// Its place among [`Metric::events`](crate::metric::Metric::events), from 0.
        input: usize,
    },
    /// An input was counted in another pass over the work than those before it.
    OtherPass {
        /// Its place among [`Metric::events`](crate::metric::Metric::events), from 0.
        input: usize,
    },
    /// It is an estimate: an input is, or passes were mixed on purpose.
    Estimate,
    /// Numbers on the way need more than 128 bits.
    TooLarge,
    /// The device does not count what it would take. The reason, in a sentence. Deserialized, it is another
    /// sentence, which says no more than that: without a heap there is no place for any.
    UnavailableMetric(&'static str),
}

/// What is told of a [`MetricError`], to deserialize it: all but the reason that has no place.
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
    /// What stands in a table where a figure would.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Undefined => "undefined",
            Self::UnavailableMetric(_) => "not computable",
            _ => "unknown",
        }
    }
}

/// Writes what an input is called, of which the place is given.
pub(super) type Name<'n> = &'n dyn Fn(usize, &mut fmt::Formatter<'_>) -> fmt::Result;

impl MetricError {
    pub(super) fn tell(self, f: &mut fmt::Formatter<'_>, name: Name<'_>) -> fmt::Result {
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

/// Inputs are counted from 1. [`Metric::explain`](crate::metric::Metric::explain) has their names.
impl fmt::Display for MetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tell(f, &number)
    }
}

pub(super) fn number(input: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "input {}", input + 1)
}

impl core::error::Error for MetricError {}
