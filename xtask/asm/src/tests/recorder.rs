//! Registers that hold written values, except for some, and record each access.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::vec::Vec;

use arm_pmu_core::bus::{Bus, RegisterSpec, Space, Word};
use arm_pmu_core::count::{Count, CountError};

use crate::reading::{Doubt, Reading};
use crate::{cortex_a8_by_hand, cortex_a53_by_hand, hand};

/// An access to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read(usize),
    Write(usize, u64),
    Barrier,
}

pub struct Recorder {
    seed: u32,
    /// Offset of the register that enables all counters by bit 0.
    control: usize,
    /// Read-only bits of that register, and their value; with some seeds another one.
    constant: (u64, u64),
    cells: RefCell<BTreeMap<usize, u64>>,
    accesses: RefCell<Vec<Access>>,
}

impl Recorder {
    /// The initial values and the read-only registers depend on the seed.
    pub fn new(seed: u32, control: usize, constant: (u64, u64)) -> Self {
        Self { seed, control, constant, cells: RefCell::default(), accesses: RefCell::default() }
    }

    /// Takes the accesses since the last call.
    pub fn accesses(&self) -> Vec<Access> {
        self.accesses.take()
    }

    fn noise(&self, place: usize) -> u64 {
        let mut noise = self.seed ^ (place as u32).wrapping_mul(0x9E37_79B9);
        for shift in [16, 13, 16] {
            noise = (noise ^ noise >> shift).wrapping_mul(0x85EB_CA6B);
        }
        u64::from(noise) << 32 | u64::from(noise)
    }

    fn load(&self, place: usize) -> u64 {
        self.accesses.borrow_mut().push(Access::Read(place));
        let held = self.cells.borrow().get(&place).copied().unwrap_or(self.noise(place));
        let (bits, value) = self.constant;
        if place == self.control && !self.seed.is_multiple_of(7) {
            held & !bits | value
        } else {
            held
        }
    }

    fn store(&self, place: usize, value: u64) {
        self.accesses.borrow_mut().push(Access::Write(place, value));
        // With some seeds all can be written.
        let taken = self.seed.is_multiple_of(4) || self.noise(place) >> 8 & 7 != 0;
        let mut cells = self.cells.borrow_mut();
        if taken {
            cells.insert(place, value);
        } else if place == self.control {
            // Another owner switches it off here. A second write keeps its other bits.
            cells.insert(place, value & !1);
        }
    }

    fn wait(&self) {
        self.accesses.borrow_mut().push(Access::Barrier);
    }
}

/// The place of a CP15 register with opc1 = 0 and CRn = 9.
pub const fn operands(crm: u8, opc2: u8) -> usize {
    (crm as usize) << 8 | opc2 as usize
}

/// The place of a system register with op0 = 3.
pub const fn encoding(op1: u8, crn: u8, crm: u8, op2: u8) -> usize {
    (op1 as usize) << 24 | (crn as usize) << 16 | operands(crm, op2)
}

/// A space whose registers have a place.
pub trait Places: Space {
    fn place<S: RegisterSpec<Space = Self>>(index: usize) -> usize;
}

impl Places for cci550::Space {
    fn place<S: RegisterSpec<Space = Self>>(index: usize) -> usize {
        S::LOCATION.offset(index)
    }
}

impl Places for cortex_a8::Space {
    fn place<S: RegisterSpec<Space = Self>>(_: usize) -> usize {
        let key = S::LOCATION.key();
        assert_eq!((key.opc1, key.crn), (0, 9));
        operands(key.crm, key.opc2)
    }
}

impl Places for cortex_a53::Space {
    fn place<S: RegisterSpec<Space = Self>>(index: usize) -> usize {
        let register = S::LOCATION.register(index);
        assert_eq!(register.op0, 3);
        encoding(register.op1, register.crn, register.crm, register.op2)
    }
}

/// Shared, so that the driver owns the bus while the test keeps the recorder.
pub struct RecordingBus<'r, S>(&'r Recorder, PhantomData<S>);

impl<'r, S> RecordingBus<'r, S> {
    pub fn new(recorder: &'r Recorder) -> Self {
        Self(recorder, PhantomData)
    }
}

impl<P: Places> Bus for RecordingBus<'_, P> {
    type Space = P;

    fn load<S: RegisterSpec<Space = P>>(&self, index: usize) -> S::Ux {
        S::Ux::truncate(self.0.load(P::place::<S>(index)))
    }

    fn store<S: RegisterSpec<Space = P>>(&self, index: usize, value: S::Ux) {
        self.0.store(P::place::<S>(index), value.into());
    }

    fn synchronize(&self) {
        self.0.wait();
    }
}

impl hand::Memory for &Recorder {
    fn read<const REGISTER: usize>(&self, block: usize) -> u32 {
        self.load(block + REGISTER) as u32
    }

    fn write<const REGISTER: usize>(&self, block: usize, value: u32) {
        self.store(block + REGISTER, value.into());
    }

    fn barrier(&self) {
        self.wait();
    }
}

impl cortex_a8_by_hand::Registers for &Recorder {
    fn read<const CRM: u8, const OPC2: u8>(&self) -> u32 {
        self.load(operands(CRM, OPC2)) as u32
    }

    fn write<const CRM: u8, const OPC2: u8>(&self, value: u32) {
        self.store(operands(CRM, OPC2), value.into());
    }

    fn barrier(&self) {
        self.wait();
    }
}

impl cortex_a53_by_hand::Registers for &Recorder {
    fn read<const OP1: u8, const CRN: u8, const CRM: u8, const OP2: u8>(&self) -> u64 {
        self.load(encoding(OP1, CRN, CRM, OP2))
    }

    fn write<const OP1: u8, const CRN: u8, const CRM: u8, const OP2: u8>(&self, value: u64) {
        self.store(encoding(OP1, CRN, CRM, OP2), value);
    }

    fn barrier(&self) {
        self.wait();
    }
}

/// Both report the same result for a counter.
pub fn assert_same(count: Count, reading: Reading) {
    let doubt = match count.exact() {
        Ok(_) => Doubt::None,
        Err(CountError::Overflowed) => Doubt::Overflowed,
        Err(CountError::Disturbed) => Doubt::Interference,
        Err(CountError::NotCounted) => Doubt::NotCounted,
        Err(other) => panic!("{other:?}"),
    };
    assert_eq!(doubt, reading.doubt);
    // The value of a disturbed counter is meaningless.
    if doubt != Doubt::Interference {
        assert_eq!(count.wrapping_value(), reading.events);
    }
}
