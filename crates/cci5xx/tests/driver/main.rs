//! The driver on the simulated device of each product: measurements and failures.

mod cci500 {
    use arm_pmu_sim::Cci500 as Device;
    use cci500 as product;

    include!("tests.rs");
}

mod cci550 {
    use arm_pmu_sim::Cci550 as Device;
    use cci550 as product;

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
