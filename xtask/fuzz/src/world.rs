//! The world of a driver: the device, its traffic, and the bus that generates the traffic.

use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::fmt::Debug;

use arm_pmu_core::bus::{Bus, BusError, ControlRegister, RegisterSpec};
use arm_pmu_core::count::Count;
use arm_pmu_core::diagnose::Diagnose;
use arm_pmu_core::measure::{Monitor, Rearm, RunningMonitor, StartStop};

use crate::banks::Banks;
use crate::program::{CYCLES, Item, KINDS, MOST_COUNTERS, Shape, Traffic};

/// Highest number of accesses of a call. A call with more accesses is treated as an endless loop.
const MOST_ACCESSES: u32 = 50_000;

/// Sums of each event and of cycles up to a moment.
pub type Sums = [u64; KINDS];

/// Moments, as positions in the history: from the first to the last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub first: usize,
    pub last: usize,
}

/// Highest number of counters of a device: event counters and a cycle counter.
pub const MOST: usize = MOST_COUNTERS + 1;

/// Counts by counter number; the cycle counter has the highest number.
pub type Counts = [Count; MOST];

/// A driver of a simulated device.
pub trait Subject: Sized + Debug + 'static {
    /// Features of the device that programs can use.
    const SHAPE: Shape;
    type Device: Debug;

    fn device() -> Self::Device;
    fn signal(device: &Self::Device, event: usize, times: u32);
    fn clock(device: &Self::Device, cycles: u32);
    fn interfere(device: &Self::Device, item: Item);
    /// Returns the driver's violations of the manual.
    fn violations(device: &Self::Device) -> String;
    const NAME: &'static str;
    /// Its architecture and type: drivers with equal values have the same procedures.
    const KIND: &'static str;
    /// A selection of a counter.
    type Selection: Copy + PartialEq + Debug;
    /// The driver while it is stopped.
    type Pmu<'w>: Monitor<Selection = Self::Selection>
        + StartStop<Running = Self::Running<'w>>
        + Diagnose;
    /// The driver while it counts.
    type Running<'w>: RunningMonitor<Selection = Self::Selection> + Rearm;

    fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w>;
    /// Returns the selection for an event, or for [cycles](crate::program::CYCLES).
    fn selection(kind: u8) -> Self::Selection;
    /// Sets one counter: event and start value, or off.
    fn set(pmu: &mut Self::Pmu<'_>, counter: usize, what: Option<(u8, u32)>);
    /// Sets the cycle counter: start value, or off.
    fn set_cycles(pmu: &mut Self::Pmu<'_>, from: Option<u32>);
    fn resume(pmu: Self::Pmu<'_>) -> Self::Running<'_>;
    /// Returns the counts of a stopped PMU.
    fn counts(pmu: &Self::Pmu<'_>) -> Counts;
    fn acknowledge_all(pmu: &mut Self::Pmu<'_>);
    /// Creates a bank for each list of selections.
    ///
    /// # Errors
    ///
    /// Returns the PMU if it has no banks.
    fn banks<'w>(
        pmu: Self::Pmu<'w>,
        lists: &[[Self::Selection; 2]],
    ) -> Result<Banks<'w, Self::Pmu<'w>>, Self::Pmu<'w>>;
    fn release(pmu: Self::Pmu<'_>);
}

/// A device and its traffic during one program.
#[derive(Debug)]
pub struct World<'d, D: Subject> {
    pub device: &'d D::Device,
    /// Number of accesses of this step so far.
    accesses: Cell<u32>,
    /// Number of the access before which the next traffic happens.
    next: Cell<u32>,
    pending: RefCell<Pending>,
    history: RefCell<Vec<Sums>>,
    /// Register that the last access read, if it was a read.
    read: Cell<Option<Register>>,
    /// Whether a store of a read-modify-write has not arrived yet.
    modifying: Cell<bool>,
    /// Actions of the second owner since the last [`forget`](Self::forget).
    touched: Cell<Touched>,
    /// Number of accesses of the program.
    total: Cell<u64>,
    /// Whether the program's traffic was only events and cycles, with few of them within a call.
    clean: Cell<bool>,
    /// The same, but a hypervisor may also have changed the number of counters between calls.
    lawful: Cell<bool>,
    /// Event counters that a hypervisor leaves to the driver.
    left: Cell<u8>,
    /// Whether stores have no effect.
    ignores_stores: Cell<bool>,
    /// Whether a store of this step had no effect.
    ignored: Cell<bool>,
}

/// A register: its type and its index.
type Register = (&'static str, usize);

/// The remaining traffic of this step.
#[derive(Debug, Default)]
struct Pending {
    traffic: Vec<Traffic>,
    next: usize,
}

/// Actions of a second owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Whether the second owner changed a counter or its selection.
    pub counters: bool,
    /// Whether the second owner disabled the whole PMU.
    pub all: bool,
    /// Whether the device lost its power.
    pub power: bool,
}

impl<'d, D: Subject> World<'d, D> {
    pub fn new(device: &'d D::Device) -> Self {
        Self {
            device,
            accesses: Cell::new(0),
            next: Cell::new(u32::MAX),
            pending: RefCell::default(),
            history: RefCell::new(vec![[0; KINDS]]),
            read: Cell::new(None),
            modifying: Cell::new(false),
            touched: Cell::default(),
            total: Cell::new(0),
            clean: Cell::new(true),
            lawful: Cell::new(true),
            left: Cell::new(D::SHAPE.counters),
            ignores_stores: Cell::new(false),
            ignored: Cell::new(false),
        }
    }

    pub fn begin(&self, traffic: &[Traffic]) {
        self.accesses.set(0);
        self.read.set(None);
        self.modifying.set(false);
        self.ignored.set(false);
        let mut pending = self.pending.borrow_mut();
        pending.traffic.clear();
        pending.traffic.extend_from_slice(traffic);
        pending.next = 0;
        self.next.set(pending.due());
    }

    /// Ends a step: its remaining traffic happens now.
    pub fn end(&self) {
        self.total.set(self.total.get() + u64::from(self.accesses.get()));
        self.modifying.set(false);
        self.catch_up(u32::MAX);
        self.ignores_stores.set(false);
        self.next.set(u32::MAX);
    }

    /// Called before each access of the driver.
    #[inline]
    fn access(&self) {
        let nth = self.accesses.get();
        self.accesses.set(nth + 1);
        if nth >= self.next.get() {
            self.catch_up(nth);
        }
        assert!(nth < MOST_ACCESSES, "a call that never ends");
    }

    /// Called when all stores have arrived; `read` is the register that the last access read, if
    /// any.
    fn arrived(&self, read: Option<Register>) {
        self.modifying.set(false);
        self.read.set(read);
    }

    /// Called before each store of the driver to a register. If the driver has just read the register, this is a
    /// read-modify-write until the store arrives.
    fn store(&self, register: Register) {
        let modifies = self.read.take() == Some(register);
        self.modifying.set(self.modifying.get() || modifies);
    }

    #[cold]
    fn catch_up(&self, nth: u32) {
        loop {
            let mut pending = self.pending.borrow_mut();
            let next = pending.next;
            let item = match pending.traffic.get(next) {
                // The driver would overwrite a write of the second owner in the middle of a
                // read-modify-write, and could not detect that.
                Some(traffic) if self.modifying.get() && traffic.item.is_overwritten() => return,
                Some(traffic) if u32::from(traffic.at) <= nth => traffic.item,
                _ => {
                    self.next.set(pending.due());
                    return;
                }
            };
            pending.next += 1;
            drop(pending);
            // A driver may report a counter that wraps in the middle of a call as disturbed.
            if nth != u32::MAX
                && matches!(item, Item::Event { times, .. } | Item::Cycles(times) if times >= 1 << 30)
            {
                self.clean.set(false);
                self.lawful.set(false);
            }
            if let (Item::Leave(counters), true) = (item, nth != u32::MAX) {
                // No register shows that a counter was removed for a part of a call.
                if counters > self.left.get() {
                    continue;
                }
                // The hypervisor may remove a counter just after the driver read the counter's bit.
                self.lawful.set(false);
            }
            // If the power was lost during a call, the stop would restore a part of the registers.
            if item == Item::LosesPower && nth != u32::MAX {
                continue;
            }
            self.happen(item);
        }
    }

    /// Applies traffic now.
    pub fn happen(&self, item: Item) {
        let mut touched = self.touched.get();
        match item {
            Item::Event { event, times } => {
                D::signal(self.device, event.into(), times);
                self.add(event, times);
                return;
            }
            Item::Cycles(cycles) => {
                D::clock(self.device, cycles);
                self.add(CYCLES, cycles);
                return;
            }
            Item::DisableAll => touched.all = true,
            Item::Disable(_) | Item::DisableCycles | Item::Select(_) => touched.counters = true,
            Item::Leave(counters) => {
                self.left.set(counters);
                self.clean.set(false);
                D::interfere(self.device, item);
                return;
            }
            // Each reading detects a moved selector.
            Item::MoveSelector(_) => {}
            Item::Zeros | Item::Ones | Item::Fails | Item::Answers => {}
            Item::IgnoresStores => self.ignores_stores.set(true),
            Item::LosesPower => touched.power = true,
        }
        self.touched.set(touched);
        self.clean.set(false);
        self.lawful.set(false);
        D::interfere(self.device, item);
    }

    fn add(&self, kind: u8, times: u32) {
        let mut history = self.history.borrow_mut();
        let mut sums = *history.last().expect("the begin of the program");
        sums[usize::from(kind)] += u64::from(times);
        history.push(sums);
    }

    pub fn now(&self) -> usize {
        self.history.borrow().len() - 1
    }

    /// Returns the span from an earlier moment to now.
    pub fn since(&self, first: usize) -> Span {
        Span { first, last: self.now() }
    }

    /// Returns the sum of an event or of cycles up to a moment.
    pub fn sum(&self, kind: u8, moment: usize) -> u64 {
        self.history.borrow()[moment][usize::from(kind)]
    }

    /// Returns the sum of an event or of cycles between two moments.
    pub fn between(&self, kind: u8, first: usize, last: usize) -> u64 {
        self.sum(kind, last) - self.sum(kind, first)
    }

    /// Returns the actions of a second owner since [`forget`](Self::forget).
    pub fn touched(&self) -> Touched {
        self.touched.get()
    }

    /// Begins a start: earlier actions of a second owner no longer matter.
    pub fn forget(&self) {
        self.touched.set(Touched::default());
    }

    /// Makes counts of the running PMU unknown until the next start.
    pub fn touch_counters(&self) {
        self.touched.set(Touched { counters: true, ..self.touched.get() });
    }

    /// Whether a store of this step had no effect.
    pub fn ignored_store(&self) -> bool {
        self.ignored.get()
    }

    /// Whether the program's traffic was only events and cycles, with few of them within a call.
    pub fn is_clean(&self) -> bool {
        self.clean.get()
    }

    /// Returns whether every access that the manual forbids is the driver's fault.
    pub fn is_lawful(&self) -> bool {
        self.lawful.get()
    }

    /// Returns the accesses of the program up to the end of the last step.
    pub fn accesses(&self) -> u64 {
        self.total.get()
    }
}

impl Pending {
    fn due(&self) -> u32 {
        self.traffic.get(self.next).map_or(u32::MAX, |traffic| traffic.at.into())
    }
}

/// A bus of a driver, with traffic before each access.
#[derive(Debug)]
pub struct BusyBus<'w, B, D: Subject> {
    bus: B,
    world: &'w World<'w, D>,
}

impl<'w, B, D: Subject> BusyBus<'w, B, D> {
    pub const fn new(bus: B, world: &'w World<'w, D>) -> Self {
        Self { bus, world }
    }
}

impl<B: Bus, D: Subject> Bus for BusyBus<'_, B, D> {
    type Space = B::Space;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux {
        self.world.access();
        let value = self.bus.load::<S>(index);
        self.world.arrived(Some((type_name::<S>(), index)));
        value
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux) {
        self.world.store((type_name::<S>(), index));
        self.world.access();
        if self.world.ignores_stores.get() {
            self.world.ignored.set(true);
        } else {
            self.bus.store::<S>(index, value);
        }
    }

    fn synchronize(&self) {
        self.world.access();
        self.bus.synchronize();
        self.world.arrived(None);
    }

    fn read_control(&self, register: ControlRegister) -> Option<u64> {
        self.bus.read_control(register)
    }

    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}
