//! The Cortex-A8 of a RealView PB-A8.
#![allow(unsafe_code)]

pub use cortex_a8::events::COUNTERS;
pub use cortex_a8::{CortexA8Event as Event, Cp15 as Bus, Divider, EventOrCycles, Pmu, Selection};

core::arch::global_asm!(include_str!("by_hand.s"), options(raw));

/// Events to count. A measurement with n counters counts the first n of them.
pub const EVENTS: [Event; COUNTERS] = [
    Event::InstructionExecuted,
    Event::DataCacheRefill,
    Event::InstructionCacheRefill,
    Event::SoftwareIncrement,
];

#[inline(always)]
pub fn count_cycles(pmu: &mut Pmu<Bus>) {
    pmu.cycle_counter().count(Divider::By1);
}

/// Additional state of the assembly. Here there is none: the assembly needs only selections and
/// counts.
pub type More = [u32; 0];

pub const MORE: More = [];

/// Ticks of the board's 24 MHz counter in 1000 instructions.
pub const PERIODS: u64 = 24_576;

/// Reads SYS_24MHZ, a 32-bit up-counter among the system registers of a RealView board.
pub fn time() -> u32 {
    const COUNTER: *const u32 = core::ptr::without_provenance(0x1000_005C);
    // SAFETY: the image runs only on this board, where the register can be read.
    unsafe { COUNTER.read_volatile() }
}
