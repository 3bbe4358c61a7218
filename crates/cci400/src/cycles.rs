//! The cycle counter, while the PMU is stopped.

use core::num::NonZeroU32;

use arm_pmu_core::Counter;

/// How many clock cycles add one to the cycle counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Divider {
    /// Each cycle counts: 2^32 cycles until the counter overflows.
    #[default]
    By1,
    /// Every 64th cycle counts: 2^38 cycles until the counter overflows. When the first of them comes
    /// is not documented, so a count may be off by one.
    By64,
}

impl Divider {
    /// 1 or 64.
    #[must_use]
    pub const fn cycles(self) -> u32 {
        match self {
            Self::By1 => 1,
            Self::By64 => 64,
        }
    }
}

/// The cycle counter, to say whether and how it counts. Made by
/// [`Pmu::cycle_counter`](crate::Pmu::cycle_counter).
#[derive(Debug)]
#[must_use = "the cycle counter is not set until one of its methods is called"]
pub struct Cycles<'p> {
    pub(crate) counter: Counter<'p, ()>,
    pub(crate) divider: &'p mut Divider,
}

impl Cycles<'_> {
    /// Counts cycles from the next start on.
    pub fn count(self, divider: Divider) {
        self.count_from(divider, 0);
    }

    /// Counts cycles from the next start on, and starts at `from` in place of 0.
    pub fn count_from(self, divider: Divider, from: u32) {
        *self.divider = divider;
        self.counter.count_from((), from);
    }

    /// Counts cycles from the next start on, so that the counter overflows when it counted `counts`
    /// times: a time limit. The same as [`count_from`](Self::count_from) 2^32 - `counts`.
    pub fn overflow_after(self, divider: Divider, counts: NonZeroU32) {
        self.count_from(divider, counts.get().wrapping_neg());
    }

    /// Does not count from the next start on.
    pub fn off(self) {
        self.counter.off();
    }
}
