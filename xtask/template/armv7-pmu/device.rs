//! The performance monitor of the SKELETON IP.
//!
//! Type the numbers from the manual, not from the spec: tests compare the two. `armv7` has the common code of all
//! cores with this PMU.

use std::cell::RefCell;

use crate::armv7::{Core, State, armv7_methods, map};
use crate::cp15::{Coprocessor, Cp15Register};
use crate::port::Port;

/// The simulated performance monitor of a SKELETON IP core.
///
#[doc = include_str!("armv7/device.md")]
#[derive(Debug)]
pub struct SkeletonIp {
    port: RefCell<Port<State, Coprocessor>>,
}

impl SkeletonIp {
    /// All CP15 registers of the performance monitor.
    ///
    /// Here, an access to any other register is an Undefined Instruction exception.
    pub const REGISTERS: &'static [Cp15Register] =
        &map::registers(COUNTERS, 0xFF, map::Missing::Zero);
    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u8] = &[0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x11];
    /// The Main ID Register of a core, which is not behind the buses.
    pub const MIDR: u32 = 0x410F_FED0;
}

armv7_methods!(SkeletonIp, "skeleton-ip");

const COUNTERS: usize = 4;

const CORE: Core =
    Core { registers: SkeletonIp::REGISTERS, events: SkeletonIp::EVENTS, counters: COUNTERS, seed: 8 };
