//! Measures the cost of a measurement in instructions, on a Cortex-A8 (QEMU's `realview-pb-a8`) and
//! on a Cortex-A53 (QEMU's `virt`).
#![no_std]
#![no_main]

mod bound;
mod by_hand;
mod checks;
mod clock;
#[cfg(target_arch = "aarch64")]
mod cortex_a53;
#[cfg(target_arch = "arm")]
mod cortex_a8;
mod driver;

#[cfg(target_arch = "arm")]
use cortex_a8 as product;
#[cfg(target_arch = "aarch64")]
use cortex_a53 as product;

firmware::image!(checks::all);
