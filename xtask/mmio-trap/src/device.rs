//! The device that answers the accesses.

/// A device with 32-bit registers.
pub trait Device {
    /// Answers a read of 32 bits.
    fn load(&self, offset: usize) -> u32;
    /// Takes a write of 32 bits.
    fn store(&self, offset: usize, value: u32);
}
