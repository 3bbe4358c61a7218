//! The trait of a PMU's procedures.

use super::cycle_setting::CycleSetting;
use super::state::{Kept, Latched, Settings};
use super::value::CounterValue;
use crate::bus::BusError;

/// Procedures of one kind of PMU with `N` event counters.
///
/// [`Driver`](super::Driver) calls the procedures in the order that a measurement needs. An
/// implementation follows the procedures of the manual and keeps no state of the measurement. A set
/// of counters is a word: bit `n` is event counter `n`, and
/// [`Clock::BIT`](crate::driver::Clock::BIT) is the cycle counter.
pub trait Hardware<const N: usize> {
    /// Type that selects the event of an event counter.
    type Selection: Copy + PartialEq;

    /// Settings of the cycle counter: [`Clock`](crate::driver::Clock), or `()` without one.
    type Cycles: CycleSetting;

    /// Value of a counter: `u32`, or `u64` if a counter has more than 32 bits.
    type Value: CounterValue;

    /// Whether counters stop at 2^32 - 1 instead of wrapping.
    ///
    /// A saturating counter needs no overflow flag, because its value shows that it is full. A full
    /// counter is in [`Stopped::overflowed`] and [`Acknowledged::overflowed`], and its count is
    /// [saturated](crate::count::CountError::Saturated). For saturating counters, the driver does
    /// not call [`Hardware::flags`].
    const SATURATES: bool = false;

    /// Whether another party, such as a hypervisor, can remove event counters while they count.
    ///
    /// The effect of an access to a removed counter is unpredictable. If counters can be removed,
    /// [`Driver`](super::Driver) also calls [`readable`](Self::readable) before it reads event counters.
    const MAY_LOSE_COUNTERS: bool = false;

    /// Whether [`walk`](Self::walk) visits the first six counters without a loop.
    ///
    /// Constant counter numbers compile to better code if the counter number is part of an instruction.
    const UNROLLED: bool = false;

    /// Value of the control register, or of its bits that the procedures use.
    type Control: Copy;

    /// Writes settings and start values while the counters are disabled.
    ///
    /// The procedure first disables the counters and clears all overflow flags; at the end, it reads back the
    /// settings that the device may have rejected.
    fn program(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
    ) -> Programmed<Self::Control>;

    /// Writes the start values, and the settings that are not [`Kept`] from the last start.
    ///
    /// The call follows a stop, so the counters are disabled, and the flags of counters in use are cleared. The next
    /// stop also checks the settings that were not written.
    #[inline(always)]
    fn reprogram(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
        _: Kept,
    ) -> Programmed<Self::Control> {
        self.program(settings)
    }

    /// Reads the control register.
    fn control(&self) -> Self::Control;

    /// Reads the control register and returns the value that a resume writes.
    ///
    /// The result has all bits that every start sets, even if the value of [`control`](Self::control) lacks them.
    #[inline(always)]
    fn control_to_resume(&self) -> Self::Control {
        self.control()
    }

    /// Enables all programmed counters with one write.
    ///
    /// The procedure waits until the write has arrived. Returns whether the counters are
    /// [enabled](Self::is_enabled) after the write.
    fn enable(&mut self, control: Self::Control) -> bool;

    /// Returns whether the PMU is enabled and still answers.
    ///
    /// The result must be `false` if all registers read as zeros or as ones.
    fn is_enabled(&self) -> bool;

    /// Returns the counters with valid values: none if the PMU is not [enabled](Self::is_enabled).
    ///
    /// [`Driver`](super::Driver) calls this after reading the values of running counters. Values of the other
    /// counters are invalid. Hardware that [may lose counters](Self::MAY_LOSE_COUNTERS) leaves the lost counters out of
    /// the result.
    #[inline(always)]
    fn readable(&self) -> u32 {
        if self.is_enabled() { u32::MAX } else { 0 }
    }

    /// Disables all counters with one write and waits until they have stopped.
    ///
    /// Returns the value of the control register before the write.
    fn disable(&mut self) -> Self::Control;

    /// Returns whether this value of the control register enables the PMU.
    fn enables(control: Self::Control) -> bool;

    /// Reads the stopped counters in use and clears their overflow flags.
    ///
    /// Only flags that are set are cleared. `before` is the value of the control register before the counters were
    /// disabled. After the procedure has read the values, a further read checks that the device still answers:
    /// [`Stopped::is_stopped`].
    fn latch(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
        in_use: u32,
        before: Self::Control,
        latched: &mut Latched<N, Self::Cycles, Self::Value>,
    ) -> Stopped;

    /// Clears the overflow flags of the counters `in_use` while they count.
    ///
    /// The procedure waits until the interrupt is deasserted.
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged;

    /// Selects the event counter for [`value`](Self::value), on a PMU with a selector.
    #[inline(always)]
    fn select(&self, _counter: usize) {}

    /// Reads overflow flags. Only the flag of `counter` has to be correct.
    fn flags(&self, counter: usize) -> u32;

    /// Reads the value of a running event counter.
    fn value(&self, counter: usize) -> Self::Value;

    /// Returns whether the upper half of an event counter's value is the number of wraps at 2^32 since the start.
    ///
    /// Only the first wrap of such a counter sets its overflow flag. Its count stays exact.
    #[inline(always)]
    fn counts_wraps(&self) -> bool {
        false
    }

    /// Returns whether [`value`](Self::value) read this event counter and not another event counter.
    ///
    /// Other software may have changed the selector in between.
    #[inline(always)]
    fn is_undisturbed(&self, _counter: usize) -> bool {
        true
    }

    /// Reads overflow flags. Only the flag of the cycle counter has to be correct.
    #[inline(always)]
    fn cycle_flags(&self) -> u32 {
        0
    }

    /// Reads the value of the running cycle counter.
    #[inline(always)]
    fn cycle_value(&self) -> Self::Value {
        Self::Value::ZERO
    }

    /// Restarts one counter in use at the value `from`, while the PMU counts.
    ///
    /// The procedure clears the overflow flag of the counter. Number `N` is the cycle counter. Returns the
    /// counters that were changed, rejected the value, or missed events during the call.
    fn rearm(
        &mut self,
        settings: &Settings<Self::Selection, N, Self::Cycles>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32;

    /// Calls `visit` with each event counter number, in order.
    #[inline(always)]
    fn walk(mut visit: impl FnMut(usize)) {
        if !Self::UNROLLED {
            return (0..N).for_each(visit);
        }
        if N > 0 {
            visit(0);
        }
        if N > 1 {
            visit(1);
        }
        if N > 2 {
            visit(2);
        }
        if N > 3 {
            visit(3);
        }
        if N > 4 {
            visit(4);
        }
        if N > 5 {
            visit(5);
        }
        (6..N).for_each(visit);
    }

    /// Returns the first bus error; `None` if every access succeeded.
    fn error(&self) -> Option<BusError>;
}

/// Result of [`Hardware::program`].
#[derive(Clone, Copy, Debug)]
pub struct Programmed<C> {
    /// Counters that are on.
    pub in_use: u32,
    /// Counters in use that rejected their setting or start value.
    pub rejected: u32,
    /// Value for [`Hardware::enable`].
    pub control: C,
}

/// Result of [`Hardware::latch`].
#[derive(Clone, Copy, Debug)]
pub struct Stopped {
    /// Counters whose overflow flags were set.
    pub overflowed: u32,
    /// Counters whose settings were not as programmed.
    pub changed: u32,
    /// Whether the PMU was stopped and still answered at the end.
    pub is_stopped: bool,
}

/// Result of [`Hardware::acknowledge`].
#[derive(Clone, Copy, Debug)]
pub struct Acknowledged {
    /// Counters whose overflow flags were set.
    pub overflowed: u32,
    /// Counters that missed events during the call.
    pub disturbed: u32,
    /// Whether the PMU is still [enabled](Hardware::is_enabled).
    pub is_enabled: bool,
}
