//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Clock, Count, Slot};

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
            if let Slot { selection: Some(selection), from, .. } = *slot {
                in_use |= 1 << number;
                select::<R, B>(&block, selection);
                block.event_count().write(|w| w.count().set(from));
                if value(&block) != from {
                    wrong |= 1 << number;
                }
            }
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(&block);
        }
        registers.cycle_count_control().write(|w| w.enable().bit(clock.on));
        if clock.on {
            in_use |= Clock::BIT;
            registers.cycle_count().write(|w| w.count().set(clock.from));
            if registers.cycle_count().read().count().bits() != clock.from {
                wrong |= Clock::BIT;
            }
        }
        registers.cycle_overflow_status().write(|w| w.flag().clear_bit_by_one());
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
        let enabled = self.wait_for_writes().cen().bit();
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
            if !counts::<R, B>(&block, selection) {
                changed |= 1 << number;
            }
            value(&block)
        });
        if self.ledger.counts_cycles() {
            self.ledger.hold_cycles(registers.cycle_count().read().count().bits());
            let clock = self.ledger.clock();
            let by_64 = clock.divider == Divider::By64;
            let on = registers.cycle_count_control().read().enable().bit();
            let same = before.dp().bit() == clock.needs_debug;
            if !(on & same & (before.ccd().bit() == by_64)) {
                changed |= Clock::BIT;
            }
        }
        // Whoever handles the interrupt finds it gone, and no flag, after this.
        self.acknowledge();
        self.ledger.events.add_loss(changed, !before.cen().bit());
        self.ledger.events.settle(self.bus.fault().is_some());
    }

    /// What the event counters hold while they count.
    #[inline]
    pub(crate) fn running_events(&self) -> [Count; COUNTERS] {
        let doubts = self.ledger.events.doubts(self.enabled());
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
        counts
    }

    /// What the cycle counter holds while it counts.
    #[inline]
    pub(crate) fn running_cycles(&self) -> Count {
        if !self.ledger.counts_cycles() {
            return Count::NOTHING;
        }
        let registers = Registers::of(&self.bus);
        let doubts = self.ledger.events.doubts(self.enabled());
        let up = || registers.cycle_overflow_status().read().flag().bit();
        let flags = || if up() { Clock::BIT } else { 0 };
        let value = || registers.cycle_count().read().count().bits();
        let fault = || self.bus.fault().is_some();
        doubts.read(Clock::NUMBER, self.ledger.clock().from, flags, value, fault)
    }

    /// Without CEN, or without access, nothing counts.
    #[inline(always)]
    fn enabled(&self) -> bool {
        Registers::of(&self.bus).pmcr().read().cen().bit()
    }

    /// Reads and clears the overflow flags, and waits until the interrupts are gone.
    #[inline(always)]
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let overflows = self.take_flags();
        self.wait_for_writes();
        overflows
    }

    /// Reads the flags of the counters in use, clears those that are up, and remembers them.
    #[inline(always)]
    fn take_flags(&mut self) -> u32 {
        let registers = Registers::of(&self.bus);
        let (in_use, mut taken) = (self.ledger.events.in_use(), 0);
        for number in 0..COUNTERS {
            let block = registers.counters_at(number);
            if in_use >> number & 1 == 1 && flag(&block) {
                clear_flag(&block);
                taken |= 1 << number;
            }
        }
        let status = registers.cycle_overflow_status();
        if self.ledger.counts_cycles() && status.read().flag().bit() {
            status.write(|w| w.flag().clear_bit_by_one());
            taken |= Clock::BIT;
        }
        self.ledger.events.add_overflows(taken);
        taken
    }

    /// Lets one counter count from another value on, while it counts.
    ///
    /// A count may be written at any time.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        let registers = Registers::of(&self.bus);
        if self.ledger.restart(number, from) {
            if number == COUNTERS {
                registers.cycle_count().write(|w| w.count().set(from));
            } else {
                registers.counters_at(number).event_count().write(|w| w.count().set(from));
            }
        }
        self.wait_for_writes();
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
        registers.cycle_overflow_status().write(|w| w.flag().clear_bit_by_one());
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
