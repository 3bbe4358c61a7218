//! What figures are of.

use core::fmt;

/// What the figure of a [`Metric`](super::Metric) is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MetricUnit {
    /// A part of a whole, shown in percent.
    Percent,
    /// So many of one for each of another.
    Ratio,
    /// How often something happened.
    Occurrences,
    /// How many bytes.
    Bytes,
}

impl MetricUnit {
    /// By what a figure is multiplied, how many decimals are shown, and what follows.
    pub(crate) const fn format(self) -> (u32, usize, &'static str) {
        match self {
            Self::Percent => (100, 2, " %"),
            Self::Ratio => (1, 3, ""),
            Self::Occurrences => (1, 0, ""),
            Self::Bytes => (1, 0, " bytes"),
        }
    }

    /// What it is called.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Percent => "percent",
            Self::Ratio => "ratio",
            Self::Occurrences => "occurrences",
            Self::Bytes => "bytes",
        }
    }

    /// Whether it is one number for another.
    pub(crate) const fn is_fraction(self) -> bool {
        matches!(self, Self::Percent | Self::Ratio)
    }
}

impl fmt::Display for MetricUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
