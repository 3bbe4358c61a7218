//! What was measured, for people and for programs.

mod columns;
mod computed;
mod csv;
mod facts;
mod json;
mod percent;
mod report;
mod row;
#[cfg(feature = "serde")]
mod serialized;
mod table;
mod text;

pub use columns::Columns;
pub use computed::Computed;
pub use percent::Percent;
pub use report::{Report, Section};
pub use row::{Row, RowValue, Rows};
