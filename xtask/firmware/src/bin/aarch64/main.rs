//! Memory-mapped drivers on AArch64, for QEMU's `virt`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod checks;

#[cfg(target_os = "none")]
firmware::image!(checks::all);

#[cfg(not(target_os = "none"))]
fn main() {}
