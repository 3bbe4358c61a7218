//! Results as text, CSV or JSON.
//!
//! Start with [`Report`]: it prints [`Section`]s of [`Row`]s, one section for each PMU. Measurements, passes and
//! snapshots implement [`Rows`]. [`Columns`] prints intervals of a long run.
//!
//! [Example](Report)

// Functions that write text are `#[inline]`, here and in the modules of errors, so that a program compiles only the
// functions that it calls, and a clean build of a driver compiles none of them.

mod columns;
mod computed;
mod csv;
mod facts;
mod json;
mod percent;
mod report;
mod row;
mod section;
#[cfg(feature = "serde")]
mod serialized;
mod table;
mod text;

pub use columns::Columns;
pub use computed::Computed;
pub use percent::Percent;
pub use report::Report;
pub use row::{Row, RowValue, Rows};
pub use section::Section;
