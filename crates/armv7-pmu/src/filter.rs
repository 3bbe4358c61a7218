//! Filter by mode, on a core with version 2 of the PMU.

use core::fmt;
use core::hash::Hash;

/// Processor modes in which counters count.
///
/// A Cortex-A7 has such a filter; a Cortex-A8 or Cortex-A9 does not.
///
/// ```
/// use armv7_pmu::Filter;
///
/// // A kernel that is not a hypervisor, and its programs, in both security states.
/// let no_hypervisor = Filter::USER.and(Filter::PRIVILEGED);
/// assert_eq!(no_hypervisor.bits(), 0);
/// assert_eq!(Filter::USER.bits(), 1 << 31);
/// assert!(Filter::ALL.has(Filter::HYP) && !no_hypervisor.has(Filter::HYP));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Filter(u8);

impl Filter {
    /// User mode in Secure state.
    pub const SECURE_USER: Self = Self(1 << 0);
    /// Privileged modes in Secure state, including Monitor mode.
    pub const SECURE_PRIVILEGED: Self = Self(1 << 1);
    /// User mode in Non-secure state.
    pub const NON_SECURE_USER: Self = Self(1 << 2);
    /// Privileged modes in Non-secure state, except Hyp mode.
    pub const NON_SECURE_PRIVILEGED: Self = Self(1 << 3);
    /// Hyp mode.
    pub const HYP: Self = Self(1 << 4);
    /// User mode.
    pub const USER: Self = Self::SECURE_USER.and(Self::NON_SECURE_USER);
    /// Privileged modes, except Hyp mode.
    pub const PRIVILEGED: Self = Self::SECURE_PRIVILEGED.and(Self::NON_SECURE_PRIVILEGED);
    /// All modes.
    pub const ALL: Self = Self::USER.and(Self::PRIVILEGED).and(Self::HYP);

    /// Returns a filter with the modes of both filters.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether counters count in all modes of `other`.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The filter bits of PMXEVTYPER: P, U, NSK, NSU and NSH.
    #[must_use]
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        let p = !self.has(Self::SECURE_PRIVILEGED);
        let u = !self.has(Self::SECURE_USER);
        // In Non-secure state, counters count in privileged modes if NSK equals P, and in User mode
        // if NSU equals U.
        let nsk = p == self.has(Self::NON_SECURE_PRIVILEGED);
        let nsu = u == self.has(Self::NON_SECURE_USER);
        let nsh = self.has(Self::HYP);
        (p as u32) << 31
            | (u as u32) << 30
            | (nsk as u32) << 29
            | (nsu as u32) << 28
            | (nsh as u32) << 27
    }
}

/// Lists the modes.
impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Self::SECURE_USER, "SECURE_USER"),
            (Self::SECURE_PRIVILEGED, "SECURE_PRIVILEGED"),
            (Self::NON_SECURE_USER, "NON_SECURE_USER"),
            (Self::NON_SECURE_PRIVILEGED, "NON_SECURE_PRIVILEGED"),
            (Self::HYP, "HYP"),
        ];
        let mut set = f.debug_set();
        for (mode, name) in names {
            if self.has(mode) {
                set.entry(&format_args!("{name}"));
            }
        }
        set.finish()
    }
}

/// Filter type of a core with version 1 of the PMU, which has no filter.
#[derive(Clone, Copy, Debug)]
pub struct NoFilter;

/// Filter type of a core. The type takes no space on a core without a filter.
pub trait FilterOf: Copy {
    /// Whether PMXEVTYPER has filter bits.
    const EXISTS: bool;
    /// Filter that counts in all modes.
    const ALL: Self;

    /// Returns the filter bits of PMXEVTYPER.
    fn word(self) -> u32;
}

impl FilterOf for NoFilter {
    const EXISTS: bool = false;
    const ALL: Self = Self;

    #[inline(always)]
    fn word(self) -> u32 {
        0
    }
}

impl FilterOf for Filter {
    const EXISTS: bool = true;
    const ALL: Self = Self::ALL;

    #[inline(always)]
    fn word(self) -> u32 {
        self.bits()
    }
}

/// The filter bits of PMXEVTYPER.
pub(crate) const MASK: u32 = 0b11111 << 27;
