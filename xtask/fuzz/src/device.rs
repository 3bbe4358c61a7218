//! The simulated devices as the programs use them.

use std::fmt::Debug;

use crate::program::{Item, Shape};

/// A simulated device, by the name of its driver.
pub trait Simulated: Sized + Debug + 'static {
    /// Name on the command line.
    const NAME: &'static str;
    /// Features of the device that programs can use.
    const SHAPE: Shape;
    /// The simulated device.
    type Device: Debug;

    /// A device after a reset.
    fn device() -> Self::Device;
    /// An event happens.
    fn signal(device: &Self::Device, event: usize, times: u32);
    /// The clock runs.
    fn clock(device: &Self::Device, cycles: u32);
    /// Something else happens.
    fn interfere(device: &Self::Device, item: Item);
    /// Violations of the manual by the driver.
    fn violations(device: &Self::Device) -> String;
}
