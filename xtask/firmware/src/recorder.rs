//! Records the stores of a driver, in order.

use core::cell::{Cell, RefCell};
use core::fmt;

use arm_pmu_core::bus::{Bus, BusError, MemorySpace, RegisterSpec};

/// The largest number of recorded stores.
const ROOM: usize = 96;

/// One store to a memory-mapped register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Store {
    /// Which page of the device.
    pub page: usize,
    /// In the page, or in the device if it has one.
    pub offset: usize,
    /// The written value.
    pub value: u32,
}

/// As a line of a file: page, offset, value.
impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:#07x} {:#010x}", self.page, self.offset, self.value)
    }
}

/// The stores to one device, whichever page they went to.
#[derive(Debug)]
pub struct Log {
    stores: RefCell<[Store; ROOM]>,
    length: Cell<usize>,
}

impl Log {
    /// No store so far.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "nobody needs one by default")]
    pub const fn new() -> Self {
        let nothing = Store { page: 0, offset: 0, value: 0 };
        Self { stores: RefCell::new([nothing; ROOM]), length: Cell::new(0) }
    }

    /// The store with this number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Store> {
        self.stores.borrow()[..self.length.get()].get(number).copied()
    }

    /// # Panics
    ///
    /// If there are too many.
    fn push(&self, store: Store) {
        let length = self.length.get();
        self.stores.borrow_mut()[length] = store;
        self.length.set(length + 1);
    }
}

/// A bus that records its stores.
#[derive(Debug)]
pub struct Recorder<'l, B> {
    bus: B,
    page: usize,
    log: &'l Log,
}

impl<'l, B> Recorder<'l, B> {
    /// Records in `log` the stores to `bus`, the bus of this page.
    #[must_use]
    pub const fn new(bus: B, page: usize, log: &'l Log) -> Self {
        Self { bus, page, log }
    }
}

impl<B: Bus<Space: MemorySpace>> Bus for Recorder<'_, B> {
    type Space = B::Space;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux {
        self.bus.load::<S>(index)
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux) {
        let offset = S::LOCATION.offset(index);
        self.log.push(Store { page: self.page, offset, value: Into::<u64>::into(value) as u32 });
        self.bus.store::<S>(index, value);
    }

    fn synchronize(&self) {
        self.bus.synchronize();
    }

    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}
