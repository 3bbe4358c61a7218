//! The exact number of instructions of a piece of code.
//!
//! The PMU that is measured cannot measure itself: each start stops it first. So the time is taken from
//! the board's counter of 24 MHz. QEMU runs with `-icount shift=10`: each instruction takes 1024 ns of the
//! machine's time, which are 24.576 periods of that counter. A difference of two readings is less than
//! one period off, so dividing and rounding gives the number of instructions, with no doubt left.
#![allow(unsafe_code)]

/// SYS_24MHZ of the system registers of a RealView board: 32 bits that count up.
const COUNTER: *const u32 = core::ptr::without_provenance(0x1000_005C);

/// Periods of the counter in 1000 instructions.
const PERIODS: u64 = 24_576;

/// A point in time.
#[derive(Clone, Copy)]
pub struct Moment(u32);

/// Now. Not inlined, so that it always takes the same number of instructions.
#[inline(never)]
pub fn now() -> Moment {
    // SAFETY: a register of the board that this image is for, which is read and not changed.
    Moment(unsafe { COUNTER.read_volatile() })
}

/// The instructions between two moments, without those of reading the clock.
pub fn between(earlier: Moment, later: Moment) -> u32 {
    let (first, second) = (now(), now());
    instructions(earlier, later) - instructions(first, second)
}

fn instructions(Moment(earlier): Moment, Moment(later): Moment) -> u32 {
    let periods = u64::from(later.wrapping_sub(earlier));
    // 2^32 periods are less than 2^32 instructions.
    ((periods * 1000 + PERIODS / 2) / PERIODS) as u32
}

/// Counts a thousand instructions, to check the frequency of the clock.
pub fn thousand() -> u32 {
    let before = now();
    work();
    between(before, now())
}

/// A thousand instructions.
#[inline(always)]
pub fn work() {
    // SAFETY: counts a register down, 499 times two instructions, and two to begin with.
    unsafe {
        core::arch::asm!("mov {turns}, #500", "sub {turns}, {turns}, #1", "1: subs {turns}, {turns}, #1",
            "bne 1b", turns = out(reg) _, options(nomem, nostack));
    }
}
