//! Diagnosis: each state of a core gives its finding and no other.

mod cortex_a53 {
    use arm_pmu_sim::CortexA53 as Device;
    use cortex_a53 as product;

    include!("tests.rs");
}

mod cortex_a72 {
    use arm_pmu_sim::CortexA72 as Device;
    use cortex_a72 as product;

    include!("tests.rs");
}

mod cortex_a55 {
    use arm_pmu_sim::CortexA55 as Device;
    use cortex_a55 as product;

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
