//! Identification of a SKELETON IP.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::registers::{Registers, Space, pid0, pid1};
use crate::events::COUNTERS;
use crate::Pmu;

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus` if it is a SKELETON IP.
    ///
    /// The check reads the identification registers and writes none.
    ///
    /// # Errors
    ///
    /// If the identification differs, the error has the bus and the [reason](ProbeErrorKind).
    pub fn probe(bus: B) -> Result<Self, ProbeError<B>> {
        match unlike_the_ip(&bus) {
            None => Ok(Self::new(bus)),
            Some(reason) => Err(ProbeError::new(reason, bus)),
        }
    }
}

fn unlike_the_ip<B: Bus<Space = Space>>(bus: &B) -> Option<ProbeErrorKind> {
    let registers = Registers::shared(bus);
    let (pid0, pid1) = (registers.pid0().read(), registers.pid1().read());
    let control = registers.control().read();
    if let Some(fault) = bus.error() {
        return Some(ProbeErrorKind::BusError(fault));
    }
    let everything = [pid0.bits(), pid1.bits(), control.bits()];
    if everything == [0; 3] {
        return Some(ProbeErrorKind::ReadsAsZero);
    }
    if everything == [u32::MAX; 3] {
        return Some(ProbeErrorKind::ReadsAsOnes);
    }
    let expected = part(pid0::R::from_bits(pid0::RESET), pid1::R::from_bits(pid1::RESET));
    let counters = control.counters().bits();
    match part(pid0, pid1) {
        found if found != expected => Some(ProbeErrorKind::Part { found, expected }),
        _ if usize::from(counters) != COUNTERS => {
            Some(ProbeErrorKind::Counters { found: counters, expected: COUNTERS as u8 })
        }
        _ => None,
    }
}

fn part(pid0: pid0::R, pid1: pid1::R) -> u16 {
    u16::from(pid1.part_1().bits()) << 8 | u16::from(pid0.part_0().bits())
}
