//! Identification of a CCI-400 and its revision.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::registers::{Registers, Space, pid0, pid1};
use crate::revision::{Pmu, R0, Revision};
use crate::{COUNTERS, r0};

/// The driver of the revision that [`probe`] identified.
pub enum Probed<B> {
    /// Revision 0.
    R0(r0::Pmu<B>),
    /// Revision 1.
    R1(crate::Pmu<B>),
}

/// Takes over the PMU behind `bus` with the driver of its revision.
///
/// The device must identify itself as a CCI-400. The check reads registers and writes none.
///
/// Use this function in code that must run on both revisions. If the revision is known,
/// [`Pmu::probe`] is simpler.
///
/// Code for both revisions can select a shared event by its text, as below, or by its event id. With event ids, no
/// event names are needed in flash. An id that both revisions list means the same event on both. `try_from` rejects
/// an id that the revision does not list.
///
/// ```
/// use cci400::revision::{Pmu, Revision};
/// use arm_pmu_core::event::InvalidSelection;
/// use cci400::registers::Space;
/// use cci400::{Bus, Probed};
///
/// /// Counts reads at slave interface 3, which both revisions have.
/// fn count_reads<R: Revision, B: Bus<Space = Space>>(
///     pmu: &mut Pmu<R, B>,
/// ) -> Result<(), InvalidSelection> {
///     let [reads, ..] = pmu.counters();
///     reads.count("S3:READ_REQUEST_ANY".parse::<R::Selection>()?);
///     Ok(())
/// }
///
/// # let device = Box::leak(Box::new(arm_pmu_sim::Cci400::new()));
/// # let bus = device.bus();
/// match cci400::probe(bus)? {
///     Probed::R0(mut pmu) => count_reads(&mut pmu)?,
///     Probed::R1(mut pmu) => count_reads(&mut pmu)?,
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the same errors as [`Pmu::probe`], except that both revisions are accepted.
pub fn probe<B: Bus<Space = Space>>(bus: B) -> Result<Probed<B>, ProbeError<B>> {
    match identify(&bus) {
        Ok(code) if R0::CODES.contains(&code) => Ok(Probed::R0(Pmu::new(bus))),
        Ok(_) => Ok(Probed::R1(Pmu::new(bus))),
        Err(reason) => Err(ProbeError::new(reason, bus)),
    }
}

impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// Takes over the PMU behind `bus` if it is a CCI-400 of this revision.
    ///
    /// The check reads the identification registers and writes none.
    ///
    /// Both security states can access the PMU. Non-secure software may have no access to the
    /// identification registers. The result of such an access is not documented, and **may be a bus
    /// error**. If a bus error could be fatal, and the revision is known, use [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// If the identification differs, the error contains the bus and the [reason](ProbeErrorKind).
    /// For another revision, the reason names the matching driver, `cci400::r0::Pmu` or
    /// `cci400::Pmu`. If the identification registers of a CCI-400 read as zero, the error is
    /// [`ProbeErrorKind::Unidentified`]. [`new`](Self::new) works without identification.
    pub fn probe(bus: B) -> Result<Self, ProbeError<B>> {
        match identify(&bus) {
            Ok(code) if R::CODES.contains(&code) => Ok(Self::new(bus)),
            Ok(found) => {
                let part = part(pid0::R::from_bits(pid0::RESET), pid1::R::from_bits(pid1::RESET));
                Err(ProbeError::new(ProbeErrorKind::Revision { part, found }, bus))
            }
            Err(reason) => Err(ProbeError::new(reason, bus)),
        }
    }
}

/// Reads the revision code of a CCI-400.
pub(crate) fn identify<B: Bus<Space = Space>>(bus: &B) -> Result<u8, ProbeErrorKind> {
    let registers = Registers::shared(bus);
    let (pid0, pid1) = (registers.pid0().read(), registers.pid1().read());
    let pid2 = registers.pid2().read();
    let pmcr = registers.pmcr().read();
    if let Some(fault) = bus.error() {
        return Err(ProbeErrorKind::BusError(fault));
    }
    let everything = [pid0.bits(), pid1.bits(), pid2.bits(), pmcr.bits()];
    if everything == [0; 4] {
        return Err(ProbeErrorKind::ReadsAsZero);
    }
    if everything == [u32::MAX; 4] {
        return Err(ProbeErrorKind::ReadsAsOnes);
    }
    let expected = part(pid0::R::from_bits(pid0::RESET), pid1::R::from_bits(pid1::RESET));
    let counters = pmcr.pmu_cnt_num().bits();
    match part(pid0, pid1) {
        found if found != 0 && found != expected => Err(ProbeErrorKind::Part { found, expected }),
        _ if usize::from(counters) != COUNTERS => {
            Err(ProbeErrorKind::Counters { found: counters, expected: COUNTERS as u8 })
        }
        // If the device answers, the JEDEC bit of PID2 is set. Without the JEDEC bit, code 0 does not stand for a
        // revision.
        found if found == 0 || !pid2.jedec().bit() => Err(ProbeErrorKind::Unidentified),
        _ => Ok(pid2.revision().bits()),
    }
}

/// Returns the part number, or 0 if it cannot be read.
pub(crate) fn part_number<B: Bus<Space = Space>>(bus: &B) -> u16 {
    let registers = Registers::shared(bus);
    part(registers.pid0().read(), registers.pid1().read())
}

fn part(pid0: pid0::R, pid1: pid1::R) -> u16 {
    u16::from(pid1.part_1().bits()) << 8 | u16::from(pid0.part_0().bits())
}

impl<B> fmt::Debug for Probed<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::R0(pmu) => f.debug_tuple("R0").field(pmu).finish(),
            Self::R1(pmu) => f.debug_tuple("R1").field(pmu).finish(),
        }
    }
}
