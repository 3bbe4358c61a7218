//! `events.yaml`.

use arm_pmu_spec::legend::Facts;
use serde_json::json;

use super::declare::{mapping, plain};
use super::read::{At, List, Read, scalar};
use super::scalar::{Codes, Counted, Decimal, EventBusPlace, FieldPath, Hex, Name, Text};
use super::schema::Definitions;
use super::{LegendEntry, ManualSpec};
use crate::generate::problem::{Place, Problems, report};
use crate::generate::yaml::{Node, Value};

mapping! {
    "an event spec" => Events with origin {
        /// Name of the directory under specs/ and of the crate.
        required ip: At<Text>,
        shared manual: ManualSpec,
        /// Documents and programs to which `from` refers.
        list legend: LegendEntry,
        shared counters: Counters,
        optional evntbus: At<EventBus>,
        shared_rows groups: Group,
    }
}

mapping! {
    /// Registers that count and select events.
    "the counters" => Counters {
        /// Register that holds a count; its number of elements is the number of counters.
        /// Alternatively, a list of registers, one for each counter.
        required value: OneOrMore<At<Name>>,
        /// Field for the code of an event. If each counter has its own register, a field for each
        /// counter.
        required event: OneOrMore<At<FieldPath>>,
        /// Field for the source of an event, if events have sources.
        optional source: At<FieldPath>,
        /// Register that counts cycles, if there is one.
        optional cycles: At<Name>,
    }
}

/// A value, or a list of values.
#[derive(Clone, Debug)]
pub struct OneOrMore<T> {
    /// Never empty.
    items: List<T>,
    /// Where it starts.
    pub place: Place,
    pub is_list: bool,
}

impl<T> OneOrMore<T> {
    pub fn first(&self) -> &T {
        &self.items[0]
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T> AsRef<Place> for OneOrMore<T> {
    fn as_ref(&self) -> &Place {
        &self.place
    }
}

impl<T> Facts for OneOrMore<T> {}
impl Facts for EventBus {}

impl<T: Read> Read for OneOrMore<T> {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let place = node.place.clone();
        if !matches!(node.value, Value::Sequence(_)) {
            let items = List { items: vec![T::read(node, problems)?], complete: true };
            return Some(Self { items, place, is_list: false });
        }
        let items = List::<T>::read(node, problems)?;
        if items.is_empty() && items.complete {
            report(problems, &place, "the list is empty");
        }
        // The valid part of an incomplete list would look like a complete, shorter list.
        (items.complete && !items.is_empty()).then_some(Self { items, place, is_list: true })
    }

    fn describe(definitions: &mut Definitions) -> serde_json::Value {
        let one = T::describe(definitions);
        json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] })
    }
}

/// Width of the event bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventBus {
    /// The width depends on the configuration of the part: `configured`.
    Configured,
    /// Number of bits. Each bit is driven by an event.
    Bits(u32),
}

impl Read for EventBus {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a width of EVNTBUS", problems)?;
        if text == "configured" {
            return Some(Self::Configured);
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return Decimal::read(node, problems).map(|Decimal(bits)| Self::Bits(bits));
        }
        let message = format!("`{}` is not a width of EVNTBUS", text.escape_default());
        let help =
            "write how many bits it has, or `configured` if that depends on how the part is built";
        report(problems, node, message).help(help);
        None
    }

    fn describe(definitions: &mut Definitions) -> serde_json::Value {
        json!({ "anyOf": [{ "const": "configured" }, Decimal::describe(definitions)] })
    }
}

mapping! {
    /// Events of one kind of source, or of the PMU itself.
    "a group" => Group with origin {
        required name: At<Name>,
        /// Singular name of one source or, without sources, of the part that has the events.
        shared title: Text,
        /// Unit that has these events; if omitted: all units.
        optional unit: At<Name>,
        /// `unknown`: no source describes the place of these events on EVNTBUS.
        optional evntbus: At<EventBusPlace>,
        rows sources: SourceSpec,
        list reserved_sources: At<Hex>,
        list reserved_codes: At<Codes>,
        shared_rows events: Event,
    }
}

impl Group {
    /// Returns whether the group has this name and, if a unit is given, belongs to this unit.
    pub fn is_called(&self, name: &Name, unit: Option<&At<Name>>) -> bool {
        let of_unit = |unit: &At<Name>| self.unit.as_ref().is_some_and(|of| of.0 == unit.0);
        self.name.0 == name.0 && unit.is_none_or(of_unit)
    }
}

plain! {
    "a source" => SourceSpec, Source {
        shared id: At<Hex>,
        required name: At<Name>,
        shared title: Text,
        /// First EVNTBUS bit for the events of the source.
        optional evntbus: At<Decimal>,
    }
}

mapping! {
    "an event" => Event with origin {
        shared code: At<Hex>,
        required name: At<Name>,
        optional unit: At<Counted>,
        /// EVNTBUS bit, counted from the first bit of the source.
        optional evntbus: At<Decimal>,
        flag secure_exempt: bool,
        flag ace_only: bool,
        flag never_fires: bool,
        flag filterable: bool,
        flag secure_only: bool,
        flag architectural: bool,
        /// Units that have the event; if omitted: all.
        list only: At<Name>,
        optional doc: At<Text>,
        optional note: At<Text>,
    }
}
