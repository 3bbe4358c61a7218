//! Tests the compiler's message for each program with a mistake: `tests/<crate>/<mistake>.rs`

/// Tests the example in the workspace's README, because no package includes that README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct WorkspaceReadme;

/// Tests the example on the first page of `arm-pmu-sim`. The example needs a driver, and `arm-pmu-sim` cannot depend on
/// a driver.
#[cfg(doctest)]
#[doc = include_str!("../crates/arm-pmu-sim/src/lib.md")]
struct FirstPageOfTheSimulator;
