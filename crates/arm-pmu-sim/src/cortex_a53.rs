//! The performance monitor of the Cortex-A53.
//!
//! Sources: one page of the table of events in the manual (DDI 0500), and Arm's machine-readable events
//! (ARM-software/data), which cite it.

use std::cell::RefCell;

use crate::pmuv3::map::{self, Identity, Version};
use crate::pmuv3::{Core, State, pmuv3_methods};
use crate::port::Port;
use crate::sysreg::{SysregRegister, SystemRegisters};

/// The simulated performance monitor of a Cortex-A53 core: PMUv3 in AArch64 with six event counters.
///
/// A counter counts only at the [levels](Self::set_level) that its filter lets through. Any access to a counter at
/// PMCR_EL0.N or above is a [violation](Self::violations): its effect on a real core is unpredictable. An odd counter
/// whose event is CHAIN (0x1E) counts the overflows of the counter below. PMCCFILTR_EL0 ignores an event number.
#[derive(Debug)]
pub struct CortexA53 {
    port: RefCell<Port<State, SystemRegisters>>,
}

impl CortexA53 {
    /// All registers of the performance monitor that are accessed without a selector.
    ///
    /// Here, an access to any other register is a trap.
    pub const REGISTERS: &'static [SysregRegister] = &map::registers(&Identity {
        counters: COUNTERS,
        idcode: 0x03,
        pmceid: [0x67FF_BFFF, 0],
        version: Version::V3,
    });
    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u16] = &[
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E,
        0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1D, 0x1E, 0x60,
        0x61, 0x7A, 0x86, 0x87, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA,
        0xCB, 0xCC, 0xD0, 0xD1, 0xD2, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8,
    ];
    /// MIDR_EL1 of an r0p4 core, which is not behind the buses.
    pub const MIDR: u32 = 0x410F_D034;
}

pmuv3_methods!(CortexA53, "cortex-a53");

const COUNTERS: usize = 6;

const CORE: Core = Core {
    registers: CortexA53::REGISTERS,
    controls: &map::controls(COUNTERS, Version::V3),
    events: CortexA53::EVENTS,
    counters: COUNTERS,
    seed: 53,
};
