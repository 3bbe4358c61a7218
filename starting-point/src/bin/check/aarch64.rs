//! The part of the check that is specific to AArch64.

use core::arch::asm;

pub use cortex_a53::CortexA53Event as Event;
pub use cortex_a53::Sysreg as Bus;
use cortex_a53::{Pmu, Running};

/// Whether the PMU reports this event as not implemented.
pub fn lacks(pmu: &Pmu<Bus>, event: Event) -> bool {
    pmu.has_event(event) == Some(false)
}

/// Counts one software increment.
pub fn increment(running: &mut Running<Bus>) {
    running.increment();
}

/// Returns MIDR_EL1, and whether both the MMU and the data cache are on.
pub fn identity() -> (u64, bool) {
    let (id, level, control): (u64, u64, u64);
    // SAFETY: reading registers of the current Exception level changes nothing.
    unsafe {
        asm!("mrs {}, midr_el1", "mrs {}, currentel", out(reg) id, out(reg) level);
        match level >> 2 & 3 {
            3 => asm!("mrs {}, sctlr_el3", out(reg) control),
            2 => asm!("mrs {}, sctlr_el2", out(reg) control),
            _ => asm!("mrs {}, sctlr_el1", out(reg) control),
        }
    }
    (id, control & 0b101 == 0b101)
}

/// Cleans a line from all data caches.
pub fn clean(line: *mut u8) {
    // SAFETY: cleaning a line changes no value.
    unsafe { asm!("dc civac, {}", "dsb sy", in(reg) line) }
}
