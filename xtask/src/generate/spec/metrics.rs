//! `metrics.yaml`.

use super::declare::{mapping, plain};
use super::formula::Formula;
use super::read::At;
use super::scalar::{MetricUnit, Name, Text};
use super::{LegendEntry, ManualSpec, events};

mapping! {
    "a metric spec" => Metrics with origin {
        /// The name of the directory under specs/ and of the crate.
        required ip: At<Text>,
        shared manual: ManualSpec,
        /// The documents and programs to which `from` refers.
        list legend: LegendEntry,
        shared_rows groups: Group,
    }
}

mapping! {
    /// Metrics of the events of one group.
    "a group of metrics" => Group with origin {
        /// The name of the group of events.
        required name: At<Name>,
        /// The unit of the group, if several units have one of that name.
        optional unit: At<Name>,
        rows metrics: Metric,
        rows not_computable: UnavailableMetric,
    }
}

impl Group {
    /// Whether the metrics belong to this group of events.
    pub fn is_of(&self, events: &events::Group) -> bool {
        events.is_called(&self.name, self.unit.as_ref())
    }
}

mapping! {
    "a metric" => Metric with origin {
        required name: At<Name>,
        shared unit: MetricUnit,
        shared formula: At<Formula>,
        list arguments: ArgumentSpec,
        /// The units that have the metric; left out: all.
        list only: At<Name>,
        shared doc: At<Text>,
        /// Its limits, and conditions that make it too high or too low.
        optional caveat: At<Text>,
    }
}

plain! {
    /// A parameter of a formula that is not a count.
    "an argument" => ArgumentSpec, Argument {
        required name: At<Name>,
        required doc: At<Text>,
    }
}

mapping! {
    /// A figure that users look for and no events provide.
    "a figure that cannot be computed" => UnavailableMetric with origin {
        required name: At<Name>,
        /// The units to which it applies; left out: all.
        list only: At<Name>,
        shared doc: At<Text>,
        shared reason: At<Text>,
    }
}
