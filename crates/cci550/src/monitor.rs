//! The driver as one of many.

use arm_pmu_core::{AssignError, Bus, Count, Monitor};

use crate::pmu::Slot;
use crate::registers::Space;
use crate::{COUNTERS, Pmu, Selection};

impl<B: Bus<Space = Space>> Monitor for Pmu<B> {
    type Selection = Selection;

    const COUNTERS: usize = COUNTERS;

    fn assign(&mut self, what: &[Selection]) -> Result<(), AssignError> {
        if what.len() > COUNTERS {
            return Err(AssignError::TooMany { asked: what.len(), counters: COUNTERS });
        }
        if let Some(fault) = self.bus.fault() {
            return Err(AssignError::Fault(fault));
        }
        self.wanted = core::array::from_fn(|number| match what.get(number) {
            Some(selection) => Slot { selection: Some(*selection), from: 0 },
            None => Slot::OFF,
        });
        Ok(())
    }

    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        /// Stops the PMU also if the work panics.
        struct Stop<'p, B: Bus<Space = Space>>(&'p mut Pmu<B>);

        impl<B: Bus<Space = Space>> Drop for Stop<'_, B> {
            fn drop(&mut self) {
                self.0.end();
            }
        }

        self.begin();
        let _stop = Stop(self);
        work()
    }

    fn count(&mut self, nth: usize) -> Count {
        let slot = self.programmed.as_ref().and_then(|slots| slots.get(nth));
        assert!(
            slot.is_some_and(|slot| slot.selection.is_some()),
            "no selection with this number was counted"
        );
        self.counts[nth]
    }
}
