//! The driver of each core with PMUv3, and that of every core, on their simulated devices.

mod cortex_a53 {
    use arm_pmu_sim::CortexA53 as Device;
    use cortex_a53 as product;
    use product::{CortexA53Event as ProductEvent, is_cortex_a53 as is_product};

    const PART: u32 = 0xD03;

    include!("core.rs");
}

mod cortex_a72 {
    use arm_pmu_sim::CortexA72 as Device;
    use cortex_a72 as product;
    use product::{CortexA72Event as ProductEvent, is_cortex_a72 as is_product};

    const PART: u32 = 0xD08;

    include!("core.rs");
}

mod cortex_a55 {
    use arm_pmu_sim::CortexA55 as Device;
    use cortex_a55 as product;
    use product::{CortexA55Event as ProductEvent, is_cortex_a55 as is_product};

    const PART: u32 = 0xD05;

    include!("core.rs");
}

mod every_core {
    use arm_pmu_sim::ArmPmuv3 as Device;
    use arm_pmuv3 as product;
    use product::{CommonEvent as ProductEvent, DEFAULT_COUNTERS as COUNTERS};

    const DESCRIBED: usize = 31;
    const IDENTITY: u64 = Device::ID_AA64DFR0;
    /// A core without a PMU.
    const OTHER: u64 = 0x1030_5008;
    const REFUSED: ProbeErrorKind = ProbeErrorKind::PmuVersion { found: 0 };

    include!("tests.rs");
}

/// PMUv3p5: the carry of an event counter reaches bit 32.
mod long_counters {
    use std::ops::Deref;

    use arm_pmu_sim::{ArmPmuv3, SysregRegister};
    use arm_pmuv3 as product;
    use product::{CommonEvent as ProductEvent, DEFAULT_COUNTERS as COUNTERS};

    struct Device(ArmPmuv3);

    impl Device {
        const REGISTERS: &'static [SysregRegister] = ArmPmuv3::REGISTERS;

        fn new() -> Self {
            let device = ArmPmuv3::new();
            device.set_long_counters(true);
            device.power_up();
            Self(device)
        }
    }

    impl Deref for Device {
        type Target = ArmPmuv3;

        fn deref(&self) -> &ArmPmuv3 {
            &self.0
        }
    }

    const DESCRIBED: usize = 31;
    const IDENTITY: u64 = ArmPmuv3::ID_AA64DFR0 & !0xF00 | 0x600;
    const OTHER: u64 = IDENTITY & !0xF00;
    const REFUSED: ProbeErrorKind = ProbeErrorKind::PmuVersion { found: 0 };

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;

/// So does this one.
#[cfg(any())]
mod core;
