//! Tests of the driver and the diagnosis on cores, of the generic driver, and of every core's events.
#![allow(clippy::duplicate_mod, reason = "`driver` and `diagnose` are compiled for each device")]

mod events;
mod every_core;

use std::ops::Deref;

use arm_pmu_core::bus::SystemRegister;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::ArmPmuv3;

const fn el0(crn: u8, crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1: 3, crn, crm, op2 }
}

const PMCR: SystemRegister = el0(9, 12, 0);
const PMCCFILTR: SystemRegister = el0(14, 15, 7);
const MDCR_EL2: SystemRegister = SystemRegister { op0: 3, op1: 4, crn: 1, crm: 1, op2: 1 };

/// Generates the tests for each PMU whose counters have separate registers.
macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        groups: [$Event:ident], figures: $figures:tt, is: $is:tt,
    })*) => { $( core!($product $pmu, $krate, $Device, $Event); )* };
}

macro_rules! core {
    // The tests of the generic driver have other constants; see `generic` below.
    (false $($generic:tt)*) => {};
    (true $pmu:ident, $krate:path, $Device:ident, $Event:ident) => {
        #[path = "."]
        mod $pmu {
            use arm_pmu_core::driver::ProbeErrorKind;
            use arm_pmu_sim::$Device as Device;
            use product::events::COUNTERS;
            use product::$Event as ProductEvent;
            use $krate as product;

            /// Number of counters whose registers the spec describes.
            const DESCRIBED: usize = COUNTERS;
            const IDENTITY: u32 = Device::MIDR;
            /// Main ID Registers of a Cortex-A8, and of cores with another part number or implementer.
            const OTHERS: [u32; 3] = [0x410F_C080, Device::MIDR ^ 1 << 15, Device::MIDR ^ 1 << 28];
            const REFUSED: ProbeErrorKind = ProbeErrorKind::Processor { main_id: OTHERS[0] };

            mod diagnose;
            mod driver;
        }
    };
}

arm_pmu::for_each_pmu!(drivers of arm_pmuv3 => cores);

/// The generic driver.
#[path = "."]
mod generic {
    use arm_pmu_core::driver::ProbeErrorKind;
    use arm_pmu_sim::ArmPmuv3 as Device;
    use arm_pmuv3 as product;
    use product::{CommonEvent as ProductEvent, DEFAULT_COUNTERS as COUNTERS};

    const DESCRIBED: usize = 31;
    const IDENTITY: u64 = Device::ID_AA64DFR0;
    /// ID_AA64DFR0_EL1 without a PMU, and with a PMU that is not Arm's.
    const OTHERS: [u64; 2] = [IDENTITY & !0xF00, IDENTITY | 0xF00];
    const REFUSED: ProbeErrorKind = ProbeErrorKind::PmuVersion { found: 0 };

    mod diagnose;
    mod driver;
}

/// A core with PMUv3p5: the carry of an event counter reaches bit 32.
struct Long(ArmPmuv3);

impl Long {
    fn new() -> Self {
        let device = ArmPmuv3::new();
        device.set_version(6);
        device.power_up();
        Self(device)
    }
}

impl Deref for Long {
    type Target = ArmPmuv3;

    fn deref(&self) -> &ArmPmuv3 {
        &self.0
    }
}

/// The generic driver on a core with PMUv3p5.
#[path = "."]
mod long_counters {
    use super::{ArmPmuv3, Long as Device, ProbeErrorKind};
    use arm_pmuv3 as product;
    use product::{CommonEvent as ProductEvent, DEFAULT_COUNTERS as COUNTERS};

    const DESCRIBED: usize = 31;
    const IDENTITY: u64 = ArmPmuv3::ID_AA64DFR0 & !0xF00 | 0x600;
    const OTHERS: [u64; 1] = [IDENTITY & !0xF00];
    const REFUSED: ProbeErrorKind = ProbeErrorKind::PmuVersion { found: 0 };

    mod driver;
}

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
