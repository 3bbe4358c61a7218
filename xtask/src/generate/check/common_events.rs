//! Rules about an architecture's files: IPs share the entries in these files.

use super::prelude::*;
use crate::generate::spec::events::Events;

/// Each event has a description. An implementation's event without a `doc` uses the architecture's
/// `doc`.
pub fn have_a_meaning(spec: &Spec, problems: &mut Problems) {
    let common = spec.common_events.iter().flat_map(events);
    for event in common.clone().filter(|event| event.doc.is_none()) {
        let message = format!("{} has no `doc`", event.name.0);
        report(problems, &event.name, message).help("the specs of implementations refer to it");
    }
    for event in events(&spec.events).filter(|event| event.doc.is_none()) {
        let same = common.clone().find(|common| common.code.0 == event.code.0);
        match same {
            Some(same) if same.name.0 != event.name.0 => {
                let message = format!("the common event with this code is {}", same.name.0);
                report(problems, &event.name, message)
                    .other(&same.name, "here")
                    .help("write that name, or a `doc` of its own");
            }
            // The common event has a `doc`, so this event needs none.
            Some(_) => {}
            None => {
                let message = format!("{} has no `doc`", event.name.0);
                report(problems, &event.name, message).help(
                    "say what one count means; only a common event of an architecture can leave that out",
                );
            }
        }
    }
}

/// Returns true if the spec is of the driver for every core and, in addition, no register reports the event.
pub fn is_unreported(spec: &Spec, code: u32) -> bool {
    let own = spec.architecture.as_ref().filter(|own| own.architecture.0 == spec.registers.ip.0);
    let reports = |field: &Field| {
        let first = field.events_from.as_ref().map(|code| code.0);
        first.is_some_and(|first| (first..first + field.bits.width()).contains(&code))
    };
    // One implementation with a field that reports the event is enough.
    own.is_some_and(|own| {
        !own.registers.iter().flat_map(|register| register.fields.iter()).any(reports)
    })
}

fn events(of: &Events) -> impl Iterator<Item = &crate::generate::spec::events::Event> + Clone {
    of.groups.iter().flat_map(|group| group.events.iter())
}

/// The files belong to the architecture and describe each event.
pub fn are_of_the_architecture(spec: &Spec, problems: &mut Problems) {
    let architecture = spec.architecture.as_ref().map(|architecture| &architecture.architecture);
    let Some(architecture) = architecture.or(spec.registers.shares.as_ref()) else { return };
    let names = spec.common_events.iter().map(|common| &common.ip);
    let names = names.chain(spec.common_metrics.iter().map(|common| &common.ip));
    let names = names.chain(spec.shared_findings.iter().map(|common| &common.ip));
    for ip in names.filter(|ip| ip.0 != architecture.0) {
        let name = &architecture.0;
        let message = format!("this file belongs to another architecture, not to `{name}`");
        report(problems, ip, message).help("`ip` is the name of the directory");
    }
}
