//! PMMIR_EL1, for programs with the generic driver.

use arm_pmu_core::bus::Bus;

use crate::{Pmu, Privileged, Space, ThresholdError, Thresholds};

impl<B: Bus<Space = Space>, const N: usize> Pmu<B, Privileged, N> {
    /// Returns the thresholds of the core, read from PMMIR_EL1.
    ///
    /// # Errors
    ///
    /// [`ThresholdError::Absent`] if the core is older than PMUv3p4, or if PMMIR_EL1.THWIDTH is 0. THWIDTH is 0 in guests
    /// of Linux and on QEMU.
    pub fn thresholds(&self) -> Result<Thresholds, ThresholdError> {
        self.driver.hardware().thresholds()
    }
}
