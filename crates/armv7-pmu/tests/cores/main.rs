//! Tests the driver on each simulated core: measurements, failures, and diagnoses.
#![allow(clippy::duplicate_mod, reason = "`driver` and `diagnose` are compiled for each core")]

macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        groups: [$Event:ident], figures: $figures:tt, is: [$is:ident],
    })*) => { $(
        #[path = "."]
        mod $pmu {
            use arm_pmu_sim::$Device as Device;
            use $krate as product;
            use product::$is as is_product;

            mod diagnose;
            mod driver;
        }
    )* };
}

arm_pmu::for_each_pmu!(armv7_pmu => cores);

/// `rustfmt` does not expand macros, but finds the tests through these modules.
#[cfg(any())]
mod diagnose;
#[cfg(any())]
mod driver;
