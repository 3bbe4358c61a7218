//! Findings of a diagnosis: reasons why counters read zero.

use crate::table::table;
use crate::{FixableBy, Origin};

table! {
    /// A finding: a reason why counters read zero.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Finding {
        /// Name in capitals: `NIDEN_LOW`.
        required name: &'static str,
        /// Variant of `Finding` in the crate of the IP.
        required rust: &'static str,
        /// Cause, as a sentence.
        text cause: &'static str,
        /// Meaning of the value that was read.
        text read: &'static str,
        /// Expected value.
        text expected: &'static str,
        /// Fix, as a sentence.
        fixed fix: &'static str = "",
        /// Party that can apply the fix.
        fixed fixable_by: FixableBy = FixableBy::Nobody,
        /// Whether other causes look the same to the diagnosis.
        flag ambiguous: bool,
        /// Units that can have the finding, if only some can; empty if all can.
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
