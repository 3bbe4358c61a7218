//! Why a counter reads zero: each state of a device is that finding, and no other.

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
