//! The PMU of a Translation Buffer Unit.
//!
//! [Example](crate#how-to)

pub use crate::generated::tbu::events::{Selection, TbuEvent};
pub use crate::generated::tbu::pmu::{Counter, Page0, Page1, Pmu, Region, Running, pages};
pub use crate::generated::tbu::{events, metrics};

/// Largest number of TBUs of an MMU-600: 62.
///
/// Confidence D: no available document states this number.
pub const MOST_TBUS: usize = 62;

/// Returns the offset in bytes of TBU `n` from the base of the TCU.
///
/// The offset is 0x40000 + `n` * 0x20000. The base of the TCU is also the base of the MMU-600. Returns `None` if `n`
/// is not less than [`MOST_TBUS`].
///
/// The two pages of the TBU's PMU are at offsets [`PAGE0`](crate::registers::tbu::PAGE0) and
/// [`PAGE1`](crate::registers::tbu::PAGE1) from the base of the TBU. The numbers of the TBUs in a system can have
/// gaps. [`probe_at`](Pmu::probe_at) checks that the TBU exists.
///
/// Confidence B: Arm's firmware for the N1SDP has TBUs 0 and 1 at these offsets, and the device tree of Agilex 5 has
/// TBUs 0 to 5. The Altra has TBUs at some of these offsets, with gaps.
///
/// ```
/// use mmu600::tbu;
///
/// let tcu = 0x1600_0000; // Agilex 5
/// assert_eq!(tbu::offset_from_tcu(5).map(|offset| tcu + offset), Some(0x160E_0000));
/// assert_eq!(tbu::offset_from_tcu(62), None);
/// ```
#[must_use]
pub const fn offset_from_tcu(n: usize) -> Option<usize> {
    if n < MOST_TBUS { Some(0x4_0000 + n * 0x2_0000) } else { None }
}
