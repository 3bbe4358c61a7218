//! The reference pages: `cargo xtask site` makes them in `target/site`.
//!
//! Everything on a page comes from [`arm_pmu_tables`], in the words of the command `arm-pmu`. A page is static: a
//! script searches, encodes and decodes, but all facts are shown without it.

mod anchor;
mod drawing;
mod encode;
mod formula;
pub mod lines;
mod pages;
mod search;

pub use anchor::{event, field, finding, metric, register, unavailable};
pub use encode::{Data, examples, perf, perf_of};
pub use pages::{File, all};
pub use search::{Entry, index};
