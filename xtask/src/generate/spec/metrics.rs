//! `metrics.yaml`.

use super::declare::mapping;
use super::formula::Formula;
use super::read::{At, List};
use super::scalar::{Confidence, MetricUnit, Name, Reference, Text};
use super::{LegendEntry, Manual, events};

mapping! {
    "a metric spec" => Metrics {
        /// The name of the directory under specs/, which is that of the crate.
        required ip: At<Text>,
        required manual: Manual,
        /// The documents and programs that `from` names.
        list legend: LegendEntry,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        required groups: List<Group>,
    }
}

mapping! {
    /// Metrics of the events of one group.
    "a group of metrics" => Group {
        /// That of the group of events.
        required name: At<Name>,
        /// The unit whose group it is, where several have one of that name.
        optional unit: At<Name>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        list metrics: Metric,
        list not_computable: UnavailableMetric,
    }
}

impl Group {
    /// Whether the metrics are those of this group of events.
    pub fn is_of(&self, events: &events::Group) -> bool {
        events.is_called(&self.name, self.unit.as_ref())
    }
}

mapping! {
    "a metric" => Metric {
        required name: At<Name>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        required unit: MetricUnit,
        required formula: At<Formula>,
        list arguments: Argument,
        /// The only units that have the metric.
        list only: At<Name>,
        required doc: At<Text>,
        /// What it does not mean.
        optional caveat: At<Text>,
    }
}

mapping! {
    /// What a formula takes beside counts.
    "an argument" => Argument {
        required name: At<Name>,
        required doc: At<Text>,
    }
}

mapping! {
    /// What people ask for, and no events give.
    "a figure that cannot be computed" => UnavailableMetric {
        required name: At<Name>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        /// The only units of which it is said.
        list only: At<Name>,
        required doc: At<Text>,
        required reason: At<Text>,
    }
}
