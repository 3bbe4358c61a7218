//! `findings.yaml`: of an IP, and the one of all IPs.

use super::declare::mapping;
use super::read::{At, List};
use super::scalar::{FixableBy, Name, Text};
use super::{LegendEntry, ManualSpec};

mapping! {
    "a spec of findings" => Findings with origin {
        /// The name of the directory under specs/ and of the crate.
        required ip: At<Text>,
        shared manual: ManualSpec,
        /// The documents and programs to which `from` refers.
        list legend: LegendEntry,
        /// The findings of `specs/findings.yaml` that this IP also has.
        list common: At<Name>,
        shared_rows findings: Finding,
        /// Of an architecture with a driver for every core: the findings that its IPs have.
        rows implementations: Finding,
    }
}

mapping! {
    /// The file of findings that several IPs share.
    "a spec of common findings" => CommonFindings {
        /// The documents and programs to which `from` refers.
        list legend: LegendEntry,
        required findings: List<Finding>,
    }
}

mapping! {
    /// Finding of a diagnosis.
    "a finding" => Finding with origin {
        required name: At<Name>,
        /// The units to which it applies; left out: all.
        list only: At<Name>,
        /// Whether several causes look the same.
        flag ambiguous: bool,
        /// Diagnosis: why counters read zero.
        shared cause: At<Text>,
        /// The number that the diagnosis read.
        shared read: At<Text>,
        /// The value of that number without this cause.
        shared expected: At<Text>,
        /// How to fix the cause.
        shared fix: At<Text>,
        /// The party that can fix it.
        shared fixable_by: At<FixableBy>,
    }
}
