//! A bus that owns its mapping.
#![allow(unsafe_code)]

use std::fmt;
use std::sync::Arc;

use arm_pmu_core::bus::{Bus, IntoPages, MemorySpace, Mmio, RegisterSpec, TwoPages};

use super::error::Error;
use super::mapping::map;
use super::place::Place;
use crate::map::Map;

/// Registers of a device, mapped into this process.
pub struct Registers<S> {
    mmio: Mmio<S>,
    /// Mapping that all pages of a device share.
    mapping: Arc<Map>,
}

impl<S: MemorySpace> Registers<S> {
    /// Maps the registers, if the kernel does not use them.
    ///
    /// # Safety
    ///
    /// As long as the bus is in use, a device with the registers of `S` must be at the address, and no other software
    /// may use it. Another program that maps the same registers is not detected.
    ///
    /// # Errors
    ///
    /// Returns an error if the kernel uses the registers or does not map them, or if the first read fails.
    pub unsafe fn open(place: &Place) -> Result<Self, Error> {
        let mapping = Arc::new(map(place, S::LENGTH)?);
        // SAFETY: the mapping has `S::LENGTH` bytes, and lives as long as the bus. The caller ensures the rest.
        let mmio = unsafe { Mmio::new(mapping.base() as usize) };
        Ok(Self { mmio, mapping })
    }
}

impl<S> fmt::Debug for Registers<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registers").field("mapping", &self.mapping).finish_non_exhaustive()
    }
}

impl<S: MemorySpace> Bus for Registers<S> {
    type Space = S;

    #[inline]
    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        self.mmio.load::<R>(index)
    }

    #[inline]
    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        self.mmio.store::<R>(index, value);
    }

    #[inline]
    fn synchronize(&self) {
        self.mmio.synchronize();
    }

    #[inline]
    fn synchronize_after<R: RegisterSpec<Space = S>>(&self) {
        self.mmio.synchronize_after::<R>();
    }
}

impl<S: TwoPages> IntoPages for Registers<S> {
    type Page0 = Registers<S::Page0>;
    type Page1 = Registers<S::Page1>;

    fn into_pages(self) -> (Self::Page0, Self::Page1) {
        let (page0, page1) = self.mmio.into_pages();
        let mapping = Arc::clone(&self.mapping);
        (Registers { mmio: page0, mapping: self.mapping }, Registers { mmio: page1, mapping })
    }
}
