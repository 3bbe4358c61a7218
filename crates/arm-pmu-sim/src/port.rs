//! The way of an access from software to a device.

use std::collections::VecDeque;
use std::fmt::Debug;

use crate::{Access, Response, Security};

/// What a device does with an access that reached it.
pub(crate) trait Device: Debug {
    /// Reads the register at `offset`.
    fn load(&mut self, offset: usize, security: Security) -> u32;
    /// Writes the register at `offset`.
    fn store(&mut self, offset: usize, value: u32, security: Security);
}

/// A device and what all accesses to it pass on their way: the journal, the buffers of posted
/// stores, and an interconnect that may not let them through.
#[derive(Debug)]
pub(crate) struct Port<D: Device + ?Sized> {
    masters: Vec<Master>,
    posted_stores: bool,
    response: Response,
    /// The response after so many more arrivals.
    next_response: Option<(usize, Response)>,
    journal: Vec<Access>,
    /// Last, so that a port of any device is a port of a `dyn Device`.
    pub(crate) device: D,
}

/// One user of a port.
#[derive(Debug)]
struct Master {
    security: Security,
    /// Offsets and values of stores that were issued and have not arrived, oldest first.
    posted: VecDeque<(usize, u32)>,
    /// Whether an access of this master failed.
    failed: bool,
}

/// Names one user of a port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MasterId(usize);

impl<D: Device> Port<D> {
    pub(crate) const fn new(device: D) -> Self {
        Self {
            masters: Vec::new(),
            posted_stores: true,
            response: Response::Registers,
            next_response: None,
            journal: Vec::new(),
            device,
        }
    }

    /// Adds a user of the device.
    pub(crate) fn connect(&mut self, security: Security) -> MasterId {
        self.masters.push(Master { security, posted: VecDeque::new(), failed: false });
        MasterId(self.masters.len() - 1)
    }

    /// Whether stores wait until the next load or synchronization. If not, those that wait now
    /// arrive now.
    pub(crate) fn set_posted_stores(&mut self, posted: bool) {
        self.posted_stores = posted;
        if !posted {
            for master in (0..self.masters.len()).map(MasterId) {
                self.drain(master);
            }
        }
    }

    /// Drops the stores that have not arrived.
    pub(crate) fn lose_posted_stores(&mut self) {
        for master in &mut self.masters {
            master.posted.clear();
        }
    }

    /// After `arrivals` more accesses have arrived, all that arrive are answered so.
    pub(crate) fn respond(&mut self, arrivals: usize, response: Response) {
        self.next_response = Some((arrivals, response));
    }

    pub(crate) fn journal(&self) -> &[Access] {
        &self.journal
    }

    pub(crate) fn clear_journal(&mut self) {
        self.journal.clear();
    }
}

impl<D: Device + ?Sized> Port<D> {
    pub(crate) fn load(&mut self, master: MasterId, offset: usize) -> u32 {
        self.drain(master);
        let security = self.masters[master.0].security;
        let value = match self.arrive(master) {
            Response::Registers => self.device.load(offset, security),
            Response::Zero | Response::Error => 0,
        };
        self.journal.push(Access::Load { offset, value });
        value
    }

    pub(crate) fn store(&mut self, master: MasterId, offset: usize, value: u32) {
        self.journal.push(Access::Store { offset, value });
        self.masters[master.0].posted.push_back((offset, value));
        if !self.posted_stores {
            self.drain(master);
        }
    }

    pub(crate) fn synchronize(&mut self, master: MasterId) {
        self.drain(master);
        self.journal.push(Access::Synchronize);
    }

    /// Lets the stores of one master arrive, in the order in which they were issued.
    pub(crate) fn drain(&mut self, master: MasterId) {
        let security = self.masters[master.0].security;
        while let Some((offset, value)) = self.masters[master.0].posted.pop_front() {
            if self.arrive(master) == Response::Registers {
                self.device.store(offset, value, security);
            }
        }
    }

    /// Whether an access of this master failed.
    pub(crate) fn failed(&self, master: MasterId) -> bool {
        self.masters[master.0].failed
    }

    /// How one access is answered. A master that met an error reaches nothing any more.
    fn arrive(&mut self, master: MasterId) -> Response {
        if self.masters[master.0].failed {
            return Response::Error;
        }
        match self.next_response.take() {
            Some((0, response)) => self.response = response,
            Some((arrivals, response)) => self.next_response = Some((arrivals - 1, response)),
            None => {}
        }
        self.masters[master.0].failed = self.response == Response::Error;
        self.response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device that shows what arrived.
    #[derive(Debug, Default)]
    struct Arrived(Vec<(usize, u32)>);

    impl Device for Arrived {
        fn load(&mut self, _: usize, security: Security) -> u32 {
            if security == Security::Secure { 7 } else { 8 }
        }

        fn store(&mut self, offset: usize, value: u32, _: Security) {
            self.0.push((offset, value));
        }
    }

    fn port() -> (Port<Arrived>, MasterId) {
        let mut port = Port::new(Arrived::default());
        let master = port.connect(Security::Secure);
        (port, master)
    }

    #[test]
    fn stores_wait_for_a_load_or_a_synchronization() {
        let (mut port, master) = port();
        port.store(master, 4, 1);
        port.store(master, 8, 2);
        assert_eq!(port.device.0, []);
        port.load(master, 0);
        assert_eq!(port.device.0, [(4, 1), (8, 2)], "in program order");
        port.store(master, 4, 3);
        port.synchronize(master);
        assert_eq!(port.device.0[2..], [(4, 3)]);
    }

    #[test]
    fn nobody_waits_for_the_stores_of_others() {
        let (mut port, first) = port();
        let second = port.connect(Security::NonSecure);
        port.store(first, 4, 1);
        assert_eq!(port.load(second, 0), 8, "with its own security");
        port.synchronize(second);
        assert_eq!(port.device.0, []);
    }

    #[test]
    fn without_posting_stores_arrive_at_once_and_so_do_those_that_wait() {
        let (mut port, master) = port();
        port.store(master, 4, 1);
        port.set_posted_stores(false);
        assert_eq!(port.device.0, [(4, 1)]);
        port.store(master, 4, 2);
        assert_eq!(port.device.0[1..], [(4, 2)]);
        port.set_posted_stores(true);
        port.store(master, 4, 3);
        port.lose_posted_stores();
        port.synchronize(master);
        assert_eq!(port.device.0.len(), 2, "the third was lost");
    }

    #[test]
    fn the_journal_is_in_program_order() {
        let (mut port, master) = port();
        port.store(master, 4, 1);
        port.load(master, 0);
        port.synchronize(master);
        let load = Access::Load { offset: 0, value: 7 };
        assert_eq!(
            port.journal(),
            [Access::Store { offset: 4, value: 1 }, load, Access::Synchronize]
        );
        port.clear_journal();
        assert_eq!(port.journal(), []);
    }

    #[test]
    fn zero_is_an_answer_and_an_error_is_for_ever() {
        let (mut port, master) = port();
        port.respond(0, Response::Zero);
        port.store(master, 4, 1);
        assert_eq!(port.load(master, 0), 0);
        assert!(!port.failed(master));

        port.respond(0, Response::Error);
        assert_eq!(port.load(master, 0), 0);
        assert!(port.failed(master));

        port.respond(0, Response::Registers);
        port.store(master, 4, 1);
        assert_eq!(port.load(master, 0), 0);
        assert!(port.failed(master));
        assert_eq!(port.device.0, []);
        let second = port.connect(Security::Secure);
        assert_eq!(port.load(second, 0), 7, "another bus has not failed");
    }

    #[test]
    fn a_store_fails_where_it_arrives() {
        let (mut port, master) = port();
        port.respond(0, Response::Error);
        port.store(master, 4, 1);
        assert!(!port.failed(master), "an imprecise error");
        port.synchronize(master);
        assert!(port.failed(master));
    }

    #[test]
    fn the_response_changes_after_so_many_arrivals() {
        let (mut port, master) = port();
        port.respond(2, Response::Zero);
        port.store(master, 4, 1);
        assert_eq!(port.load(master, 0), 7);
        assert_eq!(port.load(master, 0), 0);
        assert_eq!(port.device.0, [(4, 1)]);
    }
}
