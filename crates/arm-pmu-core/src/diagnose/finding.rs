//! The trait that every enum of findings implements.

use core::fmt::{self, Debug, Display};
use core::hash::Hash;

/// A reason why counters read zero, from an IP's table of findings.
///
/// Each IP has its own enum of findings, generated from its specs. The enum also has inherent methods with the names
/// of the trait's methods, for use in constants and without importing the trait. A finding prints as its
/// [cause](Self::cause). A program contains only the texts that it uses.
pub trait Finding: Copy + Debug + Display + Eq + Hash + 'static {
    /// All findings in the order of the table.
    const ALL: &'static [Self];

    /// Returns the name of the finding in capitals.
    fn name(self) -> &'static str;

    /// Describes why counters read zero, in one or two sentences.
    fn cause(self) -> &'static str;

    /// Describes the number that the diagnosis read.
    fn read(self) -> &'static str;

    /// Describes the number that would be read without this cause.
    fn expected(self) -> &'static str;

    /// Describes the fix.
    fn fix(self) -> &'static str;

    /// Returns the party that can apply the fix.
    fn fixable_by(self) -> FixableBy;

    /// Returns the sources of the finding, with their confidence.
    fn source(self) -> &'static str;

    /// Returns whether the finding has several possible causes that the hardware cannot distinguish.
    fn is_ambiguous(self) -> bool;
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
    /// A kernel or hypervisor: privileged software in the same security state.
    PrivilegedSoftware,
    /// Software in Secure state, usually firmware.
    SecureSoftware,
    /// The integrator of the SoC or board, who controls inputs, fuses, clocks and power.
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
