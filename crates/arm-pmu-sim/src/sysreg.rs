//! AArch64 system registers: rows, violations and buses.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use arm_pmu_core::bus::{
    Bus, BusError, ControlRegister, RegisterSpec, Space, SysregSpace, SystemRegister, Word,
};

use crate::access::{Mode, UserAccess};
use crate::port::{Connection, Device, Port};
use crate::register::{Elements, register_kind};
use crate::register_file::RegisterFile;

const fn of_level(op1: u8, crn: u8, crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1, crn, crm, op2 }
}

// As in Linux (`arch/arm64/tools/sysreg`).
pub(crate) const CURRENT_EL: SystemRegister = of_level(0, 4, 2, 2);
pub(crate) const ID_AA64PFR0: SystemRegister = of_level(0, 0, 4, 0);
pub(crate) const MDCR_EL2: SystemRegister = of_level(4, 1, 1, 1);
pub(crate) const MDCR_EL3: SystemRegister = of_level(6, 1, 3, 1);

register_kind! {
    /// One row of a map of system registers: a single register, or an array with one register for
    /// each event counter.
    ///
    /// Each bit is in one of the masks that [`readable`](Self::readable) combines, or in
    /// [`write_one_to_act`](Self::write_one_to_act). Any other bit is reserved: it reads as zero and must be written
    /// as zero.
    SysregRegister {
        /// Encoding of the register; for an array, encoding of the first element.
        register: SystemRegister,
        /// Number of elements; CRm and op2 count as one number.
        count: usize = 1,
        /// Access rights of EL0.
        user: UserAccess = UserAccess::Enabled,
    }
    value: u64, software: Mode, violation: SysregViolation, in_core: true;

    /// One entry of the journal of a device with system registers: an access by software, in program order.
    SysregAccess: "A register was read (MRS).", "A register was written (MSR).",
        "Software waited until its earlier accesses had taken effect."
}

impl Elements for SysregRegister {
    type Cell = SystemRegister;

    fn cells(&self) -> impl Iterator<Item = SystemRegister> {
        let first = self.register;
        (0..self.count).map(move |element| first.plus(element))
    }

    fn index(&self, register: SystemRegister) -> Option<usize> {
        let number = |of: SystemRegister| usize::from(of.crm) * 8 + usize::from(of.op2);
        let element = number(register).checked_sub(number(self.register))?;
        (element < self.count && self.register.plus(element) == register).then_some(element)
    }

    fn held_at(&self, register: SystemRegister) -> SystemRegister {
        if register == self.register { self.held_at } else { register }
    }

    fn describe(register: SystemRegister) -> String {
        format!("{register:?}")
    }
}

impl RegisterFile<SysregRegister> {
    /// Records a violation if reserved bits are written as 1.
    pub(crate) fn check_reserved(&mut self, register: SystemRegister, value: u64) {
        let Some(row) = self.find(register) else { return };
        let bits = value & !(row.readable() | row.write_one_to_act);
        if bits != 0 {
            self.record(SysregViolation::ReservedBits { register, bits });
        }
    }
}

/// A software access that the architecture forbids or leaves undefined.
///
/// As in a real device, execution continues; unpredictable bits become noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SysregViolation {
    /// Reserved bits were written as 1.
    ReservedBits {
        /// The register.
        register: SystemRegister,
        /// Those bits.
        bits: u64,
    },
    /// A counter at PMCR_EL0.N or above was accessed.
    CounterOfOthers {
        /// The register.
        register: SystemRegister,
    },
    /// A register of the selected counter was accessed before the write of the selector was synchronized.
    SelectorNotSynchronized {
        /// The register.
        register: SystemRegister,
    },
    /// Software selected an event that this PMU does not have.
    ReservedEvent {
        /// The event counter.
        counter: usize,
        /// The number of the event.
        event: u16,
    },
    /// Software incremented a counter that does not count software increments.
    NotForSoftware {
        /// The event counter.
        counter: usize,
    },
}

/// A bus to the system registers of a simulated device.
///
/// As on a real core, a bus has one owner and cannot be copied. The bus borrows the device, so the test can
/// signal events while a driver owns the bus. A second bus to the same device acts as other software on the same core.
///
/// Stores take effect in the order of issue, at the next load or [`synchronize`](Bus::synchronize) of any bus
/// of the device, or when their bus is dropped.
///
/// # Traps
///
/// A core traps an access to a register that it does not have, or that EL0 cannot access. In the simulation,
/// such an access has no effect, and the bus has an [error](Bus::error) immediately. From then on, the bus returns 0
/// and does not reach the device, as if the software had ended at the exception.
///
/// `S` is the space of the driver's registers, or [`AnySystemRegister`].
pub struct SysregBus<'device, S> {
    connection: Connection<'device, SysregRegister>,
    space: PhantomData<fn() -> S>,
}

/// Space of a bus that accesses registers by [encodings](SysregBus::mrs).
///
/// Tests that compute encodings use this space, which has no typed registers.
#[derive(Debug)]
pub enum AnySystemRegister {}

impl Space for AnySystemRegister {
    type Key = SystemRegister;
    type Permit = Infallible;
}

impl SysregSpace for AnySystemRegister {}

impl<'device, S> SysregBus<'device, S> {
    pub(crate) fn new<D: Device<SysregRegister> + 'static>(
        port: &'device RefCell<Port<D, SysregRegister>>,
        mode: Mode,
    ) -> Self {
        Self { connection: Connection::new(port, mode), space: PhantomData }
    }
}

impl SysregBus<'_, AnySystemRegister> {
    /// Reads the register with this encoding, like [`load`](Bus::load).
    #[must_use]
    pub fn mrs(&self, register: SystemRegister) -> u64 {
        self.connection.load(register)
    }

    /// Writes the register with this encoding, like [`store`](Bus::store).
    pub fn msr(&self, register: SystemRegister, value: u64) {
        self.connection.store(register, value);
    }
}

impl<S: SysregSpace> Bus for SysregBus<'_, S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        debug_assert!(index < R::LOCATION.count(), "register index out of range");
        R::Ux::truncate(self.connection.load(R::LOCATION.register(index)))
    }

    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        debug_assert!(index < R::LOCATION.count(), "register index out of range");
        self.connection.store(R::LOCATION.register(index), value.into());
    }

    fn synchronize(&self) {
        self.connection.synchronize();
    }

    fn read_control(&self, register: ControlRegister) -> Option<u64> {
        let register = match register {
            ControlRegister::CurrentEl => CURRENT_EL,
            ControlRegister::ProcessorFeatures => ID_AA64PFR0,
            ControlRegister::MdcrEl2 => MDCR_EL2,
            ControlRegister::MdcrEl3 => MDCR_EL3,
            _ => return None,
        };
        Some(self.connection.load(register))
    }

    fn error(&self) -> Option<BusError> {
        self.connection.error()
    }
}

impl<S> fmt::Debug for SysregBus<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SysregBus").field("connection", &self.connection).finish()
    }
}
