//! Buses to simulated CP15 registers.

use std::cell::RefCell;

use arm_pmu_core::{Bus, BusError, Cp15, Operands, RegisterSpec};

use super::{Coprocessor, Mode};
use crate::port::{Device, MasterId, Port};

/// A bus to the CP15 registers of a simulated device.
///
/// Like the bus to the registers of a real core it has one owner and cannot be copied. It borrows the
/// device, which stays with the test: events can be signalled while a driver owns the bus. A second
/// bus of the same device is other software on the same core.
///
/// Stores take effect at the next load or [`synchronize`](Bus::synchronize) of any bus of the device,
/// or when their bus is dropped, all in the order in which they were issued.
///
/// # Undefined instructions
///
/// Where the core would take an Undefined Instruction exception, because it has no such register or
/// does not open it to User mode, the access has no effect, the bus [tells](Bus::error) so at once,
/// and it answers 0 and reaches nothing from then on, as software would that was ended there.
#[derive(Debug)]
pub struct Cp15Bus<'device> {
    port: &'device RefCell<Port<dyn Device<Coprocessor>, Coprocessor>>,
    master: MasterId,
}

impl<'device> Cp15Bus<'device> {
    /// A bus of software in this mode.
    pub(crate) fn new<D: Device<Coprocessor> + 'static>(
        port: &'device RefCell<Port<D, Coprocessor>>,
        mode: Mode,
    ) -> Self {
        let master = port.borrow_mut().connect(mode);
        Self { port, master }
    }

    /// Reads the register with these operands, for tests that compute them: otherwise as
    /// [`load`](Bus::load).
    #[must_use]
    pub fn mrc(&self, operands: Operands) -> u32 {
        self.port.borrow_mut().load(self.master, operands)
    }

    /// Writes the register with these operands, for tests that compute them: otherwise as
    /// [`store`](Bus::store).
    pub fn mcr(&self, operands: Operands, value: u32) {
        self.port.borrow_mut().store(self.master, operands, value);
    }
}

impl Bus for Cp15Bus<'_> {
    type Space = Cp15;

    fn load<S: RegisterSpec<Space = Cp15>>(&self, index: usize) -> u32 {
        only_one::<S>(index);
        self.mrc(S::KEY)
    }

    fn store<S: RegisterSpec<Space = Cp15>>(&self, index: usize, value: u32) {
        only_one::<S>(index);
        self.mcr(S::KEY, value);
    }

    fn synchronize(&self) {
        self.port.borrow_mut().synchronize(self.master);
    }

    fn error(&self) -> Option<BusError> {
        self.port.borrow().failed(self.master).then(BusError::new)
    }
}

/// What was issued takes effect, though nobody waits for it.
impl Drop for Cp15Bus<'_> {
    fn drop(&mut self) {
        self.port.borrow_mut().disconnect(self.master);
    }
}

/// As the bus to a real core: operands are part of the instruction.
fn only_one<S: RegisterSpec<Space = Cp15>>(index: usize) {
    const { assert!(S::COUNT == 1, "a CP15 register is not an array") }
    debug_assert!(index == 0, "register index out of range");
}
