//! The performance monitor of the Cortex-A7.
//!
//! Source of the events: Arm's machine-readable events (ARM-software/data), which cite the manual (DDI 0464).

use std::cell::RefCell;

use crate::armv7::{Core, State, armv7_methods, map};
use crate::cp15::{Coprocessor, Cp15Register};
use crate::port::Port;

/// The simulated performance monitor of a Cortex-A7 core: as that of a [`CortexA8`](crate::CortexA8), with other events,
/// and with version 2 of the PMU.
///
/// So it has PMOVSSET, and a filter: a counter counts only in the [modes](Self::set_mode) that bits 31 to 27 of its
/// PMXEVTYPER let through. With 31 in PMSELR, PMXEVTYPER is the filter of the cycle counter, and ignores the event number.
/// Bits of event counters that do not exist read as zero and ignore writes.
///
#[doc = include_str!("armv7/device.md")]
#[derive(Debug)]
pub struct CortexA7 {
    port: RefCell<Port<State, Coprocessor>>,
}

impl CortexA7 {
    /// All CP15 registers of the performance monitor.
    ///
    /// Here, an access to any other register is an Undefined Instruction exception.
    pub const REGISTERS: &'static [Cp15Register] = &map::registers_of_version_2(COUNTERS, 0x07);
    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u8] = &[
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E,
        0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1D, 0x60, 0x61, 0x86,
        0x87, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC7, 0xC8, 0xC9, 0xCA,
    ];
    /// The Main ID Register of an r0p5 core, which is not behind the buses.
    pub const MIDR: u32 = 0x410F_C075;
}

armv7_methods!(CortexA7, "cortex-a7");

const COUNTERS: usize = 4;

const CORE: Core =
    Core { registers: CortexA7::REGISTERS, events: CortexA7::EVENTS, counters: COUNTERS, seed: 8 };

impl CortexA7 {
    /// Sets the mode that the core is in. A new core is in a privileged mode in Non-secure state.
    ///
    /// It has no effect on register accesses.
    pub fn set_mode(&self, mode: crate::ExecutionMode) {
        self.state(|state| state.mode = mode);
    }

    /// Returns PMXEVTYPER of an event counter, with its filter, without an access.
    ///
    /// # Panics
    ///
    /// If there is no such counter.
    #[must_use]
    #[track_caller]
    pub fn peek_type(&self, counter: usize) -> u32 {
        crate::armv7::check(COUNTERS, counter);
        self.port.borrow().device.registers.get((map::PMXEVTYPER, counter))
    }

    /// Returns PMXEVTYPER of the cycle counter, without an access.
    #[must_use]
    pub fn peek_type_of_cycles(&self) -> u32 {
        self.port.borrow().device.filter_of_cycles
    }

    /// Another owner writes PMXEVTYPER of the cycle counter. It takes effect at once and is not in the journal.
    pub fn other_owner_filters_cycles(&self, of_type: u32) {
        self.state(|state| state.filter_of_cycles = of_type & map::FILTER);
    }

    /// Another owner writes PMXEVTYPER of an event counter. It takes effect at once and is not in the journal.
    ///
    /// # Panics
    ///
    /// If there is no such counter.
    #[track_caller]
    pub fn other_owner_filters(&self, counter: usize, of_type: u32) {
        crate::armv7::check(COUNTERS, counter);
        self.state(|state| state.registers.poke((map::PMXEVTYPER, counter), of_type));
    }
}
