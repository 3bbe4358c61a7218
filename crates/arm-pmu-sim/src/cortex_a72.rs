//! The performance monitor of the Cortex-A72.
//!
//! Sources: the first part of the table of events in the manual (100095), and Arm's machine-readable events
//! (ARM-software/data), which cite it.

use std::cell::RefCell;

use crate::pmuv3::map::{self, Identity, Version};
use crate::pmuv3::{Core, State, pmuv3_methods};
use crate::port::Port;
use crate::sysreg::{SysregRegister, SystemRegisters};

/// The simulated performance monitor of a Cortex-A72 core: PMUv3 in AArch64.
#[derive(Debug)]
pub struct CortexA72 {
    port: RefCell<Port<State, SystemRegisters>>,
}

impl CortexA72 {
    /// All registers of the performance monitor that are accessed without a selector.
    ///
    /// Here, an access to any other register is a trap.
    pub const REGISTERS: &'static [SysregRegister] = &map::registers(&Identity {
        counters: COUNTERS,
        idcode: 0x02,
        pmceid: [0x7FFF_0F3F, 0],
        version: Version::V3,
    });
    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u16] = &[
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x09, 0x0A, 0x0B, 0x10, 0x11, 0x12, 0x13, 0x14,
        0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x40, 0x41, 0x42, 0x43, 0x46,
        0x47, 0x48, 0x4C, 0x4D, 0x50, 0x51, 0x52, 0x53, 0x56, 0x57, 0x58, 0x60, 0x61, 0x62, 0x63,
        0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6C, 0x6D, 0x6E, 0x70, 0x71, 0x72, 0x73, 0x74,
        0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x7C, 0x7D, 0x7E, 0x81, 0x82, 0x83, 0x84, 0x86, 0x87,
        0x88, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x91,
    ];
    /// MIDR_EL1 of an r0p3 core, which is not behind the buses.
    pub const MIDR: u32 = 0x410F_D083;
}

pmuv3_methods!(CortexA72, "cortex-a72");

const COUNTERS: usize = 6;

const CORE: Core = Core {
    registers: CortexA72::REGISTERS,
    controls: &map::controls(COUNTERS, Version::V3),
    events: CortexA72::EVENTS,
    counters: COUNTERS,
    seed: 72,
};
