//! Samples of the program counter at overflows.
//!
//! A [`Sampler`] makes counters overflow after a [`Period`], and writes a [`Sample`] at each overflow interrupt. The
//! interrupt handler and the main program share a [`SampleRing`] without locks. [`FoldedStacks`] adds the samples up,
//! and prints lines that flame graph tools load.
//!
//! The handler of the interrupt:
//!
//! ```
//! use arm_pmu_core::measure::Rearm;
//! use arm_pmu_core::sample::Sampler;
//!
//! /// Handles the overflow interrupt of the PMU. `pc` is the address of the interrupted instruction.
//! fn on_overflow(running: &mut impl Rearm, sampler: &mut Sampler<'_>, pc: usize) {
//!     sampler.sample(running, &[pc]);
//! }
//! ```
//!
//! The main program:
//!
//! ```
//! use core::fmt;
//! use core::num::NonZeroU32;
//!
//! use arm_pmu_core::measure::Rearm;
//! use arm_pmu_core::sample::{FoldedStacks, Period, SampleReader, SampleRing, Sampler};
//!
//! fn start<'r>(
//!     running: &mut impl Rearm, // counter 0 has an event, and its interrupt is enabled
//!     ring: &'r mut SampleRing<256>,
//! ) -> (Sampler<'r>, SampleReader<'r>) {
//!     let (writer, reader) = ring.split();
//!     let period = Period::about(NonZeroU32::new(10_000).unwrap());
//!     (Sampler::start(running, [(0, period)], writer), reader)
//! }
//!
//! /// Call this often enough that the ring never fills up between two calls.
//! fn collect(reader: &mut SampleReader<'_>, profile: &mut FoldedStacks<128>) {
//!     profile.drain(reader);
//! }
//!
//! fn print(profile: &FoldedStacks<128>, uart: &mut impl fmt::Write) -> fmt::Result {
//!     write!(uart, "{profile}") // 0x40201f08 5981
//! }
//! ```
//!
//! `starting-point/` in the repository contains the complete program for AArch64 and ARMv7-A, including the interrupt
//! controller.
//!
//! # Loss
//!
//! Each loss is counted, and [`FoldedStacks`] prints it:
//!
//! - `[lost]`: the ring was full, because the main program drains it too rarely.
//! - `[missed]`: a counter overflowed again before the handler ran, because interrupts were masked. A sample also
//!   contains the [number of events](Sample::late) between the overflow and the handler.
//! - `[other]`: the table of [`FoldedStacks`] was full.
//!
//! No share in the profile has an error larger than the shares of these three lines added together.
//!
//! If other software stops the counter, no interrupt occurs. The [counts](crate::count::Count) after the stop are then
//! [disturbed](crate::count::CountError::Disturbed).

mod folded;
mod ring;
mod sampler;

pub use folded::FoldedStacks;
pub use ring::{Sample, SampleReader, SampleRing, SampleWriter};
pub use sampler::{Period, Sampler};
