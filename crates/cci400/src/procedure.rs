//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Clock, Count, Inexact, Slot};

use crate::pmu::Pmu;
use crate::registers::{CounterBlock, Registers, Space, pmcr};
use crate::revision::Revision;
use crate::{COUNTERS, Divider};

impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// Starts counting.
    ///
    /// Counters are written while nothing counts, as Linux does, and read back. So the resets are not
    /// needed, but for the phase of the divider, which CCR may set to 0: that is not documented. CEN
    /// releases all counters together.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.ledger.events.begin();
        let clock = self.ledger.clock();
        // Non-invasive debug is what NIDEN permits.
        let (by_64, needs_niden) = (clock.divider == Divider::By64, clock.needs_debug);
        let registers = Registers::of(&self.bus);
        let pmcr = registers.pmcr();
        // Read once: what nobody but this driver writes is then known.
        let before = pmcr.read();
        pmcr.modify_from(before, |w| {
            w.cen().clear_bit().ccr().set_bit().ccd().bit(by_64).dp().bit(needs_niden)
        });
        let (mut in_use, mut wrong) = (0, 0);
        for (number, slot) in self.ledger.events.slots().iter().enumerate() {
            let block = registers.counters_at(number);
            block.count_control().write(|w| w.enable().bit(slot.selection.is_some()));
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(&block);
            if let Slot { selection: Some(selection), from, .. } = *slot {
                in_use |= 1 << number;
                select::<R, B>(&block, selection);
                block.event_count().write(|w| w.count().set(from));
                if (value(&block) != from) | flag(&block) {
                    wrong |= 1 << number;
                }
            }
        }
        registers.cycle_count_control().write(|w| w.enable().bit(clock.on));
        clear_cycle_flag(&registers);
        if clock.on {
            in_use |= Clock::BIT;
            registers.cycle_count().write(|w| w.count().set(clock.from));
            if (cycles(&registers) != clock.from) | cycle_flag(&registers) {
                wrong |= Clock::BIT;
            }
        }
        self.ledger.events.told(in_use, wrong);
        pmcr.modify_from(before, |w| w.cen().set_bit().ccd().bit(by_64).dp().bit(needs_niden));
        self.check_enabled();
    }

    /// Lets the counters run, and waits until they do.
    #[inline]
    pub(crate) fn enable(&mut self) {
        Registers::of(&self.bus).pmcr().modify(|_, w| w.cen().set_bit());
        self.check_enabled();
    }

    /// Waits until the counters run, and remembers if they do not.
    #[inline(always)]
    fn check_enabled(&mut self) {
        let enabled = is_enabled(self.wait_for_writes());
        self.ledger.events.add_loss(0, !enabled);
    }

    /// Waits until all writes have reached the device, and gives PMCR as it is then.
    ///
    /// A barrier alone may end when a write is on its way; a read comes back after it arrived.
    #[inline(always)]
    fn wait_for_writes(&self) -> pmcr::R {
        let pmcr = Registers::of(&self.bus).pmcr().read();
        self.bus.synchronize();
        pmcr
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    ///
    /// Each value is followed by a read that would not be as expected if the device had stopped
    /// answering: PMCR, which is read last, has the number of counters and, now, CEN clear.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let registers = Registers::of(&self.bus);
        let before = registers.pmcr().read();
        registers.pmcr().modify_from(before, |w| w.cen().clear_bit());
        self.bus.synchronize();
        let mut changed = 0;
        self.ledger.events.hold(|number, selection| {
            let block = registers.counters_at(number);
            let value = value(&block);
            if !counts::<R, B>(&block, selection) {
                changed |= 1 << number;
            }
            value
        });
        if self.ledger.counts_cycles() {
            self.ledger.hold_cycles(cycles(&registers));
            let clock = self.ledger.clock();
            let by_64 = clock.divider == Divider::By64;
            let on = registers.cycle_count_control().read().enable().bit();
            let same = before.dp().bit() == clock.needs_debug;
            if !(on & same & (before.ccd().bit() == by_64)) {
                changed |= Clock::BIT;
            }
        }
        // Whoever handles the interrupt finds it gone, and no flag, after this.
        self.take_flags();
        let stopped = is_stopped(self.wait_for_writes());
        self.ledger.events.add_loss(changed, !(before.cen().bit() & stopped));
        self.ledger.events.settle(self.bus.fault().is_some());
    }

    /// What the event counters hold while they count.
    ///
    /// PMCR is read last, for all of them: without CEN, or without access, nothing counts, and what
    /// was read before need not be what the counters held.
    #[inline]
    pub(crate) fn running_events(&self) -> [Count; COUNTERS] {
        let doubts = self.ledger.events.doubts(true);
        let fault = || self.bus.fault().is_some();
        let mut counts = [Count::NOTHING; COUNTERS];
        let slots = self.ledger.events.slots().iter();
        for (number, (slot, count)) in slots.zip(&mut counts).enumerate() {
            if let Slot { selection: Some(_), from, .. } = *slot {
                let block = Registers::of(&self.bus).counters_at(number);
                let flags = || u32::from(flag(&block)) << number;
                let value = || value(&block);
                *count = doubts.read(number, from, flags, value, fault);
            }
        }
        if !self.enabled() {
            for (number, count) in counts.iter_mut().enumerate() {
                if self.ledger.events.in_use() >> number & 1 == 1 {
                    *count = self.not_counting(*count);
                }
            }
        }
        counts
    }

    /// What the cycle counter holds while it counts.
    #[inline]
    pub(crate) fn running_cycles(&self) -> Count {
        if !self.ledger.counts_cycles() {
            return Count::NOTHING;
        }
        let registers = Registers::of(&self.bus);
        let doubts = self.ledger.events.doubts(true);
        let flags = || if cycle_flag(&registers) { Clock::BIT } else { 0 };
        let value = || cycles(&registers);
        let fault = || self.bus.fault().is_some();
        let count = doubts.read(Clock::NUMBER, self.ledger.clock().from, flags, value, fault);
        if self.enabled() { count } else { self.not_counting(count) }
    }

    /// Without CEN, or without access, nothing counts.
    #[inline(always)]
    fn enabled(&self) -> bool {
        is_enabled(Registers::of(&self.bus).pmcr().read())
    }

    /// What was read of a counter, when after that the PMU was found off.
    fn not_counting(&self, count: Count) -> Count {
        let why = if self.bus.fault().is_some() { Inexact::Fault } else { Inexact::Lost };
        Count::doubtful(count.wrapped(), why)
    }

    /// Reads and clears the overflow flags, and waits until the interrupts are gone.
    ///
    /// A flag that is still up is cleared while CEN is 0, as Linux does. The other counters miss events
    /// then, so the counts are lost.
    #[inline(always)]
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let taken = self.take_flags();
        if taken != 0 && self.flags_of(taken) != 0 {
            self.while_stopped(|| self.clear_flags(taken));
            self.ledger.events.add_loss(self.ledger.events.in_use(), false);
        }
        self.check_enabled();
        taken
    }

    /// Reads the flags of the counters in use, clears those that are up, and remembers them.
    #[inline(always)]
    fn take_flags(&mut self) -> u32 {
        let up = self.flags_of(self.ledger.events.in_use());
        if up != 0 {
            self.clear_flags(up);
            self.ledger.events.add_overflows(up);
        }
        up
    }

    /// The flags of these counters.
    fn flags_of(&self, counters: u32) -> u32 {
        let registers = Registers::of(&self.bus);
        let mut up = 0;
        for number in 0..COUNTERS {
            if counters >> number & 1 == 1 && flag(&registers.counters_at(number)) {
                up |= 1 << number;
            }
        }
        if counters & Clock::BIT != 0 && cycle_flag(&registers) {
            up |= Clock::BIT;
        }
        up
    }

    /// Clears the flags of these counters.
    fn clear_flags(&self, counters: u32) {
        let registers = Registers::of(&self.bus);
        for number in 0..COUNTERS {
            if counters >> number & 1 == 1 {
                clear_flag(&registers.counters_at(number));
            }
        }
        if counters & Clock::BIT != 0 {
            clear_cycle_flag(&registers);
        }
    }

    /// Lets one counter count from another value on, while the others count. It is off meanwhile, so that
    /// it holds what was written, and a flag that is up is that of the events before.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.restart(number, from) {
            let lost = match number {
                COUNTERS => self.set_running_cycles(from),
                number => self.set_running(number, from),
            };
            self.ledger.events.add_loss(lost, false);
        }
        self.check_enabled();
    }

    /// Sets an event counter in use, and clears its flag, while the others count. Gives the counters that
    /// do not count as they should, or did not meanwhile.
    fn set_running(&self, number: usize, from: u32) -> u32 {
        let Some(selection) = self.ledger.events.slots()[number].selection else { return 0 };
        let registers = Registers::of(&self.bus);
        let block = registers.counters_at(number);
        // If somebody else changed it, it is not to look at the stop as if nobody had.
        let as_set = counts::<R, B>(&block, selection);
        block.count_control().write(|w| w.enable().clear_bit());
        let set = || {
            block.event_count().write(|w| w.count().set(from));
            clear_flag(&block);
            (value(&block) == from) & !flag(&block)
        };
        let lost = self.set_or_pause(1 << number, as_set, set);
        block.count_control().write(|w| w.enable().set_bit());
        lost
    }

    /// The same with the cycle counter.
    fn set_running_cycles(&self, from: u32) -> u32 {
        let registers = Registers::of(&self.bus);
        let as_set = registers.cycle_count_control().read().enable().bit();
        registers.cycle_count_control().write(|w| w.enable().clear_bit());
        let set = || {
            registers.cycle_count().write(|w| w.count().set(from));
            clear_cycle_flag(&registers);
            (cycles(&registers) == from) & !cycle_flag(&registers)
        };
        let lost = self.set_or_pause(Clock::BIT, as_set, set);
        registers.cycle_count_control().write(|w| w.enable().set_bit());
        lost
    }

    /// Sets a counter that is off; if it does not take that, once more while CEN is 0, as Linux does, when
    /// the other counters miss what happens. Gives what is lost.
    fn set_or_pause(&self, bit: u32, as_set: bool, set: impl Fn() -> bool) -> u32 {
        let mut lost = if as_set { 0 } else { bit };
        if !set() {
            lost |= self.ledger.events.in_use() & !bit;
            if !self.while_stopped(set) {
                lost |= bit;
            }
        }
        lost
    }

    /// Does something while CEN is 0. All counters miss what happens meanwhile.
    #[cold]
    fn while_stopped<T>(&self, what: impl FnOnce() -> T) -> T {
        let pmcr = Registers::of(&self.bus).pmcr();
        let before = pmcr.read();
        pmcr.modify_from(before, |w| w.cen().clear_bit());
        let output = what();
        pmcr.modify_from(before, |w| w.cen().bit(before.cen().bit()));
        output
    }
}

/// What is written to a stopped PMU.
impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// Clears the overflow flags of all counters, and with them the interrupts, whoever left them: for
    /// a handler that is called while nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too.
    pub fn acknowledge_all(&mut self) {
        let registers = Registers::of(&self.bus);
        for number in 0..COUNTERS {
            clear_flag(&registers.counters_at(number));
        }
        clear_cycle_flag(&registers);
        self.wait_for_writes();
    }
}

#[inline(always)]
pub(crate) fn select<R: Revision, B: Bus<Space = Space>>(
    block: &CounterBlock<'_, B>,
    selection: R::Selection,
) {
    let (source, code) = R::source_and_code(selection);
    block.event_select().write(|w| w.source().set(source).event().set(code));
}

/// Whether the counters run. A device that does not answer has another number of them.
#[inline(always)]
fn is_enabled(pmcr: pmcr::R) -> bool {
    pmcr.cen().bit() & has_all_counters(pmcr)
}

/// Whether the counters stand still, and the device answers.
#[inline(always)]
fn is_stopped(pmcr: pmcr::R) -> bool {
    !pmcr.cen().bit() & has_all_counters(pmcr)
}

#[inline(always)]
fn has_all_counters(pmcr: pmcr::R) -> bool {
    usize::from(pmcr.pmu_cnt_num().bits()) == COUNTERS
}

/// Whether the counter is on and counts this.
#[inline(always)]
pub(crate) fn counts<R: Revision, B: Bus<Space = Space>>(
    block: &CounterBlock<'_, B>,
    selection: R::Selection,
) -> bool {
    let select = block.event_select().read();
    let on = block.count_control().read().enable().bit();
    let (source, code) = R::source_and_code(selection);
    on & (select.source().bits() == source) & (select.event().bits() == code)
}

#[inline(always)]
fn value<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) -> u32 {
    block.event_count().read().count().bits()
}

#[inline(always)]
fn flag<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) -> bool {
    block.overflow_status().read().flag().bit()
}

#[inline(always)]
fn clear_flag<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) {
    block.overflow_status().write(|w| w.flag().clear_bit_by_one());
}

#[inline(always)]
fn cycles<B: Bus<Space = Space>>(registers: &Registers<'_, B>) -> u32 {
    registers.cycle_count().read().count().bits()
}

#[inline(always)]
fn cycle_flag<B: Bus<Space = Space>>(registers: &Registers<'_, B>) -> bool {
    registers.cycle_overflow_status().read().flag().bit()
}

#[inline(always)]
fn clear_cycle_flag<B: Bus<Space = Space>>(registers: &Registers<'_, B>) {
    registers.cycle_overflow_status().write(|w| w.flag().clear_bit_by_one());
}
