//! Causes outside of the device: `perf` enabled an event for only a part of the time, or never.

use std::collections::BTreeMap;

use arm_pmu_lookup::kernel::is_name_of_core;
use arm_pmu_tables::{Confidence, FixableBy};

use super::Weight::{Decided, Possible, Probable};
use super::dump::{Count, Dump};
use super::{Reason, Report};
use crate::base::perf_stat::recording::{self, WHY_NOT_SUPPORTED};
use crate::base::text::listed;

const WHY_NOT_COUNTED: &str = "The group never got its counters, because it has more events than \
    the PMU has counters, or the measurement was too short.";

/// Below this percentage of the time, a scaled count is a rough estimate.
const FEW: f64 = 10.0;

/// If the cores of one PMU counted a program for more than this percentage of the time, it ran only
/// on these cores.
const ALL: f64 = 99.5;

/// Facts in a recording that help to explain the counts of a PMU.
pub struct Beside<'d> {
    dump: &'d Dump,
    /// For each run and core PMU: how long the events had a counter, in percent of the time, for
    /// the event with the highest percentage.
    cores: BTreeMap<(usize, &'d str), f64>,
    /// Line of the first software event of each run, and whether any such event was counted.
    software: BTreeMap<usize, (usize, bool)>,
}

impl<'d> Beside<'d> {
    pub fn new(dump: &'d Dump) -> Self {
        let mut cores: BTreeMap<_, f64> = BTreeMap::new();
        let is_counted =
            |count: &&Count| count.row.count.whole().is_some() && is_name_of_core(&count.pmu);
        for count in dump.counts.iter().filter(is_counted) {
            let longest = cores.entry((count.row.run, count.pmu.as_str())).or_default();
            *longest = longest.max(count.row.running_percent);
        }
        let mut software = BTreeMap::new();
        for count in &dump.software {
            let (_, is_counted) = software.entry(count.row.run).or_insert((count.row.line, false));
            *is_counted |= count.row.count != recording::Count::NotCounted;
        }
        Self { dump, cores, software }
    }

    /// The core PMU, other than the named one, whose events had a counter for the longest time.
    fn other_core(&self, name: &str, run: usize) -> Option<(&'d str, f64)> {
        let others = self.cores.range((run, "")..(run + 1, ""));
        let others = others.filter(|((_, other), _)| *other != name && is_name_of_core(name));
        others.map(|((_, other), part)| (*other, *part)).max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Reports events without a count, and events counted for a part of the time. All counts belong to one PMU.
pub fn diagnose(name: &str, counts: &[&Count], beside: &Beside, report: &mut Report) {
    let mut runs: BTreeMap<usize, Vec<&Count>> = BTreeMap::new();
    for count in counts {
        runs.entry(count.row.run).or_default().push(count);
    }
    for (run, counts) in runs {
        let never = never(&counts, recording::Count::NotSupported);
        if !never.is_empty() {
            let names = names(&never);
            report.remark(format!(
                "{name}: perf prints <not supported> for {names}. {WHY_NOT_SUPPORTED}"
            ));
        }
        not_counted(name, run, &counts, beside, report);
        part_of_the_time(name, &counts, beside.other_core(name, run), report);
    }
}

fn by_event<'c>(counts: &[&'c Count]) -> BTreeMap<&'c str, Vec<&'c Count>> {
    let mut events: BTreeMap<&str, Vec<&Count>> = BTreeMap::new();
    for count in counts {
        events.entry(&count.event).or_default().push(count);
    }
    events
}

/// Finds the events that have this value in all of their rows, and returns the first row of each.
fn never<'c>(counts: &[&'c Count], value: recording::Count) -> Vec<&'c Count> {
    let is_so = |all: &Vec<&Count>| all.iter().all(|count| count.row.count == value);
    let events = by_event(counts).into_values().filter(is_so).map(|all| all[0]);
    let mut events: Vec<_> = events.collect();
    events.sort_by_key(|count| count.row.line);
    events
}

fn names(counts: &[&Count]) -> String {
    listed(&counts.iter().map(|count| count.event.as_str()).collect::<Vec<_>>(), 6)
}

fn not_counted(name: &str, run: usize, counts: &[&Count], beside: &Beside, report: &mut Report) {
    let Beside { dump, software, .. } = beside;
    let missing = never(counts, recording::Count::NotCounted);
    let Some(first) = missing.first() else { return };
    let names = names(&missing);
    let evidence =
        format!("{name}: perf prints <not counted> for {names} (from line {})", first.row.line);
    if let Some((line, false)) = software.get(&run) {
        let and = format!(
            "software events are not counted either (from line {line}), so no PMU is at fault"
        );
        report.push(reason(NOTHING_MEASURED, name), Decided, vec![evidence, and]);
        return;
    }
    if let Some(line) = dump.mixed_group {
        let and = format!("perf reports a group with events of several PMUs (line {line})");
        report.push(reason(MIXED_GROUP, name), Probable, vec![evidence, and]);
        return;
    }
    // Blame other cores only if this PMU counted no event at all, and `perf` did not count whole CPUs.
    let is_here = counts.iter().any(|count| count.row.count.whole().is_some())
        || dump.of_cpus.get(run) == Some(&true);
    let other = beside.other_core(name, run).filter(|_| !is_here);
    let is_elsewhere = other.is_some_and(|(_, percent)| percent >= ALL);
    // perf prints this note for any PMU, but the watchdog uses a cycle counter of cores.
    if let (Some(line), true) = (dump.watchdog, is_name_of_core(name) && !is_elsewhere) {
        let and = format!("perf suspects the NMI watchdog (line {line})");
        report.push(reason(COUNTER_HELD, name), Probable, vec![evidence, and]).or(if is_here {
            "a group with more events than the PMU has counters"
        } else {
            "the program never ran on a CPU of this PMU"
        });
        return;
    }
    if !is_name_of_core(name) || is_here {
        report.remark(format!("{evidence}. {WHY_NOT_COUNTED}"));
        return;
    }
    let never = format!("the program never ran on a CPU of {name}: 0.00 % of the time");
    let mut evidence = vec![evidence, never];
    let weight = if is_elsewhere { Decided } else { Probable };
    if let Some((other, percent)) = other {
        evidence.push(format!("the program ran on CPUs of {other}: {percent:.2} % of the time"));
        report.push(reason(RAN_ELSEWHERE, name), weight, evidence);
        return;
    }
    report
        .push(reason(RAN_ELSEWHERE, name), Possible, evidence)
        .or("a group with more events than counters, or a short measurement")
        .next(format!("count one event: perf stat -e {name}/cycles/"));
}

/// Reports events that shared a counter. `other` is the core PMU that counted in the same run.
fn part_of_the_time(
    name: &str,
    counts: &[&Count],
    other: Option<(&str, f64)>,
    report: &mut Report,
) {
    let counted = counts.iter().copied().filter(|count| count.row.count.whole().is_some());
    let counted: Vec<_> = counted.collect();
    let mean = |all: &[&Count]| {
        all.iter().map(|count| count.row.running_percent).sum::<f64>() / all.len().max(1) as f64
    };
    let events = by_event(&counted).into_values().map(|all| (all[0], mean(&all)));
    let (few, most): (Vec<_>, Vec<_>) = events.partition(|(_, percent)| *percent < FEW);
    let part: Vec<_> = most.iter().filter(|(_, percent)| *percent < 100.0).collect();
    let least = part.iter().map(|(_, percent)| *percent).fold(100.0, f64::min);
    let longest = part.iter().map(|(_, percent)| *percent).fold(0.0, f64::max);
    if !part.is_empty() {
        let to = if longest - least < 0.005 { String::new() } else { format!(" to {longest:.2}") };
        let names = names(&part.iter().map(|(count, _)| *count).collect::<Vec<_>>());
        let rest = other.filter(|(_, percent)| (longest + percent - 100.0).abs() < 1.0);
        let rest = rest.map_or(String::new(), |(other, _)| {
            format!("; for the rest, the program ran on CPUs of {other}")
        });
        report.remark(format!(
            "{name}: estimates, because they were counted for {least:.2}{to} % of the time: {names}{rest}"
        ));
    }
    if few.is_empty() {
        return;
    }
    let evidence = few.iter().take(4).map(|(count, percent)| {
        let event = &count.event;
        format!(
            "{name}/{event}/ was counted for {percent:.2} % of the time (line {})",
            count.row.line
        )
    });
    let mut evidence: Vec<_> = evidence.collect();
    // On a CPU of this PMU, at least one event would always have a counter.
    if let Some((other, percent)) = other.filter(|_| most.is_empty()) {
        evidence.push(format!("the program ran on CPUs of {other}: {percent:.2} % of the time"));
        report.push(reason(RAN_ELSEWHERE, name), Probable, evidence);
    } else {
        let ip = report.pmu.ip;
        let of = format!("{} has {}", ip.product, ip.counters.count);
        report.push(reason(SCALED, &of), Decided, evidence);
    }
}

const PERF: &str = "Linux tools/perf/util/stat-display.c";
const KERNEL: &str = "Linux kernel/events/core.c";

/// Name, source, cause and fix. In the fix, `{of}` stands for the PMU.
type Text = [&'static str; 4];

fn reason([name, source, cause, fix]: Text, of: &str) -> Reason {
    let (fix, origin) = (fix.replace("{of}", of), Confidence::C.source(source));
    Reason { name, cause, fix, fixable_by: FixableBy::Caller, origin }
}

const NOTHING_MEASURED: Text = [
    "NOTHING_MEASURED",
    KERNEL,
    "Nothing was measured, and no software event either: the events were never enabled, or the kernel took them from the \
     program.",
    "Measure a program that runs while perf counts. The kernel does not count a user's events on a program that is set-uid or that the user may not read. With -p, the process must run; with --delay, it must run longer than the delay.",
];

const RAN_ELSEWHERE: Text = [
    "RAN_ELSEWHERE",
    PERF,
    "The program ran on other CPUs. Each kind of core has a separate PMU, which counts only on its CPUs.",
    "Pin the program: perf stat -e {of}/cycles/ taskset -c $(cat /sys/bus/event_source/devices/{of}/cpus) \
     PROGRAM; or count on the PMU of the CPUs on which it runs.",
];

const COUNTER_HELD: Text = [
    "COUNTER_HELD",
    PERF,
    "The NMI watchdog of the kernel uses a counter, so a group that needs all counters is never counted.",
    "Stop it while you count: echo 0 > /proc/sys/kernel/nmi_watchdog. Or count fewer events at once.",
];

const MIXED_GROUP: Text = [
    "MIXED_GROUP",
    PERF,
    "Events of one group must belong to one PMU, because they are counted at the same time.",
    "Make one group for the events of each PMU.",
];

const SCALED: Text = [
    "SCALED",
    PERF,
    "These events had a counter for a few percent of the time, because other events used it. perf \
     scaled the counts to the whole time, so they are rough estimates.",
    "Count fewer events at once: a {of} event counters. Other programs may use some counters.",
];
