//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::driver::{self, Latched, Programmed, Settings};
use arm_pmu_core::{Bus, Fault, Slot};

use crate::registers::{CounterBlock, Registers, Space, pmcr};
use crate::{COUNTERS, Selection};

/// An event id that, as far as is known, nothing signals: master interface 0 has no code 0x1F. A
/// counter that counts it has a clock and stands still. Linux relies on the same id.
pub(crate) const STANDSTILL: Selection = Selection::raw(0x11F).expect("9 bits");

/// The PMU behind a bus.
pub(crate) struct Hardware<B> {
    pub(crate) bus: B,
}

impl<B: Bus<Space = Space>> driver::Hardware<COUNTERS> for Hardware<B> {
    type Selection = Selection;
    type Cycles = ();
    type Control = pmcr::R;

    /// A counter has a clock only while its own enable and CEN are set; without it, what is written
    /// to the counter is lost, and so may be a reset. With it, the counter counts. So all counters
    /// in use are clocked with an event that does not happen until their values are in place, and
    /// turned to their events while CEN is 0.
    #[inline(always)]
    fn program(&mut self, settings: &Settings<Selection, COUNTERS, ()>) -> Programmed<pmcr::R> {
        let registers = Registers::of(&self.bus);
        let pmcr = registers.pmcr();
        // Read once: what nobody but this driver writes is then known.
        let control = pmcr.read();
        pmcr.modify_from(control, |w| w.cen().clear_bit());
        let mut in_use = 0;
        for (number, config) in settings.counters.iter().enumerate() {
            let block = registers.counters_at(number);
            let on = config.selection.is_some();
            if on {
                in_use |= 1 << number;
                select(&block, STANDSTILL);
            }
            block.count_control().write(|w| w.enable().bit(on));
        }
        pmcr.modify_from(control, |w| w.cen().set_bit());
        pmcr.modify_from(control, |w| w.cen().set_bit().rst().set_bit());
        let mut rejected = 0;
        for (number, config) in settings.counters.iter().enumerate() {
            let block = registers.counters_at(number);
            if config.from != 0 {
                block.event_count().write(|w| w.count().set(config.from));
            }
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(&block);
            if let Slot { selection: Some(_), from, .. } = *config {
                if value(&block) != from {
                    rejected |= 1 << number;
                }
            }
        }
        pmcr.modify_from(control, |w| w.cen().clear_bit());
        for (number, config) in settings.counters.iter().enumerate() {
            if let Some(selection) = config.selection {
                select(&registers.counters_at(number), selection);
            }
        }
        Programmed { in_use, rejected, control }
    }

    #[inline(always)]
    fn control(&self) -> pmcr::R {
        Registers::of(&self.bus).pmcr().read()
    }

    #[inline(always)]
    fn enable(&mut self, control: pmcr::R) -> bool {
        Registers::of(&self.bus).pmcr().modify_from(control, |w| w.cen().set_bit());
        self.wait_for_writes().cen().bit()
    }

    #[inline(always)]
    fn is_enabled(&self) -> bool {
        self.control().cen().bit()
    }

    #[inline(always)]
    fn was_enabled(control: pmcr::R) -> bool {
        control.cen().bit()
    }

    #[inline(always)]
    fn disable(&mut self) -> pmcr::R {
        self.bus.synchronize();
        let before = self.control();
        Registers::of(&self.bus).pmcr().modify_from(before, |w| w.cen().clear_bit());
        self.bus.synchronize();
        before
    }

    #[inline(always)]
    fn latch(
        &mut self,
        settings: &Settings<Selection, COUNTERS, ()>,
        _: pmcr::R,
        latched: &mut Latched<COUNTERS, ()>,
    ) -> u32 {
        let mut changed = 0;
        for number in 0..COUNTERS {
            if let Some(selection) = settings.counters[number].selection {
                let block = Registers::of(&self.bus).counters_at(number);
                if !counts(&block, selection) {
                    changed |= 1 << number;
                }
                latched.values[number] = value(&block);
            }
        }
        changed
    }

    #[inline(always)]
    fn acknowledge(&mut self, in_use: u32) -> u32 {
        let mut up = 0;
        for number in 0..COUNTERS {
            let block = Registers::of(&self.bus).counters_at(number);
            if in_use >> number & 1 == 1 && flag(&block) {
                clear_flag(&block);
                up |= 1 << number;
            }
        }
        self.wait_for_writes();
        up
    }

    #[inline(always)]
    fn flags(&self, counter: usize) -> u32 {
        u32::from(flag(&Registers::of(&self.bus).counters_at(counter))) << counter
    }

    #[inline(always)]
    fn value(&self, counter: usize) -> u32 {
        value(&Registers::of(&self.bus).counters_at(counter))
    }

    /// It has a clock, since it counts, so that the write is not lost.
    #[inline(always)]
    fn rearm(&mut self, counter: usize, from: u32) {
        let block = Registers::of(&self.bus).counters_at(counter);
        block.event_count().write(|w| w.count().set(from));
        self.wait_for_writes();
    }

    #[inline(always)]
    fn each<T>(mut of: impl FnMut(usize) -> T) -> [T; COUNTERS] {
        [of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)]
    }

    #[inline(always)]
    fn error(&self) -> Option<Fault> {
        self.bus.fault()
    }
}

impl<B: Bus<Space = Space>> Hardware<B> {
    /// Waits until all writes have reached the device, and gives PMCR as it is then.
    ///
    /// A barrier alone may end when a write is on its way; a read comes back after it arrived.
    #[inline(always)]
    fn wait_for_writes(&self) -> pmcr::R {
        let pmcr = Registers::of(&self.bus).pmcr().read();
        self.bus.synchronize();
        pmcr
    }

    /// Clears the overflow flags of all counters, whether in use or not.
    pub(crate) fn acknowledge_all(&mut self) {
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
