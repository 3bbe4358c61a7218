//! `findings.yaml` of an IP, and the shared file `specs/findings.yaml`.

use super::declare::mapping;
use super::read::{At, List};
use super::scalar::{FixableBy, Name, Text};
use super::{LegendEntry, ManualSpec};

mapping! {
    "a spec of findings" => Findings with origin {
        /// Name of the directory under specs/ and of the crate.
        required ip: At<Text>,
        shared manual: ManualSpec,
        /// Documents and programs to which `from` refers.
        list legend: LegendEntry,
        /// Findings of `specs/findings.yaml` that this IP also has.
        list common: At<Name>,
        shared_rows findings: Finding,
        /// Findings of the architecture's IPs. Only an architecture with a driver for every core
        /// has this key.
        rows implementations: Finding,
    }
}

mapping! {
    /// A file of findings that several IPs share.
    "a spec of common findings" => CommonFindings {
        /// Documents and programs to which `from` refers.
        list legend: LegendEntry,
        required findings: List<Finding>,
    }
}

mapping! {
    /// Finding of a diagnosis.
    "a finding" => Finding with origin {
        required name: At<Name>,
        /// Units that have this finding; if omitted: all.
        list only: At<Name>,
        /// Whether several causes look the same.
        flag ambiguous: bool,
        /// Diagnosis: why counters read zero.
        shared cause: At<Text>,
        /// Number that the diagnosis read.
        shared read: At<Text>,
        /// Number that the diagnosis would read without the cause.
        shared expected: At<Text>,
        /// How to fix the cause.
        shared fix: At<Text>,
        /// Party that can fix the cause.
        shared fixable_by: At<FixableBy>,
    }
}
