//! CP15 registers: rows, violations and buses.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError, Cp15Space, Operands, RegisterSpec, Space, Word};

use crate::access::{Mode, UserAccess};
use crate::port::{Connection, Device, Port};
use crate::register::{Elements, register_kind};
use crate::register_file::RegisterFile;

register_kind! {
    /// One row in a map of CP15 registers: the register that one set of operands selects.
    ///
    /// Each bit is in one of the masks that [`defined`](Self::defined) combines, or it is reserved and
    /// ignores writes. A bit that does not show its contents reads as zero, unless it is
    /// [`unpredictable`](Self::unpredictable). The devices of this crate load and store by these masks, so a row cannot
    /// contradict the device; a register may have additional side effects.
    Cp15Register {
        /// Operands of MRC and MCR.
        operands: Operands,
        /// Number of registers at these operands: one for each event counter behind a selector,
        /// otherwise 1.
        count: usize = 1,
        /// Access rights of User mode.
        user: UserAccess = UserAccess::Enabled,
        /// Bits that read as noise, different at each read. These bits do not show any contents.
        unpredictable: u32 = 0,
        /// Bits that software must write as zero (SBZ).
        should_be_zero: u32 = 0,
        /// Bits that software must write as zero, or as it last read them (SBZP).
        should_be_zero_or_preserved: u32 = 0,
    }
    value: u32, software: Mode, violation: Violation, in_core: true;

    /// One entry of the journal of a device with CP15 registers: an access by software, in program order.
    Cp15Access: "A register was read (MRC).", "A register was written (MCR).",
        "Software waited until its earlier accesses had taken effect."
}

impl Cp15Register {
    /// Returns the bits that are not reserved, whether or not they are readable.
    #[must_use]
    pub const fn defined(&self) -> u32 {
        self.readable() | self.write_one_to_act
    }
}

impl Elements for Cp15Register {
    /// Operands, and the number of the selected counter, which is 0 if the PMU has no selector.
    type Cell = (Operands, usize);

    fn cells(&self) -> impl Iterator<Item = Self::Cell> {
        let operands = self.operands;
        (0..self.count).map(move |counter| (operands, counter))
    }

    fn index(&self, (operands, counter): Self::Cell) -> Option<usize> {
        (operands == self.operands && counter < self.count).then_some(counter)
    }

    fn held_at(&self, (_, counter): Self::Cell) -> Self::Cell {
        (self.held_at, counter)
    }

    fn describe((Operands { opc1, crn, crm, opc2 }, _): Self::Cell) -> String {
        format!("p15, {opc1}, c{crn}, c{crm}, {opc2}")
    }
}

impl RegisterFile<Cp15Register> {
    pub(crate) fn row(&self, operands: Operands) -> Option<&'static Cp15Register> {
        self.find((operands, 0))
    }

    /// Reads a register as software does: unpredictable bits are noise.
    pub(crate) fn read(&mut self, cell: (Operands, usize)) -> u32 {
        let value = self.load(cell);
        let Some((nth, _)) = self.locate((cell.0, 0)) else { return value };
        let unpredictable = self.rows[nth].unpredictable;
        let value = value & !unpredictable | self.draw() & unpredictable;
        self.last_read[nth] = value.into();
        value
    }

    /// Writes a register as software does. Returns the write-one-to-act bits that were written as 1.
    pub(crate) fn write(&mut self, cell: (Operands, usize), value: u32) -> u32 {
        self.check_reserved(cell.0, value);
        self.store(cell, value)
    }

    /// Records a violation if bits that should be zero are written as 1.
    pub(crate) fn check_reserved(&mut self, operands: Operands, value: u32) {
        let Some((nth, _)) = self.locate((operands, 0)) else { return };
        let row = self.rows[nth];
        let preserved = row.should_be_zero_or_preserved & !(self.last_read[nth] as u32);
        let bits = value & (row.should_be_zero | preserved);
        if bits != 0 {
            self.record(Violation::ReservedBits { operands, bits });
        }
    }
}

/// A software access that the manual forbids or leaves undefined.
///
/// As in a real device, execution continues; unpredictable bits become noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Violation {
    /// Reserved bits were written as 1; only SBZP bits may be 1, if they were last read as 1.
    ReservedBits {
        /// The register.
        operands: Operands,
        /// Those bits.
        bits: u32,
    },
    /// Software selected an event that this core does not have.
    ReservedEvent {
        /// The event counter.
        counter: usize,
        /// The number of the event.
        event: u8,
    },
    /// The cycle counter was written while it was enabled.
    WrittenWhileEnabled {
        /// The register.
        operands: Operands,
    },
    /// The selector (PMSELR) had the number of a missing counter when it was written or used.
    ReservedSelector {
        /// Value of PMSELR.
        selector: u8,
    },
    /// A register behind the selector was accessed before a write of the selector was synchronized.
    SelectorNotSynchronized {
        /// The register.
        operands: Operands,
    },
    /// Software incremented a counter that does not count software increments.
    NotForSoftware {
        /// The event counter.
        counter: usize,
    },
}

/// A bus to the CP15 registers of a simulated device.
///
/// As on a real core, a bus has one owner and cannot be copied. The bus borrows the device, so the
/// test can signal events while a driver owns the bus. A second bus to the same device acts as
/// other software on the same core.
///
/// Stores take effect in the order of issue, at the next load or [`synchronize`](Bus::synchronize) of
/// any bus of the device, or when their bus is dropped.
///
/// # Undefined instructions
///
/// A core takes an Undefined Instruction exception at an access to a register that it does not have, or that User
/// mode cannot access. In the simulation, such an access has no effect, and the bus has an
/// [error](Bus::error) immediately. From then on, the bus returns 0 and does not reach the device,
/// as if the software had ended at the exception.
///
/// `S` is the space of the driver's registers, or [`AnyOperands`].
pub struct Cp15Bus<'device, S> {
    connection: Connection<'device, Cp15Register>,
    space: PhantomData<fn() -> S>,
}

/// Space of a bus that accesses registers by [operands](Cp15Bus::mrc).
///
/// Tests that compute operands use this space, which has no typed registers.
#[derive(Debug)]
pub enum AnyOperands {}

impl Space for AnyOperands {
    type Key = Operands;
    type Permit = Infallible;
}

impl Cp15Space for AnyOperands {}

impl<'device, S> Cp15Bus<'device, S> {
    pub(crate) fn new<D: Device<Cp15Register> + 'static>(
        port: &'device RefCell<Port<D, Cp15Register>>,
        mode: Mode,
    ) -> Self {
        Self { connection: Connection::new(port, mode), space: PhantomData }
    }
}

impl Cp15Bus<'_, AnyOperands> {
    /// Reads the register with these operands, like [`load`](Bus::load).
    #[must_use]
    pub fn mrc(&self, operands: Operands) -> u32 {
        self.connection.load(operands)
    }

    /// Writes the register with these operands, like [`store`](Bus::store).
    pub fn mcr(&self, operands: Operands, value: u32) {
        self.connection.store(operands, value);
    }
}

impl<S: Cp15Space> Bus for Cp15Bus<'_, S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        debug_assert!(index == 0, "register index out of range");
        R::Ux::truncate(self.connection.load(R::LOCATION.key()).into())
    }

    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        debug_assert!(index == 0, "register index out of range");
        let value: u64 = value.into();
        self.connection.store(R::LOCATION.key(), value as u32);
    }

    fn synchronize(&self) {
        self.connection.synchronize();
    }

    fn error(&self) -> Option<BusError> {
        self.connection.error()
    }
}

impl<S> fmt::Debug for Cp15Bus<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cp15Bus").field("connection", &self.connection).finish()
    }
}
