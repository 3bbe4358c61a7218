//! Diagnosis of a counter that reads zero.
//!
//! The diagnosis tests the possible causes one after another. The texts of the causes are in
//! `specs/arm11/findings.yaml`.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnosable, Trials};
use arm_pmu_core::diagnose::{Diagnose, Diagnosis, Found};
use arm_pmu_core::driver::Clock;
use arm_pmu_core::event::EventOrCycles;

use crate::core_type::Action;
use crate::findings::Findings;
use crate::hardware::Hardware;
use crate::{COUNTERS, Core, Pmu, Space};

/// Codes of three events that all cores have: instructions, branches, and cycles.
const INSTRUCTION: u8 = 0x07;
const BRANCH: u8 = 0x05;
const EVERY_CYCLE: u8 = 0xFF;

macro_rules! findings {
    ($Core:ident, $unit:ident, $Closed:ident, $EventsStandStill:ident) => {
        impl Findings for crate::$Core {
            type Finding = crate::generated::$unit::findings::Finding;
            const WRITES_IGNORED: Self::Finding = Self::Finding::WritesIgnored;
            const ENABLE_LOST: Self::Finding = Self::Finding::EnableLost;
            const INTERFERENCE: Self::Finding = Self::Finding::Interference;
            const ANOTHER_PROCESSOR: Self::Finding = Self::Finding::AnotherProcessor;
            const CLOSED: Self::Finding = Self::Finding::$Closed;
            const OVERFLOW_NOT_ACKNOWLEDGED: Self::Finding = Self::Finding::OverflowNotAcknowledged;
            const STAND_STILL: Self::Finding = Self::Finding::CountersStandStill;
            const EVENTS_STAND_STILL: Self::Finding = Self::Finding::$EventsStandStill;
            const INSTRUCTIONS_NOT_COUNTED: Self::Finding = Self::Finding::InstructionsNotCounted;
            const EXPECTED_EVENT_NOT_COUNTED: Self::Finding =
                Self::Finding::ExpectedEventNotCounted;
        }
    };
}

findings!(Arm1136, arm1136, NoAccess, InstructionsNotCounted);
findings!(Arm1156, arm1156, NoAccess, InstructionsNotCounted);
findings!(Arm1176, arm1176, UserModeClosed, SecureNotObserved);

/// Diagnoses the PMU: counts cycles, instructions and an expected event.
///
/// The diagnosis calls `work` once, and once more if there is an expected event. `work` has to
/// execute instructions, as the default work does.
///
/// Finally the diagnosis restores the control register and all counts. The trials start from 0, so they set no
/// overflow flag unless `work` causes 2^32 events. If the PMU has run before, the diagnosis clears flags, as a stop
/// does. The diagnosis does not restore the phase of the divider by 64, which no register shows.
///
/// The PMU does not identify the core. [`Pmu::diagnose_processor`] checks the Main ID Register.
///
/// In User mode on a real core, an access that is not permitted causes an Undefined Instruction exception, even
/// during a diagnosis.
impl<C: Core, B: Bus<Space = Space>> Diagnose for Pmu<C, B> {
    type Finding = C::Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<EventOrCycles<C::Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<C::Finding> {
        self.driver.diagnose(|_, _| Ok(()), expected, work)
    }
}

impl<C: Core, B: Bus<Space = Space>> Pmu<C, B> {
    /// Checks the Main ID Register, and then diagnoses.
    ///
    /// [`Cp15::main_id`](crate::Cp15::main_id) reads the Main ID Register. On another processor, no trial runs;
    /// otherwise the method calls [`diagnose_with`](Diagnose::diagnose_with).
    pub fn diagnose_processor(
        &mut self,
        main_id: u32,
        expected: Option<EventOrCycles<C::Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<C::Finding> {
        let is_arm = main_id >> 24 == 0x41;
        if !is_arm || (main_id >> 4 & 0xFFF) as u16 != C::MAIN_ID_PART {
            return Diagnosis::only(C::ANOTHER_PROCESSOR, main_id);
        }
        self.diagnose_with(expected, work)
    }
}

/// Saved values of the registers that the trials change.
pub(crate) struct Saved {
    control: u32,
    counts: [u32; COUNTERS],
    cycles: u32,
}

/// The trials count cycles on two counters, then instructions and the expected event.
impl<C: Core, B: Bus<Space = Space>> Diagnosable<COUNTERS> for Hardware<C, B> {
    type Finding = C::Finding;
    type Saved = Saved;
    /// Event of each counter.
    type Trial = [u8; COUNTERS];
    type Counts = ([u32; COUNTERS], u32);
    const BUS_ERROR: C::Finding = C::CLOSED;
    const INTERFERENCE: C::Finding = C::INTERFERENCE;

    fn has_enable_set(&self) -> bool {
        C::enabled(C::state(&self.bus))
    }

    fn save(&mut self) -> Result<Saved, Found<C::Finding>> {
        let bus = &self.bus;
        Ok(Saved { control: C::state(bus), counts: C::counts(bus), cycles: C::cycles(bus) })
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), Found<C::Finding>> {
        C::program(&self.bus, saved.control, Action::enable(false));
        self.write_all(saved.counts, saved.cycles);
        Ok(())
    }

    fn try_out(
        trials: &mut Trials<'_, Self, COUNTERS>,
        expected: Option<C::Selection>,
    ) -> Result<(), Found<C::Finding>> {
        trials.hardware().select_other_events(trials.saved.control)?;
        let flags = C::flags(trials.saved.control);
        if !trials.was_enabled() && flags != 0 {
            let bits = flags & !Clock::BIT | u32::from(flags & Clock::BIT != 0) << COUNTERS;
            trials.diagnosis.add(C::OVERFLOW_NOT_ACKNOWLEDGED, bits);
        }
        let ([instructions, every_cycle], cycles) = trials.count([INSTRUCTION, EVERY_CYCLE])?;
        if instructions == 0 {
            let finding = match (cycles, every_cycle) {
                (0, 0) => C::STAND_STILL,
                (_, 0) => C::EVENTS_STAND_STILL,
                _ => C::INSTRUCTIONS_NOT_COUNTED,
            };
            return Err(Found::new(finding, 0));
        }
        trials.diagnosis.add_proof();
        let Some(expected) = expected else { return Ok(()) };
        match trials.count([C::number(expected), EVERY_CYCLE])? {
            ([0, _], _) => Err(Found::new(C::EXPECTED_EVENT_NOT_COUNTED, 0)),
            _ => Ok(()),
        }
    }

    fn set_up(&mut self, events: &mut [u8; COUNTERS]) -> Result<(), Found<C::Finding>> {
        C::program(&self.bus, C::setting(*events, false, 0, 0), Action::enable(false));
        self.write_all([0; COUNTERS], 0);
        Ok(())
    }

    fn counts(
        &self,
        events: &[u8; COUNTERS],
        before: Action,
    ) -> Result<([u32; COUNTERS], u32), Found<C::Finding>> {
        let state = C::state(&self.bus);
        if !before.enable || C::changed(state, C::setting(*events, false, 0, 0)) != 0 {
            return Err(Found::new(C::ENABLE_LOST, state | u32::from(before.enable)));
        }
        Ok((C::counts(&self.bus), C::cycles(&self.bus)))
    }
}

impl<C: Core, B: Bus<Space = Space>> Hardware<C, B> {
    /// Selects other events than before, and checks that the control register has them.
    fn select_other_events(&self, before: u32) -> Result<(), Found<C::Finding>> {
        let events = C::events(before);
        let others = events.map(|event| if event == INSTRUCTION { BRANCH } else { INSTRUCTION });
        C::program(&self.bus, C::setting(others, false, 0, 0), Action::enable(false));
        self.bus.synchronize();
        let held = C::events(C::state(&self.bus));
        if held == others { Ok(()) } else { Err(Found::new(C::WRITES_IGNORED, held[0].into())) }
    }
}
