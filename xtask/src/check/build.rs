//! From a spec without problems to the model.

use super::Spec;
use super::events::{field_bits, register};
use super::provenance::inherit;
use crate::model::{
    Block, Confidence, Content, Counters, Event, Field, Group, Ip, Location, Manual, Origin,
    Register, Source, Unit,
};
use crate::spec::scalar::Reset;
use crate::spec::{self, origin};

/// `None` only if a rule let something pass that it should not have.
pub fn ip(spec: &Spec) -> Option<Ip> {
    let registers = &spec.registers;
    Some(Ip {
        name: registers.ip.0.clone(),
        title: registers.title.0.clone(),
        manual: Manual {
            id: registers.manual.id.0.clone(),
            title: registers.manual.title.0.clone(),
        },
        length: registers.length.0,
        blocks: registers.blocks.iter().map(block).collect(),
        registers: registers
            .registers
            .iter()
            .map(|r| build_register(spec, r))
            .collect::<Option<_>>()?,
        counters: counters(spec)?,
        evntbus: spec.events.evntbus.is_some(),
        groups: spec.events.groups.iter().map(|g| group(spec, g)).collect(),
    })
}

fn block(block: &spec::registers::Block) -> Block {
    Block {
        name: block.name.0.clone(),
        title: block.title.0.clone(),
        offset: block.offset.0,
        count: block.count.0,
        stride: block.stride.0,
        doc: block.doc.0.clone(),
    }
}

fn build_register(spec: &Spec, register: &spec::registers::Register) -> Option<Register> {
    let whole = inherit(origin!(register), origin!(spec.registers));
    let fields = register.fields.iter().map(|field| {
        let content = match &field.reserved {
            Some(reserved) => Content::Reserved(**reserved),
            None => Content::Named {
                name: field.name.as_ref()?.0.clone(),
                access: **field.access.as_ref()?,
                doc: field.doc.as_ref()?.0.clone(),
                origin: owned(inherit(origin!(field), whole)),
            },
        };
        Some(Field { bits: *field.bits, content })
    });
    Some(Register {
        name: register.name.0.clone(),
        title: register.title.0.clone(),
        origin: owned(whole),
        location: location(spec, register)?,
        access: *register.access,
        reset: match register.reset.value.value {
            Reset::Known(value) => Some(value),
            Reset::Unknown => None,
        },
        reset_origin: owned(inherit(register.reset.origin(), whole)),
        doc: register.doc.0.clone(),
        note: register.note.as_ref().map(|note| note.0.clone()),
        fields: fields.collect::<Option<_>>()?,
    })
}

fn location(spec: &Spec, register: &spec::registers::Register) -> Option<Location> {
    let Some(name) = &register.block else {
        return Some(Location {
            block: None,
            offset: register.offset.0,
            count: register.count.as_ref().map_or(1, |count| count.0),
            stride: register.stride.as_ref().map_or(0, |stride| stride.0),
        });
    };
    let index = spec.registers.blocks.iter().position(|block| block.name.value == name.value)?;
    let block = &spec.registers.blocks[index];
    Some(Location {
        block: Some(index),
        offset: block.offset.0 + register.offset.0,
        count: block.count.0,
        stride: block.stride.0,
    })
}

fn counters(spec: &Spec) -> Option<Counters> {
    let counters = &spec.events.counters;
    let value = register(spec, &counters.value.0)?;
    Some(Counters {
        count: location(spec, value)?.count,
        bits: value
            .fields
            .iter()
            .filter(|field| field.name.is_some())
            .map(|f| f.bits.width())
            .sum(),
        event: field_bits(spec, &counters.event)?,
        source: field_bits(spec, &counters.source)?,
        cycles: counters.cycles.is_some(),
    })
}

fn group(spec: &Spec, group: &spec::events::Group) -> Group {
    let whole = inherit(origin!(group), origin!(spec.events));
    let source = |source: &spec::events::Source| Source {
        id: source.id.0,
        name: source.name.0.clone(),
        title: source.title.0.clone(),
        evntbus: source.evntbus.as_ref().map(|bit| bit.0),
    };
    Group {
        name: group.name.0.clone(),
        title: group.title.0.clone(),
        sources: group.sources.iter().map(source).collect(),
        events: group.events.iter().map(|e| event(e, whole)).collect(),
    }
}

fn event(event: &spec::events::Event, group: spec::Origin<'_>) -> Event {
    let flags = [
        ("secure_exempt", event.secure_exempt),
        ("ace_only", event.ace_only),
        ("never_fires", event.never_fires),
    ];
    Event {
        code: event.code.0,
        name: event.name.0.clone(),
        origin: owned(inherit(origin!(event), group)),
        unit: event.unit.as_ref().map_or(Unit::Occurrences, |unit| **unit),
        evntbus: event.evntbus.as_ref().map(|bit| bit.0),
        flags: flags.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect(),
        doc: event.doc.0.clone(),
        note: event.note.as_ref().map(|note| note.0.clone()),
    }
}

fn owned(origin: spec::Origin<'_>) -> Origin {
    Origin {
        section: origin.section.map(|section| section.0.clone()),
        confidence: origin.confidence.map_or(Confidence::A, |confidence| **confidence),
        source: origin.source.map(|source| source.0.clone()),
    }
}
