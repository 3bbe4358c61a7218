//! The events that all implementations of an architecture can have, and how the specs of these refer to them.

use super::Spec;
use crate::generate::problem::{Problem, Problems};
use crate::generate::spec::events::{Event, Events};

/// The common event with a code. Implementations name events by code, as tables of manuals do.
fn with_code(common: &Events, code: u32) -> Option<&Event> {
    let mut events = common.groups.iter().flat_map(|group| group.events.iter());
    events.find(|event| event.code.0 == code)
}

fn is_complete(common: &Events) -> bool {
    common.groups.complete && common.groups.iter().all(|group| group.events.complete)
}

/// The events of an implementation, with meaning and unit of those that leave them to the architecture.
pub fn completed(mut events: Events, common: Option<&Events>, problems: &mut Problems) -> Events {
    for event in events.groups.items.iter_mut().flat_map(|group| group.events.items.iter_mut()) {
        let of_all = common.and_then(|common| with_code(common, event.code.0));
        match (&event.doc, of_all) {
            (None, Some(of_all)) if of_all.name.0 == event.name.0 => {
                repeats_no_unit(event, of_all, problems);
                event.doc.clone_from(&of_all.doc);
                event.unit = event.unit.take().or_else(|| of_all.unit.clone());
            }
            (None, Some(of_all)) => {
                let message = format!("the common event with this code is {}", of_all.name.0);
                let problem = Problem::new(&event.name.place, message);
                let problem = problem.other(&of_all.name.place, "here");
                problems.push(problem.help("write that name, or a `doc` of its own"));
            }
            // The mistake may be in the line of the common event.
            (None, None) if !common.is_none_or(is_complete) => {}
            (None, None) => {
                let message = format!("{} has no `doc`", event.name.0);
                let problem = Problem::new(&event.name.place, message);
                problems.push(problem.help(
                    "say what one count means; only a common event of an architecture can leave that out",
                ));
            }
            (Some(own), Some(of_all)) => {
                let doc = of_all.doc.as_ref().filter(|doc| doc.0 == own.0);
                let is_same = of_all.name.0 == event.name.0
                    && event.unit.as_deref() == of_all.unit.as_deref();
                if let Some(doc) = doc.filter(|_| is_same) {
                    let problem = Problem::new(&own.place, "the common event says the same");
                    let problem = problem.other(&doc.place, "here");
                    problems.push(problem.help("leave out `doc` and `unit`"));
                }
            }
            (Some(_), None) => {}
        }
    }
    events
}

/// A unit beside the meaning of the architecture is another one.
fn repeats_no_unit(event: &Event, of_all: &Event, problems: &mut Problems) {
    if let (Some(own), Some(unit)) = (&event.unit, &of_all.unit)
        && own.value == unit.value
    {
        let problem = Problem::new(&own.place, "the common event has the same unit");
        let problem = problem.other(&unit.place, "here");
        problems.push(problem.help("leave it out"));
    }
}

/// The file is that of the architecture, and describes each event.
pub fn are_of_the_architecture(spec: &Spec, problems: &mut Problems) {
    let (Some(common), Some(architecture)) = (&spec.common_events, &spec.architecture) else {
        return;
    };
    if common.ip.0 != architecture.architecture.0 {
        let name = &architecture.architecture.0;
        let message = format!("these are common events of another architecture than `{name}`");
        let problem = Problem::new(&common.ip.place, message);
        problems.push(problem.help("`ip` is the name of the directory"));
    }
    for event in common.groups.iter().flat_map(|group| group.events.iter()) {
        if event.doc.is_none() {
            let message = format!("{} has no `doc`", event.name.0);
            let problem = Problem::new(&event.name.place, message);
            problems.push(problem.help("the specs of implementations refer to it"));
        }
    }
}
