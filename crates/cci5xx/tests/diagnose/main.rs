//! Diagnosis tests: each state of a device leads to exactly one finding.

#[macro_use]
#[path = "../support/products.rs"]
mod support;

arm_pmu::for_each_pmu!(drivers of cci5xx => products);

/// `rustfmt` does not follow `include!`, but finds the tests through this module.
#[cfg(any())]
mod tests;
