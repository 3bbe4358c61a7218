//! Path of an access from software to a device.

use std::collections::VecDeque;
use std::fmt::Debug;

use crate::access::{Access, PageOrder, Response, Security};

/// A kind of access path, with its register keys, requesters and journal entries.
pub(crate) trait Way: Debug {
    /// Key of one register.
    type Key: Copy + Debug;
    /// Property of software that decides which registers it can access.
    type Requester: Copy + Debug + Eq;
    /// One entry of a journal.
    type Access: Copy + Debug;
    /// The value of one access.
    type Value: Copy + Debug;
    /// All bits 0.
    const ZEROS: Self::Value;
    /// All bits 1.
    const ONES: Self::Value;
    /// Whether the device is a part of the core that accesses it. A refused access is then an
    /// exception, which software takes at the access and not when a store arrives, and all masters
    /// are the same core.
    const IN_CORE: bool;
    /// Journal entry of a synchronization.
    const SYNCHRONIZE: Self::Access;
    /// Returns the journal entry of a load.
    fn loaded(key: Self::Key, value: Self::Value) -> Self::Access;
    /// Returns the journal entry of a store.
    fn stored(key: Self::Key, value: Self::Value) -> Self::Access;
}

/// Access path to registers in memory, through an interconnect.
#[derive(Debug)]
pub(crate) enum MemoryMapped {}

impl Way for MemoryMapped {
    type Key = usize;
    type Requester = Security;
    type Access = Access;
    type Value = u32;
    const ZEROS: u32 = 0;
    const ONES: u32 = u32::MAX;
    const IN_CORE: bool = false;
    const SYNCHRONIZE: Access = Access::Synchronize;

    fn loaded(offset: usize, value: u32) -> Access {
        Access::Load { offset, value }
    }

    fn stored(offset: usize, value: u32) -> Access {
        Access::Store { offset, value }
    }
}

/// Behaviour of a device for accesses that reach it.
pub(crate) trait Device<W: Way = MemoryMapped>: Debug {
    /// Returns the response to an access by this software: `Registers` if it reaches the register.
    fn admit(&self, key: W::Key, requester: W::Requester) -> Response;
    /// Returns the response to a store, which some buses answer differently.
    fn admit_store(&self, key: W::Key, requester: W::Requester) -> Response {
        self.admit(key, requester)
    }
    /// Called before each access of software. Returns whether an interrupt precedes the access.
    fn interrupts(&mut self) -> bool {
        false
    }
    /// Runs the handler of that interrupt. Stores issued before the interrupt have arrived.
    fn handle_interrupt(&mut self) {}
    /// Lets the time of one access pass.
    fn elapse(&mut self) {}
    /// Called when software accesses a register in another width than 32 bits.
    fn other_width(&mut self, _key: W::Key, _bytes: usize) {}

    /// Reads a register.
    fn load(&mut self, key: W::Key) -> W::Value;
    /// Writes a register.
    fn store(&mut self, key: W::Key, value: W::Value);
    /// Called when software has synchronized and its stores have arrived.
    fn synchronize(&mut self) {}
}

/// A device and the path of all accesses to it: the journal, the buffers of posted stores, and an
/// interconnect that may block accesses.
#[derive(Debug)]
pub(crate) struct Port<D: Device<W> + ?Sized, W: Way = MemoryMapped> {
    masters: Vec<Master<W>>,
    posted_stores: bool,
    page_order: PageOrder,
    /// Whether stores have no effect.
    stores_ignored: bool,
    /// Number of issued stores.
    issued: u64,
    response: Response,
    /// Number of arrivals until the response changes, and the new response.
    next_response: Option<(usize, Response)>,
    journal: Vec<W::Access>,
    /// Last field, so that a port of any device is a port of a `dyn Device`.
    pub(crate) device: D,
}

/// One user of a port.
#[derive(Debug)]
struct Master<W: Way> {
    requester: W::Requester,
    /// Masters of one core wait for each other's accesses when they synchronize.
    core: usize,
    /// Page that the master can access, if the device has two pages.
    page: Option<usize>,
    /// Stores that were issued and have not arrived, with the oldest first.
    posted: VecDeque<Posted<W>>,
    /// Whether an access of this master failed.
    failed: bool,
}

/// A store that has not arrived.
#[derive(Debug)]
struct Posted<W: Way> {
    /// Number of stores that all masters issued before it.
    nth: u64,
    key: W::Key,
    value: W::Value,
}

/// Identifies one user of a port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MasterId(usize);

impl<W: Way, D: Device<W>> Port<D, W> {
    pub(crate) const fn new(device: D) -> Self {
        Self {
            masters: Vec::new(),
            posted_stores: true,
            page_order: PageOrder::Issued,
            stores_ignored: false,
            issued: 0,
            response: Response::Registers,
            next_response: None,
            journal: Vec::new(),
            device,
        }
    }

    /// Adds a user of the device.
    pub(crate) fn connect(&mut self, requester: W::Requester) -> MasterId {
        let core = if W::IN_CORE { 0 } else { self.masters.len() };
        self.add(requester, core, None)
    }

    /// Adds a user of one page of the device. The new user belongs to the same core as the oldest
    /// user of the other page with the same rights and without a partner.
    pub(crate) fn connect_page(&mut self, requester: W::Requester, page: usize) -> MasterId {
        let has = |core, page| {
            self.masters.iter().any(|master| master.core == core && master.page == Some(page))
        };
        let alone = self.masters.iter().find(|other| {
            other.requester == requester && other.page == Some(1 - page) && !has(other.core, page)
        });
        let core = alone.map_or(self.masters.len(), |other| other.core);
        self.add(requester, core, Some(page))
    }

    fn add(&mut self, requester: W::Requester, core: usize, page: Option<usize>) -> MasterId {
        self.masters.push(Master { requester, core, page, posted: VecDeque::new(), failed: false });
        MasterId(self.masters.len() - 1)
    }

    /// Order in which stores to two pages arrive.
    pub(crate) fn set_page_order(&mut self, order: PageOrder) {
        self.page_order = order;
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

    /// Selects whether later stores are ignored without an error.
    pub(crate) fn ignore_stores(&mut self, ignored: bool) {
        self.stores_ignored = ignored;
    }

    /// Drops the stores that have not arrived.
    pub(crate) fn lose_posted_stores(&mut self) {
        for master in &mut self.masters {
            master.posted.clear();
        }
    }

    /// Answers all accesses with `response` after `arrivals` further accesses have arrived.
    pub(crate) fn respond(&mut self, arrivals: usize, response: Response) {
        self.next_response = Some((arrivals, response));
    }

    pub(crate) fn journal(&self) -> &[W::Access] {
        &self.journal
    }

    pub(crate) fn clear_journal(&mut self) {
        self.journal.clear();
    }
}

impl<W: Way, D: Device<W> + ?Sized> Port<D, W> {
    pub(crate) fn load(&mut self, master: MasterId, key: W::Key) -> W::Value {
        match self.page_order {
            PageOrder::Issued => self.drain_core(master),
            PageOrder::Page0First | PageOrder::Page1First => self.drain(master),
        }
        self.let_interrupt(master);
        let value = match self.arrive(master, key, D::admit) {
            Response::Registers => self.device.load(key),
            Response::Ones => W::ONES,
            Response::Zero | Response::Error => W::ZEROS,
        };
        self.journal.push(W::loaded(key, value));
        value
    }

    pub(crate) fn store(&mut self, master: MasterId, key: W::Key, value: W::Value) {
        self.let_interrupt(master);
        self.journal.push(W::stored(key, value));
        if W::IN_CORE && self.arrive(master, key, D::admit_store) != Response::Registers {
            return;
        }
        let posted = Posted { nth: self.issued, key, value };
        self.issued += 1;
        self.masters[master.0].posted.push_back(posted);
        if !self.posted_stores {
            self.drain(master);
        }
    }

    pub(crate) fn synchronize(&mut self, master: MasterId) {
        self.drain_core(master);
        self.device.synchronize();
        self.journal.push(W::SYNCHRONIZE);
    }

    /// Adds users of the two pages of the device, on the core of this user.
    pub(crate) fn divide(&mut self, master: MasterId) -> [MasterId; 2] {
        let Master { requester, core, failed, .. } = self.masters[master.0];
        [0, 1].map(|page| {
            let page = Some(page);
            self.masters.push(Master { requester, core, page, posted: VecDeque::new(), failed });
            MasterId(self.masters.len() - 1)
        })
    }

    /// Removes a user. Removes a user, whose issued stores arrive.
    pub(crate) fn disconnect(&mut self, master: MasterId) {
        if W::IN_CORE {
            self.drain_core(master);
        } else {
            self.drain(master);
        }
        self.masters[master.0].page = None;
    }

    /// Runs an interrupt before the next access, if one is due.
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

    fn let_arrive(&mut self, master: MasterId, posted: Posted<W>) {
        // On a core, the store was admitted when it was issued.
        let admitted =
            W::IN_CORE || self.arrive(master, posted.key, D::admit_store) == Response::Registers;
        if admitted && !self.stores_ignored {
            self.device.store(posted.key, posted.value);
        }
    }

    /// Whether an access of this master failed.
    pub(crate) fn failed(&self, master: MasterId) -> bool {
        self.masters[master.0].failed
    }

    /// Returns the response to one access. A master that had an error no longer reaches the device.
    fn arrive(
        &mut self,
        master: MasterId,
        key: W::Key,
        admit: fn(&D, W::Key, W::Requester) -> Response,
    ) -> Response {
        if self.masters[master.0].failed {
            return Response::Error;
        }
        match self.next_response.take() {
            Some((0, response)) => self.response = response,
            Some((arrivals, response)) => self.next_response = Some((arrivals - 1, response)),
            None => {}
        }
        self.device.elapse();
        let response = match self.response {
            Response::Registers => admit(&self.device, key, self.masters[master.0].requester),
            other => other,
        };
        self.masters[master.0].failed = response == Response::Error;
        response
    }
}
