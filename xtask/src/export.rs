//! `cargo xtask export`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::load::load;
use crate::model::{
    Bits, Input, Ip, Location, Metric, NotComputable, Operands, Origin, PmuUnit, Register, Space,
};
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    metrics: Vec<MetricRow<'m>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_computable: Vec<NotComputableRow<'m>>,
    registers: Vec<RegisterRow<'m>>,
    /// What a diagnosis can find.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<FindingRow<'m>>,
}

#[derive(Serialize)]
struct FindingRow<'m> {
    name: &'m str,
    rust: String,
    cause: &'m str,
    read: &'m str,
    expected: &'m str,
    remedy: &'m str,
    mended_by: &'static str,
    ambiguous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'m str>,
    confidence: &'static str,
    /// The units that it is about, where it is not about all.
    #[serde(skip_serializing_if = "Option::is_none")]
    only: Option<Vec<&'m str>>,
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
    /// The unit that has it, where not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evntbus: Option<u32>,
}

#[derive(Serialize)]
struct Group<'m> {
    name: &'m str,
    /// The unit that has it, where not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'m str>,
    events: Vec<Event<'m>>,
}

#[derive(Serialize)]
struct Event<'m> {
    code: u32,
    name: &'m str,
    rust: String,
    doc: &'m str,
    unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    evntbus: Option<u32>,
    /// Attributes that are true.
    #[serde(flatten)]
    flags: BTreeMap<&'static str, bool>,
    /// The cores that have it, where an IP is several.
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
}

/// A figure that is computed from counts.
#[derive(Serialize)]
struct MetricRow<'m> {
    name: &'m str,
    rust: String,
    group: &'m str,
    /// The cores that have it, where an IP is several.
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
    unit: &'static str,
    formula: &'m str,
    /// What is counted, in the order of the formula: names of events, and `cycles`.
    inputs: Vec<&'m str>,
    /// What the formula takes beside counts, and what that is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    arguments: BTreeMap<&'m str, &'m str>,
    doc: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    caveat: Option<&'m str>,
    #[serde(flatten)]
    origin: OriginRow<'m>,
}

/// A figure that no events give.
#[derive(Serialize)]
struct NotComputableRow<'m> {
    name: &'m str,
    rust: String,
    group: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
    doc: &'m str,
    reason: &'m str,
    #[serde(flatten)]
    origin: OriginRow<'m>,
}

/// Where it comes from, and how far to trust it.
#[derive(Serialize)]
struct OriginRow<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'m str>,
    confidence: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'m str>,
}

#[derive(Serialize)]
struct RegisterRow<'m> {
    name: &'m str,
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
    bits: String,
    access: &'static str,
    /// The elements that have it, where not all of an array do.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    elements: &'m [u32],
    /// The cores that have it, where not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
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
            unit: unit_of(ip, group),
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
        metrics: ip.metrics.iter().map(|m| metric(ip, m)).collect(),
        not_computable: ip.not_computable.iter().map(|n| not_computable(ip, n)).collect(),
        registers: ip.registers.iter().map(|r| register(ip, r)).collect(),
        findings: ip.findings.iter().map(|f| finding(ip, f)).collect(),
    }
}

fn finding<'m>(ip: &'m Ip, finding: &'m crate::model::Finding) -> FindingRow<'m> {
    FindingRow {
        name: &finding.name,
        rust: names::finding_variant(&finding.name),
        cause: &finding.cause,
        read: &finding.read,
        expected: &finding.expected,
        remedy: &finding.remedy,
        mended_by: finding.mended_by.word(),
        ambiguous: finding.ambiguous,
        section: finding.origin.section.as_deref(),
        source: finding.origin.source.as_deref(),
        confidence: finding.origin.confidence.word(),
        only: (!finding.only.is_empty()).then(|| units(ip, &finding.only)),
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

/// The name of the unit that alone has a group.
fn unit_of<'m>(ip: &'m Ip, group: &crate::model::Group) -> Option<&'m str> {
    Some(&*ip.units.get(group.unit?)?.name)
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

/// Whether the events of a group are those of several cores.
fn of_all(ip: &Ip, group: &crate::model::Group) -> bool {
    !ip.units.is_empty() && group.unit.is_none()
}

fn group<'m>(ip: &'m Ip, group: &'m crate::model::Group) -> Group<'m> {
    let of_all = of_all(ip, group);
    let events = group.events.iter().map(|event| Event {
        code: event.code,
        name: &event.name,
        rust: names::event_variant(&event.name),
        doc: &event.doc,
        unit: event.unit.word(),
        evntbus: event.evntbus,
        flags: event.flags.iter().map(|flag| (*flag, true)).collect(),
        cores: of_all.then(|| units(ip, &event.only)),
    });
    Group { name: &group.name, unit: unit_of(ip, group), events: events.collect() }
}

fn metric<'m>(ip: &'m Ip, metric: &'m Metric) -> MetricRow<'m> {
    let group = &ip.groups[metric.group];
    let input = |input: &Input| match input {
        Input::Cycles => "cycles",
        Input::Event(event) => &group.events[*event].name,
    };
    MetricRow {
        name: &metric.name,
        rust: names::metric_type(&metric.name),
        group: &group.name,
        cores: of_all(ip, group).then(|| units(ip, &metric.only)),
        unit: metric.unit.word(),
        formula: &metric.formula,
        inputs: metric.inputs.iter().map(input).collect(),
        arguments: metric.arguments.iter().map(|a| (&*a.name, &*a.doc)).collect(),
        doc: &metric.doc,
        caveat: metric.caveat.as_deref(),
        origin: origin(&metric.origin),
    }
}

fn not_computable<'m>(ip: &'m Ip, none: &'m NotComputable) -> NotComputableRow<'m> {
    let group = &ip.groups[none.group];
    NotComputableRow {
        name: &none.name,
        rust: names::metric_type(&none.name),
        group: &group.name,
        cores: of_all(ip, group).then(|| units(ip, &none.only)),
        doc: &none.doc,
        reason: &none.reason,
        origin: origin(&none.origin),
    }
}

fn origin(origin: &Origin) -> OriginRow<'_> {
    OriginRow {
        section: origin.section.as_deref(),
        confidence: origin.confidence.word(),
        source: origin.source.as_deref(),
    }
}

fn register<'m>(ip: &'m Ip, register: &'m Register) -> RegisterRow<'m> {
    let fields = register.named().map(|(bits, field)| FieldRow {
        name: &field.name,
        bits: range(bits),
        access: field.access.word(),
        elements: &field.elements,
        cores: (!field.only.is_empty()).then(|| units(ip, &field.only)),
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_with_sources_have_groups_of_their_own() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let ip = load(&root, &["cci400".to_owned()]).expect("no problems").ips.remove(0);
        let document = serde_json::to_value(document(&ip)).expect("JSON");
        let rows = |key: &str| document[key].as_array().expect("a list").clone();
        let events = rows("groups").into_iter().map(|group| {
            let events = group["events"].as_array().map_or(0, Vec::len);
            (format!("{} {}", group["unit"], group["name"]).replace('"', ""), events)
        });
        let expected = [("r1 slave", 21), ("r1 master", 18), ("r0 slave", 20), ("r0 master", 7)];
        assert!(events.eq(expected.map(|(name, events)| (name.to_owned(), events))));
        let of_r0 = rows("sources").into_iter().filter(|source| source["unit"] == "r0");
        assert_eq!(of_r0.filter(|source| source.get("evntbus").is_none()).count(), 8);
        let units = rows("units").into_iter().map(|unit| unit["name"].clone());
        assert!(units.eq(["r1", "r0"]));
    }
}
