//! Units of metrics.

use core::fmt;

/// Unit of a [`Metric`](super::Metric)'s value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MetricUnit {
    /// Part of a whole, printed in percent.
    Percent,
    /// Occurrences of one event per 1000 occurrences of another, such as misses per 1000
    /// instructions.
    PerThousand,
    /// Quotient of two numbers of different kinds, such as instructions per cycle.
    Ratio,
    /// Number of occurrences.
    Occurrences,
    /// Number of bytes.
    Bytes,
}

impl MetricUnit {
    /// Returns the factor, the number of decimals and the suffix for printing a value.
    pub(crate) const fn format(self) -> (u32, usize, &'static str) {
        match self {
            Self::Percent => (100, 2, " %"),
            Self::PerThousand => (1000, 3, " per 1000"),
            Self::Ratio => (1, 3, ""),
            Self::Occurrences => (1, 0, ""),
            Self::Bytes => (1, 0, " bytes"),
        }
    }

    /// Returns the name of the unit.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Percent => "percent",
            Self::PerThousand => "per_thousand",
            Self::Ratio => "ratio",
            Self::Occurrences => "occurrences",
            Self::Bytes => "bytes",
        }
    }

    /// Returns whether the value is a quotient of two numbers.
    pub(crate) const fn is_fraction(self) -> bool {
        matches!(self, Self::Percent | Self::PerThousand | Self::Ratio)
    }
}

impl fmt::Display for MetricUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
