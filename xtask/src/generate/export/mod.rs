//! `cargo xtask export`: the specs for other programs.

pub mod c;
pub mod csv;
pub mod svd;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema, json_schema};
use serde::Serialize;

use crate::generate::files;
use crate::generate::load::load;
use crate::generate::model::{self, Bits, Input, Ip, Location, Operands, PmuUnit, Register, Space};
use crate::generate::spec::schema::{Definitions, Describe};
use crate::generate::{names, spec};
use crate::output::outln;

#[derive(clap::Args)]
pub struct Arguments {
    /// The IPs to export; all if none is named
    #[arg(value_name = "IP")]
    ips: Vec<String>,
    /// The directory to put the files into; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// # Errors
///
/// If a spec has problems, or a file cannot be written.
pub fn json(root: &Path, arguments: &Arguments) -> Result<()> {
    each(root, arguments, |ip| {
        let text = serde_json::to_string_pretty(&document(ip))? + "\n";
        Ok(vec![(format!("{}.json", ip.name), text)])
    })
}

/// # Errors
///
/// If a spec has problems, or a file cannot be written.
pub fn csv(root: &Path, arguments: &Arguments) -> Result<()> {
    each(root, arguments, |ip| {
        let events = (format!("{}-events.csv", ip.name), csv::events(ip));
        Ok(vec![events, (format!("{}-registers.csv", ip.name), csv::registers(ip))])
    })
}

/// # Errors
///
/// If a spec has problems, two things would have one name in C, or a file cannot be written.
pub fn c(root: &Path, arguments: &Arguments) -> Result<()> {
    each(root, arguments, |ip| Ok(vec![(format!("{}.h", ip.name), c::header(ip)?)]))
}

/// Writes the files that `make` makes of each IP, by name and text; none if one cannot be made.
fn each(
    root: &Path,
    arguments: &Arguments,
    make: impl Fn(&Ip) -> Result<Vec<(String, String)>>,
) -> Result<()> {
    let loaded = load(root, &arguments.ips)?;
    let files = loaded.ips.iter().map(make).collect::<Result<Vec<_>>>()?;
    for (name, text) in files.into_iter().flatten() {
        write(&arguments.out.join(name), &text)?;
    }
    Ok(())
}

/// Writes a file into a directory that need not be there, and prints where it is.
fn write(path: &Path, text: &str) -> Result<()> {
    files::replace(path, text)?;
    outln!("{}", path.display());
    Ok(())
}

/// An IP.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document<'m> {
    ip: &'m str,
    manual: Manual<'m>,
    /// The other documents and programs that facts come from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<DocumentRow<'m>>,
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

/// What a diagnosis can find.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindingRow<'m> {
    name: &'m str,
    rust: String,
    cause: &'m str,
    read: &'m str,
    expected: &'m str,
    fix: &'m str,
    fixable_by: &'static str,
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

/// The document that the IP is held against.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Manual<'m> {
    id: &'m str,
    /// The issues that were read, if `id` does not say which.
    #[serde(skip_serializing_if = "Option::is_none")]
    issue: Option<&'m str>,
    title: &'m str,
}

/// A document or program that facts come from.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DocumentRow<'m> {
    title: &'m str,
    /// Its number, with the issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'m str>,
    /// What was read of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    issue: Option<&'m str>,
}

/// Where the parts of an event id are in it, as bits.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventId {
    code: String,
    /// Left out where events have no sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

/// A PMU of its own inside the IP.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnitRow<'m> {
    name: &'m str,
    title: &'m str,
    /// The offset of each page from the base of the unit.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pages: BTreeMap<&'m str, u32>,
}

/// Where events are taken from.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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

/// Events of one kind of source, or of the PMU itself.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Group<'m> {
    name: &'m str,
    /// The unit that has it, where not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'m str>,
    events: Vec<Event<'m>>,
}

/// An event.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event<'m> {
    code: u32,
    name: &'m str,
    /// The variant in Rust.
    rust: String,
    doc: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'m str>,
    /// What one count stands for: occurrences, cycles or beats.
    #[schemars(schema_with = "word::<model::Unit>")]
    unit: &'static str,
    /// Its bit, counted from the first bit of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    evntbus: Option<u32>,
    /// Attributes that are true.
    #[serde(flatten)]
    #[schemars(schema_with = "flags")]
    flags: BTreeMap<&'static str, bool>,
    /// The cores that have it, where an IP is several.
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
    #[serde(flatten)]
    origin: Origin<'m>,
}

/// A figure that is computed from counts.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MetricRow<'m> {
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
    origin: Origin<'m>,
}

/// A figure that no events give.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotComputableRow<'m> {
    name: &'m str,
    rust: String,
    group: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
    doc: &'m str,
    reason: &'m str,
    #[serde(flatten)]
    origin: Origin<'m>,
}

/// Where a fact comes from.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin<'m> {
    /// Where to look in the manual.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'m str>,
    /// What stands in for the manual.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'m str>,
    #[schemars(schema_with = "word::<model::Confidence>")]
    confidence: &'static str,
}

/// A register, or an array of them.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterRow<'m> {
    name: &'m str,
    /// What the manual of the product calls it.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    aliases: &'m [String],
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
    #[schemars(schema_with = "word::<model::Access>")]
    access: &'static str,
    /// Left out where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    reset: Option<u64>,
    /// By unit, where they differ. Left out where it is unknown.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    resets: BTreeMap<&'m str, u64>,
    /// The cores that have it, where not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    cores: Option<Vec<&'m str>>,
    fields: Vec<FieldRow<'m>>,
    #[serde(flatten)]
    origin: Origin<'m>,
}

/// The operands of MRC and MCR.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cp15 {
    opc1: u32,
    crn: u32,
    crm: u32,
    opc2: u32,
}

/// A field.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FieldRow<'m> {
    name: &'m str,
    /// What the manual of the product calls it.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    aliases: &'m [String],
    /// Highest and lowest bit, `31:16`; both also of one bit.
    bits: String,
    #[schemars(schema_with = "word::<model::Access>")]
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

/// What is in the file of an IP, as JSON Schema.
///
/// # Errors
///
/// If it were no JSON.
pub fn schema() -> Result<serde_json::Value> {
    let generator = SchemaSettings::draft07().for_serialize().into_generator();
    let mut schema = serde_json::to_value(generator.into_root_schema_for::<Document<'_>>())?;
    schema["$comment"] = spec::schema::COMMENT.into();
    schema["title"] = "What `cargo xtask export json` says of an IP".into();
    Ok(schema)
}

/// One of a set of words of the spec language.
fn word<T: Describe>(_: &mut SchemaGenerator) -> Schema {
    T::describe(&mut Definitions::new()).try_into().unwrap_or_default()
}

/// The keys of an event that are `true` or left out, as the spec language has them.
fn flags(_: &mut SchemaGenerator) -> Schema {
    let mut definitions = Definitions::new();
    let _ = spec::events::Event::describe(&mut definitions);
    let properties = definitions["event"]["properties"].as_object().into_iter().flatten();
    let flags = properties.filter(|(_, schema)| schema["const"] == true);
    let flags: Definitions = flags.map(|(name, schema)| (name.clone(), schema.clone())).collect();
    json_schema!({ "type": "object", "properties": flags })
}

pub fn document(ip: &Ip) -> Document<'_> {
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
        manual: Manual {
            id: &ip.manual.id,
            issue: ip.manual.issue.as_deref(),
            title: &ip.manual.title,
        },
        documents: ip.documents.iter().map(document_row).collect(),
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

fn finding<'m>(ip: &'m Ip, finding: &'m crate::generate::model::Finding) -> FindingRow<'m> {
    FindingRow {
        name: &finding.name,
        rust: names::finding_variant(&finding.name),
        cause: &finding.cause,
        read: &finding.read,
        expected: &finding.expected,
        fix: &finding.fix,
        fixable_by: finding.fixable_by.word(),
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
pub fn unit_of<'m>(ip: &'m Ip, group: &crate::generate::model::Group) -> Option<&'m str> {
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
fn of_all(ip: &Ip, group: &model::Group) -> bool {
    !ip.units.is_empty() && group.unit.is_none()
}

/// A metric as it is exported.
pub fn metric<'m>(ip: &'m Ip, metric: &'m model::Metric) -> MetricRow<'m> {
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

/// What cannot be computed, as it is exported.
pub fn not_computable<'m>(ip: &'m Ip, none: &'m model::UnavailableMetric) -> NotComputableRow<'m> {
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

fn group<'m>(ip: &'m Ip, group: &'m model::Group) -> Group<'m> {
    let events = group.events.iter().map(|e| event(ip, group, e));
    Group { name: &group.name, unit: unit_of(ip, group), events: events.collect() }
}

/// An event as it is exported.
pub fn event<'m>(ip: &'m Ip, group: &model::Group, event: &'m model::Event) -> Event<'m> {
    let of_all = of_all(ip, group);
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

fn document_row(document: &model::Document) -> DocumentRow<'_> {
    DocumentRow {
        title: &document.title,
        id: document.id.as_deref(),
        issue: document.issue.as_deref(),
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
        aliases: &field.aliases,
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
        aliases: &register.aliases,
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
        cores: (!register.only.is_empty()).then(|| units(ip, &register.only)),
        fields: fields.collect(),
        origin: origin(&register.origin),
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
