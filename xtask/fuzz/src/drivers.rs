//! All drivers as a list.

use crate::oracle::Failure;
use crate::program::{Classes, Program, Shape};
use crate::run::{self, Done};
use crate::subject::Subject;
pub use crate::subjects::ALL;

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
    pub(crate) const fn of<D: Subject>() -> Self {
        Self { name: D::NAME, shape: D::SHAPE, run: run::run::<D> }
    }
}

/// The driver of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Driver> {
    ALL.iter().find(|driver| driver.name == name)
}
