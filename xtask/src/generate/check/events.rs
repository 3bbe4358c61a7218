//! Rules about events and event codes.

use super::gaps;
use super::prelude::*;
use crate::generate::spec::events::{Counters, Group};
use crate::generate::spec::scalar::{Codes, FieldPath};

pub fn register<'s>(spec: &'s Spec, name: &str) -> Option<&'s Register> {
    spec.registers.registers.iter().find(|register| register.name.0 == name)
}

pub fn field_bits(spec: &Spec, path: &FieldPath) -> Option<Bits> {
    field(spec, path).map(|field| *field.bits)
}

fn field<'s>(spec: &'s Spec, path: &FieldPath) -> Option<&'s Field> {
    let mut fields = register(spec, &path.register)?.fields.iter();
    fields.find(|field| field.name.as_ref().is_some_and(|name| name.0 == path.field))
}

/// The registers that count and select events exist.
pub fn have_counters(spec: &Spec, problems: &mut Problems) {
    if !spec.registers.registers.complete {
        return;
    }
    let counters = &spec.events.counters;
    let registers: Vec<_> = spec.registers.registers.iter().map(|r| r.name.0.as_str()).collect();
    let unknown = |name: &str, place: &Place, problems: &mut Problems| {
        report(problems, place, format!("there is no register `{name}`"))
            .help(suggest(name, &registers));
    };
    for counter in counters.value.iter().chain(&counters.cycles) {
        if register(spec, &counter.0).is_none() {
            unknown(&counter.0, &counter.place, problems);
        }
    }
    for path in counters.event.iter().chain(&counters.source) {
        let Some(register) = register(spec, &path.register) else {
            unknown(&path.register, &path.place, problems);
            continue;
        };
        if field_bits(spec, path).is_none() && register.fields.complete {
            let fields = register.fields.iter().filter_map(|field| field.name.as_ref());
            let fields: Vec<_> = fields.map(|name| name.0.as_str()).collect();
            let message = format!("{} has no field `{}`", path.register, path.field);
            report(problems, path, message).help(suggest(&path.field, &fields));
        }
    }
    for counter in counters.value.iter() {
        let value = register(spec, &counter.0).filter(|value| value.fields.complete);
        if let Some(value) = value
            && value.fields.iter().all(|field| field.name.is_none())
        {
            let message = format!("{} has no field for the count", counter.0);
            report(problems, counter, message).other(&value.name, "here");
        }
    }
    are_listed_together(spec, problems);
    are_an_event_id(spec, problems);
}

/// Counters can be read, and selectors can be written; cycles have a separate counter.
pub fn can_be_used(spec: &Spec, problems: &mut Problems) {
    let counters = &spec.events.counters;
    for counter in counters.value.iter().chain(&counters.cycles) {
        if let Some(register) = register(spec, &counter.0)
            && !register.access.can_read()
        {
            let message = format!("{} is a counter, but cannot be read", counter.0);
            report(problems, counter, message).other(&register.access, "its access");
        }
    }
    for path in counters.event.iter().chain(&counters.source) {
        if let Some(access) = field(spec, path).and_then(|field| field.access.as_ref())
            && !matches!(**access, Access::ReadWrite | Access::WriteOnly)
        {
            let message =
                format!("{} is a selector, but does not have access `rw` or `wo`", path.field);
            report(problems, path, message).other(access, "its access");
        }
    }
    if let Some(cycles) = &counters.cycles
        && let Some(value) = counters.value.iter().find(|value| value.0 == cycles.0)
    {
        report(problems, cycles, "this counts events")
            .other(value, "here")
            .help("`cycles` is not an event counter; leave it out if there is no such counter");
    }
}

/// If each counter has its own register, each selector has its own register too.
fn are_listed_together(spec: &Spec, problems: &mut Problems) {
    let Counters { value, event, source, .. } = &spec.events.counters;
    let help = "write two lists with an entry for each counter";
    if value.is_list != event.is_list {
        let (list, one) = match value.is_list {
            true => (&value.place, &event.place),
            false => (&event.place, &value.place),
        };
        report(problems, one, "this is one entry, the other a list")
            .other(list, "the list")
            .help(help);
    } else if value.len() != event.len() {
        let message =
            format!("counters: {}, fields that select their events: {}", value.len(), event.len());
        report(problems, event, message).other(value, "the counters").help(help);
    } else if value.is_list && source.is_none() {
        are_there_once(spec, problems);
    }
}

/// Each list entry names one register or field, and no two entries are the same.
fn are_there_once(spec: &Spec, problems: &mut Problems) {
    let Counters { value, event, .. } = &spec.events.counters;
    let value = value.iter().map(|counter| (&counter.0, None, &counter.place));
    let event = event.iter().map(|path| (&path.register, Some(&path.field), &path.place));
    let mut named = value.chain(event);
    let keys = named.clone().map(|(name, field, place)| ((name, field), place));
    for (_, place, first) in repeated(keys) {
        report(problems, place, "this is listed twice")
            .other(first, "first here")
            .help("each counter needs its own register or field");
    }
    let repeats = |name: &str| {
        let Register { block, count, .. } = register(spec, name)?;
        block.as_ref().map(|block| &block.place).or(count.as_ref().map(|count| &count.place))
    };
    // Reported once, because counters repeat together with their selectors.
    if let Some((place, how)) = named.find_map(|(name, _, place)| Some((place, repeats(name)?))) {
        report(problems, place, "a list must not have a register that repeats")
            .other(how, "this one repeats")
            .help("name an array, or a register of a block, without a list");
    }
}

/// Positions of the code and the source in an event id.
#[derive(Clone, Copy, Debug)]
pub struct IdBits {
    pub code: Bits,
    pub source: Option<Bits>,
}

/// Returns the positions of code and source, if both are known and form an event id.
pub fn id_bits(spec: &Spec) -> Option<IdBits> {
    are_an_event_id(spec, &mut Problems::default())
}

/// Code and source are two fields side by side. Without sources, the event id is the code.
fn are_an_event_id(spec: &Spec, problems: &mut Problems) -> Option<IdBits> {
    let Counters { event, source, .. } = &spec.events.counters;
    let code = event.first();
    let code_bits = field_bits(spec, code)?;
    let Some(source) = source else {
        let width = code_bits.width();
        if width > 16 {
            let message = format!("a code of {width} bits is not an event id");
            report(problems, code, message).help("it has at most 16 bits");
            return None;
        }
        for other in event.iter() {
            if field_bits(spec, other).is_some_and(|bits| bits.width() != width) {
                report(problems, other, "all counters need codes of the same width")
                    .other(code, "another width");
                return None;
            }
        }
        return Some(IdBits { code: Bits { high: width - 1, low: 0 }, source: None });
    };
    let source_bits = field_bits(spec, source)?;
    if event.is_list {
        report(problems, source, "a list of counters has no `source`")
            .other(event, "the list")
            .help("if events have sources, each counter needs a selecting register of its own");
        return None;
    }
    if code.register != source.register || code.field == source.field {
        let message = "code and source are two fields of one register";
        report(problems, source, message).other(code, "the code");
        return None;
    }
    let id = code_bits.mask() | source_bits.mask();
    if id.trailing_ones() != id.count_ones() || id.count_ones() > 16 {
        let message = "code and source together are not an event id";
        report(problems, code, message)
            .other(source, "the source")
            .help("together they take at most 16 bits, starting at bit 0, without a gap");
        return None;
    }
    Some(IdBits { code: code_bits, source: Some(source_bits) })
}

pub fn fit_the_field(spec: &Spec, id: Option<IdBits>, group: &Group, problems: &mut Problems) {
    let path = spec.events.counters.event.first();
    let Some(IdBits { code: bits, .. }) = id else { return };
    let codes = group.events.iter().map(|event| (event.code.0, &event.code.place));
    let reserved = group.reserved_codes.iter().map(|codes| (codes.last, &codes.place));
    for (code, place) in codes.chain(reserved) {
        if u64::from(code) >= 1 << bits.width() {
            let message = format!("the code 0x{code:02X} does not fit {} bits", bits.width());
            report(problems, place, message).other(path, "the field");
        }
    }
}

pub fn have_unique_codes(group: &Group, problems: &mut Problems) {
    let codes = group.events.iter().map(|event| (event.code.0, &event.code.place));
    for (code, place, first) in repeated(codes) {
        report(problems, place, format!("the code 0x{code:02X} is taken already"))
            .other(first, "here");
    }
    for event in group.events.iter() {
        let reserved = |codes: &&At<Codes>| (codes.first..=codes.last).contains(&event.code.0);
        if let Some(codes) = group.reserved_codes.iter().find(reserved) {
            let message = format!("the code 0x{:02X} is reserved", event.code.0);
            report(problems, &event.code, message).other(codes, "here");
        }
    }
}

pub fn are_there(spec: &Spec, group: &Group, problems: &mut Problems) {
    let Counters { event, source, .. } = &spec.events.counters;
    let needs_sources = source.is_some() && !event.is_list;
    let empty = [
        ("events", group.events.is_empty() && group.events.complete),
        ("sources", needs_sources && group.sources.is_empty() && group.sources.complete),
    ];
    for (what, _) in empty.iter().filter(|(_, empty)| *empty) {
        report(problems, &group.name, format!("the group {} has no {what}", group.name.0));
    }
}

/// Every value of the field is an event code or reserved.
///
/// If the architecture has a driver for every core, a core reserves all codes that it does not list.
pub fn are_all_accounted_for(
    spec: &Spec,
    id: Option<IdBits>,
    group: &Group,
    problems: &mut Problems,
) {
    let Some(IdBits { code: bits, .. }) = id else { return };
    let driver = spec.architecture.as_ref().and_then(|of| of.driver.as_ref());
    if driver.is_some_and(|driver| driver.counters.is_some()) {
        return;
    }
    if group.events.is_empty() || !group.events.complete || !group.reserved_codes.complete {
        return;
    }
    let listed = group.events.iter().map(|event| event.code.0);
    let reserved = group.reserved_codes.iter().map(|codes| codes.first..=codes.last);
    if let Some(missing) = gaps::gaps(bits.width(), listed, reserved) {
        let message = gaps::message("code", &missing, 2);
        let help = "list it, or add it to the `reserved_codes` of the group";
        report(problems, &group.name, message).label("in this group").help(help);
    }
}
