//! Diagnosis: each state of a core gives its finding and no other.

mod cortex_a53 {
    use arm_pmu_sim::CortexA53 as Device;
    use cortex_a53 as product;

    include!("core.rs");
}

mod cortex_a72 {
    use arm_pmu_sim::CortexA72 as Device;
    use cortex_a72 as product;

    include!("core.rs");
}

mod cortex_a55 {
    use arm_pmu_sim::CortexA55 as Device;
    use cortex_a55 as product;

    include!("core.rs");
}

mod every_core {
    use arm_pmu_sim::ArmPmuv3 as Device;
    use arm_pmuv3 as product;
    use product::DEFAULT_COUNTERS as COUNTERS;

    const IDENTITY: u64 = Device::ID_AA64DFR0;
    /// Cores without a PMU, and with one of their own kind.
    const OTHERS: [u64; 2] = [IDENTITY & !0xF00, IDENTITY | 0xF00];

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;

/// So does this one.
#[cfg(any())]
mod core;
