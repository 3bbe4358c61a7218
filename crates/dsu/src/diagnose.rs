//! Diagnosis of a counter that reads zero.
//!
//! The diagnosis tests the possible causes one after another. The texts of the causes are in
//! `specs/dsu/findings.yaml`.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::Diagnosable;
use arm_pmu_core::diagnose::{Diagnose, Diagnosis, Found};
use arm_pmu_core::driver::Hardware as _;
use arm_pmu_core::event::EventOrCycles;

use crate::events::COUNTERS;
use crate::hardware::{ALL_COUNTERS, Hardware};
use crate::pmu::number_of_counters;
use crate::registers::{Registers, Space, clusterpmcr_el1};
use crate::{DsuEvent, Finding, Pmu, Selection};

/// Counters that count during a trial: 0 and 1.
const IN_USE: u32 = 0b11;

/// The trials count CPU_CYCLES and an expected event, on event counters.
///
/// Before any write, the diagnosis reads the number of counters, because reads are allowed even where writes cause
/// exceptions. The diagnosis calls `work` once. `work` has to make accesses that miss in the caches of the core.
///
/// Finally the diagnosis restores the control register, all counts and settings, even if `work` panics. The diagnosis
/// does not change the interrupt.
impl<B: Bus<Space = Space>> Diagnose for Pmu<B> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<EventOrCycles<Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        let identify = |hardware: &Hardware<B>, _: &mut _| {
            let counters = number_of_counters(&hardware.bus);
            match usize::from(counters) == COUNTERS {
                true => Ok(()),
                false => Err(Found::new(Finding::Counters, counters.into())),
            }
        };
        self.driver.diagnose(identify, expected, work)
    }
}

/// Event code and value of one counter.
type Held = (u16, u64);

/// Saved values of the registers that the trials change.
pub(crate) struct Saved {
    control: clusterpmcr_el1::R,
    enabled: u32,
    selector: u8,
    cycles: u64,
    counters: [Held; COUNTERS],
}

impl<B: Bus<Space = Space>> Diagnosable<COUNTERS> for Hardware<B> {
    type Finding = Finding;
    type Saved = Saved;
    type Trial = [Held; COUNTERS];
    type Counts = [u64; 2];
    const BUS_ERROR: Finding = Finding::AccessTrapped;
    const INTERFERENCE: Finding = Finding::Interference;

    fn save(&mut self) -> Result<Saved, Found<Finding>> {
        let selected = || Registers::shared(&self.bus).clusterpmselr_el1().read().sel().bits();
        let selector = selected();
        // Two attempts, because other software may move the selector back after one attempt.
        let is_fixed = [1, 2].into_iter().all(|step| {
            self.select((usize::from(selector) + step) % COUNTERS);
            selected() == selector
        });
        if is_fixed {
            return Err(Found::new(Finding::WritesIgnored, selector.into()));
        }
        let counters = self.read_counters();
        self.write_selector(selector);
        Ok(Saved {
            control: self.control(),
            enabled: self.enabled_counters(),
            selector,
            cycles: self.cycles(),
            counters: counters?,
        })
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        self.disable_counters(ALL_COUNTERS);
        let written = self.write_counters(&saved.counters);
        registers.clusterpmccntr_el1().write(|w| w.count().set(saved.cycles));
        self.enable_counters(saved.enabled);
        registers.clusterpmcr_el1().modify_from(saved.control, |w| w);
        registers.clusterpmcr_el1().synchronize();
        written
    }

    fn restore_selector(&mut self, saved: &Saved) {
        self.write_selector(saved.selector);
    }

    fn try_out(
        trials: &mut Trials<'_, B>,
        expected: Option<Selection>,
    ) -> Result<(), Found<Finding>> {
        let hardware = trials.hardware();
        // First writes events and counts that differ from the saved ones, to detect ignored writes. Only the lower half
        // of a count is inverted, because some products lack the upper half.
        let others = trials.saved.counters.map(|(code, count)| (code ^ 1, count ^ 0xFFFF_FFFF));
        hardware.write_counters(&others)?;
        if trials.pending().cycles.on && !hardware.has_cycle_counter() {
            trials.diagnosis.add(Finding::NoCycleCounter, 0);
        }
        let cycles = u16::from(Selection::from(DsuEvent::CpuCycles));
        let mut counters = [(cycles, 0); COUNTERS];
        counters[1].0 = expected.map_or(cycles, u16::from);
        let [cycles, events] = trials.count(counters)?;
        if cycles == 0 {
            return Err(Found::new(Finding::ClockStandsStill, 0));
        }
        trials.diagnosis.add_proof();
        if events == 0 {
            return Err(Found::new(Finding::ExpectedEventNotCounted, 0));
        }
        Ok(())
    }

    fn set_up(&mut self, trial: &mut [Held; COUNTERS]) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        self.disable_counters(ALL_COUNTERS);
        // With FZO, a flag that an earlier owner left would stop the counters.
        registers.clusterpmcr_el1().modify(|_, w| w.fzo().clear_bit());
        self.write_counters(trial)?;
        self.enable_counters(IN_USE);
        registers.clusterpmcntenset_el1().synchronize();
        Ok(())
    }

    fn counts(
        &self,
        trial: &[Held; COUNTERS],
        before: clusterpmcr_el1::R,
    ) -> Result<[u64; 2], Found<Finding>> {
        let is_on = Self::enables(before) && self.enabled_counters() == IN_USE;
        let held = self.read_counters()?;
        // If a counter counted another event, the diagnosis would report a wrong cause.
        let is_same = held.map(|held| held.0) == trial.map(|counter| counter.0);
        if !(is_on && is_same) {
            return Err(Found::new(Finding::EnableLost, before.bits() as u32));
        }
        Ok([held[0].1, held[1].1])
    }
}

type Trials<'d, B> = arm_pmu_core::diagnose::Trials<'d, Hardware<B>, COUNTERS>;

impl<B: Bus<Space = Space>> Hardware<B> {
    /// Sets all bits of the cycle counter, and checks that they read as set.
    fn has_cycle_counter(&self) -> bool {
        let register = Registers::shared(&self.bus).clusterpmccntr_el1();
        register.write(|w| w.count().set(u64::MAX));
        register.synchronize();
        self.cycles() == u64::MAX
    }

    fn write_selector(&self, selector: u8) {
        let register = Registers::shared(&self.bus).clusterpmselr_el1();
        register.write(|w| w.sel().set(selector));
        register.synchronize();
    }

    /// Reads event and value of all counters, unless the selector is moved meanwhile.
    fn read_counters(&self) -> Result<[Held; COUNTERS], Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let mut all = [(0, 0); COUNTERS];
        for (counter, held) in all.iter_mut().enumerate() {
            self.select(counter);
            let code = registers.clusterpmxevtyper_el1().read().evt_count().bits();
            *held = (code, registers.clusterpmxevcntr_el1().read().count().bits());
            self.selector_stayed(counter)?;
        }
        Ok(all)
    }

    /// Writes all event counters while they are disabled, and reads them back.
    fn write_counters(&self, what: &[Held; COUNTERS]) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        for (counter, (code, count)) in what.iter().enumerate() {
            self.select(counter);
            registers.clusterpmxevtyper_el1().write(|w| w.evt_count().set(*code));
            registers.clusterpmxevcntr_el1().write(|w| w.count().set(*count));
            self.selector_stayed(counter)?;
        }
        // Checked in a second loop, because a write may have reached the wrong counter.
        let held = self.read_counters()?;
        match held.iter().zip(what).find(|(held, what)| held != what) {
            None => Ok(()),
            Some(((code, _), _)) => Err(Found::new(Finding::WritesIgnored, (*code).into())),
        }
    }

    fn selector_stayed(&self, counter: usize) -> Result<(), Found<Finding>> {
        if self.is_undisturbed(counter) {
            return Ok(());
        }
        let selected = Registers::shared(&self.bus).clusterpmselr_el1().read().sel().bits();
        Err(Found::new(Finding::SelectorMoved, selected.into()))
    }
}
