//! The PMU of the Cortex-A8, for QEMU's `realview-pb-a8`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
fn checks(checks: &mut firmware::Checks) {
    firmware::armv7::cortex_a8::all(&firmware::arm::Machine, checks);
}

#[cfg(target_os = "none")]
firmware::image!(checks);

#[cfg(not(target_os = "none"))]
fn main() {}
