//! Violations of the rules for memory-mapped registers.

use std::ops::Deref;

/// Software accessed memory-mapped registers in a way that no manual allows.
///
/// The device ignores writes to reserved bits, to read-only registers and to offsets without a
/// register. Such offsets read as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryViolation {
    /// Reserved bits were written as ones.
    ReservedBits {
        /// Offset of the register in bytes.
        offset: usize,
        /// Those bits.
        bits: u32,
    },
    /// There is no register at this offset; it was read or written.
    NoRegister {
        /// Offset in bytes.
        offset: usize,
    },
    /// A register that can only be read was written.
    ReadOnly {
        /// Offset of the register in bytes.
        offset: usize,
    },
    /// The access did not have 32 bits, or was not aligned to them.
    Width {
        /// Offset in bytes.
        offset: usize,
        /// The bytes that were accessed.
        bytes: usize,
    },
}

/// A simulated device that keeps a list of violations, for [`Strict`].
pub trait Watched {
    /// The violations so far, each as text.
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
