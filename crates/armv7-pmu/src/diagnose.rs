//! Diagnosis of a counter that reads zero.
//!
//! The diagnosis tests the possible causes one after another. Each implementation has its own texts
//! for the causes.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnosable, Trials};
use arm_pmu_core::diagnose::{Diagnosis, Found};
use arm_pmu_core::driver::{Clock, Driver, Hardware as _};
use arm_pmu_core::event::EventOrCycles;

use crate::filter::{self, FilterOf};
use crate::hardware::{FILTER_OF_CYCLES, Hardware};
use crate::registers::{Registers, Space, pmcntenset, pmcr, pmxevtyper};
use crate::{CYCLE, Finding, Implementation, Mode};

/// Highest number of attempts to write all counters while other software moves the selector.
const MOST_ROUNDS: usize = 3;

/// Counters that count during a trial: 0 and 1.
const IN_USE: u32 = 0b11;

/// Diagnoses the PMU: counts cycles, instructions and an expected event.
///
/// The diagnosis calls `work` once if the clock stands still, three times if non-invasive debug is
/// not permitted, and otherwise twice. `work` has to execute instructions.
///
/// In User mode, the diagnosis first reads PMUSERENR, which User mode can always read.
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

/// Contents of PMXEVTYPER and PMXEVCNTR of one counter.
type Held = (u32, u32);

/// The event field of PMXEVTYPER.
const EVENT: u32 = 0xFF;

/// Saved values of the registers that the trials change.
#[derive(Debug)]
pub struct Saved<const N: usize> {
    pmcr: pmcr::R,
    enables: pmcntenset::R,
    selector: u8,
    cycles: u32,
    counters: [Held; N],
    /// PMXEVTYPER of the cycle counter; 0 if it has no filter.
    cycles_filter: u32,
}

/// Settings of one trial: the expected event, and whether the cycle counter needs non-invasive
/// debug.
#[derive(Debug)]
pub struct Trial {
    needs_debug: bool,
    /// Code of the expected event.
    expected: Option<u8>,
}

impl Trial {
    /// Counter 0 counts instructions, counter 1 the expected event.
    fn counters<P: Implementation, const N: usize>(&self) -> [Held; N] {
        let mut counters = [(type_of::<P>(P::INSTRUCTION), 0); N];
        if let (Some(expected), [_, second, ..]) = (self.expected, &mut counters[..]) {
            second.0 = type_of::<P>(expected);
        }
        counters
    }
}

/// PMXEVTYPER value that counts this event in all modes.
fn type_of<P: Implementation>(event: u8) -> u32 {
    u32::from(event) | type_of_cycles::<P>()
}

/// PMXEVTYPER value that makes the cycle counter count in all modes.
fn type_of_cycles<P: Implementation>() -> u32 {
    <P::Filter as FilterOf>::ALL.word()
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
        let cycles_filter = self.filter_of_cycles();
        registers.pmselr().write(|w| w.sel().set(selector));
        Ok(Saved {
            pmcr: registers.pmcr().read(),
            enables: registers.pmcntenset().read(),
            selector,
            cycles: registers.pmccntr().read().count().bits(),
            counters: counters?,
            cycles_filter: cycles_filter?,
        })
    }

    fn restore(&mut self, saved: &Saved<N>) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        self.disable_each();
        let written = self.write_counters(saved.counters, saved.cycles_filter);
        registers.pmccntr().write(|w| w.count().set(saved.cycles));
        registers.pmcntenset().write(|w| {
            let w = w.p().set(saved.enables.p().bits() & Self::ALL_COUNTERS);
            if saved.enables.c().bit() { w.c().set_bit() } else { w }
        });
        registers.pmcr().modify_from(saved.pmcr, |w| w);
        written
    }

    fn restore_selector(&mut self, saved: &Saved<N>) {
        Registers::shared(&self.bus).pmselr().write(|w| w.sel().set(saved.selector));
    }

    fn try_out(
        trials: &mut Trials<'_, Self, N>,
        expected: Option<P::Selection>,
    ) -> Result<(), Found<Finding>> {
        // First write events and counts that differ from the saved ones, to detect ignored writes.
        let other = |held: u32| {
            let event = if held & EVENT == P::INSTRUCTION.into() { CYCLE } else { P::INSTRUCTION };
            type_of::<P>(event)
        };
        let others = trials.saved.counters.map(|(held, count)| (other(held), !count));
        trials.hardware().write_counters(others, type_of_cycles::<P>())?;
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
        self.write_counters(trial.counters::<P, N>(), type_of_cycles::<P>())?;
        registers.pmccntr().write(|w| w.count().set(0));
        registers.pmcntenset().write(|w| w.p().set(IN_USE).c().set_bit());
        // The settings must take effect before the counters run.
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
        let is_same_filter = self.filter_of_cycles()? == type_of_cycles::<P>();
        // If a counter counted another event, the diagnosis would report a wrong cause.
        let is_same = held.map(|held| held.0) == trial.counters::<P, N>().map(|counter| counter.0);
        if !(is_on && is_same_clock && is_same && is_same_filter) {
            return Err(Found::new(Finding::EnableLost, before.bits()));
        }
        let count = |counter: usize| held.get(counter).map_or(0, |(_, count)| *count);
        let (instructions, events) = (count(0), count(1));
        Ok(Counts { cycles: self.cycle_value(), instructions, events })
    }
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> Hardware<P, B, M, N> {
    /// Checks the number of counters, and that each counter can be selected.
    fn look_at_counters(&self) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let counters = registers.pmcr().read().n().bits();
        if usize::from(counters) != N {
            // The effect of selecting a counter that does not exist is unpredictable.
            return Err(Found::new(Finding::Counters, counters.into()));
        }
        let before = registers.pmselr().read().sel().bits();
        // Two attempts, because other software may move the selector back after one attempt.
        let is_fixed = [1, 2].into_iter().all(|step| {
            self.select((usize::from(before) + step) % N);
            registers.pmselr().read().sel().bits() == before
        });
        registers.pmselr().write(|w| w.sel().set(before));
        registers.pmselr().synchronize();
        if is_fixed { Err(Found::new(Finding::WritesIgnored, before.into())) } else { Ok(()) }
    }

    /// Disables each counter, and waits until all are off.
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

    /// Reads PMXEVTYPER and PMXEVCNTR of all counters, unless the selector is moved meanwhile.
    fn read_counters(&self) -> Result<[Held; N], Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let mut all = [(0, 0); N];
        for (counter, held) in all.iter_mut().enumerate() {
            self.select(counter);
            *held = (registers.pmxevtyper().read().bits(), self.value(counter));
            self.selector_stayed(counter)?;
        }
        Ok(all)
    }

    /// Writes all event counters and the filter of the cycle counter while they are disabled.
    ///
    /// If other software moves the selector once, the values are still written to all counters, but
    /// the result is an error.
    fn write_counters(&self, what: [Held; N], cycles: u32) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let mut stayed = Ok(());
        for _ in 0..MOST_ROUNDS {
            stayed = stayed.and(self.write_filter_of_cycles(cycles));
            for (counter, (of_type, count)) in what.into_iter().enumerate() {
                self.select(counter);
                registers.pmxevtyper().modify_from(pmxevtyper::R::from_bits(of_type), |w| w);
                registers.pmxevcntr().write(|w| w.count().set(count));
                stayed = stayed.and(self.selector_stayed(counter));
            }
            // Checked in a second loop, because a write may have reached the wrong counter.
            let held = self.read_counters().and_then(|held| Ok((held, self.filter_of_cycles()?)));
            match held {
                Ok(held) if held == (what, cycles) => return stayed,
                Ok((held, _)) if stayed.is_ok() => {
                    let other = held.iter().zip(&what).find(|(held, what)| held != what);
                    let event = other.map_or(0, |((held, _), _)| *held & EVENT);
                    return Err(Found::new(Finding::WritesIgnored, event));
                }
                Ok(_) => {}
                Err(found) => stayed = stayed.and(Err(found)),
            }
        }
        stayed
    }

    /// Returns PMXEVTYPER of the cycle counter, or 0 if the PMU has no filter. Fails if the selector is moved
    /// meanwhile.
    fn filter_of_cycles(&self) -> Result<u32, Found<Finding>> {
        if !P::Filter::EXISTS {
            return Ok(0);
        }
        self.select(FILTER_OF_CYCLES);
        let held = Registers::shared(&self.bus).pmxevtyper().read().bits();
        self.selector_stayed(FILTER_OF_CYCLES)?;
        Ok(held & filter::MASK)
    }

    /// Writes PMXEVTYPER of the cycle counter, if it has a filter.
    ///
    /// If other software moves the selector meanwhile, the result is an error, and another counter
    /// may have changed.
    fn write_filter_of_cycles(&self, of_type: u32) -> Result<(), Found<Finding>> {
        if !P::Filter::EXISTS {
            return Ok(());
        }
        self.select(FILTER_OF_CYCLES);
        let pmxevtyper = Registers::shared(&self.bus).pmxevtyper();
        pmxevtyper.modify_from(pmxevtyper::R::from_bits(of_type), |w| w);
        self.selector_stayed(FILTER_OF_CYCLES)
    }
}
