//! Identification of a core.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::Implementation;
use crate::registers::{Registers, Space};

/// Returns whether a Main ID Register value identifies implementation `P`.
#[must_use]
pub const fn is<P: Implementation>(main_id: u32) -> bool {
    /// The implementer code of Arm.
    const ARM: u32 = 0x41;
    main_id >> 24 == ARM && (main_id >> 4 & 0xFFF) as u16 == P::MAIN_ID_PART
}

/// Returns `bus` if the core is implementation `P` and the PMU has `N` event counters.
///
/// The check reads PMCR and writes nothing.
///
/// # Errors
///
/// The error contains the bus and the reason: [`ProbeErrorKind::Processor`] for another core,
/// [`ProbeErrorKind::Counters`] if the PMU has another number of counters,
/// [`ProbeErrorKind::BusError`] if an access fails.
pub fn probe<P: Implementation, B: Bus<Space = Space>, const N: usize>(
    bus: B,
    main_id: u32,
) -> Result<B, ProbeError<B>> {
    if !is::<P>(main_id) {
        return Err(ProbeError::new(ProbeErrorKind::Processor { main_id }, bus));
    }
    let counters = Registers::shared(&bus).pmcr().read().n().bits();
    if let Some(fault) = bus.error() {
        return Err(ProbeError::new(ProbeErrorKind::BusError(fault), bus));
    }
    if usize::from(counters) != N {
        let reason = ProbeErrorKind::Counters { found: counters, expected: N as u8 };
        return Err(ProbeError::new(reason, bus));
    }
    Ok(bus)
}

/// Returns `bus` if User mode can access the PMU.
///
/// The check reads only PMUSERENR, which User mode can always read, so it causes no Undefined
/// Instruction exception.
///
/// # Errors
///
/// The error contains the bus and the reason: [`ProbeErrorKind::UserModeClosed`] without
/// permission, [`ProbeErrorKind::BusError`] if PMUSERENR cannot be read.
pub fn open<B: Bus<Space = Space>>(bus: B) -> Result<B, ProbeError<B>> {
    let open = Registers::shared(&bus).pmuserenr().read().en().bit();
    if let Some(fault) = bus.error() {
        return Err(ProbeError::new(ProbeErrorKind::BusError(fault), bus));
    }
    if open { Ok(bus) } else { Err(ProbeError::new(ProbeErrorKind::UserModeClosed, bus)) }
}
