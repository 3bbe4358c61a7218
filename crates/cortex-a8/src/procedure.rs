//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Clock, Count, Cp15, Divider, Doubts, Inexact, Slot};

use crate::registers::Registers;
use crate::running::ALL;
use crate::{COUNTERS, CortexA8Event, Mode, Pmu, Selection};

/// The event counters and the cycle counter. In sets of counters each has the bit that it has in the
/// registers.
const ALL_COUNTERS: u32 = ((1 << COUNTERS) - 1) | Clock::BIT;

impl<B: Bus<Space = Cp15>, M: Mode> Pmu<B, M> {
    /// Starts counting.
    ///
    /// Counters are written while they are disabled, as CCNT demands, and then read back. The enables
    /// are unknown after a reset.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.ledger.events.begin();
        let registers = Registers::of(&self.bus);
        let clock = self.ledger.clock();
        let (by_64, needs_debug) = (clock.divider == Divider::By64, clock.needs_debug);
        // Read once: what nobody but this driver writes is then known.
        let before = registers.pmnc().read();
        registers
            .pmnc()
            .modify_from(before, |w| w.e().clear_bit().d().bit(by_64).dp().bit(needs_debug));
        registers.cntenc().write(|w| w.p().set(ALL_COUNTERS as u8).c().clear_bit_by_one());
        registers.cntenc().synchronize();
        let mut in_use = 0;
        for (number, slot) in self.ledger.events.slots().iter().enumerate() {
            if let Slot { selection: Some(selection), from, .. } = *slot {
                in_use |= 1 << number;
                select(&self.bus, number);
                registers.evtsel().write(|w| w.sel().set(selection.id() as u8));
                registers.pmcnt().write(|w| w.count().set(from));
            }
        }
        // In a second round: if somebody moved the selector in the first, another counter than this
        // one was written, perhaps one that was right already.
        let mut wrong = 0;
        for (number, slot) in self.ledger.events.slots().iter().enumerate() {
            if let Slot { selection: Some(selection), from, .. } = *slot {
                select(&self.bus, number);
                let other_event = changed_selection(&self.bus, selection);
                let other_value = registers.pmcnt().read().count().bits() ^ from;
                if other_event | other_value | moved_selector(&self.bus, number) != 0 {
                    wrong |= 1 << number;
                }
            }
        }
        if clock.on {
            in_use |= Clock::BIT;
            registers.ccnt().write(|w| w.count().set(clock.from));
            if registers.ccnt().read().count().bits() != clock.from {
                wrong |= Clock::BIT;
            }
        }
        self.write_flags(ALL_COUNTERS);
        M::set_interrupts(&self.bus, self.interrupting & in_use);
        registers.cntens().write(|w| {
            let w = w.p().set(in_use as u8);
            if in_use & Clock::BIT != 0 { w.c().set_bit() } else { w }
        });
        // Before the counters run: the stores are not to be part of what is counted.
        self.ledger.events.told(in_use, wrong);
        // As Linux does before each write of PMNC: what was set takes effect before the counters run.
        registers.cntens().synchronize();
        registers
            .pmnc()
            .modify_from(before, |w| w.e().set_bit().d().bit(by_64).dp().bit(needs_debug));
        self.check_enabled();
    }

    /// Lets the counters run, and waits until they do.
    #[inline]
    pub(crate) fn enable(&mut self) {
        let pmnc = Registers::of(&self.bus).pmnc();
        pmnc.synchronize();
        pmnc.modify(|_, w| w.e().set_bit());
        self.check_enabled();
    }

    /// Waits until the counters run, and remembers if they do not.
    #[inline(always)]
    fn check_enabled(&mut self) {
        let enabled = self.enabled();
        Registers::of(&self.bus).pmnc().synchronize();
        self.ledger.events.add_loss(0, !enabled);
    }

    /// Whether the counters run, as a whole. A register that reads as ones is not PMNC.
    #[inline(always)]
    fn enabled(&self) -> bool {
        let pmnc = Registers::of(&self.bus).pmnc().read();
        pmnc.e().bit() & (pmnc.bits() != u32::MAX)
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    ///
    /// CNTENS, which has ones, and PMNC, in which E is 0 now, are read last: they would not be as
    /// expected if the registers had turned to zeros or ones before.
    #[inline]
    pub(crate) fn end(&mut self) {
        let registers = Registers::of(&self.bus);
        registers.pmnc().synchronize();
        let before = registers.pmnc().read();
        registers.pmnc().modify_from(before, |w| w.e().clear_bit());
        registers.pmnc().synchronize();
        let in_use = self.ledger.events.in_use();
        let mut changed = 0;
        self.ledger.events.hold(|number, selection| {
            select(&self.bus, number);
            let value = registers.pmcnt().read().count().bits();
            let other_event = changed_selection(&self.bus, selection);
            if other_event | moved_selector(&self.bus, number) != 0 {
                changed |= 1 << number;
            }
            value
        });
        if in_use & Clock::BIT != 0 {
            self.ledger.hold_cycles(registers.ccnt().read().count().bits());
            let clock = self.ledger.clock();
            let by_64 = clock.divider == Divider::By64;
            if (before.d().bit() != by_64) | (before.dp().bit() != clock.needs_debug) {
                changed |= Clock::BIT;
            }
        }
        self.acknowledge();
        let registers = Registers::of(&self.bus);
        let on = registers.cntens().read();
        changed |= in_use & !word(on.p().bits(), on.c().bit());
        let still_enabled = registers.pmnc().read().e().bit();
        self.ledger.events.add_loss(changed, !before.e().bit() | still_enabled);
        self.ledger.events.settle(self.bus.fault().is_some());
    }

    /// What is known against values that are read now, but for what [`confirm`](Self::confirm) finds.
    #[inline(always)]
    pub(crate) fn doubts(&self) -> Doubts {
        self.ledger.events.doubts(true)
    }

    /// Finds out whether the counters that were just read were running then. PMNC is read after them:
    /// if the registers turned to zeros or ones before, it is not as expected.
    #[inline(always)]
    fn confirm(&self, counts: &mut [Count]) {
        if !self.enabled() {
            self.not_counting(counts);
        }
    }

    /// Gives no number for counters that were read and did not run.
    #[cold]
    fn not_counting(&self, counts: &mut [Count]) {
        let why = if self.bus.fault().is_some() { Inexact::Fault } else { Inexact::Lost };
        for count in counts {
            if *count != Count::NOTHING {
                *count = Count::doubtful(count.wrapped(), why);
            }
        }
    }

    /// What all counters hold while they count, the cycle counter last.
    pub(crate) fn read_all(&self, counts: &mut [Count; ALL]) {
        let doubts = self.doubts();
        let [a, b, c, d, cycles] = counts;
        // One by one, so that each is written once.
        *a = self.running_event(doubts, 0);
        *b = self.running_event(doubts, 1);
        *c = self.running_event(doubts, 2);
        *d = self.running_event(doubts, 3);
        *cycles = self.running_clock(doubts);
        self.confirm(counts);
    }

    /// What the event counters hold while they count; see [`doubts`](Self::doubts).
    #[inline(always)]
    pub(crate) fn running_events(&self, doubts: Doubts) -> [Count; COUNTERS] {
        let mut counts = core::array::from_fn(|number| self.running_event(doubts, number));
        self.confirm(&mut counts);
        counts
    }

    #[inline(always)]
    fn running_event(&self, doubts: Doubts, number: usize) -> Count {
        if self.ledger.events.in_use() >> number & 1 == 0 {
            return Count::NOTHING;
        }
        let from = self.ledger.events.slots()[number].from;
        select(&self.bus, number);
        let flags = || self.flags();
        let value = || Registers::of(&self.bus).pmcnt().read().count().bits();
        let fault = || self.bus.fault().is_some();
        let count = doubts.read(number, from, flags, value, fault);
        let undisturbed = selects(&self.bus, number);
        if fault() {
            Count::doubtful(count.wrapped(), Inexact::Fault)
        } else if undisturbed {
            count
        } else {
            // The value is perhaps that of another counter.
            Count::doubtful(count.wrapped(), Inexact::Lost)
        }
    }

    /// What the cycle counter holds while it counts; see [`doubts`](Self::doubts).
    #[inline(always)]
    pub(crate) fn running_cycles(&self, doubts: Doubts) -> Count {
        let mut count = self.running_clock(doubts);
        self.confirm(core::slice::from_mut(&mut count));
        count
    }

    #[inline(always)]
    fn running_clock(&self, doubts: Doubts) -> Count {
        if !self.ledger.counts_cycles() {
            return Count::NOTHING;
        }
        let value = || Registers::of(&self.bus).ccnt().read().count().bits();
        doubts.read(
            Clock::NUMBER,
            self.ledger.clock().from,
            || self.flags(),
            value,
            || self.bus.fault().is_some(),
        )
    }

    /// Adds one to the counters that count that, and to no others: what that would do is unpredictable.
    pub(crate) fn increment_by_software(&mut self) {
        let increment = Some(Selection::event(CortexA8Event::SoftwareIncrement));
        let mut counters = 0;
        for (number, slot) in self.ledger.events.slots().iter().enumerate() {
            counters |= u8::from(slot.selection == increment) << number;
        }
        if counters != 0 {
            Registers::of(&self.bus).swincr().write(|w| w.p().set(counters));
        }
    }

    /// Lets one counter count from another value on, while the others count. It is off meanwhile, as CCNT
    /// demands; of the event counters it is not known. A flag that comes up before it is off is that of the
    /// events before, and is cleared.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        let registers = Registers::of(&self.bus);
        if !self.ledger.restart(number, from) {
            return;
        }
        // If somebody else switched it off, it is not to look at the stop as if it had been on.
        let bit = if number == COUNTERS { Clock::BIT } else { 1 << number };
        let on = registers.cntens().read();
        let lost = bit & !word(on.p().bits(), on.c().bit());
        self.ledger.events.add_loss(lost, false);
        if number == COUNTERS {
            registers.cntenc().write(|w| w.c().clear_bit_by_one());
            registers.cntenc().synchronize();
            registers.ccnt().write(|w| w.count().set(from));
            self.write_flags(bit);
            registers.cntens().write(|w| w.c().set_bit());
        } else {
            registers.cntenc().write(|w| w.p().set(bit as u8));
            select(&self.bus, number);
            registers.pmcnt().write(|w| w.count().set(from));
            self.write_flags(bit);
            // If somebody moved the selector, that was another counter, nobody knows which.
            let undisturbed = selects(&self.bus, number);
            registers.cntens().write(|w| w.p().set(bit as u8));
            let events = self.ledger.events.in_use() & !Clock::BIT;
            self.ledger.events.add_loss(if undisturbed { 0 } else { events }, false);
        }
        self.check_enabled();
    }

    /// Reads and clears the overflow flags of the counters in use, and remembers them. Of a counter whose
    /// flag stays up nothing is known: it would be taken for another overflow each time.
    #[inline(always)]
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let up = self.flags() & self.ledger.events.in_use();
        if up != 0 {
            self.clear_flags(up);
            self.ledger.events.add_overflows(up);
            self.ledger.events.add_loss(up & self.flags(), false);
        }
        up
    }

    /// Clears the overflow flags of all counters, and with them the interrupt, whoever left them: for a
    /// handler that is called while nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too, the latter for the counters in use.
    pub fn acknowledge_all(&mut self) {
        self.clear_flags(ALL_COUNTERS);
    }

    #[inline(always)]
    fn clear_flags(&self, counters: u32) {
        self.write_flags(counters);
        Registers::of(&self.bus).flag().synchronize();
    }

    #[inline(always)]
    fn write_flags(&self, counters: u32) {
        Registers::of(&self.bus).flag().write(|w| {
            let w = w.p().set(counters as u8);
            if counters & Clock::BIT != 0 { w.c().clear_bit_by_one() } else { w }
        });
    }

    /// The overflow flags.
    #[inline(always)]
    fn flags(&self) -> u32 {
        let flags = Registers::of(&self.bus).flag().read();
        word(flags.p().bits(), flags.c().bit())
    }
}

/// A set of counters.
#[inline(always)]
fn word(events: u8, cycles: bool) -> u32 {
    u32::from(events) | u32::from(cycles) << Clock::BIT.trailing_zeros()
}

/// From now on, EVTSEL and PMCNT are those of this counter.
#[inline(always)]
fn select<B: Bus<Space = Cp15>>(bus: &B, number: usize) {
    let selector = Registers::of(bus).pmnxsel();
    selector.write(|w| w.sel().set(number as u8));
    // An access without this may still reach another counter.
    selector.synchronize();
}

/// Whether EVTSEL and PMCNT are still those of this counter.
#[inline(always)]
fn selects<B: Bus<Space = Cp15>>(bus: &B, number: usize) -> bool {
    moved_selector(bus, number) == 0
}

/// 0 if the selector is where it was left. Like the values that it is put together with, this says by any
/// bit that something is different; at the top of the word, so that what is beside the field needs no mask.
#[inline(always)]
fn moved_selector<B: Bus<Space = Cp15>>(bus: &B, number: usize) -> u32 {
    u32::from(Registers::of(bus).pmnxsel().read().sel().bits() ^ number as u8) << 27
}

/// 0 if the counter that is selected counts this: see [`moved_selector`].
#[inline(always)]
fn changed_selection<B: Bus<Space = Cp15>>(bus: &B, selection: Selection) -> u32 {
    u32::from(Registers::of(bus).evtsel().read().sel().bits() ^ selection.id() as u8) << 24
}
