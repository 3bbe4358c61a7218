//! The driver on each simulated core: measurements and failures, and a diagnosis with one finding for each state.

macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        groups: [$Event:ident], figures: $figures:tt, is: [$is:ident],
    })*) => { $(
        mod $pmu {
            use arm_pmu_sim::$Device as Device;
            use $krate as product;

            mod diagnose {
                use super::{Device, product};

                include!("diagnose/tests.rs");
            }

            mod driver {
                use super::{Device, product};
                use product::$is as is_product;

                include!("driver/tests.rs");
            }
        }
    )* };
}

arm_pmu::for_each_pmu!(armv7_pmu => cores);

/// `rustfmt` does not follow `include!`, but finds the tests through these modules.
#[cfg(any())]
mod diagnose {
    mod tests;
}
#[cfg(any())]
mod driver {
    mod counting;
    mod cycles;
    mod interference;
    mod probe;
    mod registers;
    mod selector;
    mod tests;
    mod user_mode;
}
