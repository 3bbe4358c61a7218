//! Tests of the driver on a simulated device, and of its state alone.

mod device;
mod diagnosis;
mod failures;
mod order;
mod settings;
mod state;
