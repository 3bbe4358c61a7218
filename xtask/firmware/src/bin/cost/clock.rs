//! The exact number of instructions of a piece of code.
//!
//! The measured PMU cannot measure itself: each start stops it first. So a timer of the board takes
//! the time. QEMU runs with `-icount shift=10`: each instruction takes 1024 ns of the machine's
//! time, which are many periods of that counter. A difference of two readings is less than one
//! period off, so dividing and rounding gives the number of instructions, with no doubt left.

pub use crate::product::thousand_instructions as work;
use crate::product::{PERIODS, time};

/// A point in time.
#[derive(Clone, Copy)]
pub struct Moment(u32);

/// Now. Not inlined, so that its number of instructions is constant.
#[inline(never)]
pub fn now() -> Moment {
    Moment(time())
}

/// The instructions between two moments, without the clock reads.
pub fn between(earlier: Moment, later: Moment) -> u32 {
    let (first, second) = (now(), now());
    instructions(earlier, later) - instructions(first, second)
}

fn instructions(Moment(earlier): Moment, Moment(later): Moment) -> u32 {
    let periods = u64::from(later.wrapping_sub(earlier));
    // There are fewer instructions than periods.
    ((periods * 1000 + PERIODS / 2) / PERIODS) as u32
}

/// Counts a thousand instructions, to check the frequency of the clock.
pub fn thousand() -> u32 {
    let before = now();
    work();
    between(before, now())
}
