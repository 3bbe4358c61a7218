//! Is this a CCI-400 of revision 1?

use arm_pmu_core::{Bus, Reason, Refused};

use crate::registers::{Registers, Space, pid0, pid1};
use crate::{COUNTERS, Pmu};

/// The first revision code of r1. Those below are r0, which numbers its master events otherwise: a
/// master event of this crate would count something else there, without any sign of it.
const FIRST_OF_R1: u8 = 5;

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus` if the identification registers say that it is that of a
    /// CCI-400 of revision 1. Only reads.
    ///
    /// The PMU is open to both security states, identification may not be: what meets Non-secure
    /// software there is not documented and **may be a bus error**. Where that could be fatal use
    /// [`new`](Self::new), knowing the revision.
    ///
    /// # Errors
    ///
    /// With the bus and the [reason](Reason), if they do not. A CCI-400 whose identification reads as
    /// zero is [`Reason::Unidentified`]; [`new`](Self::new) takes a caller's word.
    pub fn probe(bus: B) -> Result<Self, Refused<B>> {
        match unlike_a_cci400(&bus) {
            None => Ok(Self::new(bus)),
            Some(reason) => Err(Refused::new(reason, bus)),
        }
    }
}

fn unlike_a_cci400<B: Bus<Space = Space>>(bus: &B) -> Option<Reason> {
    let registers = Registers::of(bus);
    let (pid0, pid1) = (registers.pid0().read(), registers.pid1().read());
    let pid2 = registers.pid2().read();
    let pmcr = registers.pmcr().read();
    if let Some(fault) = bus.fault() {
        return Some(Reason::Fault(fault));
    }
    let everything = [pid0.bits(), pid1.bits(), pid2.bits(), pmcr.bits()];
    if everything == [0; 4] {
        return Some(Reason::ReadsAsZero);
    }
    if everything == [u32::MAX; 4] {
        return Some(Reason::ReadsAsOnes);
    }
    let expected = part(pid0::R::from_bits(pid0::RESET), pid1::R::from_bits(pid1::RESET));
    let counters = pmcr.pmu_cnt_num().bits();
    let revision = pid2.revision().bits();
    match part(pid0, pid1) {
        0 => Some(Reason::Unidentified),
        found if found != expected => Some(Reason::Part { found, expected }),
        // A register that answers has the JEDEC bit set.
        _ if !pid2.jedec().bit() => Some(Reason::Unidentified),
        _ if revision < FIRST_OF_R1 => Some(Reason::Revision { found: revision }),
        _ if usize::from(counters) != COUNTERS => {
            Some(Reason::Counters { found: counters, expected: COUNTERS as u8 })
        }
        _ => None,
    }
}

fn part(pid0: pid0::R, pid1: pid1::R) -> u16 {
    u16::from(pid1.part_1().bits()) << 8 | u16::from(pid0.part_0().bits())
}
