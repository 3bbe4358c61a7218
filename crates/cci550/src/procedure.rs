//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Count, Slot};

use crate::pmu::Pmu;
use crate::registers::{CounterBlock, Registers, Space, pmcr};
use crate::{COUNTERS, Selection};

/// An event id that, as far as is known, nothing signals: master interface 0 has no code 0x1F. A
/// counter that counts it has a clock and stands still. Linux relies on the same id.
pub(crate) const STANDSTILL: Selection = Selection::raw(0x11F).expect("9 bits");

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Starts counting.
    ///
    /// A counter has a clock only while its own enable and CEN are set; without it, what is written
    /// to the counter is lost, and so may be a reset. With it, the counter counts. So all counters
    /// in use are clocked with an event that does not happen until their values are in place, and
    /// turned to their events while CEN is 0.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        let registers = Registers::of(&self.bus);
        let pmcr = registers.pmcr();
        // Read once: what nobody but this driver writes is then known.
        let before = pmcr.read();
        pmcr.modify_from(before, |w| w.cen().clear_bit());
        let mut in_use = 0;
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            let block = registers.counters_at(number);
            let on = slot.selection.is_some();
            if on {
                in_use |= 1 << number;
                select(&block, STANDSTILL);
            }
            block.count_control().write(|w| w.enable().bit(on));
        }
        pmcr.modify_from(before, |w| w.cen().set_bit());
        pmcr.modify_from(before, |w| w.cen().set_bit().rst().set_bit());
        let mut wrong = 0;
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            let block = registers.counters_at(number);
            if slot.from != 0 {
                block.event_count().write(|w| w.count().set(slot.from));
            }
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(&block);
            if slot.selection.is_some() && value(&block) != slot.from {
                wrong |= 1 << number;
            }
        }
        pmcr.modify_from(before, |w| w.cen().clear_bit());
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            if let Some(selection) = slot.selection {
                select(&registers.counters_at(number), selection);
            }
        }
        pmcr.modify_from(before, |w| w.cen().set_bit());
        self.ledger.told(in_use, wrong);
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
        self.ledger.add_loss(0, !enabled);
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
        self.ledger.hold(|number, selection| {
            let block = registers.counters_at(number);
            if !counts(&block, selection) {
                changed |= 1 << number;
            }
            value(&block)
        });
        // Whoever handles the interrupt finds it gone, and no flag, after this.
        self.acknowledge();
        self.ledger.add_loss(changed, !before.cen().bit());
        self.ledger.settle(self.bus.fault().is_some());
    }

    /// What the counters hold while they count.
    #[inline]
    pub(crate) fn snapshot(&self) -> [Count; COUNTERS] {
        let registers = Registers::of(&self.bus);
        // One look for all of them: without CEN, or without access, nothing counts.
        let doubts = self.ledger.doubts(registers.pmcr().read().cen().bit());
        let fault = || self.bus.fault().is_some();
        let mut counts = [Count::NOTHING; COUNTERS];
        for (number, (slot, count)) in self.ledger.slots().iter().zip(&mut counts).enumerate() {
            if let Slot { selection: Some(_), from, .. } = *slot {
                let block = registers.counters_at(number);
                let flags = || u32::from(flag(&block)) << number;
                let value = || value(&block);
                *count = doubts.read(number, from, flags, value, fault);
            }
        }
        counts
    }

    /// Reads and clears the overflow flags, one bit for each counter, and waits until the interrupts
    /// are gone.
    #[inline(always)]
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let taken = self.take_flags();
        self.wait_for_writes();
        taken
    }

    /// Reads the flags of the counters in use, clears those that are up, and remembers them.
    #[inline(always)]
    fn take_flags(&mut self) -> u32 {
        let (in_use, mut taken) = (self.ledger.in_use(), 0);
        for number in 0..COUNTERS {
            let block = Registers::of(&self.bus).counters_at(number);
            if in_use >> number & 1 == 1 && flag(&block) {
                clear_flag(&block);
                taken |= 1 << number;
            }
        }
        self.ledger.add_overflows(taken);
        taken
    }

    /// Lets one counter count from another value on, while it counts.
    ///
    /// It has a clock, since it counts, so that the write is not lost.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.restart(number, from) {
            let block = Registers::of(&self.bus).counters_at(number);
            block.event_count().write(|w| w.count().set(from));
        }
        self.wait_for_writes();
    }
}

/// What is written to a stopped PMU.
impl<B: Bus<Space = Space>> Pmu<B> {
    /// Clears the overflow flags of all counters, and with them the interrupts, whoever left them: for
    /// a handler that is called while nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too.
    pub fn acknowledge_all(&mut self) {
        let registers = Registers::of(&self.bus);
        for number in 0..COUNTERS {
            clear_flag(&registers.counters_at(number));
        }
        self.wait_for_writes();
    }
}

#[inline(always)]
pub(crate) fn select<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: Selection) {
    block
        .event_select()
        .write(|w| w.source().set(selection.source_id() as u8).event().set(selection.code() as u8));
}

/// Whether the counter is on and counts this.
#[inline(always)]
pub(crate) fn counts<B: Bus<Space = Space>>(
    block: &CounterBlock<'_, B>,
    selection: Selection,
) -> bool {
    let select = block.event_select().read();
    let on = block.count_control().read().enable().bit();
    on & (u16::from(select.source().bits()) == selection.source_id())
        & (u16::from(select.event().bits()) == selection.code())
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
