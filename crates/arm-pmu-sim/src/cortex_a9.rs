//! The performance monitor of the Cortex-A9.
//!
//! Sources of the events: the Cortex-A9 manual (DDI 0388I), tables 11-5 and 11-6, and Arm's machine-readable events
//! (ARM-software/data). Footnotes of table 11-5: there is no 0x08 and no 0x0E.

use std::cell::RefCell;

use crate::armv7::{Core, State, armv7_methods, map};
use crate::cp15::{Coprocessor, Cp15Register};
use crate::port::Port;

/// The simulated performance monitor of a Cortex-A9 core: as that of a [`CortexA8`](crate::CortexA8), with other
/// events and six counters. Bits of event counters that do not exist read as zero and ignore writes.
///
#[doc = include_str!("armv7/device.md")]
#[derive(Debug)]
pub struct CortexA9 {
    port: RefCell<Port<State, Coprocessor>>,
}

impl CortexA9 {
    /// All CP15 registers of the performance monitor.
    ///
    /// Here, an access to any other register is an Undefined Instruction exception.
    pub const REGISTERS: &'static [Cp15Register] =
        &map::registers(COUNTERS, 0x09, map::Missing::Zero);
    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u8] = &[
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0F, 0x10,
        0x11, 0x12, 0x40, 0x41, 0x42, 0x50, 0x51, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67,
        0x68, 0x69, 0x6A, 0x6B, 0x6E, 0x70, 0x71, 0x72, 0x73, 0x74, 0x80, 0x81, 0x82, 0x83, 0x84,
        0x85, 0x86, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x90, 0x91, 0x92, 0x93, 0xA0, 0xA1, 0xA2, 0xA3,
        0xA4, 0xA5,
    ];
    /// The Main ID Register of an r3 core, which is not behind the buses.
    pub const MIDR: u32 = 0x413F_C090;
}

armv7_methods!(CortexA9, "cortex-a9");

const COUNTERS: usize = 6;

const CORE: Core =
    Core { registers: CortexA9::REGISTERS, events: CortexA9::EVENTS, counters: COUNTERS, seed: 8 };
