//! One interface to the wrapping counters of all simulated devices.
//!
//! Counters are numbered. The cycle counter follows the event counters.

use arm_pmu::bus::{Operands, SystemRegister};
use arm_pmu_sim::Security::NonSecure;
use arm_pmu_sim::{Noise, Stream};

use crate::device::{self, Device, Place};

/// Bits in the control register: reset of event counters, reset of the cycle counter, divider by 64.
pub(crate) const RESET_EVENTS: u64 = 1 << 1;
pub(crate) const RESET_CYCLES: u64 = 1 << 2;
pub(crate) const BY_64: u64 = 1 << 3;
/// PMCR.FZO of PMUv3p7: an overflow flag stops the counters. Other devices have no such bit.
pub(crate) const FREEZES: u64 = 1 << 9;

/// Counters of a device. Methods for optional features have defaults.
pub(crate) trait Counters: Device {
    fn event_counters(&self) -> usize;
    fn has_cycle_counter(&self) -> bool {
        true
    }
    /// Two events that only `signal` causes.
    fn events(&self) -> [u16; 2];
    /// Event that counts every cycle.
    fn cycle_event(&self) -> Option<u16>;
    fn signal(&self, event: u16, times: u32);
    fn clock(&self, cycles: u64);
    /// Sets the number of cycles before each access; `false` if the device has no clock.
    fn pass_cycles_per_access(&self, cycles: u64) -> bool;

    /// Register with the common enable in bit 0.
    fn control(&self) -> Place;
    /// Contents of the control register for a write-back by software.
    fn control_value(&self) -> u64 {
        self.get(self.control())
    }
    fn has_resets(&self) -> bool {
        true
    }
    /// Sets whether a reset of the cycle counter also resets the divider; `false` without this option.
    fn let_reset_reach_divider(&self, _reaches: bool) -> bool {
        false
    }
    fn select(&self, counter: usize, event: u16);
    fn count(&self, counter: usize) -> u32;
    fn set_count(&self, counter: usize, value: u32);
    /// Enables or disables one counter; `false` if the counter has no separate enable.
    fn enable(&self, counter: usize, on: bool) -> bool;
    /// Overflow flags, one bit for each counter.
    fn flags(&self) -> u64;
    /// Register that clears flags, and the value that clears the given flags.
    fn clearing(&self, flags: u64) -> (Place, u64);
    /// Enables the overflow interrupts of only these counters. Returns whether the interrupt output is asserted.
    fn interrupt(&self, _enables: u64) -> Option<bool> {
        None
    }

    fn other_owner_disables_all(&self);
    fn other_owner_selects(&self, counter: usize, event: u16);
    fn other_owner_disables(&self, counter: usize);

    /// Number of counters, including the cycle counter.
    fn counters(&self) -> usize {
        self.event_counters() + usize::from(self.has_cycle_counter())
    }

    /// After `run`, a counter that counts cycles: the cycle counter, or an event counter.
    fn counts_cycles(&self) -> Option<usize> {
        if self.has_cycle_counter() {
            return Some(self.event_counters());
        }
        self.select(0, self.cycle_event()?);
        Some(0)
    }

    fn counts(&self) -> Vec<u32> {
        (0..self.counters()).map(|counter| self.count(counter)).collect()
    }

    /// Causes one event, or one cycle, for a counter after `run`.
    fn step(&self, counter: usize, times: u32) {
        match counter == self.event_counters() {
            true => self.clock(times.into()),
            false => self.signal(self.events()[counter % 2], times),
        }
    }

    /// Starts all counters from zero. Even counters count the first event, odd counters the second.
    fn run(&self) {
        self.power_up_with(Noise::Zeros);
        for counter in 0..self.counters() {
            if counter < self.event_counters() {
                self.select(counter, self.events()[counter % 2]);
            }
            self.enable(counter, true);
        }
        self.change_control(0, 1);
    }

    /// Changes the control register inside the device.
    fn change_control(&self, clear: u64, set: u64) {
        self.set(self.control(), self.get(self.control()) & !clear | set);
    }

    /// Changes the control register with a read-modify-write by software.
    fn write_control(&self, clear: u64, set: u64) {
        let bus = self.software();
        bus.write(self.control(), self.control_value() & !clear | set);
        bus.settle();
    }
}

/// Implements the methods for a kind of devices.
macro_rules! counters {
    (cci400) => {
        blocks!(4, cci400_block);
        clock!();
        divider!();
        other_owner!(cycles);
    };
    (cci5xx) => {
        blocks!(8, cci5xx_block);
        other_owner!();

        fn has_cycle_counter(&self) -> bool {
            false
        }

        fn clock(&self, _: u64) {}

        fn pass_cycles_per_access(&self, _: u64) -> bool {
            false
        }
    };
    (smmuv3_pmcg) => {
        clock!();
        other_owner!();

        fn event_counters(&self) -> usize {
            4
        }

        fn has_cycle_counter(&self) -> bool {
            false
        }

        fn events(&self) -> [u16; 2] {
            [0x2, 0x1]
        }

        fn cycle_event(&self) -> Option<u16> {
            Some(0)
        }

        /// Signals the event for the first StreamID that passes a filter of zeros.
        fn signal(&self, event: u16, times: u32) {
            self.0.signal_raw(event, Stream::non_secure(0), times);
        }

        fn control(&self) -> Place {
            Place::Offset(self.0.at(0, 0xE04))
        }

        fn has_resets(&self) -> bool {
            false
        }

        fn select(&self, counter: usize, event: u16) {
            self.0.poke(self.0.at(0, 0x400 + 4 * counter), event.into());
        }

        fn count(&self, counter: usize) -> u32 {
            self.0.peek(self.0.at(1, 4 * counter))
        }

        fn set_count(&self, counter: usize, value: u32) {
            self.0.poke(self.0.at(1, 4 * counter), value);
        }

        fn enable(&self, counter: usize, on: bool) -> bool {
            let enables = Place::Offset(self.0.at(0, 0xC00));
            self.set(enables, self.get(enables) & !(1 << counter) | u64::from(on) << counter);
            true
        }

        fn flags(&self) -> u64 {
            self.0.peek(self.0.at(1, 0xCC0)).into()
        }

        fn clearing(&self, flags: u64) -> (Place, u64) {
            (Place::Offset(self.0.at(1, 0xC80)), flags)
        }
    };
    (arm11) => {
        clock!();
        divider!();

        fn event_counters(&self) -> usize {
            2
        }

        fn events(&self) -> [u16; 2] {
            [0x07, 0x05]
        }

        fn cycle_event(&self) -> Option<u16> {
            Some(0xFF)
        }

        fn signal(&self, event: u16, times: u32) {
            self.0.signal_raw(event as u8, times);
        }

        fn control(&self) -> Place {
            Place::Cp15(p15(15, 12, 0))
        }

        /// Writing back a flag clears it.
        fn control_value(&self) -> u64 {
            self.get(self.control()) & !0x700
        }

        fn select(&self, counter: usize, event: u16) {
            let shift = 20 - 8 * counter;
            self.change_control(0xFF << shift, u64::from(event) << shift);
        }

        fn count(&self, counter: usize) -> u32 {
            self.0.peek(arm11_count(counter))
        }

        fn set_count(&self, counter: usize, value: u32) {
            self.0.poke(arm11_count(counter), value);
        }

        fn enable(&self, _: usize, _: bool) -> bool {
            false
        }

        fn flags(&self) -> u64 {
            self.get(self.control()) >> 8 & 0b111
        }

        fn clearing(&self, flags: u64) -> (Place, u64) {
            (self.control(), self.control_value() | flags << 8)
        }

        fn interrupt(&self, enables: u64) -> Option<bool> {
            self.change_control(0x70, enables << 4);
            Some(self.0.interrupt())
        }

        fn other_owner_disables_all(&self) {
            self.0.other_owner_disables_all();
        }

        fn other_owner_selects(&self, counter: usize, event: u16) {
            self.0.other_owner_selects(counter, event as _);
        }

        fn other_owner_disables(&self, _: usize) {}
    };
    (armv7_pmu) => {
        core!(
            Place::Cp15(PMCR),
            Place::Cp15(PMCNTENSET),
            Place::Cp15(PMOVSR),
            PMCCNTR,
            Place::Cp15(PMINTENSET)
        );
        divider!();

        fn select(&self, counter: usize, event: u16) {
            self.0.poke_event(counter, event as u8);
        }
    };
    (arm_pmuv3) => {
        core!(
            Place::System(PMCR_EL0),
            Place::System(PMCNTENSET_EL0),
            Place::System(PMOVSCLR_EL0),
            PMCCNTR_EL0,
            Place::System(PMINTENSET_EL1)
        );

        fn select(&self, counter: usize, event: u16) {
            self.0.poke(PMEVTYPER0_EL0.plus(counter), event.into());
        }
    };
}

/// Counters of a CCI, each with a block of registers.
macro_rules! blocks {
    ($counters:literal, $block:ident) => {
        fn event_counters(&self) -> usize {
            $counters
        }

        fn events(&self) -> [u16; 2] {
            [0x6A, 0x6B]
        }

        fn cycle_event(&self) -> Option<u16> {
            None
        }

        fn signal(&self, event: u16, times: u32) {
            self.0.signal_raw((event >> 5) as u8, (event & 0x1F) as u8, NonSecure, times);
        }

        fn control(&self) -> Place {
            Place::Offset(0x100)
        }

        fn select(&self, counter: usize, event: u16) {
            self.0.poke($block(counter), event.into());
        }

        fn count(&self, counter: usize) -> u32 {
            self.0.peek($block(counter) + 4)
        }

        fn set_count(&self, counter: usize, value: u32) {
            self.0.poke($block(counter) + 4, value);
        }

        fn enable(&self, counter: usize, on: bool) -> bool {
            self.0.poke($block(counter) + 8, on.into());
            true
        }

        fn flags(&self) -> u64 {
            let flag = |counter| u64::from(self.0.peek($block(counter) + 12)) << counter;
            let flags = (0..self.counters()).map(flag).sum();
            assert_eq!(u64::from(self.0.overflow_lines()), flags);
            flags
        }

        fn clearing(&self, flags: u64) -> (Place, u64) {
            (Place::Offset($block(flags.trailing_zeros() as usize) + 12), 1)
        }
    };
}

/// Block of registers of a CCI-400 counter; the fifth counter is the cycle counter.
pub(crate) const fn cci400_block(counter: usize) -> usize {
    if counter == 4 { 0x9000 } else { 0xA000 + 0x1000 * counter }
}

pub(crate) const fn cci5xx_block(counter: usize) -> usize {
    0x1_0000 * (counter + 1)
}

/// Counters of a core, whose cycle counter has bit 31.
macro_rules! core {
    ($control:expr, $enables:expr, $flags:expr, $cycles:expr, $interrupts:expr) => {
        clock!();
        other_owner!(cycles);

        fn event_counters(&self) -> usize {
            (self.get($control) >> 11 & 0x1F) as usize
        }

        fn events(&self) -> [u16; 2] {
            [0x03, 0x04]
        }

        fn cycle_event(&self) -> Option<u16> {
            Some(0x11)
        }

        fn signal(&self, event: u16, times: u32) {
            self.0.signal_raw(event as _, times);
        }

        fn control(&self) -> Place {
            $control
        }

        fn count(&self, counter: usize) -> u32 {
            match counter == self.event_counters() {
                true => self.0.peek($cycles) as u32,
                false => self.0.peek_counter(counter),
            }
        }

        fn set_count(&self, counter: usize, value: u32) {
            match counter == self.event_counters() {
                true => self.0.poke($cycles, value.into()),
                false => self.0.poke_counter(counter, value),
            }
        }

        fn enable(&self, counter: usize, on: bool) -> bool {
            let bit = split(1 << counter, self.event_counters());
            self.set($enables, self.get($enables) & !bit | if on { bit } else { 0 });
            true
        }

        fn flags(&self) -> u64 {
            joined(self.get($flags), self.event_counters())
        }

        fn clearing(&self, flags: u64) -> (Place, u64) {
            ($flags, split(flags, self.event_counters()))
        }

        fn interrupt(&self, enables: u64) -> Option<bool> {
            self.set($interrupts, split(enables, self.event_counters()));
            Some(self.0.interrupt())
        }
    };
}

/// Moves the bit of the cycle counter next to the bits of the event counters.
fn joined(flags: u64, event_counters: usize) -> u64 {
    flags & ((1 << event_counters) - 1) | flags >> 31 << event_counters
}

/// Moves the bit of the cycle counter back to bit 31.
fn split(flags: u64, event_counters: usize) -> u64 {
    flags & ((1 << event_counters) - 1) | flags >> event_counters << 31
}

macro_rules! clock {
    () => {
        fn clock(&self, cycles: u64) {
            self.0.clock(cycles);
        }

        fn pass_cycles_per_access(&self, cycles: u64) -> bool {
            self.0.set_cycles_per_access(cycles);
            true
        }
    };
}

macro_rules! divider {
    () => {
        fn let_reset_reach_divider(&self, reaches: bool) -> bool {
            self.0.set_reset_reaches_divider(reaches);
            true
        }
    };
}

/// Simulates another owner, who also uses the cycle counter if there is one.
macro_rules! other_owner {
    ($($cycles:ident)?) => {
        fn other_owner_disables_all(&self) {
            self.0.other_owner_disables_all();
        }

        fn other_owner_selects(&self, counter: usize, event: u16) {
            self.0.other_owner_selects(counter, event as _);
        }

        fn other_owner_disables(&self, counter: usize) {
            $(
                let $cycles = self.event_counters();
                if counter == $cycles {
                    return self.0.other_owner_disables_cycles();
                }
            )?
            self.0.other_owner_disables(counter);
        }
    };
}

const fn p15(crn: u8, crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn, crm, opc2 }
}

const PMCR: Operands = p15(9, 12, 0);
const PMCNTENSET: Operands = p15(9, 12, 1);
const PMOVSR: Operands = p15(9, 12, 3);
const PMCCNTR: Operands = p15(9, 13, 0);
const PMINTENSET: Operands = p15(9, 14, 1);

/// Operands of PMN0, PMN1 and CCNT.
const fn arm11_count(counter: usize) -> Operands {
    p15(15, 12, [2, 3, 1][counter])
}

const fn el0(crn: u8, crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1: 3, crn, crm, op2 }
}

const PMCR_EL0: SystemRegister = el0(9, 12, 0);
const PMCNTENSET_EL0: SystemRegister = el0(9, 12, 1);
const PMOVSCLR_EL0: SystemRegister = el0(9, 12, 3);
const PMCCNTR_EL0: SystemRegister = el0(9, 13, 0);
const PMINTENSET_EL1: SystemRegister = SystemRegister { op1: 0, ..el0(9, 14, 1) };
const PMEVTYPER0_EL0: SystemRegister = el0(14, 12, 0);

macro_rules! all {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, $($rest:tt)*
    })*) => {
        $( one!($kind $pmu); )*

        /// Runs a test on every device with wrapping counters. Passes the name of the PMU.
        pub(crate) fn each(test: impl Fn(&dyn Counters, &str)) {
            $( run!($kind $pmu test $name); )*
        }
    };
}

// The L2C-310 is skipped, because its counters saturate, and the DSU, because its cycle counter has 64 bits alone.
macro_rules! one {
    (l2c_310 $pmu:ident) => {};
    (dsu $pmu:ident) => {};
    ($kind:ident $pmu:ident) => {
        impl Counters for device::$pmu::Simulated {
            counters!($kind);
        }
    };
}

macro_rules! run {
    (l2c_310 $pmu:ident $test:ident $name:literal) => {};
    (dsu $pmu:ident $test:ident $name:literal) => {};
    ($kind:ident $pmu:ident $test:ident $name:literal) => {
        $test(&device::$pmu::Simulated::new(), $name);
    };
}

arm_pmu::for_each_pmu!(all);
