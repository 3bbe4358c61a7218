//! The page of an IP.

use std::collections::BTreeMap;

use arm_pmu_lookup::words;
use arm_pmu_tables::{
    Bits, Confidence, Event, EventOf, Field, FieldValue, Finding, Group, Input, Ip, Metric, Origin,
    Pmu, Register, Reserved, Source, Space, UnavailableMetric,
};
use askama::Template;

use super::address::{nav, of_ip};
use super::filters;
use crate::drawing::{self, Drawing, Scale};
use crate::encode::{self, Data};
use crate::{anchor, formula};

#[derive(Template)]
#[template(path = "ip.html")]
pub struct Page {
    nav: Vec<(String, &'static str)>,
    here: String,
    ip: &'static Ip,
    counters: String,
    space: String,
    main_ids: Vec<(&'static str, String)>,
    cycles: Option<String>,
    data: String,
    groups: Vec<GroupView>,
    registers: Vec<RegisterView>,
    /// Each of the scales above the pictures of registers.
    scales: Vec<Scale>,
    has_metrics: bool,
    findings: Vec<FindingRow>,
}

struct GroupView {
    anchor: String,
    title: String,
    short: String,
    title_of_metric: String,
    origin: String,
    sources: &'static [Source],
    events: Vec<EventRow>,
    metrics: Vec<MetricView>,
    unavailable: Vec<FigureView>,
}

struct EventRow {
    anchor: String,
    code: String,
    name: &'static str,
    flags: Vec<String>,
    doc: &'static str,
    note: Option<&'static str>,
    ids: Vec<(&'static str, String)>,
    rust: Vec<String>,
    names: Vec<(&'static str, String)>,
    /// Values that `place` and `grade` omit.
    origin: Option<String>,
    place: &'static str,
    grade: Confidence,
}

struct RegisterView {
    anchor: String,
    name: &'static str,
    title: &'static str,
    width: u32,
    place: String,
    data: String,
    aliases: Option<String>,
    only: Option<String>,
    doc: &'static str,
    note: Option<&'static str>,
    restrictions: Vec<&'static str>,
    drawings: Vec<Drawing>,
    example: String,
    fields: Vec<FieldRow>,
    origin: String,
    grade: Confidence,
}

/// A field, or reserved bits.
struct FieldRow {
    bits: Bits,
    anchor: Option<String>,
    name: &'static str,
    access: &'static str,
    reset: String,
    doc: String,
    values: &'static [FieldValue],
    /// Required values of reserved bits.
    expected: Option<u64>,
}

struct MetricView {
    anchor: String,
    name: &'static str,
    measure: &'static str,
    math: String,
    doc: &'static str,
    caveat: Option<&'static str>,
    arguments: Vec<(&'static str, &'static str)>,
    inputs: Vec<(String, &'static str)>,
    rust: String,
    origin: String,
    grade: Confidence,
}

struct FigureView {
    anchor: String,
    name: &'static str,
    doc: &'static str,
    reason: &'static str,
    origin: String,
}

struct FindingRow {
    anchor: String,
    name: &'static str,
    only: Option<String>,
    cause: &'static str,
    read: &'static str,
    expected: &'static str,
    fix: &'static str,
    by: String,
    ambiguous: bool,
    grade: Confidence,
}

impl Page {
    pub fn new(ip: &'static Ip) -> Self {
        let groups: Vec<_> = ip.groups.iter().map(|group| of_group(ip, group)).collect();
        let ids = ip.main_id.iter().map(|id| (ip.product, id));
        let of_units =
            ip.units.iter().filter_map(|unit| Some((unit.title, unit.main_id.as_ref()?)));
        let main_ids = ids.chain(of_units).map(|(what, id)| (what, format!("0x{:03X}", id.part)));
        let registers: Vec<_> =
            ip.registers.iter().map(|register| of_register(ip, register)).collect();
        Self {
            nav: nav(),
            here: of_ip(ip),
            ip,
            counters: counters(ip),
            space: space(ip),
            main_ids: main_ids.collect(),
            cycles: ip.counters.cycles.as_ref().map(cycles),
            data: Data::new(ip).json(),
            has_metrics: groups.iter().any(|g| !g.metrics.is_empty() || !g.unavailable.is_empty()),
            groups,
            scales: scales(&registers),
            registers,
            findings: ip.findings.iter().map(|finding| of_finding(ip, finding)).collect(),
        }
    }
}

fn scales(registers: &[RegisterView]) -> Vec<Scale> {
    let mut scales: Vec<Scale> = Vec::new();
    for drawing in registers.iter().flat_map(|register| &register.drawings) {
        if !scales.contains(&drawing.scale) {
            scales.push(drawing.scale.clone());
        }
    }
    scales
}

fn counters(ip: &Ip) -> String {
    let beside = if ip.counters.cycles.is_some() { ", and one of cycles" } else { "" };
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

fn cycles(counter: &arm_pmu_tables::CycleCounter) -> String {
    let code = counter.code.map_or(String::new(), |code| {
        format!(" Other programs select this counter with the number 0x{code:02X} in place of an event code.")
    });
    format!("counted in {}, which needs no event.{code}", counter.register)
}

fn of_group(ip: &'static Ip, group: &'static Group) -> GroupView {
    let unit = group.unit.and_then(|unit| ip.unit(unit)).map(|unit| unit.title);
    // A group of a unit already has the unit's title.
    let of_unit = unit.filter(|unit| *unit != group.title);
    let of_unit = of_unit.map_or(String::new(), |unit| format!(", {unit}"));
    GroupView {
        anchor: anchor::group(ip, group),
        title: format!("Events: {}{of_unit}", group.title),
        short: format!(
            "Events: {}{}",
            group.title,
            group
                .unit
                .filter(|_| !of_unit.is_empty())
                .map_or(String::new(), |unit| format!(" {unit}"))
        ),
        title_of_metric: format!("{}{of_unit}", group.title),
        origin: words::origin(&group.origin, &ip.manual),
        sources: group.sources,
        events: group.events.iter().map(|event| of_event(EventOf { ip, group, event })).collect(),
        metrics: group.metrics.iter().map(|metric| of_metric(ip, group, metric)).collect(),
        unavailable: group.unavailable.iter().map(|figure| of_figure(ip, group, figure)).collect(),
    }
}

fn of_event(of: EventOf) -> EventRow {
    let EventOf { ip, group, event } = of;
    let digits = ip.counters.id.width().div_ceil(4) as usize;
    let ids = of.selections().filter_map(|one| {
        let bit = one.evntbus().map_or(String::new(), |bit| format!(" EVNTBUS {bit}"));
        Some((one.source?.name, format!("0x{:0digits$X}{bit}", one.id())))
    });
    EventRow {
        anchor: anchor::event(ip, group, event),
        code: format!("0x{:02X}", event.code),
        name: event.name,
        flags: flags(ip, group, event),
        doc: event.doc,
        note: event.note,
        ids: ids.collect(),
        rust: words::rust_event(of),
        names: names(event),
        origin: event.origin.section.map(|_| words::origin(&event.origin, &ip.manual)),
        place: place(&event.origin),
        grade: event.origin.confidence,
    }
}

fn place(origin: &Origin) -> &'static str {
    origin.section.or(origin.source).unwrap_or("")
}

fn flags(ip: &Ip, group: &Group, event: &Event) -> Vec<String> {
    // The words that the command prints, without the event's code.
    let data = words::event_data(event, group);
    let mut flags: Vec<String> =
        data.trim_end_matches('.').split(", ").skip(1).map(str::to_owned).collect();
    // The bit is shown next to the ids.
    flags.retain(|flag| flag != "counts occurrences" && !flag.contains("EVNTBUS"));
    if !event.only.is_empty() {
        flags.push(format!("{} only", words::titles(ip, event.only)));
    }
    flags
}

/// The names in other programs, by program.
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

fn of_register(ip: &'static Ip, register: &'static Register) -> RegisterView {
    let pmu = Pmu { ip, unit: None };
    let first = Pmu { ip, unit: ip.units.first() };
    let joined = |all: &[&str]| (!all.is_empty()).then(|| all.join(", "));
    let access = words::access(register.access);
    // A meaningful value: an event, or the value after reset.
    let selects = ip.counters.event.iter().any(|path| path.register == register.name);
    let examples = encode::examples(first, register);
    let resets = register.resets.iter().filter(|reset| reset.value.is_some()).count();
    let example =
        if selects { examples.get(resets + 1).or(examples.first()) } else { examples.first() };
    let digits = (register.width / 4) as usize;
    let mut fields: Vec<_> = register.fields.iter().map(|of| of_field(ip, register, of)).collect();
    fields.extend(register.reserved.iter().map(|of| FieldRow {
        bits: of.bits,
        anchor: None,
        name: "",
        access: "",
        reset: String::new(),
        doc: words::reserved(of.reserved).to_owned(),
        values: &[],
        expected: Some(match of.reserved {
            Reserved::One => of.bits.mask() >> of.bits.low,
            _ => 0,
        }),
    }));
    fields.sort_by_key(|field| std::cmp::Reverse(field.bits.high));
    RegisterView {
        anchor: anchor::register(register),
        name: register.name,
        title: register.title,
        width: register.width,
        place: capital(&words::place(pmu, register)),
        data: capital(&format!(
            "{} bits, {access}; {}",
            register.width,
            words::resets(ip, register)
        )),
        aliases: joined(register.aliases),
        only: (!register.only.is_empty()).then(|| words::titles(ip, register.only)),
        doc: register.doc,
        note: register.note,
        restrictions: words::restrictions(register).collect(),
        drawings: drawing::draw(ip, register),
        example: example.map_or(String::new(), |value| format!("0x{value:0digits$X}")),
        fields,
        origin: words::origin(&register.origin, &ip.manual),
        grade: register.origin.confidence,
    }
}

fn capital(text: &str) -> String {
    let (first, rest) = text.split_at(text.len().min(1));
    first.to_ascii_uppercase() + rest
}

fn of_field(ip: &Ip, register: &Register, field: &Field) -> FieldRow {
    let mut doc = field.doc.to_owned();
    if !field.aliases.is_empty() {
        doc += &format!(" Other names: {}.", field.aliases.join(", "));
    }
    if !field.elements.is_empty() {
        let elements: Vec<_> = field.elements.iter().map(u32::to_string).collect();
        doc += &format!(" Elements {} only.", elements.join(", "));
    }
    if !field.only.is_empty() {
        doc += &format!(" {} only.", words::titles(ip, field.only));
    }
    if field.origin != register.origin {
        doc += &format!(" {}", words::origin(&field.origin, &ip.manual));
    }
    let reset = match register.resets {
        [one] => one.value.map(|value| (value & field.bits.mask()) >> field.bits.low),
        _ => None,
    };
    let one_bit = field.bits.width() == 1;
    let reset = reset.map(|value| if one_bit { value.to_string() } else { format!("0x{value:X}") });
    FieldRow {
        bits: field.bits,
        anchor: Some(anchor::field(register, field)),
        name: field.name,
        access: words::field_access(field),
        reset: reset.unwrap_or_default(),
        doc,
        values: field.values,
        expected: None,
    }
}

fn of_metric(ip: &'static Ip, group: &'static Group, metric: &'static Metric) -> MetricView {
    let inputs = metric.inputs.iter().map(|input| match input {
        Input::Event(name) => {
            let event = group.events.iter().find(|event| event.name == *name);
            (event.map_or(String::new(), |event| anchor::event(ip, group, event)), *name)
        }
        _ => ("cycles".to_owned(), "cycles"),
    });
    MetricView {
        anchor: anchor::metric(ip, group, metric),
        name: metric.name,
        measure: metric.measure.word(),
        math: formula::math(metric),
        doc: metric.doc,
        caveat: metric.caveat,
        arguments: metric.arguments.iter().map(|of| (of.name, of.doc)).collect(),
        inputs: inputs.collect(),
        rust: words::rust_metric(ip, group, metric.rust),
        origin: words::origin(&metric.origin, &ip.manual),
        grade: metric.origin.confidence,
    }
}

fn of_figure(ip: &'static Ip, group: &Group, figure: &'static UnavailableMetric) -> FigureView {
    FigureView {
        anchor: anchor::unavailable(ip, group, figure),
        name: figure.name,
        doc: figure.doc,
        reason: figure.reason,
        origin: words::origin(&figure.origin, &ip.manual),
    }
}

fn of_finding(ip: &Ip, finding: &'static Finding) -> FindingRow {
    FindingRow {
        anchor: anchor::finding(finding),
        name: finding.name,
        only: (!finding.only.is_empty()).then(|| words::titles(ip, finding.only)),
        cause: finding.cause,
        read: finding.read,
        expected: finding.expected,
        fix: finding.fix,
        by: finding.fixable_by.word().replace('_', " "),
        ambiguous: finding.ambiguous,
        grade: finding.origin.confidence,
    }
}
