//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Count, Inexact, Slot};

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
    ///
    /// Start values are written even if they are 0, so that nothing depends on the reset. Overflow
    /// flags are cleared twice: while the counters have a clock, and while CEN is 0 as in Linux's
    /// interrupt handler. No manual says which of the two the flags need.
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
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(&block);
            if let Slot { selection: Some(_), from, .. } = *slot {
                block.event_count().write(|w| w.count().set(from));
                if value(&block) != from {
                    wrong |= 1 << number;
                }
            }
        }
        pmcr.modify_from(before, |w| w.cen().clear_bit());
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            let block = registers.counters_at(number);
            clear_flag(&block);
            if let Some(selection) = slot.selection {
                if flag(&block) {
                    wrong |= 1 << number;
                }
                select(&block, selection);
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
        let enabled = is_enabled(self.wait_for_writes());
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
        self.ledger.hold(|number, selection| {
            let block = registers.counters_at(number);
            let value = value(&block);
            if !counts(&block, selection) {
                changed |= 1 << number;
            }
            value
        });
        // Whoever handles the interrupt finds it gone, and no flag, after this.
        self.take_flags();
        let stopped = is_stopped(self.wait_for_writes());
        self.ledger.add_loss(changed, !(before.cen().bit() & stopped));
        self.ledger.settle(self.bus.fault().is_some());
    }

    /// What the counters hold while they count.
    ///
    /// PMCR is read last, for all of them: without CEN, or without access, nothing counts, and what
    /// was read before need not be what the counters held.
    #[inline]
    pub(crate) fn snapshot(&self) -> [Count; COUNTERS] {
        let doubts = self.ledger.doubts(true);
        let fault = || self.bus.fault().is_some();
        let mut counts = [Count::NOTHING; COUNTERS];
        for (number, (slot, count)) in self.ledger.slots().iter().zip(&mut counts).enumerate() {
            if let Slot { selection: Some(_), from, .. } = *slot {
                let block = Registers::of(&self.bus).counters_at(number);
                let flags = || u32::from(flag(&block)) << number;
                let value = || value(&block);
                *count = doubts.read(number, from, flags, value, fault);
            }
        }
        if !is_enabled(Registers::of(&self.bus).pmcr().read()) {
            let why = if fault() { Inexact::Fault } else { Inexact::Lost };
            for (number, count) in counts.iter_mut().enumerate() {
                if self.ledger.in_use() >> number & 1 == 1 {
                    *count = Count::doubtful(count.wrapped(), why);
                }
            }
        }
        counts
    }

    /// Reads and clears the overflow flags, one bit for each counter, and waits until the interrupts
    /// are gone.
    ///
    /// A flag that is still up is cleared while CEN is 0, as Linux does. The other counters miss events
    /// then, so the counts are lost.
    #[inline(always)]
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let taken = self.take_flags();
        if taken != 0 && self.flags_of(taken) != 0 {
            self.clear_flags_while_stopped(taken);
            self.ledger.add_loss(self.ledger.in_use(), false);
        }
        self.check_enabled();
        taken
    }

    /// Reads the flags of the counters in use, clears those that are up, and remembers them.
    #[inline(always)]
    fn take_flags(&mut self) -> u32 {
        let up = self.flags_of(self.ledger.in_use());
        if up != 0 {
            self.clear_flags(up);
            self.ledger.add_overflows(up);
        }
        up
    }

    /// The flags of these counters.
    fn flags_of(&self, counters: u32) -> u32 {
        let mut up = 0;
        for number in 0..COUNTERS {
            let block = Registers::of(&self.bus).counters_at(number);
            if counters >> number & 1 == 1 && flag(&block) {
                up |= 1 << number;
            }
        }
        up
    }

    /// Clears the flags of these counters.
    fn clear_flags(&self, counters: u32) {
        for number in 0..COUNTERS {
            if counters >> number & 1 == 1 {
                clear_flag(&Registers::of(&self.bus).counters_at(number));
            }
        }
    }

    /// Clears the flags of these counters while CEN is 0. All counters miss what happens meanwhile.
    #[cold]
    fn clear_flags_while_stopped(&self, counters: u32) {
        let pmcr = Registers::of(&self.bus).pmcr();
        let before = pmcr.read();
        pmcr.modify_from(before, |w| w.cen().clear_bit());
        self.clear_flags(counters);
        pmcr.modify_from(before, |w| w.cen().bit(before.cen().bit()));
    }

    /// Lets one counter count from another value on, while the others count.
    ///
    /// It is written as Linux writes a start value: switched off, told to count what does not happen,
    /// and switched on, so that it has a clock and stands still. What it then holds is what was written,
    /// and a flag that is up is that of the events before.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.restart(number, from) {
            let lost = self.set_running(number, from);
            self.ledger.add_loss(lost, false);
        }
        self.check_enabled();
    }

    /// Sets a counter in use, and clears its flag, while the others count. Gives the counters that do
    /// not count as they should, or did not meanwhile.
    fn set_running(&self, number: usize, from: u32) -> u32 {
        let Some(selection) = self.ledger.slots()[number].selection else { return 0 };
        let block = Registers::of(&self.bus).counters_at(number);
        let (bit, mut lost) = (1 << number, 0);
        // If somebody else changed it, it is not to look at the stop as if nobody had.
        let as_set = counts(&block, selection);
        count_what(&block, STANDSTILL);
        block.event_count().write(|w| w.count().set(from));
        clear_flag(&block);
        if flag(&block) {
            self.clear_flags_while_stopped(bit);
            lost = self.ledger.in_use() & !bit;
        }
        if !as_set | (value(&block) != from) | flag(&block) {
            lost |= bit;
        }
        count_what(&block, selection);
        lost
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

/// Tells a counter to count something else, while it is off, and switches it on.
fn count_what<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: Selection) {
    block.count_control().write(|w| w.enable().clear_bit());
    select(block, selection);
    block.count_control().write(|w| w.enable().set_bit());
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
