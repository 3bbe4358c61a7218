//! Diagnosis tests: each state of a core leads to exactly one finding.

/// The tests of each set of registers.
macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        $($rest:tt)*
    })*) => { $( core!($product $pmu, $krate, $Device); )* };
}

macro_rules! core {
    // The tests of the generic driver have other constants; see `every_core` below.
    (false $($every_core:tt)*) => {};
    (true $pmu:ident, $krate:path, $Device:ident) => {
        mod $pmu {
            use arm_pmu_sim::$Device as Device;
            use $krate as product;

            include!("core.rs");
        }
    };
}

arm_pmu::for_each_pmu!(drivers of arm_pmuv3 => cores);

mod every_core {
    use arm_pmu_sim::ArmPmuv3 as Device;
    use arm_pmuv3 as product;
    use product::DEFAULT_COUNTERS as COUNTERS;

    const IDENTITY: u64 = Device::ID_AA64DFR0;
    /// ID_AA64DFR0_EL1 without a PMU, and with a PMU that is not Arm's.
    const OTHERS: [u64; 2] = [IDENTITY & !0xF00, IDENTITY | 0xF00];

    include!("tests.rs");
}

/// `rustfmt` does not follow `include!`, but finds the tests through this module.
#[cfg(any())]
mod tests;

/// This module, too, shows the tests to rustfmt.
#[cfg(any())]
mod core;
