//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Count};

use crate::pmu::Pmu;
use crate::registers::{CounterBlock, Registers, Space, control};
use crate::{COUNTERS, Selection};

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Starts counting. Counters are written while nothing counts, and read back.
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        let registers = Registers::of(&self.bus);
        registers.control().modify(|_, w| w.enable().clear_bit());
        let (mut in_use, mut wrong) = (0, 0);
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            let block = registers.counters_at(number);
            if let Some(selection) = slot.selection {
                in_use |= 1 << number;
                block.event_select().write(|w| w.event().set(selection.id() as u8));
                block.event_count().write(|w| w.count().set(slot.from));
                if value(&block) != slot.from {
                    wrong |= 1 << number;
                }
            }
            block.count_control().write(|w| w.enable().bit(slot.selection.is_some()));
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(&block);
        }
        self.ledger.told(in_use, wrong);
        self.enable();
    }

    /// Lets the counters run, waits until they do, and remembers if they do not.
    pub(crate) fn enable(&mut self) {
        Registers::of(&self.bus).control().modify(|_, w| w.enable().set_bit());
        let enabled = self.wait_for_writes().enable().bit();
        self.ledger.add_loss(0, !enabled);
    }

    /// Waits until all writes have reached the device, and gives CONTROL as it is then: a read comes
    /// back after the writes arrived.
    fn wait_for_writes(&self) -> control::R {
        let control = Registers::of(&self.bus).control().read();
        self.bus.synchronize();
        control
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let registers = Registers::of(&self.bus);
        let before = registers.control().read();
        registers.control().modify_from(before, |w| w.enable().clear_bit());
        self.bus.synchronize();
        let mut changed = 0;
        self.ledger.hold(|number, selection| {
            let block = registers.counters_at(number);
            if !counts(&block, selection) {
                changed |= 1 << number;
            }
            value(&block)
        });
        self.acknowledge();
        self.ledger.add_loss(changed, !before.enable().bit());
        self.ledger.settle(self.bus.fault().is_some());
    }

    /// What the counters hold while they count.
    pub(crate) fn snapshot(&self) -> [Count; COUNTERS] {
        let registers = Registers::of(&self.bus);
        let doubts = self.ledger.doubts(registers.control().read().enable().bit());
        let mut counts = [Count::NOTHING; COUNTERS];
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            if slot.selection.is_some() {
                let block = registers.counters_at(number);
                let flags = || u32::from(flag(&block)) << number;
                let (value, fault) = (|| value(&block), || self.bus.fault().is_some());
                counts[number] = doubts.read(number, slot.from, flags, value, fault);
            }
        }
        counts
    }

    /// Reads and clears the overflow flags, one bit for each counter, remembers them, and waits until
    /// the interrupts are gone.
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let (in_use, mut taken) = (self.ledger.in_use(), 0);
        for number in 0..COUNTERS {
            let block = Registers::of(&self.bus).counters_at(number);
            if in_use >> number & 1 == 1 && flag(&block) {
                clear_flag(&block);
                taken |= 1 << number;
            }
        }
        self.ledger.add_overflows(taken);
        self.wait_for_writes();
        taken
    }

    /// Lets one counter count from another value on, while it counts.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.restart(number, from) {
            let block = Registers::of(&self.bus).counters_at(number);
            block.event_count().write(|w| w.count().set(from));
        }
        self.wait_for_writes();
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
