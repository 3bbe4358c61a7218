//! The driver of each core with PMUv3, on its simulated device.

mod cortex_a53 {
    use arm_pmu_sim::CortexA53 as Device;
    use cortex_a53 as product;
    use product::{CortexA53Event as ProductEvent, is_cortex_a53 as is_product};

    const PART: u32 = 0xD03;

    include!("tests.rs");
}

mod cortex_a72 {
    use arm_pmu_sim::CortexA72 as Device;
    use cortex_a72 as product;
    use product::{CortexA72Event as ProductEvent, is_cortex_a72 as is_product};

    const PART: u32 = 0xD08;

    include!("tests.rs");
}

mod cortex_a55 {
    use arm_pmu_sim::CortexA55 as Device;
    use cortex_a55 as product;
    use product::{CortexA55Event as ProductEvent, is_cortex_a55 as is_product};

    const PART: u32 = 0xD05;

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
