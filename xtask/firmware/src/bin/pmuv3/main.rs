//! PMUv3, for QEMU's `virt` at EL1, EL2 and EL3: counted events, and where counting is prohibited. The driver for every
//! core runs on each core; the driver of a product runs on its products too.
#![cfg_attr(target_os = "none", no_std, no_main)]

/// Defines a module with checks for each product, and a function that runs the checks of the product with the core's
/// MIDR_EL1.
#[cfg(target_os = "none")]
macro_rules! products {
    ($($core:ident {
        name: $name:literal, product: $product:literal, kind: $kind:ident, place: $place:ident, cycles: $cycles:literal,
        krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $device:path, registers: $registers:ident,
        events: $codes:tt,
        groups: [$Event:ident], figures: $figures:tt, is: [$($is:ident)?],
    })*) => {
        $(products!(product $core $name, $krate, $Event, [$($is)?]);)*

        fn checks_of_the_product(checks: &mut Checks) {
            let main_id = every_core::bus().main_id();
            $(products!(run $core [$($is)?], main_id, checks);)*
        }
    };
    (product $core:ident $name:literal, $krate:path, $Event:ident, []) => {};
    (run $core:ident [], $main_id:ident, $checks:ident) => {};
    (product $core:ident $name:literal, $krate:path, $Event:ident, [$is:ident]) => {
        mod $core {
            use $krate as product;
            use product::events::COUNTERS;
            use product::$Event as ProductEvent;
            pub use product::$is as is_product;

            fn identity() -> u32 {
                bus().main_id()
            }

            fn known(checks: &mut Checks) {
                checks.note(format_args!("the driver of {}", $name));
            }

            include!("checks.rs");
        }
    };
    (run $core:ident [$is:ident], $main_id:ident, $checks:ident) => {
        if $core::is_product($main_id) {
            $core::all($checks);
        }
    };
}

#[cfg(target_os = "none")]
use firmware::Checks;

#[cfg(target_os = "none")]
arm_pmu::for_each_pmu!(arm_pmuv3 => products);

/// rustfmt does not find included files: it formats the checks because of this module.
#[cfg(any())]
mod checks;

#[cfg(target_os = "none")]
mod every_core;

#[cfg(target_os = "none")]
fn checks_of_the_core(checks: &mut Checks) {
    checks_of_the_product(checks);
    every_core::of_every_core(checks);
}

#[cfg(target_os = "none")]
firmware::image!(checks_of_the_core);

#[cfg(not(target_os = "none"))]
fn main() {}
