//! What a measurement costs on a Cortex-A8, in instructions, for QEMU's `realview-pb-a8`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod bounds;
#[cfg(target_os = "none")]
mod by_hand;
#[cfg(target_os = "none")]
mod checks;
#[cfg(target_os = "none")]
mod clock;
#[cfg(target_os = "none")]
mod driver;

#[cfg(target_os = "none")]
firmware::image!(checks::all);

#[cfg(not(target_os = "none"))]
fn main() {}
