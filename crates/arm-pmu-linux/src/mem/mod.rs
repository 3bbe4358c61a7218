//! Maps registers that no kernel driver uses, from `/dev/mem` or UIO, for the drivers of this family.
//!
//! [`Registers`] is a bus and owns the mapping. Before mapping, [`Place::check`] rejects addresses
//! that the kernel uses: memory, and devices with a driver. A rejected
//! address is neither mapped nor accessed.
//!
//! ```no_run
//! use arm_pmu_linux::mem::{Place, Registers};
//!
//! let place = Place::new(0x2A09_0000).i_may_crash();
//! // SAFETY: a CCI-550 is at this address, and no other software uses it.
//! let mut pmu = cci550::Pmu::probe(unsafe { Registers::open(&place) }?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An access to an address without a device can stop the whole machine, because no handler can catch
//! an `SError`. Therefore an address needs [`Place::i_may_crash`]. A child process makes the first
//! read, so a synchronous bus error is returned as an error.
//!
//! [`Device::diagnose`] maps the registers and runs the diagnosis of the device's driver.

mod diagnose;
mod error;
#[cfg(test)]
mod made_up;
mod mapping;
mod place;
mod registers;

pub use diagnose::{Device, DeviceDiagnosis, DeviceFinding};
pub use error::Error;
pub use place::Place;
pub use registers::Registers;
