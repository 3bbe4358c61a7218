//! The PMU of the ARM11 cores, for QEMU's `versatilepb` with an ARM1136 or ARM1176.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod checks;

#[cfg(target_os = "none")]
firmware::image!(checks::all);

#[cfg(not(target_os = "none"))]
fn main() {}
