//! Scripts that count without a driver, made by running the real driver.
//!
//! The driver runs on [registers in memory](device) behind a [bus](tape) that records each access.
//! [`infer`] runs it again with other values read, and so finds out which bits of a written value come
//! from which read, and which values the driver checks. The result is a [program]; each file of
//! [`render`] writes it in one language.

mod describe;
mod device;
mod driver;
mod infer;
pub mod program;
pub mod render;
mod tape;
#[cfg(test)]
mod tests;

pub use infer::{CYCLES, program};
