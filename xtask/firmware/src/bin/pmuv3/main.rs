//! PMUv3 of a Cortex-A53, of a Cortex-A55, and of a Cortex-A72 or Cortex-A57, for QEMU's `virt` at EL1, EL2 and EL3: what
//! is counted, and where counting is prohibited. All drivers are in this image; it takes that of the core.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod cortex_a53 {
    use ::cortex_a53 as product;
    use product::{CortexA53Event as ProductEvent, is_cortex_a53 as is_product};

    /// PMUv3.
    const VERSION: u64 = 1;

    include!("checks.rs");
}

#[cfg(target_os = "none")]
mod cortex_a55 {
    use ::cortex_a55 as product;
    use product::{CortexA55Event as ProductEvent, is_cortex_a55 as is_product};

    /// PMUv3p1.
    const VERSION: u64 = 4;

    include!("checks.rs");
}

#[cfg(target_os = "none")]
mod cortex_a72 {
    use ::cortex_a72 as product;
    use product::{CortexA72Event as ProductEvent, is_cortex_a72 as is_product};

    /// PMUv3.
    const VERSION: u64 = 1;

    include!("checks.rs");
}

/// `include!` hides the checks from rustfmt; this module shows them to it.
#[cfg(any())]
mod checks;

#[cfg(target_os = "none")]
fn of_the_core(checks: &mut firmware::Checks) {
    match cortex_a53::bus().main_id() {
        id if ::cortex_a53::is_cortex_a53(id) => cortex_a53::all(checks),
        id if ::cortex_a55::is_cortex_a55(id) => cortex_a55::all(checks),
        _ => cortex_a72::all(checks),
    }
}

#[cfg(target_os = "none")]
firmware::image!(of_the_core);

#[cfg(not(target_os = "none"))]
fn main() {}
