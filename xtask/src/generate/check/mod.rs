//! Converts specs to a model, or to the full list of problems; each rule is a function.

mod aliases;
pub mod architecture;
mod build;
mod build_metrics;
pub mod common_events;
mod events;
mod evntbus;
mod fields;
mod findings;
mod gaps;
mod in_core;
pub mod legend;
mod limits;
mod linux;
mod lists;
mod location;
mod metrics;
mod names;
mod provenance;
mod sources;
mod text;
mod units;

use crate::generate::model::Ip;
use crate::generate::problem::{File, Problems, report};
use crate::generate::spec::aliases::Aliases;
use crate::generate::spec::architecture::Architecture;
use crate::generate::spec::events::{Events, Group as EventGroup};
use crate::generate::spec::findings::{CommonFindings, Findings};
use crate::generate::spec::metrics::{Group as MetricGroup, Metrics};
use crate::generate::spec::read::{At, shown, suggest};
use crate::generate::spec::registers::Registers;
use crate::generate::spec::scalar::Name;

/// Names that most rules use.
mod prelude {
    pub use std::collections::{HashMap, HashSet};
    pub use std::ops::RangeInclusive;

    pub use super::Spec;
    pub use crate::generate::problem::{Place, Problems, report};
    pub use crate::generate::spec::read::{At, List, repeated, shown, suggest};
    pub use crate::generate::spec::registers::{Field, Register, Registers, Unit};
    pub use crate::generate::spec::scalar::{
        Access, Bits, Confidence, Decimal, Name, Reserved, Reset, Text,
    };
    pub(super) use crate::generate::spec::{Origin, origin};
}

/// Specs of one IP.
#[derive(Debug)]
pub struct Spec {
    /// Registers of the IP, derived from `architecture` if that is given.
    pub registers: Registers,
    /// Architecture of the registers, if several IPs share them.
    pub architecture: Option<Architecture>,
    /// Events of the IP, with the architecture's entries filled in.
    pub events: Events,
    /// Common events of the architecture, which implementations can have.
    pub common_events: Option<Events>,
    pub common_metrics: Option<Metrics>,
    pub findings: Option<Findings>,
    /// Findings of the architecture, which implementations can have.
    pub shared_findings: Option<Findings>,
    /// Findings that all IPs can use; `findings.yaml` selects from them.
    pub common: Option<CommonFindings>,
    /// `None` if the IP has no metrics.
    pub metrics: Option<Metrics>,
    /// `None` if no other program has names for its events.
    pub aliases: Option<Aliases>,
}

impl Spec {
    /// Returns the group of events to which the metrics in `group` belong; `None` if there is not
    /// exactly one.
    pub fn events_of(&self, group: &MetricGroup) -> Option<&EventGroup> {
        self.group(&group.name, group.unit.as_ref())
    }

    /// Returns the group of events with this name, in this unit if one is given; `None` if there is
    /// not exactly one.
    pub fn group(&self, name: &Name, unit: Option<&At<Name>>) -> Option<&EventGroup> {
        let mut same = self.events.groups.iter().filter(|group| group.is_called(name, unit));
        same.next().filter(|_| same.next().is_none())
    }
}

/// Applies every rule. Returns `None` exactly if these or earlier checks found a problem.
pub fn check(name: &str, spec: &Spec, problems: &mut Problems) -> Option<Ip> {
    ip_name(name, spec, problems);
    manuals_agree(spec, problems);
    common_events::are_of_the_architecture(spec, problems);
    common_events::have_a_meaning(spec, problems);
    if spec.architecture.is_none() {
        architecture::is_not_meant(&spec.registers, problems);
    }
    for register in spec.registers.registers.iter() {
        fields::are_whole(register, problems);
        fields::are_inside(register, problems);
        fields::are_in_order(register, problems);
        fields::cover_the_register(register, problems);
        fields::fit_the_access(register, problems);
        fields::name_their_values(register, problems);
        fields::allow_the_reset_value(&spec.registers.units, register, problems);
        limits::of_fields(&spec.registers, register, problems);
        limits::of_resets(&spec.registers.units, register, problems);
        names::of_fields(register, problems);
    }
    location::is_given_once(&spec.registers, problems);
    location::has_only_its_keys(&spec.registers, problems);
    location::has_a_length(&spec.registers, problems);
    location::of_blocks(&spec.registers, problems);
    location::is_on_a_page(&spec.registers, problems);
    location::of_registers(&spec.registers, problems);
    location::do_not_overlap(&spec.registers, problems);
    in_core::is_all_or_nothing(&spec.registers, problems);
    in_core::main_ids_fit(&spec.registers, problems);
    in_core::main_ids_differ(&spec.registers, problems);
    in_core::numbers_are_sound(&spec.registers, problems);
    in_core::are_performance_monitors(&spec.registers, problems);
    in_core::selectors_are_there(&spec.registers, problems);
    linux::has_the_names_of_its_driver(spec, problems);
    linux::names_differ(spec, problems);
    let before_units = problems.len();
    units::are_not_too_many(&spec.registers, problems);
    units::have_all_pages(&spec.registers, problems);
    units::have_pages_apart(&spec.registers, problems);
    units::have_events(spec, problems);
    units::have_registers(spec, problems);
    let units_are_sound = spec.registers.units.complete && problems.len() == before_units;
    units::are_counter_groups(spec, problems);
    names::of_registers(&spec.registers, problems);
    events::have_counters(spec, problems);
    events::can_be_used(spec, problems);
    sources::have_a_field(spec, problems);
    sources::fit_the_field(spec, problems);
    sources::are_unique(spec, problems);
    sources::are_all_accounted_for(spec, problems);
    // The search covers all registers, so it is done only once for all groups.
    let id = events::id_bits(spec);
    for group in spec.events.groups.iter() {
        events::fit_the_field(spec, id, group, problems);
        events::have_unique_codes(group, problems);
        events::are_all_accounted_for(spec, id, group, problems);
        evntbus::is_known_or_unknown(group, problems);
        evntbus::has_a_bit_for_each_event(&spec.events, group, problems);
        events::are_there(spec, group, problems);
        names::of_variants("events", group.events.iter().map(|event| &event.name), problems);
    }
    evntbus::is_there(&spec.events, problems);
    evntbus::is_of_sources(&spec.events, problems);
    evntbus::is_not_too_wide(&spec.events, problems);
    evntbus::is_allocated_once(spec, problems);
    names::of_groups(spec, problems);
    names::of_sources(spec, problems);
    provenance::of_registers(&spec.registers, problems);
    provenance::of_events(&spec.events, problems);
    text::of_registers(&spec.registers, problems);
    text::of_events(&spec.events, problems);
    findings::are_sound(spec, problems);
    // Otherwise a mistake in events or units would be reported again for each use of their names.
    let in_events =
        [File::Events, File::CommonEvents].into_iter().any(|file| problems.are_in(file));
    let sound = units_are_sound && !in_events;
    if let Some(metrics) = &spec.metrics {
        metrics::all(spec, metrics, sound, problems);
    }
    if let Some(aliases) = &spec.aliases {
        aliases::all(spec, aliases, sound, problems);
    }
    location::have_registers(&spec.registers, problems);
    if sound {
        instructions_are_an_event(spec, problems);
    }
    if problems.is_empty() { build::ip(spec) } else { None }
}

/// If a core lacks the usual event for executed instructions, its spec names another event, which
/// the IP must have.
fn instructions_are_an_event(spec: &Spec, problems: &mut Problems) {
    let Some(name) = build::implementation(spec).and_then(|own| own.instructions.as_ref()) else {
        return;
    };
    let events = spec.events.groups.iter().flat_map(|group| group.events.iter());
    let known: Vec<_> = events.map(|event| event.name.0.as_str()).collect();
    if !known.contains(&name.0.as_str()) {
        let message = format!("`{}` is not an event of this IP", name.0);
        report(problems, name, message).help(suggest(&name.0, &known));
    }
}

/// The name in each file is the name of the directory and of the crate.
fn ip_name(name: &str, spec: &Spec, problems: &mut Problems) {
    let findings = spec.findings.as_ref().map(|findings| &findings.ip);
    let metrics = spec.metrics.as_ref().map(|metrics| &metrics.ip);
    let aliases = spec.aliases.as_ref().map(|aliases| &aliases.ip);
    let others = findings.into_iter().chain(metrics).chain(aliases);
    for ip in [&spec.registers.ip, &spec.events.ip].into_iter().chain(others) {
        if ip.0 != name {
            let message =
                format!("`{}` is not the name of the directory, `{}`", shown(&ip.0), shown(name));
            report(problems, ip, message)
                .help("the directory, the crate and `ip` must have the same name");
        }
    }
}

/// All files of an IP name the same manual.
fn manuals_agree(spec: &Spec, problems: &mut Problems) {
    let registers = &spec.registers.manual;
    let findings = spec.findings.as_ref().map(|findings| &findings.manual);
    let metrics = spec.metrics.as_ref().map(|metrics| &metrics.manual);
    for other in std::iter::once(&spec.events.manual).chain(findings).chain(metrics) {
        if registers.id != other.id || registers.title != other.title {
            report(problems, other, "two files of an IP name different manuals")
                .other(registers, "the other");
        }
    }
}
