//! Diagnosis of a counter that reads zero.
//!
//! It tests the possible causes one after another. Their texts are in
//! `specs/cortex-a8/findings.yaml`.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnosable, Trials};
use arm_pmu_core::diagnose::{Diagnose, Diagnosis, Found};
use arm_pmu_core::driver::Hardware as _;
use arm_pmu_core::event::EventOrCycles;

use crate::events::COUNTERS;
use crate::hardware::{ALL_COUNTERS, Hardware};
use crate::registers::{Registers, pmcntenset, pmcr};
use crate::{CortexA8Event, Finding, Mode, Pmu, Privileged, Selection, Space, User};

/// Largest number of writes of all counters while other software moves the selector.
const MOST_ROUNDS: usize = 3;

const INSTRUCTION: u8 = CortexA8Event::InstructionExecuted as u8;
const CYCLE: u8 = CortexA8Event::Cycle as u8;

/// The counters that count during a trial: 0 and 1.
const IN_USE: u8 = 0b11;

/// Diagnoses by counting cycles, instructions and an expected event.
///
/// It calls `work` once if the clock stands still, three times if non-invasive debug is not
/// permitted, else twice. `work` has to execute instructions, as the default does.
///
/// Afterwards it restores PMCR, the enables, PMSELR, and all events and counts. It does not touch
/// overflow flags and interrupt enables. The trials set no flag, because their counters start from
/// 0. It does not restore the phase of the divider by 64, which no register shows.
///
/// The PMU does not identify the core. [`Pmu::diagnose_processor`] checks the Main ID Register.
impl<B: Bus<Space = Space>> Diagnose for Pmu<B, Privileged> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<EventOrCycles<Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        self.driver.diagnose(|hardware, _| hardware.look_at_counters(), expected, work)
    }
}

/// Diagnoses as in a privileged mode, after a check of PMUSERENR.
///
/// User mode may always read PMUSERENR.
///
/// If a kernel withdrew access after [`open`](Pmu::open), the result is a finding and not an
/// Undefined Instruction exception.
impl<B: Bus<Space = Space>> Diagnose for Pmu<B, User> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<EventOrCycles<Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        let identify = |hardware: &Hardware<B, User>, _: &mut _| {
            let user = Registers::shared(&hardware.bus).pmuserenr().read();
            if !user.en().bit() {
                return Err(Found::new(Finding::UserModeClosed, user.bits()));
            }
            hardware.look_at_counters()
        };
        self.driver.diagnose(identify, expected, work)
    }
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Diagnoses after a check of the Main ID Register.
    ///
    /// [`Cp15::main_id`](crate::Cp15::main_id) reads that register. On another processor, nothing
    /// is tried; else this is [`diagnose_with`](Diagnose::diagnose_with).
    pub fn diagnose_processor(
        &mut self,
        main_id: u32,
        expected: Option<EventOrCycles<Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        if !crate::is_cortex_a8(main_id) {
            return Diagnosis::only(Finding::AnotherProcessor, main_id);
        }
        self.diagnose_with(expected, work)
    }
}

/// Event number and count of one counter.
type Held = (u8, u32);

/// Saved values of the registers that the trials change.
pub(crate) struct Saved {
    pmcr: pmcr::R,
    enables: pmcntenset::R,
    selector: u8,
    cycles: u32,
    counters: [Held; COUNTERS],
}

/// Settings of one trial: whether the cycles need non-invasive debug, and the expected event.
pub(crate) struct Trial {
    needs_debug: bool,
    /// The number of the expected event.
    expected: Option<u8>,
}

impl Trial {
    fn counters(&self) -> [Held; COUNTERS] {
        let expected = self.expected.unwrap_or(INSTRUCTION);
        [INSTRUCTION, expected, INSTRUCTION, INSTRUCTION].map(|event| (event, 0))
    }
}

pub(crate) struct Counts {
    cycles: u32,
    instructions: u32,
    /// Count of the expected event.
    events: u32,
}

impl<B: Bus<Space = Space>, M: Mode> Diagnosable<COUNTERS> for Hardware<B, M> {
    type Finding = Finding;
    type Saved = Saved;
    type Trial = Trial;
    type Counts = Counts;
    const BUS_ERROR: Finding = Finding::NoAccess;
    const INTERFERENCE: Finding = Finding::Interference;

    fn save(&mut self) -> Result<Saved, Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let selector = registers.pmselr().read().sel().bits();
        let counters = self.read_counters();
        registers.pmselr().write(|w| w.sel().set(selector));
        Ok(Saved {
            pmcr: registers.pmcr().read(),
            enables: registers.pmcntenset().read(),
            selector,
            cycles: registers.pmccntr().read().count().bits(),
            counters: counters?,
        })
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        self.disable_each();
        let written = self.write_counters(saved.counters);
        registers.pmccntr().write(|w| w.count().set(saved.cycles));
        registers.pmselr().write(|w| w.sel().set(saved.selector));
        registers.pmcntenset().write(|w| {
            let w = w.p().set(saved.enables.p().bits());
            if saved.enables.c().bit() { w.c().set_bit() } else { w }
        });
        registers.pmcr().modify_from(saved.pmcr, |w| w);
        written
    }

    fn try_out(
        trials: &mut Trials<'_, Self, COUNTERS>,
        expected: Option<Selection>,
    ) -> Result<(), Found<Finding>> {
        // Events and counts that differ from the saved ones.
        let other = |event| if event == INSTRUCTION { CYCLE } else { INSTRUCTION };
        let others = trials.saved.counters.map(|(event, count)| (other(event), !count));
        trials.hardware().write_counters(others)?;
        let expected = expected.map(Selection::code);
        let counts = trials.count_with_and_without_debug(
            |needs_debug| Trial { needs_debug, expected },
            |counts| counts.cycles,
            [Finding::ClockStandsStill, Finding::DebugNotPermitted],
        )?;
        if counts.iter().all(|counts| counts.instructions == 0) {
            return Err(Found::new(Finding::InstructionsNotCounted, 0));
        }
        trials.diagnosis.add_proof();
        if expected.is_some() && counts.iter().all(|counts| counts.events == 0) {
            return Err(Found::new(Finding::ExpectedEventNotCounted, 0));
        }
        Ok(())
    }

    fn set_up(&mut self, trial: &mut Trial) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        self.disable_each();
        registers.pmcr().modify(|_, w| w.d().clear_bit().dp().bit(trial.needs_debug));
        self.write_counters(trial.counters())?;
        registers.pmccntr().write(|w| w.count().set(0));
        registers.pmcntenset().write(|w| w.p().set(IN_USE).c().set_bit());
        // The settings take effect before the counters run.
        registers.pmcntenset().synchronize();
        Ok(())
    }

    fn counts(&self, trial: &Trial, before: pmcr::R) -> Result<Counts, Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let on = registers.pmcntenset().read();
        let is_on = before.e().bit() && on.p().bits() == IN_USE && on.c().bit();
        let is_same_clock = !before.d().bit() && before.dp().bit() == trial.needs_debug;
        let held = self.read_counters()?;
        // Counts of another event would lead to a wrong cause.
        let is_same = held.map(|held| held.0) == trial.counters().map(|counter| counter.0);
        if !(is_on && is_same_clock && is_same) {
            return Err(Found::new(Finding::EnableLost, before.bits()));
        }
        let [(_, instructions), (_, events), ..] = held;
        Ok(Counts { cycles: self.cycle_value(), instructions, events })
    }
}

impl<B: Bus<Space = Space>, M: Mode> Hardware<B, M> {
    /// Checks the number of counters, and that each can be selected.
    fn look_at_counters(&self) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let counters = registers.pmcr().read().n().bits();
        if usize::from(counters) != COUNTERS {
            // The selection of a counter that does not exist is unpredictable.
            return Err(Found::new(Finding::Counters, counters.into()));
        }
        let before = registers.pmselr().read().sel().bits();
        // Two attempts, because other software may move the selector back after one.
        let is_fixed = [1, 2].into_iter().all(|step| {
            self.select((usize::from(before) + step) % COUNTERS);
            registers.pmselr().read().sel().bits() == before
        });
        registers.pmselr().write(|w| w.sel().set(before));
        registers.pmselr().synchronize();
        if is_fixed { Err(Found::new(Finding::WritesIgnored, before.into())) } else { Ok(()) }
    }

    /// Disables each counter, and waits until that has taken effect.
    fn disable_each(&self) {
        let pmcntenclr = Registers::shared(&self.bus).pmcntenclr();
        pmcntenclr.write(|w| w.p().set(ALL_COUNTERS as u8).c().clear_bit_by_one());
        pmcntenclr.synchronize();
    }

    /// Checks that this counter is still selected.
    fn selector_stayed(&self, counter: usize) -> Result<(), Found<Finding>> {
        let selected = Registers::shared(&self.bus).pmselr().read().sel().bits();
        if usize::from(selected) == counter {
            Ok(())
        } else {
            Err(Found::new(Finding::SelectorMoved, selected.into()))
        }
    }

    /// Reads events and counts of all counters, unless the selector is moved meanwhile.
    fn read_counters(&self) -> Result<[Held; COUNTERS], Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let mut all = [(0, 0); COUNTERS];
        for (counter, held) in all.iter_mut().enumerate() {
            self.select(counter);
            *held = (registers.pmxevtyper().read().evt_count().bits(), self.value(counter));
            self.selector_stayed(counter)?;
        }
        Ok(all)
    }

    /// Writes all counters, which are disabled.
    ///
    /// If other software moves the selector once, the counters hold the values, but this returns an
    /// error.
    fn write_counters(&self, what: [Held; COUNTERS]) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let mut stayed = Ok(());
        for _ in 0..MOST_ROUNDS {
            for (counter, (event, count)) in what.into_iter().enumerate() {
                self.select(counter);
                registers.pmxevtyper().write(|w| w.evt_count().set(event));
                registers.pmxevcntr().write(|w| w.count().set(count));
                stayed = stayed.and(self.selector_stayed(counter));
            }
            // Checked in a second loop: a write may have reached another counter than the selected
            // one.
            match self.read_counters() {
                Ok(held) if held == what => return stayed,
                Ok(held) if stayed.is_ok() => {
                    let other = held.iter().zip(&what).find(|(held, what)| held != what);
                    let event = other.map_or(0, |((event, _), _)| *event);
                    return Err(Found::new(Finding::WritesIgnored, event.into()));
                }
                Ok(_) => {}
                Err(found) => stayed = stayed.and(Err(found)),
            }
        }
        stayed
    }
}
