//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Count};

use crate::pmu::Pmu;
use crate::registers::{CounterBlock, Registers, Space};
use crate::{COUNTERS, Selection};

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Starts counting. Counters are written while nothing counts, and read back.
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        let registers = Registers::of(&self.bus);
        registers.control().modify(|_, w| w.enable().clear_bit());
        let mut wrong = 0;
        let counters = registers.counters();
        for (number, (slot, block)) in self.ledger.wanted().iter().zip(&counters).enumerate() {
            if let Some(selection) = slot.selection {
                block.event_select().write(|w| w.event().set(selection.id() as u8));
                block.event_count().write(|w| w.count().set(slot.from));
                if value(block) != slot.from {
                    wrong |= 1 << number;
                }
            }
            block.count_control().write(|w| w.enable().bit(slot.selection.is_some()));
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(block);
        }
        self.ledger.add_loss(wrong, false);
        self.enable();
    }

    /// Lets the counters run, and waits until they do: a read comes back after the write arrived.
    pub(crate) fn enable(&mut self) {
        let control = Registers::of(&self.bus).control();
        control.modify(|_, w| w.enable().set_bit());
        let enabled = control.read().enable().bit();
        self.bus.synchronize();
        self.ledger.add_loss(0, !enabled);
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let mut enabled = false;
        Registers::of(&self.bus).control().modify(|r, w| {
            enabled = r.enable().bit();
            w.enable().clear_bit()
        });
        self.bus.synchronize();
        let mut changed = 0;
        let values = self.each_in_use(|number, selection, block| {
            if !counts(block, selection) {
                changed |= 1 << number;
            }
            value(block)
        });
        self.acknowledge();
        self.ledger.add_loss(changed, !enabled);
        self.ledger.settle(values, self.bus.fault().is_some());
    }

    /// What the counters hold while they count.
    pub(crate) fn snapshot(&self) -> [Count; COUNTERS] {
        let enabled = Registers::of(&self.bus).control().read().enable().bit();
        let fault = || self.bus.fault().is_some();
        let counts = self.each_in_use(|number, _, block| {
            self.ledger.snapshot(number, enabled, || flag(block), || value(block), fault)
        });
        counts.map(|count| count.unwrap_or(Count::NOTHING))
    }

    /// Reads and clears the overflow flags, one bit for each counter, and remembers them.
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let mut taken = 0;
        self.each_in_use(|number, _, block| {
            if flag(block) {
                clear_flag(block);
                taken |= 1 << number;
            }
        });
        self.ledger.add_overflows(taken);
        Registers::of(&self.bus).control().read();
        self.bus.synchronize();
        taken
    }

    /// Does something with each counter that the device was told to use.
    fn each_in_use<R>(
        &self,
        mut work: impl FnMut(usize, Selection, &CounterBlock<'_, B>) -> R,
    ) -> [Option<R>; COUNTERS] {
        let blocks = Registers::of(&self.bus).counters();
        self.ledger.each_in_use(|number, selection| work(number, selection, &blocks[number]))
    }
}

/// Whether the counter is on and counts this.
fn counts<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: Selection) -> bool {
    block.count_control().read().enable().bit()
        && u16::from(block.event_select().read().event().bits()) == selection.id()
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
