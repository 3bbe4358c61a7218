//! Compares the runs of two recordings, or of two programs that ran alternately.

use arm_pmu_tables::Measure;
use serde::Serialize;

use super::bootstrap::{FEWEST_RUNS, Interval, PERCENT, RESAMPLES, SEED, median};
use super::compare::{Pair, pairs};
use super::model::{Given, Report, unit};
use super::record::{Record, Run};
use crate::base::documents::{documents, words};
use crate::base::text::distinct;

/// Changes of the values from the other runs to these runs.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Runs of this side.
    pub this: Side,
    /// Runs of the other side.
    pub other: Side,
    /// Whether the runs were made alternately, in pairs.
    pub in_pairs: bool,
    /// Rows for the time, all events, and all metrics.
    pub rows: Vec<Row>,
    /// Warnings.
    pub notes: Vec<String>,
}

documents! {
    derive(Clone, Debug, Serialize)

    /// The runs of one program.
    Side {
        /// Name of this side in the table, such as `this run` or `second`.
        #[serde(skip)]
        label: &'static str,
        /// The program with its arguments.
        command: String,
        /// Number of completed runs.
        runs: usize,
        /// Number of completed runs with a nonzero exit status.
        #[serde(skip)]
        failed: usize,
    }

    /// A quantity measured in each run.
    #[cfg_attr(test, schemars(rename = "RunsRow"))]
    Row {
        name: String,
        /// `seconds`, `count` or `metric`.
        kind: &'static str,
        #[serde(skip)]
        quantity: Kind,
        /// `fraction`, `ratio`, `occurrences` or `bytes` for a metric; empty otherwise.
        unit: &'static str,
        /// Values of these runs; null if none has a count.
        this: Option<Summary>,
        other: Option<Summary>,
        /// Difference of the medians: these runs minus the other runs.
        difference: Option<f64>,
        /// Values of both programs in each pair of runs, if the runs were made in pairs.
        #[serde(skip)]
        pairs: Vec<(f64, f64)>,
        /// Confidence interval of the difference; null with too few runs.
        interval: Option<Interval>,
        /// `higher`, `lower`, `not_shown` or `too_few_runs`.
        #[cfg_attr(test, schemars(with = "String"))]
        verdict: Verdict,
    }
}

/// Kind of quantity in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Duration of a run.
    Seconds,
    /// Count of an event.
    Count,
    /// Metric with its unit.
    Metric(Option<Measure>),
}

impl Kind {
    /// Name and unit in JSON and CSV.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Seconds => ("seconds", ""),
            Self::Count => ("count", ""),
            Self::Metric(measure) => ("metric", unit(measure)),
        }
    }
}

documents! {
    derive(Clone, Copy, Debug, PartialEq, Serialize)

    /// Summary of the values of a row in all runs.
    Summary {
        /// Number of runs with a value.
        runs: usize,
        median: f64,
        lowest: f64,
        highest: f64,
        /// Whether one of the values is an estimate.
        is_estimate: bool,
    }
}

words! {
    /// Verdict on a change.
    Verdict {
        /// Whole interval above 0.
        Higher = "higher",
        /// Whole interval below 0.
        Lower = "lower",
        /// Interval that contains 0.
        NotShown = "not_shown",
        /// Too few runs for a verdict.
        TooFewRuns = "too_few_runs",
    }
}

/// Values of one side, one for each run; `None` without a count.
struct Values {
    name: String,
    kind: Kind,
    values: Vec<Option<f64>>,
    is_estimate: bool,
}

impl Comparison {
    /// Compares the runs of two recordings.
    pub fn of_files(this: &Record, other: &Record, given: &Given) -> Self {
        let side = |record: &Record, label| side(record, 0, label);
        let rows = rows(&values(this, 0, given), &values(other, 0, given), false);
        let mut notes = Vec::new();
        for (label, record) in [("This run", this), ("Other run", other)] {
            let all = [vec![record.origin()], record.of_runs(0), record.of_recording()];
            notes.extend(all.into_iter().flatten().map(|note| format!("{label}: {note}")));
        }
        let whole = this.of_whole_system().into_iter().chain(other.of_whole_system());
        notes.extend(distinct(whole));
        notes.extend(this.differences(other));
        notes.push(
            "The runs did not alternate, so anything else that changed between the two runs is part of the difference; `arm-pmu stat --compare` runs two programs in turn."
                .to_owned(),
        );
        Self::new([side(this, "this run"), side(other, "other run")], false, rows, notes)
    }

    /// Compares the two programs of a recording; the first program is the baseline.
    pub fn of_programs(record: &Record, given: &Given) -> Self {
        let rows = rows(&values(record, 1, given), &values(record, 0, given), true);
        let mut notes = vec![record.origin()];
        notes.extend(record.of_whole_system());
        let [second, first] = [record.of_runs(1), record.of_runs(0)];
        for (label, of_side, of_other) in [("Second", &second, &first), ("First", &first, &second)]
        {
            for note in of_side {
                // A note that applies to both programs appears once.
                let is_of_both = of_other.contains(note);
                let text = if is_of_both { note.clone() } else { format!("{label}: {note}") };
                if !notes.contains(&text) {
                    notes.push(text);
                }
            }
        }
        notes.extend(record.of_recording());
        Self::new([side(record, 1, "second"), side(record, 0, "first")], true, rows, notes)
    }

    fn new(
        [this, other]: [Side; 2],
        in_pairs: bool,
        rows: Vec<Row>,
        mut notes: Vec<String>,
    ) -> Self {
        let judged = rows.iter().filter(|row| row.verdict != Verdict::TooFewRuns).count();
        let pairs = if in_pairs { "of pairs " } else { "" };
        notes.push(format!(
            "The interval contains the change of the median in {PERCENT} % of {RESAMPLES} \
             bootstrap resamples {pairs}(seed {SEED}). A change is higher or lower if the interval does not contain 0."
        ));
        if judged < rows.len() {
            notes.push(format!("Fewer than {FEWEST_RUNS} runs of each give no verdict."));
        }
        if judged > 1 {
            notes.push(format!(
                "Where nothing changed, about one row in {} is still called higher or lower, by chance.",
                100 / (100 - PERCENT)
            ));
        }
        Self { this, other, in_pairs, rows, notes }
    }
}

fn side(record: &Record, command: usize, label: &'static str) -> Side {
    let runs = record.runs_of(command).count();
    let failed = record.runs_of(command).filter(|run| run.has_failed()).count();
    Side { label, command: record.command(command), runs, failed }
}

/// All quantities in the runs of a program.
fn values(record: &Record, command: usize, given: &Given) -> Vec<Values> {
    let runs: Vec<&Run> = record.runs_of(command).collect();
    let reports: Vec<Report> = runs.iter().map(|run| record.report_of(run, given)).collect();
    let mut all = vec![Values {
        name: "time".to_owned(),
        kind: Kind::Seconds,
        values: runs.iter().map(|run| Some(run.seconds)).collect(),
        is_estimate: false,
    }];
    let mut add = |name: String, kind, run: usize, value: Option<f64>, is_estimate: bool| {
        let known = all.iter().position(|values| values.name == name && values.kind == kind);
        let place = known.unwrap_or_else(|| {
            all.push(Values { name, kind, values: vec![None; runs.len()], is_estimate: false });
            all.len() - 1
        });
        all[place].values[run] = value;
        all[place].is_estimate |= is_estimate;
    };
    for (run, report) in reports.iter().enumerate() {
        for counter in &report.counters {
            let is_estimate = counter.total.is_estimate();
            add(counter.full_name(), Kind::Count, run, counter.count(), is_estimate);
        }
        for metric in &report.metrics {
            let name = format!("{} {}", metric.pmu, metric.name);
            add(name, Kind::Metric(metric.measure()), run, metric.total, metric.is_estimate);
        }
    }
    // Metrics come after all events, including events that only a later run has.
    all.sort_by_key(|values| matches!(values.kind, Kind::Metric(_)));
    all
}

/// Rows of this side, followed by rows that only the other side has.
fn rows(this: &[Values], other: &[Values], in_pairs: bool) -> Vec<Row> {
    // An event can have the name of a metric.
    let key = |values: &Values| format!("{:?} {}", values.kind, values.name);
    let rows = pairs(this, other, key).into_iter();
    rows.filter_map(|Pair { this, other, .. }| row(this, other, in_pairs)).collect()
}

fn row(this: Option<&Values>, other: Option<&Values>, in_pairs: bool) -> Option<Row> {
    let Values { name, kind: quantity, .. } = this.or(other)?;
    let present = |values: Option<&Values>| -> Vec<f64> {
        values.map(|values| values.values.iter().copied().flatten().collect()).unwrap_or_default()
    };
    let (one, another) = (present(this), present(other));
    let pairs: Vec<_> = match this.zip(other).filter(|_| in_pairs) {
        Some((this, other)) => {
            let pairs = this.values.iter().zip(&other.values);
            pairs.filter_map(|(one, another)| (*one).zip(*another)).collect()
        }
        None => Vec::new(),
    };
    let fewest = if in_pairs { pairs.len() } else { one.len().min(another.len()) };
    // With too few runs, an interval would suggest a false accuracy.
    let interval = (fewest >= FEWEST_RUNS).then(|| match in_pairs {
        true => Interval::of_pairs(&pairs),
        false => Interval::of_samples(&one, &another, RESAMPLES),
    });
    let verdict = match interval {
        None => Verdict::TooFewRuns,
        Some(interval) if interval.contains(0.0) => Verdict::NotShown,
        Some(interval) if interval.low > 0.0 => Verdict::Higher,
        Some(_) => Verdict::Lower,
    };
    let summary = |values: Option<&Values>, numbers: &[f64]| {
        Some(Summary {
            runs: numbers.len(),
            median: median(numbers)?,
            lowest: numbers.iter().copied().fold(f64::INFINITY, f64::min),
            highest: numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            is_estimate: values.is_some_and(|values| values.is_estimate),
        })
    };
    let (kind, unit) = quantity.words();
    let (this, other) = (summary(this, &one), summary(other, &another));
    Some(Row {
        name: name.clone(),
        kind,
        quantity: *quantity,
        unit,
        this,
        other,
        difference: this.zip(other).map(|(this, other)| this.median - other.median),
        pairs,
        interval,
        verdict,
    })
}

#[cfg(test)]
mod tests {
    use super::super::record::{Clocks, CpuClock, Event, Line, Start};
    use super::super::sample::Sample;
    use super::*;
    use crate::linux::core_pmu::{CorePmu, MainId};

    const REPEATED: &str = include_str!("../../../tests/runs/repeated.jsonl");
    const COMPARED: &str = include_str!("../../../tests/runs/compared.jsonl");

    fn read(text: &str) -> Record {
        Record::parse(text).expect("a recording").expect("its lines")
    }

    fn counted(count: u64) -> Sample {
        Sample { count: Some(count), share: 1.0 }
    }

    #[test]
    fn a_change_has_a_direction() {
        let mut both = read(COMPARED);
        both.runs.iter_mut().for_each(|run| run.command = 1 - run.command);
        let row = &Comparison::of_programs(&both, &Given::default()).rows[1];
        assert_eq!((row.verdict, row.difference), (Verdict::Lower, Some(-105.0)));
    }

    #[test]
    fn fewer_than_five_runs_give_no_verdict() {
        let changes: [fn(&mut Record); 3] = [
            |of| of.runs.truncate(4),
            |of| of.runs[4].interrupted = true,
            |of| of.runs[2].counts[0].count = None,
        ];
        for change in changes {
            let mut few = read(REPEATED);
            change(&mut few);
            let comparison = Comparison::of_files(&few, &read(REPEATED), &Given::default());
            let Row { this, verdict, interval, .. } = &comparison.rows[1];
            assert_eq!(this.map(|side| side.runs), Some(4));
            assert_eq!((*verdict, *interval), (Verdict::TooFewRuns, None));
            let note = "Fewer than 5 runs of each give no verdict.";
            assert!(comparison.notes.iter().any(|one| one == note), "{:?}", comparison.notes);
        }
    }

    #[test]
    fn other_differences_are_reported() {
        let clocks = |governor: &str, kilohertz| {
            let cpu = CpuClock {
                cpus: "0".to_owned(),
                governor: Some(governor.to_owned()),
                kilohertz: Some(kilohertz),
                lowest_kilohertz: None,
                highest_kilohertz: None,
            };
            Clocks { cpus: vec![cpu], others: Vec::new() }
        };
        let (mut this, mut other) = (read(REPEATED), read(REPEATED));
        this.idle.as_mut().expect("an idle count").counts[0] = Some(counted(10_000));
        other.start.kernel = Some("Linux 6.12".to_owned());
        other.start.clocks = clocks("schedutil", 500_000);
        other.end.as_mut().expect("an end").clocks = clocks("performance", 1_000_000);
        other.idle = None;
        let text = Comparison::of_files(&this, &other, &Given::default()).notes.join("\n");
        for part in [
            "2 (2026-11-16), and Linux 6.12.",
            "differ in the clock of processors: unknown, and CPU 0 schedutil 500000 kHz.",
            "Other run: There is no idle baseline",
            "This run: Idle for 1.0 s before the first run: S3:READ_DATA_SNOOP_HIT 9,999 a second, 45 % of the count",
            "Other run: The governor of CPU 0 is schedutil",
            "Other run: The clock of CPU 0 was 500000 kHz before the runs and 1000000 kHz after them.",
            "The runs did not alternate",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("This run: The governor"), "{text}");
    }

    #[test]
    fn a_recording_keeps_slots_and_revision() {
        let mut old = read(REPEATED);
        (old.idle, old.end) = (None, None);
        old.runs.truncate(1);
        let counts = [
            ("CYCLES", 1_000),
            ("STALL_SLOT", 3_000),
            ("STALL_SLOT_FRONTEND", 1_000),
            ("STALL_SLOT_BACKEND", 2_000),
            ("OP_RETIRED", 900),
            ("OP_SPEC", 1_000),
        ];
        old.runs[0].counts = counts.map(|(_, count)| counted(count)).to_vec();
        // A Neoverse N2 before r0p3 counts one slot too many in each cycle.
        for (pmu, main_id, slots, retiring) in
            [("cortex-a78", 0x411F_D410, Some(4), 0.225), ("neoverse-n2", 0x410F_D490, None, 0.54)]
        {
            let event = |(name, _)| Event { name: format!("{pmu}.{name}"), whole_system: false };
            old.start.events = counts.map(event).to_vec();
            let core = CorePmu { pmu: pmu.to_owned(), main_id: Some(MainId(main_id)), slots };
            let start = Start { cores: vec![core], ..old.start.clone() };
            let new = written([Line::Start(Box::new(start)), Line::Run(old.runs[0].clone())]);
            let computed = |record: &Record| {
                let report = record.report(0, &Given::default());
                report.metrics.iter().find(|one| one.name == "RETIRING").and_then(|one| one.total)
            };
            assert_eq!((computed(&read(&new)), computed(&old)), (Some(retiring), None), "{pmu}");
        }
    }

    fn written(lines: impl IntoIterator<Item = Line>) -> String {
        let text = |line| serde_json::to_string(&line).expect("JSON") + "\n";
        lines.into_iter().map(text).collect()
    }

    #[test]
    fn a_recording_is_read_as_it_was_written() {
        let lines = REPEATED.lines().map(|line| serde_json::from_str(line).expect("a line"));
        assert_eq!(read(&written(lines)), read(REPEATED));
        // Only the last line may be damaged.
        let cut = read(&REPEATED[..REPEATED.len() - 10]);
        assert!(cut.end.is_none() && cut.of_recording()[0].contains("ends early"));
        let changed = |from, to| REPEATED.replacen(from, to, 1);
        let first = REPEATED.lines().next().expect("a line");
        for (text, message) in [
            (changed("\"run\":3", "\"run\":x"), "line 5: "),
            (
                changed("\"format\":1", "\"format\":2"),
                "line 1: the format is 2, and this program reads 1",
            ),
            (changed(",{\"count\":0,\"share\":1.0}]", "]"), "the counts of 2 events"),
            (changed("\"command\":0", "\"command\":1"), "a run belongs to no program"),
            (first.to_owned(), "no run was completed"),
        ] {
            let error = Record::parse(&text).expect("a recording").expect_err(message);
            assert!(error.contains(message), "{error}");
        }
        for other in ["", "{\"line\":\"other\"}\n", "{\"event\":\"cycles\"}\n", "1,,cycles\n"] {
            assert_eq!(Record::parse(other), None, "{other}");
        }
    }
}
