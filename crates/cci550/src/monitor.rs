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
        *self.slots() = core::array::from_fn(|number| match what.get(number) {
            Some(selection) => Slot { selection: Some(*selection), from: 0 },
            None => Slot::OFF,
        });
        Ok(())
    }

    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        self.begin();
        let result = work();
        self.end();
        result
    }

    fn count(&mut self, nth: usize) -> Count {
        assert!(
            self.slots().get(nth).is_some_and(|slot| slot.selection.is_some()),
            "no selection with this number is assigned"
        );
        self.stopped_count(nth)
    }
}
