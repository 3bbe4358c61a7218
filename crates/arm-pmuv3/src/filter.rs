//! Filters by Exception level and security state.

use core::fmt;

/// Exception levels at which counters count.
///
/// ```
/// use arm_pmuv3::Filter;
///
/// // A kernel that is not a hypervisor, and its programs, in both security states.
/// let no_hypervisor = Filter::EL0.and(Filter::EL1);
/// assert_eq!(no_hypervisor.bits(), 1 << 26);
/// assert!(Filter::ALL.has(Filter::EL2) && !no_hypervisor.has(Filter::EL2));
/// ```
// Holds P, U, NSK, NSU, NSH and M, from bit 5 down, so that a start or stop need not compute them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Filter(u8);

impl Filter {
    /// EL0 in Secure state.
    pub const SECURE_EL0: Self = Self::of(1 << 0);
    /// EL1 in Secure state.
    pub const SECURE_EL1: Self = Self::of(1 << 1);
    /// EL0 in Non-secure state, or EL0 of a core without EL3.
    pub const NON_SECURE_EL0: Self = Self::of(1 << 2);
    /// EL1 in Non-secure state, or EL1 of a core without EL3.
    pub const NON_SECURE_EL1: Self = Self::of(1 << 3);
    /// EL2.
    pub const EL2: Self = Self::of(1 << 4);
    /// EL3.
    pub const EL3: Self = Self::of(1 << 5);
    /// EL0, in both security states.
    pub const EL0: Self = Self::SECURE_EL0.and(Self::NON_SECURE_EL0);
    /// EL1, in both security states.
    pub const EL1: Self = Self::SECURE_EL1.and(Self::NON_SECURE_EL1);
    /// All Exception levels.
    pub const ALL: Self = Self::EL0.and(Self::EL1).and(Self::EL2).and(Self::EL3);

    /// Returns a filter with the levels of both filters.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self::of(self.levels() | other.levels())
    }

    /// Returns whether this filter includes all levels that `other` includes.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.levels() & other.levels() == other.levels()
    }

    /// The bits of the PMEVTYPER registers and of PMCCFILTR_EL0: P, U, NSK, NSU, NSH and M.
    ///
    /// Counters count at Non-secure EL1 if NSK equals P, at Non-secure EL0 if NSU equals U, and at EL3 if M equals P.
    /// Without EL3, a core or virtual machine has one security state and ignores these bits. In that case, select both
    /// security states, as [`EL0`](Self::EL0) does. A start detects which bits exist.
    #[must_use]
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        (self.0 as u32) << 26
    }

    /// The filter with these bits of PMEVTYPER.
    #[inline(always)]
    pub(crate) const fn of_register(bits: u64) -> Self {
        Self((bits >> 26) as u8)
    }

    /// The filter that counts at these levels. Bit n of `levels` is the n-th constant above; the
    /// first is number 0.
    const fn of(levels: u8) -> Self {
        let (p, u, nsh) = (!levels >> 1 & 1, !levels & 1, levels >> 4 & 1);
        // Counters count at EL3 and Non-secure EL1 if the level's bit equals P, and at Non-secure EL0 if its bit equals
        // U.
        let (nsk, nsu, m) =
            (!(p ^ levels >> 3) & 1, !(u ^ levels >> 2) & 1, !(p ^ levels >> 5) & 1);
        Self(p << 5 | u << 4 | nsk << 3 | nsu << 2 | nsh << 1 | m)
    }

    /// The set of levels, encoded as the argument of [`of`](Self::of).
    const fn levels(self) -> u8 {
        let (p, u, nsh) = (self.0 >> 5 & 1, self.0 >> 4 & 1, self.0 >> 1 & 1);
        let (nsk, nsu, m) = (!(p ^ self.0 >> 3) & 1, !(u ^ self.0 >> 2) & 1, !(p ^ self.0) & 1);
        (1 - u) | (1 - p) << 1 | nsu << 2 | nsk << 3 | nsh << 4 | m << 5
    }
}

/// Lists the levels.
impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["SECURE_EL0", "SECURE_EL1", "NON_SECURE_EL0", "NON_SECURE_EL1", "EL2", "EL3"];
        let mut set = f.debug_set();
        for (level, name) in names.iter().enumerate() {
            if self.levels() >> level & 1 == 1 {
                set.entry(&format_args!("{name}"));
            }
        }
        set.finish()
    }
}

/// The filter bits of PMEVTYPER.
pub(crate) const MASK: u64 = 0b11_1111 << 26;

/// P and U: the bits of EL1 and EL0, which every core has.
pub(crate) const OF_EL1_AND_EL0: u64 = 0b11_0000 << 26;

/// NSK, NSU, NSH and M: zero on a core or in a virtual machine without EL2 or EL3.
const OF_OTHER_LEVELS: u64 = 0b00_1111 << 26;

/// Returns whether a register holds the value written.
///
/// NSK, NSU, NSH and M may read as zero after a 1 was written, as on a core without EL2 or EL3.
#[inline(always)]
pub(crate) const fn is_held(held: u64, written: u64) -> bool {
    held | written & OF_OTHER_LEVELS == written
}
