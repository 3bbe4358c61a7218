//! File format of `arm-pmu stat --record`: a JSON document on each line. `schema/record.json` describes a line.

use arm_pmu_lookup::perf::quoted;
use serde::{Deserialize, Serialize};

use super::model::{Given, Report};
use super::sample::{Sample, mean, mean_row, row};
use crate::base::documents::documents;
use crate::base::perf_stat::recording::{Recording, Row};
use crate::base::text::distinct;
use crate::linux::core_pmu::{CorePmu, MainId};

/// Version of this format.
pub const FORMAT: u32 = 1;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// First line: programs, events and system.
    Start(Box<Start>),
    /// Counts of the idle system before the first run.
    Idle(Idle),
    /// An interval of a run, with `-I`.
    Interval(Interval),
    /// A complete run.
    Run(Run),
    /// Last line.
    End(End),
}

documents! {
    derive(Clone, Debug, PartialEq, Serialize, Deserialize)

    /// Programs, events and system of a measurement.
    Start {
        /// Version of this format.
        format: u32,
        /// Name and version of the recording program.
        tool: String,
        /// Time of the measurement, in seconds since 1970.
        unix_seconds: u64,
        /// Name, release and version of the kernel.
        kernel: Option<String>,
        /// Processor architecture, by Rust's name.
        machine: String,
        /// Name of the board in its device tree or firmware.
        board: Option<String>,
        /// Option `--platform`.
        platform: Option<String>,
        /// Stream whose SMMU events were counted, and where its number comes from.
        stream: Option<String>,
        /// Programs with their arguments; one empty entry if there was no program.
        commands: Vec<Vec<String>>,
        /// Counted events. Every other line has its counts in the same order.
        events: Vec<Event>,
        /// PMUs of the counted cores. Older recordings lack them.
        #[serde(default)]
        cores: Vec<CorePmu>,
        /// State of the clocks before the first run.
        clocks: Clocks,
    }

    /// A counted event.
    Event {
        /// Name in reports: `cci400:r1.S3:READ_REQUEST_ANY`.
        name: String,
        /// Whether the PMU counts the whole system, not the program alone.
        whole_system: bool,
    }

    /// Clocks that the kernel reports.
    Clocks {
        /// Clocks of processors.
        cpus: Vec<CpuClock>,
        /// Other clocks, for example of interconnects and memory.
        others: Vec<OtherClock>,
    }

    /// Clock of some processors.
    CpuClock {
        /// Numbers of the processors: `0 1 2 3`.
        cpus: String,
        /// Frequency governor: `performance`, `schedutil`.
        governor: Option<String>,
        /// Current frequency.
        kilohertz: Option<u64>,
        /// Lowest frequency that the governor may choose.
        lowest_kilohertz: Option<u64>,
        /// Highest frequency that the governor may choose.
        highest_kilohertz: Option<u64>,
    }

    /// Clock of an interconnect or a memory controller.
    OtherClock {
        /// Name in the kernel.
        name: String,
        /// Current frequency.
        hertz: u64,
        /// Frequency governor.
        governor: Option<String>,
        /// File that the frequency was read from.
        file: String,
    }

    /// Counts of the whole system before the program runs.
    Idle {
        /// Duration.
        seconds: f64,
        /// Counts of system-wide events; null for other events.
        counts: Vec<Option<Sample>>,
    }

    /// An interval of a run.
    Interval {
        /// Number of the run in the file.
        run: u32,
        /// End of the interval, in seconds from the start of the run.
        until_seconds: f64,
        /// Counts in the order of the events.
        counts: Vec<Sample>,
    }

    /// A run.
    Run {
        /// Number of the run in the file, from 1.
        run: u32,
        /// Number of the program, from 0.
        command: usize,
        /// Elapsed time in seconds.
        seconds: f64,
        /// Exit status of the program.
        status: Option<u8>,
        /// Whether a signal to `arm-pmu` ended the run.
        interrupted: bool,
        /// Counts in the order of the events.
        counts: Vec<Sample>,
    }

    /// End of the measurement.
    End {
        /// Reason why a run did not start.
        failed: Option<String>,
        /// Clock frequencies after the last run.
        clocks: Clocks,
    }
}

impl Start {
    /// Facts that can explain a difference between two recordings.
    fn facts(&self) -> [(&'static str, Option<String>); 8] {
        let list = |all: Vec<String>| (!all.is_empty()).then(|| all.join(", "));
        let cpu = |cpu: &CpuClock| {
            let governor = cpu.governor.as_deref().unwrap_or("no governor");
            let clock = cpu.kilohertz.map(|clock| format!(" {clock} kHz")).unwrap_or_default();
            format!("CPU {} {governor}{clock}", cpu.cpus)
        };
        let other = |clock: &OtherClock| format!("{} {} Hz", clock.name, clock.hertz);
        let Clocks { cpus, others } = &self.clocks;
        [
            ("tool", Some(self.tool.clone())),
            ("device of the SMMU", self.stream.clone()),
            ("kernel", self.kernel.clone()),
            ("architecture", Some(self.machine.clone())),
            ("board", self.board.clone()),
            ("cores", self.cores()),
            ("clock of processors", list(cpus.iter().map(cpu).collect())),
            ("other clocks", list(others.iter().map(other).collect())),
        ]
    }

    /// Products and revisions of the counted cores: `Cortex-A55 r2p0, Cortex-A76 r4p0`.
    fn cores(&self) -> Option<String> {
        let mut names: Vec<_> = self.cores.iter().filter_map(|core| core.main_id).collect();
        names.dedup();
        let names: Vec<_> = names.into_iter().map(MainId::name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}

impl Run {
    pub fn has_failed(&self) -> bool {
        self.status.is_some_and(|status| status != 0)
    }
}

/// Means of several runs.
pub struct Means {
    pub rows: Vec<Row>,
    pub seconds: f64,
    /// Standard deviation of the seconds, in percent.
    pub spread: Option<f64>,
}

/// A parsed recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Programs, events and system of the measurement.
    pub start: Start,
    /// Counts without the program.
    pub idle: Option<Idle>,
    /// Intervals, with `-I`.
    pub intervals: Vec<Interval>,
    /// All runs, in order.
    pub runs: Vec<Run>,
    /// Last line; `None` if the recording was cut off.
    pub end: Option<End>,
}

impl Record {
    /// A recording without runs.
    pub fn new(start: Start) -> Self {
        Self { start, idle: None, intervals: Vec::new(), runs: Vec::new(), end: None }
    }

    /// Adds a line. Only the first line of the kind `Start` is used.
    pub fn add(&mut self, line: Line) {
        match line {
            Line::Start(_) => {}
            Line::Idle(idle) => self.idle = Some(idle),
            Line::Interval(interval) => self.intervals.push(interval),
            Line::Run(run) => self.runs.push(run),
            Line::End(end) => self.end = Some(end),
        }
    }

    /// Parses a file. `None` if another program wrote the file.
    pub fn parse(text: &str) -> Option<Result<Self, String>> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.next()?;
        let head: serde_json::Value = serde_json::from_str(first).ok()?;
        if head.get("line")? != "start" {
            return None;
        }
        let format = head.get("format").and_then(serde_json::Value::as_u64);
        if format != Some(u64::from(FORMAT)) {
            let format = format.map_or("without a number".to_owned(), |number| number.to_string());
            return Some(Err(format!(
                "line 1: the format is {format}, and this program reads {FORMAT}"
            )));
        }
        let start = match serde_json::from_str(first) {
            Ok(Line::Start(start)) => *start,
            Ok(_) => return None,
            Err(error) => return Some(Err(format!("line 1: {error}"))),
        };
        let last = text.lines().count();
        let mut record = Self::new(start);
        for (number, line) in lines {
            match serde_json::from_str(line) {
                Ok(line) => record.add(line),
                // The machine stopped before the line was complete.
                Err(_) if number == last && !text.ends_with('\n') => {}
                Err(error) => return Some(Err(format!("line {number}: {error}"))),
            }
        }
        Some(record.checked())
    }

    /// Checks that all lines have a count for each event, and that each run has a program.
    fn checked(self) -> Result<Self, String> {
        let events = self.start.events.len();
        let idle = self.idle.iter().map(|idle| idle.counts.len());
        let intervals = self.intervals.iter().map(|interval| interval.counts.len());
        let runs = self.runs.iter().map(|run| run.counts.len());
        if idle.chain(intervals).chain(runs).any(|counts| counts != events) {
            return Err(format!("a line does not have the counts of {events} events"));
        }
        let commands = self.start.commands.len();
        if !(1..=2).contains(&commands) || self.runs.iter().any(|run| run.command >= commands) {
            return Err("a run belongs to no program that the first line lists".to_owned());
        }
        if self.runs.is_empty() {
            return Err("no run was completed".to_owned());
        }
        Ok(self)
    }

    /// Whether two programs ran alternately.
    pub fn is_comparison(&self) -> bool {
        self.start.commands.len() > 1
    }

    /// A program with its arguments, as text.
    pub fn command(&self, number: usize) -> String {
        let words = self.start.commands.get(number).map(Vec::as_slice).unwrap_or_default();
        if words.is_empty() { "the system".to_owned() } else { quoted(words) }
    }

    /// Completed runs of a program.
    pub fn runs_of(&self, command: usize) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |run| run.command == command && !run.interrupted)
    }

    /// Report of one run.
    pub fn report_of(&self, run: &Run, given: &Given) -> Report {
        self.of_rows(self.rows(&run.counts, run.seconds, None), given)
    }

    /// Report of all runs of a program: with one run and `-I`, its intervals; with several, their means.
    pub fn report(&self, command: usize, given: &Given) -> Report {
        let mut rows = Vec::new();
        if let [run] = self.all_of(command)[..] {
            let mut begin = 0.0;
            for interval in self.intervals.iter().filter(|interval| interval.run == run.run) {
                let until = interval.until_seconds;
                let nanoseconds = Some((until * 1e9).round() as u64);
                rows.extend(self.rows(&interval.counts, until - begin, nanoseconds));
                begin = until;
            }
        }
        rows.extend(self.means(command).rows);
        let mut report = self.of_rows(rows, given);
        report.notes.splice(0..0, self.notes(command));
        report
    }

    /// Mean values over all runs of a program; an interrupted run is included.
    pub fn means(&self, command: usize) -> Means {
        let all = self.all_of(command);
        let (seconds, spread) = mean(&all.iter().map(|run| run.seconds).collect::<Vec<_>>());
        let row = |(nth, event): (usize, &Event)| {
            let samples: Vec<_> = all.iter().map(|run| run.counts[nth]).collect();
            mean_row(&event.name, &samples, seconds)
        };
        Means { rows: self.start.events.iter().enumerate().map(row).collect(), seconds, spread }
    }

    fn all_of(&self, command: usize) -> Vec<&Run> {
        self.runs.iter().filter(|run| run.command == command).collect()
    }

    fn rows(&self, counts: &[Sample], seconds: f64, until: Option<u64>) -> Vec<Row> {
        let events = self.start.events.iter().zip(counts);
        events.map(|(event, sample)| row(event.name.clone(), *sample, seconds, until)).collect()
    }

    fn of_rows(&self, rows: Vec<Row>, given: &Given) -> Report {
        let recording = Recording { rows, ..Recording::default() };
        Report::new(&recording, &Given { cores: self.start.cores.clone(), ..given.clone() })
    }

    /// Place and time of the recording, in one sentence.
    pub fn origin(&self) -> String {
        let Start { tool, kernel, machine, board, .. } = &self.start;
        let cores = self.start.cores().map(|cores| format!(" ({cores})")).unwrap_or_default();
        let kernel = kernel.as_deref().unwrap_or("an unknown kernel");
        let board = board.as_ref().map(|board| format!(", on {board}")).unwrap_or_default();
        format!("Recorded by {tool} with {kernel}, {machine}{cores}{board}.")
    }

    /// Notes about the runs of a program, for a report that shows the mean values of these runs.
    fn notes(&self, command: usize) -> Vec<String> {
        let text = self.command(command);
        let runs = match self.all_of(command).len() {
            1 => format!("One run of {text}."),
            runs => format!("Means of {runs} runs of {text}."),
        };
        let mut notes = vec![self.origin(), runs];
        notes.extend(self.start.stream.as_ref().map(|stream| format!("{stream}.")));
        notes.extend(self.of_whole_system());
        notes.extend(self.of_runs(command));
        notes.extend(self.of_recording());
        notes
    }

    /// Names the PMUs that counted the whole system.
    pub fn of_whole_system(&self) -> Option<String> {
        let events = self.start.events.iter().filter(|event| event.whole_system);
        let names = distinct(events.filter_map(|event| event.name.split('.').next()));
        let counts = if names.len() == 1 { "counts" } else { "count" };
        let names = names.join(", ");
        (!names.is_empty())
            .then(|| format!("{names} {counts} the whole system, not the program alone."))
    }

    /// Note on the share of the counts that the rest of the system causes.
    fn idle_note(&self, command: usize) -> Option<String> {
        let has_program = self.start.commands.get(command).is_some_and(|words| !words.is_empty());
        if !has_program || !self.start.events.iter().any(|event| event.whole_system) {
            return None;
        }
        let Some(idle) = self.idle.as_ref().filter(|idle| idle.seconds > 0.0) else {
            return Some(
                "There is no idle baseline, so the share of the rest of the system is unknown."
                    .to_owned(),
            );
        };
        let (seconds, _) = mean(&self.runs_of(command).map(|run| run.seconds).collect::<Vec<_>>());
        let mut parts = Vec::new();
        for (nth, event) in self.start.events.iter().enumerate() {
            let counted = |sample: &Sample| sample.count.map(|count| count as f64);
            let Some(idle_count) = idle.counts[nth].as_ref().and_then(counted) else { continue };
            let counts: Vec<_> =
                self.runs_of(command).filter_map(|run| counted(&run.counts[nth])).collect();
            let (count, _) = mean(&counts);
            let per_second = idle_count / idle.seconds;
            let name = event.name.split_once('.').map_or(event.name.as_str(), |(_, name)| name);
            let share = if idle_count == 0.0 {
                "0 a second".to_owned()
            } else if count > 0.0 {
                let percent = per_second * seconds / count * 100.0;
                format!("{} a second, {} % of the count", whole(per_second), whole(percent))
            } else {
                format!("{} a second", whole(per_second))
            };
            parts.push(format!("{name} {share}"));
        }
        (!parts.is_empty()).then(|| {
            format!("Idle for {:.1} s before the first run: {}.", idle.seconds, parts.join("; "))
        })
    }

    /// Notes about the runs of one program, without the notes about the recording.
    pub fn of_runs(&self, command: usize) -> Vec<String> {
        let mut notes: Vec<_> = self.idle_note(command).into_iter().collect();
        let all = self.all_of(command);
        if all.iter().any(|run| run.interrupted) {
            notes.push("The last run was interrupted.".to_owned());
        }
        let failed = all.iter().filter(|run| !run.interrupted && run.has_failed()).count();
        if failed > 0 {
            notes.push(format!("{failed} runs ended with a nonzero exit status."));
        }
        notes
    }

    /// Notes about problems of the recording.
    pub fn of_recording(&self) -> Vec<String> {
        let mut notes = self.clock_doubts();
        notes.extend(self.end.as_ref().and_then(|end| end.failed.clone()));
        if self.end.is_none() {
            notes.push("The recording ends early, without its last line.".to_owned());
        }
        notes
    }

    fn clock_doubts(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for cpu in &self.start.clocks.cpus {
            // With a single frequency, a governor has no effect.
            let is_fixed =
                cpu.lowest_kilohertz.is_some() && cpu.lowest_kilohertz == cpu.highest_kilohertz;
            let governor = cpu.governor.as_deref().filter(|of| *of != "performance" && !is_fixed);
            if let Some(governor) = governor {
                notes.push(format!(
                    "The governor of CPU {} is {governor}, so their clock may change in a run.",
                    cpu.cpus
                ));
            }
        }
        let Some(end) = &self.end else { return notes };
        let mut compare = |clock: &str, unit: &str, before: Option<u64>, after: Option<u64>| {
            if let Some((one, other)) = before.zip(after).filter(|(one, other)| one != other) {
                notes.push(format!(
                    "The clock {clock} was {one} {unit} before the runs and {other} {unit} after them."
                ));
            }
        };
        for before in &self.start.clocks.cpus {
            let after = end.clocks.cpus.iter().find(|after| after.cpus == before.cpus);
            let (clock, after) =
                (format!("of CPU {}", before.cpus), after.and_then(|of| of.kilohertz));
            compare(&clock, "kHz", before.kilohertz, after);
        }
        for before in &self.start.clocks.others {
            let after = end.clocks.others.iter().find(|after| after.file == before.file);
            compare(&before.name, "Hz", Some(before.hertz), after.map(|after| after.hertz));
        }
        notes
    }

    /// Notes about the differences between two recordings, except the programs.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let facts = self.start.facts().into_iter().zip(other.start.facts());
        let differ = facts.filter(|((_, one), (_, another))| one != another);
        let text = |fact: Option<String>| fact.unwrap_or("unknown".to_owned());
        let note = |((what, one), (_, another))| {
            let (one, another) = (text(one), text(another));
            format!("This run and the other differ in the {what}: {one}, and {another}.")
        };
        differ.map(note).collect()
    }
}

fn whole(number: f64) -> String {
    crate::base::number::decimal(if number >= 1.0 { number.round() } else { number })
}
