//! A bus that several tests use.

use arm_pmu_core::bus::{Bus, Operands, RegisterSpec};
use arm_pmu_sim::Cp15Bus;
use cortex_a8::Space;

/// A bus to a PMU that does not take writes to one register.
pub struct Deaf<'d> {
    pub inner: Cp15Bus<'d, Space>,
    pub to: Operands,
}

impl Bus for Deaf<'_> {
    type Space = Space;

    fn load<S: RegisterSpec<Space = Space>>(&self, index: usize) -> S::Ux {
        self.inner.load::<S>(index)
    }

    fn store<S: RegisterSpec<Space = Space>>(&self, index: usize, value: S::Ux) {
        if S::LOCATION.key() != self.to {
            self.inner.store::<S>(index, value);
        }
    }

    fn synchronize(&self) {
        self.inner.synchronize();
    }
}
