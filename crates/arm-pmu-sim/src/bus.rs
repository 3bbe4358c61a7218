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
/// [`synchronize`](Bus::synchronize), or when the bus is dropped.
#[derive(Debug)]
pub struct MemoryBus<'device, const LENGTH: usize> {
    port: &'device RefCell<Port<dyn Device>>,
    master: MasterId,
}

impl<'device, const LENGTH: usize> MemoryBus<'device, LENGTH> {
    pub(crate) fn new(port: &'device RefCell<Port<dyn Device>>, master: MasterId) -> Self {
        Self { port, master }
    }
}

impl<const LENGTH: usize> Bus for MemoryBus<'_, LENGTH> {
    type Space = Memory<LENGTH>;

    fn load<S: Located<Space = Self::Space>>(&self, index: usize) -> u32 {
        let offset = Memory::offset::<S>(index);
        self.port.borrow_mut().load(self.master, offset)
    }

    fn store<S: Located<Space = Self::Space>>(&self, index: usize, value: u32) {
        let offset = Memory::offset::<S>(index);
        self.port.borrow_mut().store(self.master, offset, value);
    }

    fn synchronize(&self) {
        self.port.borrow_mut().synchronize(self.master);
    }

    fn fault(&self) -> Option<Fault> {
        self.port.borrow().failed(self.master).then(Fault::new)
    }
}

/// What was issued arrives, though nobody waits for it.
impl<const LENGTH: usize> Drop for MemoryBus<'_, LENGTH> {
    fn drop(&mut self) {
        self.port.borrow_mut().drain(self.master);
    }
}
