//! Rules about names of event groups in other files.

use super::Spec;
use super::lists::unknown;
use crate::generate::problem::{Problems, report};
use crate::generate::spec::read::At;
use crate::generate::spec::scalar::Name;

/// There is exactly one group of events with this name, in this unit if one is given. A missing
/// group is a problem only if the events are `sound`.
pub fn is_known(
    spec: &Spec,
    name: &At<Name>,
    unit: Option<&At<Name>>,
    sound: bool,
    problems: &mut Problems,
) {
    let groups = &spec.events.groups;
    let mut same = groups.iter().filter(|of_events| of_events.is_called(name, unit));
    match (same.next(), same.next()) {
        (Some(first), Some(second)) => {
            let message = format!("several units have a group `{}`", name.0);
            let unit = first.unit.as_ref().map_or("..", |unit| unit.0.as_str());
            report(problems, name, message)
                .other(&second.name, "another")
                .help(format!("name its unit, as in `unit: {unit}`"));
        }
        (None, _) if sound => {
            let known = groups.iter().map(|group| &*group.name.0);
            unknown("group of events", name, known, problems);
        }
        _ => {}
    }
}
