//! Performance monitor of a generic core with PMUv3, not of a known product.
//!
//! The device has the maximum of the architecture: 31 event counters and all common events of PMUv3p1. A test can
//! remove some of the counters and events. Sources: see `map.rs` of PMUv3.

use std::cell::RefCell;

use crate::pmuv3::map::{self, Identity, PMCEID0, PMCEID1, Version};
use crate::pmuv3::{Core, State, pmuv3_methods};
use crate::port::Port;
use crate::sysreg::SysregRegister;

/// A core with version `$version` of PMUv3 and the controls of version `$controls`.
macro_rules! core {
    ($version:ident, $controls:ident) => {{
        const VERSION: Version = Version::$version;
        const ALL: [SysregRegister; 16] =
            map::registers(&Identity::new(VERSION, COUNTERS, [u64::MAX; 2]));
        Core {
            registers: map::of_version(&ALL, VERSION),
            controls: &map::controls(COUNTERS, Version::$controls),
            events: ArmPmuv3::EVENTS,
            counters: COUNTERS,
        }
    }};
}

/// Simulated performance monitor of a generic core with PMUv3p1 in AArch64, not of a known product.
///
/// The core has 31 event counters and all common events. [`set_number_of_counters`](Self::set_number_of_counters) and
/// [`set_common_events`](Self::set_common_events) reduce them, and [`set_version`](Self::set_version) selects a later
/// version of the PMU. MDCR_EL2 and MDCR_EL3 have the bits of PMUv3p7.
#[derive(Debug)]
pub struct ArmPmuv3 {
    port: RefCell<Port<State, SysregRegister>>,
}

impl ArmPmuv3 {
    /// All registers of the performance monitor that are accessed without a selector.
    ///
    /// Here, an access to any other register is a trap.
    pub const REGISTERS: &'static [SysregRegister] = CORE.registers;
    /// All event numbers in ascending order: the common events, and one event that only this core has.
    pub const EVENTS: &'static [u16] =
        crate::selected::events!(u16: 0x00..=0x3F, 0xC0, 0x4000..=0x403F);
    /// Number of the event that only this core has.
    pub const OWN_EVENT: u16 = 0xC0;
    /// ID_AA64DFR0_EL1, which the buses do not reach. PMUVer is 4: PMUv3p1.
    pub const ID_AA64DFR0: u64 = 0x1030_5408;

    /// Sets the version of the PMU, by ID_AA64DFR0_EL1.PMUVer: 4 (the default), 5, 6 or 7.
    ///
    /// From version 5 on, the device has PMMIR_EL1; its field SLOTS is 0. From version 6 on, event counters have 64
    /// bits: PMCR_EL0.LP decides whether they overflow at 2^32, with a carry to bit 32, or at 2^64. PMCR_EL0.FZO exists
    /// from 7 on. The bits of MDCR_EL2 and MDCR_EL3 follow the version, except that version 4 has the bits of version
    /// 7.
    ///
    /// # Panics
    ///
    /// If `pmuver` is another version.
    #[track_caller]
    pub fn set_version(&self, pmuver: u8) {
        let core = match pmuver {
            4 => &CORE,
            5 => &V3P4,
            6 => &V3P5,
            7 => &V3P7,
            _ => panic!("PMUVer {pmuver} is not simulated"),
        };
        self.state(|state| state.set_core(core));
    }

    /// Sets PMCEID0_EL0 and PMCEID1_EL0, which report the common events of the core.
    ///
    /// The registers do not influence which events can be signalled.
    pub fn set_common_events(&self, pmceid: [u64; 2]) {
        self.poke(PMCEID0, pmceid[0]);
        self.poke(PMCEID1, pmceid[1]);
    }
}

pmuv3_methods!(ArmPmuv3, "arm-pmuv3");

const COUNTERS: usize = 31;

const CORE: Core = core!(V3p1, V3p7);
const V3P4: Core = core!(V3p4, V3p4);
const V3P5: Core = core!(V3p5, V3p5);
const V3P7: Core = core!(V3p7, V3p7);
