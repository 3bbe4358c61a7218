//! A bus that several tests use.

use arm_pmu_core::{Bus, Cp15, Operands, RegisterSpec};
use arm_pmu_sim::Cp15Bus;

/// A bus to a PMU that does not take writes to one register.
pub struct Deaf<'d> {
    pub inner: Cp15Bus<'d>,
    pub to: Operands,
}

impl Bus for Deaf<'_> {
    type Space = Cp15;

    fn load<S: RegisterSpec<Space = Cp15>>(&self, index: usize) -> u32 {
        self.inner.load::<S>(index)
    }

    fn store<S: RegisterSpec<Space = Cp15>>(&self, index: usize, value: u32) {
        if S::KEY != self.to {
            self.inner.store::<S>(index, value);
        }
    }

    fn synchronize(&self) {
        self.inner.synchronize();
    }
}
