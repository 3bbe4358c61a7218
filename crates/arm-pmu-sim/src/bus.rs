//! Buses to simulated devices.

use std::cell::RefCell;

use arm_pmu_core::{Bus, Fault, Located, Memory};

use crate::port::{Device, MasterId, Port};

/// A bus to a simulated device with memory-mapped registers.
///
/// Like the buses to real devices it has one owner and cannot be copied. It borrows the device, which
/// stays with the test: events can be signalled while a driver owns the bus. A second bus of the same
/// device is a second owner.
///
/// Stores are [posted](crate::Cci550::set_posted_stores): they take effect at this bus's next load or
/// [`synchronize`](Bus::synchronize), or when the bus is dropped. Where a driver has a bus for each page
/// of a device, those of the other pages [may](crate::PageOrder) take effect then too.
#[derive(Debug)]
pub struct MemoryBus<'device, const LENGTH: usize, const PAGE: usize = 0> {
    port: &'device RefCell<Port<dyn Device>>,
    master: MasterId,
    /// Where in the device the region starts.
    base: usize,
    /// The `Mmio` that makes the accesses: see `xtask/mmio-trap`.
    #[cfg(arm_pmu_trap)]
    registers: mmio_trap::Registers<LENGTH, PAGE>,
}

impl<'device, const LENGTH: usize, const PAGE: usize> MemoryBus<'device, LENGTH, PAGE> {
    /// A bus to the region that starts at offset `base` of the device.
    pub(crate) fn new(
        port: &'device RefCell<Port<dyn Device>>,
        master: MasterId,
        base: usize,
    ) -> Self {
        Self {
            port,
            master,
            base,
            #[cfg(arm_pmu_trap)]
            registers: mmio_trap::Registers::new(),
        }
    }

    fn load_at(&self, offset: usize) -> u32 {
        self.port.borrow_mut().load(self.master, self.base + offset)
    }

    fn store_at(&self, offset: usize, value: u32) {
        self.port.borrow_mut().store(self.master, self.base + offset, value);
    }
}

#[cfg(arm_pmu_trap)]
impl<const LENGTH: usize, const PAGE: usize> mmio_trap::Device for MemoryBus<'_, LENGTH, PAGE> {
    fn load(&self, offset: usize) -> u32 {
        self.load_at(offset)
    }

    fn store(&self, offset: usize, value: u32) {
        self.store_at(offset, value);
    }
}

impl<const LENGTH: usize, const PAGE: usize> Bus for MemoryBus<'_, LENGTH, PAGE> {
    type Space = Memory<LENGTH, PAGE>;

    fn load<S: Located<Space = Self::Space>>(&self, index: usize) -> u32 {
        #[cfg(arm_pmu_trap)]
        return self.registers.load::<S>(index, self);
        #[cfg(not(arm_pmu_trap))]
        self.load_at(Memory::offset::<S>(index))
    }

    fn store<S: Located<Space = Self::Space>>(&self, index: usize, value: u32) {
        #[cfg(arm_pmu_trap)]
        self.registers.store::<S>(index, value, self);
        #[cfg(not(arm_pmu_trap))]
        self.store_at(Memory::offset::<S>(index), value);
    }

    fn synchronize(&self) {
        #[cfg(arm_pmu_trap)]
        self.registers.synchronize();
        self.port.borrow_mut().synchronize(self.master);
    }

    fn fault(&self) -> Option<Fault> {
        self.port.borrow().failed(self.master).then(Fault::new)
    }
}

/// What was issued arrives, though nobody waits for it.
impl<const LENGTH: usize, const PAGE: usize> Drop for MemoryBus<'_, LENGTH, PAGE> {
    fn drop(&mut self) {
        self.port.borrow_mut().disconnect(self.master);
    }
}
