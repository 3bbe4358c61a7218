//! Identification of an implementation.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::registers::{Registers, Space, pid0, pid1};
use crate::{COUNTERS, Implementation};

/// Returns `bus` if its device identifies itself as implementation `P`.
///
/// The check reads the identification registers and writes none.
///
/// # Errors
///
/// If the identification differs, the error contains the bus and the [reason](ProbeErrorKind).
pub fn probe<P: Implementation, B: Bus<Space = Space>>(bus: B) -> Result<B, ProbeError<B>> {
    match unlike::<P, B>(&bus) {
        None => Ok(bus),
        Some(reason) => Err(ProbeError::new(reason, bus)),
    }
}

pub(crate) fn unlike<P: Implementation, B: Bus<Space = Space>>(bus: &B) -> Option<ProbeErrorKind> {
    let registers = Registers::shared(bus);
    let (pid0, pid1) = (registers.pid0().read(), registers.pid1().read());
    let pmcr = registers.pmcr().read();
    if let Some(fault) = bus.error() {
        return Some(ProbeErrorKind::BusError(fault));
    }
    let everything = [pid0.bits(), pid1.bits(), pmcr.bits()];
    if everything == [0; 3] {
        return Some(ProbeErrorKind::ReadsAsZero);
    }
    if everything == [u32::MAX; 3] {
        return Some(ProbeErrorKind::ReadsAsOnes);
    }
    let counters = pmcr.pmu_cnt_num().bits();
    match part(pid0, pid1) {
        found if found != 0 && found != P::PART => {
            Some(ProbeErrorKind::Part { found, expected: P::PART })
        }
        _ if usize::from(counters) != COUNTERS => {
            Some(ProbeErrorKind::Counters { found: counters, expected: COUNTERS as u8 })
        }
        0 => Some(ProbeErrorKind::Unidentified),
        _ => None,
    }
}

/// The part number.
fn part(pid0: pid0::R, pid1: pid1::R) -> u16 {
    u16::from(pid1.part_1().bits()) << 8 | u16::from(pid0.part_0().bits())
}

/// Returns the part number in these values of PID0 and PID1.
#[must_use]
pub const fn part_number(pid0: u32, pid1: u32) -> u16 {
    ((pid1 & 0xF) << 8 | pid0 & 0xFF) as u16
}
