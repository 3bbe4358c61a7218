//! Violations of the rules for memory-mapped registers.

use std::ops::Deref;

/// A memory-mapped register access that no manual allows.
///
/// The device ignores writes to reserved bits, to read-only registers and to offsets without a
/// register. Offsets without a register read as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryViolation {
    /// Reserved bits were written as 1.
    ReservedBits {
        /// Offset of the register in bytes.
        offset: usize,
        /// Those bits.
        bits: u32,
    },
    /// An offset without a register was read or written.
    NoRegister {
        /// Offset in bytes.
        offset: usize,
    },
    /// A read-only register was written.
    ReadOnly {
        /// Offset of the register in bytes.
        offset: usize,
    },
    /// The access did not have 32 bits, or was not aligned.
    Width {
        /// Offset in bytes.
        offset: usize,
        /// Number of accessed bytes.
        bytes: usize,
    },
}

/// A simulated device that records violations, for [`Strict`].
pub trait Watched {
    /// Returns the violations so far as texts.
    fn complaints(&self) -> Vec<String>;
}

/// A simulated device that panics on drop if software committed a violation.
///
/// ```should_panic
/// use arm_pmu_sim::{Cci550, Strict};
///
/// let device = Strict::new(Cci550::new());
/// device.bus().store_at(0x100, 4, 1 << 31); // a reserved bit of PMCR
/// ```
#[derive(Debug)]
pub struct Strict<D: Watched>(D);

impl<D: Watched> Strict<D> {
    /// Wraps this device.
    #[must_use]
    pub const fn new(device: D) -> Self {
        Self(device)
    }
}

impl<D: Watched> Deref for Strict<D> {
    type Target = D;

    fn deref(&self) -> &D {
        &self.0
    }
}

impl<D: Watched> Drop for Strict<D> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let complaints = self.0.complaints();
            assert!(complaints.is_empty(), "software must not do this: {complaints:#?}");
        }
    }
}
