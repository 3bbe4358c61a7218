//! The trait of all enums of findings.

use core::fmt::{self, Debug, Display};
use core::hash::Hash;

/// A reason why counters read zero, from the table of findings of an IP.
///
/// Each IP has an enum of its own, generated from its specs. The enum also has inherent methods
/// with these names, which work in constants and without an import of the trait. A finding prints
/// as its [cause](Self::cause). A program contains a text only if it uses that text.
pub trait Finding: Copy + Debug + Display + Eq + Hash + 'static {
    /// All findings, in the order of the table.
    const ALL: &'static [Self];

    /// Returns the name in capitals.
    fn name(self) -> &'static str;

    /// Describes in a sentence or two why counters read zero.
    fn cause(self) -> &'static str;

    /// Describes the number that was read.
    fn read(self) -> &'static str;

    /// Describes the number that is read without this cause.
    fn expected(self) -> &'static str;

    /// Describes the fix.
    fn fix(self) -> &'static str;

    /// Returns the party that can apply the fix.
    fn fixable_by(self) -> FixableBy;

    /// Returns the source of the finding, with its grade.
    fn source(self) -> &'static str;

    /// Whether several causes are possible, which the hardware does not distinguish.
    fn is_ambiguous(self) -> bool {
        false
    }
}

/// The party that can apply the fix of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum FixableBy {
    /// The software that measures.
    Caller,
    /// A kernel or hypervisor: privileged software of the same security state.
    PrivilegedSoftware,
    /// Software of the Secure state: usually firmware.
    SecureSoftware,
    /// The integrator of the SoC or the board: an input, a fuse, a clock, power.
    Integrator,
    /// The cause cannot be removed.
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
    fn by_default_a_finding_is_not_ambiguous() {
        let text = Diagnosis::only(Unplugged, 0).to_string();
        assert_eq!(
            text,
            "It is not plugged in.\n  read:      volts: 0x0\n  expected:  5\n  \
             fix by:    the integrator of the SoC or the board. Plug it in.\n  source:    everyday life"
        );
    }
}
