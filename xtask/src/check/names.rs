//! Rules about names: unique, also after conversion to Rust.

use std::collections::HashMap;

use crate::names;
use crate::problem::{Place, Problem, Problems};
use crate::spec::events::{Events, Group};
use crate::spec::registers::{Register, Registers};

/// One set of names that must not clash.
#[derive(Default)]
struct Scope<'s> {
    taken: HashMap<String, (&'s str, Option<&'s Place>)>,
}

impl<'s> Scope<'s> {
    /// A scope in which generated code already uses `names`.
    fn with(names: &[&'static str]) -> Self {
        Self { taken: names.iter().map(|name| ((*name).to_owned(), (*name, None))).collect() }
    }

    /// Takes the Rust name `rust` for `name`.
    fn take(&mut self, rust: String, name: &'s str, place: &'s Place, problems: &mut Problems) {
        if !names::is_identifier(&rust) {
            let message =
                format!("`{name}` becomes `{rust}` in Rust, which cannot be a name there");
            problems.push(Problem::new(place, message).help("choose another name"));
            return;
        }
        match self.taken.get(&rust) {
            None => {
                self.taken.insert(rust, (name, Some(place)));
            }
            Some((other, Some(first))) if *other == name => {
                let problem = Problem::new(place, format!("the name `{name}` is taken already"));
                problems.push(problem.other(first, "here"));
            }
            Some((other, Some(first))) => {
                let message = format!("`{name}` and `{other}` are both `{rust}` in Rust");
                problems.push(Problem::new(place, message).other(first, "the other"));
            }
            Some((_, None)) => {
                let message =
                    format!("`{name}` becomes `{rust}`, which generated code uses itself");
                problems.push(Problem::new(place, message).help("choose another name"));
            }
        }
    }
}

/// Registers and blocks: modules, and methods of the view.
pub fn of_registers(spec: &Registers, problems: &mut Problems) {
    let mut outside = Scope::with(&["new"]);
    for block in spec.blocks.iter() {
        outside.take(
            names::block_accessor(&block.name.0),
            &block.name.0,
            &block.name.place,
            problems,
        );
    }
    let mut modules = outside;
    for register in spec.registers.iter() {
        let rust = names::register_module(&register.name.0);
        modules.take(rust, &register.name.0, &register.name.place, problems);
    }
}

/// Fields of one register: methods of its reader and writer.
pub fn of_fields(register: &Register, problems: &mut Problems) {
    let mut scope = Scope::with(&["from_bits", "encode", "new"]);
    for name in register.fields.iter().filter_map(|field| field.name.as_ref()) {
        scope.take(names::field_accessor(&name.0), &name.0, &name.place, problems);
    }
}

/// Groups: types of their events and sources.
pub fn of_groups(spec: &Events, problems: &mut Problems) {
    let mut scope = Scope::default();
    for group in spec.groups.iter() {
        scope.take(names::group_variant(&group.name.0), &group.name.0, &group.name.place, problems);
    }
}

/// Sources: variants, and, all groups together, names of the crate and of the text form.
pub fn of_sources(spec: &Events, problems: &mut Problems) {
    let mut scope = Scope::with(&["raw", "Pmu", "Running", "Selection", "Listed", "Registers"]);
    for source in spec.groups.iter().flat_map(|group| group.sources.iter()) {
        scope.take(
            names::source_variant(&source.name.0),
            &source.name.0,
            &source.name.place,
            problems,
        );
    }
}

/// Events of one group: variants.
pub fn of_events(group: &Group, problems: &mut Problems) {
    let mut scope = Scope::default();
    for event in group.events.iter() {
        let upper =
            event.name.0.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        if !upper {
            let problem = Problem::new(&event.name.place, "events are named in capitals");
            problems.push(problem.help(heck::AsShoutySnakeCase(&event.name.0).to_string()));
        }
        scope.take(names::event_variant(&event.name.0), &event.name.0, &event.name.place, problems);
    }
}
