//! Tests of the driver on a simulated device, and of its state without one.

mod device;
mod failures;
mod order;
mod settings;
mod state;
