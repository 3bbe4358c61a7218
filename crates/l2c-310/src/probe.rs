//! Identification of an L2C-310.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::Pmu;
use crate::registers::{Registers, Space, reg0_cache_id};

/// Implementer and part number of an L2C-310.
const EXPECTED: u16 = 0x413;

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus` if it belongs to an L2C-310.
    ///
    /// The check reads REG0_CACHE_ID and the control register of the counters, and writes no
    /// register.
    ///
    /// # Errors
    ///
    /// If the identification differs, the error contains the bus and the [reason](ProbeErrorKind). The error's part
    /// number is 0x410 plus the part number in REG0_CACHE_ID: 0x412 is an L2C-220.
    pub fn probe(bus: B) -> Result<Self, ProbeError<B>> {
        match unlike(&bus) {
            None => Ok(Self::new(bus)),
            Some(reason) => Err(ProbeError::new(reason, bus)),
        }
    }
}

/// Returns the reason why the device is not an L2C-310.
pub(crate) fn unlike<B: Bus<Space = Space>>(bus: &B) -> Option<ProbeErrorKind> {
    let registers = Registers::shared(bus);
    let id = registers.reg0_cache_id().read();
    let control = registers.reg2_ev_counter_ctrl().read();
    if let Some(error) = bus.error() {
        return Some(ProbeErrorKind::BusError(error));
    }
    match [id.bits(), control.bits()] {
        [0, 0] => Some(ProbeErrorKind::ReadsAsZero),
        [u32::MAX, u32::MAX] => Some(ProbeErrorKind::ReadsAsOnes),
        _ => match part(id) {
            EXPECTED => None,
            found => Some(ProbeErrorKind::Part { found, expected: EXPECTED }),
        },
    }
}

fn part(id: reg0_cache_id::R) -> u16 {
    u16::from(id.implementer().bits()) << 4 | u16::from(id.part().bits())
}
