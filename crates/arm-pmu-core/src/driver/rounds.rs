//! Rounds of a counter of 64 bits that a driver uses as one of 32.

/// Upper half of a counter of 64 bits at a start.
///
/// The counter overflows at 2^64. With ones in the upper half, both halves wrap together the first time, so that a
/// budget is one of 32 bits. From then on, the upper half counts each further wrap of the lower half. Linux does the
/// same for counts of 32 bits.
pub const FIRST_ROUND: u32 = u32::MAX;

/// Returns the value of a counter that starts the lower half at `from`.
#[must_use]
#[inline(always)]
pub const fn first_round(from: u32) -> u64 {
    (FIRST_ROUND as u64) << 32 | from as u64
}

/// Returns the value of a counter that started in the first round, with the number of wraps in the upper half.
#[must_use]
#[inline(always)]
pub const fn with_wraps(value: u64) -> u64 {
    value.wrapping_add(1 << 32)
}
