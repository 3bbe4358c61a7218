//! Diagnosis: each state of a core gives its finding and no other.

mod cortex_a7 {
    use arm_pmu_sim::CortexA7 as Device;
    use cortex_a7 as product;

    include!("tests.rs");
}

mod cortex_a8 {
    use arm_pmu_sim::CortexA8 as Device;
    use cortex_a8 as product;

    include!("tests.rs");
}

mod cortex_a9 {
    use arm_pmu_sim::CortexA9 as Device;
    use cortex_a9 as product;

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
