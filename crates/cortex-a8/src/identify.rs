//! Is it a Cortex-A8?

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::events::COUNTERS;
use crate::registers::{MAIN_ID_PART, Registers};
use crate::{Pmu, Space, UserPmu};

/// Whether the core with this Main ID Register (CP15 c0, c0, 0) is a Cortex-A8.
/// [`Cp15::main_id`](crate::Cp15::main_id) reads it.
///
/// ```
/// assert!(cortex_a8::is_cortex_a8(0x413F_C082)); // an AM335x
/// ```
#[must_use]
pub const fn is_cortex_a8(main_id: u32) -> bool {
    /// The implementer code of Arm.
    const ARM: u32 = 0x41;
    main_id >> 24 == ARM && (main_id >> 4 & 0xFFF) as u16 == MAIN_ID_PART
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus` if the core with this Main ID Register is a Cortex-A8 and its PMU
    /// answers. Only reads.
    ///
    /// ```
    /// use arm_pmu_core::driver::ProbeErrorKind;
    /// use cortex_a8::{Cp15, Pmu};
    ///
    /// fn take(bus: Cp15) -> Result<Pmu<Cp15>, ProbeErrorKind> {
    ///     let main_id = bus.main_id();
    ///     Pmu::probe(bus, main_id).map_err(|refused| refused.kind())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// With the bus and the reason: [`ProbeErrorKind::Processor`] if it is another, [`ProbeErrorKind::Counters`] if its
    /// PMU has another number of counters, [`ProbeErrorKind::BusError`] if it cannot be reached.
    pub fn probe(bus: B, main_id: u32) -> Result<Self, ProbeError<B>> {
        if !is_cortex_a8(main_id) {
            return Err(ProbeError::new(ProbeErrorKind::Processor { main_id }, bus));
        }
        let counters = Registers::shared(&bus).pmcr().read().n().bits();
        if let Some(fault) = bus.error() {
            return Err(ProbeError::new(ProbeErrorKind::BusError(fault), bus));
        }
        if usize::from(counters) != COUNTERS {
            let reason = ProbeErrorKind::Counters { found: counters, expected: COUNTERS as u8 };
            return Err(ProbeError::new(reason, bus));
        }
        Ok(Self::new(bus))
    }
}

impl<B: Bus<Space = Space>> UserPmu<B> {
    /// Takes over the PMU behind `bus` for software in User mode, trusting that the core is a
    /// Cortex-A8, if privileged software [opened](Pmu::user_access) it. Only reads, and reads only what
    /// User mode may always read, so that this is no undefined instruction.
    ///
    /// # Errors
    ///
    /// With the bus and the reason: [`ProbeErrorKind::UserModeClosed`] if it is not open, [`ProbeErrorKind::BusError`] if
    /// not even that can be read.
    pub fn open(bus: B) -> Result<Self, ProbeError<B>> {
        let open = Registers::shared(&bus).pmuserenr().read().en().bit();
        if let Some(fault) = bus.error() {
            return Err(ProbeError::new(ProbeErrorKind::BusError(fault), bus));
        }
        if open {
            Ok(Self::over(bus))
        } else {
            Err(ProbeError::new(ProbeErrorKind::UserModeClosed, bus))
        }
    }
}
