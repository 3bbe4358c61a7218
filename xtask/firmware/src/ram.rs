//! RAM in place of a register block: it keeps each written value.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use arm_pmu_core::bus::{MemorySpace, Mmio};

/// The length of the largest device.
const BYTES: usize = cci550::registers::LENGTH;

/// A register block in RAM.
#[derive(Debug)]
pub struct Block([AtomicU32; BYTES / 4]);

impl Block {
    /// Zeros.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "large: it belongs into a static")]
    pub const fn new() -> Self {
        Self([const { AtomicU32::new(0) }; BYTES / 4])
    }

    /// The first `S::LENGTH` bytes as the registers of a device; each holds `before` at first.
    ///
    /// # Safety
    ///
    /// The bus of an earlier call is not used any more.
    pub unsafe fn device<S: MemorySpace>(&'static self, before: u32) -> Mmio<S> {
        const { assert!(S::LENGTH <= BYTES, "no device is so large") }
        for word in &self.0 {
            word.store(before, Relaxed);
        }
        // SAFETY: so many bytes of ordinary memory, aligned to 4, for ever. The caller sees to it that
        // no other bus uses them; looking at them here reads words that may be old, no more.
        unsafe { Mmio::new(self.0.as_ptr().expose_provenance()) }
    }

    /// Each word with its offset in bytes.
    pub fn words(&self) -> impl Iterator<Item = (usize, u32)> {
        (0..BYTES).step_by(4).zip(self.0.iter().map(|word| word.load(Relaxed)))
    }
}
