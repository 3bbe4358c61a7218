//! Why does a counter read zero? What is tried, in which order. The findings are those of
//! `specs/mmu600/findings.yaml`.

use core::cell::Cell;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnose, Diagnosis};

use crate::hardware::ALL_COUNTERS;
use crate::hardware::obeys_and_is_secure;
use crate::registers::{
    Page0, Page0Registers, Page1, Page1Registers, capr, cfgr, pidr0, pidr1, pmdevarch,
};
use crate::{COUNTERS, Component, Finding, Pmu, StreamFilter};

/// What a counter does not hold by chance.
const PATTERN: u32 = 0x5A5A_5A5A;

/// How often IRQ_CTRLACK is read before it is given up.
const MOST_READS: usize = 1_000;

/// The counter of the clock. The others are those of the expected event, and of what is to be measured.
const OF_CLOCK: usize = COUNTERS - 1;

/// `work` is called once; if there is a filter, once more without it, and if only then something is
/// counted, a third time with it. What differs from call to call is taken for what the filter does
/// only if the filter lets nothing pass before and after. Of what the counters were told to count,
/// three are tried beside the clock.
///
/// Put back are all registers that can be written, but for SCR, which is not touched, also if `work`
/// panics and that unwinds. Overflow flags are not touched either; none can come up, as the counters
/// that are tried start from 0. The interrupt is switched on or off meanwhile, with no counter to raise
/// it. Where IRQ_CTRLACK does not follow, it is left to do so late.
///
/// The place of page 1 is read before it is written: what cannot be page 1 is not written at all, and
/// where the first word does not hold what is written to it, no other word is, and that one is put
/// back. What cannot be told from one's own page 1 is that of another unit, or memory that happens to
/// look like it: four words are set, found not to count, and put back, while the counters of this unit,
/// out of reach, may go on from where they are.
impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Diagnose for Pmu<C, P0, P1> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<C::Selection>,
        mut work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        let mut diagnosis = Diagnosis::new();
        self.identify(&mut diagnosis);
        if diagnosis.found_nothing() {
            let tries = Tries::begin(self);
            if self.writes_are_taken(&mut diagnosis) && tries.find_page_1(&mut diagnosis) {
                tries.toggle_interrupt(&mut diagnosis);
                self.look_at_what_is_to_be_counted(expected, &mut diagnosis);
                self.try_counting(expected, &mut work, &mut diagnosis);
            }
        }
        if self.error().is_some() {
            return Diagnosis::only(Finding::BusError, 0);
        }
        diagnosis.add_lost(Finding::Interference, self.interference());
        diagnosis
    }
}

/// The time in which the registers are not as they were. Everything is put back at its end, also if
/// that is a panic of the work.
struct Tries<'p, C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> {
    pmu: &'p Pmu<C, P0, P1>,
    saved: Saved,
    /// How many counters may have been written, from the first one on.
    written: Cell<usize>,
    /// Whether IRQ_CTRLACK follows.
    acknowledged: Cell<bool>,
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Drop for Tries<'_, C, P0, P1> {
    fn drop(&mut self) {
        self.put_back();
    }
}

/// What the registers held that are changed.
struct Saved {
    enabled: bool,
    counters_on: u8,
    counters_interrupt: u8,
    interrupt: bool,
    smr: u32,
    /// Capture at overflow, Secure, span, event.
    types: [(bool, bool, bool, u16); COUNTERS],
    counts: [u32; COUNTERS],
}

impl<'p, C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Tries<'p, C, P0, P1> {
    fn begin(pmu: &'p Pmu<C, P0, P1>) -> Self {
        let saved = pmu.stop_for_tries();
        Self { pmu, saved, written: Cell::new(0), acknowledged: Cell::new(false) }
    }

    /// Whether there are counters where page 1 should be. What holds bits that page 1 does not have is
    /// not written.
    fn find_page_1(&self, diagnosis: &mut Diagnosis<Finding>) -> bool {
        let page1 = Page1Registers::shared(&self.pmu.driver.hardware().page1);
        let (set, clear) = (page1.ovsset0_lo().read().bits(), page1.ovsclr0_lo().read().bits());
        // It reads as zero, so that nobody else reads it.
        let capture = self.pmu.driver.hardware().page1.load::<capr::CaprSpec>(0);
        let foreign = capture | (set ^ clear) | (set & !u32::from(ALL_COUNTERS));
        if foreign != 0 {
            diagnosis.add(Finding::Page1Elsewhere, foreign);
        }
        if foreign != 0 || self.pmu.error().is_some() {
            return false;
        }
        let [counter, ..] = page1.evcntr();
        self.written.set(1);
        counter.write(|w| w.counter_value().set(PATTERN));
        let held = counter.read().counter_value().bits();
        if held != PATTERN {
            diagnosis.add(Finding::Page1Elsewhere, held);
            return false;
        }
        self.written.set(COUNTERS);
        true
    }

    /// Looks whether IRQ_CTRLACK follows a change of IRQ_CTRL.
    fn toggle_interrupt(&self, diagnosis: &mut Diagnosis<Finding>) {
        let wanted = !self.saved.interrupt;
        Page0Registers::shared(&self.pmu.driver.hardware().page0)
            .irq_ctrl()
            .write(|w| w.irqen().bit(wanted));
        self.acknowledged.set(self.pmu.interrupt_is(wanted));
        if !self.acknowledged.get() {
            diagnosis.add(Finding::IrqNotAcknowledged, self.saved.interrupt.into());
        }
    }

    /// Writes everything as it was, the global enable last, and waits until that has arrived.
    fn put_back(&self) {
        let Self { pmu, saved, .. } = self;
        let (page0, page1) = (
            Page0Registers::shared(&pmu.driver.hardware().page0),
            Page1Registers::shared(&pmu.driver.hardware().page1),
        );
        page0.cr().write(|w| w.e().clear_bit());
        page0.cntenclr0_lo().write(|w| w.cnten().set(ALL_COUNTERS));
        let counters = page1.evcntr();
        for (counter, count) in counters.iter().zip(saved.counts).take(self.written.get()) {
            counter.write(|w| w.counter_value().set(count));
            counter.read();
        }
        for (register, (capture, secure, span, event)) in page0.evtyper().iter().zip(saved.types) {
            register.write(|w| {
                let w = w.ovfcap().bit(capture).event().set(event);
                // Only the first one has a filter; the others ignore it.
                w.filter_sec_sid().bit(secure).filter_sid_span().bit(span)
            });
        }
        page0.smr0().write(|w| w.streamid().set(saved.smr));
        page0.irq_ctrl().write(|w| w.irqen().bit(saved.interrupt));
        if self.acknowledged.get() {
            pmu.interrupt_is(saved.interrupt);
        }
        page0.intenset0_lo().write(|w| w.inten().set(saved.counters_interrupt));
        page0.cntenset0_lo().write(|w| w.cnten().set(saved.counters_on));
        page0.cr().write(|w| w.e().bit(saved.enabled));
        page0.cr().read();
        pmu.driver.hardware().page0.synchronize();
        pmu.driver.hardware().page1.synchronize();
    }
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Pmu<C, P0, P1> {
    /// Whether it is the PMU of such a unit.
    fn identify(&self, diagnosis: &mut Diagnosis<Finding>) {
        let page0 = Page0Registers::shared(&self.driver.hardware().page0);
        let (pidr0, pidr1) = (page0.pidr0().read(), page0.pidr1().read());
        let (cfgr, architecture) = (page0.cfgr().read(), page0.pmdevarch().read());
        let everything = [pidr0.bits(), pidr1.bits(), cfgr.bits(), architecture.bits()];
        let [low, high] = C::PIDR;
        let (read, expected) =
            (part(pidr0, pidr1), part(pidr0::R::from_bits(low), pidr1::R::from_bits(high)));
        if everything == [0; 4] {
            diagnosis.add(Finding::ReadsAsZero, 0);
        } else if everything == [u32::MAX; 4] {
            diagnosis.add(Finding::ReadsAsOnes, u32::MAX);
        } else if read != expected {
            diagnosis.add(Finding::AnotherProduct, read);
        } else if architecture.bits() != pmdevarch::RESET {
            diagnosis.add(Finding::NotAPmu, architecture.bits());
        } else if cfgr.bits() != cfgr::RESET {
            diagnosis.add(Finding::Configuration, cfgr.bits());
        }
    }

    /// Stops all counters, keeps them from interrupting, and reads everything that will be changed.
    fn stop_for_tries(&self) -> Saved {
        let (page0, page1) = (
            Page0Registers::shared(&self.driver.hardware().page0),
            Page1Registers::shared(&self.driver.hardware().page1),
        );
        let enabled = page0.cr().read().e().bit();
        page0.cr().write(|w| w.e().clear_bit());
        let saved = Saved {
            enabled,
            counters_on: page0.cntenset0_lo().read().cnten().bits(),
            counters_interrupt: page0.intenset0_lo().read().inten().bits(),
            interrupt: page0.irq_ctrl().read().irqen().bit(),
            smr: page0.smr0().read().streamid().bits(),
            types: page0.evtyper().map(|register| {
                let r = register.read();
                let (secure, span) = (r.filter_sec_sid().bit(), r.filter_sid_span().bit());
                (r.ovfcap().bit(), secure, span, r.event().bits())
            }),
            counts: page1.evcntr().map(|counter| counter.read().counter_value().bits()),
        };
        page0.cntenclr0_lo().write(|w| w.cnten().set(ALL_COUNTERS));
        page0.intenclr0_lo().write(|w| w.inten().set(ALL_COUNTERS));
        saved
    }

    /// Whether registers of page 0 hold what is written to them.
    fn writes_are_taken(&self, diagnosis: &mut Diagnosis<Finding>) -> bool {
        let [_, register, ..] = Page0Registers::shared(&self.driver.hardware().page0).evtyper();
        // The bits that all events have.
        let event = !register.read().event().bits() & 0xFF;
        register.write(|w| w.event().set(event));
        let read = register.read();
        let taken = read.event().bits() & 0xFF == event;
        if !taken {
            diagnosis.add(Finding::WritesIgnored, read.bits());
        }
        taken
    }

    /// Waits until the interrupt as a whole is on, or off.
    fn interrupt_is(&self, enabled: bool) -> bool {
        let acknowledge = Page0Registers::shared(&self.driver.hardware().page0).irq_ctrlack();
        (0..MOST_READS)
            .any(|_| acknowledge.read().irqen().bit() == enabled || self.error().is_some())
    }

    /// What the counters are told to count, and the expected event before it.
    fn of_interest(&self, expected: Option<C::Selection>) -> [Option<C::Selection>; COUNTERS + 1] {
        let [a, b, c, d] = self.driver.pending().counters.map(|slot| slot.selection);
        [expected, a, b, c, d]
    }

    /// Whether it is there, and seen.
    fn look_at_what_is_to_be_counted(
        &self,
        expected: Option<C::Selection>,
        diagnosis: &mut Diagnosis<Finding>,
    ) {
        let selections = self.of_interest(expected);
        let observed = self.secure_observation();
        for selection in selections.into_iter().flatten() {
            let number: u16 = selection.into();
            if self.is_absent(number) {
                diagnosis.add(Finding::EventAbsent, number.into());
            }
            let (obeys, is_secure) = obeys_and_is_secure::<C>(selection);
            if is_secure || self.driver.hardware().filter.secure && obeys {
                match observed {
                    Some(true) => {}
                    Some(false) => diagnosis.add(Finding::SecureNotObserved, 0),
                    None => diagnosis.add(Finding::SecureObservationUnknown, 0),
                }
            }
        }
    }

    /// Whether the bitmaps say that there is no such event. They have those of the architecture.
    fn is_absent(&self, number: u16) -> bool {
        let page0 = Page0Registers::shared(&self.driver.hardware().page0);
        let word = match number / 32 {
            0 => page0.ceid0_lo().read().bits(),
            1 => page0.ceid0_hi().read().bits(),
            2 => page0.ceid1_lo().read().bits(),
            3 => page0.ceid1_hi().read().bits(),
            _ => return false,
        };
        word >> (number % 32) & 1 == 0
    }

    /// Counts the clock and what is of interest, with the filter and without.
    fn try_counting(
        &self,
        expected: Option<C::Selection>,
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<Finding>,
    ) -> Option<()> {
        let mut chosen = self.of_interest(expected).into_iter().flatten();
        let mut selections = [None; COUNTERS];
        selections[..OF_CLOCK].fill_with(|| chosen.next());
        selections[OF_CLOCK] = Some(C::CYCLES);
        let is_all = self.driver.hardware().filter == StreamFilter::ALL;
        let taken = self.filter_for_tries(self.driver.hardware().filter);
        if let Err(smr) = taken {
            diagnosis.add(Finding::FilterNotTaken, smr);
        }
        let filtered = self.count_during(&selections, work, diagnosis)?;
        let all = if is_all {
            filtered
        } else {
            // The code that stands for all streams is made of the bits that there are.
            let _ = self.filter_for_tries(StreamFilter::ALL);
            self.count_during(&selections, work, diagnosis)?
        };
        if filtered[OF_CLOCK] == 0 && all[OF_CLOCK] == 0 {
            diagnosis.add(Finding::ClockStandsStill, 0);
            return None;
        }
        diagnosis.add_proof();
        let obeying = |counts: [u32; COUNTERS]| {
            let counts = counts[..OF_CLOCK].iter().zip(selections);
            let obeying = counts.filter(|(_, s)| s.is_some_and(|s| obeys_and_is_secure::<C>(s).0));
            obeying.fold(0, |sum: u32, (count, _)| sum.saturating_add(*count))
        };
        // The unit had something to do, and the filter let none of it pass.
        let passes_nothing =
            |counts: [u32; COUNTERS]| counts[OF_CLOCK] != 0 && obeying(counts) == 0;
        // If it is not observed, a Secure filter stands for Non-secure streams.
        let is_as_asked =
            !self.driver.hardware().filter.secure || self.secure_observation() == Some(true);
        if taken.is_ok() && is_as_asked && passes_nothing(filtered) && obeying(all) != 0 {
            // Traffic may have begun after the first call.
            let again = self.filter_for_tries(self.driver.hardware().filter);
            let filtered = self.count_during(&selections, work, diagnosis)?;
            if again.is_ok() && passes_nothing(filtered) {
                diagnosis.add(Finding::FilterPassesNothing, obeying(all));
            }
        }
        // Secure ones are looked at above.
        let expected = expected.filter(|expected| !obeys_and_is_secure::<C>(*expected).1);
        if all[0] == 0 && expected.is_some_and(|expected| !self.is_absent(expected.into())) {
            diagnosis.add(Finding::ExpectedEventNotCounted, 0);
        }
        Some(())
    }

    /// Lets these streams pass. If it cannot, gives what SMR0 then holds.
    fn filter_for_tries(&self, filter: StreamFilter) -> Result<(), u32> {
        let page0 = Page0Registers::shared(&self.driver.hardware().page0);
        let set = |wanted: u32| {
            page0.smr0().write(|w| w.streamid().set(wanted));
            page0.smr0().read().streamid().bits()
        };
        let [first, ..] = page0.evtyper();
        first.write(|w| w.filter_sid_span().bit(filter.span).filter_sec_sid().bit(filter.secure));
        let there = set(StreamFilter::ALL.stream_id);
        let wanted = match filter {
            StreamFilter::ALL => there,
            // All the bits but the top one is the longest span. One more is both security states.
            _ if filter.is_from_zero() => filter.stream_id.min(there >> 1),
            _ => filter.stream_id,
        };
        let held = set(wanted);
        if held == wanted { Ok(()) } else { Err(held) }
    }

    /// Counts from 0 during the work; `None`, and why, if that did not go as it was set.
    fn count_during(
        &self,
        selections: &[Option<C::Selection>; COUNTERS],
        work: &mut impl FnMut(),
        diagnosis: &mut Diagnosis<Finding>,
    ) -> Option<[u32; COUNTERS]> {
        let (page0, page1) = (
            Page0Registers::shared(&self.driver.hardware().page0),
            Page1Registers::shared(&self.driver.hardware().page1),
        );
        let mut on = 0;
        for (number, (register, selection)) in page0.evtyper().iter().zip(selections).enumerate() {
            on |= u8::from(selection.is_some()) << number;
            let event = selection.map_or(0, Into::into);
            register.modify(|_, w| w.event().set(event).ovfcap().clear_bit());
        }
        for counter in &page1.evcntr() {
            counter.write(|w| w.counter_value().set(0));
            // Comes back after that.
            counter.read();
        }
        // Not all that is written has to be taken.
        let setting = self.setting();
        page0.cntenset0_lo().write(|w| w.cnten().set(on));
        page0.cr().write(|w| w.e().set_bit());
        page0.cr().read();
        self.driver.hardware().page0.synchronize();
        work();
        self.driver.hardware().page0.synchronize();
        let enabled = page0.cr().read().e().bit();
        let still_on = page0.cntenset0_lo().read().cnten().bits();
        page0.cr().write(|w| w.e().clear_bit());
        page0.cntenclr0_lo().write(|w| w.cnten().set(ALL_COUNTERS));
        page0.cr().read();
        if !enabled || still_on != on || self.setting() != setting {
            diagnosis.add(Finding::EnableLost, enabled.into());
            return None;
        }
        Some(page1.evcntr().map(|counter| counter.read().counter_value().bits()))
    }

    /// What is counted, and for which streams.
    fn setting(&self) -> ([u32; COUNTERS], u32) {
        let page0 = Page0Registers::shared(&self.driver.hardware().page0);
        (page0.evtyper().map(|register| register.read().bits()), page0.smr0().read().bits())
    }
}

fn part(pidr0: pidr0::R, pidr1: pidr1::R) -> u32 {
    u32::from(pidr1.part_1().bits()) << 8 | u32::from(pidr0.part_0().bits())
}
