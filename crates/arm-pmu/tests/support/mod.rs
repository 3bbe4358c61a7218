//! A bus that calls other code between two accesses of a driver.

use std::cell::Cell;

use arm_pmu::bus::{Bus, BusError, ControlRegister, RegisterSpec};

/// Number of the access, from 0, before which other code runs.
#[derive(Default)]
pub struct Moment {
    accesses: Cell<usize>,
    at: Cell<Option<usize>>,
}

impl Moment {
    /// Creates a moment that is disabled until it is [set](Self::set).
    pub fn never() -> Self {
        Self::default()
    }

    /// Restarts counting of accesses; the code runs before the access with this number.
    pub fn set(&self, at: usize) {
        self.accesses.set(0);
        self.at.set(Some(at));
    }

    /// Returns whether the moment has come, and disables it.
    pub fn has_come(&self) -> bool {
        self.at.take().is_none()
    }

    fn comes_now(&self) -> bool {
        let nth = self.accesses.get();
        self.accesses.set(nth + 1);
        let now = self.at.get() == Some(nth);
        if now {
            self.at.set(None);
        }
        now
    }
}

/// A bus that calls other code at one moment, like an interrupt or an event.
pub struct Interrupted<'t, B, H> {
    pub bus: B,
    pub moment: &'t Moment,
    pub happens: H,
}

impl<B, H: Fn()> Interrupted<'_, B, H> {
    fn access(&self) {
        if self.moment.comes_now() {
            (self.happens)();
        }
    }
}

impl<B: Bus, H: Fn()> Bus for Interrupted<'_, B, H> {
    type Space = B::Space;

    fn load<S: RegisterSpec<Space = B::Space>>(&self, index: usize) -> S::Ux {
        self.access();
        self.bus.load::<S>(index)
    }

    fn store<S: RegisterSpec<Space = B::Space>>(&self, index: usize, value: S::Ux) {
        self.access();
        self.bus.store::<S>(index, value);
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
