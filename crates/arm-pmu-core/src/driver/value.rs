//! The value of a counter.

use core::fmt::Debug;

/// The value of a counter as a driver keeps it: `u32`, or `u64`.
///
/// The upper half of a `u64` is the number of wraps at 2^32 since the start if the counter [counts
/// wraps](super::Hardware::counts_wraps), and 0 otherwise.
pub trait CounterValue: Copy + Debug + PartialEq + Into<u64> {
    /// Value 0.
    const ZERO: Self;

    /// Whether the value has an upper half. A cycle counter with an upper half always counts wraps.
    const HAS_WRAPS: bool;

    /// Returns the lower half.
    fn low(self) -> u32;

    /// Returns the number of events since the counter held `from`; `None` if the counter wrapped.
    fn without_wrap(self, from: u32) -> Option<u32>;
}

impl CounterValue for u32 {
    const ZERO: Self = 0;
    const HAS_WRAPS: bool = false;

    #[inline(always)]
    fn low(self) -> u32 {
        self
    }

    #[inline(always)]
    fn without_wrap(self, from: u32) -> Option<u32> {
        self.checked_sub(from)
    }
}

impl CounterValue for u64 {
    const ZERO: Self = 0;
    const HAS_WRAPS: bool = true;

    #[inline(always)]
    fn low(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn without_wrap(self, from: u32) -> Option<u32> {
        // After a wrap, the value has more than 32 bits. If the value is below `from`, the difference has more than
        // 32 bits.
        let events = self.wrapping_sub(from.into());
        if (self | events) >> 32 == 0 { Some(events as u32) } else { None }
    }
}
