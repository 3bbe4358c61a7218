//! Intervals one below the other.

use core::fmt;

use super::csv::quoted;
use super::json::amount;
use super::text::length;
use crate::Interval;

/// Writes [intervals](Interval) one below the other, a column for each selection: as they come, without
/// keeping them.
///
/// ```
/// use arm_pmu_core::{Amount, Columns, Interval};
///
/// let columns = Columns::new(["reads", "writes"]);
/// let mut text = String::new();
/// columns.header(&mut text)?;
/// let amounts = [12, 7].map(Amount::exactly);
/// columns.row(&Interval { from: 0, to: 1_000, amounts }, &mut text)?;
/// assert_eq!(text.lines().next(), Some("        from           to          reads         writes"));
/// assert_eq!(text.lines().nth(1), Some("           0         1000             12              7"));
/// # Ok::<(), core::fmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns<S, const N: usize> {
    selections: [S; N],
}

impl<S: fmt::Display, const N: usize> Columns<S, N> {
    /// Columns for these selections, as [`Intervals::selections`](crate::Intervals::selections) gives
    /// them.
    #[must_use]
    pub const fn new(selections: [S; N]) -> Self {
        Self { selections }
    }

    /// Writes the names of the columns of a table.
    ///
    /// # Errors
    ///
    /// If `out` does not take it.
    pub fn header(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{:>12} {:>12}", "from", "to")?;
        for selection in &self.selections {
            let missing = width(selection) - length(selection);
            write!(out, "  {:missing$}{selection}", "")?;
        }
        out.write_str("\n")
    }

    /// Writes a row of the table.
    ///
    /// # Errors
    ///
    /// If `out` does not take it.
    pub fn row(&self, interval: &Interval<N>, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{:>12} {:>12}", interval.from, interval.to)?;
        for (selection, amount) in self.selections.iter().zip(interval.amounts) {
            write!(out, "  {amount:>width$}", width = width(selection))?;
        }
        out.write_str("\n")
    }

    /// Writes the header line of comma-separated values, as RFC 4180 has them.
    ///
    /// # Errors
    ///
    /// If `out` does not take it.
    pub fn csv_header(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str("from,to")?;
        for selection in &self.selections {
            out.write_char(',')?;
            quoted(selection, out)?;
        }
        out.write_str("\r\n")
    }

    /// Writes a line of comma-separated values. What is not an exact number is no number there either,
    /// but the text of the amount: `>= 12` or `lost`.
    ///
    /// # Errors
    ///
    /// If `out` does not take it.
    pub fn csv_row(&self, interval: &Interval<N>, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{},{}", interval.from, interval.to)?;
        for amount in interval.amounts {
            write!(out, ",{amount}")?;
        }
        out.write_str("\r\n")
    }

    /// Writes a line of JSON: `{"from": .., "to": .., "rows": [..]}`, with rows as in
    /// [`Report::json`](crate::Report::json).
    ///
    /// # Errors
    ///
    /// If `out` does not take it.
    pub fn json_line(&self, interval: &Interval<N>, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{{\"from\":{},\"to\":{},\"rows\":[", interval.from, interval.to)?;
        let rows = self.selections.iter().zip(interval.amounts);
        for (nth, (selection, events)) in rows.enumerate() {
            if nth > 0 {
                out.write_char(',')?;
            }
            amount(selection, events, out)?;
        }
        out.write_str("]}\n")
    }
}

/// Of the column: 13 is that of the widest count.
fn width(selection: &dyn fmt::Display) -> usize {
    length(selection).max(13)
}
