//! PMUv3 of a Cortex-A53 and of a Cortex-A72 or Cortex-A57, for QEMU's `virt` at EL1, EL2 and EL3: what is counted, and
//! where counting is prohibited. Both drivers are in this image; it takes that of the core.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod cortex_a53 {
    use ::cortex_a53 as product;
    use product::{CortexA53Event as ProductEvent, is_cortex_a53 as is_product};

    include!("checks.rs");
}

#[cfg(target_os = "none")]
mod cortex_a72 {
    use ::cortex_a72 as product;
    use product::{CortexA72Event as ProductEvent, is_cortex_a72 as is_product};

    include!("checks.rs");
}

/// `include!` hides the checks from rustfmt; this module shows them to it.
#[cfg(any())]
mod checks;

#[cfg(target_os = "none")]
fn of_the_core(checks: &mut firmware::Checks) {
    match ::cortex_a53::is_cortex_a53(cortex_a53::bus().main_id()) {
        true => cortex_a53::all(checks),
        false => cortex_a72::all(checks),
    }
}

#[cfg(target_os = "none")]
firmware::image!(of_the_core);

#[cfg(not(target_os = "none"))]
fn main() {}
