//! Why counters may read zero.

use crate::Origin;
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

/// A result of a diagnosis: a reason why counters read zero.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Finding {
    /// In capitals: `NIDEN_LOW`.
    pub name: &'static str,
    /// The variant of `Finding` in the crate of the IP.
    pub rust: &'static str,
    /// The reason, as a sentence.
    pub cause: &'static str,
    /// What the value that goes with it is.
    pub read: &'static str,
    /// What that value is expected to be.
    pub expected: &'static str,
    /// What to do, as a sentence.
    pub fix: &'static str,
    /// The party that can do it.
    pub fixable_by: FixableBy,
    /// Several causes look the same.
    pub ambiguous: bool,
    /// The only units that can have it; empty if all can.
    pub only: &'static [&'static str],
    /// Where it comes from.
    pub origin: Origin,
}

impl Finding {
    pub(crate) const fn new(name: &'static str, rust: &'static str, origin: Origin) -> Self {
        Self {
            name,
            rust,
            cause: "",
            read: "",
            expected: "",
            fix: "",
            fixable_by: FixableBy::Nobody,
            ambiguous: false,
            only: &[],
            origin,
        }
    }

    pub(crate) const fn cause(self, cause: &'static str) -> Self {
        Self { cause, ..self }
    }

    pub(crate) const fn reads(self, read: &'static str, expected: &'static str) -> Self {
        Self { read, expected, ..self }
    }

    pub(crate) const fn fix(self, fixable_by: FixableBy, fix: &'static str) -> Self {
        Self { fixable_by, fix, ..self }
    }

    pub(crate) const fn ambiguous(self) -> Self {
        Self { ambiguous: true, ..self }
    }

    pub(crate) const fn only(self, only: &'static [&'static str]) -> Self {
        Self { only, ..self }
    }
}
