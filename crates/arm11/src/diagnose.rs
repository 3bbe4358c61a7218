//! Why does a counter read zero? The causes in the order in which they are decided. Their texts are in
//! `specs/arm11/findings.yaml`.

use arm_pmu_core::diagnose::{Diagnosable, Trials};
use arm_pmu_core::{Bus, Clock, Diagnose, Diagnosis, EventOrCycles, Finding, Found};

use crate::core_type::Action;
use crate::hardware::Hardware;
use crate::{COUNTERS, Core, Pmu, Space};

/// Events that all cores have: an instruction, a branch, and every cycle.
const INSTRUCTION: u8 = 0x07;
const BRANCH: u8 = 0x05;
const EVERY_CYCLE: u8 = 0xFF;

/// What can be found on any core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// What the cores call it. Sealed, as [`Core`] is.
pub trait Rows {
    /// What can be found on this core.
    type Finding: Finding;
    fn finding(row: Row) -> Self::Finding;
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
        }
    };
}

rows!(Arm1136, arm1136, NoAccess, InstructionsNotCounted);
rows!(Arm1156, arm1156, NoAccess, InstructionsNotCounted);
rows!(Arm1176, arm1176, UserModeClosed, SecureNotObserved);

/// `work` is called once, and once more if there is an expected event. It has to execute instructions, which the
/// default does.
///
/// The control register and all counts are written back. Overflow flags are not touched; no flag can
/// come up, as the counters that are tried start from 0. The phase of the divider by 64, which no register
/// shows, is not written back.
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
        work: impl FnMut(),
    ) -> Diagnosis<C::Finding> {
        self.driver.diagnose(|_, _| Ok(()), expected, work).map(C::finding)
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
}

/// The registers that trials change.
pub(crate) struct Saved {
    control: u32,
    counts: [u32; COUNTERS],
    cycles: u32,
}

/// Counts cycles in two ways, then instructions and the expected event.
impl<C: Core, B: Bus<Space = Space>> Diagnosable<COUNTERS> for Hardware<C, B> {
    type Finding = Row;
    type Saved = Saved;
    /// The event of each counter.
    type Trial = [u8; COUNTERS];
    type Counts = ([u32; COUNTERS], u32);
    const BUS_ERROR: Row = Row::Closed;
    const INTERFERENCE: Row = Row::Interference;

    fn has_enable_set(&self) -> bool {
        C::enabled(C::state(&self.bus))
    }

    fn save(&mut self) -> Result<Saved, Found<Row>> {
        let bus = &self.bus;
        Ok(Saved { control: C::state(bus), counts: C::counts(bus), cycles: C::cycles(bus) })
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), Found<Row>> {
        C::program(&self.bus, saved.control, Action::enable(false));
        C::set_counts(&self.bus, saved.counts);
        C::set_cycles(&self.bus, saved.cycles);
        Ok(())
    }

    fn try_out(
        trials: &mut Trials<'_, Self, COUNTERS>,
        expected: Option<C::Selection>,
    ) -> Result<(), Found<Row>> {
        trials.hardware().select_other_events(trials.saved.control)?;
        let flags = C::flags(trials.saved.control);
        if !trials.was_enabled() && flags != 0 {
            let bits = flags & !Clock::BIT | u32::from(flags & Clock::BIT != 0) << COUNTERS;
            trials.diagnosis.add(Row::OverflowNotAcknowledged, bits);
        }
        let ([instructions, every_cycle], cycles) = trials.count([INSTRUCTION, EVERY_CYCLE])?;
        if instructions == 0 {
            let row = match (cycles, every_cycle) {
                (0, 0) => Row::StandStill,
                (_, 0) => Row::EventsStandStill,
                _ => Row::InstructionsNotCounted,
            };
            return Err(Found::new(row, 0));
        }
        trials.diagnosis.add_proof();
        let Some(expected) = expected else { return Ok(()) };
        match trials.count([C::number(expected), EVERY_CYCLE])? {
            ([0, _], _) => Err(Found::new(Row::ExpectedEventNotCounted, 0)),
            _ => Ok(()),
        }
    }

    fn set_up(&mut self, events: &mut [u8; COUNTERS]) -> Result<(), Found<Row>> {
        C::program(&self.bus, C::setting(*events, false, 0, 0), Action::enable(false));
        C::set_counts(&self.bus, [0; COUNTERS]);
        C::set_cycles(&self.bus, 0);
        Ok(())
    }

    fn counts(
        &self,
        events: &[u8; COUNTERS],
        before: Action,
    ) -> Result<([u32; COUNTERS], u32), Found<Row>> {
        let state = C::state(&self.bus);
        if !before.enable || C::changed(state, C::setting(*events, false, 0, 0)) != 0 {
            return Err(Found::new(Row::EnableLost, state | u32::from(before.enable)));
        }
        Ok((C::counts(&self.bus), C::cycles(&self.bus)))
    }
}

impl<C: Core, B: Bus<Space = Space>> Hardware<C, B> {
    /// Whether the control register holds what is written to it: events that it did not hold before.
    fn select_other_events(&self, before: u32) -> Result<(), Found<Row>> {
        let events = C::events(before);
        let others = events.map(|event| if event == INSTRUCTION { BRANCH } else { INSTRUCTION });
        C::program(&self.bus, C::setting(others, false, 0, 0), Action::enable(false));
        self.bus.synchronize();
        let held = C::events(C::state(&self.bus));
        if held == others { Ok(()) } else { Err(Found::new(Row::WritesIgnored, held[0].into())) }
    }
}
