//! Rules about events and their codes.

use std::collections::HashMap;

use super::Spec;
use crate::model::Bits;
use crate::problem::{Place, Problem, Problems};
use crate::spec::events::{Events, Group};
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
    if register(spec, &counters.value.0).is_none() {
        problems.push(unknown(&counters.value.0, &counters.value.place));
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
    if let (Some(event), Some(source)) =
        (field_bits(spec, &counters.event), field_bits(spec, &counters.source))
    {
        let id = event.mask() | source.mask();
        if id.trailing_zeros() != 0 || id.count_ones() != id.trailing_ones() || id.count_ones() > 16
        {
            let message = "code and source together are an event id: at most 16 bits, from bit 0";
            let problem = Problem::new(&counters.event.place, message);
            problems.push(problem.other(&counters.source.place, "the other"));
        }
    }
}

/// A code fits the field that selects the event.
pub fn fit_the_field(spec: &Spec, group: &Group, problems: &mut Problems) {
    let path = &spec.events.counters.event;
    let Some(bits) = field_bits(spec, path) else { return };
    let codes = group.events.iter().map(|event| (event.code.0, &event.code.place));
    let reserved = group.reserved_codes.iter().map(|codes| (codes.last, &codes.place));
    for (code, place) in codes.chain(reserved) {
        if u64::from(code) >= 1 << bits.width() {
            let message = format!("the code {code:#04x} does not fit {} bits", bits.width());
            problems.push(Problem::new(place, message).other(&path.place, "the field"));
        }
    }
}

/// A code is given once in a group, and is not reserved.
pub fn have_unique_codes(group: &Group, problems: &mut Problems) {
    let mut taken: HashMap<u32, &Place> = HashMap::new();
    for event in group.events.iter() {
        if let Some(first) = taken.insert(event.code.0, &event.code.place) {
            let message = format!("the code {:#04x} is taken already", event.code.0);
            problems.push(Problem::new(&event.code.place, message).other(first, "here"));
        }
        for codes in group.reserved_codes.iter() {
            if (codes.first..=codes.last).contains(&event.code.0) {
                let message = format!("the code {:#04x} is reserved", event.code.0);
                problems.push(Problem::new(&event.code.place, message).other(&codes.place, "here"));
            }
        }
    }
}

/// Every value of the field is an event or reserved.
pub fn are_all_accounted_for(spec: &Spec, group: &Group, problems: &mut Problems) {
    let Some(bits) = field_bits(spec, &spec.events.counters.event) else { return };
    if !group.events.complete || !group.reserved_codes.complete || bits.width() > 16 {
        return;
    }
    let listed = |code| group.events.iter().any(|event| event.code.0 == code);
    let reserved =
        |code| group.reserved_codes.iter().any(|codes| (codes.first..=codes.last).contains(&code));
    if let Some(code) = (0..1 << bits.width()).find(|code| !listed(*code) && !reserved(*code)) {
        let message = format!("the code {code:#04x} is neither listed nor reserved");
        let problem = Problem::new(&group.name.place, message);
        problems.push(problem.label("in this group").help("add it to `reserved_codes`"));
    }
}

/// With an EVNTBUS, each event has a bit of its own there; without one, none has.
pub fn have_event_bus_bits(spec: &Events, group: &Group, problems: &mut Problems) {
    let mut taken: HashMap<u32, &Place> = HashMap::new();
    for event in group.events.iter() {
        match (&event.evntbus, &spec.evntbus) {
            (Some(bit), Some(_)) => {
                if let Some(first) = taken.insert(bit.0, &bit.place) {
                    let message = format!("bit {} of EVNTBUS is taken already", bit.0);
                    problems.push(Problem::new(&bit.place, message).other(first, "here"));
                }
            }
            (None, None) => {}
            (None, Some(bus)) => {
                let problem = Problem::new(&event.name.place, "the event lacks `evntbus`");
                problems.push(problem.other(&bus.place, "the IP has an EVNTBUS"));
            }
            (Some(bit), None) => {
                let problem = Problem::new(&bit.place, "the IP has no EVNTBUS");
                problems.push(problem.help("say how wide it is at the top: `evntbus: configured`"));
            }
        }
    }
}
