//! Tests of the driver and the diagnosis on cores, of the generic driver, and of every core's events.

mod diagnose;
mod driver;
mod events;
mod every_core;
