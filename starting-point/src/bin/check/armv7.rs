//! The part of the check that is specific to ARMv7-A.

use core::arch::asm;

pub use cortex_a7::CortexA7Event as Event;
pub use cortex_a7::Cp15 as Bus;
use cortex_a7::{Pmu, Running};

/// Whether the PMU reports this event as not implemented. No source states this for a Cortex-A7.
pub fn lacks(_: &Pmu<Bus>, _: Event) -> bool {
    false
}

/// Counts one software increment.
pub fn increment(running: &mut Running<Bus>) {
    running.increment();
}

/// Returns MIDR, and whether both the MMU and the data cache are on.
pub fn identity() -> (u32, bool) {
    let (id, control): (u32, u32);
    // SAFETY: reading MIDR and SCTLR changes nothing.
    unsafe {
        asm!("mrc p15, 0, {}, c0, c0, 0", "mrc p15, 0, {}, c1, c0, 0", out(reg) id, out(reg) control);
    }
    (id, control & 0b101 == 0b101)
}

/// Cleans a line from all data caches with DCCIMVAC.
pub fn clean(line: *mut u8) {
    // SAFETY: cleaning a line changes no value.
    unsafe { asm!("mcr p15, 0, {}, c7, c14, 1", "dsb", in(reg) line) }
}
