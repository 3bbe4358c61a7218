//! A bus with a hook that lets a test watch and change accesses.

use std::fmt::Debug;

use arm_pmu_core::bus::{
    Bus, BusError, ControlRegister, Cp15Space, MemorySpace, RegisterSpec, Space, SysregSpace, Word,
};

use crate::{Cp15Bus, MemoryBus, SysregBus};

/// A bus to a simulated device that lets a test watch and change accesses.
///
/// The bus calls a function before each load and store. The function can signal events or do what
/// other software might do. It returns the effect that the access has.
///
/// ```
/// # use arm_pmu_core::bus::{Bus, Location, MemorySpace, RegisterSpec, Space};
/// use arm_pmu_sim::{Attempt, Cci550, Effect, Intercepted};
/// # enum Registers {}
/// # impl Space for Registers {
/// #     type Key = usize;
/// #     type Permit = ();
/// # }
/// # impl MemorySpace for Registers {
/// #     const LENGTH: usize = Cci550::LENGTH;
/// # }
/// # enum Pmcr {}
/// # impl RegisterSpec for Pmcr {
/// #     type Space = Registers;
/// #     type Ux = u32;
/// #     const LOCATION: Location<Registers> = Location::at((), 0x100);
/// #     const INITIAL: u32 = 0;
/// #     const KEEP: u32 = 0;
/// # }
///
/// let device = Cci550::new();
/// // PMCR ignores its reset bit.
/// let bus = Intercepted::new(device.bus(), |attempt| match attempt {
///     Attempt::Store(0x100, value) => Effect::Replace(value & !0b10),
///     _ => Effect::Proceed,
/// });
/// bus.store::<Pmcr>(0, 0b11);
/// assert_eq!(bus.load::<Pmcr>(0) & 0b11, 0b01);
/// ```
#[derive(Debug)]
pub struct Intercepted<B, F> {
    bus: B,
    intercept: F,
}

/// An access that software is about to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt<K> {
    /// A load of the register at this offset, or with these operands.
    Load(K),
    /// A store of this value to the register.
    Store(K, u32),
}

/// Result of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The access reaches the device unchanged.
    Proceed,
    /// A load returns this value without reaching the device; a store writes this value.
    Replace(u32),
    /// The access does not reach the device. A skipped load returns 0.
    Skip,
}

impl<B: Keyed, F: Fn(Attempt<B::Key>) -> Effect> Intercepted<B, F> {
    /// Calls `intercept` before each load and store on `bus`.
    pub const fn new(bus: B, intercept: F) -> Self {
        Self { bus, intercept }
    }
}

/// Returns a bus to a device that ignores stores to these registers.
///
/// `to` lists the registers: as offsets in the region of the bus, or as operands.
pub fn ignoring_stores<B: Keyed, K: AsRef<[B::Key]>>(
    bus: B,
    to: K,
) -> Intercepted<B, impl Fn(Attempt<B::Key>) -> Effect + use<B, K>> {
    Intercepted::new(bus, move |attempt| match attempt {
        Attempt::Store(key, _) if to.as_ref().contains(&key) => Effect::Skip,
        _ => Effect::Proceed,
    })
}

impl<B: Keyed, F: Fn(Attempt<B::Key>) -> Effect> Bus for Intercepted<B, F> {
    type Space = B::Space;

    fn load<R: RegisterSpec<Space = B::Space>>(&self, index: usize) -> R::Ux {
        match (self.intercept)(Attempt::Load(B::key::<R>(index))) {
            Effect::Proceed => self.bus.load::<R>(index),
            Effect::Replace(value) => R::Ux::truncate(value.into()),
            Effect::Skip => R::Ux::truncate(0),
        }
    }

    fn store<R: RegisterSpec<Space = B::Space>>(&self, index: usize, value: R::Ux) {
        let word: u64 = value.into();
        match (self.intercept)(Attempt::Store(B::key::<R>(index), word as u32)) {
            Effect::Proceed => self.bus.store::<R>(index, value),
            Effect::Replace(value) => self.bus.store::<R>(index, R::Ux::truncate(value.into())),
            Effect::Skip => {}
        }
    }

    fn synchronize(&self) {
        self.bus.synchronize();
    }

    fn read_control(&self, register: ControlRegister) -> Option<u64> {
        self.bus.read_control(register)
    }

    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

/// A bus of this crate, with a key for each register.
pub trait Keyed: Bus + sealed::Sealed {
    /// Offset in the region of the bus, or operands.
    type Key: Copy + Debug + PartialEq;

    /// Returns the key of one element of a register.
    fn key<R: RegisterSpec<Space = <Self as Bus>::Space>>(index: usize) -> Self::Key;
}

impl<S: MemorySpace> Keyed for MemoryBus<'_, S> {
    type Key = usize;

    fn key<R: RegisterSpec<Space = S>>(index: usize) -> usize {
        R::LOCATION.offset(index)
    }
}

impl<S: Cp15Space> Keyed for Cp15Bus<'_, S> {
    type Key = S::Key;

    fn key<R: RegisterSpec<Space = S>>(_: usize) -> <S as Space>::Key {
        R::LOCATION.key()
    }
}

impl<S: SysregSpace> Keyed for SysregBus<'_, S> {
    type Key = S::Key;

    fn key<R: RegisterSpec<Space = S>>(index: usize) -> <S as Space>::Key {
        R::LOCATION.register(index)
    }
}

mod sealed {
    pub trait Sealed {}
    impl<S> Sealed for crate::SysregBus<'_, S> {}
    impl<S> Sealed for crate::MemoryBus<'_, S> {}
    impl<S> Sealed for crate::Cp15Bus<'_, S> {}
}
