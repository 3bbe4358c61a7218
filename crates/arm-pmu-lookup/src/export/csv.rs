//! Writes CSV tables with one row for each event id, and one for each field.

use std::borrow::Cow;

use arm_pmu_tables::{
    Bits, Field, Ip, Location, Operands, Origin, Pmu, Register, Reserved, Reset, Space,
};

const EVENTS: [&str; 18] = [
    "ip",
    "ip_title",
    "group",
    "group_title",
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

/// Table of all events at all sources, with the values that select them. EVNTBUS is the bit on the IP's event bus;
/// empty if the first bit of the source is unknown.
#[must_use]
pub fn events(ip: &'static Ip) -> String {
    let mut table = Table::new(&EVENTS);
    let digits = ip.counters.id.width().div_ceil(4) as usize;
    for of in (Pmu { ip, unit: None }).events() {
        for selection in of.selections() {
            let event = of.event;
            table.row(&[
                ip.name.to_owned(),
                ip.title.to_owned(),
                of.group.name.to_owned(),
                of.group.title.to_owned(),
                joined(of.units().map(|unit| unit.name)),
                selection.source.map_or("", |source| source.name).to_owned(),
                selection.source.map_or("", |source| source.title).to_owned(),
                event.name.to_owned(),
                event.rust.to_owned(),
                format!("0x{:02X}", event.code),
                format!("0x{:0digits$X}", selection.id()),
                selection.evntbus().map_or(String::new(), |bit| bit.to_string()),
                event.counted.word().to_owned(),
                event.attributes().collect::<Vec<_>>().join(" "),
                event.doc.to_owned(),
                event.note.unwrap_or_default().to_owned(),
                reference(&event.origin),
                event.origin.confidence.word().to_owned(),
            ]);
        }
    }
    table.text
}

const REGISTERS: [&str; 24] = [
    "ip",
    "ip_title",
    "units",
    "register",
    "title",
    "page",
    "page_base",
    "offset",
    "count",
    "stride",
    "cp15",
    "sysreg",
    "width",
    "register_access",
    "reset",
    "high",
    "low",
    "field",
    "access",
    "elements",
    "doc",
    "values",
    "reference",
    "confidence",
];

/// Table of all fields. Reserved bits have no name, and their required value in place of an access.
///
/// If the units of an IP have pages at different offsets, each unit has its own rows.
#[must_use]
pub fn registers(ip: &'static Ip) -> String {
    let mut table = Table::new(&REGISTERS);
    let whole = Pmu { ip, unit: None };
    let pmus: Vec<Pmu> = match ip.space {
        Space::Pages(_) => ip.units.iter().map(|unit| Pmu { unit: Some(unit), ..whole }).collect(),
        _ => vec![whole],
    };
    for pmu in pmus {
        for register in pmu.registers() {
            let of_register = of_register(pmu, register);
            for (bits, content) in contents(register) {
                let (only, of_field) = of_content(register, content);
                let mut row = of_register.to_vec();
                if pmu.unit.is_none() {
                    row[2] = joined(register.only.iter().chain(only));
                }
                row.extend([bits.high.to_string(), bits.low.to_string()]);
                row.extend(of_field);
                table.row(&row);
            }
        }
    }
    table.text
}

/// Units with these bits, empty if all have them, and the last columns.
fn of_content(register: &Register, content: Content) -> (&'static [&'static str], [String; 7]) {
    match content {
        Content::Reserved(rule) => (
            &[],
            [
                String::new(),
                rule.word().to_owned(),
                String::new(),
                String::new(),
                String::new(),
                reference(&register.origin),
                register.origin.confidence.word().to_owned(),
            ],
        ),
        Content::Field(field) => (
            field.only,
            [
                field.name.to_owned(),
                field.access.word().to_owned(),
                joined(field.elements.iter().map(ToString::to_string)),
                field.doc.to_owned(),
                joined(field.values.iter().map(|of| format!("{}=0x{:X}", of.name, of.value))),
                reference(&field.origin),
                field.origin.confidence.word().to_owned(),
            ],
        ),
    }
}

enum Content {
    Field(&'static Field),
    Reserved(Reserved),
}

/// Fields and reserved bits of a register, in descending order.
fn contents(register: &'static Register) -> Vec<(Bits, Content)> {
    let fields = register.fields.iter().map(|field| (field.bits, Content::Field(field)));
    let reserved = register.reserved.iter().map(|of| (of.bits, Content::Reserved(of.reserved)));
    let mut all: Vec<_> = fields.chain(reserved).collect();
    all.sort_by_key(|(bits, _)| std::cmp::Reverse(*bits));
    all
}

/// First columns of a register's rows. The offset in memory is from the base of the IP or unit.
fn of_register(pmu: Pmu, register: &Register) -> [String; 15] {
    let mut place = [const { String::new() }; 7];
    match register.location {
        Location::Memory { page, offset, count, stride, .. } => {
            let base = page.and_then(|page| pmu.unit?.page_offset(page));
            place[0] = page.unwrap_or_default().to_owned();
            place[1] = base.map_or(String::new(), |base| format!("0x{base:X}"));
            place[2] = format!("0x{:X}", base.unwrap_or(0) + offset);
            place[3] = count.to_string();
            place[4] = format!("0x{stride:X}");
        }
        Location::Cp15 { operands, .. } => {
            let Operands { opc1, crn, crm, opc2, .. } = operands;
            place[5] = format!("p15 {opc1} c{crn} c{crm} {opc2}");
        }
        Location::System { register, count, .. } => {
            place[3] = count.to_string();
            place[6] = register.to_string();
        }
        _ => {}
    }
    let [page, page_base, offset, count, stride, cp15, sysreg] = place;
    let unit = pmu.unit.map(|unit| unit.name);
    let resets = register
        .resets
        .iter()
        .filter(|reset| unit.is_none() || reset.unit.is_none() || reset.unit == unit);
    [
        pmu.ip.name.to_owned(),
        pmu.ip.title.to_owned(),
        unit.unwrap_or_default().to_owned(),
        register.name.to_owned(),
        register.title.to_owned(),
        page,
        page_base,
        offset,
        count,
        stride,
        cp15,
        sysreg,
        register.width.to_string(),
        register.access.word().to_owned(),
        joined(resets.map(|reset| value(reset, unit))),
    ]
}

/// Reset value, with its unit if the units differ.
fn value(reset: &Reset, unit: Option<&str>) -> String {
    let value = reset.value.map_or("unknown".to_owned(), |value| format!("0x{value:X}"));
    match reset.unit.filter(|_| unit.is_none()) {
        Some(unit) => format!("{unit} {value}"),
        None => value,
    }
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

/// Section of the manual, and the source that replaces it.
fn reference(origin: &Origin) -> String {
    joined(origin.section.into_iter().chain(origin.source))
}

/// CSV as in RFC 4180, except for the line ends.
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
        self.text += &line(cells);
    }
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
        let cells = ["plain", "a, b", "\"odd\"", "two\nlines", "31", ""].map(str::to_owned);
        let mut table = Table::new(&["1", "2", "3", "4", "5", "6"]);
        table.row(&cells);
        let mut reader = ::csv::Reader::from_reader(table.text.as_bytes());
        let row = reader.records().next().expect("a row").expect("cells");
        assert!(row.iter().eq(cells.iter()), "{row:?}");
    }
}
