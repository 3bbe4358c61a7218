//! Procedures of the driver: its register accesses, their order, and the reasons.

use core::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, Clock, CounterConfig, Divider, Latched, Programmed, Settings, Stopped,
};

use crate::COUNTERS;
use crate::registers::{CounterBlock, Registers, Space, pmcr};
use crate::revision::Revision;

/// Number of register accesses between the first and the last value in a read of all counters.
///
/// See [`Driver::read`](driver::Driver::read).
pub(crate) const SKEW: u32 = 13;

/// The PMU of one revision on a bus.
pub(crate) struct Hardware<R, B> {
    pub(crate) bus: B,
    revision: PhantomData<R>,
}

impl<R, B> Hardware<R, B> {
    #[inline(always)]
    pub(crate) const fn new(bus: B) -> Self {
        Self { bus, revision: PhantomData }
    }
}

impl<R: Revision, B: Bus<Space = Space>> driver::Hardware<COUNTERS> for Hardware<R, B> {
    type Selection = R::Selection;
    type Cycles = Clock;
    type Value = u32;
    type Control = pmcr::R;

    /// Writes the counters while nothing counts, as Linux does, and reads them back. The only reset bit that it uses is
    /// CCR, which may also set the phase of the divider to 0; no document states whether it does. CEN enables all
    /// counters together.
    #[inline(always)]
    fn program(
        &mut self,
        settings: &Settings<R::Selection, COUNTERS, Clock>,
    ) -> Programmed<pmcr::R> {
        let clock = &settings.cycles;
        // `needs_debug` refers to non-invasive debug, which NIDEN permits.
        let (by_64, needs_niden) = (clock.divider == Divider::By64, clock.needs_debug);
        let registers = Registers::shared(&self.bus);
        let pmcr = registers.pmcr();
        // Read once, because afterwards the driver knows the value from its own writes.
        let before = pmcr.read();
        pmcr.modify_from(before, |w| {
            w.cen().clear_bit().ccr().set_bit().ccd().bit(by_64).dp().bit(needs_niden)
        });
        let (mut in_use, mut rejected) = (0, 0);
        for (counter, config) in settings.counters.iter().enumerate() {
            let block = registers.counters_at(counter);
            block.count_control().write(|w| w.enable().bit(config.selection.is_some()));
            // Includes the flags of unused counters, because each flag asserts an interrupt.
            clear_flag(&block);
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                in_use |= 1 << counter;
                select::<R, B>(&block, selection);
                block.event_count().write(|w| w.count().set(from));
                if (value(&block) != from) | flag(&block) {
                    rejected |= 1 << counter;
                }
            }
        }
        registers.cycle_count_control().write(|w| w.enable().bit(clock.on));
        clear_cycle_flag(&registers);
        if clock.on {
            in_use |= Clock::BIT;
            registers.cycle_count().write(|w| w.count().set(clock.from));
            if (cycles(&registers) != clock.from) | cycle_flag(&registers) {
                rejected |= Clock::BIT;
            }
        }
        // If CEN stayed set, a later read of CEN = 1 would not confirm the enable.
        if !is_stopped(pmcr.read()) {
            rejected = in_use;
        }
        let control = pmcr::R::from_bits(pmcr::W::encode(|w| {
            w.ex().bit(before.ex().bit()).ccd().bit(by_64).dp().bit(needs_niden)
        }));
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
        settings: &Settings<R::Selection, COUNTERS, Clock>,
        in_use: u32,
        before: pmcr::R,
        latched: &mut Latched<COUNTERS, Clock>,
    ) -> Stopped {
        let registers = Registers::shared(&self.bus);
        let mut changed = 0;
        for counter in 0..COUNTERS {
            if let Some(selection) = settings.counters[counter].selection {
                let block = registers.counters_at(counter);
                latched.values[counter] = value(&block);
                if !counts::<R, B>(&block, selection) {
                    changed |= 1 << counter;
                }
            }
        }
        if in_use & Clock::BIT != 0 {
            latched.cycles = cycles(&registers);
            let clock = &settings.cycles;
            let by_64 = clock.divider == Divider::By64;
            let on = registers.cycle_count_control().read().enable().bit();
            let same = before.dp().bit() == clock.needs_debug;
            if !(on & same & (before.ccd().bit() == by_64)) {
                changed |= Clock::BIT;
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
            self.while_disabled(|| self.clear_flags(overflowed));
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

    #[inline(always)]
    fn cycle_flags(&self) -> u32 {
        if cycle_flag(&Registers::shared(&self.bus)) { Clock::BIT } else { 0 }
    }

    #[inline(always)]
    fn cycle_value(&self) -> u32 {
        cycles(&Registers::shared(&self.bus))
    }

    /// Disables the counter during the write, so that the counter keeps the written value. A flag
    /// that is set then belongs to earlier events.
    fn rearm(
        &mut self,
        settings: &Settings<R::Selection, COUNTERS, Clock>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let disturbed = if counter == COUNTERS {
            self.rearm_cycles(in_use, from)
        } else {
            self.rearm_event(settings.counters[counter].selection, in_use, counter, from)
        };
        disturbed | if is_enabled(self.wait_for_writes()) { 0 } else { in_use }
    }

    #[inline(always)]
    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<R: Revision, B: Bus<Space = Space>> Hardware<R, B> {
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
        let registers = Registers::shared(&self.bus);
        let mut up = 0;
        for counter in 0..COUNTERS {
            let block = registers.counters_at(counter);
            if counters >> counter & 1 == 1 && flag(&block) {
                clear_flag(&block);
                up |= 1 << counter;
            }
        }
        if counters & Clock::BIT != 0 && cycle_flag(&registers) {
            clear_cycle_flag(&registers);
            up |= Clock::BIT;
        }
        up
    }

    /// Returns the set flags of these counters; usually none after a clear.
    #[cold]
    fn flags_of(&self, counters: u32) -> u32 {
        let registers = Registers::shared(&self.bus);
        let mut up = 0;
        for counter in 0..COUNTERS {
            if counters >> counter & 1 == 1 && flag(&registers.counters_at(counter)) {
                up |= 1 << counter;
            }
        }
        if counters & Clock::BIT != 0 && cycle_flag(&registers) {
            up |= Clock::BIT;
        }
        up
    }

    fn clear_flags(&self, counters: u32) {
        let registers = Registers::shared(&self.bus);
        for counter in 0..COUNTERS {
            if counters >> counter & 1 == 1 {
                clear_flag(&registers.counters_at(counter));
            }
        }
        if counters & Clock::BIT != 0 {
            clear_cycle_flag(&registers);
        }
    }

    /// Clears the overflow flags of all counters, used or not.
    pub(crate) fn acknowledge_all(&mut self) {
        self.clear_flags(u32::MAX);
        self.wait_for_writes();
    }

    /// Writes an event counter in use and clears its flag while the other counters count.
    ///
    /// Returns the counters that missed events, that rejected the value, or whose settings had been
    /// changed.
    fn rearm_event(
        &self,
        selection: Option<R::Selection>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let Some(selection) = selection else { return 0 };
        let registers = Registers::shared(&self.bus);
        let block = registers.counters_at(counter);
        // Whether other software changed the counter is checked before the write, because `latch`
        // could not detect it afterwards.
        let as_programmed = counts::<R, B>(&block, selection);
        block.count_control().write(|w| w.enable().clear_bit());
        let write = || {
            block.event_count().write(|w| w.count().set(from));
            clear_flag(&block);
            (value(&block) == from) & !flag(&block)
        };
        let disturbed = self.write_or_pause(1 << counter, in_use, as_programmed, write);
        block.count_control().write(|w| w.enable().set_bit());
        disturbed | if counts::<R, B>(&block, selection) { 0 } else { 1 << counter }
    }

    /// Writes the cycle counter and clears its flag while the other counters count.
    ///
    /// Returns the same kind of result as [`rearm_event`](Self::rearm_event).
    fn rearm_cycles(&self, in_use: u32, from: u32) -> u32 {
        let registers = Registers::shared(&self.bus);
        let as_programmed = registers.cycle_count_control().read().enable().bit();
        registers.cycle_count_control().write(|w| w.enable().clear_bit());
        let write = || {
            registers.cycle_count().write(|w| w.count().set(from));
            clear_cycle_flag(&registers);
            (cycles(&registers) == from) & !cycle_flag(&registers)
        };
        let disturbed = self.write_or_pause(Clock::BIT, in_use, as_programmed, write);
        registers.cycle_count_control().write(|w| w.enable().set_bit());
        let is_enabled = registers.cycle_count_control().read().enable().bit();
        disturbed | if is_enabled { 0 } else { Clock::BIT }
    }

    /// Writes a disabled counter, and returns the disturbed counters.
    ///
    /// If the counter does not accept the value, it is written once more while CEN is 0, as in
    /// Linux. The other counters miss events during this time.
    fn write_or_pause(
        &self,
        bit: u32,
        in_use: u32,
        as_programmed: bool,
        write: impl Fn() -> bool,
    ) -> u32 {
        let mut disturbed = if as_programmed { 0 } else { bit };
        if !write() {
            disturbed |= in_use & !bit;
            if !self.while_disabled(write) {
                disturbed |= bit;
            }
        }
        disturbed
    }

    /// Calls `what` while CEN is 0. All counters miss events during this time.
    #[cold]
    fn while_disabled<T>(&self, what: impl FnOnce() -> T) -> T {
        let pmcr = Registers::shared(&self.bus).pmcr();
        let before = pmcr.read();
        pmcr.modify_from(before, |w| w.cen().clear_bit());
        let output = what();
        pmcr.modify_from(before, |w| w.cen().bit(before.cen().bit()));
        output
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
pub(crate) fn has_all_counters(pmcr: pmcr::R) -> bool {
    usize::from(pmcr.pmu_cnt_num().bits()) == COUNTERS
}

/// Returns whether the counter is enabled and counts this selection.
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
