//! `metrics.yaml`.

use super::declare::{mapping, plain};
use super::formula::Formula;
use super::read::At;
use super::scalar::{Decimal, Measure, Name, Text};
use super::{LegendEntry, ManualSpec, events};

mapping! {
    "a metric spec" => Metrics with origin {
        /// Name of the directory under specs/ and of the crate.
        required ip: At<Text>,
        shared manual: ManualSpec,
        /// Documents and programs to which `from` refers.
        list legend: LegendEntry,
        shared_rows groups: Group,
    }
}

mapping! {
    /// Metrics of the events of one group.
    "a group of metrics" => Group with origin {
        /// Name of the group of events.
        required name: At<Name>,
        /// Unit of the group, if several units have a group of that name.
        optional unit: At<Name>,
        /// Values of arguments. If several values apply to a product, the first one is used. A single value for all
        /// products becomes a number in formulas.
        list values: ValueSpec,
        rows metrics: Metric,
        rows not_computable: UnavailableMetric,
    }
}

impl Group {
    /// Returns whether the metrics belong to this group of events.
    pub fn is_of(&self, events: &events::Group) -> bool {
        events.is_called(&self.name, self.unit.as_ref())
    }

    /// Returns the value of an argument if it is the same on all products.
    pub fn constant(&self, name: &str) -> Option<u32> {
        let mut values = self.values.iter().filter(|value| value.name.0 == name);
        let (first, second) = (values.next()?, values.next());
        let is_of_all = second.is_none() && first.product.is_none() && first.before.is_none();
        is_of_all.then_some(first.value.0)
    }
}

mapping! {
    "a metric" => Metric with origin {
        required name: At<Name>,
        shared unit: Measure,
        shared formula: At<Formula>,
        list arguments: ArgumentSpec,
        /// Units that have the metric; if omitted: all.
        list only: At<Name>,
        /// Names that users give to select several metrics.
        list topics: At<Name>,
        /// Topics to measure next if this metric is the largest of its topic.
        list next: At<Name>,
        shared doc: At<Text>,
        /// Limits of the metric, and conditions that make its value too high or too low.
        optional caveat: At<Text>,
    }
}

plain! {
    /// The value that an argument has on one product.
    "a value of an argument" => ValueSpec, ArgumentValue {
        /// The argument.
        required name: At<Name>,
        /// Title of one of the IP's products; if omitted, the value applies to all of its products.
        optional product: At<Text>,
        /// First revision to which the value no longer applies (r0p3); if omitted, the value
        /// applies to all revisions.
        optional before: At<Name>,
        required value: At<Decimal>,
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
    /// A metric that users look for, but that no events provide.
    "a figure that cannot be computed" => UnavailableMetric with origin {
        required name: At<Name>,
        /// Units that this entry is for; if omitted: all.
        list only: At<Name>,
        shared doc: At<Text>,
        shared reason: At<Text>,
    }
}
