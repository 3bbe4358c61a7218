//! Tests of the whole generator: on made-up specs, on mistakes, on random specs, and on the specs of this
//! workspace against the simulated devices.

mod against_device;
mod architecture;
mod case;
mod documented;
mod duplicates;
mod fuzz;
pub mod good;
mod independent;
mod manifests;
mod permit;
mod schemas;
mod stored_messages;
