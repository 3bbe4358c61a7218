//! Tests of the driver and the diagnosis on cores, of the generic driver, and of every core's events.

mod cortex_a55;
mod diagnose;
mod driver;
mod events;
mod every_core;
