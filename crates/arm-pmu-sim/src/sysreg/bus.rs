//! Buses to simulated system registers.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use arm_pmu_core::bus::{
    Bus, BusError, ControlRegister, RegisterSpec, Space, SysregSpace, SystemRegister, Word,
};

use super::SystemRegisters;
use crate::cp15::Mode;
use crate::pmuv3::map::{CURRENT_EL, ID_AA64PFR0, MDCR_EL2, MDCR_EL3};
use crate::port::{Device, MasterId, Port};

/// A bus to the system registers of a simulated device.
///
/// As on a real core, a bus has one owner and cannot be copied. The bus borrows the device, so the test can
/// signal events while a driver owns the bus. A second bus of the same device acts as other software on the
/// same core.
///
/// Stores take effect in the order of issue, at the next load or [`synchronize`](Bus::synchronize) of any bus
/// of the device, or when their bus is dropped.
///
/// # Traps
///
/// A core traps an access to a register that it does not have, or that EL0 cannot access. In the simulation,
/// such an access has no effect, and the bus has an [error](Bus::error) immediately. From then on, the bus
/// returns 0 and no longer reaches the device, like software that ended at the exception.
///
/// `S` is the space of the driver's registers, or [`AnySystemRegister`].
pub struct SysregBus<'device, S> {
    port: &'device RefCell<Port<dyn Device<SystemRegisters>, SystemRegisters>>,
    master: MasterId,
    space: PhantomData<fn() -> S>,
}

/// Space of a bus that accesses registers by [encodings](SysregBus::mrs).
///
/// For tests that compute encodings; the space has no typed registers.
#[derive(Debug)]
pub enum AnySystemRegister {}

impl Space for AnySystemRegister {
    type Key = SystemRegister;
    type Permit = Infallible;
}

impl SysregSpace for AnySystemRegister {}

impl<'device, S> SysregBus<'device, S> {
    /// Creates a bus of software in this mode.
    pub(crate) fn new<D: Device<SystemRegisters> + 'static>(
        port: &'device RefCell<Port<D, SystemRegisters>>,
        mode: Mode,
    ) -> Self {
        let master = port.borrow_mut().connect(mode);
        Self { port, master, space: PhantomData }
    }
}

impl SysregBus<'_, AnySystemRegister> {
    /// Reads the register with this encoding, like [`load`](Bus::load).
    #[must_use]
    pub fn mrs(&self, register: SystemRegister) -> u64 {
        self.port.borrow_mut().load(self.master, register)
    }

    /// Writes the register with this encoding, like [`store`](Bus::store).
    pub fn msr(&self, register: SystemRegister, value: u64) {
        self.port.borrow_mut().store(self.master, register, value);
    }
}

impl<S: SysregSpace> Bus for SysregBus<'_, S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        debug_assert!(index < R::LOCATION.count(), "register index out of range");
        R::Ux::truncate(self.port.borrow_mut().load(self.master, R::LOCATION.register(index)))
    }

    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        debug_assert!(index < R::LOCATION.count(), "register index out of range");
        self.port.borrow_mut().store(self.master, R::LOCATION.register(index), value.into());
    }

    fn synchronize(&self) {
        self.port.borrow_mut().synchronize(self.master);
    }

    fn read_control(&self, register: ControlRegister) -> Option<u64> {
        let register = match register {
            ControlRegister::CurrentEl => CURRENT_EL,
            ControlRegister::ProcessorFeatures => ID_AA64PFR0,
            ControlRegister::MdcrEl2 => MDCR_EL2,
            ControlRegister::MdcrEl3 => MDCR_EL3,
            _ => return None,
        };
        Some(self.port.borrow_mut().load(self.master, register))
    }

    fn error(&self) -> Option<BusError> {
        self.port.borrow().failed(self.master).then(BusError::new)
    }
}

/// Issued stores take effect when the bus is dropped.
impl<S> Drop for SysregBus<'_, S> {
    fn drop(&mut self) {
        self.port.borrow_mut().disconnect(self.master);
    }
}

impl<S> fmt::Debug for SysregBus<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SysregBus").field("port", &self.port).field("master", &self.master).finish()
    }
}
