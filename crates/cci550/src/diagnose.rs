//! Why does a counter read zero? What is tried, in which order. The findings are those of
//! `specs/cci550/findings.yaml`.

use arm_pmu_core::{Bus, Diagnose, Diagnosis, Event as _};

use crate::registers::{CounterBlock, Registers, Space, pid0, pid1};
use crate::{COUNTERS, Finding, Listed, Pmu, Selection, SlaveEvent, SlaveSource};

/// A code of a master interface that no event has: what clocks a counter without counting.
const STANDSTILL: Selection = Selection::raw(0x11F).expect("9 bits");

/// What a counter does not hold by chance.
const PATTERN: u32 = 0x5A5A_5A5A;

/// The counter of the canary. The others are those of the slave interfaces.
const OF_CANARY: usize = COUNTERS - 1;

/// `work` is called three times if nothing is counted, else twice. It has to cause traffic: a loop
/// in the caches of a processor does not.
///
/// Put back are PMCR, all counts, selections and enables; the counts by the way that a start goes,
/// with an event that does not happen. Overflow flags are not touched; none can come up, as the
/// counters that are tried start from 0.
impl<B: Bus<Space = Space>> Diagnose for Pmu<B> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        canary: Option<Selection>,
        mut work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        let mut diagnosis = Diagnosis::new();
        self.identify(&mut diagnosis);
        if diagnosis.found_nothing() {
            let saved = Saved::stop(&self.bus);
            if self.writes_are_taken(&mut diagnosis) {
                self.look_for_events_that_never_fire(canary, &mut diagnosis);
                // The canary that cannot happen is none.
                let canary = canary.filter(|canary| !never_fires(*canary));
                self.try_counting(canary, &mut work, &mut diagnosis);
            }
            saved.put_back(&self.bus);
        }
        if self.bus.fault().is_some() {
            return Diagnosis::only(Finding::BusFault, 0);
        }
        diagnosis.add_lost(Finding::Lost, self.lost());
        diagnosis
    }
}

fn never_fires(selection: Selection) -> bool {
    match selection.listed() {
        Some(Listed::Slave(_, event)) => event.never_fires(),
        Some(Listed::Master(_, event)) => event.never_fires(),
        Some(Listed::Global(_, event)) => event.never_fires(),
        None => false,
    }
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Whether it is a CCI-550, as far as that can be known: Non-secure software may reach the PMU and
    /// not its identification.
    fn identify(&self, diagnosis: &mut Diagnosis<Finding>) {
        let registers = Registers::of(&self.bus);
        let (pid0, pid1) = (registers.pid0().read(), registers.pid1().read());
        let pmcr = registers.pmcr().read();
        let (read, expected) = (
            part(pid0, pid1),
            part(pid0::R::from_bits(pid0::RESET), pid1::R::from_bits(pid1::RESET)),
        );
        let everything = [pid0.bits(), pid1.bits(), pmcr.bits()];
        if everything == [0; 3] {
            diagnosis.add(Finding::ReadsAsZero, 0);
        } else if everything == [u32::MAX; 3] {
            diagnosis.add(Finding::ReadsAsOnes, u32::MAX);
        } else if read != 0 && read != expected {
            diagnosis.add(Finding::AnotherProduct, read);
        } else if usize::from(pmcr.pmu_cnt_num().bits()) != COUNTERS {
            diagnosis.add(Finding::Counters, pmcr.pmu_cnt_num().bits().into());
        }
    }

    /// Whether a register holds what is written to it: every bit of a selection, turned over.
    fn writes_are_taken(&self, diagnosis: &mut Diagnosis<Finding>) -> bool {
        let [block, ..] = Registers::of(&self.bus).counters();
        let before = block.event_select().read();
        let source = !before.source().bits() & 0xF;
        let event = !before.event().bits() & 0x1F;
        block.event_select().write(|w| w.source().set(source).event().set(event));
        let after = block.event_select().read();
        let taken = after.source().bits() == source && after.event().bits() == event;
        if !taken {
            diagnosis.add(Finding::WritesIgnored, after.bits());
        }
        taken
    }

    /// Whether the canary, or what the counters are told to count, cannot happen.
    fn look_for_events_that_never_fire(
        &mut self,
        canary: Option<Selection>,
        diagnosis: &mut Diagnosis<Finding>,
    ) {
        let wanted = self.counters().map(|counter| counter.selection());
        for selection in wanted.into_iter().chain([canary]).flatten().filter(|s| never_fires(*s)) {
            diagnosis.add(Finding::NeverFires, selection.id().into());
        }
    }

    /// Counts beats at every slave interface, which is possible whatever their security; then requests,
    /// which is not. `None` if the counters did not stay enabled.
    fn try_counting(
        &mut self,
        canary: Option<Selection>,
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<Finding>,
    ) -> Option<()> {
        let reads = self.count_during(at_slaves(READ_BEAT, canary), work, diagnosis)?;
        let (total, canaries, requests_unseen) = match self.busy_source(canary, &reads) {
            // At one interface, so that both are counted at once.
            Some(source) => {
                let mut both = at_slaves(READ_BEAT, canary);
                both[usize::from(source.id())] = Some(source.event(READ_BEAT));
                let other = (usize::from(source.id()) + 1) % OF_CANARY;
                both[other] = Some(source.event(SlaveEvent::ReadRequestAny));
                let counts = self.count_during(both, work, diagnosis)?;
                let unseen = counts[usize::from(source.id())] != 0 && counts[other] == 0;
                (sum(&reads), reads[OF_CANARY] | counts[OF_CANARY], unseen)
            }
            None => {
                let writes = self.count_during(
                    at_slaves(SlaveEvent::WriteDataBeat, canary),
                    work,
                    diagnosis,
                )?;
                let requests = self.count_during(
                    at_slaves(SlaveEvent::ReadRequestAny, canary),
                    work,
                    diagnosis,
                )?;
                let all = [reads, writes, requests];
                let canaries = all.iter().fold(0, |canaries, counts| canaries | counts[OF_CANARY]);
                (all.iter().map(sum).fold(0, u32::saturating_add), canaries, false)
            }
        };
        match canary {
            None if total == 0 => diagnosis.add(Finding::NidenLowOrSilence, 0),
            Some(_) if total == 0 => diagnosis.add(Finding::NidenLow, 0),
            Some(_) if canaries != 0 => {}
            None | Some(_) if requests_unseen => diagnosis.add(Finding::SecureNotObserved, 0),
            Some(_) => diagnosis.add(Finding::CanaryNotCounted, 0),
            None => {}
        }
        if total != 0 {
            diagnosis.add_proof();
        }
        Some(())
    }

    /// An interface at which beats were counted: that of the canary, or one that is to be measured, or
    /// the busiest.
    fn busy_source(
        &mut self,
        canary: Option<Selection>,
        beats: &[u32; COUNTERS],
    ) -> Option<SlaveSource> {
        let wanted = self.counters().map(|counter| counter.selection());
        let at_slave = |selection: Selection| SlaveSource::from_id(selection.source_id());
        let is_busy = |source: &SlaveSource| beats[usize::from(source.id())] != 0;
        let mut preferred = [canary].into_iter().chain(wanted).flatten().filter_map(at_slave);
        preferred.find(is_busy).or_else(|| {
            let busiest = SlaveSource::ALL.into_iter().max_by_key(|s| beats[usize::from(s.id())]);
            busiest.filter(is_busy)
        })
    }

    /// Counts from 0 during the work; `None`, and why, if that did not go as it was set.
    fn count_during(
        &self,
        selections: [Option<Selection>; COUNTERS],
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<Finding>,
    ) -> Option<[u32; COUNTERS]> {
        let registers = Registers::of(&self.bus);
        let blocks = registers.counters();
        let held = set_counts(&self.bus, [PATTERN; COUNTERS])[0];
        set_counts(&self.bus, [0; COUNTERS]);
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
        let enabled = blocks.iter().all(|block| block.count_control().read().enable().bit());
        if !pmcr.cen().bit() || !enabled {
            diagnosis.add(Finding::EnableLost, pmcr.bits());
            return None;
        }
        if held != PATTERN {
            diagnosis.add(Finding::CountersNotClocked, held);
            return None;
        }
        Some(blocks.map(|block| block.event_count().read().count().bits()))
    }
}

const READ_BEAT: SlaveEvent = SlaveEvent::ReadDataBeat;

/// One event at each slave interface, and the canary.
fn at_slaves(event: SlaveEvent, canary: Option<Selection>) -> [Option<Selection>; COUNTERS] {
    let mut sources = SlaveSource::ALL.into_iter();
    [(); COUNTERS].map(|()| match sources.next() {
        Some(source) => Some(source.event(event)),
        None => canary,
    })
}

fn sum(counts: &[u32; COUNTERS]) -> u32 {
    counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
}

fn select<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: Selection) {
    block
        .event_select()
        .write(|w| w.source().set(selection.source_id() as u8).event().set(selection.code() as u8));
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
        set_counts(bus, self.counts);
        let registers = Registers::of(bus);
        for (block, (source, event, on)) in registers.counters().iter().zip(self.settings) {
            block.event_select().write(|w| w.source().set(source).event().set(event));
            block.count_control().write(|w| w.enable().bit(on));
        }
        registers.pmcr().modify(|_, w| w.cen().bit(self.enabled));
        registers.pmcr().read();
        bus.synchronize();
    }
}

fn part(pid0: pid0::R, pid1: pid1::R) -> u32 {
    u32::from(pid1.part_1().bits()) << 8 | u32::from(pid0.part_0().bits())
}
