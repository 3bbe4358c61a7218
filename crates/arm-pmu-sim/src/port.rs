//! Path of an access from software to a device.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Debug;

use arm_pmu_core::bus::{BusError, Word};

use crate::access::{PageOrder, Response};
use crate::register::{Register, Row};

/// Behaviour of a device for accesses that reach it.
pub(crate) trait Device<R: Row = Register>: Debug {
    /// Whether an access by this software reaches the register.
    fn admits(&self, key: R::Key, requester: R::Requester, is_store: bool) -> bool;
    /// Returns the response to an access that does not reach the register.
    fn refusal(&self) -> Response {
        if R::IN_CORE { Response::Error } else { Response::Zero }
    }
    /// Called before each access of software. Returns whether an interrupt precedes the access.
    fn interrupts(&mut self) -> bool {
        false
    }
    /// Runs the handler of the interrupt that precedes the access. Stores issued before the
    /// interrupt have arrived.
    fn handle_interrupt(&mut self) {}
    /// Lets this number of cycles pass.
    fn clock(&mut self, _cycles: u64) {}
    /// Advances the clock by these cycles, the duration of one access.
    fn elapse(&mut self, cycles: u64) {
        self.clock(cycles);
    }
    /// Called when software accesses a register with a width other than 32 bits.
    fn other_width(&mut self, _key: R::Key, _bytes: usize) {}

    fn load(&mut self, key: R::Key) -> R::Value;
    fn store(&mut self, key: R::Key, value: R::Value);
    /// Called when software has synchronized and its stores have arrived.
    fn synchronize(&mut self) {}
}

/// A device and the path of all accesses to it: the journal, the buffers of posted stores, and an
/// interconnect that may block accesses.
#[derive(Debug)]
pub(crate) struct Port<D: Device<R> + ?Sized, R: Row = Register> {
    masters: Vec<Master<R>>,
    posted_stores: bool,
    pub(crate) page_order: PageOrder,
    /// Whether stores have no effect.
    pub(crate) stores_ignored: bool,
    /// Number of cycles that pass before every access.
    pub(crate) cycles_per_access: u64,
    /// Number of issued stores.
    issued: u64,
    response: Response,
    /// The response to come, after the number of accesses that still get the old one.
    pub(crate) next_response: Option<(usize, Response)>,
    pub(crate) journal: Vec<R::Access>,
    /// This is the last field, so that a port of any device coerces to a port of `dyn Device`.
    pub(crate) device: D,
}

/// Software that accesses a port through one bus.
#[derive(Debug)]
struct Master<R: Row> {
    requester: R::Requester,
    /// When masters of the same core synchronize, each also waits for the accesses of the others.
    core: usize,
    /// Page that the master can access, if the device has two pages.
    page: Option<usize>,
    /// Stores that were issued and have not arrived, with the oldest first.
    posted: VecDeque<Posted<R>>,
    failed: bool,
}

/// A store that has not arrived.
#[derive(Debug)]
struct Posted<R: Row> {
    /// Number of stores that all masters issued before this store.
    nth: u64,
    key: R::Key,
    value: R::Value,
}

/// Identifies one user of a port.
#[derive(Clone, Copy, Debug)]
struct MasterId(usize);

/// The connection of one user to a port. Issued stores arrive when the connection is dropped.
#[derive(Debug)]
pub(crate) struct Connection<'device, R: Row = Register> {
    port: &'device RefCell<Port<dyn Device<R>, R>>,
    master: MasterId,
}

impl<'device, R: Row> Connection<'device, R> {
    pub(crate) fn new<D: Device<R> + 'static>(
        port: &'device RefCell<Port<D, R>>,
        requester: R::Requester,
    ) -> Self {
        let mut device = port.borrow_mut();
        let core = if R::IN_CORE { 0 } else { device.masters.len() };
        Self { port, master: device.add(requester, core, None, false) }
    }

    /// Adds a user of one page of the device. The new user joins the core of the oldest user of the other page that has
    /// the same rights and whose core has no user of this page yet; if there is no such user, the new user gets a core
    /// of its own.
    pub(crate) fn to_page<D: Device<R> + 'static>(
        port: &'device RefCell<Port<D, R>>,
        requester: R::Requester,
        page: usize,
    ) -> Self {
        let mut device = port.borrow_mut();
        let has = |core, page| {
            device.masters.iter().any(|master| master.core == core && master.page == Some(page))
        };
        let alone = device.masters.iter().find(|other| {
            other.requester == requester && other.page == Some(1 - page) && !has(other.core, page)
        });
        let core = alone.map_or(device.masters.len(), |other| other.core);
        Self { port, master: device.add(requester, core, Some(page), false) }
    }

    /// Adds two users, one for each page of the device. Both run on the core of this user.
    pub(crate) fn divide(&self) -> [Self; 2] {
        let mut port = self.port.borrow_mut();
        let Master { requester, core, failed, .. } = port.masters[self.master.0];
        [0, 1].map(|page| Self {
            port: self.port,
            master: port.add(requester, core, Some(page), failed),
        })
    }

    pub(crate) fn load(&self, key: R::Key) -> R::Value {
        self.port.borrow_mut().load(self.master, key)
    }

    pub(crate) fn store(&self, key: R::Key, value: R::Value) {
        self.port.borrow_mut().store(self.master, key, value);
    }

    pub(crate) fn synchronize(&self) {
        self.port.borrow_mut().synchronize(self.master);
    }

    pub(crate) fn error(&self) -> Option<BusError> {
        self.port.borrow().masters[self.master.0].failed.then(BusError::new)
    }

    /// Reports an access with a width other than 32 bits to the device.
    pub(crate) fn has_width(&self, key: R::Key, bytes: usize) {
        self.port.borrow_mut().device.other_width(key, bytes);
    }
}

impl<R: Row> Drop for Connection<'_, R> {
    fn drop(&mut self) {
        self.port.borrow_mut().disconnect(self.master);
    }
}

impl<R: Row, D: Device<R>> Port<D, R> {
    pub(crate) const fn new(device: D) -> Self {
        Self {
            masters: Vec::new(),
            posted_stores: true,
            page_order: PageOrder::Issued,
            stores_ignored: false,
            cycles_per_access: 0,
            issued: 0,
            response: Response::Registers,
            next_response: None,
            journal: Vec::new(),
            device,
        }
    }

    /// Selects whether stores wait until the next load or synchronization. When posting is switched
    /// off, waiting stores arrive immediately.
    pub(crate) fn set_posted_stores(&mut self, posted: bool) {
        self.posted_stores = posted;
        if !posted {
            for master in (0..self.masters.len()).map(MasterId) {
                self.drain_core(master);
            }
        }
    }

    /// Drops the stores that have not arrived.
    pub(crate) fn lose_posted_stores(&mut self) {
        for master in &mut self.masters {
            master.posted.clear();
        }
    }
}

impl<R: Row, D: Device<R> + ?Sized> Port<D, R> {
    fn load(&mut self, master: MasterId, key: R::Key) -> R::Value {
        match self.page_order {
            PageOrder::Issued => self.drain_core(master),
            PageOrder::Page0First | PageOrder::Page1First => self.drain(master),
        }
        self.let_interrupt(master);
        let value = match self.arrive(master, key, false) {
            Response::Registers => self.device.load(key),
            Response::Ones => R::Value::truncate(u64::MAX),
            Response::Zero | Response::Error => R::Value::truncate(0),
        };
        self.journal.push(R::loaded(key, value));
        value
    }

    fn store(&mut self, master: MasterId, key: R::Key, value: R::Value) {
        self.let_interrupt(master);
        self.journal.push(R::stored(key, value));
        if R::IN_CORE && self.arrive(master, key, true) != Response::Registers {
            return;
        }
        let posted = Posted { nth: self.issued, key, value };
        self.issued += 1;
        self.masters[master.0].posted.push_back(posted);
        if !self.posted_stores {
            self.drain(master);
        }
    }

    fn synchronize(&mut self, master: MasterId) {
        self.drain_core(master);
        self.device.synchronize();
        self.journal.push(R::SYNCHRONIZE);
    }

    fn add(
        &mut self,
        requester: R::Requester,
        core: usize,
        page: Option<usize>,
        failed: bool,
    ) -> MasterId {
        self.masters.push(Master { requester, core, page, posted: VecDeque::new(), failed });
        MasterId(self.masters.len() - 1)
    }

    /// Removes a user. Stores that this user has issued still arrive.
    fn disconnect(&mut self, master: MasterId) {
        if R::IN_CORE {
            self.drain_core(master);
        } else {
            self.drain(master);
        }
        self.masters[master.0].page = None;
    }

    fn let_interrupt(&mut self, master: MasterId) {
        if self.device.interrupts() {
            self.drain_core(master);
            self.device.handle_interrupt();
        }
    }

    /// Lets the stores of one master arrive, in the order of issue.
    fn drain(&mut self, master: MasterId) {
        while let Some(posted) = self.masters[master.0].posted.pop_front() {
            self.let_arrive(master, posted);
        }
    }

    /// Lets the stores of all masters of one core arrive in the configured order.
    fn drain_core(&mut self, master: MasterId) {
        let core = self.masters[master.0].core;
        while let Some(next) = self.next_of(core) {
            if let Some(posted) = self.masters[next.0].posted.pop_front() {
                self.let_arrive(next, posted);
            }
        }
    }

    /// Returns the master of one core whose store arrives next.
    fn next_of(&self, core: usize) -> Option<MasterId> {
        let masters = self.masters.iter().enumerate().filter(|(_, master)| master.core == core);
        let waiting = masters.filter_map(|(id, master)| {
            let oldest = master.posted.front()?.nth;
            let rank = match self.page_order {
                PageOrder::Issued => None,
                PageOrder::Page0First => master.page,
                PageOrder::Page1First => master.page.map(|page| 1 - page),
            };
            Some(((rank, oldest), MasterId(id)))
        });
        waiting.min_by_key(|(key, _)| *key).map(|(_, id)| id)
    }

    fn let_arrive(&mut self, master: MasterId, posted: Posted<R>) {
        // In a core, the access was already checked and admitted when the store was issued.
        let admitted = R::IN_CORE || self.arrive(master, posted.key, true) == Response::Registers;
        if admitted && !self.stores_ignored {
            self.device.store(posted.key, posted.value);
        }
    }

    /// Returns the response to one access. After a master has had an error, its accesses no longer
    /// reach the device.
    fn arrive(&mut self, master: MasterId, key: R::Key, is_store: bool) -> Response {
        if self.masters[master.0].failed {
            return Response::Error;
        }
        match self.next_response.take() {
            Some((0, response)) => self.response = response,
            Some((arrivals, response)) => self.next_response = Some((arrivals - 1, response)),
            None => {}
        }
        self.device.elapse(self.cycles_per_access);
        let response = match self.response {
            Response::Registers => {
                let requester = self.masters[master.0].requester;
                let is_admitted = self.device.admits(key, requester, is_store);
                if is_admitted { Response::Registers } else { self.device.refusal() }
            }
            other => other,
        };
        self.masters[master.0].failed = response == Response::Error;
        response
    }
}
