//! Procedures of the driver: its register accesses, their order, and the reasons.

use core::fmt;
use core::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, CounterConfig, Latched, Programmed, Settings, Stopped,
};

use crate::Implementation;
use crate::registers::{CounterBlock, Registers, Space, pmcr};

/// Number of counters of a CCI-5xx.
pub const COUNTERS: usize = 8;

/// Number of register accesses between the first and the last value in a read.
///
/// See [`Driver::read`](driver::Driver::read).
pub const SKEW: u32 = 21;

/// Event id that no source is known to signal.
///
/// Master interface 0 has no code 0x1F.
///
/// A counter with this event can have a clock without counting. Linux relies on the same event id.
pub(crate) const STANDSTILL: u16 = 0x11F;

/// The PMU of implementation `P` on a bus.
pub struct Hardware<P, B> {
    pub(crate) bus: B,
    implementation: PhantomData<fn() -> P>,
}

impl<P, B> Hardware<P, B> {
    /// The PMU behind `bus`.
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { bus, implementation: PhantomData }
    }

    /// Returns the bus, for access to all registers of the device.
    #[inline(always)]
    pub const fn bus_mut(&mut self) -> &mut B {
        &mut self.bus
    }

    /// Returns the bus.
    #[inline(always)]
    pub fn into_bus(self) -> B {
        self.bus
    }
}

/// Prints the name without an access to the device.
impl<P, B> fmt::Debug for Hardware<P, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hardware")
    }
}

impl<P: Implementation, B: Bus<Space = Space>> driver::Hardware<COUNTERS> for Hardware<P, B> {
    type Selection = P::Selection;
    type Cycles = ();
    type Value = u32;
    type Control = pmcr::R;

    /// A counter has a clock only while its own enable and CEN are set. Without a clock, a write to the counter is
    /// lost, and a reset may be lost. With a clock, the counter counts. Therefore all counters in use first select an
    /// event that nothing signals. With this event, they are enabled until their values are written, so that they have
    /// a clock but do not count. Then the driver selects their events while CEN is 0.
    ///
    /// Start values are written even if they are 0, so that nothing depends on the reset. Overflow
    /// flags are cleared twice: while the counters have a clock, and while CEN is 0 as in Linux's
    /// interrupt handler. Neither manual states whether clearing a flag needs a clock or a disabled PMU.
    #[inline(always)]
    fn program(&mut self, settings: &Settings<P::Selection, COUNTERS, ()>) -> Programmed<pmcr::R> {
        let registers = Registers::shared(&self.bus);
        let pmcr = registers.pmcr();
        // Read once, because afterwards the driver knows the value from its own writes.
        let control = pmcr.read();
        pmcr.modify_from(control, |w| w.cen().clear_bit());
        let mut in_use = 0;
        for (counter, config) in settings.counters.iter().enumerate() {
            let block = registers.counters_at(counter);
            let on = config.selection.is_some();
            if on {
                in_use |= 1 << counter;
                select(&block, STANDSTILL);
            }
            block.count_control().write(|w| w.enable().bit(on));
        }
        pmcr.modify_from(control, |w| w.cen().set_bit());
        pmcr.modify_from(control, |w| w.cen().set_bit().rst().set_bit());
        for (counter, config) in settings.counters.iter().enumerate() {
            let block = registers.counters_at(counter);
            // Includes the flags of unused counters, because each flag asserts an interrupt.
            clear_flag(&block);
            if let CounterConfig { selection: Some(_), from, .. } = *config {
                block.event_count().write(|w| w.count().set(from));
            }
        }
        pmcr.modify_from(control, |w| w.cen().clear_bit());
        // If CEN stayed set, a later read of CEN = 1 would not confirm the enable.
        let mut rejected = if is_stopped(pmcr.read()) { 0 } else { in_use };
        for (counter, config) in settings.counters.iter().enumerate() {
            let block = registers.counters_at(counter);
            clear_flag(&block);
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                // The clock of the counter was off before this read, so the value is the counter's
                // start value.
                if (value(&block) != from) | flag(&block) {
                    rejected |= 1 << counter;
                }
                select(&block, selection.into());
            }
        }
        Programmed { in_use, rejected, control }
    }

    #[inline(always)]
    fn control(&self) -> pmcr::R {
        Registers::shared(&self.bus).pmcr().read()
    }

    #[inline(always)]
    fn enable(&mut self, control: pmcr::R) -> bool {
        Registers::shared(&self.bus).pmcr().modify_from(control, |w| w.cen().set_bit());
        is_enabled(self.wait_for_writes())
    }

    #[inline(always)]
    fn is_enabled(&self) -> bool {
        is_enabled(self.control())
    }

    #[inline(always)]
    fn disable(&mut self) -> pmcr::R {
        self.bus.synchronize();
        let before = self.control();
        Registers::shared(&self.bus).pmcr().modify_from(before, |w| w.cen().clear_bit());
        self.bus.synchronize();
        before
    }

    #[inline(always)]
    fn enables(control: pmcr::R) -> bool {
        control.cen().bit()
    }

    /// Reads PMCR last, to check that the device still answers.
    ///
    /// If the device answers, PMCR contains the correct number of counters, and CEN is clear.
    #[inline(always)]
    fn latch(
        &mut self,
        settings: &Settings<P::Selection, COUNTERS, ()>,
        in_use: u32,
        _: pmcr::R,
        latched: &mut Latched<COUNTERS, ()>,
    ) -> Stopped {
        let mut changed = 0;
        for counter in 0..COUNTERS {
            if let Some(selection) = settings.counters[counter].selection {
                let block = Registers::shared(&self.bus).counters_at(counter);
                latched.values[counter] = value(&block);
                if !counts(&block, selection.into()) {
                    changed |= 1 << counter;
                }
            }
        }
        // This also deasserts the interrupt. A handler that runs later finds no flag set.
        let overflowed = self.take_flags(in_use);
        Stopped { overflowed, changed, is_stopped: is_stopped(self.wait_for_writes()) }
    }

    /// A flag that stays set is cleared again while CEN is 0, as in Linux. All counters miss events
    /// during this time.
    #[inline(always)]
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        let overflowed = self.take_flags(in_use);
        let mut disturbed = 0;
        if overflowed != 0 && self.flags_of(overflowed) != 0 {
            self.clear_flags_while_disabled(overflowed);
            disturbed = in_use;
        }
        Acknowledged { overflowed, disturbed, is_enabled: is_enabled(self.wait_for_writes()) }
    }

    #[inline(always)]
    fn flags(&self, counter: usize) -> u32 {
        u32::from(flag(&Registers::shared(&self.bus).counters_at(counter))) << counter
    }

    #[inline(always)]
    fn value(&self, counter: usize) -> u32 {
        value(&Registers::shared(&self.bus).counters_at(counter))
    }

    /// Writes the counter as Linux writes a start value: first disables it, selects an event that nothing signals,
    /// and enables it, so that the counter has a clock but does not count. The counter then holds the
    /// written value, and a set flag belongs to earlier events.
    fn rearm(
        &mut self,
        settings: &Settings<P::Selection, COUNTERS, ()>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let Some(selection) = settings.counters[counter].selection else { return 0 };
        let selection = selection.into();
        let block = Registers::shared(&self.bus).counters_at(counter);
        let (bit, mut disturbed) = (1 << counter, 0);
        // Whether other software changed the counter is checked before the write, because `latch`
        // could not detect it afterwards.
        let as_programmed = counts(&block, selection);
        block.count_control().write(|w| w.enable().clear_bit());
        select(&block, STANDSTILL);
        block.count_control().write(|w| w.enable().set_bit());
        block.event_count().write(|w| w.count().set(from));
        clear_flag(&block);
        if flag(&block) {
            self.clear_flags_while_disabled(bit);
            disturbed = in_use & !bit;
        }
        // The value is read after the counter's clock was stopped, so the counter starts from this
        // value.
        block.count_control().write(|w| w.enable().clear_bit());
        if !as_programmed | (value(&block) != from) | flag(&block) {
            disturbed |= bit;
        }
        select(&block, selection);
        block.count_control().write(|w| w.enable().set_bit());
        if !counts(&block, selection) {
            disturbed |= bit;
        }
        disturbed | if is_enabled(self.wait_for_writes()) { 0 } else { in_use }
    }

    #[inline(always)]
    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<P, B: Bus<Space = Space>> Hardware<P, B> {
    /// Waits until all writes have reached the device, and returns PMCR.
    ///
    /// A barrier alone may complete before a write has arrived. A read completes only after earlier
    /// writes have arrived.
    #[inline(always)]
    fn wait_for_writes(&self) -> pmcr::R {
        let pmcr = Registers::shared(&self.bus).pmcr().read();
        self.bus.synchronize();
        pmcr
    }

    /// Reads the flags of these counters, clears the set flags and returns them.
    #[inline(always)]
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

    /// Returns the set flags of these counters; usually none after a clear.
    #[cold]
    fn flags_of(&self, counters: u32) -> u32 {
        let mut up = 0;
        for counter in 0..COUNTERS {
            let block = Registers::shared(&self.bus).counters_at(counter);
            if counters >> counter & 1 == 1 && flag(&block) {
                up |= 1 << counter;
            }
        }
        up
    }

    fn clear_flags(&self, counters: u32) {
        for counter in 0..COUNTERS {
            if counters >> counter & 1 == 1 {
                clear_flag(&Registers::shared(&self.bus).counters_at(counter));
            }
        }
    }

    /// Clears flags while CEN is 0. All counters miss events during this time.
    #[cold]
    fn clear_flags_while_disabled(&self, counters: u32) {
        let pmcr = Registers::shared(&self.bus).pmcr();
        let before = pmcr.read();
        pmcr.modify_from(before, |w| w.cen().clear_bit());
        self.clear_flags(counters);
        pmcr.modify_from(before, |w| w.cen().bit(before.cen().bit()));
    }

    /// Clears the overflow flags of all counters, used or not.
    pub fn acknowledge_all(&mut self) {
        self.clear_flags(u32::MAX);
        self.wait_for_writes();
    }
}

/// Returns whether the counters are enabled and the device answers.
///
/// If the device does not answer, PMCR reads as another number of counters.
#[inline(always)]
fn is_enabled(pmcr: pmcr::R) -> bool {
    pmcr.cen().bit() & has_all_counters(pmcr)
}

/// Returns whether the counters are disabled and the device answers.
#[inline(always)]
fn is_stopped(pmcr: pmcr::R) -> bool {
    !pmcr.cen().bit() & has_all_counters(pmcr)
}

#[inline(always)]
fn has_all_counters(pmcr: pmcr::R) -> bool {
    usize::from(pmcr.pmu_cnt_num().bits()) == COUNTERS
}

/// Lowest bit of the source in an event id.
pub(crate) const SOURCE: u32 = 5;

/// Mask of the event code in an event id.
const EVENTS: u16 = 0x1F;

#[inline(always)]
pub(crate) fn select<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: u16) {
    let (source, event) = ((selection >> SOURCE) as u8, (selection & EVENTS) as u8);
    block.event_select().write(|w| w.source().set(source).event().set(event));
}

/// Returns whether the counter is enabled and counts this selection.
#[inline(always)]
pub(crate) fn counts<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: u16) -> bool {
    let select = block.event_select().read();
    let on = block.count_control().read().enable().bit();
    on & (u16::from(select.source().bits()) == selection >> SOURCE)
        & (u16::from(select.event().bits()) == selection & EVENTS)
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
