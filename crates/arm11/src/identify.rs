//! Identification of the core.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::{Arm1136, Arm1156, Arm1176, Core, Pmu, Space};

/// An ARM11 core with a driver in this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Processor {
    /// ARM1136J-S or ARM1136JF-S.
    Arm1136,
    /// ARM1156T2-S or ARM1156T2F-S.
    Arm1156,
    /// ARM1176JZ-S or ARM1176JZF-S.
    Arm1176,
}

/// Returns the core with this Main ID Register (CP15 c0, c0, 0).
///
/// [`Cp15::main_id`](crate::Cp15::main_id) reads the register (CP15 c0, c0, 0). The result is `None` for other cores,
/// for example the ARM11 MPCore, which has other events.
///
/// ```
/// use arm11::{Processor, identify};
///
/// assert_eq!(identify(0x410F_B767), Some(Processor::Arm1176)); // a Raspberry Pi
/// ```
#[must_use]
pub const fn identify(main_id: u32) -> Option<Processor> {
    /// The implementer code of Arm.
    const ARM: u32 = 0x41;
    if main_id >> 24 != ARM {
        return None;
    }
    match (main_id >> 4 & 0xFFF) as u16 {
        Arm1136::MAIN_ID_PART => Some(Processor::Arm1136),
        Arm1156::MAIN_ID_PART => Some(Processor::Arm1156),
        Arm1176::MAIN_ID_PART => Some(Processor::Arm1176),
        _ => None,
    }
}

impl<C: Core, B: Bus<Space = Space>> Pmu<C, B> {
    /// Takes over the PMU behind `bus` if `main_id` identifies this core.
    ///
    /// The PMU has no identification registers, so the check does not access it.
    ///
    /// ```
    /// use arm11::Cp15;
    /// use arm11::arm1176::Pmu;
    /// use arm_pmu_core::driver::ProbeErrorKind;
    ///
    /// fn take(bus: Cp15) -> Result<Pmu, ProbeErrorKind> {
    ///     let main_id = bus.main_id();
    ///     Pmu::probe(bus, main_id).map_err(|refused| refused.kind())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// For another core, the error contains the bus and [`ProbeErrorKind::Processor`].
    pub fn probe(bus: B, main_id: u32) -> Result<Self, ProbeError<B>> {
        match identify(main_id) {
            Some(_) if (main_id >> 4 & 0xFFF) as u16 == C::MAIN_ID_PART => Ok(Self::new(bus)),
            _ => Err(ProbeError::new(ProbeErrorKind::Processor { main_id }, bus)),
        }
    }
}
