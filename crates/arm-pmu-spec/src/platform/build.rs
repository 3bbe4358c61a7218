//! Converts a valid spec to the model.

use super::language as l;
use super::model::{self as m, origin};
use crate::read::Checked;
use crate::scalar::Confidence;

/// Returns the model of a valid spec.
pub fn platform(spec: &l::Platform) -> m::Platform {
    m::Platform {
        name: spec.platform.checked(),
        title: spec.title.checked(),
        vendor: spec.vendor.checked(),
        also: spec.also.checked(),
        notes: spec.notes.checked(),
        instances: spec.instances.iter().flat_map(with_copies).collect(),
        wanted: spec.wanted.checked(),
    }
}

fn with_copies(spec: &l::Instance) -> Vec<m::Instance> {
    let first = instance(spec);
    let mut all = vec![first.clone()];
    for copy in spec.copies.iter() {
        let mut next = first.clone();
        next.name = copy.name.checked();
        next.title = copy.title.checked();
        next.streams = copy.streams.checked();
        let own = copy.confidence.is_some().then(|| origin!(copy));
        if let (Some(base), Some(value)) = (&mut next.base, copy.base.checked()) {
            base.value = value;
            base.origin = own.clone().unwrap_or(base.origin.clone());
        }
        if let Some(interrupts) = &mut next.interrupts {
            if !copy.interrupts.is_empty() {
                interrupts.numbers = copy.interrupts.checked();
                interrupts.origin = own.unwrap_or(interrupts.origin.clone());
            }
        }
        next.linux = copy.linux.as_ref().map(|name| {
            let origin = spec.linux.as_ref().map(|linux| origin!(linux));
            m::Fact { value: name.checked(), origin: origin.unwrap_or_else(|| origin!(copy)) }
        });
        all.push(next);
    }
    all
}

fn instance(spec: &l::Instance) -> m::Instance {
    m::Instance {
        name: spec.name.checked(),
        title: spec.title.checked(),
        ip: spec.ip.checked(),
        unit: spec.unit.checked(),
        core: spec.core.checked(),
        cpus: spec.cpus.checked(),
        base: spec.base.checked(),
        length: spec.length.checked(),
        interrupts: spec.interrupts.checked(),
        linux: spec.linux.checked(),
        device_tree: spec.device_tree.checked(),
        clock: spec.clock.checked(),
        interfaces: spec.interfaces.checked(),
        streams: spec.streams.checked(),
        switches: spec.switches.checked(),
        faults: spec.faults.checked(),
        notes: spec.notes.checked(),
    }
}
