//! Bits of MDCR_EL2 and MDCR_EL3 that control the PMU, where this software can read them.

use arm_pmu_core::bus::{Bus, ControlRegister};
use arm_pmu_core::diagnose::Found;

use crate::Cause;
use crate::registers::Space;

/// MDCR_EL2\[4:0\]: the first counter of EL2.
const HPMN: u64 = 0x1F;
/// MDCR_EL2\[17\], since PMUv3p1: prohibits event counting at EL2.
const HPMD: u32 = 17;
/// MDCR_EL2\[23\], since PMUv3p5: stops the cycle counter at EL2.
const HCCD: u32 = 23;
/// MDCR_EL3\[17\]: permits event counting in Secure state and at EL3.
const SPME: u32 = 17;
/// MDCR_EL3\[23\], since PMUv3p5: stops the cycle counter in Secure state, and so at EL3.
const SCCD: u32 = 23;
/// MDCR_EL3\[34\], since PMUv3p7: stops the cycle counter at EL3.
const MCCD: u32 = 34;
/// MDCR_EL3\[35\], since PMUv3p7: prohibits event counting at EL3.
const MPMX: u32 = 35;

/// Values of MDCR_EL2 and MDCR_EL3, as far as this software can read these registers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Control {
    /// Readable at EL2, and also at EL3 if the core has EL2.
    mdcr_el2: Option<u64>,
    /// At EL3.
    mdcr_el3: Option<u64>,
}

impl Control {
    /// Reads MDCR_EL2 and MDCR_EL3 at the levels that can read them.
    pub(crate) fn read<B: Bus<Space = Space>>(bus: &B) -> Self {
        let level = bus.read_control(ControlRegister::CurrentEl).map_or(0, |el| el >> 2 & 0b11);
        let has_el2 = match level {
            2 => true,
            3 => bus
                .read_control(ControlRegister::ProcessorFeatures)
                .is_some_and(|features| features >> 8 & 0xF != 0),
            _ => return Self::default(),
        };
        let read = |wanted: bool, register| if wanted { bus.read_control(register) } else { None };
        Self {
            mdcr_el2: read(has_el2, ControlRegister::MdcrEl2),
            mdcr_el3: read(level == 3, ControlRegister::MdcrEl3),
        }
    }

    /// Number of event counters that PMCR_EL0.E enables; `None` if MDCR_EL2 is not readable.
    /// MDCR_EL2.HPME enables the remaining counters.
    pub(crate) fn hpmn(self) -> Option<u8> {
        self.mdcr_el2.map(|mdcr| (mdcr & HPMN) as u8)
    }

    /// Returns the control that prohibits event counting at this level.
    pub(crate) fn prohibits(self) -> Option<Found<Cause>> {
        match (self.mdcr_el2, self.mdcr_el3) {
            (_, Some(mdcr)) => {
                let permission = bit(mdcr, MPMX) << 1 | bit(mdcr, SPME);
                (permission != 0b01).then_some(Found::new(Cause::ProhibitedAtEl3, permission))
            }
            (Some(mdcr), None) => {
                (bit(mdcr, HPMD) != 0).then_some(Found::new(Cause::ProhibitedAtEl2, 1))
            }
            (None, None) => None,
        }
    }

    /// Returns the control that stops the cycle counter at this level.
    pub(crate) fn stops_cycles(self) -> Option<Found<Cause>> {
        let stopping = match (self.mdcr_el2, self.mdcr_el3) {
            (_, Some(mdcr)) => bit(mdcr, MCCD) << 1 | bit(mdcr, SCCD),
            (Some(mdcr), None) => bit(mdcr, HCCD),
            (None, None) => 0,
        };
        (stopping != 0).then_some(Found::new(Cause::CycleCounterDisabled, stopping))
    }
}

const fn bit(register: u64, number: u32) -> u32 {
    (register >> number & 1) as u32
}
