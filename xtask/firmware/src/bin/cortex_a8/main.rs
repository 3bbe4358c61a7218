//! The PMU of the Cortex-A8, for QEMU's `realview-pb-a8`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod machine;

#[cfg(target_os = "none")]
firmware::image!(machine::checks);

#[cfg(not(target_os = "none"))]
fn main() {}
