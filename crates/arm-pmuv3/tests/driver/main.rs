//! The driver of each known core with PMUv3, and the generic driver, on their simulated devices.

/// The tests of each core.
macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        groups: [$Event:ident], figures: $figures:tt, is: [$($is:ident)?],
    })*) => { $( core!($product $pmu, $krate, $Device, $Event, $($is)?); )* };
}

macro_rules! core {
    // The tests of the generic driver have other constants; see `every_core` below.
    (false $($every_core:tt)*) => {};
    (true $pmu:ident, $krate:path, $Device:ident, $Event:ident, $is:ident) => {
        mod $pmu {
            use arm_pmu_sim::$Device as Device;
            use product::{$Event as ProductEvent, $is as is_product};
            use $krate as product;

            /// Part number in the simulated device's Main ID Register.
            const PART: u32 = Device::MIDR >> 4 & 0xFFF;

            include!("core.rs");
        }
    };
}

arm_pmu::for_each_pmu!(arm_pmuv3 => cores);

mod every_core {
    use arm_pmu_sim::ArmPmuv3 as Device;
    use arm_pmuv3 as product;
    use product::{CommonEvent as ProductEvent, DEFAULT_COUNTERS as COUNTERS};

    const DESCRIBED: usize = 31;
    const IDENTITY: u64 = Device::ID_AA64DFR0;
    /// ID_AA64DFR0_EL1 of a core without a PMU.
    const OTHER: u64 = 0x1030_5008;
    const REFUSED: ProbeErrorKind = ProbeErrorKind::PmuVersion { found: 0 };

    include!("tests.rs");
}

/// PMUv3p5: the carry of an event counter reaches bit 32.
mod long_counters {
    use std::ops::Deref;

    use arm_pmu_sim::ArmPmuv3;
    use arm_pmuv3 as product;
    use product::{CommonEvent as ProductEvent, DEFAULT_COUNTERS as COUNTERS};

    struct Device(ArmPmuv3);

    impl Device {
        fn new() -> Self {
            let device = ArmPmuv3::new();
            device.set_version(6);
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

/// This module, too, shows the tests to rustfmt.
#[cfg(any())]
mod core;
