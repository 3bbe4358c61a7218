//! Diagnosis: each state of a core gives its finding and no other.

/// The tests of each core.
macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        $($rest:tt)*
    })*) => { $( core!($product $pmu, $krate, $Device); )* };
}

macro_rules! core {
    // Below, with other constants.
    (false $($every_core:tt)*) => {};
    (true $pmu:ident, $krate:path, $Device:ident) => {
        mod $pmu {
            use arm_pmu_sim::$Device as Device;
            use $krate as product;

            include!("core.rs");
        }
    };
}

arm_pmu::for_each_pmu!(arm_pmuv3 => cores);

mod every_core {
    use arm_pmu_sim::ArmPmuv3 as Device;
    use arm_pmuv3 as product;
    use product::DEFAULT_COUNTERS as COUNTERS;

    const IDENTITY: u64 = Device::ID_AA64DFR0;
    /// Cores without a PMU, and with one of their own kind.
    const OTHERS: [u64; 2] = [IDENTITY & !0xF00, IDENTITY | 0xF00];

    include!("tests.rs");
}

/// Cores without a PMU, or with a PMU that is not Arm's.
#[cfg(any())]
mod tests;

/// So does this one.
#[cfg(any())]
mod core;
