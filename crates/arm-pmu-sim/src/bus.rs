//! Buses to simulated devices.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use arm_pmu_core::bus::{
    Bus, BusError, IntoPages, MemorySpace, RegisterSpec, Space, TwoPages, Word,
};

use crate::port::Connection;

/// A bus to a simulated device with memory-mapped registers.
///
/// As with a real device, a bus has one owner and cannot be copied. The bus borrows the device, so
/// the test can signal events while a driver owns the bus. A second bus to the same device acts as
/// a second owner.
///
/// Stores are [posted](crate::Cci550::set_posted_stores): they take effect at this bus's next load
/// or [`synchronize`](Bus::synchronize), or when the bus is dropped. If a driver has a bus for each
/// page of a device, stores to the other pages [may](crate::PageOrder) also take effect then.
///
/// `S` is the space of the driver's registers, or [`AnyOffset`].
pub struct MemoryBus<'device, S> {
    connection: Connection<'device>,
    /// Offset of the region in the device.
    base: usize,
    /// Length of the region in bytes.
    length: usize,
    space: PhantomData<fn() -> S>,
}

/// Space of a bus that accesses words by [offset](MemoryBus::read).
///
/// Tests that compute offsets use this space, which has no typed registers.
#[derive(Debug)]
pub enum AnyOffset {}

impl Space for AnyOffset {
    type Key = usize;
    type Permit = Infallible;
}

impl MemorySpace for AnyOffset {
    /// A placeholder. The length of the bus is the length of its device.
    const LENGTH: usize = usize::MAX;
}

/// Panics if the space and the region of the bus differ in length or page.
///
/// In a constant, the panic is a compile error.
pub(crate) const fn assert_reaches<S: MemorySpace>(length: usize, page: usize) {
    assert!(
        is_any::<S>() || (S::LENGTH == length && S::PAGE == page),
        "this bus of the simulated device does not lead to the driver's registers"
    );
}

/// Returns whether this space is [`AnyOffset`], which every bus accepts.
const fn is_any<S: MemorySpace>() -> bool {
    S::LENGTH == AnyOffset::LENGTH
}

impl<'device, S: MemorySpace> MemoryBus<'device, S> {
    /// Creates a bus to the region of `length` bytes at offset `base` of the device.
    ///
    /// The methods of the devices [check](assert_reaches) the space at compile time, with a message at the
    /// caller's line. The length is checked here again, for regions whose length depends on the unit.
    ///
    /// # Panics
    ///
    /// If the space has another length.
    #[track_caller]
    pub(crate) fn new(connection: Connection<'device>, base: usize, length: usize) -> Self {
        assert!(
            is_any::<S>() || S::LENGTH == length,
            "the region has {length:#x} bytes, but the space of this bus has {:#x}",
            S::LENGTH
        );
        Self { connection, base, length, space: PhantomData }
    }

    /// Returns a bus with the space `P` on the connection `to`, at an offset in the region.
    fn part<P: MemorySpace>(
        &self,
        to: Connection<'device>,
        offset: usize,
    ) -> MemoryBus<'device, P> {
        assert!(offset + P::LENGTH <= self.length, "a page lies outside the region");
        MemoryBus::new(to, self.base + offset, P::LENGTH)
    }
}

impl MemoryBus<'_, AnyOffset> {
    /// Reads the word at this byte offset: [`load_at`](Self::load_at) of four bytes.
    ///
    /// # Panics
    ///
    /// As for [`load_at`](Self::load_at).
    #[must_use]
    pub fn read(&self, offset: usize) -> u32 {
        self.load_at(offset, 4) as u32
    }

    /// Writes the word at this byte offset: [`store_at`](Self::store_at) of four bytes.
    ///
    /// # Panics
    ///
    /// As for [`load_at`](Self::load_at).
    pub fn write(&self, offset: usize, value: u32) {
        self.store_at(offset, 4, value.into());
    }

    /// Reads `bytes` bytes at an offset of the region, as software without typed registers does.
    ///
    /// The registers have 32 bits; another width is a [violation](crate::MemoryViolation::Width). 64 bits
    /// are read as two words, the low word first; smaller reads return a part of a word.
    ///
    /// # Panics
    ///
    /// If the access is not inside the region, or if `bytes` is not 1, 2, 4 or 8.
    #[must_use]
    pub fn load_at(&self, offset: usize, bytes: usize) -> u64 {
        let word = self.word(offset, bytes);
        let low = u64::from(self.connection.load(word));
        match bytes {
            8 => low | u64::from(self.connection.load(word + 4)) << 32,
            4 => low,
            _ => low >> (offset % 4 * 8) & ((1 << (bytes * 8)) - 1),
        }
    }

    /// Writes `bytes` bytes at an offset of the region. 64 bits are written as two words, the low word
    /// first; writes of fewer than 32 bits are ignored. In all other respects, the method is like
    /// [`load_at`](Self::load_at).
    ///
    /// # Panics
    ///
    /// As for [`load_at`](Self::load_at).
    pub fn store_at(&self, offset: usize, bytes: usize, value: u64) {
        let word = self.word(offset, bytes);
        if bytes >= 4 {
            self.connection.store(word, value as u32);
        }
        if bytes == 8 {
            self.connection.store(word + 4, (value >> 32) as u32);
        }
    }

    /// Returns the device's word in which this access starts.
    fn word(&self, offset: usize, bytes: usize) -> usize {
        assert!([1, 2, 4, 8].contains(&bytes), "no access has {bytes} bytes");
        assert!(offset + bytes <= self.length, "{offset:#x} is outside the region");
        let offset = self.base + offset;
        if bytes != 4 || offset & 3 != 0 {
            self.connection.has_width(offset, bytes);
        }
        offset - offset % 4
    }
}

impl<S: MemorySpace> Bus for MemoryBus<'_, S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        const { assert!(R::Ux::BYTES == 4, "accesses of 32 bits only") }
        let offset = const { R::LOCATION }.offset(index);
        R::Ux::truncate(self.connection.load(self.base + offset).into())
    }

    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        const { assert!(R::Ux::BYTES == 4, "accesses of 32 bits only") }
        let (offset, value): (_, u64) = (const { R::LOCATION }.offset(index), value.into());
        self.connection.store(self.base + offset, value as u32);
    }

    fn synchronize(&self) {
        self.connection.synchronize();
    }

    fn error(&self) -> Option<BusError> {
        self.connection.error()
    }
}

impl<'d, S: TwoPages> IntoPages for MemoryBus<'d, S> {
    type Page0 = MemoryBus<'d, S::Page0>;
    type Page1 = MemoryBus<'d, S::Page1>;

    fn into_pages(self) -> (Self::Page0, Self::Page1) {
        let [first, second] = self.connection.divide();
        (self.part(first, S::PAGE0), self.part(second, S::PAGE1))
    }
}

impl<S> fmt::Debug for MemoryBus<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBus")
            .field("connection", &self.connection)
            .field("base", &self.base)
            .finish()
    }
}
