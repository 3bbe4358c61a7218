//! Derives the confidence and the source text of each fact from the legend.

use arm_pmu_spec::apply;
pub use arm_pmu_spec::legend::{ALL, Legend};

use crate::generate::problem::{Problems, report};
use crate::generate::spec::LegendEntry;
use crate::generate::spec::events::Events;
use crate::generate::spec::findings::{CommonFindings, Finding, Findings};
use crate::generate::spec::metrics::Metrics;
use crate::generate::spec::read::List;
use crate::generate::spec::registers::Registers;

/// Applies the legend of an IP's file, whose sources describe that IP.
fn with(
    entries: &List<LegendEntry>,
    problems: &mut Problems,
    apply: impl FnOnce(&Legend<'_>, &mut Problems),
) {
    for entry in entries.iter() {
        if let Some(place) =
            entry.of.first().map(|of| &of.place).or(entry.manual.then_some(&entry.name.place))
        {
            report(problems, place, "only the legend of an architecture says this")
                .help("remove `of` and `manual`: this file is about one IP");
        }
    }
    let legend = Legend::new(entries, None);
    apply(&legend, problems);
    legend.is_sound(problems);
}

pub fn of_registers(spec: &mut Registers, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| {
        apply!(legend, problems, &mut *spec);
        if let Some(id) = &mut spec.main_id {
            apply!(legend, problems, id);
        }
        for id in spec.others.items.iter_mut().filter_map(|other| other.main_id.as_mut()) {
            apply!(legend, problems, id);
        }
        for unit in &mut spec.units.items {
            if let Some(id) = &mut unit.main_id {
                apply!(legend, problems, id);
            }
            for page in &mut unit.pages.items {
                apply!(legend, problems, page);
            }
            apply!(legend, problems, unit);
        }
        for register in &mut spec.registers.items {
            if let Some(reset) = &mut register.reset {
                apply!(legend, problems, &mut reset.value);
            }
            for reset in &mut register.resets.items {
                apply!(legend, problems, reset);
            }
            for field in &mut register.fields.items {
                apply!(legend, problems, field);
            }
            apply!(legend, problems, register);
        }
    });
    spec.legend = entries;
}

pub fn of_events(spec: &mut Events, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| {
        apply!(legend, problems, &mut *spec);
        for group in &mut spec.groups.items {
            for event in &mut group.events.items {
                apply!(legend, problems, event);
            }
            apply!(legend, problems, group);
        }
    });
    spec.legend = entries;
}

pub fn of_metrics(spec: &mut Metrics, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| {
        apply!(legend, problems, &mut *spec);
        for group in &mut spec.groups.items {
            for metric in &mut group.metrics.items {
                apply!(legend, problems, metric);
            }
            for figure in &mut group.not_computable.items {
                apply!(legend, problems, figure);
            }
            apply!(legend, problems, group);
        }
    });
    spec.legend = entries;
}

pub fn of_findings(spec: &mut Findings, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| {
        apply!(legend, problems, &mut *spec);
        of_each(&mut spec.findings, legend, problems);
    });
    spec.legend = entries;
}

pub fn of_common_findings(spec: &mut CommonFindings, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| of_each(&mut spec.findings, legend, problems));
    spec.legend = entries;
}

fn of_each(findings: &mut List<Finding>, legend: &Legend<'_>, problems: &mut Problems) {
    for finding in &mut findings.items {
        apply!(legend, problems, finding);
    }
}
