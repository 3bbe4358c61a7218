//! The procedures of a PMU.

use super::cycle_setting::CycleSetting;
use super::state::{Latched, Settings};
use crate::bus::BusError;

/// The procedures of one kind of PMU with `N` event counters.
///
/// [`Driver`](super::Driver) calls them in the order of a measurement. An implementation follows the
/// procedures of the manual and keeps no state of the measurement. Sets of counters are words: event
/// counter `n` is bit `n`, the cycle counter is [`Clock::BIT`](crate::driver::Clock::BIT).
pub trait Hardware<const N: usize> {
    /// Event that one event counter counts.
    type Selection: Copy + PartialEq;

    /// Setting of the cycle counter: [`Clock`](crate::driver::Clock), or `()` without one.
    type Cycles: CycleSetting;

    /// Whether a counter stops at 2^32 - 1 instead of wrapping.
    ///
    /// Such a counter needs no overflow flag: its value shows that it is full. It is in
    /// [`Stopped::overflowed`] and [`Acknowledged::overflowed`] then, and its count is
    /// [saturated](crate::count::CountError::Saturated). [`Hardware::flags`] is not called.
    const SATURATES: bool = false;

    /// Whether another party can take event counters away while they count, as a hypervisor can.
    ///
    /// An access to a counter that has been taken away is unpredictable. So
    /// [`Driver`](super::Driver) also calls [`readable`](Self::readable) before it reads event
    /// counters.
    const MAY_LOSE_COUNTERS: bool = false;

    /// Value of the control register, or of the bits that the procedures use.
    type Control: Copy;

    /// Writes the settings and start values, with the counters disabled.
    ///
    /// Disables the counters first, clears all overflow flags, and reads back the settings that the device may
    /// have rejected.
    fn program(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
    ) -> Programmed<Self::Control>;

    /// Reads the control register.
    fn control(&self) -> Self::Control;

    /// Reads the control register, to resume with the settings of the last start.
    ///
    /// Unlike [`control`](Self::control), the value also has the bits that each start sets.
    #[inline(always)]
    fn control_to_resume(&self) -> Self::Control {
        self.control()
    }

    /// Enables all counters that were programmed, by one write.
    ///
    /// Waits until the write has arrived. Returns whether the counters are [enabled](Self::is_enabled) then.
    fn enable(&mut self, control: Self::Control) -> bool;

    /// Whether the counters are enabled as a whole, and the device still answers.
    ///
    /// The method has to return `false` if all registers now read as zeros or as ones.
    fn is_enabled(&self) -> bool;

    /// Returns the counters whose values can be read: none if the counters are not [enabled](Self::is_enabled).
    ///
    /// [`Driver`](super::Driver) calls this after it read values of running counters. The values of the others are
    /// not valid. Hardware that [may lose counters](Self::MAY_LOSE_COUNTERS) leaves out absent counters.
    #[inline(always)]
    fn readable(&self) -> u32 {
        if self.is_enabled() { u32::MAX } else { 0 }
    }

    /// Disables all counters by one write and waits until they have stopped.
    ///
    /// Returns the value of the control register before the write.
    fn disable(&mut self) -> Self::Control;

    /// Whether this control register value enables the counters as a whole.
    fn enables(control: Self::Control) -> bool;

    /// Reads the stopped counters in use and clears their overflow flags.
    ///
    /// Clears a flag only if it is set. `before` is the control register from before the counters were
    /// disabled. After each value, a further read has to show that the device still answers:
    /// [`Stopped::is_stopped`].
    fn latch(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
        in_use: u32,
        before: Self::Control,
        latched: &mut Latched<N, Self::Cycles>,
    ) -> Stopped;

    /// Clears the set overflow flags of the counters `in_use`, while they count.
    ///
    /// Waits until the interrupt is deasserted.
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged;

    /// Selects the event counter for [`value`](Self::value), where a register does so.
    #[inline(always)]
    fn select(&self, _counter: usize) {}

    /// Reads overflow flags. Only the flag of `counter` needs to be right.
    fn flags(&self, counter: usize) -> u32;

    /// Reads the value of an event counter while it counts.
    fn value(&self, counter: usize) -> u32;

    /// Whether [`value`](Self::value) read this event counter and no other.
    ///
    /// Another party may have changed the selection in between.
    #[inline(always)]
    fn is_undisturbed(&self, _counter: usize) -> bool {
        true
    }

    /// Reads overflow flags. Only the flag of the cycle counter needs to be right.
    #[inline(always)]
    fn cycle_flags(&self) -> u32 {
        0
    }

    /// Reads the value of the cycle counter while it counts.
    #[inline(always)]
    fn cycle_value(&self) -> u32 {
        0
    }

    /// Restarts one counter in use at the value `from`, while the others count.
    ///
    /// Clears its overflow flag. `N` is the cycle counter. Returns the counters whose settings were changed, that
    /// rejected the value, or that missed events meanwhile.
    fn rearm(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32;

    /// Calls `visit` with the number of each event counter, in order.
    ///
    /// An implementation is a loop, or separate calls if indices that are known at compile time give better
    /// code.
    fn walk(visit: impl FnMut(usize));

    /// Returns the first error of the bus; `None` if every access succeeded.
    fn error(&self) -> Option<BusError>;
}

/// The result of [`Hardware::program`].
#[derive(Clone, Copy, Debug)]
pub struct Programmed<C> {
    /// Counters that are not off.
    pub in_use: u32,
    /// Counters in use that rejected their setting or start value.
    pub rejected: u32,
    /// Value for [`Hardware::enable`].
    pub control: C,
}

/// The result of [`Hardware::latch`].
#[derive(Clone, Copy, Debug)]
pub struct Stopped {
    /// Counters whose overflow flag was set.
    pub overflowed: u32,
    /// Counters whose settings were not as programmed.
    pub changed: u32,
    /// Whether the counters were stopped and the device answered until the end.
    pub is_stopped: bool,
}

/// The result of [`Hardware::acknowledge`].
#[derive(Clone, Copy, Debug)]
pub struct Acknowledged {
    /// Counters whose overflow flag was set.
    pub overflowed: u32,
    /// Counters that missed events meanwhile.
    pub disturbed: u32,
    /// Whether the counters are [enabled](Hardware::is_enabled).
    pub is_enabled: bool,
}
