//! From a spec that keeps all rules to the model.

use super::language as l;
use super::model as m;
use super::scalar::Address;
use crate::read::{At, List};
use crate::scalar::{Confidence, Text};

fn origin(confidence: Option<&At<Confidence>>, source: Option<&At<Text>>) -> m::Origin {
    m::Origin {
        confidence: confidence.map_or(Confidence::D, |confidence| **confidence),
        source: source.map_or(String::new(), |source| source.0.clone()),
    }
}

macro_rules! origin {
    ($mapping:expr) => {
        origin($mapping.confidence.as_ref(), $mapping.source.as_ref())
    };
}

macro_rules! fact {
    ($fact:expr, $value:expr) => {
        m::Fact { value: $value, origin: origin!($fact) }
    };
}

fn text(text: &Option<At<Text>>) -> Option<String> {
    text.as_ref().map(|text| text.0.clone())
}

fn each<T, U>(list: &List<T>, to: impl Fn(&T) -> U) -> Vec<U> {
    list.iter().map(to).collect()
}

/// The model of a sound spec.
pub fn platform(spec: &l::Platform) -> m::Platform {
    m::Platform {
        name: spec.platform.0.clone(),
        title: spec.title.0.clone(),
        vendor: spec.vendor.0.clone(),
        notes: each(&spec.notes, note),
        instances: spec.instances.iter().flat_map(with_copies).collect(),
        wanted: each(&spec.wanted, |wanted| wanted.0.clone()),
    }
}

fn note(note: &l::Note) -> m::Fact<String> {
    fact!(note, note.text.0.clone())
}

fn with_copies(spec: &l::Instance) -> Vec<m::Instance> {
    let first = instance(spec);
    let mut all = vec![first.clone()];
    for copy in spec.copies.iter() {
        let mut next = first.clone();
        next.name = copy.name.0.clone();
        next.title = text(&copy.title);
        next.streams = each(&copy.streams, stream);
        let own = copy.confidence.is_some().then(|| origin!(copy));
        if let (Some(base), Some(Address(value))) = (&mut next.base, copy.base.as_deref()) {
            base.value = *value;
            base.origin = own.clone().unwrap_or(base.origin.clone());
        }
        if let Some(interrupts) = &mut next.interrupts {
            if !copy.interrupts.is_empty() {
                interrupts.numbers = each(&copy.interrupts, |number| number.0);
                interrupts.origin = own.unwrap_or(interrupts.origin.clone());
            }
        }
        next.linux = copy.linux.as_ref().map(|name| {
            let origin = spec.linux.as_ref().map(|linux| origin!(linux));
            let origin = origin.unwrap_or_else(|| origin!(copy));
            m::Fact { value: name.0.clone(), origin }
        });
        all.push(next);
    }
    all
}

fn instance(spec: &l::Instance) -> m::Instance {
    m::Instance {
        name: spec.name.0.clone(),
        title: text(&spec.title),
        ip: fact!(spec.ip, spec.ip.value.0.clone()),
        unit: spec.unit.as_ref().map(|unit| fact!(unit, unit.value.0.clone())),
        base: spec.base.as_ref().map(|base| fact!(base, base.value.0)),
        length: spec.length.as_ref().map(|length| fact!(length, length.value.0)),
        interrupts: spec.interrupts.as_ref().map(|interrupts| m::Interrupts {
            controller: *interrupts.controller,
            of: text(&interrupts.of),
            numbers: each(&interrupts.numbers, |number| number.0),
            wiring: interrupts.wiring.as_deref().copied(),
            trigger: interrupts.trigger.as_deref().copied(),
            note: text(&interrupts.note),
            origin: origin!(interrupts),
        }),
        linux: spec.linux.as_ref().map(|linux| fact!(linux, linux.value.0.clone())),
        device_tree: spec.device_tree.as_ref().map(|node| m::DeviceTree {
            state: *node.state,
            node: text(&node.node),
            label: node.label.as_ref().map(|label| label.0.clone()),
            missing: text(&node.missing),
            origin: origin!(node),
        }),
        clock: spec.clock.as_ref().map(|clock| m::Clock {
            name: text(&clock.name),
            hertz: clock.hertz.as_ref().map(|hertz| hertz.0),
            note: text(&clock.note),
            origin: origin!(clock),
        }),
        interfaces: each(&spec.interfaces, interface),
        streams: each(&spec.streams, stream),
        switches: each(&spec.switches, switch),
        faults: each(&spec.faults, fault),
        notes: each(&spec.notes, note),
    }
}

fn interface(spec: &l::Interface) -> m::Interface {
    m::Interface {
        source: spec.port.0.clone(),
        name: spec.name.0.clone(),
        title: spec.title.0.clone(),
        condition: text(&spec.condition),
        beat_bytes: spec.beat_bytes.as_ref().map(|bytes| fact!(bytes, bytes.value.0)),
        origin: origin!(spec),
    }
}

fn stream(spec: &l::Stream) -> m::Stream {
    m::Stream {
        id: spec.id.0,
        name: spec.name.0.clone(),
        title: spec.title.0.clone(),
        origin: origin!(spec),
    }
}

fn switch(spec: &l::Switch) -> m::Switch {
    let way = |way: &l::Way| m::Way {
        stage: *way.stage,
        doc: way.doc.0.clone(),
        fails: way.fails,
        origin: origin!(way),
    };
    m::Switch {
        name: spec.name.0.clone(),
        doc: spec.doc.0.clone(),
        register: text(&spec.register),
        address: spec.address.as_ref().map(|address| address.0),
        bits: spec.bits.as_deref().copied(),
        on: spec.on.as_ref().map(|on| on.0),
        reset: spec.reset.as_ref().map(|reset| reset.0),
        written_by: *spec.written_by,
        seen_from_elsewhere: text(&spec.seen_from_elsewhere),
        ways: each(&spec.ways, way),
        origin: origin!(spec),
    }
}

fn fault(spec: &l::Fault) -> m::Fault {
    let announced = spec.announced.as_ref();
    m::Fault {
        name: spec.name.0.clone(),
        doc: spec.doc.0.clone(),
        effect: spec.effect.0.clone(),
        fix: text(&spec.fix),
        announced: announced.map(|page| (page.page.0.clone(), page.offset.0)),
        origin: origin!(spec),
    }
}
