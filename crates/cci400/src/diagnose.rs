//! Why does a counter read zero? What is tried, in which order. The findings are those of
//! `specs/cci400/findings.yaml`.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnose, Diagnosis};
use arm_pmu_core::event::EventOrCycles;

use crate::hardware::{counts, select};
use crate::probe::part;
use crate::registers::{Registers, Space, pid0, pid1, pmcr};
use crate::revision::{Pmu, Revision};
use crate::{COUNTERS, Finding};

/// `work` is called once if the clock stands still, three times if NIDEN is LOW, else twice. A expected event
/// takes counter 0.
///
/// Put back are PMCR, all counts, selections and enables, even if `work` panics. Overflow flags are not
/// touched; none can come up, as the counters that are tried start from 0. Not put back is the phase of
/// the divider by 64, which no register shows.
///
/// It reads the identification registers, which may be closed to Non-secure software: what meets it
/// there is not documented and **may be a bus error**. Where that could be fatal use
/// [`diagnose_counters`](Pmu::diagnose_counters).
impl<R: Revision, B: Bus<Space = Space>> Diagnose for Pmu<R, B> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<EventOrCycles<R::Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        self.diagnose_after(Self::identify, expected, work)
    }
}

impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// [`diagnose_with`](Diagnose::diagnose_with), but for the identification: only registers of
    /// the PMU are accessed, which are open to both security states. It is taken for granted that
    /// they are those of a CCI-400 of this revision.
    pub fn diagnose_counters(
        &mut self,
        expected: Option<EventOrCycles<R::Selection>>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        self.diagnose_after(Self::look_at_control, expected, work)
    }

    /// Finds out with `identify` what the device is, or gets the part number that does not tell, and
    /// then tries it out.
    fn diagnose_after(
        &mut self,
        identify: fn(&Self, &mut Diagnosis<Finding>) -> Result<(), u32>,
        expected: Option<EventOrCycles<R::Selection>>,
        mut work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        let expected = match expected {
            Some(EventOrCycles::Event(selection)) => Some(selection),
            Some(EventOrCycles::Cycles) | None => None,
        };
        let mut diagnosis = Diagnosis::new();
        let identified = identify(self, &mut diagnosis);
        if diagnosis.findings().all(|found| found.finding == Finding::AnotherRevision) {
            let _end = PutBack { bus: self.bus(), saved: Saved::stop(self.bus()) };
            if self.writes_are_taken(&mut diagnosis) {
                self.try_counting(expected, &mut work, &mut diagnosis);
            }
        }
        if self.bus().error().is_some() {
            return Diagnosis::only(Finding::BusError, 0);
        }
        diagnosis.add_lost(Finding::Interference, self.interference());
        if let Err(part) = identified {
            diagnosis.add(Finding::Unidentified, part);
        }
        diagnosis
    }

    /// What PMCR alone tells.
    fn look_at_control(&self, diagnosis: &mut Diagnosis<Finding>) -> Result<(), u32> {
        let pmcr = Registers::shared(self.bus()).pmcr().read();
        match pmcr.bits() {
            0 => diagnosis.add(Finding::ReadsAsZero, 0),
            u32::MAX => diagnosis.add(Finding::ReadsAsOnes, u32::MAX),
            _ => look_at_number(pmcr, diagnosis),
        }
        Ok(())
    }

    /// Whether it is a CCI-400, and of which revision. If that cannot be known, gives the part number
    /// that was read.
    fn identify(&self, diagnosis: &mut Diagnosis<Finding>) -> Result<(), u32> {
        let registers = Registers::shared(self.bus());
        let (pid0, pid1) = (registers.pid0().read(), registers.pid1().read());
        let (pid2, pmcr) = (registers.pid2().read(), registers.pmcr().read());
        let found = part(pid0, pid1);
        let expected = part(pid0::R::from_bits(pid0::RESET), pid1::R::from_bits(pid1::RESET));
        let everything = [pid0.bits(), pid1.bits(), pid2.bits(), pmcr.bits()];
        if everything == [0; 4] {
            diagnosis.add(Finding::ReadsAsZero, 0);
            return Ok(());
        }
        if everything == [u32::MAX; 4] {
            diagnosis.add(Finding::ReadsAsOnes, u32::MAX);
            return Ok(());
        }
        // A register that answers has the JEDEC bit set.
        let identified = found != 0 && pid2.jedec().bit();
        if found != 0 && found != expected {
            diagnosis.add(Finding::AnotherProduct, found.into());
            return Ok(());
        }
        look_at_number(pmcr, diagnosis);
        if identified && !R::CODES.contains(&pid2.revision().bits()) {
            diagnosis.add(Finding::AnotherRevision, pid2.revision().bits().into());
        }
        if identified { Ok(()) } else { Err(found.into()) }
    }

    /// Whether a register holds what is written to it: every bit of a selection, turned over.
    fn writes_are_taken(&self, diagnosis: &mut Diagnosis<Finding>) -> bool {
        let [block, ..] = Registers::shared(self.bus()).counters();
        let before = block.event_select().read();
        let source = !before.source().bits() & 0x7;
        let event = !before.event().bits() & 0x1F;
        block.event_select().write(|w| w.source().set(source).event().set(event));
        let after = block.event_select().read();
        let taken = after.source().bits() == source && after.event().bits() == event;
        if !taken {
            diagnosis.add(Finding::WritesIgnored, after.bits());
        }
        taken
    }

    /// Lets the cycle counter run with and without NIDEN having a say.
    fn try_counting(
        &self,
        expected: Option<R::Selection>,
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<Finding>,
    ) {
        let mut events = 0;
        let mut cycles_with = |needs_niden| {
            let tried = self.count_during(needs_niden, expected, &mut *work);
            events |= tried.events;
            if !tried.as_set {
                diagnosis.add(Finding::EnableLost, tried.pmcr.bits());
                return None;
            }
            Some(tried.cycles)
        };
        let Some(free) = cycles_with(false) else { return };
        // Whether it still runs afterwards tells a LOW input from a clock that stopped just then.
        let needing = if free == 0 { Some(0) } else { cycles_with(true) };
        let Some(needing) = needing else { return };
        let again = if free != 0 && needing == 0 { cycles_with(false) } else { Some(free) };
        let Some(again) = again else { return };
        match (free.min(again), needing) {
            (0, _) => diagnosis.add(Finding::ClockStandsStill, 0),
            (_, 0) => diagnosis.add(Finding::NidenLow, 0),
            _ => {
                diagnosis.add_proof();
                if expected.is_some() && events == 0 {
                    diagnosis.add(Finding::ExpectedEventNotCounted, 0);
                }
            }
        }
    }

    /// Counts cycles, and the expected event, from 0 during the work, with nothing else on.
    fn count_during(
        &self,
        needs_niden: bool,
        expected: Option<R::Selection>,
        work: impl FnOnce(),
    ) -> Tried {
        let registers = Registers::shared(self.bus());
        let blocks = registers.counters();
        for block in &blocks {
            block.count_control().write(|w| w.enable().clear_bit());
        }
        let [first, ..] = &blocks;
        if let Some(expected) = expected {
            select::<R, B>(first, expected);
            first.event_count().write(|w| w.count().set(0));
            first.count_control().write(|w| w.enable().set_bit());
        }
        registers.cycle_count().write(|w| w.count().set(0));
        registers.cycle_count_control().write(|w| w.enable().set_bit());
        registers.pmcr().modify(|_, w| w.cen().set_bit().ccd().clear_bit().dp().bit(needs_niden));
        registers.pmcr().read();
        self.bus().synchronize();
        work();
        self.bus().synchronize();
        let pmcr = registers.pmcr().read();
        registers.pmcr().modify(|_, w| w.cen().clear_bit());
        let same = pmcr.cen().bit() & !pmcr.ccd().bit() & (pmcr.dp().bit() == needs_niden);
        Tried {
            pmcr,
            as_set: same
                && registers.cycle_count_control().read().enable().bit()
                && expected.is_none_or(|expected| counts::<R, B>(first, expected)),
            cycles: registers.cycle_count().read().count().bits(),
            events: if expected.is_some() { first.event_count().read().count().bits() } else { 0 },
        }
    }
}

/// Whether there are as many counters as there should be.
fn look_at_number(pmcr: pmcr::R, diagnosis: &mut Diagnosis<Finding>) {
    let found = pmcr.pmu_cnt_num().bits();
    if usize::from(found) != COUNTERS {
        diagnosis.add(Finding::Counters, found.into());
    }
}

/// What a try gave.
struct Tried {
    /// Before it was stopped.
    pmcr: pmcr::R,
    /// Whether the counters in use were still on, and counted what they were told to.
    as_set: bool,
    cycles: u32,
    events: u32,
}

/// What the registers held that are changed.
struct Saved {
    pmcr: pmcr::R,
    cycles: u32,
    cycles_on: bool,
    /// Source, event, count, enable.
    counters: [(u8, u8, u32, bool); COUNTERS],
}

/// Writes everything as it was when this goes, even if the work panics.
struct PutBack<'b, B: Bus<Space = Space>> {
    bus: &'b B,
    saved: Saved,
}

impl<B: Bus<Space = Space>> Drop for PutBack<'_, B> {
    fn drop(&mut self) {
        self.saved.put_back(self.bus);
    }
}

impl Saved {
    /// Stops all counters, and reads everything that will be changed.
    fn stop<B: Bus<Space = Space>>(bus: &B) -> Self {
        let registers = Registers::shared(bus);
        let pmcr = registers.pmcr().read();
        registers.pmcr().modify(|_, w| w.cen().clear_bit());
        Self {
            pmcr,
            cycles: registers.cycle_count().read().count().bits(),
            cycles_on: registers.cycle_count_control().read().enable().bit(),
            counters: registers.counters().map(|block| {
                let select = block.event_select().read();
                let count = block.event_count().read().count().bits();
                let on = block.count_control().read().enable().bit();
                (select.source().bits(), select.event().bits(), count, on)
            }),
        }
    }

    /// Writes everything as it was, the global enable last, and waits until that has arrived.
    fn put_back<B: Bus<Space = Space>>(&self, bus: &B) {
        let registers = Registers::shared(bus);
        // Work that panicked left the counters running: their old counts could wrap.
        registers.pmcr().modify(|_, w| w.cen().clear_bit());
        for (block, (source, event, count, on)) in registers.counters().iter().zip(self.counters) {
            block.event_select().write(|w| w.source().set(source).event().set(event));
            block.event_count().write(|w| w.count().set(count));
            block.count_control().write(|w| w.enable().bit(on));
        }
        registers.cycle_count().write(|w| w.count().set(self.cycles));
        registers.cycle_count_control().write(|w| w.enable().bit(self.cycles_on));
        let before = &self.pmcr;
        registers.pmcr().modify(|_, w| {
            w.ccd()
                .bit(before.ccd().bit())
                .dp()
                .bit(before.dp().bit())
                .cen()
                .bit(before.cen().bit())
        });
        registers.pmcr().read();
        bus.synchronize();
    }
}
