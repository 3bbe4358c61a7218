//! Identification of the PMU of a unit.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::registers::{Page0, Page0Registers, Page1, cfgr, pidr0, pidr1, pmdevarch};
use crate::{COUNTERS, Component, Pmu};

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Pmu<C, P0, P1> {
    /// Takes over the PMU behind these buses if it is that of this unit.
    ///
    /// This reads registers of page 0 and writes none. Page 1 has no identification. If the second
    /// bus leads to no counters, the counts are
    /// [disturbed](arm_pmu_core::count::CountError::Disturbed) from the start on. If it leads to
    /// the counters of another unit, the counts stay 0, and
    /// [`diagnose`](arm_pmu_core::diagnose::Diagnose::diagnose) finds that the clock stands still.
    /// `probe_at` of a [TCU](crate::tcu::Pmu::probe_at) or [TBU](crate::tbu::Pmu::probe_at) takes
    /// one base and excludes that mistake.
    ///
    /// # Errors
    ///
    /// If the identification differs, the error has the buses and the [reason](ProbeErrorKind).
    /// Non-secure software gets [`ProbeErrorKind::ReadsAsZero`] while SCR.NSRA is 0, and all
    /// software gets it while the unit has no power. Another product is [`ProbeErrorKind::Part`],
    /// and so is the other unit: 0x483 is a TCU, 0x484 a TBU.
    pub fn probe(page0: P0, page1: P1) -> Result<Self, ProbeError<(P0, P1)>> {
        match unlike::<C, P0>(&page0) {
            None => Ok(Self::new(page0, page1)),
            Some(reason) => Err(ProbeError::new(reason, (page0, page1))),
        }
    }
}

pub(crate) fn unlike<C: Component, P0: Bus<Space = Page0>>(page0: &P0) -> Option<ProbeErrorKind> {
    let registers = Page0Registers::shared(page0);
    let (pidr0, pidr1) = (registers.pidr0().read(), registers.pidr1().read());
    let (cfgr, architecture) = (registers.cfgr().read(), registers.pmdevarch().read());
    if let Some(fault) = page0.error() {
        return Some(ProbeErrorKind::BusError(fault));
    }
    let everything = [pidr0.bits(), pidr1.bits(), cfgr.bits(), architecture.bits()];
    if everything == [0; 4] {
        return Some(ProbeErrorKind::ReadsAsZero);
    }
    if everything == [u32::MAX; 4] {
        return Some(ProbeErrorKind::ReadsAsOnes);
    }
    let [low, high] = C::PIDR;
    let expected = part(pidr0::R::from_bits(low), pidr1::R::from_bits(high));
    match part(pidr0, pidr1) {
        found if found != expected => Some(ProbeErrorKind::Part { found, expected }),
        // The registers of the SMMU itself have this part number too.
        _ if architecture.bits() != pmdevarch::RESET => Some(ProbeErrorKind::Architecture {
            found: architecture.bits(),
            expected: pmdevarch::RESET,
        }),
        _ if usize::from(cfgr.nctr().bits()) + 1 != COUNTERS => Some(ProbeErrorKind::Counters {
            found: cfgr.nctr().bits() + 1,
            expected: COUNTERS as u8,
        }),
        _ if cfgr.bits() != cfgr::RESET => {
            Some(ProbeErrorKind::Configuration { found: cfgr.bits(), expected: cfgr::RESET })
        }
        _ => None,
    }
}

fn part(pidr0: pidr0::R, pidr1: pidr1::R) -> u16 {
    u16::from(pidr1.part_1().bits()) << 8 | u16::from(pidr0.part_0().bits())
}
