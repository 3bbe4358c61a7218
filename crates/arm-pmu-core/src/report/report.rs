//! A report, and the formats that it is written in.

use core::fmt;

use super::section::Section;
use super::{csv, json, table};

/// What was measured on one or more PMUs: as text a table, as CSV a line and as JSON an object for each
/// row.
///
/// It is written to anything that takes text, a serial port for example, and needs no heap.
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
    /// A report of these PMUs, without bars.
    #[must_use]
    pub const fn new(sections: &'r [Section<'r>]) -> Self {
        Self { sections, bars: 0 }
    }

    /// The same with a bar of so many characters beside each percentage, in the table: a
    /// [`Percent`](super::Percent), or a metric of that [unit](crate::metric::MetricUnit::Percent).
    #[must_use]
    pub const fn bars(self, width: usize) -> Self {
        Self { bars: width, ..self }
    }

    /// Writes the report as comma-separated values, as RFC 4180 has them, with a header line.
    ///
    /// The columns are `pmu`, `name`, `value`, `unit` (`events`, `percent`, that of a
    /// [metric](crate::metric::MetricUnit), `figure` or `text`), `known` (`exactly`, `estimated`, or why there is
    /// no value; nothing is said of what is a text), `pass`, `time_running` and `time_enabled` (the share of the time),
    /// `slices`, `least` and `most`, `part` and `whole` (of a percentage, and of a metric that is one number
    /// for another). What a row does not have is empty. After an overflow there is no value, and `least` is
    /// what the events certainly reached.
    ///
    /// # Errors
    ///
    /// If `out` does not take it.
    pub fn csv(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        csv::write(self.sections, out)
    }

    /// Writes the report as JSON: an array with an object for each PMU, `{"pmu": .., "rows": [..]}`. The
    /// members of a row are the columns of [`csv`](Self::csv); what a row does not have is left out.
    ///
    /// # Errors
    ///
    /// If `out` does not take it.
    pub fn json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        json::write(self.sections, out)
    }
}

/// A table for each PMU under its title, with an empty line between two of them and a line end after
/// the last.
impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table::write(self.sections, self.bars, f)
    }
}
