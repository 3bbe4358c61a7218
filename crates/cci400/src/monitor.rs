//! The driver as one of many.

use arm_pmu_core::{AssignError, Bus, Count, CycleCounter, EventOrCycles, Monitor, run_between};

use crate::registers::Space;
use crate::{COUNTERS, Divider, Pmu, Selection};

impl<B: Bus<Space = Space>> Monitor for Pmu<B> {
    type Selection = EventOrCycles<Selection>;

    /// Four events, and the cycles.
    const COUNTERS: usize = COUNTERS + 1;

    fn assign(&mut self, what: &[Self::Selection]) -> Result<(), AssignError> {
        let mut events = [None; COUNTERS];
        let mut asked = 0;
        let mut cycles = None;
        for (nth, selection) in what.iter().enumerate() {
            match selection {
                EventOrCycles::Cycles if cycles.is_some() => return Err(AssignError::CyclesTwice),
                EventOrCycles::Cycles => cycles = Some(nth),
                EventOrCycles::Event(event) => {
                    if let Some(slot) = events.get_mut(asked) {
                        *slot = Some(*event);
                    }
                    asked += 1;
                }
            }
        }
        if asked > COUNTERS {
            return Err(AssignError::TooMany { asked, counters: COUNTERS });
        }
        if let Some(fault) = self.bus.fault() {
            return Err(AssignError::Fault(fault));
        }
        for (counter, event) in self.events.counters().into_iter().zip(events) {
            match event {
                Some(event) => counter.count(event),
                None => counter.off(),
            }
        }
        match cycles {
            Some(_) => self.cycle_counter().count(Divider::By1),
            None => self.cycle_counter().off(),
        }
        self.nth_is_cycles = cycles;
        Ok(())
    }

    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        run_between(self, Self::begin, Self::end, work)
    }

    fn count(&mut self, nth: usize) -> Count {
        let event = match self.nth_is_cycles {
            Some(cycles) if nth == cycles => return self.cycles(),
            Some(cycles) if nth > cycles => nth - 1,
            _ => nth,
        };
        self.counts().get(event).copied().unwrap_or(Count::NOTHING)
    }
}

/// Every cycle of the CCI-400's clock. [`Pmu::cycle_counter`] can count each 64th instead, until the
/// next [`assign`](Monitor::assign).
impl<B: Bus<Space = Space>> CycleCounter for Pmu<B> {
    const CYCLES: Self::Selection = EventOrCycles::Cycles;
}
