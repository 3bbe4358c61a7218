//! Sections of reports.

use core::fmt;

use super::row::Rows;

/// A section of a report, with the results of one PMU.
#[derive(Clone, Copy)]
pub struct Section<'r> {
    /// Title, for example the name of the PMU.
    pub title: &'r dyn fmt::Display,
    /// Results.
    pub rows: &'r dyn Rows,
}

impl fmt::Debug for Section<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section")
            .field("title", &format_args!("{}", self.title))
            .finish_non_exhaustive()
    }
}
