//! The driver on simulated cores: measurements and failures.

/// The tests of each core.
macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        groups: [$Event:ident], figures: $figures:tt, is: [$($is:ident)?],
    })*) => { $( core!($pmu, $krate, $Device, $Event, $($is)?); )* };
}

macro_rules! core {
    ($pmu:ident, $krate:path, $Device:ident, $Event:ident, $is:ident) => {
        mod $pmu {
            use arm_pmu_sim::$Device as Device;
            use product::$is as is_product;
            use $krate as product;

            /// Part number in the simulated device's Main ID Register.
            const PART: u32 = Device::MIDR >> 4 & 0xFFF;

            include!("tests.rs");
        }
    };
}

arm_pmu::for_each_pmu!(armv7_pmu => cores);

#[cfg(any())]
mod counting;
#[cfg(any())]
mod cycles;
#[cfg(any())]
mod interference;
#[cfg(any())]
mod probe;
#[cfg(any())]
mod registers;
#[cfg(any())]
mod selector;
/// `rustfmt` does not follow `include!`, but finds the tests through these modules.
#[cfg(any())]
mod tests;
#[cfg(any())]
mod user_mode;
