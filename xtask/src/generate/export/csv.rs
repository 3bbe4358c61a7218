//! Tables: one row for each event id, and one for each field.

use std::borrow::Cow;

use crate::generate::model::{
    Content, Group, Ip, Location, Operands, Origin, PmuUnit, Register, Reset, Space,
};
use crate::generate::names;

const EVENTS: [&str; 16] = [
    "ip",
    "group",
    "units",
    "source",
    "source_title",
    "event",
    "rust",
    "code",
    "id",
    "evntbus",
    "counts",
    "attributes",
    "doc",
    "note",
    "reference",
    "confidence",
];

/// Every event of every source, with the number that a counter is given. EVNTBUS is that of the IP
/// where the first bit of the source is known, else empty.
pub fn events(ip: &Ip) -> String {
    let mut table = Table::new(&EVENTS);
    for group in &ip.groups {
        let digits = ip.counters.id_width().div_ceil(4) as usize;
        for event in &group.events {
            let sources: Vec<_> = match ip.counters.source {
                Some(bits) => group.sources.iter().map(|source| Some((source, bits))).collect(),
                None => vec![None],
            };
            for source in sources {
                let above = source.map_or(0, |(source, bits)| source.id << bits.low);
                let bit = source.and_then(|(source, _)| Some(source.evntbus? + event.evntbus?));
                table.row(&[
                    ip.name.clone(),
                    group.name.clone(),
                    units(ip, group, &event.only),
                    source.map_or(String::new(), |(source, _)| source.name.clone()),
                    source.map_or(String::new(), |(source, _)| source.title.clone()),
                    event.name.clone(),
                    names::event_variant(&event.name),
                    format!("0x{:02X}", event.code),
                    format!("0x{:0digits$X}", above | event.code << ip.counters.event.low),
                    bit.map_or(String::new(), |bit| bit.to_string()),
                    event.unit.word().to_owned(),
                    event.flags.join(" "),
                    event.doc.clone(),
                    event.note.clone().unwrap_or_default(),
                    reference(&event.origin),
                    event.origin.confidence.word().to_owned(),
                ]);
            }
        }
    }
    table.text
}

const REGISTERS: [&str; 18] = [
    "ip",
    "register",
    "title",
    "page",
    "offset",
    "count",
    "stride",
    "cp15",
    "width",
    "register_access",
    "reset",
    "bits",
    "field",
    "access",
    "only",
    "doc",
    "reference",
    "confidence",
];

/// Every field, reserved bits too; those have no name, and what they want in place of an access.
pub fn registers(ip: &Ip) -> String {
    let mut table = Table::new(&REGISTERS);
    for register in &ip.registers {
        let whole = of_register(ip, register);
        let of_units = |units: &[usize]| -> Vec<String> {
            units.iter().filter_map(|unit| name_of(ip, *unit)).collect()
        };
        for field in &register.fields {
            let of_field = match &field.content {
                Content::Reserved(kind) => [
                    String::new(),
                    kind.word().to_owned(),
                    joined(of_units(&register.only).into_iter()),
                    String::new(),
                    reference(&register.origin),
                    register.origin.confidence.word().to_owned(),
                ],
                Content::Named(named) => [
                    named.name.clone(),
                    named.access.word().to_owned(),
                    joined(
                        named
                            .elements
                            .iter()
                            .map(|element| format!("element {element}"))
                            .chain(of_units(&register.only))
                            .chain(of_units(&named.only)),
                    ),
                    named.doc.clone(),
                    reference(&named.origin),
                    named.origin.confidence.word().to_owned(),
                ],
            };
            let bits = format!("{}:{}", field.bits.high, field.bits.low);
            table.row(&[&whole[..], &[bits], &of_field[..]].concat());
        }
    }
    table.text
}

/// The first columns of all rows of a register.
fn of_register(ip: &Ip, register: &Register) -> [String; 11] {
    let mut place = [const { String::new() }; 5];
    match &register.location {
        Location::Memory { page, offset, count, stride, .. } => {
            if let (Some(page), Space::Pages(pages)) = (page, &ip.space) {
                place[0] = pages.get(*page).map_or(String::new(), |page| page.name.clone());
            }
            place[1] = format!("0x{offset:X}");
            place[2] = count.to_string();
            place[3] = format!("0x{stride:X}");
        }
        Location::Cp15 { operands: Operands { opc1, crn, crm, opc2 }, .. } => {
            place[4] = format!("p15 {opc1} c{crn} c{crm} {opc2}");
        }
    }
    let [page, offset, count, stride, cp15] = place;
    [
        ip.name.clone(),
        register.name.clone(),
        register.title.clone(),
        page,
        offset,
        count,
        stride,
        cp15,
        register.width.to_string(),
        register.access.word().to_owned(),
        joined(register.resets.iter().map(|reset| value(ip, reset))),
    ]
}

/// A value after reset, with its unit if units differ.
fn value(ip: &Ip, reset: &Reset) -> String {
    let value = reset.value.map_or("unknown".to_owned(), |value| format!("0x{value:X}"));
    match reset.unit.and_then(|unit| name_of(ip, unit)) {
        Some(unit) => format!("{unit} {value}"),
        None => value,
    }
}

fn units(ip: &Ip, group: &Group, only: &[usize]) -> String {
    joined(ip.units_with(group, only).map(|unit| unit.name.clone()))
}

fn name_of(ip: &Ip, unit: usize) -> Option<String> {
    ip.units.get(unit).map(|PmuUnit { name, .. }| name.clone())
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join("; ")
}

/// Where it comes from: the section of the manual, then what stands in for it.
fn reference(origin: &Origin) -> String {
    joined(origin.section.iter().chain(&origin.source).cloned())
}

/// Text as RFC 4180 has it, but with the line ends of these files.
struct Table {
    text: String,
    columns: usize,
}

impl Table {
    fn new(heading: &[&str]) -> Self {
        let mut table = Self { text: String::new(), columns: heading.len() };
        table.row(&heading.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        table
    }

    fn row(&mut self, cells: &[String]) {
        debug_assert_eq!(cells.len(), self.columns);
        let cells: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
        self.text += &cells.join(",");
        self.text.push('\n');
    }
}

fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains(['"', ',', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}
