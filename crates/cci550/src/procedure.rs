//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Count};

use crate::pmu::Pmu;
use crate::registers::{CounterBlock, Registers, Space, pmcr};
use crate::{COUNTERS, Selection};

/// An event id that, as far as is known, nothing signals: master interface 0 has no code 0x1F. A
/// counter that counts it has a clock and stands still. Linux relies on the same id.
const STANDSTILL: Selection = Selection::raw(0x11F).expect("9 bits");

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Starts counting.
    ///
    /// A counter has a clock only while its own enable and CEN are set; without it, what is written
    /// to the counter is lost, and so may be a reset. With it, the counter counts. So all counters
    /// in use are clocked with an event that does not happen until their values are in place, and
    /// turned to their events while CEN is 0.
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        let registers = Registers::of(&self.bus);
        let pmcr = registers.pmcr();
        pmcr.modify(|_, w| w.cen().clear_bit());
        for (slot, block) in self.ledger.wanted().iter().zip(&registers.counters()) {
            if slot.selection.is_some() {
                select(block, STANDSTILL);
            }
            block.count_control().write(|w| w.enable().bit(slot.selection.is_some()));
        }
        pmcr.modify(|_, w| w.cen().set_bit());
        pmcr.modify(|_, w| w.cen().set_bit().rst().set_bit());
        let mut wrong = 0;
        for (number, (slot, block)) in
            self.ledger.wanted().iter().zip(&registers.counters()).enumerate()
        {
            if slot.from != 0 {
                block.event_count().write(|w| w.count().set(slot.from));
            }
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(block);
            if slot.selection.is_some() && value(block) != slot.from {
                wrong |= 1 << number;
            }
        }
        pmcr.modify(|_, w| w.cen().clear_bit());
        for (slot, block) in self.ledger.wanted().iter().zip(&registers.counters()) {
            if let Some(selection) = slot.selection {
                select(block, selection);
            }
        }
        self.ledger.add_loss(wrong, false);
        self.enable();
    }

    /// Lets the counters run, and waits until they do.
    pub(crate) fn enable(&mut self) {
        Registers::of(&self.bus).pmcr().modify(|_, w| w.cen().set_bit());
        let enabled = self.wait_for_writes().cen().bit();
        self.ledger.add_loss(0, !enabled);
    }

    /// Waits until all writes have reached the device, and gives PMCR as it is then.
    ///
    /// A barrier alone may end when a write is on its way; a read comes back after it arrived.
    fn wait_for_writes(&self) -> pmcr::R {
        let pmcr = Registers::of(&self.bus).pmcr().read();
        self.bus.synchronize();
        pmcr
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let registers = Registers::of(&self.bus);
        let mut enabled = false;
        registers.pmcr().modify(|r, w| {
            enabled = r.cen().bit();
            w.cen().clear_bit()
        });
        self.bus.synchronize();
        let mut changed = 0;
        let values = self.each_in_use(|number, selection, block| {
            if !counts(block, selection) {
                changed |= 1 << number;
            }
            value(block)
        });
        // Whoever handles the interrupt finds it gone, and no flag, after this.
        self.acknowledge();
        self.ledger.add_loss(changed, !enabled);
        self.ledger.settle(values, self.bus.fault().is_some());
    }

    /// What the counters hold while they count.
    pub(crate) fn snapshot(&self) -> [Count; COUNTERS] {
        // One look for all of them: without CEN, or without access, nothing counts.
        let enabled = Registers::of(&self.bus).pmcr().read().cen().bit();
        let fault = || self.bus.fault().is_some();
        let counts = self.each_in_use(|number, _, block| {
            self.ledger.snapshot(number, enabled, || flag(block), || value(block), fault)
        });
        counts.map(|count| count.unwrap_or(Count::NOTHING))
    }

    /// Reads and clears the overflow flags, one bit for each counter, and waits until the interrupts
    /// are gone.
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let taken = self.take_flags();
        self.wait_for_writes();
        taken
    }

    /// Reads the flags of the counters in use, clears those that are up, and remembers them.
    fn take_flags(&mut self) -> u32 {
        let mut taken = 0;
        self.each_in_use(|number, _, block| {
            if flag(block) {
                clear_flag(block);
                taken |= 1 << number;
            }
        });
        self.ledger.add_overflows(taken);
        taken
    }

    /// Lets one counter count from another value on, while it counts.
    ///
    /// It has a clock, since it counts, so that the write is not lost.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.restart(number, from)
            && let Some(block) = Registers::of(&self.bus).counters().get(number)
        {
            block.event_count().write(|w| w.count().set(from));
        }
        self.wait_for_writes();
    }

    /// Does something with each counter that the device was told to use: number, selection,
    /// registers. The ledger gives numbers of counters, so no index is out of range.
    fn each_in_use<R>(
        &self,
        mut work: impl FnMut(usize, Selection, &CounterBlock<'_, B>) -> R,
    ) -> [Option<R>; COUNTERS] {
        let blocks = Registers::of(&self.bus).counters();
        self.ledger.each_in_use(|number, selection| work(number, selection, &blocks[number]))
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
        for block in &registers.counters() {
            clear_flag(block);
        }
        self.wait_for_writes();
    }
}

fn select<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: Selection) {
    block
        .event_select()
        .write(|w| w.source().set(selection.source_id() as u8).event().set(selection.code() as u8));
}

/// Whether the counter is on and counts this.
fn counts<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: Selection) -> bool {
    let select = block.event_select().read();
    block.count_control().read().enable().bit()
        && u16::from(select.source().bits()) == selection.source_id()
        && u16::from(select.event().bits()) == selection.code()
}

fn value<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) -> u32 {
    block.event_count().read().count().bits()
}

fn flag<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) -> bool {
    block.overflow_status().read().flag().bit()
}

fn clear_flag<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) {
    block.overflow_status().write(|w| w.flag().clear_bit_by_one());
}
