//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Clock, Count, Cp15, Divider, Inexact, Slot};

use crate::core_type::Action;
use crate::{COUNTERS, Core, Pmu};

/// The event counters and the cycle counter.
const ALL_COUNTERS: u32 = ((1 << COUNTERS) - 1) | Clock::BIT;

impl<C: Core, B: Bus<Space = Cp15>> Pmu<C, B> {
    /// Starts counting.
    ///
    /// Flags can be cleared for certain only while E is 1, before and after the write. So what an
    /// earlier owner left is cleared first, with the interrupts off, and the counters are set after
    /// that.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.ledger.events.begin();
        self.clear_flags();
        let in_use = self.program();
        let (wrong, action) = self.preset();
        C::act(&self.bus, action);
        self.ledger.events.told(in_use, wrong);
        self.check_enabled();
    }

    /// Says what is counted. Gives the counters that do count something.
    #[inline(always)]
    fn program(&mut self) -> u32 {
        let clock = self.ledger.clock();
        let mut in_use = if clock.on { Clock::BIT } else { 0 };
        // One by one: there are two only.
        let [first, second] = self.ledger.events.slots();
        let mut event = |slot: &Slot<C::Selection>, bit| match slot.selection {
            Some(selection) => {
                in_use |= bit;
                C::number(selection)
            }
            None => C::number(C::IDLE),
        };
        let events = [event(first, 1), event(second, 2)];
        let by_64 = clock.divider == Divider::By64;
        self.programmed = C::setting(events, by_64, self.interrupts & in_use, self.fast & in_use);
        C::program(&self.bus, self.programmed, Action::enable(false));
        in_use
    }

    /// Clears all flags, whoever left them, and leaves the counters off, idle, without interrupts and
    /// anywhere.
    fn clear_flags(&self) {
        let by_64 = self.ledger.clock().divider == Divider::By64;
        let idle = C::setting([C::number(C::IDLE); COUNTERS], by_64, 0, 0);
        // From zero, so that none overflows meanwhile.
        let action =
            Action { enable: true, reset_events: true, reset_cycles: true, clear: ALL_COUNTERS };
        C::program(&self.bus, idle, action);
        if C::flags(C::state(&self.bus)) != 0 {
            // E was 0 before that write.
            C::act(&self.bus, action);
        }
        C::act(&self.bus, Action::enable(false));
    }

    /// Sets the counters that do not start from zero. Gives the ones that did not take it, and how to
    /// start: with a reset of the others.
    #[inline(always)]
    fn preset(&self) -> (u32, Action) {
        let mut start = Action { enable: true, reset_events: true, reset_cycles: true, clear: 0 };
        let mut wrong = 0;
        let [first, second] = self.ledger.events.slots();
        // One reset is that of both.
        if first.from | second.from != 0 {
            start.reset_events = false;
            C::set_counts(&self.bus, [first.from, second.from]);
            self.bus.synchronize();
            let held = C::counts(&self.bus);
            wrong |= u32::from(held[0] != first.from) | u32::from(held[1] != second.from) << 1;
        }
        let from = self.ledger.clock().from;
        if from != 0 {
            start.reset_cycles = false;
            C::set_cycles(&self.bus, from);
            self.bus.synchronize();
            if C::cycles(&self.bus) != from {
                wrong |= Clock::BIT;
            }
        }
        (wrong, start)
    }

    /// Lets the counters run, and waits until they do.
    #[inline]
    pub(crate) fn enable(&mut self) {
        C::act(&self.bus, Action::enable(true));
        self.check_enabled();
    }

    #[inline(always)]
    fn check_enabled(&mut self) {
        let enabled = self.enabled();
        self.bus.synchronize();
        self.ledger.events.add_loss(0, !enabled);
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    ///
    /// What was set is compared with the control register as it is read last, with the flags: it would
    /// not be as set if the registers had turned to zeros or ones before. If all that was set is zero,
    /// that cannot be told from registers that read as zero.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let enabled = self.enabled();
        C::act(&self.bus, Action::enable(false));
        self.bus.synchronize();
        let (counts, cycles) = (C::counts(&self.bus), C::cycles(&self.bus));
        let after = C::state(&self.bus);
        let flags = C::flags(after);
        if flags != 0 {
            self.acknowledge_stopped(counts, cycles);
        }
        let in_use = self.ledger.events.in_use();
        let changed = C::changed(after, self.programmed) & in_use;
        // None of what was set is left.
        let silent = after == 0 && self.programmed != 0;
        let undisturbed = enabled & !C::enabled(after) & !silent;
        self.ledger.events.add_loss(changed, !undisturbed);
        self.ledger.events.add_overflows(flags & in_use);
        self.ledger.events.hold(|number, _| counts[number]);
        self.ledger.hold_cycles(cycles);
        self.ledger.events.settle(self.bus.fault().is_some());
    }

    /// Whether the counters run. A register that reads as ones is not the control register: all flags
    /// would be up.
    #[inline(always)]
    fn enabled(&self) -> bool {
        let state = C::state(&self.bus);
        C::enabled(state) & (state != u32::MAX)
    }

    /// Clears all flags, and with them the interrupts, of counters that stand still at these values,
    /// and leaves them there.
    fn acknowledge_stopped(&self, counts: [u32; COUNTERS], cycles: u32) {
        self.clear_flags();
        if self.ledger.events.started() {
            C::program(&self.bus, self.programmed, Action::enable(false));
        }
        C::set_counts(&self.bus, counts);
        C::set_cycles(&self.bus, cycles);
        self.bus.synchronize();
    }

    /// Clears the overflow flags of all counters, and with them the interrupts, whoever left them: for
    /// a handler that is called while nothing counts. The counters are off then, and hold what they
    /// held.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too.
    pub fn acknowledge_all(&mut self) {
        let (counts, cycles) = (C::counts(&self.bus), C::cycles(&self.bus));
        self.acknowledge_stopped(counts, cycles);
    }

    /// What the event counters hold while they count. The control register is read after them, for both.
    #[inline]
    pub(crate) fn running_events(&self) -> [Count; COUNTERS] {
        let doubts = self.ledger.events.doubts(true);
        let mut counts = [Count::NOTHING; COUNTERS];
        let slots = self.ledger.events.slots().iter();
        for (number, (slot, count)) in slots.zip(&mut counts).enumerate() {
            if let Slot { selection: Some(_), from, .. } = *slot {
                let flags = || C::flags(C::state(&self.bus));
                let value = || C::counts(&self.bus).get(number).copied().unwrap_or(0);
                let fault = || self.bus.fault().is_some();
                *count = doubts.read(number, from, flags, value, fault);
            }
        }
        self.confirm(&mut counts);
        counts
    }

    /// What the cycle counter holds while it counts.
    #[inline]
    pub(crate) fn running_cycles(&self) -> Count {
        if !self.ledger.counts_cycles() {
            return Count::NOTHING;
        }
        let doubts = self.ledger.events.doubts(true);
        let flags = || C::flags(C::state(&self.bus));
        let (value, fault) = (|| C::cycles(&self.bus), || self.bus.fault().is_some());
        let mut count = doubts.read(Clock::NUMBER, self.ledger.clock().from, flags, value, fault);
        self.confirm(core::slice::from_mut(&mut count));
        count
    }

    /// Finds out whether the counters that were just read were running then.
    #[inline(always)]
    fn confirm(&self, counts: &mut [Count]) {
        if self.enabled() {
            return;
        }
        let why = if self.bus.fault().is_some() { Inexact::Fault } else { Inexact::Lost };
        for count in counts {
            if *count != Count::NOTHING {
                *count = Count::doubtful(count.wrapped(), why);
            }
        }
    }

    /// Lets one counter count from another value on, while it counts. A count may be written at any time.
    ///
    /// From zero a counter does not overflow for long: a flag that is up then is that of the events
    /// before, and one that comes up after the second write is not.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.restart(number, from) {
            let set = |value| match number {
                COUNTERS => C::set_cycles(&self.bus, value),
                number => C::set_count(&self.bus, number, value),
            };
            set(0);
            self.bus.synchronize();
            let bit = if number == COUNTERS { Clock::BIT } else { 1 << number };
            self.clear_running(C::state(&self.bus), bit);
            set(from);
            self.check_enabled();
        }
    }

    /// Clears the flags of the counters in use that are up, while they count.
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let up = self.clear_running(C::state(&self.bus), self.ledger.events.in_use());
        if up != 0 {
            self.bus.synchronize();
            self.ledger.events.add_overflows(up);
            // Of a counter whose flag stays up nothing is known: it would be taken for another overflow
            // each time.
            self.ledger.events.add_loss(up & C::flags(C::state(&self.bus)), false);
        }
        up
    }

    /// Clears those flags of these counters that are up in this state. Gives them.
    fn clear_running(&self, state: u32, counters: u32) -> u32 {
        let up = C::flags(state) & counters;
        if up != 0 {
            let action = Action { clear: up, ..Action::enable(true) };
            C::act(&self.bus, action);
            if !C::enabled(state) {
                // E was 0 before that write: somebody else switched the counters off, and the interrupt
                // would stay. They are off again afterwards, which is found at the stop.
                C::act(&self.bus, action);
                C::act(&self.bus, Action::enable(false));
            }
        }
        up
    }
}
