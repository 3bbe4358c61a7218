//! Identification of the product.

mod cci500 {
    use arm_pmu_sim::Cci500 as Device;
    use cci500 as product;

    const PART: u16 = 0x422;
    const OTHER: u16 = 0x423;

    include!("tests.rs");
}

mod cci550 {
    use arm_pmu_sim::Cci550 as Device;
    use cci550 as product;

    const PART: u16 = 0x423;
    const OTHER: u16 = 0x422;

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
