//! Rules about events and their codes.

use std::collections::HashMap;

use super::{Spec, gaps};
use crate::model::Bits;
use crate::problem::{Place, Problem, Problems};
use crate::spec::events::{Counters, Group};
use crate::spec::read::{At, suggest};
use crate::spec::registers::Register;
use crate::spec::scalar::FieldPath;

/// The register with this name.
pub fn register<'s>(spec: &'s Spec, name: &str) -> Option<&'s Register> {
    spec.registers.registers.iter().find(|register| register.name.0 == name)
}

/// The bits of the field that a path leads to.
pub fn field_bits(spec: &Spec, path: &FieldPath) -> Option<Bits> {
    let fields = &register(spec, &path.register)?.fields;
    let is = |name: &Option<At<crate::spec::scalar::Name>>| {
        name.as_ref().is_some_and(|name| name.0 == path.field)
    };
    fields.iter().find(|field| is(&field.name)).map(|field| *field.bits)
}

/// The registers that count and select are there.
pub fn have_counters(spec: &Spec, problems: &mut Problems) {
    if !spec.registers.registers.complete {
        return;
    }
    let counters = &spec.events.counters;
    let registers: Vec<_> = spec.registers.registers.iter().map(|r| r.name.0.as_str()).collect();
    let unknown = |name: &str, place: &Place| {
        let problem = Problem::new(place, format!("there is no register `{name}`"));
        problem.help(suggest(name, &registers))
    };
    for counter in [Some(&counters.value), counters.cycles.as_ref()].into_iter().flatten() {
        if register(spec, &counter.0).is_none() {
            problems.push(unknown(&counter.0, &counter.place));
        }
    }
    for path in [&counters.event, &counters.source] {
        let Some(register) = register(spec, &path.register) else {
            problems.push(unknown(&path.register, &path.place));
            continue;
        };
        if field_bits(spec, path).is_none() && register.fields.complete {
            let fields = register.fields.iter().filter_map(|field| field.name.as_ref());
            let fields: Vec<_> = fields.map(|name| name.0.as_str()).collect();
            let message = format!("{} has no field `{}`", path.register, path.field);
            let problem = Problem::new(&path.place, message);
            problems.push(problem.help(suggest(&path.field, &fields)));
        }
    }
    let value = register(spec, &counters.value.0).filter(|value| value.fields.complete);
    if let Some(value) = value
        && value.fields.iter().all(|field| field.name.is_none())
    {
        let message = format!("{} has no field that counts", counters.value.0);
        problems
            .push(Problem::new(&counters.value.place, message).other(&value.name.place, "here"));
    }
    are_an_event_id(spec, problems);
}

/// Where code and source stand, if both are known and they make an event id.
pub fn id_bits(spec: &Spec) -> Option<(Bits, Bits)> {
    are_an_event_id(spec, &mut Problems::default())
}

/// Code and source are two fields side by side.
fn are_an_event_id(spec: &Spec, problems: &mut Problems) -> Option<(Bits, Bits)> {
    let Counters { event: code, source, .. } = &spec.events.counters;
    let (code_bits, source_bits) = (field_bits(spec, code)?, field_bits(spec, source)?);
    if code.register != source.register || code.field == source.field {
        let message = "code and source are two fields of one register";
        problems.push(Problem::new(&source.place, message).other(&code.place, "the code"));
        return None;
    }
    let id = code_bits.mask() | source_bits.mask();
    if id.trailing_ones() != id.count_ones() || id.count_ones() > 16 {
        let message = "code and source together are no event id";
        let problem = Problem::new(&code.place, message).other(&source.place, "the source");
        problems.push(problem.help("they take at most 16 bits, from bit 0, without a gap"));
        return None;
    }
    Some((code_bits, source_bits))
}

/// A code fits the field that selects the event.
pub fn fit_the_field(spec: &Spec, group: &Group, problems: &mut Problems) {
    let path = &spec.events.counters.event;
    let Some((bits, _)) = id_bits(spec) else { return };
    let codes = group.events.iter().map(|event| (event.code.0, &event.code.place));
    let reserved = group.reserved_codes.iter().map(|codes| (codes.last, &codes.place));
    for (code, place) in codes.chain(reserved) {
        if u64::from(code) >= 1 << bits.width() {
            let message = format!("the code 0x{code:02X} does not fit {} bits", bits.width());
            problems.push(Problem::new(place, message).other(&path.place, "the field"));
        }
    }
}

/// A code is given once in a group, and is not reserved.
pub fn have_unique_codes(group: &Group, problems: &mut Problems) {
    let mut taken: HashMap<u32, &Place> = HashMap::new();
    for event in group.events.iter() {
        let first = *taken.entry(event.code.0).or_insert(&event.code.place);
        if *first != event.code.place {
            let message = format!("the code 0x{:02X} is taken already", event.code.0);
            problems.push(Problem::new(&event.code.place, message).other(first, "here"));
        }
        for codes in group.reserved_codes.iter() {
            if (codes.first..=codes.last).contains(&event.code.0) {
                let message = format!("the code 0x{:02X} is reserved", event.code.0);
                problems.push(Problem::new(&event.code.place, message).other(&codes.place, "here"));
            }
        }
    }
}

/// A group is of some events at some source.
pub fn are_there(group: &Group, problems: &mut Problems) {
    let empty = [
        ("events", group.events.is_empty() && group.events.complete),
        ("sources", group.sources.is_empty() && group.sources.complete),
    ];
    for (what, _) in empty.iter().filter(|(_, empty)| *empty) {
        let message = format!("the group {} has no {what}", group.name.0);
        problems.push(Problem::new(&group.name.place, message));
    }
}

/// Every value of the field is an event or reserved.
pub fn are_all_accounted_for(spec: &Spec, group: &Group, problems: &mut Problems) {
    let Some((bits, _)) = id_bits(spec) else { return };
    if group.events.is_empty() || !group.events.complete || !group.reserved_codes.complete {
        return;
    }
    let listed = group.events.iter().map(|event| event.code.0);
    let reserved = group.reserved_codes.iter().map(|codes| codes.first..=codes.last);
    if let Some(missing) = gaps::gaps(bits.width(), listed, reserved) {
        let message = gaps::message("code", &missing, 2);
        let problem = Problem::new(&group.name.place, message);
        let help = "list it, or add it to the `reserved_codes` of the group";
        problems.push(problem.label("in this group").help(help));
    }
}
