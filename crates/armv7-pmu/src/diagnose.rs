//! Diagnosis of a counter that reads zero.
//!
//! It tests the possible causes one after another. Each implementation has its own texts.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnosable, Trials};
use arm_pmu_core::diagnose::{Diagnosis, Found};
use arm_pmu_core::driver::{Clock, Driver, Hardware as _};
use arm_pmu_core::event::EventOrCycles;

use crate::hardware::Hardware;
use crate::registers::{Registers, Space, pmcntenset, pmcr};
use crate::{CYCLE, Finding, Implementation, Mode};

/// Largest number of writes of all counters while other software moves the selector.
const MOST_ROUNDS: usize = 3;

/// The counters that count during a trial: 0 and 1.
const IN_USE: u32 = 0b11;

/// Diagnoses by counting cycles, instructions and an expected event.
///
/// It calls `work` once if the clock stands still, three times if non-invasive debug is not
/// permitted, else twice. `work` has to execute instructions.
///
/// In User mode, it checks PMUSERENR first, which User mode may always read.
pub fn diagnose<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize>(
    driver: &mut Driver<Hardware<P, B, M, N>, P::Selection, N, Clock>,
    expected: Option<EventOrCycles<P::Selection>>,
    work: impl FnMut(),
) -> Diagnosis<P::Finding> {
    let identify = |hardware: &Hardware<P, B, M, N>, _: &mut _| {
        M::check_access(&hardware.bus)?;
        hardware.look_at_counters()
    };
    driver.diagnose(identify, expected, work).map(Into::into)
}

/// Event number and count of one counter.
type Held = (u8, u32);

/// Saved values of the registers that the trials change.
#[derive(Debug)]
pub struct Saved<const N: usize> {
    pmcr: pmcr::R,
    enables: pmcntenset::R,
    selector: u8,
    cycles: u32,
    counters: [Held; N],
}

/// Settings of one trial: whether the cycles need non-invasive debug, and the expected event.
#[derive(Debug)]
pub struct Trial {
    needs_debug: bool,
    /// The number of the expected event.
    expected: Option<u8>,
}

impl Trial {
    /// Instructions on counter 0, the expected event on counter 1.
    fn counters<P: Implementation, const N: usize>(&self) -> [Held; N] {
        let mut counters = [(P::INSTRUCTION, 0); N];
        if let (Some(expected), [_, second, ..]) = (self.expected, &mut counters[..]) {
            second.0 = expected;
        }
        counters
    }
}

#[derive(Debug)]
pub struct Counts {
    cycles: u32,
    instructions: u32,
    /// Count of the expected event.
    events: u32,
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> Diagnosable<N>
    for Hardware<P, B, M, N>
{
    type Finding = Finding;
    type Saved = Saved<N>;
    type Trial = Trial;
    type Counts = Counts;
    const BUS_ERROR: Finding = Finding::NoAccess;
    const INTERFERENCE: Finding = Finding::Interference;

    fn save(&mut self) -> Result<Saved<N>, Found<Finding>> {
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

    fn restore(&mut self, saved: &Saved<N>) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        self.disable_each();
        let written = self.write_counters(saved.counters);
        registers.pmccntr().write(|w| w.count().set(saved.cycles));
        registers.pmselr().write(|w| w.sel().set(saved.selector));
        registers.pmcntenset().write(|w| {
            let w = w.p().set(saved.enables.p().bits() & Self::ALL_COUNTERS);
            if saved.enables.c().bit() { w.c().set_bit() } else { w }
        });
        registers.pmcr().modify_from(saved.pmcr, |w| w);
        written
    }

    fn try_out(
        trials: &mut Trials<'_, Self, N>,
        expected: Option<P::Selection>,
    ) -> Result<(), Found<Finding>> {
        // Events and counts that differ from the saved ones.
        let other = |event| if event == P::INSTRUCTION { CYCLE } else { P::INSTRUCTION };
        let others = trials.saved.counters.map(|(event, count)| (other(event), !count));
        trials.hardware().write_counters(others)?;
        let expected = expected.map(|expected| expected.into() as u8);
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
        self.write_counters(trial.counters::<P, N>())?;
        registers.pmccntr().write(|w| w.count().set(0));
        registers.pmcntenset().write(|w| w.p().set(IN_USE).c().set_bit());
        // The settings take effect before the counters run.
        registers.pmcntenset().synchronize();
        Ok(())
    }

    fn counts(&self, trial: &Trial, before: pmcr::R) -> Result<Counts, Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let on = registers.pmcntenset().read();
        let counters = on.p().bits() & Self::ALL_COUNTERS;
        let is_on = before.e().bit() && counters == IN_USE && on.c().bit();
        let is_same_clock = !before.d().bit() && before.dp().bit() == trial.needs_debug;
        let held = self.read_counters()?;
        // Counts of another event would lead to a wrong cause.
        let is_same = held.map(|held| held.0) == trial.counters::<P, N>().map(|counter| counter.0);
        if !(is_on && is_same_clock && is_same) {
            return Err(Found::new(Finding::EnableLost, before.bits()));
        }
        let count = |counter: usize| held.get(counter).map_or(0, |(_, count)| *count);
        let (instructions, events) = (count(0), count(1));
        Ok(Counts { cycles: self.cycle_value(), instructions, events })
    }
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> Hardware<P, B, M, N> {
    /// Checks the number of counters, and that each can be selected.
    fn look_at_counters(&self) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let counters = registers.pmcr().read().n().bits();
        if usize::from(counters) != N {
            // The selection of a counter that does not exist is unpredictable.
            return Err(Found::new(Finding::Counters, counters.into()));
        }
        let before = registers.pmselr().read().sel().bits();
        // Two attempts, because other software may move the selector back after one.
        let is_fixed = [1, 2].into_iter().all(|step| {
            self.select((usize::from(before) + step) % N);
            registers.pmselr().read().sel().bits() == before
        });
        registers.pmselr().write(|w| w.sel().set(before));
        registers.pmselr().synchronize();
        if is_fixed { Err(Found::new(Finding::WritesIgnored, before.into())) } else { Ok(()) }
    }

    /// Disables each counter, and waits until that has taken effect.
    fn disable_each(&self) {
        let pmcntenclr = Registers::shared(&self.bus).pmcntenclr();
        pmcntenclr.write(|w| w.p().set(Self::ALL_COUNTERS).c().clear_bit_by_one());
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
    fn read_counters(&self) -> Result<[Held; N], Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let mut all = [(0, 0); N];
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
    fn write_counters(&self, what: [Held; N]) -> Result<(), Found<Finding>> {
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
