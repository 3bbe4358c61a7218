//! Why does a counter read zero? What is tried, in which order. The texts of the findings are those of
//! each implementation.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::Diagnosis;
use arm_pmu_core::driver::Driver;

use crate::hardware::{Hardware, SOURCE, STANDSTILL, counts, select};
use crate::probe::part;
use crate::registers::{Registers, Space};
use crate::{COUNTERS, Finding, Implementation};

/// What a counter does not hold by chance.
const PATTERN: u32 = 0x5A5A_5A5A;

/// How many slave interfaces a CCI-5xx can have: sources 0 to 6.
const SLAVES: u16 = 7;

/// The counter of the expected event. The others are those of the slave interfaces.
const OF_EXPECTED: usize = COUNTERS - 1;

/// Event ids, one for each counter.
type Selections = [Option<u16>; COUNTERS];

/// `work` is called three times if nothing is counted, else twice. It has to cause traffic: a loop
/// in the caches of a processor does not.
///
/// Put back are PMCR, all counts, selections and enables, even if `work` panics; the counts by the
/// way that a start goes, with an event that does not happen. Overflow flags are not touched; none
/// can come up, as the counters that are tried start from 0.
pub fn diagnose<P: Implementation, B: Bus<Space = Space>>(
    driver: &Driver<Hardware<P, B>, P::Selection, COUNTERS>,
    expected: Option<P::Selection>,
    mut work: impl FnMut(),
) -> Diagnosis<P::Finding> {
    let bus = &driver.hardware().bus;
    let mut attempt = Attempt::<P, B> { bus, diagnosis: Diagnosis::new() };
    attempt.identify();
    if attempt.diagnosis.found_nothing() {
        let wanted = driver.pending().counters.map(|counter| counter.selection);
        let saved = Saved::stop(bus);
        if attempt.writes_are_taken() {
            let _end = PutBack { bus, saved };
            attempt.look_for_events_that_never_fire(wanted, expected);
            // The expected event that cannot happen is none.
            let expected = expected.filter(|expected| !P::never_fires(*expected)).map(Into::into);
            let wanted = wanted.map(|selection| selection.map(Into::into));
            attempt.try_counting(wanted, expected, &mut work);
        } else {
            saved.put_back_what_was_tested(bus);
        }
    }
    if bus.error().is_some() {
        return Diagnosis::only(Finding::BusError.into(), 0);
    }
    let mut diagnosis = attempt.diagnosis;
    diagnosis.add_lost(Finding::Interference.into(), driver.interference());
    diagnosis
}

/// What was found so far.
struct Attempt<'b, P: Implementation, B> {
    bus: &'b B,
    diagnosis: Diagnosis<P::Finding>,
}

impl<P: Implementation, B: Bus<Space = Space>> Attempt<'_, P, B> {
    fn add(&mut self, finding: Finding, value: u32) {
        self.diagnosis.add(finding.into(), value);
    }

    /// Whether the expected event, or what the counters are told to count, cannot happen.
    fn look_for_events_that_never_fire(
        &mut self,
        wanted: [Option<P::Selection>; COUNTERS],
        expected: Option<P::Selection>,
    ) {
        let selections = wanted.into_iter().chain([expected]).flatten();
        for selection in selections.filter(|selection| P::never_fires(*selection)) {
            self.add(Finding::NeverFires, u32::from(selection.into()));
        }
    }

    /// Whether it is this implementation, as far as that can be known: Non-secure software may reach the
    /// PMU and not its identification.
    fn identify(&mut self) {
        let registers = Registers::shared(self.bus);
        let (pid0, pid1) = (registers.pid0().read(), registers.pid1().read());
        let pmcr = registers.pmcr().read();
        let read = part(pid0, pid1);
        let everything = [pid0.bits(), pid1.bits(), pmcr.bits()];
        if everything == [0; 3] {
            self.add(Finding::ReadsAsZero, 0);
        } else if everything == [u32::MAX; 3] {
            self.add(Finding::ReadsAsOnes, u32::MAX);
        } else if read != 0 && read != P::PART {
            self.add(Finding::AnotherProduct, read.into());
        } else if usize::from(pmcr.pmu_cnt_num().bits()) != COUNTERS {
            self.add(Finding::Counters, pmcr.pmu_cnt_num().bits().into());
        }
    }

    /// Whether a register holds what is written to it: every bit of a selection, turned over.
    fn writes_are_taken(&mut self) -> bool {
        let [block, ..] = Registers::shared(self.bus).counters();
        let before = block.event_select().read();
        let source = !before.source().bits() & 0xF;
        let event = !before.event().bits() & 0x1F;
        block.event_select().write(|w| w.source().set(source).event().set(event));
        let after = block.event_select().read();
        let taken = after.source().bits() == source && after.event().bits() == event;
        if !taken {
            self.add(Finding::WritesIgnored, after.bits());
        }
        taken
    }

    /// Counts beats at every slave interface, which is possible whatever their security; then requests,
    /// which is not. `None` if the counters did not stay as set.
    fn try_counting(
        &mut self,
        wanted: Selections,
        expected: Option<u16>,
        work: &mut impl FnMut(),
    ) -> Option<()> {
        let reads = self.count_during(at_slaves(P::READ_BEATS, expected), work)?;
        let (total, expected_counts, secure_at) = match busy_source(wanted, expected, &reads) {
            // At one interface, so that both are counted at once.
            Some(source) => {
                let mut both = at_slaves(P::READ_BEATS, expected);
                let other = (source + 1) % OF_EXPECTED;
                both[other] = Some((source as u16) << SOURCE | P::READ_REQUESTS);
                let counts = self.count_during(both, work)?;
                let unseen = counts[source] != 0 && counts[other] == 0;
                let expected_counts = reads[OF_EXPECTED] | counts[OF_EXPECTED];
                (sum(&reads), expected_counts, unseen.then_some(source))
            }
            None => {
                let writes = self.count_during(at_slaves(P::WRITE_BEATS, expected), work)?;
                let requests = self.count_during(at_slaves(P::READ_REQUESTS, expected), work)?;
                let all = [reads, writes, requests];
                let expected_counts = all
                    .iter()
                    .fold(0, |expected_counts, counts| expected_counts | counts[OF_EXPECTED]);
                (all.iter().map(sum).fold(0, u32::saturating_add), expected_counts, None)
            }
        };
        match (expected, secure_at) {
            (None, _) if total == 0 => self.add(Finding::NidenLowOrSilence, 0),
            (Some(_), _) if total == 0 => self.add(Finding::NidenLow, 0),
            (Some(_), _) if expected_counts != 0 => {}
            (None, None) => {}
            (None, Some(_)) => self.add(Finding::SecureNotObserved, 0),
            (Some(_), None) => self.add(Finding::ExpectedEventNotCounted, 0),
            (Some(expected), Some(source)) => {
                self.add(Finding::SecureNotObserved, 0);
                // Elsewhere that does not tell why the expected event was not counted.
                if at_slave(expected) != Some(source) {
                    self.add(Finding::ExpectedEventNotCounted, 0);
                }
            }
        }
        if total != 0 {
            self.diagnosis.add_proof();
        }
        Some(())
    }

    /// Counts from 0 during the work; `None`, and why, if that did not go as it was set.
    fn count_during(
        &mut self,
        selections: Selections,
        work: &mut impl FnMut(),
    ) -> Option<[u32; COUNTERS]> {
        let registers = Registers::shared(self.bus);
        let blocks = registers.counters();
        let held = set_counts(self.bus, [PATTERN; COUNTERS])[0];
        set_counts(self.bus, [0; COUNTERS]);
        for (block, selection) in blocks.iter().zip(selections) {
            select(block, selection.unwrap_or(STANDSTILL));
        }
        registers.pmcr().modify(|_, w| w.cen().set_bit());
        registers.pmcr().read();
        self.bus.synchronize();
        work();
        self.bus.synchronize();
        let pmcr = registers.pmcr().read();
        registers.pmcr().modify(|_, w| w.cen().clear_bit());
        let mut told = blocks.iter().zip(selections);
        let as_told = told.all(|(block, told)| counts(block, told.unwrap_or(STANDSTILL)));
        if !pmcr.cen().bit() || !as_told {
            self.add(Finding::EnableLost, pmcr.bits());
            return None;
        }
        if held != PATTERN {
            self.add(Finding::CountersNotClocked, held);
            return None;
        }
        Some(blocks.map(|block| block.event_count().read().count().bits()))
    }
}

/// An interface at which beats were counted: that of the expected event, or one that is to be measured, or
/// the busiest.
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

/// The slave interface of the event, if it is that of one.
fn at_slave(selection: u16) -> Option<usize> {
    let source = selection >> SOURCE;
    (source < SLAVES).then_some(usize::from(source))
}

/// One event at each slave interface, and the expected event.
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

/// Writes all counts, and leaves the counters enabled, at a standstill and CEN clear. Gives what they
/// then held.
///
/// They take it only while they have a clock, that is, while their own enable and CEN are set.
fn set_counts<B: Bus<Space = Space>>(bus: &B, counts: [u32; COUNTERS]) -> [u32; COUNTERS] {
    let registers = Registers::shared(bus);
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

/// What the registers held that are changed.
struct Saved {
    enabled: bool,
    counts: [u32; COUNTERS],
    /// Source, event, enable.
    settings: [(u8, u8, bool); COUNTERS],
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
        let mut enabled = false;
        registers.pmcr().modify(|r, w| {
            enabled = r.cen().bit();
            w.cen().clear_bit()
        });
        Self {
            enabled,
            counts: registers.counters().map(|block| block.event_count().read().count().bits()),
            settings: registers.counters().map(|block| {
                let select = block.event_select().read();
                let on = block.count_control().read().enable().bit();
                (select.source().bits(), select.event().bits(), on)
            }),
        }
    }

    /// Writes everything as it was, the global enable last, and waits until that has arrived.
    fn put_back<B: Bus<Space = Space>>(&self, bus: &B) {
        let registers = Registers::shared(bus);
        // Work that panicked left the counters running.
        registers.pmcr().modify(|_, w| w.cen().clear_bit());
        set_counts(bus, self.counts);
        for (block, (source, event, on)) in registers.counters().iter().zip(self.settings) {
            block.event_select().write(|w| w.source().set(source).event().set(event));
            block.count_control().write(|w| w.enable().bit(on));
        }
        self.put_back_enable(bus);
    }

    /// Writes what changed if writes were not taken: all counts are as they were, and a counter that
    /// was given a clock now might count, as it may not have taken the standstill.
    fn put_back_what_was_tested<B: Bus<Space = Space>>(&self, bus: &B) {
        let [block, ..] = Registers::shared(bus).counters();
        let [(source, event, _), ..] = self.settings;
        block.event_select().write(|w| w.source().set(source).event().set(event));
        self.put_back_enable(bus);
    }

    fn put_back_enable<B: Bus<Space = Space>>(&self, bus: &B) {
        let registers = Registers::shared(bus);
        registers.pmcr().modify(|_, w| w.cen().bit(self.enabled));
        registers.pmcr().read();
        bus.synchronize();
    }
}
