//! The performance monitor of a core with PMUv3 that no document here describes.
//!
//! It has the maximum that the architecture allows: 31 event counters and all common events of PMUv3p1. A test can
//! set fewer. Sources: see `map.rs` of PMUv3.

use std::cell::RefCell;

use crate::pmuv3::map::{self, Identity, PMCEID0, PMCEID1, Version};
use crate::pmuv3::{Core, State, pmuv3_methods};
use crate::port::Port;
use crate::sysreg::{SysregRegister, SystemRegisters};

/// The simulated performance monitor of a core with PMUv3p1 in AArch64, of no product.
///
/// It has 31 event counters, and all common events: [`set_number_of_counters`](Self::set_number_of_counters) and
/// [`set_common_events`](Self::set_common_events) make it a core with fewer, and
/// [`set_long_counters`](Self::set_long_counters) one with PMUv3p5. MDCR_EL2 and MDCR_EL3 have the bits of PMUv3p7.
#[derive(Debug)]
pub struct ArmPmuv3 {
    port: RefCell<Port<State, SystemRegisters>>,
}

impl ArmPmuv3 {
    /// All registers of the performance monitor that are accessed without a selector.
    ///
    /// Here, an access to any other register is a trap.
    pub const REGISTERS: &'static [SysregRegister] = &registers(Version::V3p1);
    /// The numbers of all events, in ascending order: the common ones, and one of the core alone.
    pub const EVENTS: &'static [u16] = &events();
    /// The number of the event of this core alone.
    pub const OWN_EVENT: u16 = 0xC0;
    /// ID_AA64DFR0_EL1, which is not on the buses. PMUVer is 4: PMUv3p1.
    pub const ID_AA64DFR0: u64 = 0x1030_5408;

    /// Sets whether the core has PMUv3p5: PMCR_EL0.LP, and event counters of 64 bits. By default, it does not.
    ///
    /// With LP = 0, a counter overflows at 2^32, and the carry reaches bit 32. MDCR_EL2 and MDCR_EL3 have the bits of
    /// PMUv3p5 then, and ID_AA64DFR0_EL1.PMUVer would be 6.
    pub fn set_long_counters(&self, long: bool) {
        self.state(|state| state.set_core(if long { &LONG } else { &CORE }));
    }

    /// Sets PMCEID0_EL0 and PMCEID1_EL0, which tell the common events that the core has.
    ///
    /// It has no effect on the events that can be signalled.
    pub fn set_common_events(&self, pmceid: [u64; 2]) {
        self.poke(PMCEID0, pmceid[0]);
        self.poke(PMCEID1, pmceid[1]);
    }
}

const fn events() -> [u16; 129] {
    let mut all = [0; 129];
    let mut n = 0;
    while n < 64 {
        all[n] = n as u16;
        all[65 + n] = 0x4000 + n as u16;
        n += 1;
    }
    all[64] = ArmPmuv3::OWN_EVENT;
    all
}

pmuv3_methods!(ArmPmuv3, "arm-pmuv3");

const COUNTERS: usize = 31;

const fn registers(version: Version) -> [SysregRegister; 15] {
    map::registers(&Identity { counters: COUNTERS, idcode: 0, pmceid: [u64::MAX; 2], version })
}

const CORE: Core = Core {
    registers: ArmPmuv3::REGISTERS,
    controls: &map::controls(COUNTERS, Version::V3p7),
    events: ArmPmuv3::EVENTS,
    counters: COUNTERS,
};

/// Same, with PMUv3p5.
const LONG: Core = Core {
    registers: &registers(Version::V3p5),
    controls: &map::controls(COUNTERS, Version::V3p5),
    ..CORE
};
