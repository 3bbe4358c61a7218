//! Identification of a unit's PMU.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};

use crate::{Identification, Implementation};

/// Returns the buses to both pages if page 0 belongs to a unit with at least `counters` counters.
///
/// # Errors
///
/// If the identification differs, the error contains the buses and the reason.
pub fn probe<I: Implementation, P0: Bus<Space = I::Page0>, P1>(
    page0: P0,
    page1: P1,
    counters: usize,
) -> Result<(P0, P1), ProbeError<(P0, P1)>> {
    match unlike::<I, P0>(&page0, counters) {
        None => Ok((page0, page1)),
        Some(reason) => Err(ProbeError::new(reason, (page0, page1))),
    }
}

pub(crate) fn unlike<I: Implementation, P0: Bus<Space = I::Page0>>(
    page0: &P0,
    counters: usize,
) -> Option<ProbeErrorKind> {
    let Identification { pidr, configuration, last_counter, architecture } =
        I::identification(page0);
    if let Some(fault) = page0.error() {
        return Some(ProbeErrorKind::BusError(fault));
    }
    let [pidr0, pidr1] = pidr;
    let everything = [pidr0, pidr1, configuration, architecture];
    if everything == [0; 4] {
        return Some(ProbeErrorKind::ReadsAsZero);
    }
    if everything == [u32::MAX; 4] {
        return Some(ProbeErrorKind::ReadsAsOnes);
    }
    let found = part_number(pidr0, pidr1);
    let variable = I::VARIABLE_COUNTERS;
    let there = usize::from(last_counter) + 1;
    if !I::PARTS.contains(&found) {
        let expected = I::PARTS.first().copied().unwrap_or_default();
        return Some(ProbeErrorKind::Part { found, expected });
    }
    // The SMMU's own registers also have this part number.
    if architecture != I::ARCHITECTURE {
        return Some(ProbeErrorKind::Architecture {
            found: architecture,
            expected: I::ARCHITECTURE,
        });
    }
    if there < counters || variable == 0 && there != counters {
        let expected = counters as u8;
        return Some(ProbeErrorKind::Counters { found: last_counter + 1, expected });
    }
    if (configuration ^ I::CONFIGURATION) & !variable != 0 {
        let expected = I::CONFIGURATION & !variable | configuration & variable;
        return Some(ProbeErrorKind::Configuration { found: configuration, expected });
    }
    None
}

/// Returns the part number in PIDR0 and PIDR1.
///
/// Bits 11 to 8 of the part number are in bits 3 to 0 of PIDR1.
#[must_use]
pub const fn part_number(pidr0: u32, pidr1: u32) -> u16 {
    ((pidr1 & 0xF) << 8 | pidr0 & 0xFF) as u16
}
