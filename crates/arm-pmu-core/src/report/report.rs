//! Reports and their output formats.

use core::fmt;

use super::section::Section;
use super::{csv, json, table};

/// Results of one or more PMUs, printed as a table, CSV or JSON.
///
/// A report can be written to any [`fmt::Write`], for example a serial port. A report needs no
/// heap.
///
/// ```
/// use arm_pmu_core::count::Amount;
/// use arm_pmu_core::report::{Percent, Report, Row, Section};
///
/// let [reads, hits] = [Amount::new(4_000), Amount::new(900)];
/// let rate = Percent { part: hits, whole: reads };
/// let counted = [("S3:READ_REQUEST", reads), ("S3:SNOOP_HIT", hits)];
/// let rates = [Row::percent(&"snoop hit rate", rate)];
/// let sections = [Section { title: &"CCI-400", rows: &(counted, rates) }];
/// let report = Report::new(&sections).bars(8);
/// assert_eq!(
///     report.to_string(),
///     concat!(
///         "CCI-400\n",
///         "         4000  S3:READ_REQUEST\n",
///         "          900  S3:SNOOP_HIT\n",
///         "       22.5 %  snoop hit rate  ##......\n",
///     )
/// );
/// let mut text = String::new();
/// report.json(&mut text)?;
/// # Ok::<(), core::fmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    sections: &'r [Section<'r>],
    bars: usize,
}

impl<'r> Report<'r> {
    /// Creates a report of these sections, without bars.
    #[must_use]
    #[inline]
    pub const fn new(sections: &'r [Section<'r>]) -> Self {
        Self { sections, bars: 0 }
    }

    /// Adds a bar of `width` characters to each percentage in the table.
    ///
    /// A percentage is a [`Percent`](super::Percent), or a metric whose unit is
    /// [`MetricUnit::Percent`](crate::metric::MetricUnit::Percent).
    #[must_use]
    #[inline]
    pub const fn bars(self, width: usize) -> Self {
        Self { bars: width, ..self }
    }

    /// Writes the report as comma-separated values (RFC 4180), with a header line.
    ///
    /// A cell is empty if the row does not have the field.
    ///
    /// | column | content |
    /// |---|---|
    /// | `pmu` | title of the section |
    /// | `name` | name of the row |
    /// | `value` | number or text; empty after an overflow |
    /// | `unit` | `events`, `percent`, the [unit](crate::metric::MetricUnit) of a metric, `figure` or `text` |
    /// | `known` | `exactly`, `estimated`, or why there is no value; empty for texts |
    /// | `pass` | number of the pass |
    /// | `time_running`, `time_enabled` | the [share](crate::count::Scaling) of the time of an estimate |
    /// | `slices` | number of time slices |
    /// | `least`, `most` | range of the slices; after an overflow, `least` is the lower bound |
    /// | `part`, `whole` | the two numbers of a percentage, or of a metric that is a quotient |
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    #[inline]
    pub fn csv(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        csv::write(self.sections, out)
    }

    /// Writes the report as JSON: an array with an object for each PMU.
    ///
    /// An object is `{"pmu": .., "rows": [..]}`. The members of a row are the columns of [`csv`](Self::csv);
    /// empty fields are omitted.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    #[inline]
    pub fn json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        json::write(self.sections, out)
    }
}

/// Prints a table for each PMU under its title.
///
/// An empty line separates two tables. The last line has a line end.
impl fmt::Display for Report<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table::write(self.sections, self.bars, f)
    }
}
