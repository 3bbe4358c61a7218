//! Diagnosis of a counter that reads zero.
//!
//! The diagnosis tests the possible causes one after another. Each implementation has its own texts
//! for the causes.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::Diagnosable;
use arm_pmu_core::diagnose::{Diagnosis, Found};
use arm_pmu_core::driver::Driver;
use arm_pmu_core::driver::ProbeErrorKind;

use crate::hardware::{Hardware, SOURCE, STANDSTILL, counts, select};
use crate::probe::unlike;
use crate::registers::{Registers, Space, count_control, event_select, pmcr};
use crate::{COUNTERS, Finding, Implementation};

/// A value that a counter is unlikely to contain.
const PATTERN: u32 = 0x5A5A_5A5A;

/// Largest number of slave interfaces of a CCI-5xx: sources 0 to 6.
const SLAVES: u16 = 7;

/// Counter of the expected event. Each of the other counters belongs to one slave interface.
const OF_EXPECTED: usize = COUNTERS - 1;

/// Event ids, one for each counter.
type Selections = [Option<u16>; COUNTERS];

/// Runs the diagnosis of a CCI-5xx.
///
/// The diagnosis calls `work` three times if nothing is counted, and otherwise twice. `work` has to
/// cause traffic on the interconnect. A loop that hits in a processor's caches causes none.
///
/// Finally the diagnosis restores PMCR, all counts, selections and enables, even if `work` panics.
/// To restore the counts, the diagnosis uses the procedure of a start, with an event that nothing
/// signals. The trials start from 0, so they set no overflow flag unless `work` causes 2^32 events.
pub fn diagnose<P: Implementation, B: Bus<Space = Space>>(
    driver: &mut Driver<Hardware<P, B>, P::Selection, COUNTERS>,
    expected: Option<P::Selection>,
    work: impl FnMut(),
) -> Diagnosis<P::Finding> {
    driver.diagnose(|hardware, _| hardware.identify(), expected, work).map(Into::into)
}

/// Saved values of the registers that the trials change.
#[derive(Debug)]
pub struct Saved {
    counts: [u32; COUNTERS],
    settings: [(event_select::R, count_control::R); COUNTERS],
    /// Whether the trials wrote anything other than the selection of counter 0.
    changed: bool,
}

impl<P: Implementation, B: Bus<Space = Space>> Diagnosable<COUNTERS> for Hardware<P, B> {
    type Finding = Finding;
    type Saved = Saved;
    type Trial = Selections;
    type Counts = [u32; COUNTERS];
    const BUS_ERROR: Finding = Finding::BusError;
    const INTERFERENCE: Finding = Finding::Interference;

    fn save(&mut self) -> Result<Saved, Found<Finding>> {
        let blocks = Registers::shared(&self.bus).counters();
        Ok(Saved {
            counts: blocks.each_ref().map(|block| block.event_count().read().count().bits()),
            settings: blocks
                .map(|block| (block.event_select().read(), block.count_control().read())),
            changed: false,
        })
    }

    /// If the device ignores writes, all counts are unchanged and no counter gets a clock. A
    /// clocked counter might count, because the device may have ignored the write of the standstill
    /// event.
    fn restore(&mut self, saved: &Saved) -> Result<(), Found<Finding>> {
        if saved.changed {
            self.set_counts(saved.counts);
        }
        let blocks = Registers::shared(&self.bus).counters();
        for (block, (select, control)) in blocks.iter().zip(saved.settings) {
            block.event_select().modify_from(select, |w| w);
            if !saved.changed {
                break;
            }
            block.count_control().modify_from(control, |w| w);
        }
        Ok(())
    }

    /// Counts beats (Secure exempt) at every slave interface, then requests (not Secure exempt).
    fn try_out(
        trials: &mut Trials<'_, P, B>,
        expected: Option<P::Selection>,
    ) -> Result<(), Found<Finding>> {
        trials.hardware().turn_a_selection_over()?;
        trials.saved.changed = true;
        let wanted = trials.pending().counters.map(|counter| counter.selection);
        let selections = wanted.into_iter().chain([expected]).flatten();
        for selection in selections.filter(|selection| P::never_fires(*selection)) {
            trials.diagnosis.add(Finding::NeverFires, u32::from(selection.into()));
        }
        // An expected event that never fires is ignored.
        let expected = expected.filter(|expected| !P::never_fires(*expected)).map(Into::into);
        let wanted = wanted.map(|selection| selection.map(Into::into));
        let reads = trials.count(at_slaves(P::READ_BEATS, expected))?;
        let (total, expected_counts, secure_at) = match busy_source(wanted, expected, &reads) {
            // Both events are counted at one interface, in the same run.
            Some(source) => {
                let mut both = at_slaves(P::READ_BEATS, expected);
                let other = (source + 1) % OF_EXPECTED;
                both[other] = Some((source as u16) << SOURCE | P::READ_REQUESTS);
                let counts = trials.count(both)?;
                let unseen = counts[source] != 0 && counts[other] == 0;
                let expected_counts = reads[OF_EXPECTED] | counts[OF_EXPECTED];
                (sum(&reads), expected_counts, unseen.then_some(source))
            }
            None => {
                let writes = trials.count(at_slaves(P::WRITE_BEATS, expected))?;
                let requests = trials.count(at_slaves(P::READ_REQUESTS, expected))?;
                let all = [reads, writes, requests];
                let expected_counts = all.iter().fold(0, |sum, counts| sum | counts[OF_EXPECTED]);
                (all.iter().map(sum).fold(0, u32::saturating_add), expected_counts, None)
            }
        };
        if total == 0 {
            let is_certain = expected.is_some();
            let finding = if is_certain { Finding::NidenLow } else { Finding::NidenLowOrSilence };
            return Err(Found::new(finding, 0));
        }
        trials.diagnosis.add_proof();
        if expected.is_some() && expected_counts != 0 {
            return Ok(());
        }
        if secure_at.is_some() {
            trials.diagnosis.add(Finding::SecureNotObserved, 0);
        }
        match expected {
            // At the interface of the Secure traffic, `SecureNotObserved` already explains the count of zero.
            Some(expected) if secure_at.is_none() || at_slave(expected) != secure_at => {
                Err(Found::new(Finding::ExpectedEventNotCounted, 0))
            }
            _ => Ok(()),
        }
    }

    fn set_up(&mut self, selections: &mut Selections) -> Result<(), Found<Finding>> {
        let [held, ..] = self.set_counts([PATTERN; COUNTERS]);
        if held != PATTERN {
            return Err(Found::new(Finding::CountersNotClocked, held));
        }
        self.set_counts([0; COUNTERS]);
        for (block, selection) in Registers::shared(&self.bus).counters().iter().zip(*selections) {
            select(block, selection.unwrap_or(STANDSTILL));
        }
        Ok(())
    }

    fn counts(
        &self,
        selections: &Selections,
        before: pmcr::R,
    ) -> Result<[u32; COUNTERS], Found<Finding>> {
        let blocks = Registers::shared(&self.bus).counters();
        let mut settings = blocks.iter().zip(selections);
        if !before.cen().bit()
            || !settings.all(|(block, selection)| counts(block, selection.unwrap_or(STANDSTILL)))
        {
            return Err(Found::new(Finding::EnableLost, before.bits()));
        }
        Ok(blocks.map(|block| block.event_count().read().count().bits()))
    }
}

type Trials<'d, P, B> = arm_pmu_core::diagnose::Trials<'d, Hardware<P, B>, COUNTERS>;

impl<P: Implementation, B: Bus<Space = Space>> Hardware<P, B> {
    /// Checks that the device is this implementation.
    ///
    /// Non-secure software may have access to the PMU but not to the identification registers. In
    /// that case there is nothing to check.
    fn identify(&self) -> Result<(), Found<Finding>> {
        let Some(kind) = unlike::<P, B>(&self.bus) else { return Ok(()) };
        let finding = match kind {
            ProbeErrorKind::Unidentified => return Ok(()),
            ProbeErrorKind::ReadsAsZero => Finding::ReadsAsZero,
            ProbeErrorKind::ReadsAsOnes => Finding::ReadsAsOnes,
            ProbeErrorKind::Part { .. } => Finding::AnotherProduct,
            ProbeErrorKind::Counters { .. } => Finding::Counters,
            _ => Finding::BusError,
        };
        Err(Found::new(finding, kind.value()))
    }

    /// Writes a selection with every bit inverted, and checks that the register holds it.
    fn turn_a_selection_over(&self) -> Result<(), Found<Finding>> {
        let [block, ..] = Registers::shared(&self.bus).counters();
        let before = block.event_select().read();
        let (source, event) = (!before.source().bits() & 0xF, !before.event().bits() & 0x1F);
        block.event_select().write(|w| w.source().set(source).event().set(event));
        let after = block.event_select().read();
        if after.source().bits() != source || after.event().bits() != event {
            return Err(Found::new(Finding::WritesIgnored, after.bits()));
        }
        Ok(())
    }

    /// Writes all counts, and returns the values that the counters then hold.
    ///
    /// The counters remain enabled, with the standstill event selected and CEN clear.
    ///
    /// A counter accepts a value only while it has a clock. It has a clock only while both its own
    /// enable and CEN are set.
    fn set_counts(&self, counts: [u32; COUNTERS]) -> [u32; COUNTERS] {
        let registers = Registers::shared(&self.bus);
        let blocks = registers.counters();
        for block in &blocks {
            select(block, STANDSTILL);
            block.count_control().write(|w| w.enable().set_bit());
        }
        registers.pmcr().modify(|_, w| w.cen().set_bit());
        let mut counts = counts.into_iter();
        let held = blocks.map(|block| {
            let count = counts.next().unwrap_or(0);
            block.event_count().write(|w| w.count().set(count));
            block.event_count().read().count().bits()
        });
        registers.pmcr().modify(|_, w| w.cen().clear_bit());
        held
    }
}

/// Returns an interface with counted beats: the expected event's interface, else a selection's interface, else the
/// busiest interface.
fn busy_source(
    wanted: Selections,
    expected: Option<u16>,
    beats: &[u32; COUNTERS],
) -> Option<usize> {
    let is_busy = |source: &usize| beats[*source] != 0;
    let mut preferred = [expected].into_iter().chain(wanted).flatten().filter_map(at_slave);
    preferred.find(is_busy).or_else(|| {
        let busiest = (0..usize::from(SLAVES)).max_by_key(|source| beats[*source]);
        busiest.filter(is_busy)
    })
}

/// Returns the slave interface of the event; `None` for an event of another source.
fn at_slave(selection: u16) -> Option<usize> {
    let source = selection >> SOURCE;
    (source < SLAVES).then_some(usize::from(source))
}

/// Selects one event at each slave interface, and the expected event.
fn at_slaves(event: u16, expected: Option<u16>) -> Selections {
    let mut sources = 0..SLAVES;
    [(); COUNTERS].map(|()| match sources.next() {
        Some(source) => Some(source << SOURCE | event),
        None => expected,
    })
}

fn sum(counts: &[u32; COUNTERS]) -> u32 {
    counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
}
