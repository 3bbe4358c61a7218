//! `events.yaml`.

use super::Manual;
use super::read::{At, List, Read, mapping, scalar};
use super::scalar::{Codes, Confidence, Decimal, FieldPath, Hex, Name, Text, Unit};
use crate::problem::{Problem, Problems};
use crate::yaml::Node;

mapping! {
    "an event spec" => Events {
        /// The name of the directory under specs/, which is that of the crate.
        required ip: At<Text>,
        required manual: Manual,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        optional source: At<Text>,
        required counters: Counters,
        optional evntbus: At<EventBus>,
        required groups: List<Group>,
    }
}

mapping! {
    /// Which registers count and select.
    "the counters" => Counters {
        /// The register that holds a count; there are as many counters as it has elements.
        required value: At<Name>,
        /// The field that takes the code of an event.
        required event: At<FieldPath>,
        /// The field that takes the source of an event.
        required source: At<FieldPath>,
        /// The register that counts cycles, if there is one.
        optional cycles: At<Name>,
    }
}

/// How wide the event bus is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventBus {
    /// It depends on the configuration of the part: `configured`.
    Configured,
    /// So many bits, each of which some event drives.
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
        problems.push(Problem::new(&node.place, message).help(help));
        None
    }
}

mapping! {
    /// Events of one kind of source.
    "a group" => Group {
        required name: At<Name>,
        /// What the sources are, in the singular.
        required title: Text,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        optional source: At<Text>,
        required sources: List<Source>,
        list reserved_sources: At<Hex>,
        list reserved_codes: At<Codes>,
        required events: List<Event>,
    }
}

mapping! {
    "a source" => Source {
        required id: At<Hex>,
        required name: At<Name>,
        required title: Text,
        /// The bit of EVNTBUS at which the events of the source start.
        optional evntbus: At<Decimal>,
    }
}

mapping! {
    "an event" => Event {
        required code: At<Hex>,
        required name: At<Name>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        optional source: At<Text>,
        optional unit: At<Unit>,
        /// The bit of EVNTBUS, counted from the first bit of the source.
        optional evntbus: At<Decimal>,
        flag secure_exempt: bool,
        flag ace_only: bool,
        flag never_fires: bool,
        required doc: At<Text>,
        optional note: At<Text>,
    }
}
