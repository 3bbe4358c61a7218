//! PMUv3, for QEMU's `virt` at EL1, EL2 and EL3: counted events, and where counting is prohibited. The driver for every
//! core runs on each; the drivers of Cortex-A53, Cortex-A55 and Cortex-A72 on theirs, the last also on a Cortex-A57.
#![cfg_attr(target_os = "none", no_std, no_main)]

/// The checks of a core. `VERSION` is its PMU's.
#[cfg(target_os = "none")]
macro_rules! product {
    ($krate:ident, $Event:ident, $is_product:ident, $VERSION:literal) => {
        use ::$krate as product;
        use product::{events::COUNTERS, $Event as ProductEvent, $is_product as is_product};

        fn identity() -> u32 {
            bus().main_id()
        }

        fn known(checks: &mut Checks) {
            checks.equal("the core matches the driver", is_product(identity()), true);
            checks.equal("the version", bus().debug_features() >> 8 & 0xF, $VERSION);
        }

        include!("checks.rs");
    };
}

#[cfg(target_os = "none")]
mod cortex_a53 {
    product!(cortex_a53, CortexA53Event, is_cortex_a53, 1);
}

#[cfg(target_os = "none")]
mod cortex_a55 {
    product!(cortex_a55, CortexA55Event, is_cortex_a55, 4);
}

#[cfg(target_os = "none")]
mod cortex_a72 {
    product!(cortex_a72, CortexA72Event, is_cortex_a72, 1);
}

/// `include!` hides the checks from rustfmt; this module shows them to it.
#[cfg(any())]
mod checks;

#[cfg(target_os = "none")]
mod every_core;

#[cfg(target_os = "none")]
fn checks_of_the_core(checks: &mut firmware::Checks) {
    // The part number selects the driver, so each driver's identification is tested too.
    match every_core::bus().main_id() >> 4 & 0xFFF {
        0xD03 => cortex_a53::all(checks),
        0xD05 => cortex_a55::all(checks),
        0xD07 | 0xD08 => cortex_a72::all(checks),
        _ => {}
    }
    every_core::of_every_core(checks);
}

#[cfg(target_os = "none")]
firmware::image!(checks_of_the_core);

#[cfg(not(target_os = "none"))]
fn main() {}
