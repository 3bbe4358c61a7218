//! Why does a counter read zero? What is tried, in which order. The findings are those of
//! `specs/cortex-a8/findings.yaml`.

use arm_pmu_core::{Bus, Diagnose, Diagnosis, EventOrCycles};

use crate::registers::{Registers, pmcr};
use crate::{COUNTERS, CortexA8Event, Finding, Mode, Pmu, Privileged, Selection, Space, User};

/// One bit for each event counter.
const ALL_COUNTERS: u8 = (1 << COUNTERS) - 1;

/// How often counters are written until they hold it, if somebody moves the selector meanwhile.
const MOST_ROUNDS: usize = 3;

const INSTRUCTION: u8 = CortexA8Event::InstructionExecuted as u8;
const CYCLE: u8 = CortexA8Event::Cycle as u8;

/// Whether PMSELR stays as it is, whatever is written: then gives what it holds. It is afterwards
/// as before.
///
/// Of two tries, as somebody else may put it back after one.
fn selector_is_fixed<B: Bus<Space = Space>>(bus: &B) -> Option<u8> {
    let pmselr = Registers::shared(bus).pmselr();
    let before = pmselr.read().sel().bits();
    let fixed = [1, 2].into_iter().all(|step| {
        pmselr.write(|w| w.sel().set((before + step) % COUNTERS as u8));
        bus.synchronize();
        pmselr.read().sel().bits() == before
    });
    pmselr.write(|w| w.sel().set(before));
    bus.synchronize();
    fixed.then_some(before)
}

/// What one counter holds: the number of its event, and the count.
type Held = (u8, u32);

/// `work` is called once if the clock stands still, three times if non-invasive debug is not
/// permitted, else twice. It has to execute instructions, which the default does.
///
/// Put back are PMCR, the enables, PMSELR, and all events and counts. Overflow flags and interrupt
/// enables are not touched; no flag can come up, as the counters that are tried start from 0. Not
/// put back is the phase of the divider by 64, which no register shows.
///
/// Which core it is the PMU does not tell: [`Pmu::diagnose_processor`] takes the Main ID Register.
impl<B: Bus<Space = Space>> Diagnose for Pmu<B, Privileged> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<EventOrCycles<Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        self.diagnose_open(expected, work)
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
        let user = Registers::shared(self.bus()).pmuserenr().read();
        if self.bus().error().is_none() && !user.en().bit() {
            return Diagnosis::only(Finding::UserModeClosed, user.bits());
        }
        self.diagnose_open(expected, work)
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

impl<B: Bus<Space = Space>, M: Mode> Pmu<B, M> {
    fn diagnose_open(
        &mut self,
        expected: Option<EventOrCycles<Selection>>,
        mut work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        let expected = match expected {
            Some(EventOrCycles::Event(selection)) => Some(selection.id() as u8),
            Some(EventOrCycles::Cycles) | None => None,
        };
        let mut diagnosis = Diagnosis::new();
        let counters = Registers::shared(self.bus()).pmcr().read().n().bits();
        if usize::from(counters) != COUNTERS {
            // To select one that is not there is unpredictable.
            diagnosis.add(Finding::Counters, counters.into());
        } else if let Some(selector) = selector_is_fixed(self.bus()) {
            diagnosis.add(Finding::WritesIgnored, selector.into());
        } else {
            match Saved::stop(self.bus()) {
                Ok(saved) => {
                    let before = PutBack { bus: self.bus(), saved: &saved };
                    self.try_counting(&saved, expected, &mut work, &mut diagnosis);
                    // What it gives is told; a panic of the work only puts back.
                    core::mem::forget(before);
                    let written = saved.put_back(self.bus());
                    if diagnosis.found_nothing() {
                        tell(written, &mut diagnosis);
                    }
                }
                Err(selector) => diagnosis.add(Finding::SelectorMoved, selector),
            }
        }
        if self.bus().error().is_some() {
            return Diagnosis::only(Finding::NoAccess, 0);
        }
        diagnosis.add_lost(Finding::Interference, self.interference());
        diagnosis
    }

    /// Looks whether writes are taken, then lets the cycle counter run with and without a
    /// permission having a say, and counts instructions.
    fn try_counting(
        &self,
        saved: &Saved,
        expected: Option<u8>,
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<Finding>,
    ) -> Option<()> {
        // Other events and counts than there were.
        let others = saved
            .counters
            .map(|(event, count)| (if event == INSTRUCTION { CYCLE } else { INSTRUCTION }, !count));
        self.write_checked(others, diagnosis)?;
        let free = self.count_during(false, expected, work, diagnosis)?;
        if free.cycles == 0 {
            diagnosis.add(Finding::ClockStandsStill, 0);
            return None;
        }
        let needing = self.count_during(true, expected, work, diagnosis)?;
        if needing.cycles == 0 {
            // Whether it still runs tells the permission from a clock that stopped just then.
            let again = self.count_during(false, expected, work, diagnosis)?;
            let finding = match again.cycles {
                0 => Finding::ClockStandsStill,
                _ => Finding::DebugNotPermitted,
            };
            diagnosis.add(finding, 0);
        } else if free.instructions | needing.instructions == 0 {
            diagnosis.add(Finding::InstructionsNotCounted, 0);
        } else {
            diagnosis.add_proof();
            if expected.is_some() && free.expected_counts | needing.expected_counts == 0 {
                diagnosis.add(Finding::ExpectedEventNotCounted, 0);
            }
        }
        Some(())
    }

    /// Counts from 0 during the work; `None`, and why, if that did not go as it was set.
    fn count_during(
        &self,
        needs_debug: bool,
        expected: Option<u8>,
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<Finding>,
    ) -> Option<Tried> {
        let registers = Registers::shared(self.bus());
        registers.pmcntenclr().write(|w| w.p().set(ALL_COUNTERS).c().clear_bit_by_one());
        registers.pmcr().modify(|_, w| w.e().clear_bit().d().clear_bit().dp().bit(needs_debug));
        self.bus().synchronize();
        let expected = expected.unwrap_or(INSTRUCTION);
        let what = [(INSTRUCTION, 0), (expected, 0), (INSTRUCTION, 0), (INSTRUCTION, 0)];
        self.write_checked(what, diagnosis)?;
        registers.pmccntr().write(|w| w.count().set(0));
        registers.pmcntenset().write(|w| w.p().set(0b11).c().set_bit());
        registers.pmcr().modify(|_, w| w.e().set_bit());
        self.bus().synchronize();
        work();
        self.bus().synchronize();
        let pmcr = registers.pmcr().read();
        let on = registers.pmcntenset().read();
        registers.pmcr().modify(|_, w| w.e().clear_bit());
        registers.pmcntenclr().write(|w| w.p().set(ALL_COUNTERS).c().clear_bit_by_one());
        self.bus().synchronize();
        let cycles = registers.pmccntr().read().count().bits();
        let off = !pmcr.e().bit() || on.p().bits() != 0b11 || !on.c().bit();
        let other_clock = pmcr.d().bit() || pmcr.dp().bit() != needs_debug;
        match read_all(self.bus()) {
            // Counts of something else would tell of the wrong cause.
            Ok(held) if off || other_clock || held.map(|h| h.0) != what.map(|w| w.0) => {
                diagnosis.add(Finding::EnableLost, pmcr.bits());
                None
            }
            Ok([(_, instructions), (_, expected_counts), ..]) => {
                Some(Tried { cycles, instructions, expected_counts })
            }
            Err(selector) => {
                diagnosis.add(Finding::SelectorMoved, selector);
                None
            }
        }
    }

    /// Writes events and counts; `None`, and why, if they are not taken.
    fn write_checked(
        &self,
        what: [Held; COUNTERS],
        diagnosis: &mut Diagnosis<Finding>,
    ) -> Option<()> {
        tell(write_all(self.bus(), what), diagnosis)
    }
}

/// Adds why something was not written.
fn tell(written: Written, diagnosis: &mut Diagnosis<Finding>) -> Option<()> {
    match written {
        Written::Held => return Some(()),
        Written::Other(event) => diagnosis.add(Finding::WritesIgnored, event.into()),
        Written::Moved(selector) => diagnosis.add(Finding::SelectorMoved, selector),
    }
    None
}

/// Puts everything back if the work panics.
struct PutBack<'b, B: Bus<Space = Space>> {
    bus: &'b B,
    saved: &'b Saved,
}

impl<B: Bus<Space = Space>> Drop for PutBack<'_, B> {
    fn drop(&mut self) {
        self.saved.put_back(self.bus);
    }
}

/// What a try gave.
struct Tried {
    cycles: u32,
    instructions: u32,
    expected_counts: u32,
}

/// Selects a counter, does something with it, and looks whether it still is the one that is selected:
/// if not, gives which.
fn with_selected<B: Bus<Space = Space>, R>(
    bus: &B,
    number: u8,
    work: impl FnOnce(&Registers<'_, B>) -> R,
) -> Result<R, u32> {
    let registers = Registers::shared(bus);
    registers.pmselr().write(|w| w.sel().set(number));
    bus.synchronize();
    let result = work(&registers);
    let selected = registers.pmselr().read().sel().bits();
    if selected == number { Ok(result) } else { Err(selected.into()) }
}

/// What all counters hold. If the selector was moved meanwhile, gives where to.
fn read_all<B: Bus<Space = Space>>(bus: &B) -> Result<[Held; COUNTERS], u32> {
    let mut all = [(0, 0); COUNTERS];
    for (number, held) in (0..).zip(&mut all) {
        *held = with_selected(bus, number, |registers| {
            (
                registers.pmxevtyper().read().evt_count().bits(),
                registers.pmxevcntr().read().count().bits(),
            )
        })?;
    }
    Ok(all)
}

/// What became of a write.
enum Written {
    Held,
    /// Counter 0, or the first one that differs, has this event.
    Other(u8),
    /// The selector was moved, and points here.
    Moved(u32),
}

/// Lets all counters, which are off, hold this. Somebody who moves the selector once does not keep
/// it from that, but is told of.
fn write_all<B: Bus<Space = Space>>(bus: &B, what: [Held; COUNTERS]) -> Written {
    let mut moved = None;
    for _ in 0..MOST_ROUNDS {
        for (number, (event, count)) in (0..).zip(what) {
            let written = with_selected(bus, number, |registers| {
                registers.pmxevtyper().write(|w| w.evt_count().set(event));
                registers.pmxevcntr().write(|w| w.count().set(count));
            });
            moved = moved.or(written.err());
        }
        // In a second round: a write may have reached another counter than that which was selected.
        match read_all(bus) {
            Ok(held) if held == what => return moved.map_or(Written::Held, Written::Moved),
            Ok(held) if moved.is_none() => {
                let other = held.iter().zip(&what).find(|(held, what)| held != what);
                return Written::Other(other.map_or(0, |((event, _), _)| *event));
            }
            Ok(_) => {}
            Err(selector) => moved = moved.or(Some(selector)),
        }
    }
    moved.map_or(Written::Held, Written::Moved)
}

/// What the registers held that are changed.
struct Saved {
    pmcr: pmcr::R,
    counters_on: u8,
    cycles_on: bool,
    selector: u8,
    cycles: u32,
    counters: [Held; COUNTERS],
}

impl Saved {
    /// Stops all counters, and reads everything that will be changed. If the selector is moved
    /// again and again, gives where to, and leaves all as it was.
    fn stop<B: Bus<Space = Space>>(bus: &B) -> Result<Self, u32> {
        let registers = Registers::shared(bus);
        let selector = registers.pmselr().read().sel().bits();
        let pmcr = registers.pmcr().read();
        let on = registers.pmcntenset().read();
        registers.pmcr().modify(|_, w| w.e().clear_bit());
        registers.pmcntenclr().write(|w| w.p().set(ALL_COUNTERS).c().clear_bit_by_one());
        bus.synchronize();
        let mut counters = read_all(bus);
        for _ in 1..MOST_ROUNDS {
            if counters.is_err() {
                counters = read_all(bus);
            }
        }
        let (counters, moved) = match counters {
            Ok(counters) => (counters, None),
            Err(selector) => ([(0, 0); COUNTERS], Some(selector)),
        };
        let saved = Self {
            pmcr,
            counters_on: on.p().bits(),
            cycles_on: on.c().bit(),
            selector,
            cycles: registers.pmccntr().read().count().bits(),
            counters,
        };
        match moved {
            None => Ok(saved),
            Some(selector) => {
                saved.enable(bus);
                Err(selector)
            }
        }
    }

    /// Writes everything as it was, E last.
    fn put_back<B: Bus<Space = Space>>(&self, bus: &B) -> Written {
        let registers = Registers::shared(bus);
        registers.pmcr().modify(|_, w| w.e().clear_bit());
        registers.pmcntenclr().write(|w| w.p().set(ALL_COUNTERS).c().clear_bit_by_one());
        bus.synchronize();
        let written = write_all(bus, self.counters);
        registers.pmccntr().write(|w| w.count().set(self.cycles));
        self.enable(bus);
        written
    }

    /// The enables, the selector and PMCR as they were.
    fn enable<B: Bus<Space = Space>>(&self, bus: &B) {
        let registers = Registers::shared(bus);
        registers.pmselr().write(|w| w.sel().set(self.selector));
        registers.pmcntenset().write(|w| {
            let w = w.p().set(self.counters_on);
            if self.cycles_on { w.c().set_bit() } else { w }
        });
        let before = &self.pmcr;
        registers.pmcr().modify(|_, w| {
            w.d().bit(before.d().bit()).dp().bit(before.dp().bit()).e().bit(before.e().bit())
        });
        bus.synchronize();
    }
}
