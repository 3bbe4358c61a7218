//! Diagnosis of a counter that reads zero.
//!
//! The diagnosis tests the possible causes one after another. The texts of the causes are in
//! `specs/cci400/findings.yaml`.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::Diagnosable;
use arm_pmu_core::diagnose::{Diagnose, Diagnosis, Found};
use arm_pmu_core::driver::Hardware as _;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_core::event::EventOrCycles;

use crate::hardware::{Hardware, counts, has_all_counters, select};
use crate::probe;
use crate::registers::{
    Registers, Space, count_control, cycle_count, cycle_count_control, event_count, event_select,
    pmcr,
};
use crate::revision::{Pmu, Revision};
use crate::{COUNTERS, Finding};

/// Diagnoses the PMU: counts cycles, and an expected event on counter 0.
///
/// The diagnosis calls `work` once if the clock stands still, three times if NIDEN is LOW, and
/// otherwise twice.
///
/// Finally the diagnosis restores PMCR, all counts, selections and enables, even if `work` panics.
/// The trials start from 0, so they set no overflow flag unless `work` causes 2^32 events. The
/// diagnosis does not restore the phase of the divider by 64, which no register shows.
///
/// The diagnosis reads the identification registers. Non-secure software may have no access to the
/// identification registers. The result of such an access is not documented, and **may be a bus
/// error**. If a bus error could be fatal, use [`diagnose_counters`](Pmu::diagnose_counters).
impl<R: Revision, B: Bus<Space = Space>> Diagnose for Pmu<R, B> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<EventOrCycles<R::Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        let mut unidentified = None;
        let identify = |hardware: &Hardware<R, B>, diagnosis: &mut _| {
            unidentified = hardware.identify(diagnosis)?;
            Ok(())
        };
        let mut diagnosis = self.driver.diagnose(identify, expected, work);
        if let (Some(part), false) = (unidentified, diagnosis.has(Finding::BusError)) {
            diagnosis.add(Finding::Unidentified, part.into());
        }
        diagnosis
    }
}

impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// Diagnoses without reading the identification registers.
    ///
    /// Like [`diagnose_with`](Diagnose::diagnose_with), but accesses only the PMU's registers,
    /// which both security states can access. The call assumes a CCI-400 of this revision.
    pub fn diagnose_counters(
        &mut self,
        expected: Option<EventOrCycles<R::Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        self.driver.diagnose(|hardware, _| hardware.look_at_control(), expected, work)
    }
}

/// Saved values of the registers that the trials change.
pub(crate) struct Saved {
    pmcr: pmcr::R,
    cycles: (cycle_count::R, cycle_count_control::R),
    counters: [(event_select::R, event_count::R, count_control::R); COUNTERS],
}

/// Settings of one trial: the expected event, and whether the cycle counter needs NIDEN HIGH.
pub(crate) struct Trial<S> {
    needs_niden: bool,
    expected: Option<S>,
}

pub(crate) struct Counts {
    cycles: u32,
    /// Count of the expected event.
    events: u32,
}

impl<R: Revision, B: Bus<Space = Space>> Diagnosable<COUNTERS> for Hardware<R, B> {
    type Finding = Finding;
    type Saved = Saved;
    type Trial = Trial<R::Selection>;
    type Counts = Counts;
    const BUS_ERROR: Finding = Finding::BusError;
    const INTERFERENCE: Finding = Finding::Interference;

    fn save(&mut self) -> Result<Saved, Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        Ok(Saved {
            pmcr: registers.pmcr().read(),
            cycles: (registers.cycle_count().read(), registers.cycle_count_control().read()),
            counters: registers.counters().map(|block| {
                let (select, count) = (block.event_select().read(), block.event_count().read());
                (select, count, block.count_control().read())
            }),
        })
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        for (block, (select, count, control)) in registers.counters().iter().zip(saved.counters) {
            block.event_select().modify_from(select, |w| w);
            block.event_count().modify_from(count, |w| w);
            block.count_control().modify_from(control, |w| w);
        }
        registers.cycle_count().modify_from(saved.cycles.0, |w| w);
        registers.cycle_count_control().modify_from(saved.cycles.1, |w| w);
        registers.pmcr().modify_from(saved.pmcr, |w| w);
        Ok(())
    }

    fn try_out(
        trials: &mut Trials<'_, R, B>,
        expected: Option<R::Selection>,
    ) -> Result<(), Found<Finding>> {
        trials.hardware().turn_a_selection_over()?;
        let counts = trials.count_with_and_without_debug(
            |needs_niden| Trial { needs_niden, expected },
            |counts| counts.cycles,
            [Finding::ClockStandsStill, Finding::NidenLow],
        )?;
        trials.diagnosis.add_proof();
        if expected.is_some() && counts.iter().all(|counts| counts.events == 0) {
            return Err(Found::new(Finding::ExpectedEventNotCounted, 0));
        }
        Ok(())
    }

    fn set_up(&mut self, trial: &mut Trial<R::Selection>) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let blocks = registers.counters();
        for block in &blocks {
            block.count_control().write(|w| w.enable().clear_bit());
        }
        let [first, ..] = &blocks;
        if let Some(expected) = trial.expected {
            select::<R, B>(first, expected);
            first.event_count().write(|w| w.count().set(0));
            first.count_control().write(|w| w.enable().set_bit());
        }
        registers.cycle_count().write(|w| w.count().set(0));
        registers.cycle_count_control().write(|w| w.enable().set_bit());
        registers.pmcr().modify(|_, w| w.ccd().clear_bit().dp().bit(trial.needs_niden));
        Ok(())
    }

    fn counts(
        &self,
        trial: &Trial<R::Selection>,
        before: pmcr::R,
    ) -> Result<Counts, Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let [first, ..] = registers.counters();
        let is_as_set = before.cen().bit()
            && !before.ccd().bit()
            && before.dp().bit() == trial.needs_niden
            && registers.cycle_count_control().read().enable().bit()
            && trial.expected.is_none_or(|expected| counts::<R, B>(&first, expected));
        if !is_as_set {
            return Err(Found::new(Finding::EnableLost, before.bits()));
        }
        Ok(Counts { cycles: self.cycle_value(), events: self.value(0) })
    }
}

type Trials<'d, R, B> = arm_pmu_core::diagnose::Trials<'d, Hardware<R, B>, COUNTERS>;

impl<R: Revision, B: Bus<Space = Space>> Hardware<R, B> {
    /// Checks that the device is a CCI-400 of this revision.
    ///
    /// Returns the part number if the registers do not identify the device.
    fn identify(&self, diagnosis: &mut Diagnosis<Finding>) -> Result<Option<u16>, Found<Finding>> {
        let kind = match probe::identify(&self.bus) {
            Ok(code) => {
                if !R::CODES.contains(&code) {
                    diagnosis.add(Finding::AnotherRevision, code.into());
                }
                return Ok(None);
            }
            Err(kind) => kind,
        };
        let finding = match kind {
            ProbeErrorKind::Unidentified => return Ok(Some(probe::part_number(&self.bus))),
            ProbeErrorKind::ReadsAsZero => Finding::ReadsAsZero,
            ProbeErrorKind::ReadsAsOnes => Finding::ReadsAsOnes,
            ProbeErrorKind::Part { .. } => Finding::AnotherProduct,
            ProbeErrorKind::Counters { .. } => Finding::Counters,
            _ => Finding::BusError,
        };
        Err(Found::new(finding, kind.value()))
    }

    /// Checks that PMCR is accessible and has the correct number of counters.
    fn look_at_control(&self) -> Result<(), Found<Finding>> {
        let pmcr = self.control();
        match pmcr.bits() {
            0 => Err(Found::new(Finding::ReadsAsZero, 0)),
            u32::MAX => Err(Found::new(Finding::ReadsAsOnes, u32::MAX)),
            _ if !has_all_counters(pmcr) => {
                Err(Found::new(Finding::Counters, pmcr.pmu_cnt_num().bits().into()))
            }
            _ => Ok(()),
        }
    }

    /// Writes a selection with every bit inverted, and checks that the register holds it.
    fn turn_a_selection_over(&self) -> Result<(), Found<Finding>> {
        let [block, ..] = Registers::shared(&self.bus).counters();
        let before = block.event_select().read();
        let (source, event) = (!before.source().bits() & 0x7, !before.event().bits() & 0x1F);
        block.event_select().write(|w| w.source().set(source).event().set(event));
        let after = block.event_select().read();
        if after.source().bits() != source || after.event().bits() != event {
            return Err(Found::new(Finding::WritesIgnored, after.bits()));
        }
        Ok(())
    }
}
