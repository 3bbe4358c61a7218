//! Checks PMUv3 on QEMU's `virt` at EL1, EL2 and EL3: which events count, and where counting is prohibited. The driver
//! for every core runs on each core; the driver of a product runs on its products too.
#![no_std]
#![no_main]

/// Defines a module with checks for each product, and a function that runs the checks of the product with the core's
/// MIDR_EL1.
macro_rules! products {
    ($($core:ident {
        name: $name:literal, product: $product:literal, kind: $kind:ident, place: $place:ident, cycles: $cycles:literal,
        krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $device:path, registers: $registers:ident,
        events: $codes:tt,
        groups: [$Event:ident], figures: $figures:tt, is: [$($is:ident)?],
    })*) => {
        $($(
            mod $core {
                use $krate as product;
                use product::events::COUNTERS;
                use product::$Event as ProductEvent;
                pub use product::$is;

                fn identity() -> u32 {
                    bus().main_id()
                }

                fn known(checks: &mut Checks) {
                    checks.note(format_args!("the driver of {}", $name));
                }

                include!("checks.rs");
            }
        )?)*

        fn checks_of_the_product(checks: &mut Checks) {
            let main_id = firmware::bus().main_id();
            $($(
                if $core::$is(main_id) {
                    $core::all(checks);
                }
            )?)*
        }
    };
}

use firmware::Checks;

arm_pmu::for_each_pmu!(arm_pmuv3 => products);

/// rustfmt does not find included files, so this module makes it format the checks.
#[cfg(any())]
mod checks;

mod every_core;

fn checks_of_the_core(checks: &mut Checks) {
    checks_of_the_product(checks);
    every_core::of_every_core(checks);
}

firmware::image!(checks_of_the_core);
