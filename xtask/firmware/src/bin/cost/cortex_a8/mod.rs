//! The Cortex-A8 of a RealView PB-A8.
#![allow(unsafe_code)]

pub use cortex_a8::events::COUNTERS;
pub use cortex_a8::{CortexA8Event as Event, Cp15 as Bus, Divider, EventOrCycles, Pmu, Selection};

core::arch::global_asm!(include_str!("by_hand.s"), options(raw));

/// The first ones are counted, one for each counter of the measurement.
pub const EVENTS: [Event; COUNTERS] = [
    Event::InstructionExecuted,
    Event::DataCacheRefill,
    Event::InstructionCacheRefill,
    Event::SoftwareIncrement,
];

pub fn pmu() -> Pmu<Bus> {
    // SAFETY: the image runs on one core, in Supervisor mode, and uses one bus at a time.
    Pmu::new(unsafe { Bus::new() })
}

#[inline(always)]
pub fn count_cycles(pmu: &mut Pmu<Bus>) {
    pmu.cycle_counter().count(Divider::By1);
}

/// State of the assembly beside selections and counts: none.
pub type More = [u32; 0];

pub const MORE: More = [];

/// Ticks of the board's 24 MHz counter in 1000 instructions.
pub const PERIODS: u64 = 24_576;

/// SYS_24MHZ of the system registers of a RealView board: 32 bits that count up.
pub fn time() -> u32 {
    const COUNTER: *const u32 = core::ptr::without_provenance(0x1000_005C);
    // SAFETY: a register of the board that this image is for, which is read and not changed.
    unsafe { COUNTER.read_volatile() }
}

/// Counts a register down, 499 times two instructions, and two to begin with.
#[inline(always)]
pub fn thousand_instructions() {
    // SAFETY: changes a register and flags.
    unsafe {
        core::arch::asm!("mov {turns}, #500", "sub {turns}, {turns}, #1", "1: subs {turns}, {turns}, #1",
            "bne 1b", turns = out(reg) _, options(nomem, nostack));
    }
}
