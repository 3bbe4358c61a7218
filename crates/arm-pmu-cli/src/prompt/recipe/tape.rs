//! Buses that record the accesses of a driver, and can replace read values.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use arm_pmu::bus::{Bus, Cp15Space, MemorySpace, RegisterSpec, Word};

use super::device::{Device, Place};
use super::program::Phase;

/// A recorded access, or the start of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Phase(Phase),
    Read(Place, u32),
    Write(Place, u32),
    Barrier,
}

impl Access {
    pub fn kind(self) -> Self {
        match self {
            Self::Read(place, _) => Self::Read(place, 0),
            Self::Write(place, _) => Self::Write(place, 0),
            other => other,
        }
    }
}

pub struct Tape {
    state: RefCell<State>,
}

struct State {
    device: Device,
    accesses: Vec<Access>,
    /// Values read in the earlier run. These values are used as long as the reads come in the same
    /// order.
    earlier: Vec<(Place, u32)>,
    /// Values that replace read values, by the number of the read.
    changed: BTreeMap<usize, u32>,
    reads: usize,
}

impl Tape {
    pub fn new(device: Device) -> Self {
        Self::again(device, Vec::new(), BTreeMap::new())
    }

    /// Repeats a run with the same read values, except for the `changed` values.
    pub fn again(
        device: Device,
        earlier: Vec<(Place, u32)>,
        changed: BTreeMap<usize, u32>,
    ) -> Self {
        let state = State { device, accesses: Vec::new(), earlier, changed, reads: 0 };
        Self { state: RefCell::new(state) }
    }

    pub fn memory<S: MemorySpace>(&self) -> Memory<'_, S> {
        Memory { tape: self, space: PhantomData }
    }

    pub fn cp15<S: Cp15Space>(&self) -> Cp15<'_, S> {
        Cp15 { tape: self, space: PhantomData }
    }

    pub fn begin(&self, phase: Phase) {
        self.record(Access::Phase(phase));
    }

    pub fn into_accesses(self) -> Vec<Access> {
        self.state.into_inner().accesses
    }

    fn record(&self, access: Access) {
        self.state.borrow_mut().accesses.push(access);
    }

    fn read(&self, place: Place) -> u32 {
        let state = &mut *self.state.borrow_mut();
        let number = state.reads;
        state.reads += 1;
        let own = state.device.read(place);
        let earlier = state.earlier.get(number).filter(|(of, _)| *of == place);
        let value = match (state.changed.get(&number), earlier) {
            (Some(value), _) => *value,
            (None, Some((_, value))) => *value,
            (None, None) => own,
        };
        state.accesses.push(Access::Read(place, value));
        value
    }

    fn write(&self, place: Place, value: u32) {
        let state = &mut *self.state.borrow_mut();
        state.device.write(place, value);
        state.accesses.push(Access::Write(place, value));
    }
}

/// Declares a bus; `$place` is the address of a register's element.
macro_rules! bus {
    ($(#[$attribute:meta])* $Name:ident: $Space:ident, $Register:ident, |$element:pat_param| $place:expr) => {
        $(#[$attribute])*
        pub struct $Name<'t, S> {
            tape: &'t Tape,
            space: PhantomData<fn() -> S>,
        }

        impl<S: $Space> Bus for $Name<'_, S> {
            type Space = S;

            fn load<$Register: RegisterSpec<Space = S>>(&self, $element: usize) -> $Register::Ux {
                $Register::Ux::truncate(self.tape.read($place).into())
            }

            fn store<$Register: RegisterSpec<Space = S>>(&self, $element: usize, value: $Register::Ux) {
                self.tape.write($place, word(value.into()));
            }

            fn synchronize(&self) {
                self.tape.record(Access::Barrier);
            }
        }
    };
}

bus! {
    Memory: MemorySpace, R, |n| Place::Memory { page: S::PAGE, offset: R::LOCATION.offset(n) }
}

bus! {
    /// Bus of CP15 registers.
    Cp15: Cp15Space, R, |_| Place::Cp15(R::LOCATION.key())
}

/// Converts the value of a 32-bit register to `u32`.
fn word(value: u64) -> u32 {
    (value & u64::from(u32::MAX)) as u32
}
