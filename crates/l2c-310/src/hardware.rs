//! Procedures of the driver: its register accesses, their order, and why.

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, CounterConfig, Latched, Programmed, Settings, Stopped,
};

use crate::Selection;
use crate::events::COUNTERS;
use crate::registers::{Registers, Space, reg2_ev_counter_ctrl};

/// Number of register accesses between the first and the last value in a read of all counters.
pub(crate) const SKEW: u32 = COUNTERS as u32 - 1;

/// INTERRUPT of a configuration register: an overflow asserts the interrupt.
const AT_OVERFLOW: u8 = 2;

/// The PMU on a bus.
pub(crate) struct Hardware<B> {
    pub(crate) bus: B,
    /// Counters whose overflow asserts the interrupt after the next start.
    pub(crate) interrupting: u32,
    /// Counters whose overflow asserts the interrupt, as last programmed.
    programmed_interrupting: u32,
}

impl<B> Hardware<B> {
    pub(crate) const fn new(bus: B) -> Self {
        Self { bus, interrupting: 0, programmed_interrupting: 0 }
    }
}

impl<B: Bus<Space = Space>> driver::Hardware<COUNTERS> for Hardware<B> {
    type Selection = Selection;
    type Cycles = ();
    type Value = u32;
    const SATURATES: bool = true;
    type Control = reg2_ev_counter_ctrl::R;

    /// Writes each value while the source of its counter is 0, as the manual requires, and reads it back.
    fn program(
        &mut self,
        settings: &Settings<Selection, COUNTERS, ()>,
    ) -> Programmed<reg2_ev_counter_ctrl::R> {
        let control = self.control();
        self.write_enable(control, false);
        self.programmed_interrupting = self.interrupting;
        let (mut in_use, mut rejected) = (0, 0);
        for (counter, config) in settings.counters.iter().enumerate() {
            self.write_setting(counter, None);
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                in_use |= 1 << counter;
                self.write_value(counter, from);
                self.write_setting(counter, Some(selection));
                if self.held_value(counter) != from || !self.counts(counter, selection) {
                    rejected |= 1 << counter;
                }
            }
        }
        self.clear_interrupt();
        Programmed { in_use, rejected, control }
    }

    fn control(&self) -> reg2_ev_counter_ctrl::R {
        Registers::shared(&self.bus).reg2_ev_counter_ctrl().read()
    }

    fn enable(&mut self, control: reg2_ev_counter_ctrl::R) -> bool {
        self.write_enable(control, true);
        let is_enabled = self.is_enabled();
        self.bus.synchronize();
        is_enabled
    }

    /// All ones is not a valid value of the control register.
    fn is_enabled(&self) -> bool {
        let control = self.control();
        control.enable().bit() && control.bits() != u32::MAX
    }

    fn disable(&mut self) -> reg2_ev_counter_ctrl::R {
        self.bus.synchronize();
        let before = self.control();
        self.write_enable(before, false);
        self.bus.synchronize();
        before
    }

    fn enables(control: reg2_ev_counter_ctrl::R) -> bool {
        control.enable().bit()
    }

    /// Reads the settings last, because they show whether the device still answers. Settings are never 0 or all ones,
    /// so if the settings read correctly, all earlier reads were correct too.
    fn latch(
        &mut self,
        settings: &Settings<Selection, COUNTERS, ()>,
        in_use: u32,
        _: reg2_ev_counter_ctrl::R,
        latched: &mut Latched<COUNTERS, ()>,
    ) -> Stopped {
        let (mut overflowed, mut changed) = (0, 0);
        for counter in 0..COUNTERS {
            if in_use >> counter & 1 == 1 {
                latched.values[counter] = self.held_value(counter);
                overflowed |= u32::from(latched.values[counter] == u32::MAX) << counter;
            }
        }
        if overflowed != 0 {
            self.clear_interrupt();
        }
        let is_stopped = !self.control().enable().bit();
        for (counter, config) in settings.counters.iter().enumerate() {
            if config.selection.is_some_and(|selection| !self.counts(counter, selection)) {
                changed |= 1 << counter;
            }
        }
        Stopped { overflowed, changed, is_stopped }
    }

    /// Clears the interrupt of both counters before reading the values. A counter that becomes full in between asserts
    /// the interrupt again, and a full counter stays full.
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        if Registers::shared(&self.bus).reg2_int_raw_status().read().ecntr().bit() {
            self.clear_interrupt();
        }
        let is_full = |counter: usize| u32::from(self.held_value(counter) == u32::MAX);
        let full = (0..COUNTERS).fold(0, |full, counter| full | is_full(counter) << counter);
        let is_enabled = self.is_enabled();
        self.bus.synchronize();
        Acknowledged { overflowed: full & in_use, disturbed: 0, is_enabled }
    }

    /// The device has no overflow flags.
    fn flags(&self, _: usize) -> u32 {
        0
    }

    fn value(&self, counter: usize) -> u32 {
        self.held_value(counter)
    }

    /// Turns the counter off during the write, because a value may be written only while its counter is off.
    fn rearm(
        &mut self,
        settings: &Settings<Selection, COUNTERS, ()>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let Some(selection) = settings.counters[counter].selection else { return 0 };
        // Whether other software changed the counter is checked before the write, because `latch`
        // could not detect it afterwards.
        let as_programmed = self.counts(counter, selection);
        self.write_setting(counter, None);
        self.write_value(counter, from);
        self.clear_interrupt();
        // Reads the setting last, because the counter may have counted if other software selected an event meanwhile.
        let is_taken = (self.held_value(counter) == from) & (self.word(counter) == 0);
        self.write_setting(counter, Some(selection));
        let is_restored = self.counts(counter, selection);
        let is_enabled = self.is_enabled();
        self.bus.synchronize();
        if !is_enabled {
            return in_use;
        }
        if as_programmed & is_taken & is_restored { 0 } else { 1 << counter }
    }

    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<B: Bus<Space = Space>> Hardware<B> {
    pub(crate) fn write_enable(&self, control: reg2_ev_counter_ctrl::R, on: bool) {
        let register = Registers::shared(&self.bus).reg2_ev_counter_ctrl();
        register.modify_from(control, |w| w.enable().bit(on));
    }

    /// Clears the interrupt of the counters. Error flags of the cache stay set.
    pub(crate) fn clear_interrupt(&self) {
        Registers::shared(&self.bus).reg2_int_clear().write(|w| w.ecntr().set_bit());
    }

    /// Returns the value of a counter, running or not.
    pub(crate) fn held_value(&self, counter: usize) -> u32 {
        let registers = Registers::shared(&self.bus);
        match counter {
            0 => registers.reg2_ev_counter0().read().bits(),
            _ => registers.reg2_ev_counter1().read().bits(),
        }
    }

    /// Writes the value of a counter that is off.
    pub(crate) fn write_value(&self, counter: usize, value: u32) {
        let registers = Registers::shared(&self.bus);
        match counter {
            0 => registers.reg2_ev_counter0().write(|w| w.count().set(value)),
            _ => registers.reg2_ev_counter1().write(|w| w.count().set(value)),
        }
    }

    /// Selects the event of a counter and whether it asserts the interrupt; without a selection, turns
    /// the counter off.
    pub(crate) fn write_setting(&self, counter: usize, selection: Option<Selection>) {
        let word = selection.map_or(0, |selection| self.setting(counter, selection));
        self.write_word(counter, word);
    }

    pub(crate) fn write_word(&self, counter: usize, word: u32) {
        let registers = Registers::shared(&self.bus);
        let (source, interrupt) = ((word >> 2) as u8 & 0xF, word as u8 & 0x3);
        match counter {
            0 => registers
                .reg2_ev_counter0_cfg()
                .write(|w| w.source().set(source).interrupt().set(interrupt)),
            _ => registers
                .reg2_ev_counter1_cfg()
                .write(|w| w.source().set(source).interrupt().set(interrupt)),
        }
    }

    /// Returns the configuration register of a counter.
    pub(crate) fn word(&self, counter: usize) -> u32 {
        let registers = Registers::shared(&self.bus);
        match counter {
            0 => registers.reg2_ev_counter0_cfg().read().bits(),
            _ => registers.reg2_ev_counter1_cfg().read().bits(),
        }
    }

    fn setting(&self, counter: usize, selection: Selection) -> u32 {
        let interrupts = self.programmed_interrupting >> counter & 1 == 1;
        u32::from(selection.id()) << 2 | if interrupts { u32::from(AT_OVERFLOW) } else { 0 }
    }

    /// Returns whether the counter is set to count this selection, with the programmed interrupt.
    fn counts(&self, counter: usize, selection: Selection) -> bool {
        self.word(counter) & 0x3F == self.setting(counter, selection)
    }
}
