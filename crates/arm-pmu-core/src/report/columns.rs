//! Intervals of a long run as a table.

use core::fmt;

use super::csv::quoted;
use super::json::amount;
use super::text::length;
use crate::measure::{Interval, Intervals};

/// Writes [intervals](Interval) as rows with a column for each selection.
///
/// Each interval is written immediately, and none is stored.
///
/// ```
/// use arm_pmu_core::measure::{Intervals, RunningMonitor};
/// use arm_pmu_core::report::Columns;
///
/// /// Writes the events of each second.
/// fn watch<C: RunningMonitor<Selection: std::fmt::Display>>(
///     running: &mut C,
///     mut wait_a_second: impl FnMut(),
///     out: &mut dyn std::fmt::Write,
/// ) -> std::fmt::Result {
///     let mut intervals = Intervals::<_, 2>::of(running, 0);
///     let columns = Columns::of(&intervals);
///     columns.header(out)?;
///     for seconds in 1..=10 {
///         wait_a_second();
///         columns.row(&intervals.next(running, seconds), out)?;
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns<S, const N: usize> {
    selections: [Option<S>; N],
}

impl<S: fmt::Display + Copy + PartialEq, const N: usize> Columns<S, N> {
    /// Creates columns for the selections of these intervals.
    #[must_use]
    pub const fn of(intervals: &Intervals<S, N>) -> Self {
        Self { selections: *intervals.selections() }
    }

    /// Returns an error if the interval's selections differ from the table's.
    fn check(&self, interval: &Interval<S, N>) -> fmt::Result {
        if interval.selections == self.selections { Ok(()) } else { Err(fmt::Error) }
    }

    /// Writes the column names of a table.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn header(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{:>12} {:>12}", "from", "to")?;
        for selection in self.selections.iter().flatten() {
            let missing = width(selection) - length(selection);
            write!(out, "  {:missing$}{selection}", "")?;
        }
        out.write_str("\n")
    }

    /// Writes a row of the table.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails, or if the interval has other selections than the
    /// columns.
    pub fn row(&self, interval: &Interval<S, N>, out: &mut dyn fmt::Write) -> fmt::Result {
        self.check(interval)?;
        write!(out, "{:>12} {:>12}", interval.from, interval.to)?;
        for (selection, amount) in interval.pairs() {
            write!(out, "  {amount:>width$}", width = width(&selection))?;
        }
        out.write_str("\n")
    }

    /// Writes the header line of comma-separated values (RFC 4180).
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn csv_header(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str("from,to")?;
        for selection in self.selections.iter().flatten() {
            out.write_char(',')?;
            quoted(selection, out)?;
        }
        out.write_str("\r\n")
    }

    /// Writes a line of comma-separated values.
    ///
    /// An amount that is not exact is written as its text: `>= 12` or `disturbed`.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails, or if the interval has other selections than the
    /// columns.
    pub fn csv_row(&self, interval: &Interval<S, N>, out: &mut dyn fmt::Write) -> fmt::Result {
        self.check(interval)?;
        write!(out, "{},{}", interval.from, interval.to)?;
        for (_, amount) in interval.pairs() {
            write!(out, ",{amount}")?;
        }
        out.write_str("\r\n")
    }

    /// Writes a line of JSON: `{"from": .., "to": .., "rows": [..]}`, with rows as in
    /// [`Report::json`](crate::report::Report::json).
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails, or if the interval has other selections than the
    /// columns.
    pub fn json_line(&self, interval: &Interval<S, N>, out: &mut dyn fmt::Write) -> fmt::Result {
        self.check(interval)?;
        write!(out, "{{\"from\":{},\"to\":{},\"rows\":[", interval.from, interval.to)?;
        for (nth, (selection, events)) in interval.pairs().enumerate() {
            if nth > 0 {
                out.write_char(',')?;
            }
            amount(&selection, events, out)?;
        }
        out.write_str("]}\n")
    }
}

/// Returns the width of a column, at least 13 for the widest count.
#[inline]
fn width(selection: &dyn fmt::Display) -> usize {
    length(selection).max(13)
}
