//! Configuration of the cycle counter of a stopped PMU.

use core::num::NonZeroU32;

use arm_pmu_core::driver::{self, Divider};

/// The cycle counter of a stopped PMU: turns it on or off, and sets its start value.
///
/// The `cycle_counter` method of a `Pmu` returns it. Settings apply from the next start on.
///
/// The cycle counter counts every cycle. The divider by 64 of this PMU has an effect only on a counter of 32
/// bits, which Arm deprecates.
#[derive(Debug)]
#[must_use = "the cycle counter is not set until one of its methods is called"]
pub struct Cycles<'p> {
    setting: driver::Cycles<'p>,
}

impl<'p> From<driver::Cycles<'p>> for Cycles<'p> {
    #[inline(always)]
    fn from(setting: driver::Cycles<'p>) -> Self {
        Self { setting }
    }
}

impl Cycles<'_> {
    /// Sets the counter to count cycles from zero.
    pub fn count(self) {
        self.setting.count(Divider::By1);
    }

    /// Sets the counter to count cycles, with the start value `from`.
    pub fn count_from(self, from: u32) {
        self.setting.count_from(Divider::By1, from);
    }

    /// Sets the counter to count cycles and to overflow after this many.
    ///
    /// This is [`count_from`](Self::count_from) with the start value 2^32 - `cycles`.
    pub fn overflow_after(self, cycles: NonZeroU32) {
        self.setting.overflow_after(Divider::By1, cycles);
    }

    /// Turns the counter off.
    pub fn off(self) {
        self.setting.off();
    }
}
