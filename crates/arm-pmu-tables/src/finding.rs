//! Why counters may read zero.

use crate::Origin;
use crate::table::table;
use crate::words::words;

words! {
    /// The party that can fix what a diagnosis finds.
    FixableBy {
        /// The caller of the driver.
        "caller" => Caller,
        /// Privileged software.
        "privileged_software" => PrivilegedSoftware,
        /// Secure software.
        "secure_software" => SecureSoftware,
        /// The integrator of the system.
        "integrator" => Integrator,
        /// No party.
        "nobody" => Nobody,
    }
}

table! {
    /// A result of a diagnosis: a reason why counters read zero.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Finding {
        /// In capitals: `NIDEN_LOW`.
        required name: &'static str,
        /// The variant of `Finding` in the crate of the IP.
        required rust: &'static str,
        /// The reason, as a sentence.
        text cause: &'static str,
        /// Meaning of the value in the finding.
        text read: &'static str,
        /// Expected value.
        text expected: &'static str,
        /// Remedy, as a sentence.
        fixed fix: &'static str = "",
        /// The party that can do it.
        fixed fixable_by: FixableBy = FixableBy::Nobody,
        /// Several causes look the same.
        flag ambiguous: bool,
        /// The only units that can have it; empty if all can.
        list only: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

impl Finding {
    pub(crate) const fn reads(self, read: &'static str, expected: &'static str) -> Self {
        Self { read, expected, ..self }
    }

    pub(crate) const fn fix(self, fixable_by: FixableBy, fix: &'static str) -> Self {
        Self { fixable_by, fix, ..self }
    }
}
