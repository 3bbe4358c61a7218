//! The performance monitor of the SKELETON IP.
//!
//! Type the numbers from the manual, not from the spec: tests compare the two. `pmuv3` has the common code of all
//! cores with this PMU.

use std::cell::RefCell;

use crate::pmuv3::map::{self, Identity, Version};
use crate::pmuv3::{Core, State, pmuv3_methods};
use crate::port::Port;
use crate::sysreg::{SysregRegister, SystemRegisters};

/// The simulated performance monitor of a SKELETON IP core: PMUv3 in AArch64.
#[derive(Debug)]
pub struct SkeletonIp {
    port: RefCell<Port<State, SystemRegisters>>,
}

impl SkeletonIp {
    /// All registers of the performance monitor that are accessed without a selector.
    ///
    /// Here, an access to any other register is a trap.
    pub const REGISTERS: &'static [SysregRegister] = &map::registers(&Identity {
        counters: COUNTERS,
        idcode: 0xFF,
        pmceid: [0x0002_011F, 0],
        version: Version::V3,
    });
    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u16] = &[0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x11];
    /// MIDR_EL1 of a core, which is not behind the buses.
    pub const MIDR: u32 = 0x410F_FED0;
}

pmuv3_methods!(SkeletonIp, "skeleton-ip");

const COUNTERS: usize = 6;

const CORE: Core = Core {
    registers: SkeletonIp::REGISTERS,
    controls: &map::controls(COUNTERS, Version::V3),
    events: SkeletonIp::EVENTS,
    counters: COUNTERS,
    seed: 8,
};
