//! `findings.yaml`: of an IP, and the one of all IPs.

use super::declare::mapping;
use super::read::{At, List};
use super::scalar::{Confidence, FixableBy, Name, Reference, Text};
use super::{LegendEntry, Manual};

mapping! {
    "a spec of findings" => Findings {
        /// The name of the directory under specs/, which is that of the crate.
        required ip: At<Text>,
        required manual: Manual,
        /// The documents and programs that `from` names.
        list legend: LegendEntry,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        /// The findings of `specs/findings.yaml` that this IP has too.
        list common: At<Name>,
        required findings: List<Finding>,
    }
}

mapping! {
    /// The file that belongs to no IP.
    "a spec of common findings" => CommonFindings {
        /// The documents and programs that `from` names.
        list legend: LegendEntry,
        required findings: List<Finding>,
    }
}

mapping! {
    /// What a diagnosis can find.
    "a finding" => Finding {
        required name: At<Name>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        /// The only units that it is about.
        list only: At<Name>,
        /// Several causes look the same.
        flag ambiguous: bool,
        /// Why counters read zero.
        required cause: At<Text>,
        /// What the number is that was read.
        required read: At<Text>,
        /// What it would be if this were not the cause.
        required expected: At<Text>,
        /// How it is mended.
        required fix: At<Text>,
        /// Who can do that.
        required fixable_by: At<FixableBy>,
    }
}
