//! A real `Mmio` whose addresses a device answers.
#![allow(unsafe_code)]

use arm_pmu_core::{Bus, Memory, Mmio, RegisterSpec};

use crate::trap::Hole;

/// What is behind the registers.
pub trait Device {
    /// Answers a read of 32 bits.
    fn load(&self, offset: usize) -> u32;
    /// Takes a write of 32 bits.
    fn store(&self, offset: usize, value: u32);
}

/// An [`Mmio`] over addresses without access.
#[derive(Debug)]
pub struct Registers<const LENGTH: usize, const PAGE: usize> {
    bus: Mmio<LENGTH, PAGE>,
    hole: Hole,
}

impl<const LENGTH: usize, const PAGE: usize> Registers<LENGTH, PAGE> {
    /// Takes new addresses.
    ///
    /// # Panics
    ///
    /// If the process has none left.
    #[must_use]
    pub fn new() -> Self {
        let hole = Hole::new(LENGTH);
        // SAFETY: the addresses are aligned to a page and belong to `hole`, which lives as long. An access
        // faults, or does what the handler does instead.
        let bus = unsafe { Mmio::new(hole.start()) };
        Self { bus, hole }
    }

    /// [`Bus::load`] of the `Mmio`, answered by `device`.
    #[must_use]
    pub fn load<S>(&self, index: usize, device: &dyn Device) -> u32
    where
        S: RegisterSpec<Space = Memory<LENGTH, PAGE>>,
    {
        self.hole.answered(device, || self.bus.load::<S>(index))
    }

    /// [`Bus::store`] of the `Mmio`, answered by `device`.
    pub fn store<S>(&self, index: usize, value: u32, device: &dyn Device)
    where
        S: RegisterSpec<Space = Memory<LENGTH, PAGE>>,
    {
        self.hole.answered(device, || self.bus.store::<S>(index, value));
    }

    /// [`Bus::synchronize`] of the `Mmio`. No device sees it.
    pub fn synchronize(&self) {
        self.bus.synchronize();
    }
}

impl<const LENGTH: usize, const PAGE: usize> Default for Registers<LENGTH, PAGE> {
    fn default() -> Self {
        Self::new()
    }
}
