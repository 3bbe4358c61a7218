//! Buses to simulated devices.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use arm_pmu_core::{Bus, Fault, MemorySpace, RegisterSpec, Space, Word};

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
///
/// `S` is the space of the driver's registers, or [`AnyOffset`].
pub struct MemoryBus<'device, S> {
    port: &'device RefCell<Port<dyn Device>>,
    master: MasterId,
    /// Where in the device the region starts.
    base: usize,
    space: PhantomData<fn() -> S>,
}

/// The space of a bus that accesses words by [their offset](MemoryBus::read), for tests that compute
/// offsets. It has no typed registers.
#[derive(Debug)]
pub enum AnyOffset {}

impl Space for AnyOffset {
    type Key = usize;
    type Permit = Infallible;
}

impl MemorySpace for AnyOffset {
    /// No length of its own: a bus has that of the device.
    const LENGTH: usize = usize::MAX;
}

impl<'device, S: MemorySpace> MemoryBus<'device, S> {
    /// A bus to the region of `length` bytes that starts at offset `base` of the device.
    ///
    /// # Panics
    ///
    /// If the space has another length.
    #[track_caller]
    pub(crate) fn new(
        port: &'device RefCell<Port<dyn Device>>,
        master: MasterId,
        base: usize,
        length: usize,
    ) -> Self {
        assert!(
            [length, AnyOffset::LENGTH].contains(&S::LENGTH),
            "the region has {length:#x} bytes, the space of this bus {:#x}",
            S::LENGTH
        );
        Self { port, master, base, space: PhantomData }
    }
}

impl MemoryBus<'_, AnyOffset> {
    /// Reads the word at this offset in bytes.
    #[must_use]
    pub fn read(&self, offset: usize) -> u32 {
        self.port.borrow_mut().load(self.master, self.base + offset)
    }

    /// Writes the word at this offset in bytes.
    pub fn write(&self, offset: usize, value: u32) {
        self.port.borrow_mut().store(self.master, self.base + offset, value);
    }
}

impl<S: MemorySpace> Bus for MemoryBus<'_, S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        const { assert!(R::Ux::BYTES == 4, "accesses of 32 bits only") }
        let offset = self.base + const { R::LOCATION }.offset(index);
        R::Ux::truncate(self.port.borrow_mut().load(self.master, offset).into())
    }

    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        const { assert!(R::Ux::BYTES == 4, "accesses of 32 bits only") }
        let offset = self.base + const { R::LOCATION }.offset(index);
        let value: u64 = value.into();
        self.port.borrow_mut().store(self.master, offset, value as u32);
    }

    fn synchronize(&self) {
        self.port.borrow_mut().synchronize(self.master);
    }

    fn fault(&self) -> Option<Fault> {
        self.port.borrow().failed(self.master).then(Fault::new)
    }
}

/// What was issued arrives, though nobody waits for it.
impl<S> Drop for MemoryBus<'_, S> {
    fn drop(&mut self) {
        self.port.borrow_mut().disconnect(self.master);
    }
}

impl<S> fmt::Debug for MemoryBus<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBus")
            .field("port", &self.port)
            .field("master", &self.master)
            .field("base", &self.base)
            .finish()
    }
}
