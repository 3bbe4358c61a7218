//! Evaluates a recording step by step, and adds notes about its lines and runs.

use std::collections::HashSet;

use super::report::{Given, Report};
use super::rows::{starts, time_of};
use crate::base::number;
use crate::base::perf_stat::recording::{Recording, UnreadLine};

/// Maximum number of notes about runs, and maximum number of notes about unreadable lines.
const LISTED: usize = 8;

impl Report {
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
        let mut report = Self { times, begin: given.begin, ..Self::default() };
        report.lines(recording);
        if is_sparse {
            report.notes.push("Each interval has few events, so only sums are shown.".to_owned());
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
        if let [(line, text), others @ ..] = &recording.other_lines[..] {
            let more = match others.len() {
                0 => String::new(),
                more => format!(", and {more} more lines"),
            };
            self.notes.push(format!("Line {line} is not a row of perf stat{more}: {text}"));
        }
        for UnreadLine { line, text, why } in recording.unread.iter().take(LISTED) {
            self.notes
                .push(format!("Line {line} cannot be read, and is left out: {text} ({why})."));
        }
        if let Some(more) = recording.unread.len().checked_sub(LISTED).filter(|more| *more > 0) {
            self.notes.push(format!("{more} more unreadable lines are left out."));
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
}
