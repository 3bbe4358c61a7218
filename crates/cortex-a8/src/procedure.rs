//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Count, Cp15, Divider, Inexact};

use crate::registers::{Registers, pmnc};
use crate::{COUNTERS, CortexA8Event, Counters, Mode, Pmu, Selection};

/// One bit for each event counter.
const ALL_COUNTERS: u8 = (1 << COUNTERS) - 1;

impl<B: Bus<Space = Cp15>, M: Mode> Pmu<B, M> {
    /// Starts counting.
    ///
    /// Counters are written while they are disabled, as CCNT demands, and then read back. The enables
    /// are unknown after a reset.
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        self.programmed_needs_debug = self.needs_debug;
        let registers = Registers::of(&self.bus);
        let (divider, needs_debug) = (self.ledger.divider(), self.needs_debug);
        registers.pmnc().modify(|_, w| {
            w.e().clear_bit().d().bit(divider == Divider::By64).dp().bit(needs_debug)
        });
        registers.cntenc().write(|w| w.p().set(ALL_COUNTERS).c().clear_bit_by_one());
        self.bus.synchronize();
        for (number, slot) in (0..).zip(self.ledger.events.wanted()) {
            if let Some(selection) = slot.selection {
                self.select(number);
                registers.evtsel().write(|w| w.sel().set(selection.id() as u8));
                registers.pmcnt().write(|w| w.count().set(slot.from));
            }
        }
        // In a second round: if somebody moved the selector in the first, another counter than this
        // one was written, perhaps one that was right already.
        let mut wrong = 0;
        for (number, slot) in (0..).zip(self.ledger.events.wanted()) {
            if let Some(selection) = slot.selection {
                self.select(number);
                let taken = self.has_selection(selection)
                    && registers.pmcnt().read().count().bits() == slot.from;
                wrong |= u32::from(!(taken && self.selects(number))) << number;
            }
        }
        let [clock] = *self.ledger.clock.wanted();
        let mut cycles_wrong = false;
        if clock.selection.is_some() {
            registers.ccnt().write(|w| w.count().set(clock.from));
            cycles_wrong = registers.ccnt().read().count().bits() != clock.from;
        }
        registers.flag().write(|w| w.p().set(ALL_COUNTERS).c().clear_bit_by_one());
        let (in_use, cycles) = (self.ledger.events.in_use(), self.ledger.counts_cycles());
        let interrupts = self.interrupting.bits() & in_use;
        M::set_interrupts(&self.bus, interrupts as u8, self.interrupting.cycles && cycles);
        registers.cntens().write(|w| {
            let w = w.p().set(in_use as u8);
            if cycles { w.c().set_bit() } else { w }
        });
        self.ledger.add_loss(wrong, cycles_wrong, false);
        self.enable();
    }

    /// From now on, EVTSEL and PMCNT are those of this counter.
    fn select(&self, number: u8) {
        Registers::of(&self.bus).pmnxsel().write(|w| w.sel().set(number));
        // An access without this may still reach another counter.
        self.bus.synchronize();
    }

    /// Lets the counters run, and waits until they do.
    pub(crate) fn enable(&mut self) {
        let pmnc = Registers::of(&self.bus).pmnc();
        pmnc.modify(|_, w| w.e().set_bit());
        let enabled = pmnc.read().e().bit();
        self.bus.synchronize();
        self.ledger.add_loss(0, false, !enabled);
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let registers = Registers::of(&self.bus);
        let mut before = pmnc::R::from_bits(0);
        registers.pmnc().modify(|r, w| {
            before = r;
            w.e().clear_bit()
        });
        self.bus.synchronize();
        let on = registers.cntens().read();
        let mut changed = u32::from(!on.p().bits()) & self.ledger.events.in_use();
        let values = self.each_in_use(|number, selection| {
            let same = self.has_selection(selection);
            let value = registers.pmcnt().read().count().bits();
            let undisturbed = self.selects(number);
            changed |= u32::from(!(same && undisturbed)) << number;
            value
        });
        let counts_cycles = self.ledger.counts_cycles();
        let cycles = counts_cycles.then(|| registers.ccnt().read().count().bits());
        let by_64 = self.ledger.divider() == Divider::By64;
        let cycles_changed = counts_cycles
            && !(on.c().bit()
                && before.d().bit() == by_64
                && before.dp().bit() == self.programmed_needs_debug);
        self.take_flags();
        self.ledger.add_loss(changed, cycles_changed, !before.e().bit());
        let fault = self.bus.fault().is_some();
        self.ledger.settle(values, cycles, fault);
    }

    /// Whether EVTSEL and PMCNT are still those of this counter.
    fn selects(&self, number: u8) -> bool {
        Registers::of(&self.bus).pmnxsel().read().sel().bits() == number
    }

    /// Whether the counter that is selected was told to count this.
    fn has_selection(&self, selection: Selection) -> bool {
        u16::from(Registers::of(&self.bus).evtsel().read().sel().bits()) == selection.id()
    }

    /// What the event counters hold while they count.
    pub(crate) fn running_events(&self) -> [Count; COUNTERS] {
        let registers = Registers::of(&self.bus);
        let enabled = registers.pmnc().read().e().bit();
        let mut counts = [Count::NOTHING; COUNTERS];
        self.each_in_use(|number, _| {
            let flag = || registers.flag().read().p().bits() >> number & 1 == 1;
            let value = || registers.pmcnt().read().count().bits();
            let fault = || self.bus.fault().is_some();
            let index = usize::from(number);
            let count = self.ledger.events.snapshot(index, enabled, flag, value, fault);
            let undisturbed = self.selects(number);
            let doubt = match fault() {
                true => Some(Inexact::Fault),
                // The value is perhaps that of another counter.
                false if !undisturbed => Some(Inexact::Lost),
                false => None,
            };
            if let Some(place) = counts.get_mut(index) {
                *place = match doubt {
                    Some(reason) => Count::doubtful(count.wrapped(), reason),
                    None => count,
                };
            }
        });
        counts
    }

    /// What the cycle counter holds while it counts.
    pub(crate) fn running_cycles(&self) -> Count {
        if !self.ledger.counts_cycles() {
            return Count::NOTHING;
        }
        let registers = Registers::of(&self.bus);
        let enabled = registers.pmnc().read().e().bit();
        let flag = || registers.flag().read().c().bit();
        let value = || registers.ccnt().read().count().bits();
        self.ledger.clock.snapshot(0, enabled, flag, value, || self.bus.fault().is_some())
    }

    /// Adds one to the counters that count that, and to no others: what that would do is unpredictable.
    pub(crate) fn increment_by_software(&mut self) {
        let increment = Some(Selection::event(CortexA8Event::SoftwareIncrement));
        let counters = self.ledger.events.programmed().map(|selection| selection == increment);
        let counters = Counters { counters, cycles: false };
        if !counters.is_empty() {
            Registers::of(&self.bus).swincr().write(|w| w.p().set(counters.bits() as u8));
        }
    }

    /// Lets one counter count from another value on, while the others count. It is off meanwhile, as CCNT
    /// demands; of the event counters it is not known.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        let registers = Registers::of(&self.bus);
        if number == COUNTERS && self.ledger.clock.restart(0, from) {
            registers.cntenc().write(|w| w.c().clear_bit_by_one());
            self.bus.synchronize();
            registers.ccnt().write(|w| w.count().set(from));
            registers.cntens().write(|w| w.c().set_bit());
        } else if self.ledger.events.restart(number, from) {
            let bit = 1 << number;
            registers.cntenc().write(|w| w.p().set(bit));
            self.select(number as u8);
            registers.pmcnt().write(|w| w.count().set(from));
            // If somebody moved the selector, that was another counter.
            let undisturbed = self.selects(number as u8);
            registers.cntens().write(|w| w.p().set(bit));
            self.ledger.add_loss(if undisturbed { 0 } else { bit.into() }, false, false);
        }
        self.bus.synchronize();
    }

    /// Reads and clears the overflow flags of the counters in use, and remembers them.
    pub(crate) fn acknowledge(&mut self) -> Counters {
        let (up, cycles) = self.take_flags();
        Counters::from_bits(up, cycles)
    }

    /// As [`acknowledge`](Self::acknowledge): the event counters, one bit each, and the cycle counter.
    fn take_flags(&mut self) -> (u32, bool) {
        let flags = Registers::of(&self.bus).flag().read();
        let up = u32::from(flags.p().bits()) & self.ledger.events.in_use();
        let cycles = flags.c().bit() && self.ledger.counts_cycles();
        if up != 0 || cycles {
            self.clear_flags(up, cycles);
            self.ledger.events.add_overflows(up);
            self.ledger.clock.add_overflows(cycles.into());
        }
        (up, cycles)
    }

    /// Clears the overflow flags of all counters, and with them the interrupt, whoever left them: for a
    /// handler that is called while nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too, the latter for the counters in use.
    pub fn acknowledge_all(&mut self) {
        self.clear_flags(ALL_COUNTERS.into(), true);
    }

    fn clear_flags(&self, counters: u32, cycles: bool) {
        Registers::of(&self.bus).flag().write(|w| {
            let w = w.p().set(counters as u8);
            if cycles { w.c().clear_bit_by_one() } else { w }
        });
        self.bus.synchronize();
    }

    /// Does something with each counter that the device was told to use, while it is selected.
    #[inline(always)]
    fn each_in_use<R>(&self, mut work: impl FnMut(u8, Selection) -> R) -> [Option<R>; COUNTERS] {
        self.ledger.events.each_in_use(|number, selection| {
            let number = number as u8;
            self.select(number);
            work(number, selection)
        })
    }
}
