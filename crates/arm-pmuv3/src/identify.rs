//! Identification of a core.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::Implementation;
use crate::registers::{Registers, Space};

/// Returns whether a Main ID Register value is that of implementation `P`.
#[must_use]
pub const fn is<P: Implementation>(main_id: u32) -> bool {
    /// The implementer code of Arm.
    const ARM: u32 = 0x41;
    let part = (main_id >> 4 & 0xFFF) as u16;
    let is_one = match P::ALSO {
        Some(other) => part == P::MAIN_ID_PART || part == other,
        None => part == P::MAIN_ID_PART,
    };
    main_id >> 24 == ARM && is_one
}

/// Returns `bus` if the core is implementation `P` and this software has at least `N` event counters.
///
/// The check reads PMCR_EL0 and writes nothing.
///
/// # Errors
///
/// The error has the bus and the reason: [`ProbeErrorKind::Processor`] for another core,
/// [`ProbeErrorKind::Counters`] if there are fewer counters, [`ProbeErrorKind::BusError`] if an access fails.
pub fn probe<P: Implementation, B: Bus<Space = Space>, const N: usize>(
    bus: B,
    main_id: u32,
) -> Result<B, ProbeError<B>> {
    if !is::<P>(main_id) {
        return Err(ProbeError::new(ProbeErrorKind::Processor { main_id }, bus));
    }
    let counters = Registers::shared(&bus).pmcr_el0().read().n().bits();
    if let Some(fault) = bus.error() {
        return Err(ProbeError::new(ProbeErrorKind::BusError(fault), bus));
    }
    if usize::from(counters) < N {
        let reason = ProbeErrorKind::Counters { found: counters, expected: N as u8 };
        return Err(ProbeError::new(reason, bus));
    }
    Ok(bus)
}

/// Returns `bus` if EL0 can access the PMU.
///
/// This reads only PMUSERENR_EL0, which EL0 may always read, so that it causes no trap.
///
/// # Errors
///
/// The error has the bus and the reason: [`ProbeErrorKind::UserModeClosed`] without permission,
/// [`ProbeErrorKind::BusError`] if PMUSERENR_EL0 cannot be read.
pub fn open<B: Bus<Space = Space>>(bus: B) -> Result<B, ProbeError<B>> {
    let open = Registers::shared(&bus).pmuserenr_el0().read().en().bit();
    if let Some(fault) = bus.error() {
        return Err(ProbeError::new(ProbeErrorKind::BusError(fault), bus));
    }
    if open { Ok(bus) } else { Err(ProbeError::new(ProbeErrorKind::UserModeClosed, bus)) }
}
