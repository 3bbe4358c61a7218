//! Why does a counter read zero? What is tried, in which order. The findings are those of
//! `specs/arm11/findings.yaml`.

use core::marker::PhantomData;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnose, Diagnosis, Finding};
use arm_pmu_core::driver::Clock;
use arm_pmu_core::event::EventOrCycles;

use crate::{COUNTERS, Core, Pmu, Space};

/// Events that all cores have: an instruction, a branch, and every cycle.
const INSTRUCTION: u8 = 0x07;
const BRANCH: u8 = 0x05;
const EVERY_CYCLE: u8 = 0xFF;

/// What the cores have in common to be found.
#[derive(Clone, Copy, Debug)]
pub enum Row {
    WritesIgnored,
    EnableLost,
    Interference,
    AnotherProcessor,
    /// An access was undefined.
    Closed,
    OverflowNotAcknowledged,
    StandStill,
    /// The cycle counter runs, but not an event counter that counts cycles.
    EventsStandStill,
    InstructionsNotCounted,
    ExpectedEventNotCounted,
}

/// What the cores have apart. Sealed, as [`Core`] is.
pub trait Rows {
    /// What can be found on this core.
    type Finding: Finding;
    fn finding(row: Row) -> Self::Finding;
    /// What can be changed, as the control register has it in this state.
    fn control(state: u32) -> Control;
    /// Writes the events, the divider and E, and leaves all else as it is, flags too.
    fn set<B: Bus<Space = Space>>(bus: &B, control: Control);
}

/// What is changed of the control register.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    events: [u8; COUNTERS],
    by_64: bool,
    enable: bool,
}

macro_rules! rows {
    ($Core:ident, $unit:ident, $Closed:ident, $EventsStandStill:ident) => {
        impl Rows for crate::$Core {
            type Finding = crate::generated::$unit::findings::Finding;

            fn finding(row: Row) -> Self::Finding {
                match row {
                    Row::WritesIgnored => Self::Finding::WritesIgnored,
                    Row::EnableLost => Self::Finding::EnableLost,
                    Row::Interference => Self::Finding::Interference,
                    Row::AnotherProcessor => Self::Finding::AnotherProcessor,
                    Row::Closed => Self::Finding::$Closed,
                    Row::OverflowNotAcknowledged => Self::Finding::OverflowNotAcknowledged,
                    Row::StandStill => Self::Finding::CountersStandStill,
                    Row::EventsStandStill => Self::Finding::$EventsStandStill,
                    Row::InstructionsNotCounted => Self::Finding::InstructionsNotCounted,
                    Row::ExpectedEventNotCounted => Self::Finding::ExpectedEventNotCounted,
                }
            }

            fn control(state: u32) -> Control {
                let r = crate::generated::$unit::registers::pmnc::R::from_bits(state);
                Control {
                    events: [r.evt_count0().bits(), r.evt_count1().bits()],
                    by_64: r.d().bit(),
                    enable: r.e().bit(),
                }
            }

            fn set<B: Bus<Space = Space>>(bus: &B, control: Control) {
                let Control { events: [event0, event1], by_64, enable } = control;
                crate::generated::$unit::registers::Registers::shared(bus).pmnc().modify(|_, w| {
                    w.evt_count0()
                        .set(event0)
                        .evt_count1()
                        .set(event1)
                        .d()
                        .bit(by_64)
                        .e()
                        .bit(enable)
                });
            }
        }
    };
}

rows!(Arm1136, arm1136, NoAccess, InstructionsNotCounted);
rows!(Arm1156, arm1156, NoAccess, InstructionsNotCounted);
rows!(Arm1176, arm1176, UserModeClosed, SecureNotObserved);

/// `work` is called once, and once more if there is an expected event. It has to execute instructions, which the
/// default does.
///
/// Put back are the control register and all counts. Overflow flags and interrupt enables are not
/// touched; no flag can come up, as the counters that are tried start from 0. Not put back is the
/// phase of the divider by 64, which no register shows.
///
/// Which core it is the PMU does not tell: [`Pmu::diagnose_processor`] takes the Main ID Register.
///
/// In User mode, on a real core, an access that is not permitted is an Undefined Instruction exception,
/// here as anywhere.
impl<C: Core, B: Bus<Space = Space>> Diagnose for Pmu<C, B> {
    type Finding = C::Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<EventOrCycles<C::Selection>>,
        mut work: impl FnMut(),
    ) -> Diagnosis<C::Finding> {
        let expected = match expected {
            Some(EventOrCycles::Event(selection)) => Some(C::number(selection)),
            Some(EventOrCycles::Cycles) | None => None,
        };
        let mut diagnosis = Diagnosis::new();
        let before = C::state(&self.driver.hardware().bus);
        let saved = C::control(before);
        C::set(&self.driver.hardware().bus, Control { enable: false, ..saved });
        self.driver.hardware().bus.synchronize();
        let (counts, cycles) =
            (C::counts(&self.driver.hardware().bus), C::cycles(&self.driver.hardware().bus));
        // Also if the work panics.
        let put_back = PutBack::<C, B> {
            bus: &self.driver.hardware().bus,
            saved,
            counts,
            cycles,
            core: PhantomData,
        };
        if self.writes_are_taken(saved, &mut diagnosis) {
            let flags = C::flags(before);
            if !saved.enable && flags != 0 {
                let bits = flags & !Clock::BIT | u32::from(flags & Clock::BIT != 0) << COUNTERS;
                diagnosis.add(C::finding(Row::OverflowNotAcknowledged), bits);
            }
            self.try_counting(expected, &mut work, &mut diagnosis);
        }
        drop(put_back);
        if self.driver.hardware().bus.error().is_some() {
            return Diagnosis::only(C::finding(Row::Closed), 0);
        }
        diagnosis.add_lost(C::finding(Row::Interference), self.interference());
        diagnosis
    }
}

/// Writes everything as it was, E last.
struct PutBack<'b, C: Core, B: Bus<Space = Space>> {
    bus: &'b B,
    saved: Control,
    counts: [u32; COUNTERS],
    cycles: u32,
    core: PhantomData<C>,
}

impl<C: Core, B: Bus<Space = Space>> Drop for PutBack<'_, C, B> {
    fn drop(&mut self) {
        C::set(self.bus, Control { enable: false, ..self.saved });
        C::set_counts(self.bus, self.counts);
        C::set_cycles(self.bus, self.cycles);
        C::set(self.bus, self.saved);
        self.bus.synchronize();
    }
}

impl<C: Core, B: Bus<Space = Space>> Pmu<C, B> {
    /// [`diagnose_with`](Diagnose::diagnose_with), after a look at the Main ID Register, which
    /// [`Cp15::main_id`](crate::Cp15::main_id) reads: nothing is tried on another processor.
    pub fn diagnose_processor(
        &mut self,
        main_id: u32,
        expected: Option<EventOrCycles<C::Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<C::Finding> {
        let is_arm = main_id >> 24 == 0x41;
        if !is_arm || (main_id >> 4 & 0xFFF) as u16 != C::MAIN_ID_PART {
            return Diagnosis::only(C::finding(Row::AnotherProcessor), main_id);
        }
        self.diagnose_with(expected, work)
    }

    /// Whether the control register holds what is written to it: events that it did not hold.
    fn writes_are_taken(&self, saved: Control, diagnosis: &mut Diagnosis<C::Finding>) -> bool {
        let others = |event| if event == INSTRUCTION { BRANCH } else { INSTRUCTION };
        let events = saved.events.map(others);
        C::set(&self.driver.hardware().bus, Control { events, by_64: saved.by_64, enable: false });
        self.driver.hardware().bus.synchronize();
        let held = C::control(C::state(&self.driver.hardware().bus)).events;
        if held != events {
            diagnosis.add(C::finding(Row::WritesIgnored), held[0].into());
        }
        held == events
    }

    /// Counts cycles in two ways, then instructions and the expected event.
    fn try_counting(
        &self,
        expected: Option<u8>,
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<C::Finding>,
    ) -> Option<()> {
        let (cycles, [instructions, every_cycle]) =
            self.count_during([INSTRUCTION, EVERY_CYCLE], work, diagnosis)?;
        match (cycles, every_cycle, instructions) {
            (0, 0, 0) => diagnosis.add(C::finding(Row::StandStill), 0),
            (_, 0, 0) => diagnosis.add(C::finding(Row::EventsStandStill), 0),
            (_, _, 0) => diagnosis.add(C::finding(Row::InstructionsNotCounted), 0),
            _ => {
                diagnosis.add_proof();
                if let Some(expected) = expected {
                    let (_, [events, _]) =
                        self.count_during([expected, EVERY_CYCLE], work, diagnosis)?;
                    if events == 0 {
                        diagnosis.add(C::finding(Row::ExpectedEventNotCounted), 0);
                    }
                }
            }
        }
        Some(())
    }

    /// Counts cycles and these events from 0 during the work; `None`, and why, if the counters did not
    /// stay on.
    fn count_during(
        &self,
        events: [u8; COUNTERS],
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<C::Finding>,
    ) -> Option<(u32, [u32; COUNTERS])> {
        let off = Control { events, by_64: false, enable: false };
        C::set(&self.driver.hardware().bus, off);
        C::set_counts(&self.driver.hardware().bus, [0; COUNTERS]);
        C::set_cycles(&self.driver.hardware().bus, 0);
        self.driver.hardware().bus.synchronize();
        C::set(&self.driver.hardware().bus, Control { enable: true, ..off });
        self.driver.hardware().bus.synchronize();
        work();
        self.driver.hardware().bus.synchronize();
        let state = C::state(&self.driver.hardware().bus);
        C::set(&self.driver.hardware().bus, off);
        self.driver.hardware().bus.synchronize();
        let held = C::control(state);
        if !held.enable || held.by_64 || held.events != events {
            diagnosis.add(C::finding(Row::EnableLost), state);
            return None;
        }
        Some((C::cycles(&self.driver.hardware().bus), C::counts(&self.driver.hardware().bus)))
    }
}
