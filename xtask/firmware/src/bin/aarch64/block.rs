//! RAM in place of a register block. It keeps what is written, and nothing else happens.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use cci550::Mmio;
use cci550::registers::LENGTH;

const WORDS: usize = LENGTH / 4;

static BLOCK: [AtomicU32; WORDS] = [const { AtomicU32::new(0) }; WORDS];

/// Lets `drive` use the block as the registers of a device; each holds `before` at first. Gives what
/// they hold at the end.
pub fn as_device(before: u32, drive: impl FnOnce(Mmio)) -> Words {
    for word in &BLOCK {
        word.store(before, Relaxed);
    }
    // SAFETY: `LENGTH` bytes of ordinary memory, aligned to 4, that nothing else uses until `drive`
    // has dropped the bus: the `Words` of an earlier call would show other values, no more.
    drive(unsafe { Mmio::new(BLOCK.as_ptr().expose_provenance()) });
    Words(())
}

/// What the block holds.
pub struct Words(());

impl Words {
    /// The word at `offset` in bytes.
    pub fn at(&self, offset: usize) -> u32 {
        BLOCK[offset / 4].load(Relaxed)
    }

    /// Each word with its offset in bytes.
    pub fn all(&self) -> impl Iterator<Item = (usize, u32)> {
        (0..LENGTH).step_by(4).map(|offset| (offset, self.at(offset)))
    }
}
