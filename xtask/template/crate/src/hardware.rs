//! Procedures of the driver: its register accesses, their order, and why.

use arm_pmu_core::driver::{
    self, Acknowledged, CounterConfig, Latched, Programmed, Settings, Stopped,
};
use arm_pmu_core::bus::{Bus, BusError};

use crate::registers::{CounterBlock, Registers, Space, control};
use crate::events::COUNTERS;
use crate::Selection;

/// Number of register accesses between the first and the last value in a read of all counters.
///
/// Each further counter takes three accesses: the previous counter's flag is read again, then the
/// flag and the value of this counter are read.
pub(crate) const SKEW: u32 = 3 * (COUNTERS as u32 - 1);

/// The PMU on a bus.
pub(crate) struct Hardware<B> {
    pub(crate) bus: B,
}

impl<B: Bus<Space = Space>> driver::Hardware<COUNTERS> for Hardware<B> {
    type Selection = Selection;
    type Cycles = ();
    type Value = u32;
    type Control = control::R;

    /// Writes the counters while nothing counts, and reads them back.
    fn program(&mut self, settings: &Settings<Selection, COUNTERS, ()>) -> Programmed<control::R> {
        let registers = Registers::shared(&self.bus);
        let control = registers.control().read();
        registers.control().modify_from(control, |w| w.enable().clear_bit());
        let (mut in_use, mut rejected) = (0, 0);
        for (counter, config) in settings.counters.iter().enumerate() {
            let block = registers.counters_at(counter);
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                in_use |= 1 << counter;
                block.event_select().write(|w| w.event().set(selection.id() as u8));
                block.event_count().write(|w| w.count().set(from));
                if value(&block) != from {
                    rejected |= 1 << counter;
                }
            }
            block.count_control().write(|w| w.enable().bit(config.selection.is_some()));
            // Includes the flags of unused counters, because each flag asserts an interrupt.
            clear_flag(&block);
        }
        Programmed { in_use, rejected, control }
    }

    fn control(&self) -> control::R {
        Registers::shared(&self.bus).control().read()
    }

    fn enable(&mut self, control: control::R) -> bool {
        Registers::shared(&self.bus).control().modify_from(control, |w| w.enable().set_bit());
        self.wait_for_writes().enable().bit()
    }

    fn is_enabled(&self) -> bool {
        self.control().enable().bit()
    }

    fn disable(&mut self) -> control::R {
        self.bus.synchronize();
        let before = self.control();
        Registers::shared(&self.bus).control().modify_from(before, |w| w.enable().clear_bit());
        self.bus.synchronize();
        before
    }

    fn enables(control: control::R) -> bool {
        control.enable().bit()
    }

    /// Reads the values, then compares the settings, and reads CONTROL last. If the device had
    /// stopped answering before, the settings would differ from the programmed settings.
    fn latch(
        &mut self,
        settings: &Settings<Selection, COUNTERS, ()>,
        in_use: u32,
        _: control::R,
        latched: &mut Latched<COUNTERS, ()>,
    ) -> Stopped {
        let mut changed = 0;
        for counter in 0..COUNTERS {
            if let Some(selection) = settings.counters[counter].selection {
                let block = Registers::shared(&self.bus).counters_at(counter);
                latched.values[counter] = value(&block);
                if !counts(&block, selection) {
                    changed |= 1 << counter;
                }
            }
        }
        let overflowed = self.take_flags(in_use);
        Stopped { overflowed, changed, is_stopped: !self.wait_for_writes().enable().bit() }
    }

    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        let overflowed = self.take_flags(in_use);
        let is_enabled = self.wait_for_writes().enable().bit();
        Acknowledged { overflowed, disturbed: 0, is_enabled }
    }

    fn flags(&self, counter: usize) -> u32 {
        u32::from(flag(&Registers::shared(&self.bus).counters_at(counter))) << counter
    }

    fn value(&self, counter: usize) -> u32 {
        value(&Registers::shared(&self.bus).counters_at(counter))
    }

    /// The counter is disabled during the call, so a flag that is set belongs to earlier events.
    fn rearm(
        &mut self,
        settings: &Settings<Selection, COUNTERS, ()>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let Some(selection) = settings.counters[counter].selection else { return 0 };
        let block = Registers::shared(&self.bus).counters_at(counter);
        // Whether other software changed the counter is checked before the write, because `latch`
        // could not detect it afterwards.
        let as_programmed = counts(&block, selection);
        block.count_control().write(|w| w.enable().clear_bit());
        block.event_count().write(|w| w.count().set(from));
        clear_flag(&block);
        let is_taken = value(&block) == from;
        block.count_control().write(|w| w.enable().set_bit());
        if !self.wait_for_writes().enable().bit() {
            return in_use;
        }
        if as_programmed & is_taken { 0 } else { 1 << counter }
    }

    fn walk(visit: impl FnMut(usize)) {
        (0..COUNTERS).for_each(visit);
    }

    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<B: Bus<Space = Space>> Hardware<B> {
    /// Waits until all writes have reached the device, and returns CONTROL.
    ///
    /// A read completes only after earlier writes have arrived.
    fn wait_for_writes(&self) -> control::R {
        let control = Registers::shared(&self.bus).control().read();
        self.bus.synchronize();
        control
    }

    /// Reads the flags of these counters, clears the set flags and returns them.
    fn take_flags(&self, counters: u32) -> u32 {
        let mut up = 0;
        for counter in 0..COUNTERS {
            let block = Registers::shared(&self.bus).counters_at(counter);
            if counters >> counter & 1 == 1 && flag(&block) {
                clear_flag(&block);
                up |= 1 << counter;
            }
        }
        up
    }
}

/// Returns whether the counter is enabled and counts this selection.
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
