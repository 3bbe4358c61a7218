//! Identification of a Cortex-A8.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::events::COUNTERS;
use crate::registers::{MAIN_ID_PART, Registers};
use crate::{Pmu, Space, UserPmu};

/// Returns whether a Main ID Register value is that of a Cortex-A8.
///
/// [`Cp15::main_id`](crate::Cp15::main_id) reads the register (CP15 c0, c0, 0).
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
    /// Takes over the PMU behind `bus` if the core is a Cortex-A8.
    ///
    /// The check reads the identification registers and writes none.
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
    /// The error has the bus and the reason: [`ProbeErrorKind::Processor`] for another core,
    /// [`ProbeErrorKind::Counters`] if the PMU has another number of counters,
    /// [`ProbeErrorKind::BusError`] if an access fails.
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
    /// Takes over the PMU behind `bus` in User mode, if that is permitted.
    ///
    /// [`user_access`](Pmu::user_access) permits it. The core is not checked: it has to be a
    /// Cortex-A8. This reads only PMUSERENR, which User mode may always read, so that it causes no
    /// Undefined Instruction exception.
    ///
    /// # Errors
    ///
    /// The error has the bus and the reason: [`ProbeErrorKind::UserModeClosed`] without permission,
    /// [`ProbeErrorKind::BusError`] if PMUSERENR cannot be read.
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
