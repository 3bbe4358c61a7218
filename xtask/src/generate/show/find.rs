//! What a name or a number stands for, however it is spelt.

use anyhow::{Result, bail};

use crate::generate::model::{
    Event, Group, Ip, Location, Metric, Named, Register, UnavailableMetric,
};
use crate::generate::names;
use crate::generate::spec::read::shown;

/// What was found: never nothing.
#[derive(Debug)]
pub struct Found<'m> {
    pub registers: Vec<&'m Register>,
    pub events: Vec<OfGroup<'m>>,
    pub metrics: Vec<&'m Metric>,
    pub not_computable: Vec<&'m UnavailableMetric>,
}

impl Found<'_> {
    fn is_empty(&self) -> bool {
        let Self { registers, events, metrics, not_computable } = self;
        registers.is_empty() && events.is_empty() && metrics.is_empty() && not_computable.is_empty()
    }
}

/// An event with its group.
#[derive(Clone, Copy, Debug)]
pub struct OfGroup<'m> {
    pub group: &'m Group,
    pub event: &'m Event,
    /// The only source that is meant, as an index into those of the group.
    pub source: Option<usize>,
}

/// # Errors
///
/// If nothing has this name; it says which ones are near.
pub fn find<'m>(ip: &'m Ip, text: &str) -> Result<Found<'m>> {
    if let Some(number) = number(text) {
        let (registers, events) = (at_offset(ip, number), with_id(ip, number));
        let found = Found { registers, events, metrics: Vec::new(), not_computable: Vec::new() };
        if found.is_empty() {
            bail!(
                "nothing of the {} is at offset 0x{number:X}, or is the event 0x{number:X}",
                ip.title
            );
        }
        return Ok(found);
    }
    let (scope, name) = split(text);
    let mut found = named(ip, scope.as_deref(), &name);
    // A field on its own, only if nothing else is called so.
    if found.is_empty() && scope.is_none() {
        let has = |register: &&Register| register.named().any(|(_, f)| is_called(f, &name));
        found.registers = ip.registers.iter().filter(has).collect();
    }
    if found.is_empty() {
        bail!("the {} has no `{}`; {}", ip.title, shown(text), near(ip, &name));
    }
    Ok(found)
}

/// Registers and events of this name; in a scope, those of that group or source, or the register of
/// that name which has such a field.
fn named<'m>(ip: &'m Ip, scope: Option<&str>, name: &str) -> Found<'m> {
    let is = |register: &&Register| match scope {
        None => spellings(register).contains(&name.to_owned()),
        Some(scope) => {
            let mut fields = register.named();
            spellings(register).contains(&scope.to_owned())
                && fields.any(|(_, field)| is_called(field, name))
        }
    };
    let registers = ip.registers.iter().filter(is).collect();
    let events = all_events(ip).filter(|of| key(&of.event.name) == name);
    let events = events.filter_map(|of| match scope {
        None => Some(of),
        Some(scope) => in_scope(ip, scope, of),
    });
    let of_group = |group: usize, only: &[usize]| match (scope, ip.groups.get(group)) {
        (None, _) => true,
        (Some(scope), Some(group)) => of_units(ip, scope, group, only),
        (Some(_), None) => false,
    };
    let metrics = ip.metrics.iter().filter(|of| key(&of.name) == name);
    let none = ip.not_computable.iter().filter(|of| key(&of.name) == name);
    Found {
        registers,
        events: events.collect(),
        metrics: metrics.filter(|of| of_group(of.group, &of.only)).collect(),
        not_computable: none.filter(|of| of_group(of.group, &of.only)).collect(),
    }
}

/// The event, if it belongs to a group, unit or source of this name.
fn in_scope<'m>(ip: &Ip, scope: &str, of: OfGroup<'m>) -> Option<OfGroup<'m>> {
    let OfGroup { group, event, .. } = of;
    if of_units(ip, scope, group, &event.only) {
        return Some(of);
    }
    let source = group.sources.iter().position(|source| key(&source.name) == scope)?;
    Some(OfGroup { source: Some(source), ..of })
}

/// Whether a scope names the group, or a unit that has it and is one of `only`, where these are some.
fn of_units(ip: &Ip, scope: &str, group: &Group, only: &[usize]) -> bool {
    let units = ip.units_with(group, only).map(|unit| &unit.name);
    let mut names = units.chain([&group.name]).map(|name| key(name));
    names.any(|name| scope == name || *scope == key(&names::event_type(&name)))
}

/// Letters and digits, in small letters: whatever spells two names the same means the same.
fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// `SI3:READ`, `SlaveEvent::Read`, `PMCR.CEN`: what stands in front, and the name.
fn split(text: &str) -> (Option<String>, String) {
    match text.rsplit_once([':', '.']) {
        Some((scope, name)) if !key(scope).is_empty() => (Some(key(scope)), key(name)),
        _ => (None, key(text)),
    }
}

/// Whether a field has this name or alias.
fn is_called(field: &Named, name: &str) -> bool {
    field.aliases.iter().chain([&field.name]).any(|own| key(own) == name)
}

/// The name and the aliases of a register, and the names of its words and of its type.
fn spellings(register: &Register) -> Vec<String> {
    let mut spellings: Vec<_> =
        register.aliases.iter().chain([&register.name]).map(|name| key(name)).collect();
    for word in register.words() {
        spellings.push(key(&word.name));
        spellings.push(key(&names::register_spec(&word.name)));
    }
    spellings
}

fn number(text: &str) -> Option<u32> {
    let text = text.replace('_', "").to_ascii_lowercase();
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn at_offset(ip: &Ip, wanted: u32) -> Vec<&Register> {
    let is = |register: &&Register| match register.location {
        Location::Memory { offset, count, stride, .. } => (0..count).any(|n| {
            let first = u64::from(offset) + u64::from(n) * u64::from(stride);
            (first..first + u64::from(register.width / 8)).contains(&u64::from(wanted))
        }),
        Location::Cp15 { .. } => false,
    };
    ip.registers.iter().filter(is).collect()
}

/// The events that a counter counts with this number, all units together.
fn with_id(ip: &Ip, id: u32) -> Vec<OfGroup<'_>> {
    if u64::from(id) >> ip.counters.id_width() != 0 {
        return Vec::new();
    }
    let bits = ip.counters.event;
    let code = (u64::from(id) & bits.mask()) >> bits.low;
    let events = all_events(ip).filter(|of| u64::from(of.event.code) == code);
    match ip.counters.source {
        None => events.collect(),
        Some(bits) => {
            let source = (u64::from(id) & bits.mask()) >> bits.low;
            let place = |group: &Group| {
                group.sources.iter().position(|of_group| u64::from(of_group.id) == source)
            };
            events.filter_map(|of| Some(OfGroup { source: Some(place(of.group)?), ..of })).collect()
        }
    }
}

fn all_events(ip: &Ip) -> impl Iterator<Item = OfGroup<'_>> {
    ip.groups.iter().flat_map(|group| {
        group.events.iter().map(move |event| OfGroup { group, event, source: None })
    })
}

/// The nearest names; those that contain the wanted name come first.
fn near(ip: &Ip, wanted: &str) -> String {
    const MOST: usize = 5;
    let registers = ip.registers.iter().flat_map(|r| r.aliases.iter().chain([&r.name]));
    let events = all_events(ip).map(|of| &of.event.name);
    let metrics = ip.metrics.iter().map(|metric| &metric.name);
    let none = ip.not_computable.iter().map(|none| &none.name);
    let fields = ip.registers.iter().flat_map(|r| r.named().map(|(_, field)| &field.name));
    let mut near: Vec<(usize, &String)> = Vec::new();
    // Far longer than any name, and slow to compare.
    let comparable = !wanted.is_empty() && wanted.len() <= 100;
    for name in
        registers.chain(events).chain(metrics).chain(none).chain(fields).filter(|_| comparable)
    {
        let key = key(name);
        let distance = strsim::damerau_levenshtein(wanted, &key);
        let contains = wanted.len() > 1 && key.contains(wanted);
        if contains || distance <= wanted.len().max(key.len()) / 3 {
            let rank = if contains { 0 } else { distance };
            if !near.iter().any(|(_, known)| *known == name) {
                near.push((rank, name));
            }
        }
    }
    near.sort();
    if near.is_empty() {
        return format!(
            "`cargo xtask export csv {} --out DIR` lists all registers and events",
            ip.name
        );
    }
    if let [(_, name)] = near[..] {
        return format!("did you mean `{name}`?");
    }
    let names: Vec<_> = near.iter().take(MOST).map(|(_, name)| format!("`{name}`")).collect();
    let more = match near.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("near: {}{more}", names.join(", "))
}
