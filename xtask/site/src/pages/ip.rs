//! The page of an IP.

use std::collections::BTreeMap;

use arm_pmu_lookup::programming::parts;
use arm_pmu_lookup::words;
use arm_pmu_tables::{
    Bits, CycleCounter, Event, EventOf, Field, Group, Input, Ip, MainId, Origin, Pmu, Register,
    Reserved, Space, Unit,
};
use askama::Template;

use super::address::of_ip;
use super::filters;
use crate::drawing::{self, Drawing, Scale};
use crate::encode::{self, Data};
use crate::{anchor, formula};

#[derive(Template)]
#[template(path = "ip.html")]
pub struct Page {
    here: String,
    ip: &'static Ip,
    data: String,
    registers: Vec<(&'static Register, Vec<Drawing>)>,
    /// The distinct scales of bit numbers that are drawn above registers.
    scales: Vec<Scale>,
    has_metrics: bool,
}

impl Page {
    pub fn new(ip: &'static Ip) -> Self {
        let registers = ip.registers.iter().map(|register| (register, drawing::draw(ip, register)));
        let registers: Vec<_> = registers.collect();
        let mut scales: Vec<Scale> = Vec::new();
        for drawing in registers.iter().flat_map(|(_, drawings)| drawings) {
            if !scales.contains(&drawing.scale) {
                scales.push(drawing.scale.clone());
            }
        }
        let has_metrics =
            |group: &Group| !group.metrics.is_empty() || !group.unavailable.is_empty();
        Self {
            here: of_ip(ip),
            ip,
            data: Data::new(ip).json(),
            registers,
            scales,
            has_metrics: ip.groups.iter().any(has_metrics),
        }
    }
}

fn counters(ip: &Ip) -> String {
    let beside = if ip.counters.cycles.is_some() { ", and a cycle counter" } else { "" };
    let many = ip.groups.iter().map(|group| group.events.len()).sum::<usize>();
    format!(
        "{} event counters of {} bits{beside}. {many} events.",
        ip.counters.count, ip.counters.bits
    )
}

fn space(ip: &Ip) -> String {
    match ip.space {
        Space::Region { length } => format!("one region of memory, 0x{length:X} bytes"),
        Space::Pages(pages) => {
            let mut all = Vec::new();
            for unit in ip.units {
                for page in pages {
                    if let Some(offset) = unit.page_offset(page.name) {
                        all.push(format!("{} of the {} at 0x{offset:X}", page.name, unit.title));
                    }
                }
            }
            format!("pages in memory, from the base of the unit: {}", all.join(", "))
        }
        Space::Cp15 => "coprocessor 15".to_owned(),
        _ => "system registers of AArch64".to_owned(),
    }
}

/// Part numbers of the processors, each with the name of the IP or unit.
fn main_ids(ip: &'static Ip) -> impl Iterator<Item = (&'static str, &'static MainId)> {
    let own = ip.main_id.iter().map(|id| (ip.product, id));
    own.chain(ip.units.iter().filter_map(|unit| Some((unit.title, unit.main_id.as_ref()?))))
}

fn cycles(counter: &CycleCounter) -> String {
    let code = counter.code.map_or(String::new(), |code| {
        format!(" Other programs select this counter with the number 0x{code:02X} in place of an event code.")
    });
    format!("counted in {}, without selecting an event.{code}", counter.register)
}

/// Unit of a group, unless the group has the title of the unit.
fn unit(ip: &'static Ip, group: &Group) -> Option<&'static Unit> {
    ip.unit(group.unit?).filter(|unit| unit.title != group.title)
}

/// Title of a group, with its unit.
fn title(ip: &'static Ip, group: &Group) -> String {
    let unit = unit(ip, group).map_or(String::new(), |unit| format!(", {}", unit.title));
    format!("{}{unit}", group.title)
}

fn events(ip: &'static Ip, group: &'static Group) -> impl Iterator<Item = EventOf> {
    group.events.iter().map(move |event| EventOf { ip, group, event })
}

/// Returns the name of each source, with the event's id at this source.
fn ids(of: EventOf) -> Vec<(&'static str, String)> {
    let digits = of.ip.counters.id.width().div_ceil(4) as usize;
    let ids = of.selections().filter_map(|one| {
        let bit = one.evntbus().map_or(String::new(), |bit| format!(" EVNTBUS {bit}"));
        Some((one.source?.name, format!("0x{:0digits$X}{bit}", one.id())))
    });
    ids.collect()
}

fn place(origin: &Origin) -> &'static str {
    origin.section.or(origin.source).unwrap_or("")
}

fn flags(of: EventOf) -> Vec<String> {
    let EventOf { ip, group, event } = of;
    // The words that the command prints, without the event's code.
    let data = words::event_data(event, group);
    let mut flags: Vec<String> =
        data.trim_end_matches('.').split(", ").skip(1).map(str::to_owned).collect();
    // The page shows the EVNTBUS bit next to the event ids instead.
    flags.retain(|flag| flag != "counts occurrences" && !flag.contains("EVNTBUS"));
    if !event.only.is_empty() {
        flags.push(format!("{} only", words::titles(ip, event.only)));
    }
    flags
}

/// The event's names in other programs, grouped by program.
fn names(event: &Event) -> Vec<(&'static str, String)> {
    let mut all: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for alias in event.aliases {
        let names = all.entry(alias.dialect().word()).or_default();
        let units = alias.source.units.join(", ");
        let of = if units.is_empty() { String::new() } else { format!(" ({units})") };
        let name = format!("{}{of}", alias.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    all.into_iter().map(|(dialect, names)| (dialect, names.join(", "))).collect()
}

fn location(ip: &'static Ip, register: &Register) -> String {
    capital(&words::place(Pmu { ip, unit: None }, register))
}

fn data(ip: &Ip, register: &Register) -> String {
    let access = words::access(register.access);
    capital(&format!("{} bits, {access}; {}", register.width, words::resets(ip, register)))
}

/// A meaningful value: an event, or the value after reset.
fn example(ip: &'static Ip, register: &'static Register) -> String {
    let selects = ip.counters.event.iter().any(|path| path.register == register.name);
    let examples = encode::examples(Pmu { ip, unit: ip.units.first() }, register);
    let resets = register.resets.iter().filter(|reset| reset.value.is_some()).count();
    let example = if selects { examples.get(resets + 1) } else { None }.or(examples.first());
    let digits = (register.width / 4) as usize;
    example.map_or(String::new(), |value| format!("0x{value:0digits$X}"))
}

pub fn capital(text: &str) -> String {
    let (first, rest) = text.split_at(text.len().min(1));
    first.to_ascii_uppercase() + rest
}

/// Value of a field after reset, if it is the same in all units.
fn reset(register: &Register, field: &Field) -> String {
    let [one] = register.resets else { return String::new() };
    let Some(value) = one.value else { return String::new() };
    let value = (value & field.bits.mask()) >> field.bits.low;
    if field.bits.width() == 1 { value.to_string() } else { format!("0x{value:X}") }
}

/// Required value of reserved bits.
fn expected(bits: Bits, rule: Reserved) -> u64 {
    if rule == Reserved::One { bits.mask() >> bits.low } else { 0 }
}

/// Name of a metric's input, and its address on the page.
fn input(ip: &Ip, group: &Group, input: &Input) -> (String, &'static str) {
    match *input {
        Input::Event(name) => {
            let event = group.events.iter().find(|event| event.name == name);
            (event.map_or(String::new(), |event| anchor::event(ip, group, event)), name)
        }
        _ => ("cycles".to_owned(), "cycles"),
    }
}
