//! Writes CSV tables with one row for each event id, and one for each field.

use std::borrow::Cow;

use arm_pmu_tables::{
    Bits, Field, Ip, Location, Operands, Origin, Pmu, Register, Reserved, Reset, Selection, Space,
};

use crate::programming::parts;

/// Name of a column, and a function that returns the cell of a row.
type Column<R> = (&'static str, fn(&R) -> String);

const EVENTS: [Column<Selection>; 18] = [
    ("ip", |one| one.of.ip.name.to_owned()),
    ("ip_title", |one| one.of.ip.title.to_owned()),
    ("group", |one| one.of.group.name.to_owned()),
    ("group_title", |one| one.of.group.title.to_owned()),
    ("units", |one| joined(one.of.units().map(|unit| unit.name))),
    ("source", |one| one.source.map_or("", |source| source.name).to_owned()),
    ("source_title", |one| one.source.map_or("", |source| source.title).to_owned()),
    ("event", |one| one.of.event.name.to_owned()),
    ("rust", |one| one.of.event.rust.to_owned()),
    ("code", |one| format!("0x{:02X}", one.of.event.code)),
    ("id", |one| {
        let digits = one.of.ip.counters.id.width().div_ceil(4) as usize;
        format!("0x{:0digits$X}", one.id())
    }),
    ("evntbus", |one| one.evntbus().map_or(String::new(), |bit| bit.to_string())),
    ("counts", |one| one.of.event.counted.word().to_owned()),
    ("attributes", |one| one.of.event.attributes().collect::<Vec<_>>().join(" ")),
    ("doc", |one| one.of.event.doc.to_owned()),
    ("note", |one| one.of.event.note.unwrap_or_default().to_owned()),
    ("reference", |one| reference(&one.of.event.origin)),
    ("confidence", |one| one.of.event.origin.confidence.word().to_owned()),
];

/// Table of all events at all sources, with the values that select them. The EVNTBUS column has the bit on the IP's
/// event bus; it is empty if the first bit of the source is unknown.
#[must_use]
pub fn events(ip: &'static Ip) -> String {
    table(&EVENTS, Pmu { ip, unit: None }.selections())
}

/// Bits of a register: a field, or reserved.
struct Part {
    pmu: Pmu,
    register: &'static Register,
    bits: Bits,
    content: Result<&'static Field, Reserved>,
}

const REGISTERS: [Column<Part>; 24] = [
    ("ip", |part| part.pmu.ip.name.to_owned()),
    ("ip_title", |part| part.pmu.ip.title.to_owned()),
    ("units", |part| match part.pmu.unit {
        Some(unit) => unit.name.to_owned(),
        None => joined(part.register.only.iter().chain(part.each(|field| field.only))),
    }),
    ("register", |part| part.register.name.to_owned()),
    ("title", |part| part.register.title.to_owned()),
    ("page", |part| part.page().unwrap_or_default().to_owned()),
    ("page_base", |part| hexadecimal(part.page_base())),
    // Offset from the base of the IP or unit.
    ("offset", |part| {
        let of_page = part.register.offset(0);
        hexadecimal(of_page.map(|offset| part.page_base().unwrap_or(0) + offset))
    }),
    ("count", |part| match part.register.location {
        Location::Cp15 { .. } => String::new(),
        _ => part.register.count().to_string(),
    }),
    ("stride", |part| match part.register.location {
        Location::Memory { stride, .. } => hexadecimal(Some(stride)),
        _ => String::new(),
    }),
    ("cp15", |part| match part.register.location {
        Location::Cp15 { operands: Operands { opc1, crn, crm, opc2, .. }, .. } => {
            format!("p15 {opc1} c{crn} c{crm} {opc2}")
        }
        _ => String::new(),
    }),
    ("sysreg", |part| match part.register.location {
        Location::System { register, .. } => register.to_string(),
        _ => String::new(),
    }),
    ("width", |part| part.register.width.to_string()),
    ("register_access", |part| part.register.access.word().to_owned()),
    ("reset", |part| {
        let unit = part.pmu.unit.map(|unit| unit.name);
        let is_here = |of: &&Reset| unit.is_none() || of.unit.is_none() || of.unit == unit;
        joined(part.register.resets.iter().filter(is_here).map(|reset| value(reset, unit)))
    }),
    ("high", |part| part.bits.high.to_string()),
    ("low", |part| part.bits.low.to_string()),
    ("field", |part| part.content.map_or("", |field| field.name).to_owned()),
    ("access", |part| match part.content {
        Ok(field) => field.access.word().to_owned(),
        Err(reserved) => reserved.word().to_owned(),
    }),
    ("elements", |part| joined(part.each(|field| field.elements).iter().map(u32::to_string))),
    ("doc", |part| part.content.map_or("", |field| field.doc).to_owned()),
    ("values", |part| {
        let values = part.each(|field| field.values).iter();
        joined(values.map(|of| format!("{}=0x{:X}", of.name, of.value)))
    }),
    ("reference", |part| reference(&part.origin())),
    ("confidence", |part| part.origin().confidence.word().to_owned()),
];

impl Part {
    /// All bits of a register, in descending order.
    fn all(pmu: Pmu, register: &'static Register) -> Vec<Self> {
        let part = |(bits, content)| Self { pmu, register, bits, content };
        parts(register).into_iter().map(part).collect()
    }

    fn page(&self) -> Option<&'static str> {
        match self.register.location {
            Location::Memory { page, .. } => page,
            _ => None,
        }
    }

    fn page_base(&self) -> Option<u32> {
        self.pmu.unit?.page_offset(self.page()?)
    }

    /// Returns the list that the function `list` takes from the field. For reserved bits, the list
    /// is empty.
    fn each<T>(&self, list: impl Fn(&'static Field) -> &'static [T]) -> &'static [T] {
        self.content.map_or(&[], list)
    }

    fn origin(&self) -> Origin {
        self.content.map_or(self.register.origin, |field| field.origin)
    }
}

/// Table of all fields. Reserved bits have no name; their `access` column contains the required value.
///
/// If the units of an IP have pages at different offsets, each unit has its own rows.
#[must_use]
pub fn registers(ip: &'static Ip) -> String {
    let whole = Pmu { ip, unit: None };
    let pmus: Vec<Pmu> = match ip.space {
        Space::Pages(_) => ip.units.iter().map(|unit| Pmu { unit: Some(unit), ..whole }).collect(),
        _ => vec![whole],
    };
    let registers = pmus.into_iter().flat_map(|pmu| pmu.registers().map(move |one| (pmu, one)));
    table(&REGISTERS, registers.flat_map(|(pmu, register)| Part::all(pmu, register)))
}

/// Reset value, with its unit if the units differ.
fn value(reset: &Reset, unit: Option<&str>) -> String {
    let value = reset.value.map_or("unknown".to_owned(), |value| format!("0x{value:X}"));
    match reset.unit.filter(|_| unit.is_none()) {
        Some(unit) => format!("{unit} {value}"),
        None => value,
    }
}

fn hexadecimal(number: Option<u32>) -> String {
    number.map_or(String::new(), |number| format!("0x{number:X}"))
}

fn joined<T: AsRef<str>>(parts: impl Iterator<Item = T>) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            text += "; ";
        }
        text += part.as_ref();
    }
    text
}

/// Section of the manual, and any source other than the manual.
fn reference(origin: &Origin) -> String {
    joined(origin.section.into_iter().chain(origin.source))
}

/// CSV as in RFC 4180, except for the line ends.
fn table<R>(columns: &[Column<R>], rows: impl Iterator<Item = R>) -> String {
    let heading = line(&columns.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    rows.fold(heading, |text, row| {
        text + &line(&columns.iter().map(|(_, cell)| cell(&row)).collect::<Vec<_>>())
    })
}

/// A row of CSV.
#[must_use]
pub fn line(cells: &[impl AsRef<str>]) -> String {
    cells.iter().map(|cell| quoted(cell.as_ref())).collect::<Vec<_>>().join(",") + "\n"
}

fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains(['"', ',', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_commas_survive_csv() {
        let cells = ["plain", "a, b", "\"odd\"", "two\nlines", "31", ""];
        let text = line(&["1", "2", "3", "4", "5", "6"]) + &line(&cells);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let row = reader.records().next().expect("a row").expect("cells");
        assert!(row.iter().eq(cells), "{row:?}");
    }
}
