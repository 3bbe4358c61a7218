//! What keeps counters from counting, as data.

use core::fmt::{self, Debug, Display};
use core::hash::Hash;

/// Why counters read zero: one row of the table that a diagnosis walks.
///
/// Each IP has an enum of its own, made from its specs, with these methods as items of the enum too:
/// those are `const` and need no import. As text it is the [cause](Self::cause). Texts cost no flash
/// unless they are used.
pub trait Finding: Copy + Debug + Display + Eq + Hash + 'static {
    /// All findings, in the order of the table.
    const ALL: &'static [Self];

    /// The name, in capitals.
    fn name(self) -> &'static str;

    /// Why counters read zero, in a sentence or two.
    fn cause(self) -> &'static str;

    /// What the number is that was read.
    fn read(self) -> &'static str;

    /// What that number is where this is not the cause.
    fn expected(self) -> &'static str;

    /// How it is mended.
    fn fix(self) -> &'static str;

    /// Who can mend it.
    fn fixable_by(self) -> FixableBy;

    /// Where this is known from, and how far that can be trusted.
    fn source(self) -> &'static str;

    /// Whether several causes look the same, and the hardware does not tell which it is.
    fn is_ambiguous(self) -> bool {
        false
    }
}

/// Who can mend what keeps counters from counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum FixableBy {
    /// The software that measures.
    Caller,
    /// A kernel or hypervisor: software in a privileged mode of the same security state.
    PrivilegedSoftware,
    /// Software of the Secure state: firmware, most often.
    SecureSoftware,
    /// Whoever builds the SoC or the board: an input, a fuse, a clock, power.
    Integrator,
    /// Nobody.
    Nobody,
}

impl Display for FixableBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Caller => "the software that measures",
            Self::PrivilegedSoftware => "privileged software",
            Self::SecureSoftware => "Secure software",
            Self::Integrator => "the integrator of the SoC or the board",
            Self::Nobody => "nobody",
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::diagnose::Diagnosis;
    use std::string::ToString;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    struct Unplugged;

    impl Display for Unplugged {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.pad(self.cause())
        }
    }

    impl Finding for Unplugged {
        const ALL: &'static [Self] = &[Self];
        fn name(self) -> &'static str {
            "UNPLUGGED"
        }
        fn cause(self) -> &'static str {
            "It is not plugged in."
        }
        fn read(self) -> &'static str {
            "volts"
        }
        fn expected(self) -> &'static str {
            "5"
        }
        fn fix(self) -> &'static str {
            "Plug it in."
        }
        fn fixable_by(self) -> FixableBy {
            FixableBy::Integrator
        }
        fn source(self) -> &'static str {
            "everyday life"
        }
    }

    #[test]
    fn a_finding_is_ambiguous_only_if_it_says_so() {
        let text = Diagnosis::only(Unplugged, 0).to_string();
        assert_eq!(
            text,
            "It is not plugged in.\n  read:      volts: 0x0\n  expected:  5\n  \
             fix by:    the integrator of the SoC or the board. Plug it in.\n  source:    everyday life"
        );
    }
}
