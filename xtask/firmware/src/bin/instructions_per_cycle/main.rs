//! The example of the same name of `cortex-a8`, for QEMU's `realview-pb-a8`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod checks;
/// As users see it.
#[cfg(target_os = "none")]
#[path = "../../../../../crates/cortex-a8/examples/instructions_per_cycle/report.rs"]
mod report;

#[cfg(target_os = "none")]
firmware::image!(checks::all);

#[cfg(not(target_os = "none"))]
fn main() {}
