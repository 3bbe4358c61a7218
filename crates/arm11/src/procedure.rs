//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Count, Cp15};

use crate::core_type::{Action, Setting};
use crate::{COUNTERS, Core, Counters, Pmu};

impl<C: Core, B: Bus<Space = Cp15>> Pmu<C, B> {
    /// Starts counting.
    ///
    /// Flags can be cleared for certain only while E is 1, before and after the write. So what an
    /// earlier owner left is cleared first, with the interrupts off, and the counters are set after
    /// that.
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        self.clear_flags();
        let setting = self.wanted();
        self.programmed = Some(setting);
        C::program(&self.bus, &setting, Action::enable(false));
        let (wrong, cycles_wrong, reset) = self.preset();
        C::act(&self.bus, Action { enable: true, reset, clear: Counters::NONE });
        self.ledger.add_loss(wrong, cycles_wrong, false);
        self.check_enabled();
    }

    /// What the control register is to hold from now on.
    fn wanted(&self) -> Setting {
        let in_use = self.ledger.in_use();
        let selections = self.ledger.events.programmed();
        Setting {
            events: selections.map(|selection| C::number(selection.unwrap_or(C::IDLE))),
            divider: self.ledger.divider(),
            interrupts: self.interrupts.and(in_use),
            fast_interrupts: self.fast.and(in_use),
        }
    }

    /// Clears all flags, whoever left them, and leaves the counters off, idle, without interrupts and
    /// anywhere.
    fn clear_flags(&self) {
        let setting = Setting {
            events: [C::number(C::IDLE); COUNTERS],
            divider: self.ledger.divider(),
            interrupts: Counters::NONE,
            fast_interrupts: Counters::NONE,
        };
        // From zero, so that none overflows meanwhile.
        let action = Action { enable: true, reset: Counters::ALL, clear: Counters::ALL };
        C::program(&self.bus, &setting, action);
        if !C::state(&self.bus).flags.is_empty() {
            // E was 0 before that write.
            C::act(&self.bus, action);
        }
        C::act(&self.bus, Action::enable(false));
    }

    /// Sets the counters that do not start from zero. Gives the ones that did not take it, and those
    /// that are to be reset.
    fn preset(&self) -> (u32, bool, Counters) {
        let events = self.ledger.events.wanted().map(|slot| slot.from);
        let mut reset = Counters::ALL;
        let mut wrong = 0;
        // One reset is that of both.
        if events != [0; COUNTERS] {
            reset.counters = [false; COUNTERS];
            C::set_counts(&self.bus, events);
            self.bus.synchronize();
            for (number, (held, from)) in C::counts(&self.bus).into_iter().zip(events).enumerate() {
                wrong |= u32::from(held != from) << number;
            }
        }
        let [clock] = *self.ledger.clock.wanted();
        let mut cycles_wrong = false;
        if clock.from != 0 {
            reset.cycles = false;
            C::set_cycles(&self.bus, clock.from);
            self.bus.synchronize();
            cycles_wrong = C::cycles(&self.bus) != clock.from;
        }
        (wrong, cycles_wrong, reset)
    }

    /// Lets the counters run, and waits until they do.
    pub(crate) fn enable(&mut self) {
        C::act(&self.bus, Action::enable(true));
        self.check_enabled();
    }

    fn check_enabled(&mut self) {
        let enabled = C::state(&self.bus).enabled;
        self.bus.synchronize();
        self.ledger.add_loss(0, false, !enabled);
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let before = C::state(&self.bus);
        C::act(&self.bus, Action::enable(false));
        self.bus.synchronize();
        let (counts, cycles) = (C::counts(&self.bus), C::cycles(&self.bus));
        let flags = C::state(&self.bus).flags;
        if !flags.is_empty() {
            self.acknowledge_stopped(counts, cycles);
        }
        let in_use = self.ledger.in_use();
        let set = self.programmed.map_or(before.events, |programmed| programmed.events);
        let events = before.events.into_iter().zip(set).zip(in_use.counters);
        let mut changed = 0;
        for (number, ((found, wanted), in_use)) in events.enumerate() {
            changed |= u32::from(in_use && found != wanted) << number;
        }
        let cycles_changed = in_use.cycles && before.divider != self.ledger.divider();
        self.ledger.add_loss(changed, cycles_changed, !before.enabled);
        self.ledger.add_overflows(flags.and(in_use));
        let mut counted = counts.into_iter().zip(in_use.counters);
        let values = [(); COUNTERS].map(|()| {
            let (count, in_use) = counted.next()?;
            in_use.then_some(count)
        });
        let fault = self.bus.fault().is_some();
        self.ledger.settle(values, in_use.cycles.then_some(cycles), fault);
    }

    /// Clears all flags, and with them the interrupts, of counters that stand still at these values,
    /// and leaves them there.
    fn acknowledge_stopped(&self, counts: [u32; COUNTERS], cycles: u32) {
        self.clear_flags();
        if let Some(setting) = &self.programmed {
            C::program(&self.bus, setting, Action::enable(false));
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

    /// What the event counters hold while they count.
    pub(crate) fn running_events(&self) -> [Count; COUNTERS] {
        let enabled = C::state(&self.bus).enabled;
        let mut numbers = 0..;
        self.ledger.events.programmed().map(|selection| match (numbers.next(), selection) {
            (Some(number), Some(_)) => {
                let flag = || C::state(&self.bus).flags.bits() >> number & 1 == 1;
                let value = || C::counts(&self.bus).get(number).copied().unwrap_or(0);
                let fault = || self.bus.fault().is_some();
                self.ledger.events.snapshot(number, enabled, flag, value, fault)
            }
            _ => Count::NOTHING,
        })
    }

    /// What the cycle counter holds while it counts.
    pub(crate) fn running_cycles(&self) -> Count {
        if !self.ledger.counts_cycles() {
            return Count::NOTHING;
        }
        let enabled = C::state(&self.bus).enabled;
        let flag = || C::state(&self.bus).flags.cycles;
        let fault = || self.bus.fault().is_some();
        self.ledger.clock.snapshot(0, enabled, flag, || C::cycles(&self.bus), fault)
    }

    /// Lets one counter count from another value on, while it counts. A count may be written at any time.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if number == COUNTERS && self.ledger.clock.restart(0, from) {
            C::set_cycles(&self.bus, from);
        } else if self.ledger.events.restart(number, from) {
            C::set_count(&self.bus, number, from);
        }
        self.bus.synchronize();
    }

    /// Clears the flags of the counters in use that are up, while they count.
    pub(crate) fn acknowledge(&mut self) -> Counters {
        let state = C::state(&self.bus);
        let up = state.flags.and(self.ledger.in_use());
        if !up.is_empty() {
            let action = Action { clear: up, ..Action::enable(true) };
            C::act(&self.bus, action);
            if !state.enabled {
                // E was 0 before that write: somebody else switched the counters off, and the interrupt
                // would stay. They are off again afterwards, which is found at the stop.
                C::act(&self.bus, action);
                C::act(&self.bus, Action::enable(false));
            }
            self.bus.synchronize();
            self.ledger.add_overflows(up);
        }
        up
    }
}
