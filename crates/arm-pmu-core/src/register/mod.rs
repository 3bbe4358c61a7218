//! Typed register values, the base of generated code.
//!
//! Each crate with registers has a module `field` with its own types `R` (a value that was read) and `W` (a value
//! to write). Start reading at [`Readable`].
//!
//! ```
//! use arm_pmu_core::bus::Bus;
//! use arm_pmu_core::register::Readable;
//!
//! /// Returns the bits of any readable register.
//! fn bits<S: Readable, B: Bus<Space = S::Space>>(bus: &B) -> S::Ux {
//!     bus.load::<S>(0)
//! }
//! ```

mod access;
mod define;
mod field;
mod support;
mod view;

pub use access::{Readable, Writable};
pub use field::{FieldSpec, Safe};
