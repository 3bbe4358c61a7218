//! Registers of a device that no kernel driver uses, for the drivers of this family: `/dev/mem` and UIO.
//!
//! [`Registers`] is a bus and owns the mapping. Before it maps anything, [`Place::check`] refuses addresses
//! that the kernel uses: memory, and devices with a driver. Nothing is mapped or accessed then.
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
//! An access to an address where nothing answers can stop the whole machine: an `SError` cannot be
//! caught. So an address needs [`Place::i_may_crash`]. If the bus reports an error to the access
//! itself, the first read shows it: a separate process makes that read.
//!
//! [`Device::diagnose`] does all of that for one diagnosis, by the driver of any of these devices.

mod diagnose;
mod error;
mod mapping;
mod place;
mod registers;

pub use diagnose::{Device, DeviceDiagnosis, DeviceFinding};
pub use error::Error;
pub(crate) use mapping::page_size;
pub use place::Place;
pub use registers::Registers;
