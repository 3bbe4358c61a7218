//! Why does a counter read zero? What is tried, in which order. The texts of the findings are those of
//! each implementation.

use arm_pmu_core::driver::Driver;
use arm_pmu_core::{Bus, Diagnosis};

use crate::hardware::{Hardware, SOURCE, STANDSTILL, counts, select};
use crate::probe::part;
use crate::registers::{Registers, Space};
use crate::{COUNTERS, Finding, Implementation};

/// What a counter does not hold by chance.
const PATTERN: u32 = 0x5A5A_5A5A;

/// How many slave interfaces a CCI-5xx can have: sources 0 to 6.
const SLAVES: u16 = 7;

/// The counter of the canary. The others are those of the slave interfaces.
const OF_CANARY: usize = COUNTERS - 1;

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
    canary: Option<P::Selection>,
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
            attempt.look_for_events_that_never_fire(wanted, canary);
            // The canary that cannot happen is none.
            let canary = canary.filter(|canary| !P::never_fires(*canary)).map(Into::into);
            let wanted = wanted.map(|selection| selection.map(Into::into));
            attempt.try_counting(wanted, canary, &mut work);
        } else {
            saved.put_back_what_was_tested(bus);
        }
    }
    if bus.fault().is_some() {
        return Diagnosis::only(Finding::BusFault.into(), 0);
    }
    let mut diagnosis = attempt.diagnosis;
    diagnosis.add_lost(Finding::Lost.into(), driver.interference());
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

    /// Whether the canary, or what the counters are told to count, cannot happen.
    fn look_for_events_that_never_fire(
        &mut self,
        wanted: [Option<P::Selection>; COUNTERS],
        canary: Option<P::Selection>,
    ) {
        let selections = wanted.into_iter().chain([canary]).flatten();
        for selection in selections.filter(|selection| P::never_fires(*selection)) {
            self.add(Finding::NeverFires, u32::from(selection.into()));
        }
    }

    /// Whether it is this implementation, as far as that can be known: Non-secure software may reach the
    /// PMU and not its identification.
    fn identify(&mut self) {
        let registers = Registers::of(self.bus);
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
        let [block, ..] = Registers::of(self.bus).counters();
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
        canary: Option<u16>,
        work: &mut impl FnMut(),
    ) -> Option<()> {
        let reads = self.count_during(at_slaves(P::READ_BEATS, canary), work)?;
        let (total, canaries, secure_at) = match busy_source(wanted, canary, &reads) {
            // At one interface, so that both are counted at once.
            Some(source) => {
                let mut both = at_slaves(P::READ_BEATS, canary);
                let other = (source + 1) % OF_CANARY;
                both[other] = Some((source as u16) << SOURCE | P::READ_REQUESTS);
                let counts = self.count_during(both, work)?;
                let unseen = counts[source] != 0 && counts[other] == 0;
                let canaries = reads[OF_CANARY] | counts[OF_CANARY];
                (sum(&reads), canaries, unseen.then_some(source))
            }
            None => {
                let writes = self.count_during(at_slaves(P::WRITE_BEATS, canary), work)?;
                let requests = self.count_during(at_slaves(P::READ_REQUESTS, canary), work)?;
                let all = [reads, writes, requests];
                let canaries = all.iter().fold(0, |canaries, counts| canaries | counts[OF_CANARY]);
                (all.iter().map(sum).fold(0, u32::saturating_add), canaries, None)
            }
        };
        match (canary, secure_at) {
            (None, _) if total == 0 => self.add(Finding::NidenLowOrSilence, 0),
            (Some(_), _) if total == 0 => self.add(Finding::NidenLow, 0),
            (Some(_), _) if canaries != 0 => {}
            (None, None) => {}
            (None, Some(_)) => self.add(Finding::SecureNotObserved, 0),
            (Some(_), None) => self.add(Finding::CanaryNotCounted, 0),
            (Some(canary), Some(source)) => {
                self.add(Finding::SecureNotObserved, 0);
                // Elsewhere that does not tell why the canary was not counted.
                if at_slave(canary) != Some(source) {
                    self.add(Finding::CanaryNotCounted, 0);
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
        let registers = Registers::of(self.bus);
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

/// An interface at which beats were counted: that of the canary, or one that is to be measured, or
/// the busiest.
fn busy_source(wanted: Selections, canary: Option<u16>, beats: &[u32; COUNTERS]) -> Option<usize> {
    let is_busy = |source: &usize| beats[*source] != 0;
    let mut preferred = [canary].into_iter().chain(wanted).flatten().filter_map(at_slave);
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

/// One event at each slave interface, and the canary.
fn at_slaves(event: u16, canary: Option<u16>) -> Selections {
    let mut sources = 0..SLAVES;
    [(); COUNTERS].map(|()| match sources.next() {
        Some(source) => Some(source << SOURCE | event),
        None => canary,
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
    let registers = Registers::of(bus);
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
        let registers = Registers::of(bus);
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
        let registers = Registers::of(bus);
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
        let [block, ..] = Registers::of(bus).counters();
        let [(source, event, _), ..] = self.settings;
        block.event_select().write(|w| w.source().set(source).event().set(event));
        self.put_back_enable(bus);
    }

    fn put_back_enable<B: Bus<Space = Space>>(&self, bus: &B) {
        let registers = Registers::of(bus);
        registers.pmcr().modify(|_, w| w.cen().bit(self.enabled));
        registers.pmcr().read();
        bus.synchronize();
    }
}
