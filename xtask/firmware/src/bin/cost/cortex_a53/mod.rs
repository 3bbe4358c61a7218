//! The Cortex-A53 of QEMU's `virt`, at EL1.
#![allow(unsafe_code)]

pub use cortex_a53::events::COUNTERS;
pub use cortex_a53::{
    CortexA53Event as Event, EventOrCycles, Filter, Pmu, Selection, Sysreg as Bus,
};

core::arch::global_asm!(include_str!("by_hand.s"), options(raw));

/// Events to count. A measurement with n counters counts the first n of them.
pub const EVENTS: [Event; COUNTERS] = [
    Event::InstRetired,
    Event::L1dCacheRefill,
    Event::L1iCacheRefill,
    Event::SwIncr,
    Event::L1dCache,
    Event::BrMisPred,
];

#[inline(always)]
pub fn count_cycles(pmu: &mut Pmu<Bus>) {
    pmu.cycle_counter().count();
}

/// State that the assembly keeps in addition to selections and counts: the filter for the next
/// start, the filter of the last start, the number of available counters, and the upper half of
/// PMCCNTR_EL0 when its last overflow was acknowledged.
pub type More = [u32; 4];

pub const MORE: More = [Filter::ALL.bits(), 0, 0, 0];

/// Ticks of the 62.5 MHz system counter in 1000 instructions.
pub const PERIODS: u64 = 64_000;

/// Reads CNTVCT_EL0, whose low 32 bits suffice.
pub fn time() -> u32 {
    let count: u64;
    // SAFETY: reading a register has no other effect.
    unsafe {
        core::arch::asm!("mrs {}, cntvct_el0", out(reg) count, options(nostack, preserves_flags));
    }
    count as u32
}
