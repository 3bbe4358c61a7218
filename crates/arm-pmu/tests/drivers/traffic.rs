//! Traffic between the register accesses of a driver: events, writes by other software, and registers that stop
//! answering. The history of all events.

use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use arm_pmu::bus::{Bus, BusError, ControlRegister, RegisterSpec};

/// Number of events for each device. Some PMUs have fewer counters, and some have more.
pub(crate) const EVENTS: usize = 6;

/// The event that the second owner selects. No random program selects this event, so the second owner never restores
/// a selection of the driver.
pub(crate) const OTHER_EVENT: u8 = EVENTS as u8 - 1;

/// The number that stands for the cycles. It follows the numbers of the events.
pub(crate) const CYCLES: u8 = EVENTS as u8;

/// Highest number of event counters of a device. In an [`Item`], this number means the cycle
/// counter.
pub(crate) const MOST_COUNTERS: usize = 8;

/// Highest number of accesses in a call. A call with more accesses is treated as an endless loop.
const MOST_ACCESSES: u32 = 50_000;

/// An event, or another cause outside the driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Item {
    /// An event, or [`CYCLES`].
    Event { event: u8, times: u32 },
    /// The second owner disables one counter.
    Disable(u8),
    /// The second owner disables the PMU.
    DisableAll,
    /// The second owner makes a counter count [its own event](OTHER_EVENT).
    Select(u8),
    /// The second owner moves the selector, on a PMU that has one.
    MoveSelector(u8),
    /// A hypervisor leaves this many event counters to the driver. During a call, a hypervisor only removes
    /// counters.
    Leave(u8),
    /// Registers read as zero and ignore writes from now on.
    Zeros,
    /// From now on, all bits of registers read as 1, and writes are ignored.
    Ones,
    /// Accesses fail from now on.
    Fails,
    /// Registers answer again.
    Answers,
    /// Stores have no effect until the end of the call.
    IgnoresStores,
    /// The device loses its power and gets it back. A power loss happens only between calls.
    LosesPower,
}

impl Item {
    /// Returns whether this item is a write by the second owner that the driver then overwrites with a
    /// read-modify-write.
    const fn is_overwritten(self) -> bool {
        matches!(self, Self::Disable(_) | Self::DisableAll | Self::Select(_))
    }
}

/// An item that happens during a call: right before access number `at` of the call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Traffic {
    pub(crate) at: u16,
    pub(crate) item: Item,
}

/// A device with traffic.
pub(crate) trait Target {
    fn world(&self) -> &World;
    /// Applies an item to the device.
    fn apply(&self, item: Item);
}

/// Number of occurrences of each event, and number of cycles, up to a moment.
type Sums = [u64; EVENTS + 1];

/// A range of moments, as positions in the history; the first and the last moment belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// A register: its type and its index.
type Register = (&'static str, usize);

/// Actions of a second owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    /// Whether the second owner changed a counter or its selection.
    pub(crate) counters: bool,
    /// Whether the second owner disabled the whole PMU.
    pub(crate) all: bool,
    /// Whether the device lost its power.
    pub(crate) power: bool,
}

/// Traffic of a device.
#[derive(Debug)]
pub(crate) struct World {
    /// Number of accesses of this call so far.
    accesses: Cell<u32>,
    most_accesses: Cell<u32>,
    /// Remaining traffic of this call, in the order of the accesses.
    pending: RefCell<VecDeque<Traffic>>,
    history: RefCell<Vec<Sums>>,
    /// Register that the last access read, if it was a read.
    read: Cell<Option<Register>>,
    /// Whether a store of a read-modify-write has not arrived yet.
    modifying: Cell<bool>,
    /// Event counters that a hypervisor leaves to the driver.
    left: Cell<u8>,
    ignores_stores: Cell<bool>,
    /// Whether a store of this call had no effect.
    pub(crate) ignored_store: Cell<bool>,
    /// Actions of the second owner since the last start.
    pub(crate) touched: Cell<Touched>,
    /// Whether the traffic consisted only of events, and only a few of them happened during a call.
    pub(crate) is_clean: Cell<bool>,
    /// Whether every access that the manual forbids is the driver's fault: the traffic was clean, except that a
    /// hypervisor may have changed the number of counters between calls.
    pub(crate) is_lawful: Cell<bool>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            accesses: Cell::new(0),
            most_accesses: Cell::new(u32::MAX),
            pending: RefCell::default(),
            history: RefCell::new(vec![Sums::default()]),
            read: Cell::default(),
            modifying: Cell::new(false),
            left: Cell::new(u8::MAX),
            ignores_stores: Cell::new(false),
            ignored_store: Cell::new(false),
            touched: Cell::default(),
            is_clean: Cell::new(true),
            is_lawful: Cell::new(true),
        }
    }

    /// Begins a call with this traffic, in the order of the accesses.
    pub(crate) fn begin(&self, traffic: &[Traffic]) {
        self.accesses.set(0);
        self.most_accesses.set(MOST_ACCESSES);
        self.arrived(None);
        self.ignored_store.set(false);
        let mut pending = self.pending.borrow_mut();
        pending.clear();
        pending.extend(traffic);
    }

    /// Ends a call: its remaining traffic happens now.
    pub(crate) fn end(&self, target: &impl Target) {
        self.modifying.set(false);
        self.catch_up(target, None);
        self.ignores_stores.set(false);
    }

    /// Drops the remaining traffic of a call. Returns how many items were dropped.
    pub(crate) fn drop_pending(&self) -> usize {
        self.pending.take().len()
    }

    /// Called before each access of the driver.
    fn access(&self, target: &impl Target) {
        let nth = self.accesses.get();
        self.accesses.set(nth + 1);
        if !self.pending.borrow().is_empty() {
            self.catch_up(target, Some(nth));
        }
        assert!(nth < self.most_accesses.get(), "a call that never ends");
    }

    /// Called when all stores have arrived; `read` is the register that the last access read, if any.
    fn arrived(&self, read: Option<Register>) {
        self.modifying.set(false);
        self.read.set(read);
    }

    /// Called each time the driver is about to write a register. If the driver has just read the same register, the
    /// read and this store count as one read-modify-write, which ends when the store arrives.
    fn store(&self, register: Register) {
        let modifies = self.read.take() == Some(register);
        self.modifying.set(self.modifying.get() || modifies);
    }

    /// Makes all traffic happen that is due before access number `access` of the call. `None` stands for the end of the
    /// call.
    fn catch_up(&self, target: &impl Target, access: Option<u32>) {
        let is_due = |next: &Traffic| access.is_none_or(|nth| u32::from(next.at) <= nth);
        let next = || self.pending.borrow().front().copied().filter(is_due);
        while let Some(Traffic { item, .. }) = next() {
            // The driver would overwrite a write of the second owner in the middle of a read-modify-write, and could
            // not detect that.
            if self.modifying.get() && item.is_overwritten() {
                return;
            }
            self.pending.borrow_mut().pop_front();
            match item {
                _ if access.is_none() => {}
                // If a counter wraps in the middle of a call, a driver may report the counter as
                // disturbed.
                Item::Event { times, .. } if times >= 1 << 30 => self.is_not_clean(),
                // No register shows that a counter was removed during only a part of a call.
                Item::Leave(counters) if counters > self.left.get() => continue,
                // The hypervisor may remove a counter just after the driver read the counter's bit.
                Item::Leave(_) => self.is_not_clean(),
                // If the power was lost during a call, the stop would restore a part of the registers.
                Item::LosesPower => continue,
                _ => {}
            }
            self.happen(target, item);
        }
    }

    fn is_not_clean(&self) {
        self.is_clean.set(false);
        self.is_lawful.set(false);
    }

    /// Lets an item happen now.
    pub(crate) fn happen(&self, target: &impl Target, item: Item) {
        let mut touched = self.touched.get();
        match item {
            Item::Event { event, times } => {
                let mut history = self.history.borrow_mut();
                let mut sums = history[history.len() - 1];
                sums[usize::from(event)] += u64::from(times);
                history.push(sums);
            }
            Item::Leave(counters) => {
                self.left.set(counters);
                self.is_clean.set(false);
            }
            _ => self.is_not_clean(),
        }
        match item {
            Item::DisableAll => touched.all = true,
            Item::Disable(_) | Item::Select(_) => touched.counters = true,
            Item::LosesPower => touched.power = true,
            Item::IgnoresStores => self.ignores_stores.set(true),
            // Each reading detects a moved selector.
            _ => {}
        }
        self.touched.set(touched);
        target.apply(item);
    }

    pub(crate) fn now(&self) -> usize {
        self.history.borrow().len() - 1
    }

    /// Returns the span from an earlier moment to now.
    pub(crate) fn since(&self, first: usize) -> Span {
        Span { first, last: self.now() }
    }

    /// Returns how often an event happened, or how many cycles passed, up to a moment.
    pub(crate) fn sum(&self, event: u8, moment: usize) -> u64 {
        self.history.borrow()[moment][usize::from(event)]
    }

    /// Returns how often an event happened, or how many cycles passed, between two moments.
    pub(crate) fn between(&self, event: u8, first: usize, last: usize) -> u64 {
        self.sum(event, last) - self.sum(event, first)
    }
}

/// A bus of a driver, with traffic before each access.
pub(crate) struct BusyBus<'d, B, D> {
    bus: B,
    device: &'d D,
}

impl<'d, B, D> BusyBus<'d, B, D> {
    pub(crate) const fn new(bus: B, device: &'d D) -> Self {
        Self { bus, device }
    }
}

impl<B: Bus, D: Target> Bus for BusyBus<'_, B, D> {
    type Space = B::Space;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux {
        let world = self.device.world();
        world.access(self.device);
        let value = self.bus.load::<S>(index);
        world.arrived(Some((type_name::<S>(), index)));
        value
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux) {
        let world = self.device.world();
        world.store((type_name::<S>(), index));
        world.access(self.device);
        if world.ignores_stores.get() {
            world.ignored_store.set(true);
        } else {
            self.bus.store::<S>(index, value);
        }
    }

    fn synchronize(&self) {
        self.device.world().access(self.device);
        self.bus.synchronize();
        self.device.world().arrived(None);
    }

    fn read_control(&self, register: ControlRegister) -> Option<u64> {
        self.bus.read_control(register)
    }

    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}
