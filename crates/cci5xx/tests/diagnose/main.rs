//! Diagnosis tests: each state of a device leads to exactly one finding.

#[macro_use]
#[path = "../support/products.rs"]
mod support;

arm_pmu::for_each_pmu!(drivers of cci5xx => products);

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
