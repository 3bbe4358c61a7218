//! The driver on simulated devices: one core for each set of registers, and a device for the generic driver. The part
//! numbers are tested for all cores.

/// The tests of each set of registers.
macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        groups: [$Event:ident], figures: $figures:tt, is: $is:tt,
    })*) => { $( core!($product $pmu, $krate, $Device, $Event); )* };
}

macro_rules! core {
    // The tests of the generic driver have other constants; see `every_core` below.
    (false $($every_core:tt)*) => {};
    (true $pmu:ident, $krate:path, $Device:ident, $Event:ident) => {
        mod $pmu {
            use arm_pmu_sim::$Device as Device;
            use product::$Event as ProductEvent;
            use $krate as product;

            include!("core.rs");
        }
    };
}

arm_pmu::for_each_pmu!(drivers of arm_pmuv3 => cores);

/// Checks each core's function that recognizes values of the Main ID Register.
macro_rules! part_numbers {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        groups: $groups:tt, figures: $figures:tt, is: [$($is:ident)?],
    })*) => { $( $({
        use $krate as product;
        let part = arm_pmu_sim::$Device::MIDR >> 4 & 0xFFF;
        for main_id in [arm_pmu_sim::$Device::MIDR, 0x410F_0000 | part << 4, 0x413F_000F | part << 4] {
            assert!(product::$is(main_id), "{}: {main_id:#x}", $name);
        }
        for main_id in [0x510F_0000 | part << 4, 0x410F_C080, 0, u32::MAX] {
            assert!(!product::$is(main_id), "{}: {main_id:#x}", $name);
        }
    })? )* };
}

#[test]
fn part_numbers_identify_the_cores() {
    arm_pmu::for_each_pmu!(arm_pmuv3 => part_numbers);
}

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

/// `rustfmt` does not follow `include!`, but finds the tests through this module.
#[cfg(any())]
mod tests;

/// This module, too, shows the tests to rustfmt.
#[cfg(any())]
mod core;
