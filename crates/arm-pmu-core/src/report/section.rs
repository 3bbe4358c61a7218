//! A part of a report: one PMU.

use core::fmt;

use super::row::Rows;

/// What was measured on one PMU.
#[derive(Clone, Copy)]
pub struct Section<'r> {
    /// Which PMU it is.
    pub title: &'r dyn fmt::Display,
    /// What was measured.
    pub rows: &'r dyn Rows,
}

impl fmt::Debug for Section<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section")
            .field("title", &format_args!("{}", self.title))
            .finish_non_exhaustive()
    }
}
