//! Buses to simulated CP15 registers.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError, Cp15Space, Operands, RegisterSpec, Space, Word};

use super::{Coprocessor, Mode};
use crate::port::{Device, MasterId, Port};

/// A bus to the CP15 registers of a simulated device.
///
/// As on a real core, a bus has one owner and cannot be copied. The bus borrows the device, so the
/// test can signal events while a driver owns the bus. A second bus of the same device acts as
/// other software on the same core.
///
/// Stores take effect in the order of issue, at the next load or [`synchronize`](Bus::synchronize) of
/// any bus of the device, or when their bus is dropped.
///
/// # Undefined instructions
///
/// A core takes an Undefined Instruction exception if it does not have the register, or if User
/// mode has no access. In the simulation, such an access has no effect, and the bus has an
/// [error](Bus::error) immediately. From then on, the bus returns 0 and no longer reaches the
/// device, like software that ended at the exception.
///
/// `S` is the space of the driver's registers, or [`AnyOperands`].
pub struct Cp15Bus<'device, S> {
    port: &'device RefCell<Port<dyn Device<Coprocessor>, Coprocessor>>,
    master: MasterId,
    space: PhantomData<fn() -> S>,
}

/// Space of a bus that accesses registers by [operands](Cp15Bus::mrc).
///
/// For tests that compute operands; the space has no typed registers.
#[derive(Debug)]
pub enum AnyOperands {}

impl Space for AnyOperands {
    type Key = Operands;
    type Permit = Infallible;
}

impl Cp15Space for AnyOperands {}

impl<'device, S> Cp15Bus<'device, S> {
    /// Creates a bus of software in this mode.
    pub(crate) fn new<D: Device<Coprocessor> + 'static>(
        port: &'device RefCell<Port<D, Coprocessor>>,
        mode: Mode,
    ) -> Self {
        let master = port.borrow_mut().connect(mode);
        Self { port, master, space: PhantomData }
    }
}

impl Cp15Bus<'_, AnyOperands> {
    /// Reads the register with these operands, like [`load`](Bus::load).
    #[must_use]
    pub fn mrc(&self, operands: Operands) -> u32 {
        self.port.borrow_mut().load(self.master, operands)
    }

    /// Writes the register with these operands, like [`store`](Bus::store).
    pub fn mcr(&self, operands: Operands, value: u32) {
        self.port.borrow_mut().store(self.master, operands, value);
    }
}

impl<S: Cp15Space> Bus for Cp15Bus<'_, S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        debug_assert!(index == 0, "register index out of range");
        let value = self.port.borrow_mut().load(self.master, R::LOCATION.key());
        R::Ux::truncate(value.into())
    }

    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        debug_assert!(index == 0, "register index out of range");
        let value: u64 = value.into();
        self.port.borrow_mut().store(self.master, R::LOCATION.key(), value as u32);
    }

    fn synchronize(&self) {
        self.port.borrow_mut().synchronize(self.master);
    }

    fn error(&self) -> Option<BusError> {
        self.port.borrow().failed(self.master).then(BusError::new)
    }
}

/// Issued stores take effect when the bus is dropped.
impl<S> Drop for Cp15Bus<'_, S> {
    fn drop(&mut self) {
        self.port.borrow_mut().disconnect(self.master);
    }
}

impl<S> fmt::Debug for Cp15Bus<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cp15Bus").field("port", &self.port).field("master", &self.master).finish()
    }
}
