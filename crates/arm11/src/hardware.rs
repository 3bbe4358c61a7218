//! Procedures of the driver: its register accesses, their order, and the reasons.

use core::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, Clock, CounterConfig, Divider, Latched, Programmed, Settings, Stopped,
};

use crate::core_type::Action;
use crate::{COUNTERS, Core, Space};

/// Bits of all counters: the event counters and the cycle counter.
const ALL_COUNTERS: u32 = ((1 << COUNTERS) - 1) | Clock::BIT;

/// Number of register accesses between the first and the last value in a read of all counters.
///
/// See [`Driver::read`](driver::Driver::read).
pub(crate) const SKEW: u32 = 9;

/// The PMU of a core on a bus, with its interrupt settings.
pub(crate) struct Hardware<C, B> {
    pub(crate) bus: B,
    /// Counters that assert the interrupt after the next start.
    pub(crate) interrupts: u32,
    /// Counters that assert the fast interrupt after the next start (ARM1156).
    pub(crate) fast: u32,
    /// Last programmed value of the control register, without flags and action bits.
    programmed: u32,
    /// Counters, used or not, whose settings had changed at the last stop.
    changed: u32,
    core: PhantomData<C>,
}

impl<C, B> Hardware<C, B> {
    #[inline(always)]
    pub(crate) const fn new(bus: B) -> Self {
        Self { bus, interrupts: 0, fast: 0, programmed: 0, changed: 0, core: PhantomData }
    }
}

impl<C: Core, B: Bus<Space = Space>> driver::Hardware<COUNTERS> for Hardware<C, B> {
    type Selection = C::Selection;
    type Cycles = Clock;
    type Value = u32;
    const UNROLLED: bool = true;
    /// Actions that a write to the control register triggers.
    type Control = Action;

    /// A write is certain to clear a flag only if E is 1 before and after the write. Therefore flags of an earlier
    /// owner are cleared first, with the interrupts off, and the counters are set after that.
    #[inline(always)]
    fn program(
        &mut self,
        settings: &Settings<C::Selection, COUNTERS, Clock>,
    ) -> Programmed<Action> {
        let clock = &settings.cycles;
        let by_64 = clock.divider == Divider::By64;
        let flags = self.clear_all_flags(by_64);
        let mut in_use = if clock.on { Clock::BIT } else { 0 };
        // Written without a loop, because there are only two counters.
        let [first, second] = &settings.counters;
        let mut event = |config: &CounterConfig<C::Selection>, bit| match config.selection {
            Some(selection) => {
                in_use |= bit;
                C::number(selection)
            }
            None => C::number(C::IDLE),
        };
        let events = [event(first, 1), event(second, 2)];
        self.programmed = C::setting(events, by_64, self.interrupts & in_use, self.fast & in_use);
        self.changed = 0;
        C::program(&self.bus, self.programmed, Action::enable(false));
        // If E stayed set, the read after the enable would not confirm that the counters were reset.
        let is_disabled = !C::enabled(C::state(&self.bus));
        // Only counters whose start value is not zero are written; the enable resets the other
        // counters.
        let mut control = Action { enable: true, reset_events: true, reset_cycles: true, clear: 0 };
        let mut rejected = if is_disabled { flags & in_use } else { in_use };
        // Both event counters share one reset bit.
        if first.from | second.from != 0 {
            control.reset_events = false;
            C::set_count(&self.bus, 0, first.from);
            C::set_count(&self.bus, 1, second.from);
            self.bus.synchronize();
            let held = C::counts(&self.bus);
            rejected |= u32::from(held[0] != first.from) | u32::from(held[1] != second.from) << 1;
        }
        if clock.from != 0 {
            control.reset_cycles = false;
            C::set_count(&self.bus, COUNTERS, clock.from);
            self.bus.synchronize();
            if C::cycles(&self.bus) != clock.from {
                rejected |= Clock::BIT;
            }
        }
        Programmed { in_use, rejected, control }
    }

    #[inline(always)]
    fn control(&self) -> Action {
        Action::enable(true)
    }

    /// Also compares the settings, because the core may have ignored the writes by which the run was started, or may
    /// have lost power since the stop.
    #[inline(always)]
    fn enable(&mut self, control: Action) -> bool {
        C::act(&self.bus, control);
        let state = C::state(&self.bus);
        self.bus.synchronize();
        is_enabled::<C>(state) & self.is_programmed(state)
    }

    #[inline(always)]
    fn is_enabled(&self) -> bool {
        is_enabled::<C>(C::state(&self.bus))
    }

    #[inline(always)]
    fn disable(&mut self) -> Action {
        self.bus.synchronize();
        let before = Action::enable(self.is_enabled());
        C::act(&self.bus, Action::enable(false));
        self.bus.synchronize();
        before
    }

    #[inline(always)]
    fn enables(control: Action) -> bool {
        control.enable
    }

    /// Reads the control register last, including the flags, and compares it with the programmed
    /// value. If all registers have started to read as zeros or ones, this check fails. If the
    /// programmed value is zero, registers that read as zero cannot be detected.
    #[inline(always)]
    fn latch(
        &mut self,
        settings: &Settings<C::Selection, COUNTERS, Clock>,
        in_use: u32,
        _: Action,
        latched: &mut Latched<COUNTERS, Clock>,
    ) -> Stopped {
        (latched.values, latched.cycles) = (C::counts(&self.bus), C::cycles(&self.bus));
        let after = C::state(&self.bus);
        let flags = C::flags(after);
        self.changed = C::changed(after, self.programmed);
        let mut is_stopped = self.is_stopped(after);
        if flags != 0 {
            let by_64 = settings.cycles.divider == Divider::By64;
            is_stopped &= self.acknowledge_disabled(by_64, true, latched.values, latched.cycles);
        }
        Stopped { overflowed: flags & in_use, changed: self.changed & in_use, is_stopped }
    }

    /// A flag that cannot be cleared would look like a new overflow at every call, so its counter
    /// is disturbed.
    ///
    /// Clearing a flag sets E, and then a stop could no longer see that other software had cleared E. Therefore E is
    /// read first.
    #[inline(always)]
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        let (overflowed, is_enabled) = self.clear_flags(in_use);
        let mut disturbed = 0;
        if overflowed != 0 {
            self.bus.synchronize();
            disturbed = overflowed & C::flags(C::state(&self.bus));
        }
        Acknowledged { overflowed, disturbed, is_enabled }
    }

    #[inline(always)]
    fn flags(&self, _: usize) -> u32 {
        C::flags(C::state(&self.bus))
    }

    #[inline(always)]
    fn value(&self, counter: usize) -> u32 {
        C::counts(&self.bus).get(counter).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn cycle_flags(&self) -> u32 {
        C::flags(C::state(&self.bus))
    }

    #[inline(always)]
    fn cycle_value(&self) -> u32 {
        C::cycles(&self.bus)
    }

    /// A count may be written at any time. The driver first writes zero, so that the counter does not overflow soon. A
    /// set flag then belongs to earlier events. A flag set after the last write belongs to the new budget if the
    /// counter has wrapped; otherwise the counter is disturbed.
    ///
    /// Then the driver writes a test value, and last the start value. The counter continues to count, so a value read
    /// back may be up to 2^30 events above the written value. The test value is far from the start value and from an
    /// overflow, so a counter that ignores writes fails one of the two checks.
    fn rearm(
        &mut self,
        _: &Settings<C::Selection, COUNTERS, Clock>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let bit = if counter == COUNTERS { Clock::BIT } else { 1 << counter };
        self.write_count(counter, 0);
        let Acknowledged { mut disturbed, is_enabled, .. } =
            driver::Hardware::acknowledge(self, bit);
        let other = from.wrapping_add(1 << 31) & !(1 << 30);
        self.write_count(counter, other);
        let took_other = self.held_count(counter).wrapping_sub(other) < 1 << 30;
        self.write_count(counter, from);
        let has_wrapped = C::flags(C::state(&self.bus)) & bit != 0;
        let held = self.held_count(counter);
        if !took_other | (held.wrapping_sub(from) >= 1 << 30) | (has_wrapped & (held >= from)) {
            disturbed |= bit;
        }
        disturbed | if is_enabled & self.is_enabled() { 0 } else { in_use }
    }

    #[inline(always)]
    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<C: Core, B: Bus<Space = Space>> Hardware<C, B> {
    /// Clears the flags of all counters, used or not, and returns the flags still set.
    ///
    /// The call leaves the counters disabled, idle, without interrupts and at arbitrary values. A
    /// flag stays set if other software disables the counters meanwhile.
    fn clear_all_flags(&self, by_64: bool) -> u32 {
        let idle = C::setting([C::number(C::IDLE); COUNTERS], by_64, 0, 0);
        // The counters run from zero, so no counter overflows meanwhile.
        let action =
            Action { enable: true, reset_events: true, reset_cycles: true, clear: ALL_COUNTERS };
        C::program(&self.bus, idle, action);
        if C::flags(C::state(&self.bus)) != 0 {
            // E was 0 before the first write, so that write may have cleared no flag.
            C::act(&self.bus, action);
        }
        let state = C::state(&self.bus);
        C::act_from(&self.bus, state, Action::enable(false));
        C::flags(state)
    }

    /// Clears all flags of disabled counters, which deasserts the interrupts.
    ///
    /// Afterwards the counters hold `values` and `cycles`. If the PMU was started before, the counters also have the
    /// programmed settings. Reads the registers back, with the control register last, and returns whether they match.
    #[must_use]
    fn acknowledge_disabled(
        &self,
        by_64: bool,
        has_started: bool,
        values: [u32; COUNTERS],
        cycles: u32,
    ) -> bool {
        self.clear_all_flags(by_64);
        if has_started {
            C::program(&self.bus, self.programmed, Action::enable(false));
        }
        self.write_all(values, cycles);
        self.bus.synchronize();
        let holds = (C::counts(&self.bus) == values) & (C::cycles(&self.bus) == cycles);
        let state = C::state(&self.bus);
        holds & self.is_stopped(state) & self.is_programmed(state)
    }

    /// Returns whether this value of the control register has the programmed settings, apart from
    /// changes that were found at the last stop.
    ///
    /// The comparison includes idle counters, because their settings differ after a loss of power
    /// even if the counters in use read as zero.
    #[inline(always)]
    fn is_programmed(&self, state: u32) -> bool {
        C::changed(state, self.programmed) & !self.changed == 0
    }

    /// Returns whether the core answered, and the counters are disabled in this value of the control register.
    fn is_stopped(&self, state: u32) -> bool {
        let is_silent = state == 0 && self.programmed != 0;
        !C::enabled(state) & !is_silent
    }

    /// Clears the overflow flags of all counters, used or not.
    ///
    /// Afterwards the counters are disabled and hold their former values. Returns whether the registers confirm this
    /// state, and had kept the programmed settings before the call.
    #[must_use]
    pub(crate) fn acknowledge_all(&mut self, by_64: bool, has_started: bool) -> bool {
        let (values, cycles) = (C::counts(&self.bus), C::cycles(&self.bus));
        let was_programmed = self.is_programmed(C::state(&self.bus));
        self.acknowledge_disabled(by_64, has_started, values, cycles) & was_programmed
    }

    /// Writes all counters.
    #[inline(always)]
    pub(crate) fn write_all(&self, [first, second]: [u32; COUNTERS], cycles: u32) {
        C::set_count(&self.bus, 0, first);
        C::set_count(&self.bus, 1, second);
        C::set_count(&self.bus, COUNTERS, cycles);
    }

    /// Writes a counter. The number of the cycle counter is `COUNTERS`.
    fn write_count(&self, counter: usize, value: u32) {
        C::set_count(&self.bus, counter, value);
        self.bus.synchronize();
    }

    /// Reads a counter. The number of the cycle counter is `COUNTERS`.
    fn held_count(&self, counter: usize) -> u32 {
        match counter {
            COUNTERS => C::cycles(&self.bus),
            counter => driver::Hardware::value(self, counter),
        }
    }

    /// Clears the set flags of these counters. Returns these flags, and whether the counters were running.
    fn clear_flags(&self, counters: u32) -> (u32, bool) {
        let state = C::state(&self.bus);
        let up = C::flags(state) & counters;
        if up != 0 {
            let action = Action { clear: up, ..Action::enable(true) };
            C::act_from(&self.bus, state, action);
            if !C::enabled(state) {
                // Other software had disabled the counters. That write may have cleared no flag, because E was 0 before
                // it. The counters are disabled again afterwards.
                C::act(&self.bus, action);
                C::act(&self.bus, Action::enable(false));
            }
        }
        (up, is_enabled::<C>(state))
    }
}

/// Returns whether this value of the control register enables the counters.
///
/// All ones is not a valid value of the control register, because all flags would be set.
#[inline(always)]
fn is_enabled<C: Core>(state: u32) -> bool {
    C::enabled(state) & (state != u32::MAX)
}
