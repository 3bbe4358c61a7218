//! A real `Mmio` whose accesses a device answers.
#![allow(unsafe_code)]

use std::fmt;

use arm_pmu_core::bus::{Bus, MemorySpace, Mmio, RegisterSpec};

use crate::trap::{Device, Hole};

/// An [`Mmio`] over addresses without access permission.
pub struct Registers<S> {
    bus: Mmio<S>,
    hole: Hole,
}

impl<S: MemorySpace> Registers<S> {
    /// Maps `length` bytes, the length of the space.
    ///
    /// # Panics
    ///
    /// If the process has no addresses left.
    #[must_use]
    pub fn new(length: usize) -> Self {
        let hole = Hole::new(length);
        // SAFETY: the addresses are aligned to a page and belong to `hole`, which lives as long. An access
        // faults, and the handler completes it.
        let bus = unsafe { Mmio::new(hole.start()) };
        Self { bus, hole }
    }

    /// [`Bus::load`] of the `Mmio`, answered by `device`.
    #[must_use]
    pub fn load<R: RegisterSpec<Space = S>>(&self, index: usize, device: &dyn Device) -> R::Ux {
        self.hole.answered(device, || self.bus.load::<R>(index))
    }

    /// [`Bus::store`] of the `Mmio`, answered by `device`.
    pub fn store<R: RegisterSpec<Space = S>>(
        &self,
        index: usize,
        value: R::Ux,
        device: &dyn Device,
    ) {
        self.hole.answered(device, || self.bus.store::<R>(index, value));
    }

    /// [`Bus::synchronize`] of the `Mmio`. No device sees it.
    pub fn synchronize(&self) {
        self.bus.synchronize();
    }
}

impl<S> fmt::Debug for Registers<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registers").field("hole", &self.hole).finish_non_exhaustive()
    }
}
