//! Why does a counter read zero? The causes in the order in which they are decided. Their texts are in
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

/// How often counters are written until they hold it, if another party moves the selector meanwhile.
const MOST_ROUNDS: usize = 3;

const INSTRUCTION: u8 = CortexA8Event::InstructionExecuted as u8;
const CYCLE: u8 = CortexA8Event::Cycle as u8;

/// The counters that count during a trial: 0 and 1.
const IN_USE: u8 = 0b11;

/// `work` is called once if the clock stands still, three times if non-invasive debug is not
/// permitted, else twice. It has to execute instructions, which the default does.
///
/// PMCR, the enables, PMSELR, and all events and counts are written back. Overflow flags and interrupt
/// enables are not touched; no flag can come up, as the counters that are tried start from 0. The phase
/// of the divider by 64, which no register shows, is not written back.
///
/// Which core it is the PMU does not tell: [`Pmu::diagnose_processor`] takes the Main ID Register.
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

/// As in a privileged mode, but first it reads, as it always may, whether User mode is let in: so that
/// it ends in a finding, and not in an Undefined Instruction exception, if a kernel shut it out
/// after [`open`](Pmu::open).
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
    /// [`diagnose_with`](Diagnose::diagnose_with), after a look at the Main ID Register, which
    /// [`Cp15::main_id`](crate::Cp15::main_id) reads: nothing is tried on another processor.
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

/// The number of its event, and the count of one counter.
type Held = (u8, u32);

/// The registers that trials change.
pub(crate) struct Saved {
    pmcr: pmcr::R,
    enables: pmcntenset::R,
    selector: u8,
    cycles: u32,
    counters: [Held; COUNTERS],
}

/// What counts beside the cycles and the instructions, and whether cycles need non-invasive debug.
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
    /// Of the expected event.
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
        // Other events and counts than there were.
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
        // What was set takes effect before the counters run.
        registers.pmcntenset().synchronize();
        Ok(())
    }

    fn counts(&self, trial: &Trial, before: pmcr::R) -> Result<Counts, Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let on = registers.pmcntenset().read();
        let is_on = before.e().bit() && on.p().bits() == IN_USE && on.c().bit();
        let is_same_clock = !before.d().bit() && before.dp().bit() == trial.needs_debug;
        let held = self.read_counters()?;
        // Counts of something else would tell of the wrong cause.
        let is_same = held.map(|held| held.0) == trial.counters().map(|counter| counter.0);
        if !(is_on && is_same_clock && is_same) {
            return Err(Found::new(Finding::EnableLost, before.bits()));
        }
        let [(_, instructions), (_, events), ..] = held;
        Ok(Counts { cycles: self.cycle_value(), instructions, events })
    }
}

impl<B: Bus<Space = Space>, M: Mode> Hardware<B, M> {
    /// Whether there are as many counters as there should be, which can be selected.
    fn look_at_counters(&self) -> Result<(), Found<Finding>> {
        let registers = Registers::shared(&self.bus);
        let counters = registers.pmcr().read().n().bits();
        if usize::from(counters) != COUNTERS {
            // To select one that is not there is unpredictable.
            return Err(Found::new(Finding::Counters, counters.into()));
        }
        let before = registers.pmselr().read().sel().bits();
        // Of two tries, as another party may put it back after one.
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

    /// Whether this counter is still selected.
    fn selector_stayed(&self, counter: usize) -> Result<(), Found<Finding>> {
        let selected = Registers::shared(&self.bus).pmselr().read().sel().bits();
        if usize::from(selected) == counter {
            Ok(())
        } else {
            Err(Found::new(Finding::SelectorMoved, selected.into()))
        }
    }

    /// What all counters hold, if the selector is not moved meanwhile.
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

    /// Lets all counters, which are disabled, hold this. If another party moves the selector once, they
    /// hold it all the same, but that is an error.
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
            // In a second round: a write may have reached another counter than that which was selected.
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
