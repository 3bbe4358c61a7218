//! Rules about names, which must be unique, also after the conversion to Rust names.

use super::prelude::*;
use super::units::{groups_of, units_or_all};
use crate::generate::names;
use crate::generate::spec::metrics::{Metric, Metrics};

/// A set of names that must not clash.
#[derive(Default)]
struct Scope<'s> {
    taken: HashMap<String, (&'s str, Option<&'s Place>)>,
}

impl<'s> Scope<'s> {
    /// Creates a scope; generated code already uses `names`.
    fn with(names: &'static str) -> Self {
        Self {
            taken: names.split_whitespace().map(|name| (name.to_owned(), (name, None))).collect(),
        }
    }

    /// Reserves the Rust name `rust` for generated code.
    fn take_quietly(&mut self, rust: String) {
        self.taken.insert(rust, ("", None));
    }

    /// Reserves the Rust name `rust` for `name`. Returns whether the name was unused.
    fn take(&mut self, rust: String, name: &'s At<Name>, problems: &mut Problems) -> bool {
        let At { value: Name(text), place } = name;
        let becomes =
            if rust == *text { String::new() } else { format!(" becomes `{rust}`, which") };
        if !names::is_identifier(&rust) {
            report(problems, name, format!("`{text}`{becomes} is not a name in Rust"))
                .help("choose another name");
            return false;
        }
        match self.taken.get(&rust) {
            None => {
                self.taken.insert(rust, (text, Some(place)));
                return true;
            }
            Some((other, Some(first))) if other == text => {
                report(problems, name, format!("the name `{text}` is taken already"))
                    .other(first, "here");
            }
            Some((other, Some(first))) => {
                let message = format!("`{text}` and `{other}` are both `{rust}` in Rust");
                report(problems, name, message).other(first, "the other");
            }
            Some((_, None)) => {
                let message =
                    format!("`{text}`{becomes} is a name that generated code uses itself");
                report(problems, name, message).help("choose another name");
            }
        }
        false
    }
}

/// Names of registers and blocks: modules, and methods of the view.
pub fn of_registers(spec: &Registers, problems: &mut Problems) {
    // The file with these modules uses the crates `core` and `arm_pmu_core`, and the module `fmt`.
    let mut modules = Scope::with("new of core arm_pmu_core fmt");
    // Pages, blocks and registers also have types. These names are already used there.
    let mut types = Scope::with(
        "Bus Reg Space Registers UserRegisters RegisterAccess UserMode Operands RegisterSpec \
        Location R W",
    );
    let mut offsets = Scope::with("LENGTH");
    for name in spec.pages.iter().map(|page| &page.name) {
        let _ = types.take(names::type_name(&name.0), name, problems)
            && types.take(names::page_view(&name.0), name, problems)
            && offsets.take(names::page_offset(&name.0), name, problems);
    }
    // The module of each unit is next to the modules `field`, `registers` and `space`, so its name
    // must differ from theirs.
    let mut files = Scope::with("field registers space");
    for name in spec.units.iter().map(|unit| &unit.name) {
        let _ = files.take(names::unit_module(&name.0), name, problems)
            && modules.take(names::unit_module(&name.0), name, problems);
    }
    for name in spec.blocks.iter().map(|block| &block.name) {
        let _ = modules.take(names::block_accessor(&name.0), name, problems)
            && types.take(names::block_type(&name.0), name, problems);
    }
    for register in spec.registers.iter() {
        let name = &register.name;
        let words = match register.bits() {
            32 => vec![name.0.clone()],
            _ => vec![names::low_word(&name.0), names::high_word(&name.0)],
        };
        for word in words {
            modules.take(names::register_module(&word), name, problems);
        }
    }
    are_no_others(
        spec.registers.iter().map(|register| &register.name),
        spec.registers.iter().flat_map(|register| register.aliases.iter()),
        problems,
    );
}

/// An alias names only one register or field.
fn are_no_others<'s>(
    names: impl Iterator<Item = &'s At<Name>>,
    aliases: impl Iterator<Item = &'s At<Name>>,
    problems: &mut Problems,
) {
    let mut taken: HashMap<String, &Place> =
        names.map(|name| (name.0.to_ascii_lowercase(), &name.place)).collect();
    for alias in aliases {
        if let Some(first) = taken.insert(alias.0.to_ascii_lowercase(), &alias.place) {
            let message = format!("the alias `{}` is taken already", alias.0);
            report(problems, alias, message).other(first, "here");
        }
    }
}

/// Checks the names of a register's fields. A field's name becomes a method of the reader and
/// writer, and a type, and each must be unique.
pub fn of_fields(register: &Register, problems: &mut Problems) {
    let mut methods = Scope::with("from_bits encode new");
    let mut types = Scope::default();
    for name in register.fields.iter().filter_map(|field| field.name.as_ref()) {
        let _ = methods.take(names::field_accessor(&name.0), name, problems)
            && types.take(names::field_reader(&name.0), name, problems);
    }
    are_no_others(
        register.fields.iter().filter_map(|field| field.name.as_ref()),
        register.fields.iter().flat_map(|field| field.aliases.iter()),
        problems,
    );
}

/// Checks the names of a unit's groups, from which the types of events and sources get their names.
pub fn of_groups(spec: &Spec, problems: &mut Problems) {
    for unit in units_or_all(spec) {
        let mut scope = Scope::default();
        let mut found = Problems::default();
        for group in groups_of(spec, unit) {
            scope.take(names::type_name(&group.name.0), &group.name, &mut found);
        }
        // If several units share a mistake, it is reported only for the first of them.
        if !found.is_empty() {
            return problems.append(found);
        }
    }
}

/// Checks the names of a unit's sources: variants, which are also names in the crate, and text forms. No two sources
/// have the same variant or text form, even in different groups.
pub fn of_sources(spec: &Spec, problems: &mut Problems) {
    for unit in units_or_all(spec) {
        let taken = "Pmu Running Selection Listed Registers ALL";
        let mut variants = Scope::with(taken);
        let mut texts = Scope::with("raw");
        let mut found = Problems::default();
        for source in groups_of(spec, unit).flat_map(|group| group.sources.iter()) {
            let name = &source.name;
            // The text form of a source is case-insensitive.
            let _ = variants.take(name.0.clone(), name, &mut found)
                && texts.take(name.0.to_ascii_lowercase(), name, &mut found);
        }
        if !found.is_empty() {
            return problems.append(found);
        }
    }
}

/// Checks the names of metrics. Each name becomes a type, and each unit has its own scope for these
/// types.
pub fn of_metrics(spec: &Spec, metrics: &Metrics, sound: bool, problems: &mut Problems) {
    // Names that no metric may have: the generated file uses them, or derives the trait of that
    // name for its types.
    let used = "About Clone Copy Debug Eq EventOrCycles Hash Inputs Metric MetricUnit NoValue \
        NotComputable PartialEq Selection Term";
    let mut scopes: HashMap<(Option<&str>, Option<usize>), Scope<'_>> = HashMap::new();
    for (nth, group) in metrics.groups.iter().enumerate() {
        let of_events = spec.events_of(group);
        let unit = of_events.and_then(|of_events| of_events.unit.as_ref());
        // The unit of a group is known only if the events have no mistake. Otherwise, the names only have to be unique
        // in the group.
        let file = (unit.map(|unit| unit.0.as_str()), (!sound).then_some(nth));
        let scope = scopes.entry(file).or_insert_with(|| {
            let mut scope = Scope::with(used);
            for group in spec.events.groups.iter() {
                scope.take_quietly(names::event_type(&group.name.0));
                scope.take_quietly(names::source_type(&group.name.0));
            }
            for unit in spec.registers.units.iter() {
                scope.take_quietly(names::event_type(&unit.name.0));
            }
            scope
        });
        let of_metrics = group.metrics.iter().map(|metric| &metric.name);
        let of_none = group.not_computable.iter().map(|none| &none.name);
        for name in of_metrics.chain(of_none) {
            is_in_capitals(name, "metrics", problems);
            scope.take(names::type_name(&name.0), name, problems);
        }
        for metric in group.metrics.iter() {
            of_arguments(metric, problems);
        }
    }
}

/// Names of a metric's arguments, which are the fields of the metric's type.
fn of_arguments(metric: &Metric, problems: &mut Problems) {
    // Two names are taken: `source` is the field with the source, and `cycles` are the cycles in a
    // formula.
    let mut fields = Scope::with("source cycles");
    for argument in metric.arguments.iter() {
        let At { value: Name(name), place } = &argument.name;
        if heck::AsSnakeCase(name).to_string() != *name {
            let small = heck::AsSnakeCase(name);
            report(problems, place, "arguments are named in small letters")
                .help(format!("write `{small}`"));
        }
        fields.take(name.clone(), &argument.name, problems);
    }
}

/// Names of the events of a group, or of the findings of a file or an IP: variants.
pub fn of_variants<'s>(
    what: &str,
    names: impl Iterator<Item = &'s At<Name>>,
    problems: &mut Problems,
) {
    let mut scope = Scope::default();
    for name in names {
        is_in_capitals(name, what, problems);
        scope.take(names::type_name(&name.0), name, problems);
    }
}

fn is_in_capitals(name: &At<Name>, what: &str, problems: &mut Problems) {
    let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !name.0.chars().all(upper) {
        let capitals = heck::AsShoutySnakeCase(&name.0);
        report(problems, name, format!("{what} are named in capitals"))
            .help(format!("write `{capitals}`"));
    }
}
