//! `cargo xtask export`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::load::load;
use crate::model::{Bits, Content, Ip, Register};
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
    source: String,
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
    flags: std::collections::BTreeMap<&'static str, bool>,
}

#[derive(Serialize)]
struct RegisterRow<'m> {
    name: &'m str,
    offset: u32,
    #[serde(skip_serializing_if = "is_one")]
    count: u32,
    #[serde(skip_serializing_if = "is_zero")]
    stride: u32,
    width: u32,
    access: &'static str,
    /// Left out where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    reset: Option<u32>,
    fields: Vec<FieldRow<'m>>,
}

#[derive(Serialize)]
struct FieldRow<'m> {
    name: &'m str,
    bits: String,
    access: &'static str,
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
        event_id: EventId { code: range(ip.counters.event), source: range(ip.counters.source) },
        sources: sources.collect(),
        groups: ip.groups.iter().map(group).collect(),
        registers: ip.registers.iter().map(register).collect(),
    }
}

/// Always with both ends, so that readers need one form only.
fn range(bits: Bits) -> String {
    format!("{}:{}", bits.high, bits.low)
}

fn group(group: &crate::model::Group) -> Group<'_> {
    let events = group.events.iter().map(|event| Event {
        code: event.code,
        name: &event.name,
        rust: names::event_variant(&event.name),
        doc: &event.doc,
        unit: event.unit.word(),
        evntbus: event.evntbus,
        flags: event.flags.iter().map(|flag| (*flag, true)).collect(),
    });
    Group { name: &group.name, events: events.collect() }
}

fn register(register: &Register) -> RegisterRow<'_> {
    let fields = register.fields.iter().filter_map(|field| match &field.content {
        Content::Named { name, access, .. } => {
            Some(FieldRow { name, bits: range(field.bits), access: access.word() })
        }
        Content::Reserved(_) => None,
    });
    RegisterRow {
        name: &register.name,
        offset: register.location.offset,
        count: register.location.count,
        stride: register.location.stride,
        width: 32,
        access: register.access.word(),
        reset: register.reset,
        fields: fields.collect(),
    }
}
