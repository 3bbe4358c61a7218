//! Identification of a core.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::Core;
use crate::registers::{Registers, Space};

/// Returns whether a Main ID Register value identifies implementation `P`.
#[must_use]
pub const fn is<P: Core>(main_id: u32) -> bool {
    /// The implementer code of Arm.
    const ARM: u32 = 0x41;
    let part = (main_id >> 4 & 0xFFF) as u16;
    let mut is_one = part == P::MAIN_ID_PART;
    let mut nth = 0;
    while nth < P::ALSO.len() {
        is_one |= part == P::ALSO[nth];
        nth += 1;
    }
    main_id >> 24 == ARM && is_one
}

/// Returns `bus` if the core is implementation `P` and this software has at least `N` event counters.
///
/// The check reads PMCR_EL0 and writes nothing.
///
/// # Errors
///
/// The error contains the bus and the reason: [`ProbeErrorKind::Processor`] for another core,
/// [`ProbeErrorKind::Counters`] if there are fewer counters, [`ProbeErrorKind::BusError`] if an access fails.
pub fn probe<P: Core, B: Bus<Space = Space>, const N: usize>(
    bus: B,
    main_id: u32,
) -> Result<B, ProbeError<B>> {
    if !is::<P>(main_id) {
        return Err(ProbeError::new(ProbeErrorKind::Processor { main_id }, bus));
    }
    with_counters::<B, N>(bus)
}

/// Returns `bus` if this software has at least `N` event counters.
fn with_counters<B: Bus<Space = Space>, const N: usize>(bus: B) -> Result<B, ProbeError<B>> {
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
/// The check reads only PMUSERENR_EL0, which EL0 can always read, so it causes no trap.
///
/// # Errors
///
/// The error contains the bus and the reason: [`ProbeErrorKind::UserModeClosed`] without
/// permission, [`ProbeErrorKind::BusError`] if PMUSERENR_EL0 cannot be read.
pub fn open<B: Bus<Space = Space>>(bus: B) -> Result<B, ProbeError<B>> {
    let open = Registers::shared(&bus).pmuserenr_el0().read().en().bit();
    if let Some(fault) = bus.error() {
        return Err(ProbeError::new(ProbeErrorKind::BusError(fault), bus));
    }
    if open { Ok(bus) } else { Err(ProbeError::new(ProbeErrorKind::UserModeClosed, bus)) }
}

/// Returns the version of the PMU: bits 11 to 8 of ID_AA64DFR0_EL1.
///
/// 1 is PMUv3, 4 is PMUv3p1, 5 is PMUv3p4, 6 is PMUv3p5, 7 to 9 are PMUv3p7 to PMUv3p9.
#[must_use]
pub const fn version(debug_features: u64) -> u8 {
    (debug_features >> 8 & 0xF) as u8
}

/// Returns whether this value of ID_AA64DFR0_EL1 reports PMUv3, in any version.
///
/// Other values report no PMU (0) or a PMU that is not Arm's (15).
///
/// ```
/// assert!(arm_pmuv3::is_pmuv3(0x1030_5106)); // a Cortex-A53
/// assert!(!arm_pmuv3::is_pmuv3(0x1030_5006));
/// ```
#[must_use]
pub const fn is_pmuv3(debug_features: u64) -> bool {
    !matches!(version(debug_features), 0 | 15)
}

/// Returns `bus` if the core has PMUv3 and this software has at least `N` event counters.
///
/// The check reads PMCR_EL0 and writes nothing.
pub fn probe_version<B: Bus<Space = Space>, const N: usize>(
    bus: B,
    debug_features: u64,
) -> Result<B, ProbeError<B>> {
    if !is_pmuv3(debug_features) {
        let found = version(debug_features);
        return Err(ProbeError::new(ProbeErrorKind::PmuVersion { found }, bus));
    }
    with_counters::<B, N>(bus)
}

/// Returns `bus` if EL0 can access the PMU and this software has at least `N` event counters.
pub fn open_with<B: Bus<Space = Space>, const N: usize>(bus: B) -> Result<B, ProbeError<B>> {
    with_counters::<B, N>(open(bus)?)
}
