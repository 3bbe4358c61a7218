//! `cargo xtask export`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::load::load;
use crate::model::{self, Bits, Ip, Location, Operands, PmuUnit, Register, Space};
use crate::names;

#[derive(clap::Args)]
pub struct Arguments {
    /// The IPs to export; all if none is named
    #[arg(value_name = "IP")]
    ips: Vec<String>,
    /// Where to put `<ip>.json`
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// # Errors
///
/// If a spec has problems, or a file cannot be written.
pub fn json(root: &Path, arguments: &Arguments) -> Result<()> {
    let loaded = load(root, &arguments.ips)?;
    let out = &arguments.out;
    fs::create_dir_all(out)
        .with_context(|| format!("cannot make the directory {}", out.display()))?;
    for ip in &loaded.ips {
        let path = out.join(format!("{}.json", ip.name));
        let text = serde_json::to_string_pretty(&document(ip))? + "\n";
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

#[derive(Serialize)]
struct Document<'m> {
    ip: &'m str,
    manual: Manual<'m>,
    counters: u32,
    counter_bits: u32,
    cycle_counter: bool,
    event_id: EventId,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    units: Vec<UnitRow<'m>>,
    sources: Vec<Source<'m>>,
    groups: Vec<Group<'m>>,
    registers: Vec<RegisterRow<'m>>,
}

#[derive(Serialize)]
struct Manual<'m> {
    id: &'m str,
    title: &'m str,
}

#[derive(Serialize)]
struct EventId {
    code: String,
    /// Left out where events have no sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

/// A PMU of its own inside the IP.
#[derive(Serialize)]
struct UnitRow<'m> {
    name: &'m str,
    title: &'m str,
    /// The offset of each page from the base of the unit.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pages: BTreeMap<&'m str, u32>,
}

#[derive(Serialize)]
struct Source<'m> {
    id: u32,
    name: &'m str,
    group: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    evntbus: Option<u32>,
}

#[derive(Serialize)]
struct Group<'m> {
    name: &'m str,
    events: Vec<Event<'m>>,
}

#[derive(Serialize)]
pub struct Event<'m> {
    code: u32,
    name: &'m str,
    /// The variant in Rust.
    rust: String,
    doc: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'m str>,
    /// What one count stands for: occurrences, cycles or beats.
    unit: &'static str,
    /// Its bit, counted from the first bit of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    evntbus: Option<u32>,
    /// Attributes that are true.
    #[serde(flatten)]
    flags: BTreeMap<&'static str, bool>,
    /// The cores that have it, where an IP is several.
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
    #[serde(flatten)]
    origin: Origin<'m>,
}

/// Where a fact comes from.
#[derive(Serialize)]
pub struct Origin<'m> {
    /// Where to look in the manual.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'m str>,
    /// What stands in for the manual.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'m str>,
    /// A: read in a document of Arm; B: the same in independent sources; C: in one source; D: inferred.
    confidence: &'static str,
}

#[derive(Serialize)]
pub struct RegisterRow<'m> {
    name: &'m str,
    title: &'m str,
    doc: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp15: Option<Cp15>,
    #[serde(skip_serializing_if = "is_one")]
    count: u32,
    #[serde(skip_serializing_if = "is_zero")]
    stride: u32,
    width: u32,
    access: &'static str,
    /// Left out where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    reset: Option<u64>,
    /// By unit, where they differ. Left out where it is unknown.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    resets: BTreeMap<&'m str, u64>,
    fields: Vec<FieldRow<'m>>,
    #[serde(flatten)]
    origin: Origin<'m>,
}

#[derive(Serialize)]
struct Cp15 {
    opc1: u32,
    crn: u32,
    crm: u32,
    opc2: u32,
}

#[derive(Serialize)]
struct FieldRow<'m> {
    name: &'m str,
    /// Highest and lowest bit, `31:16`; both also of one bit.
    bits: String,
    access: &'static str,
    doc: &'m str,
    /// The elements that have it, where not all of an array do.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    elements: &'m [u32],
    /// The cores that have it, where not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
    #[serde(flatten)]
    origin: Origin<'m>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde wants")]
fn is_one(number: &u32) -> bool {
    *number == 1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde wants")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn document(ip: &Ip) -> Document<'_> {
    let sources = ip.groups.iter().flat_map(|group| {
        group.sources.iter().map(|source| Source {
            id: source.id,
            name: &source.name,
            group: &group.name,
            evntbus: source.evntbus,
        })
    });
    Document {
        ip: &ip.name,
        manual: Manual { id: &ip.manual.id, title: &ip.manual.title },
        counters: ip.counters.count,
        counter_bits: ip.counters.bits,
        cycle_counter: ip.counters.cycles,
        event_id: EventId { code: range(ip.counters.event), source: ip.counters.source.map(range) },
        units: ip.units.iter().map(|u| unit(ip, u)).collect(),
        sources: sources.collect(),
        groups: ip.groups.iter().map(|g| group(ip, g)).collect(),
        registers: ip.registers.iter().map(|r| register(ip, r)).collect(),
    }
}

fn unit<'m>(ip: &'m Ip, unit: &'m PmuUnit) -> UnitRow<'m> {
    let pages: &[_] = match &ip.space {
        Space::Pages(pages) => pages,
        Space::Region { .. } | Space::Cp15 => &[],
    };
    let pages = pages.iter().zip(&unit.pages);
    UnitRow {
        name: &unit.name,
        title: &unit.title,
        pages: pages.map(|(page, of_unit)| (&*page.name, of_unit.offset)).collect(),
    }
}

/// The names of the units that have something; of all if none is named.
fn units<'m>(ip: &'m Ip, only: &[usize]) -> Vec<&'m str> {
    let has = |number: &usize| only.is_empty() || only.contains(number);
    let units = ip.units.iter().enumerate().filter(|(number, _)| has(number));
    units.map(|(_, unit)| &*unit.name).collect()
}

/// Always with both ends, so that readers need one form only.
fn range(bits: Bits) -> String {
    format!("{}:{}", bits.high, bits.low)
}

fn group<'m>(ip: &'m Ip, group: &'m model::Group) -> Group<'m> {
    let events = group.events.iter().map(|e| event(ip, group, e));
    Group { name: &group.name, events: events.collect() }
}

/// An event as it is exported.
pub fn event<'m>(ip: &'m Ip, group: &model::Group, event: &'m model::Event) -> Event<'m> {
    let of_all = !ip.units.is_empty() && group.unit.is_none();
    Event {
        code: event.code,
        name: &event.name,
        rust: names::event_variant(&event.name),
        doc: &event.doc,
        note: event.note.as_deref(),
        unit: event.unit.word(),
        evntbus: event.evntbus,
        flags: event.flags.iter().map(|flag| (*flag, true)).collect(),
        cores: of_all.then(|| units(ip, &event.only)),
        origin: origin(&event.origin),
    }
}

fn origin(origin: &model::Origin) -> Origin<'_> {
    Origin {
        section: origin.section.as_deref(),
        source: origin.source.as_deref(),
        confidence: origin.confidence.word(),
    }
}

/// A register as it is exported.
pub fn register<'m>(ip: &'m Ip, register: &'m Register) -> RegisterRow<'m> {
    let fields = register.named().map(|(bits, field)| FieldRow {
        name: &field.name,
        bits: range(bits),
        access: field.access.word(),
        doc: &field.doc,
        elements: &field.elements,
        cores: (!field.only.is_empty()).then(|| units(ip, &field.only)),
        origin: origin(&field.origin),
    });
    let (page, offset, cp15, stride) = match &register.location {
        Location::Memory { page, offset, stride, .. } => {
            let page = match (page, &ip.space) {
                (Some(page), Space::Pages(pages)) => pages.get(*page).map(|page| &*page.name),
                _ => None,
            };
            (page, Some(*offset), None, *stride)
        }
        Location::Cp15 { operands: Operands { opc1, crn, crm, opc2 }, .. } => {
            let [opc1, crn, crm, opc2] = [*opc1, *crn, *crm, *opc2];
            (None, None, Some(Cp15 { opc1, crn, crm, opc2 }), 0)
        }
    };
    let common = register.resets.iter().find(|reset| reset.unit.is_none());
    let resets = register
        .resets
        .iter()
        .filter_map(|reset| Some((&*ip.units.get(reset.unit?)?.name, reset.value?)));
    RegisterRow {
        name: &register.name,
        title: &register.title,
        doc: &register.doc,
        note: register.note.as_deref(),
        page,
        offset,
        cp15,
        count: register.count(),
        stride,
        width: register.width,
        access: register.access.word(),
        reset: common.and_then(|reset| reset.value),
        resets: resets.collect(),
        fields: fields.collect(),
        origin: origin(&register.origin),
    }
}
