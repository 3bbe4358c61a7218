//! Evaluates a recording: events with names of the tables, sums, metrics and warnings.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range;
use std::rc::Rc;

use arm_pmu_lookup::kernel::{self, KernelPmu};
use arm_pmu_lookup::perf::{TOPDOWN, level_1, topics};
use arm_pmu_lookup::perf_name::{PerfName, What, limits};
use arm_pmu_tables::platform::{Instance, Interface};
use arm_pmu_tables::{Expression, Input, Measure, MetricOf, Platform, Pmu};

use crate::base::number;
use crate::base::perf_stat::plain;
use crate::base::perf_stat::recording::{Count, Number, Recording, Row, Unread, WHY_NOT_SUPPORTED};

/// Scope of a sum over all clusters of cores.
const SUM: &str = "sum";

/// Maximum number of runs, and of unreadable lines, with a note each.
const LISTED: usize = 8;

/// Options that add facts to a recording.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// PMU for event names without a PMU.
    pub pmu: Option<Pmu>,
    /// Board of the recording.
    pub platform: Option<&'static Platform>,
    /// Values of metric arguments such as `beat_bytes`.
    pub arguments: Vec<(String, f64)>,
    /// Arguments with a known value on this machine, such as the slots of a cycle: PMU, argument and value.
    pub of_machine: Vec<(String, &'static str, f64)>,
    /// Command line of the counted program, quoted for a shell.
    pub program: Option<String>,
    /// Start of the first interval, in nanoseconds.
    pub begin: u64,
    /// Cache of parsed event names: a look-up searches the names of all events of a PMU.
    pub read_before: Rc<[(String, PerfName)]>,
}

impl Given {
    /// Parses an event name that begins with a PMU of the tables.
    fn read(&self, name: &str) -> Option<PerfName> {
        let before = self.read_before.iter().find(|(known, _)| known == name);
        before.map(|(_, known)| known.clone()).or_else(|| PerfName::read(name))
    }

    /// The platform's PMU with the kernel name in an event such as `smmuv3_pmcg_16082/transaction/`.
    fn pmu_of(&self, event: &str) -> Option<Pmu> {
        let (device, _) = event.split_once('/')?;
        let is = |one: &&Instance| one.linux.is_some_and(|linux| linux.value == device);
        self.platform?.instances.iter().find(is)?.pmu()
    }

    /// The only instance on the platform that can have counted this event.
    fn instance(&self, of: &PerfName) -> Option<&'static Instance> {
        let device = of.device();
        let is = |one: &&Instance| {
            let linux = one.linux.map(|linux| linux.value);
            one.ip.value == of.pmu.ip.name && (device.is_none() || device == linux)
        };
        let mut all = self.platform?.instances.iter().filter(is);
        let (first, second) = (all.next(), all.next());
        first.filter(|_| second.is_none())
    }

    /// Interface of a source, if it is the same on all silicon.
    fn interface(&self, of: &PerfName, source: &str) -> Option<&'static Interface> {
        let mut all = self.instance(of)?.interfaces.iter().filter(|one| one.source == source);
        let (first, second) = (all.next(), all.next());
        first.filter(|_| second.is_none())
    }
}

/// An evaluated recording.
#[derive(Clone, Debug)]
pub struct Report {
    /// End of each interval, in nanoseconds; empty without `-I`.
    pub times: Vec<u64>,
    /// Start of the first interval.
    begin: u64,
    /// Counters in the order of the recording.
    pub counters: Vec<Counter>,
    /// Metrics computed from the counters, or taken from `perf`.
    pub metrics: Vec<Metric>,
    /// Level 1 of top-down for each core, or the stalled shares of cycles if the core has no slot events.
    pub shares: Vec<Shares>,
    /// Arguments of these metrics, with or without a value: `beat_bytes`.
    pub arguments: Vec<&'static str>,
    /// Warnings.
    pub notes: Vec<String>,
    /// PMUs whose top-down events do not count on this machine.
    uncounted: Vec<String>,
}

/// Level 1 of top-down for a core. The largest share selects the next measurement.
#[derive(Clone, Debug)]
pub struct Shares {
    /// Name of the PMU, followed by the core if `perf` counted cores separately.
    pub pmu: String,
    /// Whether the rows are shares of slots, whose sum is 1; otherwise the rows are stalled shares of cycles.
    pub of_slots: bool,
    /// Name and value of each share, as a fraction of 1.
    pub rows: Vec<(&'static str, f64)>,
    pub is_estimate: bool,
    /// Command that measures the causes of the largest share.
    pub next: Option<String>,
}

impl Shares {
    /// Returns the name of the largest share.
    pub fn largest(&self) -> &'static str {
        largest(&self.rows).map_or("", |(name, _)| name)
    }

    pub fn sum(&self) -> f64 {
        self.rows.iter().map(|(_, share)| share).sum()
    }
}

/// Returns the row with the largest share.
fn largest<T>(rows: &[(T, f64)]) -> Option<&(T, f64)> {
    rows.iter().max_by(|one, other| one.1.total_cmp(&other.1))
}

/// An event with its counts over time.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Name in the recording.
    pub perf: String,
    /// Event in the tables, if known.
    pub known: Option<PerfName>,
    /// Core, if `perf` counted cores separately.
    pub scope: Option<String>,
    /// The unit of one count, if known.
    pub unit: String,
    /// Sum of all intervals, or the only value.
    pub total: Value,
    /// Seconds of the intervals with counts, or of the run; 0 if unknown.
    pub seconds: f64,
    /// Value of each interval; `None` if the recording has no row for it.
    pub intervals: Vec<Option<Value>>,
    /// Intervals of the counter's run.
    of_run: Range<usize>,
}

/// A count with its accuracy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The count.
    pub count: Count,
    /// Percentage of the time that the event was on a counter.
    pub running_percent: f64,
    /// Whether the count is a lower bound, because intervals are missing.
    pub is_lower_bound: bool,
    /// Standard deviation of the mean of several runs, in percent.
    pub variance_percent: Option<f64>,
}

impl Value {
    fn of(row: &Row) -> Self {
        let Row { count, running_percent, variance_percent, .. } = *row;
        Self { count, running_percent, is_lower_bound: false, variance_percent }
    }

    /// The number; `None` without a count.
    pub fn number(&self) -> Option<Number> {
        match self.count {
            Count::Number(number) => Some(number),
            Count::NotCounted | Count::NotSupported => None,
        }
    }

    /// Whether `perf` scaled the count, because the event was on a counter for only a part of the time.
    pub fn is_estimate(&self) -> bool {
        self.number().is_some() && self.running_percent < 100.0
    }

    /// A count with its mark: `~` for an estimate, `>=` for a lower bound.
    pub fn text(&self) -> String {
        match self.count {
            Count::NotCounted => "not counted".to_owned(),
            Count::NotSupported => "not supported".to_owned(),
            Count::Number(count) if self.is_lower_bound => format!(">={}", number::number(count)),
            Count::Number(count) if self.is_estimate() => format!("~{}", number::number(count)),
            Count::Number(count) => number::number(count),
        }
    }

    fn is_zero(&self) -> bool {
        self.number().is_some_and(|number| number.as_f64() == 0.0)
    }
}

impl Counter {
    /// Name such as `S3:READ_REQUEST_ANY`, or the name in the recording.
    pub fn name(&self) -> String {
        self.known.as_ref().map_or_else(|| self.perf.clone(), |known| known.what.to_string())
    }

    /// Whether the count is one of several for different streams.
    fn is_of_stream(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.stream().is_some())
    }

    /// Kernel name of the PMU in the event name; empty without one.
    fn device(&self) -> &str {
        device(&self.perf).unwrap_or_default()
    }

    /// PMU with its label: `mmu600:tbu smmuv3_pmcg_5f320`; empty if unknown.
    pub fn pmu(&self) -> String {
        let Some(known) = &self.known else { return String::new() };
        let label = known.label.as_ref().map(|label| format!(" {label}")).unwrap_or_default();
        format!("{}{label}", known.pmu_name())
    }

    /// Name with the PMU and, if there is one, the core: `cci400:r1 S3:READ_REQUEST_ANY`.
    pub fn full_name(&self) -> String {
        let scope = self.scope.as_deref().unwrap_or_default();
        let parts = [self.pmu(), self.name(), scope.to_owned()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Counts per second in an interval.
    pub fn rate(&self, report: &Report, interval: usize) -> Option<f64> {
        let number = self.intervals.get(interval)?.as_ref()?.number()?;
        let seconds = report.seconds_of(interval);
        if seconds > 0.0 { Some(number.as_f64() / seconds) } else { None }
    }

    /// Counts per second over the whole time.
    pub fn mean_rate(&self) -> Option<f64> {
        let number = self.total.number()?;
        if self.seconds > 0.0 { Some(number.as_f64() / self.seconds) } else { None }
    }

    /// Whether some intervals are missing in the sum.
    fn lacks_intervals(&self) -> bool {
        let own = &self.intervals[self.of_run.clone()];
        let mut numbers = own.iter().map(|value| value.and_then(|value| value.number()));
        self.total.number().is_some() && numbers.any(|number| number.is_none())
    }

    /// Whether the PMU counts for the whole system.
    pub fn is_of_interconnect(&self) -> bool {
        self.known.as_ref().is_some_and(|known| {
            known.pmu.ip.main_id.is_none()
                && known.pmu.ip.units.iter().all(|unit| unit.main_id.is_none())
        })
    }
}

/// A metric computed from counts.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Name such as `SNOOP_HIT_RATE:S3`, or a name of `perf`.
    pub name: String,
    /// PMU of the metric's events.
    pub pmu: String,
    /// Core, if `perf` counted cores separately.
    pub scope: Option<String>,
    /// The metric in our tables; none for a metric of `perf`.
    pub of: Option<&'static arm_pmu_tables::Metric>,
    /// Unit; `None` for a metric of `perf`.
    pub measure: Option<Measure>,
    /// Formula, or the event on whose line `perf` prints the metric.
    pub formula: String,
    /// Restriction on the meaning of the metric.
    pub caveat: Option<&'static str>,
    /// Value over the whole time; `None` on division by zero.
    pub total: Option<f64>,
    /// Bytes per second.
    pub per_second: Option<f64>,
    /// Whether one of the counts is an estimate.
    pub is_estimate: bool,
    /// Value in each interval.
    pub intervals: Vec<Option<f64>>,
}

impl Metric {
    /// Formats a value with its unit.
    pub fn figure(&self, value: Option<f64>) -> String {
        let Some(value) = value else { return "-".to_owned() };
        let mark = if self.is_estimate { "~" } else { "" };
        format!("{mark}{}", number::measured(self.measure, value))
    }
}

impl Report {
    /// Length of an interval in seconds.
    pub fn seconds_of(&self, interval: usize) -> f64 {
        let end = self.times.get(interval).copied().unwrap_or_default();
        let start = interval
            .checked_sub(1)
            .and_then(|before| self.times.get(before))
            .copied()
            .unwrap_or(self.begin);
        end.saturating_sub(start) as f64 / 1e9
    }

    /// Evaluates a recording.
    pub fn new(recording: &Recording, given: &Given) -> Self {
        let starts = starts(recording);
        let mut times: Vec<u64> =
            recording.rows.iter().filter_map(|row| time_of(row, &starts)).collect();
        times.sort_unstable();
        times.dedup();
        let names: HashSet<_> = recording.rows.iter().map(|row| (&row.event, &row.scope)).collect();
        let cells = times.len().saturating_mul(names.len());
        let is_sparse = cells > 1_000_000 && cells / 16 > recording.rows.len();
        if is_sparse {
            times.clear();
        }
        let mut report = Self {
            times,
            begin: given.begin,
            counters: Vec::new(),
            metrics: Vec::new(),
            shares: Vec::new(),
            arguments: Vec::new(),
            notes: Vec::new(),
            uncounted: Vec::new(),
        };
        report.lines(recording);
        if is_sparse {
            report.notes.push("Few events are in each interval: sums alone are shown.".to_owned());
        }
        report.runs(recording, &starts);
        let pmu = report.pmu_of_bare_names(recording, given);
        report.counters(recording, pmu, given, &starts);
        report.ports(given);
        report.metrics(given);
        report.metrics_of_perf(recording);
        report.doubts();
        report.sums_of_clusters();
        report
    }

    fn lines(&mut self, recording: &Recording) {
        if let Some(line) = recording.cut_off {
            self.notes.push(format!("The file is cut off in line {line}; that line is left out."));
        }
        let other = &recording.other_lines;
        let more = if other.len() > 1 {
            format!(", and {} more lines", other.len() - 1)
        } else {
            String::new()
        };
        if let Some((line, text)) = other.first() {
            self.notes.push(format!("Line {line} is no row of perf stat{more}: {text}"));
        }
        for Unread { line, text, why } in recording.unread.iter().take(LISTED) {
            self.notes
                .push(format!("Line {line} cannot be read, and is left out: {text} ({why})."));
        }
        if let Some(more) = recording.unread.len().checked_sub(LISTED).filter(|more| *more > 0) {
            self.notes.push(format!("{more} more lines are left out that cannot be read."));
        }
    }

    /// Adds notes about several runs in one recording, and about means of runs.
    fn runs(&mut self, recording: &Recording, starts: &[u64]) {
        let runs = &recording.runs;
        for (nth, run) in runs.iter().enumerate().take(LISTED) {
            let mut about = Vec::new();
            if runs.len() > 1 {
                about.push(format!("Run {} is on line {}", nth + 1, run.line));
                about.extend((!run.title.is_empty()).then(|| run.title.clone()));
                let seconds = run.elapsed_nanoseconds.map(|time| time as f64 / 1e9);
                about.extend(seconds.map(|seconds| format!("{} s", number::decimal(seconds))));
                let start = starts[nth] as f64 / 1e9;
                about.extend((start > 0.0).then(|| format!("its intervals begin at {start:.3} s")));
            }
            let means = run.repeats.map(|repeats| format!("counts are means of {repeats} runs"));
            about.extend(means);
            let about = about.join(", ");
            if let Some(first) = about.get(..1) {
                self.notes.push(format!("{}{}.", first.to_uppercase(), &about[1..]));
            }
        }
    }

    /// PMU of names without a PMU: the one of `--ip`, or the only one that has all names.
    fn pmu_of_bare_names(&mut self, recording: &Recording, given: &Given) -> Option<Pmu> {
        if given.pmu.is_some() {
            return given.pmu;
        }
        let ours = |name: &str| {
            let letters = name.bytes().any(|byte| byte.is_ascii_uppercase());
            letters && !name.contains('/') && given.read(name).is_none()
        };
        let mut known = HashSet::new();
        let names = recording.rows.iter().map(|row| row.event.as_str());
        let bare: Vec<&str> = names.filter(|name| known.insert(*name) && ours(name)).collect();
        let has_all = |pmu: &Pmu| bare.iter().all(|name| PerfName::read_bare(name, *pmu).is_some());
        let all: Vec<Pmu> =
            if bare.is_empty() { Vec::new() } else { Pmu::all().filter(has_all).collect() };
        match all[..] {
            [] => None,
            [only] => {
                self.notes.push(format!(
                    "{} is taken for an event of {only}, the only PMU that has it.",
                    bare[0]
                ));
                Some(only)
            }
            [..] => {
                let names: Vec<_> = all.iter().map(Pmu::to_string).collect();
                self.notes.push(format!(
                    "{} can be an event of {}: say which with --ip, as in --ip {}.",
                    bare[0],
                    names.join(", "),
                    names[0]
                ));
                None
            }
        }
    }

    /// PMU of PMCG names without a unit: the one of `--ip`, if there is only one such PMCG. Several PMCGs are usually
    /// one TCU and its TBUs.
    fn pmu_of_pmcgs(
        &mut self,
        recording: &Recording,
        pmu: Option<Pmu>,
        given: &Given,
    ) -> Option<Pmu> {
        let pmu = pmu.filter(|pmu| kernel::is_pmcg(*pmu))?;
        let Some(unit) = pmu.unit else { return Some(pmu) };
        let is_open = |name: &&str| kernel::is_name_of_pmcg(name);
        let names = recording.rows.iter().map(|row| row.event.as_str());
        let names = names.filter(|name| given.pmu_of(name).is_none());
        let devices: BTreeSet<&str> = names.clone().filter_map(device).filter(is_open).collect();
        let first = devices.first()?;
        if devices.len() == 1 {
            self.notes.push(format!(
                "{first} is taken for {pmu}, as --ip says: its name does not tell the unit."
            ));
            return Some(pmu);
        }
        let some: Vec<&str> = devices.iter().take(LISTED).copied().collect();
        let mut note = format!(
            "--ip {pmu} names one unit, and there are {} PMCGs, {}: their names do not tell which is a {}.",
            devices.len(),
            some.join(", "),
            unit.title
        );
        let whole = Pmu { unit: None, ..pmu };
        let numbers: BTreeSet<u32> = names
            .filter_map(|name| match PerfName::read_kernel(name, Some(whole))?.what {
                What::Other(id) => Some(id),
                _ => None,
            })
            .collect();
        for id in numbers.into_iter().take(LISTED) {
            let units = pmu.ip.units.iter().map(|unit| Pmu { unit: Some(unit), ..pmu });
            let meanings = units.filter_map(|pmu| {
                let of = pmu.selections().find(|selection| selection.id() == id)?;
                Some(format!("{} of {pmu}", of.of.event.name))
            });
            let meanings: Vec<String> = meanings.collect();
            if !meanings.is_empty() {
                note += &format!(" {id:#04x} is {}.", meanings.join(", or "));
            }
        }
        self.notes
            .push(format!("{note} Name the board with --platform, or report one PMCG alone."));
        Some(whole)
    }

    fn counters(&mut self, recording: &Recording, pmu: Option<Pmu>, given: &Given, starts: &[u64]) {
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
                let known = names
                    .entry(&row.event)
                    .or_insert_with(|| {
                        let is_pmcg = device(&row.event).is_some_and(kernel::is_name_of_pmcg);
                        known(&row.event, if is_pmcg { pmcg } else { pmu }, given)
                    })
                    .clone();
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
            let example = known
                .min_by_key(|one| one.name)
                .map_or(String::new(), |one| format!(", as in --ip {}", one.pmu));
            self.notes.push(format!(
                "{name} is the name of PMUs of several products: say which with --ip{example}."
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
                // or threads only with a scope.
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
                let counted = values
                    .iter()
                    .zip(&seconds)
                    .filter(|(value, _)| value.is_some_and(|value| value.number().is_some()));
                counter.seconds = counted.map(|(_, seconds)| seconds).sum();
            }
        }
    }

    /// Adds the platform's notes on the sources of events.
    fn ports(&mut self, given: &Given) {
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

    /// Groups the known counters by key. Returns the first counter and the indices of all counters of each group.
    fn groups<K: Eq + Hash>(&self, key: impl Fn(&Counter) -> K) -> Vec<(&PerfName, Vec<usize>)> {
        let mut groups: Vec<(&PerfName, Vec<usize>)> = Vec::new();
        let mut places: HashMap<K, usize> = HashMap::new();
        for (nth, counter) in self.counters.iter().enumerate() {
            let Some(known) = &counter.known else { continue };
            let place = *places.entry(key(counter)).or_insert(groups.len());
            if place == groups.len() {
                groups.push((known, Vec::new()));
            }
            groups[place].1.push(nth);
        }
        groups
    }

    /// Adds the sum of each event that the PMUs of several cores counted (big.LITTLE).
    fn sums_of_clusters(&mut self) {
        let is_of_core = |known: &PerfName| kernel::is_processor(known.pmu);
        let has_meaning = |known: &PerfName| !matches!(known.what, What::Other(_));
        let key = |counter: &Counter| (counter.name(), counter.scope.clone(), counter.unit.clone());
        let mut sums = Vec::new();
        for (known, place) in self.groups(|counter| (key(counter), counter.of_run.clone())) {
            let counters: Vec<_> = place.iter().map(|nth| &self.counters[*nth]).collect();
            let pmus: HashSet<_> = counters.iter().map(|counter| counter.pmu()).collect();
            let all_cores = counters.iter().all(|one| one.known.as_ref().is_some_and(is_of_core));
            let counted = counters.iter().filter(|one| one.total.number().is_some()).count();
            if !all_cores
                || counted < 2
                || !has_meaning(known)
                || pmus.len() < 2
                || pmus.len() < counters.len()
            {
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

    fn metrics(&mut self, given: &Given) {
        let groups = self.groups(|counter| (counter.pmu(), counter.scope.clone())).into_iter();
        let groups: Vec<_> = groups.map(|(known, place)| (known.pmu, place)).collect();
        for (pmu, place) in groups.into_iter().filter(|(pmu, _)| !pmu.is_ambiguous()) {
            let first = self.metrics.len();
            for of in pmu.metrics() {
                let none = of.group.sources.is_empty().then_some(None);
                for source in
                    none.into_iter().chain(of.group.sources.iter().map(|source| Some(source.id)))
                {
                    self.metric(of, source, &place, given);
                }
            }
            self.level_1(pmu, &place, first, given);
        }
    }

    /// Adds level 1 of top-down, if all its metrics were computed, beginning with metric `first`.
    fn level_1(&mut self, pmu: Pmu, place: &[usize], first: usize, given: &Given) {
        let all = level_1(pmu);
        let is_of = |metric: &Metric| all.iter().any(|of| of.metric.name == metric.name);
        let rows: Vec<_> = self.metrics[first..].iter_mut().filter(|one| is_of(one)).collect();
        if all.is_empty() || rows.len() < all.len() {
            return;
        }
        let is_input = |counter: &&Counter| match counter.known.as_ref().map(|known| known.what) {
            Some(What::Event(selection)) => {
                let input = Input::Event(selection.of.event.name);
                all.iter().any(|of| of.metric.inputs.contains(&input))
            }
            _ => false,
        };
        let counters = || place.iter().map(|nth| &self.counters[*nth]);
        let clock = counters().find(|counter| is_cycles(counter));
        let has_cycles = clock.is_some_and(|cycles| !cycles.total.is_zero());
        let pmu_name = rows[0].pmu.clone();
        if has_cycles && counters().filter(is_input).all(|counter| counter.total.is_zero()) {
            for metric in rows {
                (metric.total, metric.intervals) = (None, vec![None; self.times.len()]);
            }
            self.notes.push(format!(
                "There is no top-down of {pmu_name}: its events are 0 but cycles are not, so the machine does not count the \
                 events. QEMU does not count them, and a hypervisor can hide them; see `arm-pmu doctor --live`."
            ));
            self.uncounted.push(pmu_name);
            return;
        }
        let row = |metric: &&mut Metric| Some((metric.of?, metric.total?));
        let Some(values) = rows.iter().map(row).collect::<Option<Vec<_>>>() else { return };
        let scope = rows[0].scope.iter().map(|scope| format!(" {scope}"));
        let known = topics(pmu);
        let next =
            largest(&values).and_then(|(of, _)| of.next.iter().find(|next| known.contains(next)));
        let program = given.program.as_deref().unwrap_or("PROGRAM");
        self.shares.push(Shares {
            pmu: pmu_name + &scope.collect::<String>(),
            of_slots: values.iter().any(|(of, _)| of.topics.contains(&TOPDOWN)),
            rows: values.iter().map(|(of, value)| (of.name, *value)).collect(),
            is_estimate: rows.iter().any(|metric| metric.is_estimate),
            next: next.map(|topic| format!("arm-pmu stat -m {topic} -- {program}")),
        });
    }

    /// Adds a metric of one source, if the counters of a group include all its inputs.
    fn metric(&mut self, of: MetricOf, source: Option<u32>, place: &[usize], given: &Given) {
        let counter_of = |input: &Input| {
            let is = |counter: &&Counter| {
                let Some(known) = &counter.known else { return false };
                match (input, known.what) {
                    (Input::Cycles, what) => what.is_cycles(),
                    (Input::Event(name), What::Event(selection)) => {
                        let group = selection.of.group;
                        selection.of.event.name == *name
                            && group.name == of.group.name
                            && selection.source.map(|source| source.id) == source
                    }
                    _ => false,
                }
            };
            place.iter().map(|nth| &self.counters[*nth]).find(is)
        };
        let inputs: Option<Vec<&Counter>> = of.metric.inputs.iter().map(counter_of).collect();
        let Some(inputs) = inputs else { return };
        let of_source = |source: u32| of.group.sources.iter().find(|known| known.id == source);
        let name = match source.and_then(of_source) {
            Some(source) if of.group.sources.len() > 1 => {
                format!("{}:{}", of.metric.name, source.name)
            }
            _ => of.metric.name.to_owned(),
        };
        self.arguments.extend(of.metric.arguments.iter().map(|argument| argument.name));
        let of_board = |argument: &arm_pmu_tables::Argument| {
            let known = inputs.first()?.known.as_ref()?;
            let interface = given.interface(known, source.and_then(of_source)?.name)?;
            let bytes = interface.beat_bytes.filter(|_| argument.name == "beat_bytes")?;
            Some(f64::from(bytes.value))
        };
        let of_machine = |argument: &arm_pmu_tables::Argument| {
            let pmu = inputs.first()?.known.as_ref()?.pmu.to_string();
            let is = |(of, name, _): &&(String, &str, f64)| *of == pmu && *name == argument.name;
            given.of_machine.iter().find(is).map(|(_, _, value)| *value)
        };
        let argument = |argument: &'static arm_pmu_tables::Argument| {
            let is = |(name, _): &&(String, f64)| name == argument.name;
            let given = given.arguments.iter().find(is).map(|(_, value)| *value);
            given.or_else(|| of_board(argument)).or_else(|| of_machine(argument)).ok_or(argument)
        };
        let arguments =
            match of.metric.arguments.iter().map(argument).collect::<Result<Vec<f64>, _>>() {
                Ok(arguments) => arguments,
                Err(missing) => {
                    let hint = missing.doc.trim_end_matches('.');
                    let with = format!(" can be computed with --set {}=N. {hint}.", missing.name);
                    // Once for all metrics and clusters.
                    match self.notes.iter_mut().find(|note| note.ends_with(&with)) {
                        Some(note) if note.contains(&name) => {}
                        Some(note) => {
                            *note = format!("{}, {name}{with}", note.trim_end_matches(&with))
                        }
                        None => self.notes.push(name + &with),
                    }
                    return;
                }
            };
        let compute = |value: &dyn Fn(&Counter) -> Option<Value>| {
            let numbers = inputs.iter().map(|counter| Some(value(counter)?.number()?.as_f64()));
            let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
            evaluate(&of.metric.expression, &numbers, &arguments)
        };
        let total = compute(&|counter| Some(counter.total));
        let intervals = (0..self.times.len())
            .map(|interval| compute(&|counter| counter.intervals.get(interval).copied().flatten()))
            .collect();
        let seconds = inputs.iter().map(|counter| counter.seconds).fold(f64::INFINITY, f64::min);
        let has_rate = of.metric.measure == Measure::Bytes && seconds.is_finite() && seconds > 0.0;
        let doubtful =
            |counter: &&Counter| counter.total.is_estimate() || counter.total.is_lower_bound;
        let first = &self.counters[place[0]];
        let metric = Metric {
            name,
            scope: first.scope.clone(),
            pmu: first.pmu(),
            of: Some(of.metric),
            measure: Some(of.metric.measure),
            formula: of.metric.formula.to_owned(),
            caveat: of.metric.caveat,
            total,
            per_second: total.filter(|_| has_rate).map(|total| total / seconds),
            is_estimate: inputs.iter().any(doubtful),
            intervals,
        };
        if metric.measure == Some(Measure::Percent) && metric.total.is_some_and(|value| value > 1.0)
        {
            let name = &metric.name;
            self.notes.push(format!("{name} is above 100 %: its events were not counted at the same time, or see its caveat."));
        }
        self.metrics.push(metric);
    }

    /// Adds metrics computed by `perf`; `perf` prints 0 for a metric that it cannot compute.
    fn metrics_of_perf(&mut self, recording: &Recording) {
        for row in recording.rows.iter().filter(|row| row.nanoseconds.is_none()) {
            for (value, unit) in row.metrics.iter().filter(|(value, _)| *value != 0.0) {
                self.metrics.push(Metric {
                    name: unit.clone(),
                    pmu: String::new(),
                    scope: scope(recording, row.run, row.scope.clone(), Vec::new()),
                    of: None,
                    measure: None,
                    formula: format!("by perf, at {}", row.event),
                    caveat: None,
                    total: Some(*value),
                    per_second: None,
                    is_estimate: row.running_percent < 100.0,
                    intervals: vec![None; self.times.len()],
                });
            }
        }
    }

    /// Adds notes about doubtful counts.
    fn doubts(&mut self) {
        let mut notes = Vec::new();
        let names = |is: &dyn Fn(&Counter) -> bool| {
            let mut known = HashSet::new();
            let names = self.counters.iter().filter(|counter| is(counter)).map(Counter::name);
            // The same event can be on several PMUs, or of several devices.
            let all: Vec<String> = names.filter(|name| known.insert(name.clone())).collect();
            let more =
                if all.len() > 4 { format!(" and {} more", all.len() - 4) } else { String::new() };
            let some = all.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ");
            (!all.is_empty()).then(|| some + &more)
        };
        let is_estimate = |counter: &Counter| counter.total.is_estimate();
        if let Some(names) = names(&is_estimate) {
            let (others, fewer) =
                match self.counters.iter().any(|one| is_estimate(one) && one.is_of_stream()) {
                    true => ("other events or devices", "fewer events, or one device,"),
                    false => ("other events", "fewer events"),
                };
            notes.push(format!(
                "~ is an estimate: {names} shared counters with {others}, and what was counted is scaled to the whole \
                 time. Count {fewer} at once for exact numbers."
            ));
        }
        if let Some(names) = names(&Counter::lacks_intervals) {
            notes.push(format!(
                "x is an interval without a count, so the sum of {names} is incomplete (>= is a lower bound). Use longer \
                 intervals, or fewer events."
            ));
        }
        let idle = self.idle_cores();
        let is_idle = |counter: &Counter| idle.contains(counter.device());
        for core in &idle {
            let is = |counter: &Counter| counter.device() == *core;
            let names = names(&is).unwrap_or_default();
            notes.push(format!(
                "{names}: <not counted>. The program never ran on a CPU of {core}. To count there, bind it to such a \
                 CPU with taskset."
            ));
        }
        let is_not_counted = |counter: &Counter| counter.total.count == Count::NotCounted;
        if let Some(names) = names(&|counter| is_not_counted(counter) && !is_idle(counter)) {
            notes.push(format!("{names}: <not counted>. {}", self.why_not_counted()));
        }
        if let Some(names) = names(&|counter| counter.total.count == Count::NotSupported) {
            notes.push(format!("{names}: <not supported>. {WHY_NOT_SUPPORTED}"));
        }
        if let Some(names) =
            names(&|counter| counter.total.number().is_some_and(Number::may_be_rounded))
        {
            notes.push(format!(
                "{names} is above 2^53: perf prints counts from floating point, and has rounded it."
            ));
        }
        notes.extend(self.zeros());
        let preset = |counter: &Counter| {
            let preset = [0x7FFF_FFFF, 0x8000_0000].map(|value| Some(Number::Integer(value)));
            preset.contains(&counter.total.number())
        };
        if let Some(names) = names(&preset) {
            notes.push(format!(
                "{names} is what the kernel's driver writes before it starts: the counter cannot be read, or has not \
                 moved."
            ));
        }
        if let Some(last) = self.times.len().checked_sub(1) {
            let lack = self
                .counters
                .iter()
                .filter(|counter| {
                    counter.of_run.contains(&last) && counter.intervals[last].is_none()
                })
                .count();
            if lack > 0 {
                notes.push(format!(
                    "The last interval lacks {lack} of {} events: the recording ends in it.",
                    self.counters.len()
                ));
            }
        }
        self.notes.extend(notes);
    }

    /// Core PMUs without a count, if other core PMUs have counts.
    fn idle_cores(&self) -> BTreeSet<&str> {
        let mut cores: BTreeMap<&str, bool> = BTreeMap::new();
        for counter in &self.counters {
            if kernel::is_name_of_core(counter.device()) {
                let has_counted =
                    counter.total.running_percent > 0.0 || counter.total.count != Count::NotCounted;
                *cores.entry(counter.device()).or_default() |= has_counted;
            }
        }
        let is_idle = |(core, has_counted): (_, bool)| (!has_counted).then_some(core);
        let all = cores.len();
        let idle: BTreeSet<&str> = cores.into_iter().filter_map(is_idle).collect();
        if idle.len() < all { idle } else { BTreeSet::new() }
    }

    fn why_not_counted(&self) -> String {
        let is_software = |counter: &Counter| {
            counter.total.count == Count::NotCounted && plain::is_software(&counter.perf)
        };
        if self.counters.iter().any(is_software) {
            return "The kernel's own events were not counted either, so no PMU is at fault: the events were never \
                    enabled, because the program did not run or perf ended too early."
                .to_owned();
        }
        for (known, place) in self.groups(Counter::pmu) {
            let (pmu, counters) = (known.pmu, known.pmu.ip.counters.count as usize);
            let is_event = |nth: &&usize| {
                let known = self.counters[**nth].known.as_ref();
                known.is_some_and(|known| !known.is_any_pmcg && !matches!(known.what, What::Cycles))
            };
            let events = place.iter().filter(is_event).count();
            if events > counters {
                return format!(
                    "A {pmu} has {counters} event counters, and these are {events} events: a group that does not fit \
                     is not counted at all. Make groups of {counters}."
                );
            }
        }
        "The group did not fit, was refused, or the measurement ended before its turn.".to_owned()
    }

    /// Notes about zeros that can be a fault of the PMU.
    fn zeros(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (known, place) in self.groups(Counter::pmu) {
            let counters = place.iter().map(|nth| &self.counters[*nth]);
            let (cycles, events): (Vec<&Counter>, Vec<&Counter>) = counters
                .filter(|counter| counter.total.number().is_some())
                .partition(|counter| counter.unit == "cycles" && is_cycles(counter));
            let place = self.counters[place[0]].pmu();
            let all_zero = |of: &[&Counter]| {
                !of.is_empty() && of.iter().all(|counter| counter.total.is_zero())
            };
            let finding = |name: &str| {
                let mut findings = known.pmu.findings().filter(|_| !known.is_any_pmcg);
                let found = findings.find(|finding| finding.name == name);
                found
                    .map(|finding| format!(" {} {}", finding.cause, finding.fix))
                    .unwrap_or_default()
            };
            let others = self.counters.iter().filter(|one| {
                let of_core = |known: &PerfName| kernel::is_processor(known.pmu);
                one.known.as_ref().is_some_and(of_core) && one.pmu() != place
            });
            if kernel::is_processor(known.pmu)
                && cycles.len() + events.len() > 0
                && (cycles.is_empty() || all_zero(&cycles))
                && (events.is_empty() || all_zero(&events))
                && { others }.any(|one| !one.total.is_zero())
            {
                notes.push(format!(
                    "All counts of {place} are zero: the program did not run on its CPUs. To count there, bind it to \
                     one of them with taskset."
                ));
            } else if all_zero(&cycles) && (events.is_empty() || all_zero(&events)) {
                let why = finding("CLOCK_STANDS_STILL");
                notes.push(format!(
                    "All counts of {place} are zero, including cycles: the PMU has not counted.{why}"
                ));
            } else if self.uncounted.contains(&place) {
                // A note already reports that top-down is not counted.
            } else if all_zero(&events) && !cycles.is_empty() {
                let why = finding("NIDEN_LOW");
                let why = if why.is_empty() { "." } else { &format!(", or:{why}") };
                notes.push(format!(
                    "Cycles of {place} were counted, and no event: there was no traffic{why}"
                ));
            } else if all_zero(&events) {
                notes.push(format!(
                    "All events of {place} are zero: there was no traffic, or events are not enabled. Count an event \
                     that has to occur, or cycles, beside them."
                ));
            } else {
                notes.extend(
                    events
                        .iter()
                        .filter(|counter| counter.total.is_zero())
                        .filter_map(|counter| why_zero(counter)),
                );
            }
        }
        notes
    }
}

fn is_cycles(counter: &Counter) -> bool {
    counter.known.as_ref().is_some_and(|known| known.what.is_cycles())
}

/// Text that distinguishes rows of an event: the run if there are several, the CPU, modes and streams.
fn scope(
    recording: &Recording,
    run: usize,
    cpu: Option<String>,
    limits: Vec<String>,
) -> Option<String> {
    let run = (recording.runs.len() > 1).then(|| format!("run {}", run + 1));
    let parts: Vec<String> = [run, cpu].into_iter().flatten().chain(limits).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Kernel name of the PMU in an event name.
fn device(event: &str) -> Option<&str> {
    event.split_once(['/', '.']).map(|(device, _)| device)
}

/// Explains a count of zero from the tables.
fn why_zero(counter: &Counter) -> Option<String> {
    let What::Event(selection) = counter.known.as_ref()?.what else { return None };
    let event = selection.of.event;
    let why = if event.never_fires {
        "this product never signals it"
    } else if event.ace_only {
        "only ACE interfaces signal it, and ACE-Lite ones do not"
    } else if event.secure_only {
        "it counts only where Secure observation is allowed"
    } else {
        return None;
    };
    Some(format!("{} is zero: {why}.", counter.name()))
}

/// Looks up the event of a name in a recording. `pmu` is for names without a PMU.
fn known(name: &str, pmu: Option<Pmu>, given: &Given) -> Option<PerfName> {
    let pmu = given.pmu_of(name).or(pmu);
    given
        .read(name)
        .or_else(|| PerfName::read_kernel(name, pmu))
        .or_else(|| PerfName::read_bare(name, pmu?))
}

fn counter_of(row: &Row, known: Option<PerfName>) -> Counter {
    let unit = match &known {
        Some(known) if row.unit.is_empty() => known.what.unit().to_owned(),
        _ => row.unit.clone(),
    };
    Counter {
        perf: row.event.clone(),
        known,
        scope: row.scope.clone(),
        unit,
        total: Value::of(row),
        seconds: 0.0,
        intervals: Vec::new(),
        of_run: 0..0,
    }
}

/// Start times of consecutive runs; all are 0 without intervals.
fn starts(recording: &Recording) -> Vec<u64> {
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
fn time_of(row: &Row, starts: &[u64]) -> Option<u64> {
    row.nanoseconds.map(|time| time.saturating_add(starts[row.run]))
}

/// Sum of the values of several intervals.
fn sum(intervals: &[Option<Value>], seconds: &[f64]) -> Value {
    let numbers = intervals.iter().filter_map(|value| value.as_ref()?.number());
    let count = match numbers.reduce(Number::plus) {
        Some(number) => Count::Number(number),
        None => {
            let refused = |value: &Option<Value>| {
                value.is_some_and(|value| value.count == Count::NotSupported)
            };
            if intervals.iter().any(refused) { Count::NotSupported } else { Count::NotCounted }
        }
    };
    let lacks = intervals.iter().any(|value| value.is_none_or(|value| value.number().is_none()));
    let scaled = intervals.iter().flatten().any(Value::is_estimate);
    let all: f64 = seconds.iter().sum();
    let running = intervals.iter().zip(seconds).map(|(value, seconds)| {
        value
            .map_or(0.0, |value| if value.number().is_some() { value.running_percent } else { 0.0 })
            * seconds
    });
    // A computed sum of fractions can be slightly below 100.
    let whole = all <= 0.0 || !lacks && !scaled;
    Value {
        count,
        running_percent: if whole { 100.0 } else { (running.sum::<f64>() / all).min(100.0) },
        // With a scaled count, the sum can also be too high.
        is_lower_bound: lacks && !scaled && matches!(count, Count::Number(_)),
        variance_percent: None,
    }
}

/// Value of a formula; `None` on division by zero.
fn evaluate(expression: &Expression, inputs: &[f64], arguments: &[f64]) -> Option<f64> {
    expression.evaluate(inputs, arguments, |number| number as f64).filter(|value| value.is_finite())
}
