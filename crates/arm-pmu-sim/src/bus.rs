//! Buses to simulated devices.

use std::cell::RefCell;

use arm_pmu_core::{Bus, BusError, IntoPages, Memory, RegisterSpec};

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

    fn load_word(&self, offset: usize) -> u32 {
        self.port.borrow_mut().load(self.master, self.base + offset)
    }

    fn store_word(&self, offset: usize, value: u32) {
        self.port.borrow_mut().store(self.master, self.base + offset, value);
    }

    /// Reads `bytes` bytes at an offset of the region, as software does that has no types for registers.
    ///
    /// The registers have 32 bits; another width is a [violation](crate::MemoryViolation::Width). 64 bits
    /// are read as two words, the lower first; fewer are cut out of a word.
    ///
    /// # Panics
    ///
    /// If that is not inside the region, or `bytes` is not 1, 2, 4 or 8.
    #[must_use]
    pub fn load_at(&self, offset: usize, bytes: usize) -> u64 {
        let word = self.word(offset, bytes);
        let mut port = self.port.borrow_mut();
        let low = u64::from(port.load(self.master, word));
        match bytes {
            8 => low | u64::from(port.load(self.master, word + 4)) << 32,
            4 => low,
            _ => low >> (offset % 4 * 8) & ((1 << (bytes * 8)) - 1),
        }
    }

    /// Writes `bytes` bytes at an offset of the region. 64 bits are written as two words, the lower first;
    /// fewer than 32 are not taken. Otherwise as [`load_at`](Self::load_at).
    ///
    /// # Panics
    ///
    /// As [`load_at`](Self::load_at).
    pub fn store_at(&self, offset: usize, bytes: usize, value: u64) {
        let word = self.word(offset, bytes);
        let mut port = self.port.borrow_mut();
        if bytes >= 4 {
            port.store(self.master, word, value as u32);
        }
        if bytes == 8 {
            port.store(self.master, word + 4, (value >> 32) as u32);
        }
    }

    /// Where the device has the word that starts this access.
    fn word(&self, offset: usize, bytes: usize) -> usize {
        assert!([1, 2, 4, 8].contains(&bytes), "no access has {bytes} bytes");
        assert!(offset + bytes <= LENGTH, "{offset:#x} is outside the region");
        let offset = self.base + offset;
        if bytes != 4 || offset & 3 != 0 {
            self.port.borrow_mut().device.other_width(offset, bytes);
        }
        offset - offset % 4
    }
}

#[cfg(arm_pmu_trap)]
impl<const LENGTH: usize, const PAGE: usize> mmio_trap::Device for MemoryBus<'_, LENGTH, PAGE> {
    fn load(&self, offset: usize) -> u32 {
        self.load_word(offset)
    }

    fn store(&self, offset: usize, value: u32) {
        self.store_word(offset, value);
    }
}

impl<const LENGTH: usize, const PAGE: usize> Bus for MemoryBus<'_, LENGTH, PAGE> {
    type Space = Memory<LENGTH, PAGE>;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> u32 {
        #[cfg(arm_pmu_trap)]
        return self.registers.load::<S>(index, self);
        #[cfg(not(arm_pmu_trap))]
        self.load_word(Memory::offset::<S>(index))
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: u32) {
        #[cfg(arm_pmu_trap)]
        self.registers.store::<S>(index, value, self);
        #[cfg(not(arm_pmu_trap))]
        self.store_word(Memory::offset::<S>(index), value);
    }

    fn synchronize(&self) {
        #[cfg(arm_pmu_trap)]
        self.registers.synchronize();
        self.port.borrow_mut().synchronize(self.master);
    }

    fn error(&self) -> Option<BusError> {
        self.port.borrow().failed(self.master).then(BusError::new)
    }
}

impl<'d, const LENGTH: usize, const BYTES: usize, const FIRST: usize, const SECOND: usize>
    IntoPages<BYTES, FIRST, SECOND> for MemoryBus<'d, LENGTH>
{
    type First = MemoryBus<'d, BYTES, 0>;
    type Second = MemoryBus<'d, BYTES, 1>;

    fn divide(self) -> (Self::First, Self::Second) {
        assert!(FIRST.max(SECOND) + BYTES <= LENGTH, "a page lies outside the region");
        let [first, second] = self.port.borrow_mut().divide(self.master);
        let bus = (self.port, self.base);
        (MemoryBus::new(bus.0, first, bus.1 + FIRST), MemoryBus::new(bus.0, second, bus.1 + SECOND))
    }
}

/// What was issued arrives, though nobody waits for it.
impl<const LENGTH: usize, const PAGE: usize> Drop for MemoryBus<'_, LENGTH, PAGE> {
    fn drop(&mut self) {
        self.port.borrow_mut().disconnect(self.master);
    }
}
