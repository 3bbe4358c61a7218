//! Lets a driver use a 64-bit counter like a 32-bit counter that also counts its wraps.

/// Upper half of a 64-bit counter when it starts.
///
/// The counter overflows at 2^64. If all bits of the upper half are set, both halves wrap together at the first wrap,
/// so the counter overflows after a 32-bit budget. From then on, the upper half counts each further wrap of the lower
/// half. Linux does the same for counts of 32 bits.
pub const FIRST_ROUND: u32 = u32::MAX;

/// Returns the start value of a counter whose lower half starts at `from`.
#[must_use]
#[inline(always)]
pub const fn first_round(from: u32) -> u64 {
    (FIRST_ROUND as u64) << 32 | from as u64
}

/// Converts the value of a counter that started at [`first_round`], so that the upper half becomes the number of wraps.
#[must_use]
#[inline(always)]
pub const fn with_wraps(value: u64) -> u64 {
    value.wrapping_add(1 << 32)
}
