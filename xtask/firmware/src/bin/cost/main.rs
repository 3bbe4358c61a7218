//! Measures the cost of a measurement in instructions, on a Cortex-A8 (QEMU's `realview-pb-a8`) and
//! on a Cortex-A53 (QEMU's `virt`).
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod bound;
#[cfg(target_os = "none")]
mod by_hand;
#[cfg(target_os = "none")]
mod checks;
#[cfg(target_os = "none")]
mod clock;
#[cfg(all(target_os = "none", target_arch = "aarch64"))]
mod cortex_a53;
#[cfg(all(target_os = "none", target_arch = "arm"))]
mod cortex_a8;
#[cfg(target_os = "none")]
mod driver;

#[cfg(all(target_os = "none", target_arch = "arm"))]
use cortex_a8 as product;
#[cfg(all(target_os = "none", target_arch = "aarch64"))]
use cortex_a53 as product;

#[cfg(target_os = "none")]
firmware::image!(checks::all);

#[cfg(not(target_os = "none"))]
fn main() {}
