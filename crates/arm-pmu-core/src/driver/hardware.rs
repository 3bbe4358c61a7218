//! What a PMU can do, one procedure at a time.

use super::cycle_setting::CycleSetting;
use super::state::{Latched, Settings};
use crate::bus::BusError;

/// The procedures of one kind of PMU with `N` event counters: what is written and read, and how.
///
/// [`Driver`](super::Driver) calls them in the order of a measurement. An implementation reads like the
/// procedures of the manual and keeps no state of the measurement. Sets of counters are words: event
/// counter `n` has bit `n`, the cycle counter [`Clock::BIT`](crate::driver::Clock::BIT).
pub trait Hardware<const N: usize> {
    /// What one event counter counts.
    type Selection: Copy + PartialEq;

    /// The setting of the cycle counter: [`Clock`](crate::driver::Clock), or `()` if there is none.
    type Cycles: CycleSetting;

    /// The control register, as far as [`enable`](Self::enable) writes and [`latch`](Self::latch) compares it.
    type Control: Copy;

    /// Disables the counters, writes their settings and start values, clears all overflow flags, and
    /// reads back what the device may not have taken.
    fn program(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
    ) -> Programmed<Self::Control>;

    /// The control as it is in the device: to resume with the settings of the last start.
    fn control(&self) -> Self::Control;

    /// Enables all counters that were programmed, by one write, and returns once that has arrived.
    /// Returns whether the counters are [enabled](Self::is_enabled) then.
    fn enable(&mut self, control: Self::Control) -> bool;

    /// Whether the counters are enabled as a whole, and the device answers as it should.
    ///
    /// [`Driver`](super::Driver) asks after values of running counters were read: if the registers turned to
    /// zeros or ones before, the values mean nothing.
    fn is_enabled(&self) -> bool;

    /// Disables all counters by one write and returns once they stand still. Returns the control as it was
    /// before.
    fn disable(&mut self) -> Self::Control;

    /// Whether the counters are enabled as a whole by this control.
    fn enables(control: Self::Control) -> bool;

    /// Reads the counters in use, which stand still, and clears those of their overflow flags that are
    /// up. Returns what [`is_enabled`](Self::is_enabled) is for running counters: each value is followed by
    /// a read that shows whether the device still answers.
    fn latch(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
        in_use: u32,
        before: Self::Control,
        latched: &mut Latched<N, Self::Cycles>,
    ) -> Stopped;

    /// Clears those overflow flags of these counters that are up, while they count, and returns once the
    /// interrupts are gone.
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged;

    /// Makes [`value`](Self::value) read this event counter, where a register selects it.
    #[inline(always)]
    fn select(&self, _counter: usize) {}

    /// Overflow flags, of which only that of event counter `counter` needs to be right.
    fn flags(&self, counter: usize) -> u32;

    /// The value of an event counter while it counts.
    fn value(&self, counter: usize) -> u32;

    /// Whether [`value`](Self::value) read this event counter and no other.
    #[inline(always)]
    fn is_undisturbed(&self, _counter: usize) -> bool {
        true
    }

    /// Overflow flags, of which only that of the cycle counter needs to be right.
    #[inline(always)]
    fn cycle_flags(&self) -> u32 {
        0
    }

    /// The value of the cycle counter while it counts.
    #[inline(always)]
    fn cycle_value(&self) -> u32 {
        0
    }

    /// Lets one counter in use count from the value `from` on, while the others count, and clears its
    /// overflow flag: event counters by number, then the cycle counter. Returns the counters that were not
    /// as programmed, did not take it, or missed events meanwhile.
    fn rearm(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32;

    /// Calls `visit` with the number of each event counter, in order: in a loop, or one by one where an index
    /// that is known at compile time makes better code.
    fn walk(visit: impl FnMut(usize));

    /// The first access that failed, if any did.
    fn error(&self) -> Option<BusError>;
}

/// What [`Hardware::program`] did.
#[derive(Clone, Copy, Debug)]
pub struct Programmed<C> {
    /// The counters that count something.
    pub in_use: u32,
    /// The counters among them that did not take their setting or start value.
    pub rejected: u32,
    /// What [`Hardware::enable`] is to write.
    pub control: C,
}

/// What [`Hardware::latch`] found.
#[derive(Clone, Copy, Debug)]
pub struct Stopped {
    /// The counters whose overflow flag was up.
    pub overflowed: u32,
    /// The counters that were not as programmed.
    pub changed: u32,
    /// Whether the counters stood still and the device answered to the end.
    pub is_stopped: bool,
}

/// What [`Hardware::acknowledge`] did.
#[derive(Clone, Copy, Debug)]
pub struct Acknowledged {
    /// The counters whose overflow flag was up.
    pub overflowed: u32,
    /// The counters that missed events meanwhile.
    pub disturbed: u32,
    /// Whether the counters are [enabled](Hardware::is_enabled).
    pub is_enabled: bool,
}
