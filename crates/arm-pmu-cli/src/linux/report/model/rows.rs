//! Counters from the rows of a recording, and their sums over clusters of cores.

use std::collections::{HashMap, HashSet};

use arm_pmu_lookup::kernel::{self, KernelPmu};
use arm_pmu_lookup::perf_name::{PerfName, What, limits};
use arm_pmu_tables::Pmu;

use super::names::known;
use super::parts::{Counter, Value, counter_of, device, sum};
use super::report::{Given, Report};
use crate::base::perf_stat::recording::{Count, Recording, Row};

impl Report {
    pub(super) fn counters(
        &mut self,
        recording: &Recording,
        pmu: Option<Pmu>,
        given: &Given,
        starts: &[u64],
    ) {
        // Two counters can have the same name; their order in each interval distinguishes them.
        let pmcg = self.pmu_of_pmcgs(recording, pmu, given);
        let mut in_interval: HashMap<_, usize> = HashMap::new();
        let mut of_name: HashMap<_, Vec<usize>> = HashMap::new();
        let mut names: HashMap<&str, Option<PerfName>> = HashMap::new();
        let mut rows: Vec<Vec<&Row>> = Vec::new();
        let is_elsewhere = |row: &&Row| row.cores == Some(0) && row.count == Count::NotCounted;
        for row in recording.rows.iter().filter(|row| !is_elsewhere(row)) {
            let name = (row.run, row.event.as_str(), row.scope.as_deref());
            let before = in_interval.entry((row.nanoseconds, row.is_summary, name)).or_default();
            let same = of_name.entry(name).or_default();
            if *before == same.len() {
                same.push(self.counters.len());
                let look_up = || {
                    let is_pmcg = device(&row.event).is_some_and(kernel::is_name_of_pmcg);
                    known(&row.event, if is_pmcg { pmcg } else { pmu }, given)
                };
                let known = names.entry(&row.event).or_insert_with(look_up).clone();
                self.counters.push(counter_of(row, known));
                rows.push(Vec::new());
            }
            rows[same[*before]].push(row);
            *before += 1;
        }
        for (nth, rows) in rows.iter().enumerate() {
            self.fill(nth, rows, recording, starts);
        }
        let shared = |counter: &&Counter| {
            counter.known.is_none() && device(&counter.perf).is_some_and(kernel::is_shared_name)
        };
        if let Some(name) = self.counters.iter().find(shared).and_then(|one| device(&one.perf)) {
            let known = KernelPmu::all().filter(|one| kernel::can_have_name(one.pmu, name));
            let example = known.min_by_key(|one| one.name);
            let example = example.map_or(String::new(), |of| format!(", as in --ip {}", of.pmu));
            self.notes.push(format!(
                "PMUs of several products have the name {name}: say which product with --ip{example}."
            ));
        }
        // `perf` names the core that reads the PMU of an interconnect; the count is not limited to this core.
        let mut same: HashMap<_, usize> = HashMap::new();
        for (counter, rows) in self.counters.iter().zip(&rows) {
            *same.entry((rows[0].run, counter.perf.clone())).or_default() += 1;
        }
        for (counter, rows) in self.counters.iter_mut().zip(&rows) {
            let run = rows[0].run;
            if counter.is_of_interconnect() && same[&(run, counter.perf.clone())] == 1 {
                counter.scope = None;
            }
            // A ratio of counts with different filters is meaningless, so filters are a part of the scope.
            let limits = counter.known.iter().flat_map(|_| limits(&counter.perf)).collect();
            counter.scope = scope(recording, run, counter.scope.take(), limits);
        }
    }

    /// Assigns the rows of a counter to its intervals, and computes the sum.
    fn fill(&mut self, counter: usize, rows: &[&Row], recording: &Recording, starts: &[u64]) {
        let mut values = vec![None; self.times.len()];
        let mut whole = None;
        for row in rows {
            match time_of(row, starts).and_then(|end| self.times.binary_search(&end).ok()) {
                Some(interval) => values[interval] = Some(Value::of(row)),
                None => whole = Some(*row),
            }
        }
        let run = rows.first().map_or(0, |row| row.run);
        let first = |run: usize| match starts.get(run) {
            Some(0) if run == 0 => 0,
            Some(start) => self.times.partition_point(|time| time <= start),
            None => self.times.len(),
        };
        let of_run = first(run)..first(run + 1);
        let seconds: Vec<f64> = of_run.clone().map(|interval| self.seconds_of(interval)).collect();
        let elapsed = recording.runs.get(run).and_then(|run| run.elapsed_nanoseconds);
        let counter = &mut self.counters[counter];
        counter.intervals = values;
        counter.of_run = of_run.clone();
        match whole {
            Some(row) => {
                counter.total = Value::of(row);
                if self.times.is_empty() && rows.len() > 1 {
                    let values: Vec<_> = rows.iter().map(|row| Some(Value::of(row))).collect();
                    counter.total = sum(&values, &vec![1.0; values.len()]);
                }
                let share = row.running_percent / 100.0;
                // For an event of cores, perf adds the times of all cores or threads. perf prints the number of cores
                // or threads only in rows with a scope.
                let is_one_clock = counter.scope.is_some() || counter.is_of_interconnect();
                counter.seconds = if !seconds.is_empty() {
                    seconds.iter().sum()
                } else if let Some(elapsed) = elapsed {
                    elapsed as f64 / 1e9
                } else if share > 0.0 && is_one_clock {
                    let clocks = f64::from(row.cores.unwrap_or(1).max(1));
                    row.running_nanoseconds as f64 / 1e9 / share / clocks
                } else {
                    0.0
                };
            }
            None => {
                let values = &counter.intervals[of_run];
                counter.total = sum(values, &seconds);
                let has_number =
                    |value: &Option<Value>| value.is_some_and(|of| of.number().is_some());
                let counted = values.iter().zip(&seconds).filter(|(value, _)| has_number(value));
                counter.seconds = counted.map(|(_, seconds)| seconds).sum();
            }
        }
    }

    /// Adds the platform's notes on the sources of events.
    pub(super) fn ports(&mut self, given: &Given) {
        for counter in &self.counters {
            let Some(PerfName { what: What::Event(selection), .. }) = &counter.known else {
                continue;
            };
            let (Some(known), Some(source)) = (&counter.known, selection.source) else { continue };
            let Some(interface) = given.interface(known, source.name) else { continue };
            let bytes = interface.beat_bytes.map_or(String::new(), |bytes| {
                format!(", {} bytes a beat [{}]", bytes.value, bytes.origin.confidence)
            });
            let grade = interface.origin.confidence;
            let note = format!(
                "{} is {}: {} [{grade}]{bytes}.",
                source.name, interface.name, interface.title
            );
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

/// Text that distinguishes rows of an event: the run if there are several, the CPU, modes and streams.
pub(super) fn scope(
    recording: &Recording,
    run: usize,
    cpu: Option<String>,
    limits: Vec<String>,
) -> Option<String> {
    let run = (recording.runs.len() > 1).then(|| format!("run {}", run + 1));
    let parts: Vec<String> = [run, cpu].into_iter().flatten().chain(limits).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Start times of consecutive runs; all are 0 without intervals.
pub(super) fn starts(recording: &Recording) -> Vec<u64> {
    let mut ends = vec![0; recording.runs.len().max(1)];
    for row in &recording.rows {
        ends[row.run] = row.nanoseconds.unwrap_or_default().max(ends[row.run]);
    }
    let mut next = 0_u64;
    let mut starts = Vec::new();
    for end in ends {
        starts.push(next);
        next = next.saturating_add(end);
    }
    starts
}

/// End of the interval of a row.
pub(super) fn time_of(row: &Row, starts: &[u64]) -> Option<u64> {
    row.nanoseconds.map(|time| time.saturating_add(starts[row.run]))
}

/// Name of the scope for a sum over all clusters of cores.
const SUM: &str = "sum";

impl Report {
    /// Appends a sum for each event that the PMUs of several core clusters counted (big.LITTLE).
    pub(super) fn sums_of_clusters(&mut self) {
        let is_of_core = |known: &PerfName| known.pmu.is_processor();
        let has_meaning = |known: &PerfName| !matches!(known.what, What::Other(_));
        let key = |counter: &Counter| (counter.name(), counter.scope.clone(), counter.unit.clone());
        let mut sums = Vec::new();
        for (known, place) in self.groups(|counter| (key(counter), counter.of_run.clone())) {
            let counters: Vec<_> = place.iter().map(|nth| &self.counters[*nth]).collect();
            let pmus: HashSet<_> = counters.iter().map(|counter| counter.pmu()).collect();
            let all_cores = counters.iter().all(|one| one.known.as_ref().is_some_and(is_of_core));
            let counted = counters.iter().filter(|one| one.total.number().is_some()).count();
            if !all_cores || counted < 2 || !has_meaning(known) || pmus.len() < counters.len() {
                continue;
            }
            let equal = vec![1.0; counters.len()];
            let total: Vec<_> = counters.iter().map(|counter| Some(counter.total)).collect();
            let at = |nth: usize| -> Option<Value> {
                let values: Vec<_> =
                    counters.iter().map(|counter| counter.intervals[nth]).collect();
                values.iter().any(Option::is_some).then(|| sum(&values, &equal))
            };
            let first = counters[0];
            let limits = first.scope.iter().map(String::as_str);
            let scope = std::iter::once(SUM).chain(limits).collect::<Vec<_>>().join(" ");
            sums.push(Counter {
                perf: first.name(),
                known: None,
                scope: Some(scope),
                total: sum(&total, &equal),
                intervals: (0..first.intervals.len()).map(at).collect(),
                ..first.clone()
            });
        }
        self.counters.extend(sums);
    }
}
