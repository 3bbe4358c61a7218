//! Random programs over the public API of every driver of this family, on the simulated devices.
//!
//! `cargo xtask fuzz counts` runs these programs. A [program](program::Program) is a list of calls, with
//! traffic before the bus accesses of each call: events, writes by a second owner, and registers that
//! stop answering. The [`oracle`] derives the possible values of each count from the history.

// Only this package uses the library.
#![allow(missing_docs, clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![allow(clippy::must_use_candidate, clippy::new_without_default)]

pub mod banks;
pub mod oracle;
pub mod program;
pub mod run;
pub mod shrink;
pub mod subjects;
pub mod world;

/// The example on the first page of `arm-pmu-sim`. It needs a driver, which that crate cannot depend on.
#[cfg(doctest)]
#[doc = include_str!("../../../crates/arm-pmu-sim/src/lib.md")]
pub struct FirstPageOfTheSimulator;
