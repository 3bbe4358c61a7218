//! Diagnosis of a counter that reads zero.
//!
//! The diagnosis tests the possible causes one after another. Each implementation has its own texts
//! for the causes.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::Diagnosable;
use arm_pmu_core::diagnose::{Diagnosis, Found};
use arm_pmu_core::driver::Hardware as _;
use arm_pmu_core::driver::{Driver, ProbeErrorKind};

use crate::hardware::{Enable, Hardware, obeys_and_is_secure};
use crate::interrupt::MOST_READS;
use crate::probe::unlike;
use crate::{EventType, Finding, Identification, Implementation, StreamFilter};

/// A value that a counter is unlikely to contain.
const PATTERN: u32 = 0x5A5A_5A5A;

/// Diagnoses a PMCG by counting its clock and the driver's selections, with the driver's filter.
///
/// The diagnosis tries at most `N` - 1 of the selections, both with and without the filter.
///
/// The diagnosis calls `work` once. If the driver has a filter, the diagnosis calls `work` again
/// without the filter. If only the run without the filter counts something, `work` is called a
/// third time, with the filter. The difference is attributed to the filter only if both runs with
/// the filter count nothing.
///
/// Finally the diagnosis restores all writable registers, even if `work` panics and unwinds. The diagnosis does not
/// write SCR. The trials start from 0, so they set no overflow flag unless `work` causes 2^32 events. During the
/// trials, the interrupt enable in IRQ_CTRL is inverted, but no counter can raise the interrupt. If IRQ_CTRLACK does
/// not follow IRQ_CTRL in the trials, the diagnosis restores IRQ_CTRL without waiting.
///
/// The diagnosis reads page 1 before it writes there. If the contents cannot belong to page 1, nothing is written. If
/// the first word does not hold the written value, the diagnosis restores this word and does not write other words.
pub fn diagnose<
    I: Implementation,
    P0: Bus<Space = I::Page0>,
    P1: Bus<Space = I::Page1>,
    const N: usize,
    const BITS: u32,
>(
    driver: &mut Driver<Hardware<I, P0, P1, N, BITS>, I::Selection, N>,
    expected: Option<I::Selection>,
    work: impl FnMut(),
) -> Diagnosis<I::Finding> {
    driver.diagnose(|hardware, _| hardware.identify(), expected, work).map(Into::into)
}

/// Saved values of the registers that the trials change.
#[derive(Debug)]
pub struct Saved<const N: usize> {
    enables: u32,
    interrupts: u32,
    interrupt: bool,
    smr: u32,
    types: [EventType; N],
    counts: [u32; N],
    /// Number of counters, from counter 0 on, that may have been written.
    written: usize,
    /// Whether IRQ_CTRLACK follows.
    acknowledged: bool,
}

/// Selections of one trial, and [`Hardware::setting`] as read back after the setup.
///
/// The unit may have rejected some of the written values.
#[derive(Debug)]
pub struct Trial<S, const N: usize> {
    selections: [Option<S>; N],
    setting: ([u32; N], u32),
}

impl<
    I: Implementation,
    P0: Bus<Space = I::Page0>,
    P1: Bus<Space = I::Page1>,
    const N: usize,
    const BITS: u32,
> Diagnosable<N> for Hardware<I, P0, P1, N, BITS>
{
    type Finding = Finding;
    type Saved = Saved<N>;
    type Trial = Trial<I::Selection, N>;
    type Counts = [u32; N];
    const BUS_ERROR: Finding = Finding::BusError;
    const INTERFERENCE: Finding = Finding::Interference;

    fn save(&mut self) -> Result<Saved<N>, Found<Finding>> {
        let saved = Saved {
            enables: I::enabled_counters(&self.page0),
            interrupts: I::enabled_interrupts(&self.page0),
            interrupt: I::interrupt_enable(&self.page0),
            smr: I::streams(&self.page0),
            types: core::array::from_fn(|counter| I::event_type(&self.page0, counter).0),
            counts: self.values(),
            written: 0,
            acknowledged: false,
        };
        let all = self.all_counters();
        I::disable_counters(&self.page0, all);
        I::disable_interrupts(&self.page0, all);
        Ok(saved)
    }

    fn restore(&mut self, saved: &Saved<N>) -> Result<(), Found<Finding>> {
        I::disable_counters(&self.page0, self.all_counters());
        for (counter, count) in saved.counts.into_iter().enumerate().take(saved.written) {
            self.set_and_confirm(counter, count);
        }
        for (counter, before) in saved.types.into_iter().enumerate() {
            I::set_event_type(&self.page0, counter, before);
        }
        I::set_streams(&self.page0, saved.smr);
        if saved.acknowledged {
            self.enable_interrupt(saved.interrupt);
        } else {
            I::enable_interrupt(&self.page0, saved.interrupt);
        }
        I::enable_interrupts(&self.page0, saved.interrupts);
        I::enable_counters(&self.page0, saved.enables);
        self.page1.synchronize();
        Ok(())
    }

    /// Counts the clock, the expected event and the selections, with and without the filter.
    fn try_out(
        trials: &mut Trials<'_, I, P0, P1, N, BITS>,
        expected: Option<I::Selection>,
    ) -> Result<(), Found<Finding>> {
        trials.hardware().turn_an_event_over()?;
        trials.hardware().look_at_page_1()?;
        trials.saved.written = 1;
        trials.hardware().write_a_pattern()?;
        trials.saved.written = N;
        Self::toggle_interrupt(trials);
        let pending = trials.pending().counters.map(|counter| counter.selection);
        let of_interest = || [expected].into_iter().chain(pending).flatten();
        let observed = trials.hardware().secure_observation();
        Self::check_events(trials, of_interest(), observed);
        let mut chosen = of_interest();
        // The last counter counts the clock; the others count the expected event and the
        // selections.
        let selections: [_; N] =
            core::array::from_fn(|n| if n + 1 < N { chosen.next() } else { Some(I::CYCLES) });
        let all = Self::count_with_and_without_filter(trials, selections, observed)?;
        // Secure events are handled above.
        let expected = expected.filter(|expected| !obeys_and_is_secure::<I>(*expected).1);
        if all[0] == 0 && expected.is_some_and(|expected| !trials.hardware().is_absent(expected)) {
            return Err(Found::new(Finding::ExpectedEventNotCounted, 0));
        }
        Ok(())
    }

    fn set_up(&mut self, trial: &mut Trial<I::Selection, N>) -> Result<(), Found<Finding>> {
        for (counter, selection) in trial.selections.into_iter().enumerate() {
            let event = selection.map_or(0, Into::into);
            // EVTYPER0 keeps the filter of the PMU.
            let (before, _) = I::event_type(&self.page0, counter);
            let value = EventType { event, capture: false, ..before };
            I::set_event_type(&self.page0, counter, value);
        }
        for counter in 0..N {
            self.set_and_confirm(counter, 0);
        }
        trial.setting = self.setting();
        I::enable_counters(&self.page0, trial.in_use());
        Ok(())
    }

    fn counts(
        &self,
        trial: &Trial<I::Selection, N>,
        before: Enable,
    ) -> Result<[u32; N], Found<Finding>> {
        let (enabled, still_on) = (Self::enables(before), I::enabled_counters(&self.page0));
        let is_on = enabled && still_on == trial.in_use();
        if !is_on || self.setting() != trial.setting {
            return Err(Found::new(Finding::EnableLost, enabled.into()));
        }
        Ok(self.values())
    }
}

type Trials<'d, I, P0, P1, const N: usize, const BITS: u32> =
    arm_pmu_core::diagnose::Trials<'d, Hardware<I, P0, P1, N, BITS>, N>;

impl<S, const N: usize> Trial<S, N> {
    /// One bit for each counter that counts.
    fn in_use(&self) -> u32 {
        let selections = self.selections.iter().rev();
        selections.fold(0, |bits, selection| bits << 1 | u32::from(selection.is_some()))
    }
}

impl<
    I: Implementation,
    P0: Bus<Space = I::Page0>,
    P1: Bus<Space = I::Page1>,
    const N: usize,
    const BITS: u32,
> Hardware<I, P0, P1, N, BITS>
{
    /// Checks that the device is the PMU of this kind of unit.
    fn identify(&self) -> Result<(), Found<Finding>> {
        let Some(kind) = unlike::<I, P0>(&self.page0, N) else { return Ok(()) };
        let finding = match kind {
            ProbeErrorKind::ReadsAsZero => Finding::ReadsAsZero,
            ProbeErrorKind::ReadsAsOnes => Finding::ReadsAsOnes,
            ProbeErrorKind::Part { .. } => Finding::AnotherProduct,
            ProbeErrorKind::Architecture { .. } => Finding::NotAPmu,
            ProbeErrorKind::Counters { .. } | ProbeErrorKind::Configuration { .. } => {
                let Identification { configuration, .. } = I::identification(&self.page0);
                return Err(Found::new(Finding::Configuration, configuration));
            }
            _ => Finding::BusError,
        };
        Err(Found::new(finding, kind.value()))
    }

    /// Switches the interrupt on or off, and adds a finding if IRQ_CTRLACK does not follow.
    fn toggle_interrupt(trials: &mut Trials<'_, I, P0, P1, N, BITS>) {
        let before = trials.saved.interrupt;
        trials.saved.acknowledged = trials.hardware().enable_interrupt(!before);
        if !trials.saved.acknowledged {
            trials.diagnosis.add(Finding::IrqNotAcknowledged, before.into());
        }
    }

    /// Adds findings about events that the unit lacks, and about missing Secure observation.
    ///
    /// `observed` is [`Hardware::secure_observation`].
    fn check_events(
        trials: &mut Trials<'_, I, P0, P1, N, BITS>,
        selections: impl Iterator<Item = I::Selection>,
        observed: Option<bool>,
    ) {
        let filter = trials.hardware().filter;
        for selection in selections {
            if trials.hardware().is_absent(selection) {
                trials.diagnosis.add(Finding::EventAbsent, u32::from(selection.into()));
            }
            let (obeys, is_secure) = obeys_and_is_secure::<I>(selection);
            match observed {
                _ if !(is_secure || filter.secure && obeys) => {}
                Some(true) => {}
                Some(false) => trials.diagnosis.add(Finding::SecureNotObserved, 0),
                None => trials.diagnosis.add(Finding::SecureObservationUnknown, 0),
            }
        }
    }

    /// Counts with the filter of the driver, then with all streams. Returns the counts of all streams.
    ///
    /// `observed` is [`Hardware::secure_observation`]. The function adds findings about the filter.
    ///
    /// # Errors
    ///
    /// Returns a finding if the clock stands still or a trial fails.
    fn count_with_and_without_filter(
        trials: &mut Trials<'_, I, P0, P1, N, BITS>,
        selections: [Option<I::Selection>; N],
        observed: Option<bool>,
    ) -> Result<[u32; N], Found<Finding>> {
        let filter = trials.hardware().filter;
        let trial = || Trial { selections, setting: ([0; N], 0) };
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
        let clock = |counts: [u32; N]| counts[N - 1];
        if clock(filtered) == 0 && clock(all) == 0 {
            return Err(Found::new(Finding::ClockStandsStill, 0));
        }
        trials.diagnosis.add_proof();
        let filterable = |counts: [u32; N]| {
            let counts = counts[..N - 1].iter().zip(selections);
            let filterable =
                counts.filter(|(_, s)| s.is_some_and(|s| obeys_and_is_secure::<I>(s).0));
            filterable.fold(0, |sum: u32, (count, _)| sum.saturating_add(*count))
        };
        // The unit was active, and no event passed the filter.
        let passes_nothing = |counts: [u32; N]| clock(counts) != 0 && filterable(counts) == 0;
        // Without Secure observation, a Secure filter selects Non-secure streams.
        let has_effect = !filter.secure || observed == Some(true);
        if taken.is_ok() && has_effect && passes_nothing(filtered) && filterable(all) != 0 {
            // Calls the work a third time, because its traffic may have started only after the
            // first call.
            let again = trials.hardware().let_pass(filter);
            let filtered = trials.count(trial())?;
            if again.is_ok() && passes_nothing(filtered) {
                trials.diagnosis.add(Finding::FilterPassesNothing, filterable(all));
            }
        }
        Ok(all)
    }

    /// Inverts the low eight bits of an event in page 0, and checks that the page holds the new
    /// event.
    fn turn_an_event_over(&self) -> Result<(), Found<Finding>> {
        let event = !I::event_type(&self.page0, 1).0.event & 0xFF;
        I::set_event_type(&self.page0, 1, EventType { event, ..EventType::default() });
        let (read, bits) = I::event_type(&self.page0, 1);
        if read.event & 0xFF != event {
            return Err(Found::new(Finding::WritesIgnored, bits));
        }
        Ok(())
    }

    /// Checks that the bus to page 1 reaches registers that can belong to page 1.
    fn look_at_page_1(&self) -> Result<(), Found<Finding>> {
        let [set, clear, capture] = I::page1_words(&self.page1);
        let foreign = capture | (set ^ clear) | (set & !self.all_counters());
        if foreign != 0 {
            return Err(Found::new(Finding::Page1Elsewhere, foreign));
        }
        self.error().map_or(Ok(()), |_| Err(Found::new(Finding::BusError, 0)))
    }

    /// Checks that counter 0 holds a written value.
    fn write_a_pattern(&self) -> Result<(), Found<Finding>> {
        let held = self.set_and_confirm(0, PATTERN);
        if held == PATTERN { Ok(()) } else { Err(Found::new(Finding::Page1Elsewhere, held)) }
    }

    /// Enables or disables the interrupt as a whole, and returns whether IRQ_CTRLACK follows.
    fn enable_interrupt(&self, enabled: bool) -> bool {
        I::enable_interrupt(&self.page0, enabled);
        let acknowledges = || I::acknowledged_enable(&self.page0) == enabled;
        (0..MOST_READS).any(|_| acknowledges() || self.error().is_some())
    }

    /// Returns whether CEID0 and CEID1, which list the architectural events, lack this event.
    fn is_absent(&self, selection: I::Selection) -> bool {
        let number: u16 = selection.into();
        let Some(word) = I::common_events(&self.page0, number / 32) else { return false };
        word >> (number % 32) & 1 == 0
    }

    /// Sets the filter. If the unit does not accept the filter, returns the value of SMR0.
    fn let_pass(&self, filter: StreamFilter<BITS>) -> Result<(), u32> {
        let StreamFilter { span, secure, .. } = filter;
        I::set_event_type(&self.page0, 0, EventType { span, secure, ..EventType::default() });
        match self.match_streams(filter) {
            Some(_) => Ok(()),
            None => Err(I::streams(&self.page0)),
        }
    }

    /// Reads the selections of the counters and the filter.
    fn setting(&self) -> ([u32; N], u32) {
        let types = core::array::from_fn(|counter| I::event_type(&self.page0, counter).1);
        (types, I::streams(&self.page0))
    }

    /// Writes a count, and returns the value read back. The read completes after the write has
    /// arrived.
    fn set_and_confirm(&self, counter: usize, count: u32) -> u32 {
        I::set_value(&self.page1, counter, count);
        I::value(&self.page1, counter)
    }

    fn values(&self) -> [u32; N] {
        core::array::from_fn(|counter| self.value(counter))
    }
}
