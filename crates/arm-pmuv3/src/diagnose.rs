//! Diagnosis of a counter that reads zero.
//!
//! The diagnosis tests the possible causes one after another. Each implementation has its own texts
//! for the causes.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnosable, Diagnosis, Found, Trials};
use arm_pmu_core::driver::{Clock, Driver, Hardware as _};
use arm_pmu_core::event::EventOrCycles;

use crate::filter::{self, Filter};
use crate::hardware::{EVENT, Hardware};
use crate::registers::{Registers, Space, pmccfiltr_el0, pmcntenset_el0, pmcr_el0, pmevtyper_el0};
use crate::{CYCLE, Cause, Implementation, Mode};

/// Counters that count during a trial: 0 and 1.
const IN_USE: u32 = 0b11;

/// Diagnoses the PMU: counts cycles, instructions and an expected event.
///
/// The diagnosis calls `work` once if the clock stands still, three times if event counting is prohibited, and
/// otherwise twice. `work` has to execute instructions.
///
/// At EL0, the diagnosis first reads PMUSERENR_EL0, which EL0 can always read. At EL2 and EL3, it also reads
/// MDCR_EL2 and MDCR_EL3.
pub fn diagnose<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize>(
    driver: &mut Driver<Hardware<P, B, M, N>, P::Selection, N, Clock, u64>,
    expected: Option<EventOrCycles<P::Selection>>,
    work: impl FnMut(),
) -> Diagnosis<P::Finding> {
    let identify = |hardware: &Hardware<P, B, M, N>, diagnosis: &mut _| {
        M::check_access(&hardware.bus)?;
        hardware.look_at_counters()?;
        hardware.look_at_el2(diagnosis)
    };
    driver.diagnose(identify, expected, work).map(Into::into)
}

/// Contents of PMEVTYPER and PMEVCNTR of one counter.
type Held = (u64, u64);

/// Saved values of the registers that the trials change.
#[derive(Debug)]
pub struct Saved<const N: usize> {
    pmcr: pmcr_el0::R,
    enables: pmcntenset_el0::R,
    cycles: u64,
    counters: [Held; N],
    filter_of_cycles: u64,
}

/// Settings of one trial: the expected event, and whether the cycle counter stops where counting is
/// prohibited.
#[derive(Debug)]
pub struct Trial {
    stops: bool,
    /// Code of the expected event.
    expected: Option<u16>,
}

impl Trial {
    /// Counter 0 counts instructions, counter 1 the expected event.
    fn counters<P: Implementation, const N: usize>(&self) -> [Held; N] {
        let mut counters = [(type_of(P::INSTRUCTION), 0); N];
        if let (Some(expected), [_, second, ..]) = (self.expected, &mut counters[..]) {
            second.0 = type_of(expected);
        }
        counters
    }
}

/// PMEVTYPER value that counts this event at every level.
fn type_of(event: u16) -> u64 {
    u64::from(event) | u64::from(Filter::ALL.bits())
}

#[derive(Debug)]
pub struct Counts {
    cycles: u64,
    instructions: u32,
    /// Count of the expected event.
    events: u32,
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> Diagnosable<N>
    for Hardware<P, B, M, N>
{
    type Finding = Cause;
    type Saved = Saved<N>;
    type Trial = Trial;
    type Counts = Counts;
    const BUS_ERROR: Cause = Cause::NoAccess;
    const INTERFERENCE: Cause = Cause::Interference;

    fn save(&mut self) -> Result<Saved<N>, Found<Cause>> {
        let registers = Registers::shared(&self.bus);
        Ok(Saved {
            pmcr: registers.pmcr_el0().read(),
            enables: registers.pmcntenset_el0().read(),
            cycles: registers.pmccntr_el0().read().count().bits(),
            counters: self.read_counters(),
            filter_of_cycles: self.filter_of_cycles(),
        })
    }

    fn restore(&mut self, saved: &Saved<N>) -> Result<(), Found<Cause>> {
        let registers = Registers::shared(&self.bus);
        self.disable_each();
        let written = self.write_counters(saved.counters, saved.filter_of_cycles);
        registers.pmccntr_el0().write(|w| w.count().set(saved.cycles));
        registers.pmcntenset_el0().write(|w| {
            let w = w.p().set(saved.enables.p().bits() & Self::all_there(saved.pmcr));
            if saved.enables.c().bit() { w.c().set_bit() } else { w }
        });
        registers.pmcr_el0().modify_from(saved.pmcr, |w| w);
        registers.pmcr_el0().synchronize();
        written
    }

    fn try_out(
        trials: &mut Trials<'_, Self, N>,
        expected: Option<P::Selection>,
    ) -> Result<(), Found<Cause>> {
        // First write events, counts and a filter that differ from the saved ones, to detect ignored writes.
        let other = |held: u64| {
            let event = if held & EVENT == P::INSTRUCTION.into() { CYCLE } else { P::INSTRUCTION };
            type_of(event)
        };
        let others =
            trials.saved.counters.map(|(held, count)| (other(held), count ^ u64::from(u32::MAX)));
        let other_filter = !trials.saved.filter_of_cycles & filter::OF_EL1_AND_EL0;
        trials.hardware().write_counters(others, other_filter)?;
        let expected = expected.map(Into::into);
        let counts = trials.count_with_and_without_debug(
            |stops| Trial { stops, expected },
            |counts| counts.cycles as u32,
            [Cause::ClockStandsStill, Cause::CountingProhibited],
        );
        let counts = counts.map_err(|found| trials.hardware().explain(found))?;
        if counts.iter().all(|counts| counts.instructions == 0) {
            return Err(Found::new(Cause::InstructionsNotCounted, 0));
        }
        trials.diagnosis.add_proof();
        if expected.is_some() && counts.iter().all(|counts| counts.events == 0) {
            return Err(Found::new(Cause::ExpectedEventNotCounted, 0));
        }
        Ok(())
    }

    fn set_up(&mut self, trial: &mut Trial) -> Result<(), Found<Cause>> {
        let registers = Registers::shared(&self.bus);
        self.disable_each();
        // With FZO, a flag that an earlier owner left would stop the counters.
        registers.pmcr_el0().modify(|_, w| {
            w.lc().set_bit().d().clear_bit().dp().bit(trial.stops).fzo().clear_bit()
        });
        self.write_counters(trial.counters::<P, N>(), Filter::ALL.bits().into())?;
        registers.pmccntr_el0().write(|w| w.count().set(0));
        registers.pmcntenset_el0().write(|w| w.p().set(IN_USE).c().set_bit());
        // The settings must take effect before the counters run.
        registers.pmcntenset_el0().synchronize();
        Ok(())
    }

    fn counts(&self, trial: &Trial, before: pmcr_el0::R) -> Result<Counts, Found<Cause>> {
        let registers = Registers::shared(&self.bus);
        let on = registers.pmcntenset_el0().read();
        let counters = on.p().bits() & Self::ALL_COUNTERS;
        let is_on = before.e().bit() && counters == IN_USE && on.c().bit();
        let is_same_clock = before.lc().bit() && before.dp().bit() == trial.stops;
        let held = self.read_counters();
        let filter = self.filter_of_cycles();
        let is_same_filter = filter::is_held(filter, Filter::ALL.bits().into());
        // If a counter counted another event, the diagnosis would report a wrong cause.
        let expected =
            trial.counters::<P, N>().map(|(of_type, _)| of_type & !filter::MASK | filter);
        let is_same = held.map(|held| held.0) == expected;
        if !(is_on && is_same_clock && is_same && is_same_filter) {
            return Err(Found::new(Cause::EnableLost, before.bits() as u32));
        }
        let count = |counter: usize| held.get(counter).map_or(0, |(_, count)| *count as u32);
        let (instructions, events) = (count(0), count(1));
        let cycles = registers.pmccntr_el0().read().count().bits();
        Ok(Counts { cycles, instructions, events })
    }
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> Hardware<P, B, M, N> {
    /// Checks that PMCR_EL0.N includes all counters of the driver.
    ///
    /// The effect of an access to a counter beyond PMCR_EL0.N is unpredictable.
    fn look_at_counters(&self) -> Result<(), Found<Cause>> {
        let counters = self.control().n().bits();
        match usize::from(counters) < N {
            true => Err(Found::new(Cause::Counters, counters.into())),
            false => Ok(()),
        }
    }

    /// If MDCR_EL2 is readable, checks that PMCR_EL0.E enables all counters.
    ///
    /// The trials need the first two counters.
    fn look_at_el2(&self, diagnosis: &mut Diagnosis<Cause>) -> Result<(), Found<Cause>> {
        let Some(hpmn) = M::control(&self.bus).hpmn() else { return Ok(()) };
        let found = Found::new(Cause::ReservedForEl2, hpmn.into());
        match usize::from(hpmn) {
            0 | 1 => Err(found),
            counters if counters < N => {
                diagnosis.add(found.finding, found.value);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Names the control bit that made a trial fail, if this software can read the bit.
    fn explain(&self, found: Found<Cause>) -> Found<Cause> {
        let control = M::control(&self.bus);
        let by_control = match found.finding {
            Cause::ClockStandsStill => control.stops_cycles(),
            Cause::CountingProhibited => control.prohibits(),
            _ => None,
        };
        by_control.unwrap_or(found)
    }

    /// Disables each counter, and waits until all are off.
    fn disable_each(&self) {
        let pmcntenclr = Registers::shared(&self.bus).pmcntenclr_el0();
        let all = if P::HAS_OTHERS { Self::all_there(self.control()) } else { Self::ALL_COUNTERS };
        pmcntenclr.write(|w| w.p().set(all).c().clear_bit_by_one());
        pmcntenclr.synchronize();
    }

    /// Reads PMEVTYPER and PMEVCNTR of all counters.
    fn read_counters(&self) -> [Held; N] {
        let registers = Registers::shared(&self.bus);
        let mut all = [(0, 0); N];
        for (counter, held) in all.iter_mut().enumerate() {
            let of_type = registers.pmevtyper_el0_at(counter).read().bits() & Self::TYPE;
            *held = (of_type, registers.pmevcntr_el0_at(counter).read().count().bits());
        }
        all
    }

    /// Writes all event counters and the filter of the cycle counter while they are disabled.
    fn write_counters(&self, what: [Held; N], cycles: u64) -> Result<(), Found<Cause>> {
        let registers = Registers::shared(&self.bus);
        for (counter, (of_type, count)) in what.into_iter().enumerate() {
            let of_type = pmevtyper_el0::R::from_bits(of_type);
            registers.pmevtyper_el0_at(counter).modify_from(of_type, |w| w);
            registers.pmevcntr_el0_at(counter).write(|w| w.count().set(count));
        }
        registers.pmccfiltr_el0().modify_from(pmccfiltr_el0::R::from_bits(cycles), |w| w);
        let held = self.read_counters();
        let differs =
            |(held, what): &(&Held, &Held)| !filter::is_held(held.0, what.0) || held.1 != what.1;
        let other = held.iter().zip(&what).find(differs);
        if other.is_none() && filter::is_held(self.filter_of_cycles(), cycles) {
            return Ok(());
        }
        let event = other.map_or(0, |((held, _), _)| (*held & EVENT) as u32);
        Err(Found::new(Cause::WritesIgnored, event))
    }

    fn filter_of_cycles(&self) -> u64 {
        Registers::shared(&self.bus).pmccfiltr_el0().read().bits() & filter::MASK
    }
}
