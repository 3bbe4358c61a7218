//! All drivers as a list.

use crate::oracle::Failure;
use crate::program::{Classes, Program, Shape};
use crate::run::{self, Done};
use crate::subject::Subject;
use crate::subjects::{
    Arm1136Core, Arm1156Core, Arm1176Core, CacheController, Cci400R0, Cci400R1, Cci500Interconnect,
    Cci550Interconnect, CortexA7Kernel, CortexA8Kernel, CortexA8UserMode, CortexA9Kernel,
    CortexA53Kernel, CortexA53UserMode, CortexA55Kernel, CortexA72Kernel, Tbu, Tbu700, Tcu, Tcu700,
};

/// One driver and its device.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// Name on the command line.
    pub name: &'static str,
    /// Features of the device that programs can use.
    pub shape: Shape,
    /// Runs a program.
    pub run: fn(&Program, Classes) -> Result<Done, Failure>,
}

impl Driver {
    const fn of<D: Subject>() -> Self {
        Self { name: D::NAME, shape: D::SHAPE, run: run::run::<D> }
    }
}

/// All drivers.
pub const ALL: [Driver; 20] = [
    Driver::of::<Arm1136Core>(),
    Driver::of::<Arm1156Core>(),
    Driver::of::<Arm1176Core>(),
    Driver::of::<Cci400R0>(),
    Driver::of::<Cci400R1>(),
    Driver::of::<Cci500Interconnect>(),
    Driver::of::<Cci550Interconnect>(),
    Driver::of::<CortexA7Kernel>(),
    Driver::of::<CortexA8Kernel>(),
    Driver::of::<CortexA8UserMode>(),
    Driver::of::<CortexA9Kernel>(),
    Driver::of::<CortexA53Kernel>(),
    Driver::of::<CortexA53UserMode>(),
    Driver::of::<CortexA55Kernel>(),
    Driver::of::<CortexA72Kernel>(),
    Driver::of::<CacheController>(),
    Driver::of::<Tcu>(),
    Driver::of::<Tbu>(),
    Driver::of::<Tcu700>(),
    Driver::of::<Tbu700>(),
];

/// The driver of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Driver> {
    ALL.iter().find(|driver| driver.name == name)
}
