//! Tests of the generator as a whole: on made-up specs, on mistakes, on random ones, and on the specs of this
//! workspace against the simulated devices.

mod against_device;
mod against_schema;
mod architecture;
mod case;
mod documented;
mod duplicates;
mod fuzz;
pub mod good;
mod independent;
mod permit;
mod stored_messages;
