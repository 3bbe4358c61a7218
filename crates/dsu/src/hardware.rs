//! Procedures of the driver: its register accesses, their order, and the reasons.

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, Clock, CounterConfig, FIRST_ROUND, Latched, Programmed, Settings, Stopped,
    first_round, with_wraps,
};

use crate::Selection;
use crate::events::COUNTERS;
use crate::registers::{Registers, Space, clusterpmcr_el1};

/// Number of register accesses between the first and the last value in a read of all counters.
///
/// A read of an event counter takes five accesses: selection, flags, value, flags, selection. For the cycle counter,
/// the upper half is read before the value.
pub(crate) const SKEW: u32 = 5 * COUNTERS as u32 + 2 - 3;

/// One bit for each event counter and the cycle counter, at its position in the registers.
pub(crate) const ALL_COUNTERS: u32 = ((1 << COUNTERS) - 1) | Clock::BIT;

/// The PMU on a bus.
pub(crate) struct Hardware<B> {
    pub(crate) bus: B,
    /// Counters that assert the interrupt after the next start.
    pub(crate) interrupting: u32,
    /// Whether the last start found 32-bit event counters, which ignore the upper half of a written value.
    is_short: bool,
    /// The upper half of the cycle counter when its last overflow was acknowledged.
    wraps: u32,
}

impl<B> Hardware<B> {
    pub(crate) const fn new(bus: B) -> Self {
        Self { bus, interrupting: 0, is_short: false, wraps: FIRST_ROUND }
    }
}

impl<B: Bus<Space = Space>> driver::Hardware<COUNTERS> for Hardware<B> {
    type Selection = Selection;
    type Cycles = Clock;
    type Value = u64;
    type Control = clusterpmcr_el1::R;

    /// Everything is unknown after a reset, so all counters are disabled and all flags cleared, used or not.
    fn program(
        &mut self,
        settings: &Settings<Selection, COUNTERS, Clock>,
    ) -> Programmed<clusterpmcr_el1::R> {
        let registers = Registers::shared(&self.bus);
        let clock = &settings.cycles;
        let before = self.control();
        registers.clusterpmcr_el1().modify_from(before, |w| w.e().clear_bit().fzo().clear_bit());
        self.disable_counters(ALL_COUNTERS);
        let (mut in_use, mut rejected) = (0, 0);
        for (counter, config) in settings.counters.iter().enumerate() {
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                in_use |= 1 << counter;
                driver::Hardware::select(self, counter);
                registers.clusterpmxevtyper_el1().write(|w| w.evt_count().set(selection.into()));
                registers.clusterpmxevcntr_el1().write(|w| w.count().set(first_round(from)));
            }
        }
        // Read back after all writes, because a write may have changed another counter if other software moved the
        // selector.
        let held = || registers.clusterpmxevcntr_el1().read().count().bits();
        let (mut long, mut short) = (0, 0);
        for (counter, config) in settings.counters.iter().enumerate() {
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                driver::Hardware::select(self, counter);
                let is_same = self.counts(selection);
                let value = held();
                // Registers that read as zeros look like a 32-bit counter that starts at 0, so the driver reads them
                // once more.
                let is_low = |value: u64| value == u64::from(from);
                let is_short = is_low(value) && self.counts(selection) && is_low(held());
                if is_same & self.is_undisturbed(counter) {
                    long |= u32::from(value == first_round(from)) << counter;
                    short |= u32::from(is_short) << counter;
                }
            }
        }
        self.is_short = long == 0 && short != 0;
        rejected |= in_use & !if self.is_short { short } else { long };
        if clock.on {
            in_use |= Clock::BIT;
            self.write_cycles(clock.from);
            if self.cycles() != first_round(clock.from) {
                rejected |= Clock::BIT;
            }
        }
        self.wraps = FIRST_ROUND;
        self.write_flags(ALL_COUNTERS);
        self.write_interrupts(self.interrupting & in_use);
        self.enable_counters(in_use);
        registers.clusterpmcntenset_el1().synchronize();
        let control = clusterpmcr_el1::W::encode(|w| w.fzo().clear_bit());
        Programmed { in_use, rejected, control: clusterpmcr_el1::R::from_bits(control) }
    }

    fn control(&self) -> clusterpmcr_el1::R {
        Registers::shared(&self.bus).clusterpmcr_el1().read()
    }

    /// The first barrier lets the write take effect. The second barrier keeps the measured code from starting before
    /// the read.
    fn enable(&mut self, control: clusterpmcr_el1::R) -> bool {
        let register = Registers::shared(&self.bus).clusterpmcr_el1();
        register.modify_from(control, |w| w.e().set_bit());
        register.synchronize();
        let is_enabled = self.is_enabled();
        register.synchronize();
        is_enabled
    }

    /// All ones is not a valid value of CLUSTERPMCR_EL1.
    fn is_enabled(&self) -> bool {
        let control = self.control();
        control.e().bit() & (control.bits() as u32 != u32::MAX)
    }

    fn disable(&mut self) -> clusterpmcr_el1::R {
        let register = Registers::shared(&self.bus).clusterpmcr_el1();
        register.synchronize();
        let before = register.read();
        register.modify_from(before, |w| w.e().clear_bit());
        register.synchronize();
        before
    }

    fn enables(control: clusterpmcr_el1::R) -> bool {
        control.e().bit()
    }

    /// Reads CLUSTERPMCNTENSET_EL1 and CLUSTERPMCR_EL1 last. At this point, bits are set in CLUSTERPMCNTENSET_EL1, but
    /// E is 0 in CLUSTERPMCR_EL1. A device that started to read as zeros or ones fails one of these checks.
    fn latch(
        &mut self,
        settings: &Settings<Selection, COUNTERS, Clock>,
        in_use: u32,
        before: clusterpmcr_el1::R,
        latched: &mut Latched<COUNTERS, Clock, u64>,
    ) -> Stopped {
        let mut changed = 0;
        for (counter, config) in settings.counters.iter().enumerate() {
            if let Some(selection) = config.selection {
                driver::Hardware::select(self, counter);
                latched.values[counter] = self.value(counter);
                if !self.counts(selection) | !self.is_undisturbed(counter) {
                    changed |= 1 << counter;
                }
            }
        }
        if in_use & Clock::BIT != 0 {
            latched.cycles = self.cycle_value();
        }
        // With FZO set, an overflow may have frozen the event counters.
        if before.fzo().bit() {
            changed |= in_use & !Clock::BIT;
        }
        let (overflowed, stuck) = self.take_flags(in_use);
        changed |= stuck | in_use & !self.enabled_counters();
        Stopped { overflowed, changed, is_stopped: !self.control().e().bit() }
    }

    /// A flag that cannot be cleared would look like a new overflow at every call, so its counter is disturbed.
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        let (overflowed, disturbed) = self.take_flags(in_use);
        Acknowledged { overflowed, disturbed, is_enabled: self.is_enabled() }
    }

    /// Waits until the selection has taken effect, because otherwise the next access may still reach another counter.
    fn select(&self, counter: usize) {
        let selector = Registers::shared(&self.bus).clusterpmselr_el1();
        selector.write(|w| w.sel().set(counter as u8));
        selector.synchronize();
    }

    fn flags(&self, _: usize) -> u32 {
        self.all_flags()
    }

    fn value(&self, _: usize) -> u64 {
        let value = Registers::shared(&self.bus).clusterpmxevcntr_el1().read().count().bits();
        if self.is_short { value } else { with_wraps(value) }
    }

    fn counts_wraps(&self) -> bool {
        !self.is_short
    }

    fn is_undisturbed(&self, counter: usize) -> bool {
        let selected = Registers::shared(&self.bus).clusterpmselr_el1().read().sel().bits();
        usize::from(selected) == counter
    }

    fn cycle_flags(&self) -> u32 {
        let has_wrapped = (self.cycles() >> 32) as u32 != self.wraps;
        u32::from(has_wrapped) << Clock::NUMBER
    }

    fn cycle_value(&self) -> u64 {
        with_wraps(self.cycles())
    }

    /// Disables the counter during the write, so that the value can be read back unchanged. A flag that was
    /// set before the write belongs to earlier events, so it is cleared.
    ///
    /// Reads everything back. The enable is written last, so it shows whether all writes arrived.
    fn rearm(
        &mut self,
        _: &Settings<Selection, COUNTERS, Clock>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let registers = Registers::shared(&self.bus);
        let bit = if counter == COUNTERS { Clock::BIT } else { 1 << counter };
        // Whether other software had disabled the counter is checked before the write, because `latch` could not detect
        // it afterwards.
        let mut disturbed = bit & !self.enabled_counters();
        self.disable_counters(bit);
        let held = if counter == COUNTERS {
            self.write_cycles(from);
            self.wraps = FIRST_ROUND;
            self.clear_flags(bit);
            self.cycle_value()
        } else {
            driver::Hardware::select(self, counter);
            registers.clusterpmxevcntr_el1().write(|w| w.count().set(first_round(from)));
            self.clear_flags(bit);
            let held = self.value(counter);
            // If the selector was moved, the write changed another, unknown counter.
            if !self.is_undisturbed(counter) {
                disturbed |= in_use & !Clock::BIT;
            }
            held
        };
        disturbed |= bit & self.all_flags();
        if held != u64::from(from) {
            disturbed |= bit;
        }
        self.enable_counters(bit);
        disturbed |= bit & !self.enabled_counters();
        let is_enabled = self.is_enabled();
        registers.clusterpmcr_el1().synchronize();
        disturbed | if is_enabled { 0 } else { in_use }
    }

    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<B: Bus<Space = Space>> Hardware<B> {
    /// Whether the counter that the selector points to is programmed to count `selection`.
    fn counts(&self, selection: Selection) -> bool {
        let held = Registers::shared(&self.bus).clusterpmxevtyper_el1().read();
        held.evt_count().bits() == u16::from(selection)
    }

    pub(crate) fn cycles(&self) -> u64 {
        Registers::shared(&self.bus).clusterpmccntr_el1().read().count().bits()
    }

    fn write_cycles(&self, from: u32) {
        let register = Registers::shared(&self.bus).clusterpmccntr_el1();
        register.write(|w| w.count().set(first_round(from)));
    }

    /// Disables these counters, and waits until they are off.
    pub(crate) fn disable_counters(&self, counters: u32) {
        let register = Registers::shared(&self.bus).clusterpmcntenclr_el1();
        register.write(|w| {
            let w = w.p().set(events(counters));
            if counters & Clock::BIT != 0 { w.c().clear_bit_by_one() } else { w }
        });
        register.synchronize();
    }

    pub(crate) fn enable_counters(&self, counters: u32) {
        Registers::shared(&self.bus).clusterpmcntenset_el1().write(|w| {
            let w = w.p().set(events(counters));
            if counters & Clock::BIT != 0 { w.c().set_bit() } else { w }
        });
    }

    pub(crate) fn enabled_counters(&self) -> u32 {
        let on = Registers::shared(&self.bus).clusterpmcntenset_el1().read();
        u32::from(on.p().bits()) | u32::from(on.c().bit()) << Clock::NUMBER
    }

    /// Lets only these counters assert the interrupt.
    fn write_interrupts(&self, counters: u32) {
        let registers = Registers::shared(&self.bus);
        registers
            .clusterpmintenclr_el1()
            .write(|w| w.p().set(events(ALL_COUNTERS)).c().clear_bit_by_one());
        registers.clusterpmintenset_el1().write(|w| {
            let w = w.p().set(events(counters));
            if counters & Clock::BIT != 0 { w.c().set_bit() } else { w }
        });
    }

    /// Reads the overflow flags of these counters and clears the set flags.
    ///
    /// Returns the overflowed counters and the disturbed counters. A counter is disturbed if its flag cannot be
    /// cleared; the cycle counter is also disturbed if its flag does not match its wraps.
    fn take_flags(&mut self, counters: u32) -> (u32, u32) {
        let mut up = self.all_flags() & counters;
        let mut overflowed = up & !Clock::BIT;
        let mut disturbed = 0;
        if counters & Clock::BIT != 0 {
            // The cycle counter is read after its flag, so if the flag is set, the value shows the
            // wrap.
            let wraps = (self.cycles() >> 32) as u32;
            if wraps != self.wraps {
                overflowed |= Clock::BIT;
                // The cycle counter may have wrapped after the flags were read.
                up |= self.all_flags() & Clock::BIT;
            }
            // Only the first wrap overflows all 64 bits and sets the flag. If flag and wrap disagree, other software
            // wrote the counter or set the flag.
            let sets_flag = (wraps != self.wraps) & (self.wraps == FIRST_ROUND);
            if sets_flag != (up & Clock::BIT != 0) {
                disturbed |= Clock::BIT;
            }
            self.wraps = wraps;
        }
        if up != 0 {
            self.clear_flags(up);
            disturbed |= up & self.all_flags();
        }
        (overflowed, disturbed)
    }

    /// Clears overflow flags, which deasserts the interrupt, and waits until the write has taken effect.
    pub(crate) fn clear_flags(&self, counters: u32) {
        self.write_flags(counters);
        Registers::shared(&self.bus).clusterpmovsclr_el1().synchronize();
    }

    fn write_flags(&self, counters: u32) {
        Registers::shared(&self.bus).clusterpmovsclr_el1().write(|w| {
            let w = w.p().set(events(counters));
            if counters & Clock::BIT != 0 { w.c().clear_bit_by_one() } else { w }
        });
    }

    fn all_flags(&self) -> u32 {
        let flags = Registers::shared(&self.bus).clusterpmovsclr_el1().read();
        u32::from(flags.p().bits()) | u32::from(flags.c().bit()) << Clock::NUMBER
    }
}

/// Returns the event counters of a set.
const fn events(counters: u32) -> u8 {
    counters as u8 & ((1 << COUNTERS) - 1)
}
