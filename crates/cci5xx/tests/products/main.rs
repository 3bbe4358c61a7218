//! Tests the driver and its diagnosis on a CCI-500, and how each product is identified.
#![allow(clippy::duplicate_mod, reason = "`probe` is compiled for each product")]

mod diagnose;
mod driver;
mod secure_observation;

macro_rules! products {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        $($rest:tt)*
    })*) => { $(
        #[path = "."]
        mod $pmu {
            use arm_pmu_sim::$Device as Device;
            use $krate as product;

            mod probe;
        }
    )* };
}

arm_pmu::for_each_pmu!(cci5xx => products);

/// `rustfmt` does not expand macros, but finds the tests through this module.
#[cfg(any())]
mod probe;
