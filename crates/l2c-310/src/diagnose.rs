//! Diagnosis of a counter that reads zero.
//!
//! The diagnosis tests the possible causes one after another. The texts of the causes are in
//! `specs/l2c-310/findings.yaml`.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::Diagnosable;
use arm_pmu_core::diagnose::{Diagnose, Diagnosis, Found};
use arm_pmu_core::driver::Hardware as _;
use arm_pmu_core::driver::ProbeErrorKind;

use crate::events::COUNTERS;
use crate::hardware::Hardware;
use crate::probe::unlike;
use crate::registers::{Space, reg2_ev_counter_ctrl};
use crate::{Finding, L2c310Event, Pmu, Selection};

/// A value that a counter is unlikely to contain.
const PATTERN: u32 = 0x5A5A_5A5A;

/// The trials count data reads and an expected event.
///
/// The diagnosis calls `work` once. `work` has to make accesses that miss in the caches before the
/// L2C-310.
///
/// Finally the diagnosis restores the control register, all counts and settings, even if `work` panics.
/// The diagnosis does not change the interrupt.
impl<B: Bus<Space = Space>> Diagnose for Pmu<B> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<Selection>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        self.driver.diagnose(|hardware, _| hardware.identify(), expected, work)
    }
}

/// Saved values of the registers that the trials change.
pub(crate) struct Saved {
    counters: [(u32, u32); COUNTERS],
}

/// Values of the configuration registers.
pub(crate) type Words = [u32; COUNTERS];

impl<B: Bus<Space = Space>> Diagnosable<COUNTERS> for Hardware<B> {
    type Finding = Finding;
    type Saved = Saved;
    type Trial = Words;
    type Counts = [u32; COUNTERS];
    const BUS_ERROR: Finding = Finding::BusError;
    const INTERFERENCE: Finding = Finding::Interference;

    fn save(&mut self) -> Result<Saved, Found<Finding>> {
        let held = |counter| (self.word(counter), self.held_value(counter));
        Ok(Saved { counters: [held(0), held(1)] })
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), Found<Finding>> {
        for (counter, (word, value)) in saved.counters.into_iter().enumerate() {
            self.write_word(counter, 0);
            self.write_value(counter, value);
            self.write_word(counter, word);
        }
        Ok(())
    }

    fn try_out(
        trials: &mut Trials<'_, B>,
        expected: Option<Selection>,
    ) -> Result<(), Found<Finding>> {
        let code = |selection: Selection| u32::from(selection.id()) << 2;
        let reads = code(L2c310Event::DataReadRequest.into());
        let [first, second] = trials.count([reads, expected.map_or(0, code)])?;
        if first == 0 && second == 0 {
            return Err(Found::new(Finding::NothingCounted, 0));
        }
        trials.diagnosis.add_proof();
        if expected.is_some() && second == 0 {
            return Err(Found::new(Finding::ExpectedEventNotCounted, 0));
        }
        Ok(())
    }

    /// Checks that both counters hold a pattern, then sets them to 0.
    fn set_up(&mut self, words: &mut Words) -> Result<(), Found<Finding>> {
        for (counter, word) in words.iter().enumerate() {
            for value in [PATTERN, 0] {
                self.write_word(counter, 0);
                self.write_value(counter, value);
                let held = self.held_value(counter);
                if held != value {
                    return Err(Found::new(Finding::WritesIgnored, held));
                }
            }
            self.write_word(counter, *word);
        }
        Ok(())
    }

    fn counts(
        &self,
        words: &Words,
        before: reg2_ev_counter_ctrl::R,
    ) -> Result<[u32; COUNTERS], Found<Finding>> {
        let counts = [self.held_value(0), self.held_value(1)];
        let is_as_set = |(counter, word): (usize, &u32)| self.word(counter) & 0x3F == *word;
        if !Self::enables(before) || !words.iter().enumerate().all(is_as_set) {
            return Err(Found::new(Finding::EnableLost, before.bits()));
        }
        Ok(counts)
    }
}

type Trials<'d, B> = arm_pmu_core::diagnose::Trials<'d, Hardware<B>, COUNTERS>;

impl<B: Bus<Space = Space>> Hardware<B> {
    fn identify(&self) -> Result<(), Found<Finding>> {
        let Some(kind) = unlike(&self.bus) else { return Ok(()) };
        let finding = match kind {
            ProbeErrorKind::ReadsAsZero => Finding::ReadsAsZero,
            ProbeErrorKind::ReadsAsOnes => Finding::ReadsAsOnes,
            ProbeErrorKind::Part { .. } => Finding::AnotherProduct,
            _ => Finding::BusError,
        };
        Err(Found::new(finding, kind.value()))
    }
}
