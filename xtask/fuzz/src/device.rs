//! What happens on a simulated device.

use std::fmt::Debug;

use crate::program::{Item, Shape};

/// A simulated device, by the name of its driver.
pub trait Simulated: Sized + Debug + 'static {
    /// What the command line calls it.
    const NAME: &'static str;
    /// What programs are made of.
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
    /// What the driver did that the manual forbids.
    fn violations(device: &Self::Device) -> String;
}
