//! What a PMU can do, one procedure at a time.

use super::state::{CycleSetting, Latched, Settings};
use crate::Fault;

/// The procedures of one kind of PMU with `N` event counters: what is written and read, and how.
///
/// [`Driver`](super::Driver) calls them in the order of a measurement. An implementation reads like the
/// procedures of the manual and keeps no state of the measurement. Sets of counters are words: event
/// counter `n` has bit `n`, the cycle counter [`Clock::BIT`](crate::Clock::BIT).
pub trait Hardware<const N: usize> {
    /// What one event counter counts.
    type Selection: Copy;

    /// The setting of the cycle counter beside the event counters; `()` if there is none.
    type Cycles: CycleSetting;

    /// What is written to enable the counters: what `program` found and set in the control register.
    type Control: Copy;

    /// Disables the counters, writes their settings and start values, clears all overflow flags, and
    /// reads back what the hardware may refuse.
    fn program(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
    ) -> Programmed<Self::Control>;

    /// The control register as it is: to resume with the settings of the last start.
    fn control(&self) -> Self::Control;

    /// Enables all counters that were programmed, by one write; returns whether the enable reads as set
    /// once that write has arrived.
    fn enable(&mut self, control: Self::Control) -> bool;

    /// Whether the counters are enabled as a whole.
    fn is_enabled(&self) -> bool;

    /// Disables all counters by one write and returns once they stand still. Returns the control register
    /// as it was before.
    fn disable(&mut self) -> Self::Control;

    /// Whether the counters were enabled as a whole under this control.
    fn was_enabled(control: Self::Control) -> bool;

    /// Reads the counters in use while they stand still. Returns those whose setting is not as programmed.
    fn latch(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
        before: Self::Control,
        latched: &mut Latched<N, Self::Cycles>,
    ) -> u32;

    /// The overflow flags of these counters that are up, cleared. Returns once the interrupts are gone.
    fn acknowledge(&mut self, in_use: u32) -> u32;

    /// Overflow flags, of which only that of event counter `counter` needs to be right.
    fn flags(&self, counter: usize) -> u32;

    /// The value of an event counter while it counts.
    fn value(&self, counter: usize) -> u32;

    /// Lets one event counter count from the value `from` on, while it counts.
    fn rearm(&mut self, counter: usize, from: u32);

    /// `[of(0), of(1), ..]`: the shape of a walk over all counters that suits the hardware.
    fn each<T>(of: impl FnMut(usize) -> T) -> [T; N];

    /// The first access that failed, if any did.
    fn error(&self) -> Option<Fault>;
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
