//! Identification of the product.

#[macro_use]
#[path = "../support/products.rs"]
mod support;

arm_pmu::for_each_pmu!(cci5xx => products);

/// `rustfmt` does not follow `include!`, but finds the tests through this module.
#[cfg(any())]
mod tests;
