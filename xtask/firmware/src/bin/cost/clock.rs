//! Measures the exact number of instructions of a piece of code.
//!
//! The PMU under test cannot measure itself, because each start would stop it first. Therefore a
//! timer of the board measures the time. QEMU runs with `-icount shift=10`: each instruction takes
//! 1024 ns of the machine's time, which are many periods of the timer. The difference of two
//! readings is wrong by less than one period, so division and rounding give the exact number of
//! instructions.

use crate::product::{PERIODS, time};

/// A point in time.
#[derive(Clone, Copy)]
pub struct Moment(u32);

/// Reads the clock. Not inlined, so that its number of instructions is constant.
#[inline(never)]
pub fn now() -> Moment {
    Moment(time())
}

/// Returns the instructions between two moments, without the reads of the clock.
pub fn between(earlier: Moment, later: Moment) -> u32 {
    let (first, second) = (now(), now());
    instructions(earlier, later) - instructions(first, second)
}

fn instructions(Moment(earlier): Moment, Moment(later): Moment) -> u32 {
    let periods = u64::from(later.wrapping_sub(earlier));
    // There are fewer instructions than timer periods.
    ((periods * 1000 + PERIODS / 2) / PERIODS) as u32
}

/// Executes a thousand instructions: 499 iterations of two instructions, and two initial instructions.
#[inline(always)]
#[allow(unsafe_code)]
pub fn work() {
    // SAFETY: changes only a register and flags.
    unsafe {
        core::arch::asm!("mov {turns}, #500", "sub {turns}, {turns}, #1", "1: subs {turns}, {turns}, #1",
            "bne 1b", turns = out(reg) _, options(nomem, nostack));
    }
}

/// Counts a thousand instructions, to check the frequency of the clock.
pub fn thousand() -> u32 {
    let before = now();
    work();
    between(before, now())
}
