//! Diagnosis of a counter that reads zero.
//!
//! It tests the possible causes one after another. Their texts are in `specs/mmu600/findings.yaml`.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::Diagnosable;
use arm_pmu_core::diagnose::{Diagnose, Diagnosis, Found};
use arm_pmu_core::driver::Hardware as _;
use arm_pmu_core::driver::ProbeErrorKind;

use crate::hardware::{ALL_COUNTERS, Enable, Hardware, obeys_and_is_secure};
use crate::probe::unlike;
use crate::registers::{
    Page0, Page0Registers, Page1, Page1Registers, capr, evtyper, irq_ctrl, smr0,
};
use crate::{COUNTERS, Component, Finding, Pmu, StreamFilter};

/// A value that a counter does not hold by chance.
const PATTERN: u32 = 0x5A5A_5A5A;

/// Largest number of reads of IRQ_CTRLACK before the driver gives up.
const MOST_READS: usize = 1_000;

/// The counter of the clock.
///
/// The other counters count the expected event and the selections of the driver.
const OF_CLOCK: usize = COUNTERS - 1;

/// Diagnoses with the clock, with selections of the driver, and with its filter.
///
/// At most three selections are tried, with the filter and without.
///
/// It calls `work` once. With a filter, it calls `work` again without the filter. If only that run
/// counts something, it calls `work` a third time with the filter. It attributes the difference to
/// the filter only if both runs with the filter count nothing.
///
/// Afterwards it restores all writable registers, even if `work` panics and unwinds. It touches
/// neither SCR nor overflow flags. The trials set no flag, because their counters start from 0.
/// Meanwhile the interrupt is switched on or off as a whole, but no counter can raise it. If
/// IRQ_CTRLACK does not follow, the diagnosis does not wait for it after the restore.
///
/// It reads page 1 before it writes there. If the contents cannot be those of page 1, it writes
/// nothing. If the first word does not hold the written value, it restores that word and writes no
/// other. It cannot tell page 1 of another unit, or memory that looks like it, from page 1 of this
/// unit. Then it writes four words, finds that they do not count, and restores them. Meanwhile the
/// counters of this unit, which it cannot reach, may continue.
impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Diagnose for Pmu<C, P0, P1> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<C::Selection>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        self.driver.diagnose(|hardware, _| hardware.identify(), expected, work)
    }
}

/// Saved values of the registers that the trials change.
pub(crate) struct Saved {
    enables: u8,
    interrupts: u8,
    interrupt: irq_ctrl::R,
    smr: smr0::R,
    types: [evtyper::R; COUNTERS],
    counts: [u32; COUNTERS],
    /// Number of counters that may have been written, from the first one on.
    written: usize,
    /// Whether IRQ_CTRLACK follows.
    acknowledged: bool,
}

/// Selections of one trial, and [`Hardware::setting`] as read back after the setup.
///
/// The unit need not take all written values.
pub(crate) struct Trial<S> {
    selections: [Option<S>; COUNTERS],
    setting: ([u32; COUNTERS], u32),
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Diagnosable<COUNTERS>
    for Hardware<C, P0, P1>
{
    type Finding = Finding;
    type Saved = Saved;
    type Trial = Trial<C::Selection>;
    type Counts = [u32; COUNTERS];
    const BUS_ERROR: Finding = Finding::BusError;
    const INTERFERENCE: Finding = Finding::Interference;

    fn save(&mut self) -> Result<Saved, Found<Finding>> {
        let page0 = Page0Registers::shared(&self.page0);
        let saved = Saved {
            enables: page0.cntenset0_lo().read().cnten().bits(),
            interrupts: page0.intenset0_lo().read().inten().bits(),
            interrupt: page0.irq_ctrl().read(),
            smr: page0.smr0().read(),
            types: page0.evtyper().map(|register| register.read()),
            counts: self.values(),
            written: 0,
            acknowledged: false,
        };
        page0.cntenclr0_lo().write(|w| w.cnten().set(ALL_COUNTERS));
        page0.intenclr0_lo().write(|w| w.inten().set(ALL_COUNTERS));
        Ok(saved)
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), Found<Finding>> {
        let page0 = Page0Registers::shared(&self.page0);
        page0.cntenclr0_lo().write(|w| w.cnten().set(ALL_COUNTERS));
        let counters = Page1Registers::shared(&self.page1).evcntr();
        for (counter, count) in counters.iter().zip(saved.counts).take(saved.written) {
            counter.write(|w| w.counter_value().set(count));
            counter.read();
        }
        for (register, before) in page0.evtyper().iter().zip(saved.types) {
            register.modify_from(before, |w| w);
        }
        page0.smr0().modify_from(saved.smr, |w| w);
        let interrupt = saved.interrupt.irqen().bit();
        if saved.acknowledged {
            self.enable_interrupt(interrupt);
        } else {
            page0.irq_ctrl().write(|w| w.irqen().bit(interrupt));
        }
        page0.intenset0_lo().write(|w| w.inten().set(saved.interrupts));
        page0.cntenset0_lo().write(|w| w.cnten().set(saved.enables));
        self.page1.synchronize();
        Ok(())
    }

    /// Counts the clock, the expected event and the selections, with the filter and without.
    fn try_out(
        trials: &mut Trials<'_, C, P0, P1>,
        expected: Option<C::Selection>,
    ) -> Result<(), Found<Finding>> {
        trials.hardware().turn_an_event_over()?;
        trials.hardware().look_at_page_1()?;
        trials.saved.written = 1;
        trials.hardware().write_a_pattern()?;
        trials.saved.written = COUNTERS;
        Self::toggle_interrupt(trials);
        let [a, b, c, d] = trials.pending().counters.map(|counter| counter.selection);
        let of_interest = [expected, a, b, c, d];
        let observed = trials.hardware().secure_observation();
        Self::check_events(trials, of_interest, observed);
        let mut chosen = of_interest.into_iter().flatten();
        let mut selections = [None; COUNTERS];
        selections[..OF_CLOCK].fill_with(|| chosen.next());
        selections[OF_CLOCK] = Some(C::CYCLES);
        let all = Self::count_with_and_without_filter(trials, selections, observed)?;
        // Secure events are handled above.
        let expected = expected.filter(|expected| !obeys_and_is_secure::<C>(*expected).1);
        if all[0] == 0 && expected.is_some_and(|expected| !trials.hardware().is_absent(expected)) {
            return Err(Found::new(Finding::ExpectedEventNotCounted, 0));
        }
        Ok(())
    }

    fn set_up(&mut self, trial: &mut Trial<C::Selection>) -> Result<(), Found<Finding>> {
        let page0 = Page0Registers::shared(&self.page0);
        for (register, selection) in page0.evtyper().iter().zip(trial.selections) {
            let event = selection.map_or(0, Into::into);
            register.modify(|_, w| w.event().set(event).ovfcap().clear_bit());
        }
        for counter in &Page1Registers::shared(&self.page1).evcntr() {
            counter.write(|w| w.counter_value().set(0));
            // This read completes after the write has arrived.
            counter.read();
        }
        trial.setting = self.setting();
        page0.cntenset0_lo().write(|w| w.cnten().set(trial.in_use()));
        Ok(())
    }

    fn counts(
        &self,
        trial: &Trial<C::Selection>,
        before: Enable,
    ) -> Result<[u32; COUNTERS], Found<Finding>> {
        let page0 = Page0Registers::shared(&self.page0);
        let (enabled, still_on) = (Self::enables(before), page0.cntenset0_lo().read());
        let is_on = enabled && still_on.cnten().bits() == trial.in_use();
        if !is_on || self.setting() != trial.setting {
            return Err(Found::new(Finding::EnableLost, enabled.into()));
        }
        Ok(self.values())
    }
}

type Trials<'d, C, P0, P1> = arm_pmu_core::diagnose::Trials<'d, Hardware<C, P0, P1>, COUNTERS>;

impl<S> Trial<S> {
    /// One bit for each counter that counts.
    fn in_use(&self) -> u8 {
        let selections = self.selections.iter().rev();
        selections.fold(0, |bits, selection| bits << 1 | u8::from(selection.is_some()))
    }
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Hardware<C, P0, P1> {
    /// Checks that the device is the PMU of such a unit.
    fn identify(&self) -> Result<(), Found<Finding>> {
        let Some(kind) = unlike::<C, P0>(&self.page0) else { return Ok(()) };
        let finding = match kind {
            ProbeErrorKind::ReadsAsZero => Finding::ReadsAsZero,
            ProbeErrorKind::ReadsAsOnes => Finding::ReadsAsOnes,
            ProbeErrorKind::Part { .. } => Finding::AnotherProduct,
            ProbeErrorKind::Architecture { .. } => Finding::NotAPmu,
            ProbeErrorKind::Counters { .. } | ProbeErrorKind::Configuration { .. } => {
                let cfgr = Page0Registers::shared(&self.page0).cfgr().read();
                return Err(Found::new(Finding::Configuration, cfgr.bits()));
            }
            _ => Finding::BusError,
        };
        Err(Found::new(finding, kind.value()))
    }

    /// Switches the interrupt on or off, and adds a finding if IRQ_CTRLACK does not follow.
    fn toggle_interrupt(trials: &mut Trials<'_, C, P0, P1>) {
        let before = trials.saved.interrupt.irqen().bit();
        trials.saved.acknowledged = trials.hardware().enable_interrupt(!before);
        if !trials.saved.acknowledged {
            trials.diagnosis.add(Finding::IrqNotAcknowledged, before.into());
        }
    }

    /// Adds findings of events that the unit lacks, or that it counts only under Secure observation.
    ///
    /// `observed` is [`Hardware::secure_observation`].
    fn check_events(
        trials: &mut Trials<'_, C, P0, P1>,
        selections: [Option<C::Selection>; COUNTERS + 1],
        observed: Option<bool>,
    ) {
        let filter = trials.hardware().filter;
        for selection in selections.into_iter().flatten() {
            if trials.hardware().is_absent(selection) {
                trials.diagnosis.add(Finding::EventAbsent, u32::from(selection.into()));
            }
            let (obeys, is_secure) = obeys_and_is_secure::<C>(selection);
            match observed {
                _ if !(is_secure || filter.secure && obeys) => {}
                Some(true) => {}
                Some(false) => trials.diagnosis.add(Finding::SecureNotObserved, 0),
                None => trials.diagnosis.add(Finding::SecureObservationUnknown, 0),
            }
        }
    }

    /// Counts with the filter of the driver, then of all streams. Returns the second counts.
    ///
    /// `observed` is [`Hardware::secure_observation`]. The function adds findings of the filter.
    ///
    /// # Errors
    ///
    /// The finding, if the clock stands still or a trial fails.
    fn count_with_and_without_filter(
        trials: &mut Trials<'_, C, P0, P1>,
        selections: [Option<C::Selection>; COUNTERS],
        observed: Option<bool>,
    ) -> Result<[u32; COUNTERS], Found<Finding>> {
        let filter = trials.hardware().filter;
        let trial = || Trial { selections, setting: Default::default() };
        let taken = trials.hardware().let_pass(filter);
        if let Err(smr) = taken {
            trials.diagnosis.add(Finding::FilterNotTaken, smr);
        }
        let filtered = trials.count(trial())?;
        let all = if filter == StreamFilter::ALL {
            filtered
        } else {
            // The code for all streams depends on the number of implemented bits.
            let _ = trials.hardware().let_pass(StreamFilter::ALL);
            trials.count(trial())?
        };
        if filtered[OF_CLOCK] == 0 && all[OF_CLOCK] == 0 {
            return Err(Found::new(Finding::ClockStandsStill, 0));
        }
        trials.diagnosis.add_proof();
        let filterable = |counts: [u32; COUNTERS]| {
            let counts = counts[..OF_CLOCK].iter().zip(selections);
            let filterable =
                counts.filter(|(_, s)| s.is_some_and(|s| obeys_and_is_secure::<C>(s).0));
            filterable.fold(0, |sum: u32, (count, _)| sum.saturating_add(*count))
        };
        // The unit was active, and no event passed the filter.
        let passes_nothing =
            |counts: [u32; COUNTERS]| counts[OF_CLOCK] != 0 && filterable(counts) == 0;
        // Without Secure observation, a Secure filter selects Non-secure streams.
        let has_effect = !filter.secure || observed == Some(true);
        if taken.is_ok() && has_effect && passes_nothing(filtered) && filterable(all) != 0 {
            // Third call: the traffic may have begun after the first one.
            let again = trials.hardware().let_pass(filter);
            let filtered = trials.count(trial())?;
            if again.is_ok() && passes_nothing(filtered) {
                trials.diagnosis.add(Finding::FilterPassesNothing, filterable(all));
            }
        }
        Ok(all)
    }

    /// Checks that page 0 holds an event with the low eight bits inverted.
    fn turn_an_event_over(&self) -> Result<(), Found<Finding>> {
        let [_, register, ..] = Page0Registers::shared(&self.page0).evtyper();
        let event = !register.read().event().bits() & 0xFF;
        register.write(|w| w.event().set(event));
        let read = register.read();
        if read.event().bits() & 0xFF != event {
            return Err(Found::new(Finding::WritesIgnored, read.bits()));
        }
        Ok(())
    }

    /// Checks that the bus to page 1 can lead to page 1: no bit is set that page 1 does not have.
    fn look_at_page_1(&self) -> Result<(), Found<Finding>> {
        let page1 = Page1Registers::shared(&self.page1);
        let (set, clear) = (page1.ovsset0_lo().read().bits(), page1.ovsclr0_lo().read().bits());
        // CAPR is write-only, so the typed registers have no read of it. It reads as zero.
        let capture = self.page1.load::<capr::CaprSpec>(0);
        let foreign = capture | (set ^ clear) | (set & !u32::from(ALL_COUNTERS));
        if foreign != 0 {
            return Err(Found::new(Finding::Page1Elsewhere, foreign));
        }
        self.error().map_or(Ok(()), |_| Err(Found::new(Finding::BusError, 0)))
    }

    /// Checks that counter 0 holds a written value.
    fn write_a_pattern(&self) -> Result<(), Found<Finding>> {
        let [counter, ..] = Page1Registers::shared(&self.page1).evcntr();
        counter.write(|w| w.counter_value().set(PATTERN));
        let held = counter.read().counter_value().bits();
        if held == PATTERN { Ok(()) } else { Err(Found::new(Finding::Page1Elsewhere, held)) }
    }

    /// Enables or disables the interrupt as a whole, and returns whether IRQ_CTRLACK follows.
    fn enable_interrupt(&self, enabled: bool) -> bool {
        let page0 = Page0Registers::shared(&self.page0);
        page0.irq_ctrl().write(|w| w.irqen().bit(enabled));
        let acknowledge = page0.irq_ctrlack();
        (0..MOST_READS)
            .any(|_| acknowledge.read().irqen().bit() == enabled || self.error().is_some())
    }

    /// Whether CEID0 and CEID1, which list the events of the architecture, lack this event.
    fn is_absent(&self, selection: C::Selection) -> bool {
        let number = selection.into();
        let page0 = Page0Registers::shared(&self.page0);
        let word = match number / 32 {
            0 => page0.ceid0_lo().read().bits(),
            1 => page0.ceid0_hi().read().bits(),
            2 => page0.ceid1_lo().read().bits(),
            3 => page0.ceid1_hi().read().bits(),
            _ => return false,
        };
        word >> (number % 32) & 1 == 0
    }

    /// Sets the filter. If the unit does not take it, returns the value of SMR0.
    fn let_pass(&self, filter: StreamFilter) -> Result<(), u32> {
        let page0 = Page0Registers::shared(&self.page0);
        let [first, ..] = page0.evtyper();
        first.write(|w| w.filter_sid_span().bit(filter.span).filter_sec_sid().bit(filter.secure));
        match self.match_streams(filter) {
            Some(_) => Ok(()),
            None => Err(page0.smr0().read().streamid().bits()),
        }
    }

    /// Reads the selections of the counters and the filter.
    fn setting(&self) -> ([u32; COUNTERS], u32) {
        let page0 = Page0Registers::shared(&self.page0);
        (page0.evtyper().map(|register| register.read().bits()), page0.smr0().read().bits())
    }

    fn values(&self) -> [u32; COUNTERS] {
        core::array::from_fn(|counter| self.value(counter))
    }
}
