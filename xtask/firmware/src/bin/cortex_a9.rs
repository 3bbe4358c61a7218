//! The PMU of the Cortex-A9, for QEMU's `realview-pbx-a9`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
fn checks(checks: &mut firmware::Checks) {
    firmware::armv7::cortex_a9::all(&firmware::arm::Machine, checks);
}

#[cfg(target_os = "none")]
firmware::image!(checks);

#[cfg(not(target_os = "none"))]
fn main() {}
