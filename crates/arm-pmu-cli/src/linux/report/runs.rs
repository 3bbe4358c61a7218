//! Compares the runs of two recordings, or of two programs that ran alternately.

use arm_pmu_tables::Measure;
use serde::Serialize;

use super::bootstrap::{FEWEST_RUNS, Interval, PERCENT, RESAMPLES, SEED, median};
use super::model::{Given, Report};
use super::record::{Record, Run};
use crate::base::documents::documents;

/// Changes from the other runs to these runs.
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

/// The runs of one program.
#[derive(Clone, Debug)]
pub struct Side {
    /// Label of the side: `this run`, or `second`.
    pub label: &'static str,
    /// The program with its arguments.
    pub command: String,
    /// Number of completed runs.
    pub runs: usize,
    /// Number of completed runs with a nonzero exit status.
    pub failed: usize,
}

/// A quantity measured in each run.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name with PMU and source.
    pub name: String,
    /// Kind of quantity.
    pub kind: Kind,
    /// Values of these runs.
    pub this: Option<Summary>,
    /// Values of the other runs.
    pub other: Option<Summary>,
    /// Values of both programs in pairs of runs, if the runs were made in pairs.
    pub pairs: Vec<(f64, f64)>,
    /// Confidence interval of the difference of the medians.
    pub interval: Option<Interval>,
    /// Verdict on the change.
    pub verdict: Verdict,
}

impl Row {
    /// Difference of the medians: these runs minus the other runs.
    pub fn difference(&self) -> Option<f64> {
        Some(self.this?.median - self.other?.median)
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

/// Verdict on a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Whole interval above 0.
    Higher,
    /// Whole interval below 0.
    Lower,
    /// Interval that contains 0.
    NotShown,
    /// Too few runs for a verdict.
    TooFewRuns,
}

impl Verdict {
    /// Word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::NotShown => "not shown",
            Self::TooFewRuns => "-",
        }
    }

    /// Name in JSON and CSV.
    pub fn key(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::NotShown => "not_shown",
            Self::TooFewRuns => "too_few_runs",
        }
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
        for note in this.of_whole_system().into_iter().chain(other.of_whole_system()) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes.extend(this.differences(other));
        notes.push(
            "The runs were not made in turn, so the change includes any other change in between; `arm-pmu stat --compare` runs two programs in turn."
                .to_owned(),
        );
        Self::new([side(this, "this run"), side(other, "other run")], false, rows, notes)
    }

    /// Compares the two programs of a recording; the first one is the baseline.
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
            "The interval is for the change of the median, by bootstrap: {PERCENT} % of {RESAMPLES} resamples {pairs}with the seed {SEED}. A change is higher or lower if the interval does not hold 0."
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
    let has_failed = |run: &&Run| run.status.is_some_and(|status| status != 0);
    let failed = record.runs_of(command).filter(has_failed).count();
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
            let value = counter.total.number().map(|number| number.as_f64());
            add(counter.full_name(), Kind::Count, run, value, counter.total.is_estimate());
        }
        for metric in &report.metrics {
            let name = format!("{} {}", metric.pmu, metric.name);
            add(name, Kind::Metric(metric.measure), run, metric.total, metric.is_estimate);
        }
    }
    // Metrics follow all events, even if a run lacks one.
    all.sort_by_key(|values| matches!(values.kind, Kind::Metric(_)));
    all
}

/// Rows of this side, followed by rows that only the other side has.
fn rows(this: &[Values], other: &[Values], in_pairs: bool) -> Vec<Row> {
    let is_same =
        |one: &Values, another: &Values| (&one.name, one.kind) == (&another.name, another.kind);
    let partner = |values: &Values| other.iter().find(|another| is_same(values, another));
    let mut rows: Vec<Row> =
        this.iter().map(|values| row(Some(values), partner(values), in_pairs)).collect();
    let rest = other.iter().filter(|another| !this.iter().any(|one| is_same(one, another)));
    rows.extend(rest.map(|another| row(None, Some(another), in_pairs)));
    rows
}

fn row(this: Option<&Values>, other: Option<&Values>, in_pairs: bool) -> Row {
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
    let (interval, fewest) = match in_pairs {
        true => (Interval::of_pairs(&pairs), pairs.len()),
        false => (Interval::of_samples(&one, &another), one.len().min(another.len())),
    };
    let verdict = match interval.filter(|_| fewest >= FEWEST_RUNS) {
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
    let values = this.or(other);
    Row {
        name: values.map(|values| values.name.clone()).unwrap_or_default(),
        kind: values.map_or(Kind::Count, |values| values.kind),
        this: summary(this, &one),
        other: summary(other, &another),
        pairs,
        // With too few runs, an interval would suggest a false accuracy.
        interval: interval.filter(|_| verdict != Verdict::TooFewRuns),
        verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Clocks, Count, CpuClock, End, Event, FORMAT, Idle, Line, Start};
    use super::super::{csv, table};
    use super::*;
    use crate::base::text::Screen;
    use crate::linux::core_pmu::{CorePmu, MainId};

    const READS: &str = "cci400:r1.S3:READ_REQUEST_ANY";

    fn start(commands: &[&str], governor: &str) -> Start {
        Start {
            format: FORMAT,
            tool: "arm-pmu 0.1.0".to_owned(),
            unix_seconds: 0,
            kernel: Some("Linux 6.1".to_owned()),
            machine: "aarch64".to_owned(),
            board: None,
            platform: None,
            stream: None,
            commands: commands.iter().map(|one| vec![(*one).to_owned()]).collect(),
            events: vec![Event { name: READS.to_owned(), whole_system: true }],
            cores: Vec::new(),
            clocks: clocks(governor, 1_000_000),
        }
    }

    fn clocks(governor: &str, kilohertz: u64) -> Clocks {
        let cpu = CpuClock {
            cpus: "0".to_owned(),
            governor: Some(governor.to_owned()),
            kilohertz: Some(kilohertz),
            lowest_kilohertz: None,
            highest_kilohertz: None,
        };
        Clocks { cpus: vec![cpu], others: Vec::new() }
    }

    /// A recording of alternate runs of these programs, with these counts.
    fn record(commands: &[(&str, &[u64])]) -> Record {
        let names: Vec<_> = commands.iter().map(|(name, _)| *name).collect();
        let mut record = Record::new(start(&names, "performance"));
        let idle = Some(Count { count: Some(100), share: 1.0 });
        record.add(Line::Idle(Idle { seconds: 1.0, counts: vec![idle] }));
        for round in 0..commands[0].1.len() {
            for (command, (_, counts)) in commands.iter().enumerate() {
                let run = record.runs.len() as u32 + 1;
                let counts = vec![Count { count: Some(counts[round]), share: 1.0 }];
                let line =
                    Run { run, command, seconds: 2.0, status: Some(0), interrupted: false, counts };
                record.add(Line::Run(line));
            }
        }
        record.add(Line::End(End { failed: None, clocks: clocks("performance", 1_000_000) }));
        record
    }

    fn reads(comparison: &Comparison) -> &Row {
        comparison.rows.iter().find(|row| row.kind == Kind::Count).expect("an event")
    }

    fn notes(comparison: &Comparison) -> String {
        comparison.notes.join("\n")
    }

    const LOW: &[u64] = &[1000, 1010, 990, 1020, 980];
    const HIGH: &[u64] = &[2000, 2010, 1990, 2020, 1980];

    #[test]
    fn clear_changes_have_verdict_and_interval() {
        let (this, other) = (record(&[("b", HIGH)]), record(&[("a", LOW)]));
        let comparison = Comparison::of_files(&this, &other, &Given::default());
        let row = reads(&comparison);
        assert_eq!((row.verdict, row.difference()), (Verdict::Higher, Some(1000.0)));
        let summary = row.this.expect("runs");
        assert_eq!((summary.median, summary.lowest, summary.highest), (2000.0, 1980.0, 2020.0));
        let interval = row.interval.expect("an interval");
        assert!(interval.contains(1000.0) && interval.low > 900.0, "{interval:?}");
        let other = Comparison::of_files(&other, &this, &Given::default());
        assert_eq!(reads(&other).verdict, Verdict::Lower);
        // All runs had the same duration.
        assert_eq!((other.rows[0].kind, other.rows[0].verdict), (Kind::Seconds, Verdict::NotShown));
        let text = notes(&comparison);
        for part in ["cci400:r1 counts the whole system", "the seed 1", "not made in turn"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // The idle system counted 100 per second for 2 seconds.
        assert!(text.contains("Other run: Idle for 1.0 s before the first run: S3:READ_REQUEST_ANY 100 a second, 20 %"), "{text}");
    }

    #[test]
    fn the_same_runs_show_no_change() {
        let one = record(&[("a", LOW)]);
        let comparison = Comparison::of_files(&one, &one, &Given::default());
        assert_eq!(reads(&comparison).verdict, Verdict::NotShown);
        assert!(reads(&comparison).interval.is_some_and(|interval| interval.contains(0.0)));
    }

    #[test]
    fn fewer_than_five_runs_give_no_verdict() {
        let comparison = Comparison::of_files(
            &record(&[("b", &HIGH[..4])]),
            &record(&[("a", LOW)]),
            &Given::default(),
        );
        let row = reads(&comparison);
        assert_eq!((row.verdict, row.interval), (Verdict::TooFewRuns, None));
        assert!(notes(&comparison).contains("Fewer than 5 runs of each give no verdict."));
        // Runs without a count, and interrupted runs, are omitted.
        let mut cut = record(&[("b", HIGH)]);
        cut.runs[4].interrupted = true;
        let comparison = Comparison::of_files(&cut, &record(&[("a", LOW)]), &Given::default());
        assert_eq!((comparison.this.runs, reads(&comparison).verdict), (4, Verdict::TooFewRuns));
        let mut lost = record(&[("b", HIGH)]);
        lost.runs[2].counts[0].count = None;
        let comparison = Comparison::of_files(&lost, &record(&[("a", LOW)]), &Given::default());
        assert_eq!(reads(&comparison).this.map(|side| side.runs), Some(4));
        assert_eq!(reads(&comparison).verdict, Verdict::TooFewRuns);
    }

    #[test]
    fn two_programs_are_compared_in_pairs() {
        let drift = |first: u64| (0..6).map(|round| first + 1000 * round).collect::<Vec<_>>();
        let both = record(&[("a", &drift(10)), ("b", &drift(60))]);
        let comparison = Comparison::of_programs(&both, &Given::default());
        assert!(comparison.in_pairs);
        assert_eq!(
            (comparison.this.command.as_str(), comparison.other.command.as_str()),
            ("b", "a")
        );
        assert_eq!(reads(&comparison).verdict, Verdict::Higher);
        assert!(notes(&comparison).contains("resamples of pairs"));
        let text =
            anstream::adapter::strip_str(&table::runs(&comparison, &[], Screen::FILE)).to_string();
        assert!(text.starts_with("second  6 runs  b\nfirst   6 runs  a\n"), "{text}");
        let lines = csv::runs(&comparison);
        assert!(
            lines.contains(
                "count,cci400:r1 S3:READ_REQUEST_ANY,6,2560,60,5060,6,2510,10,5010,50,50,50,higher"
            ),
            "{lines}"
        );
    }

    #[test]
    fn clusters_have_a_row_of_sums() {
        let mut both = record(&[("a", LOW), ("b", HIGH)]);
        let event = |pmu: &str| Event { name: format!("{pmu}.INST_RETIRED"), whole_system: false };
        both.start.events = ["cortex-a55", "cortex-a76"].map(event).to_vec();
        both.idle = None;
        // The program moves between the clusters, and runs on one alone first.
        for (nth, run) in both.runs.iter_mut().enumerate() {
            let all = run.counts[0].count.expect("a count");
            let part = all * nth as u64 / 10;
            run.counts =
                [part, all - part].map(|count| Count { count: Some(count), share: 1.0 }).to_vec();
        }
        let comparison = Comparison::of_programs(&both, &Given::default());
        let sum = comparison.rows.iter().find(|row| row.name == "INST_RETIRED sum");
        let sum = sum.unwrap_or_else(|| panic!("{:?}", comparison.rows));
        assert_eq!((sum.verdict, sum.difference()), (Verdict::Higher, Some(1000.0)));
    }

    #[test]
    fn other_differences_are_reported() {
        let (this, mut other) = (record(&[("b", HIGH)]), record(&[("a", LOW)]));
        other.start.kernel = Some("Linux 6.12".to_owned());
        other.start.clocks = clocks("schedutil", 500_000);
        other.idle = None;
        let text = notes(&Comparison::of_files(&this, &other, &Given::default()));
        for part in [
            "differ in the kernel: Linux 6.1, and Linux 6.12.",
            "differ in the clock of processors: CPU 0 performance 1000000 kHz, and CPU 0 schedutil 500000 kHz.",
            "Other run: There is no idle baseline",
            "Other run: The governor of CPU 0 is schedutil",
            "Other run: The clock of CPU 0 was 500000 kHz before the runs and 1000000 kHz after them.",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("This run: The governor"), "{text}");
    }

    #[test]
    fn a_recording_keeps_slots_and_revision() {
        let mut old = record(&[("a", &[0])]);
        let events = [
            "CYCLES",
            "STALL_SLOT",
            "STALL_SLOT_FRONTEND",
            "STALL_SLOT_BACKEND",
            "OP_RETIRED",
            "OP_SPEC",
        ];
        let event = |pmu, name: &&str| Event { name: format!("{pmu}.{name}"), whole_system: false };
        let counts = [1_000, 3_000, 1_000, 2_000, 900, 1_000]
            .map(|count| Count { count: Some(count), share: 1.0 });
        old.runs[0].counts = counts.to_vec();
        old.idle = None;
        // An N2 before r0p3 counts one slot too many in each cycle.
        for (pmu, main_id, slots, retiring) in
            [("cortex-a78", 0x411F_D410, Some(4), 0.225), ("neoverse-n2", 0x410F_D490, None, 0.54)]
        {
            old.start.events = events.iter().map(|name| event(pmu, name)).collect();
            let core = CorePmu { pmu: pmu.to_owned(), main_id: Some(MainId(main_id)), slots };
            let new =
                Record { start: Start { cores: vec![core], ..old.start.clone() }, ..old.clone() };
            let text: String =
                [Line::Start(Box::new(new.start.clone())), Line::Run(new.runs[0].clone())]
                    .iter()
                    .map(|line| serde_json::to_string(line).expect("JSON") + "\n")
                    .collect();
            let read = Record::parse(&text).expect("a recording").expect("its lines");
            assert_eq!(read.start, new.start);
            let computed = |record: &Record| {
                let report = record.report(0, &Given::default());
                report.metrics.iter().find(|one| one.name == "RETIRING").and_then(|one| one.total)
            };
            assert_eq!((computed(&read), computed(&old)), (Some(retiring), None), "{pmu}");
        }
    }

    #[test]
    fn a_recording_is_read_as_it_was_written() {
        let record = record(&[("a b", LOW), ("c", HIGH)]);
        let mut lines = vec![Line::Start(Box::new(record.start.clone()))];
        lines.extend(record.idle.clone().map(Line::Idle));
        lines.extend(record.runs.iter().cloned().map(Line::Run));
        lines.extend(record.end.clone().map(Line::End));
        let text: String =
            lines.iter().map(|line| serde_json::to_string(line).expect("JSON") + "\n").collect();
        assert_eq!(Record::parse(&text), Some(Ok(record.clone())));
        assert_eq!(record.command(0), "'a b'");

        // Only the last line may be damaged.
        let cut = &text[..text.len() - 10];
        let read = Record::parse(cut).expect("a recording").expect("all other lines");
        assert!(read.end.is_none() && read.of_recording()[0].contains("ends early"));
        let damaged = text.replacen("\"run\":3", "\"run\":x", 1);
        let error = Record::parse(&damaged).expect("a recording").expect_err("a damaged line");
        assert!(error.starts_with("line 5: "), "{error}");
        let newer = text.replacen("\"format\":1", "\"format\":2", 1);
        let error = Record::parse(&newer).expect("a recording").expect_err("another format");
        assert_eq!(error, "line 1: the format is 2, and this program reads 1");
        let narrow =
            text.replacen("\"counts\":[{\"count\":1000,\"share\":1.0}]", "\"counts\":[]", 1);
        let error = Record::parse(&narrow).expect("a recording").expect_err("no counts");
        assert!(error.contains("the counts of 1 events"), "{error}");
        let first = text.lines().next().expect("a line");
        let error = Record::parse(first).expect("a recording").expect_err("no runs");
        assert!(error.contains("no run was completed"), "{error}");
        for other in ["", "{\"line\":\"other\"}\n", "{\"event\":\"cycles\"}\n", "1,,cycles\n"] {
            assert_eq!(Record::parse(other), None, "{other}");
        }
    }
}
