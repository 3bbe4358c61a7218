//! `arm-pmu check`: compares known work with the counts of this system's PMUs.

mod behaviour;
mod compare;
mod expect;
mod machine;
mod measure;
mod plan;
mod show;
#[cfg(test)]
mod tests;

use std::path::Path;

use arm_pmu_linux::perf::Sysfs;
use arm_pmu_tables::Platform;
use serde::{Deserialize, Serialize};

use crate::base::answer::Answer;
use crate::base::arguments::Check as Arguments;
use crate::base::documents::documents;
use crate::base::failure::{Failure, NOT_FOUND, refuse};
use crate::base::platform;
use crate::base::text::Screen;
use crate::linux::stat::{board, kernel, unix_seconds};
use expect::{Outcome, Quantity, Verdict, Work};
use machine::{Linux, Machine};
use plan::Plan;

documents! {
    derive(Clone, Debug, PartialEq, Serialize, Deserialize)

    /// Output of `arm-pmu check --json`.
    Document(root: &Path, platform: Option<&Platform>, bytes: u64) {
        tool: String = format!("arm-pmu {}", env!("CARGO_PKG_VERSION")),
        /// Seconds since 1970.
        unix_seconds: u64 = unix_seconds(),
        kernel: Option<String> = kernel(root),
        /// Processor architecture, by Rust's name.
        machine: String = std::env::consts::ARCH.to_owned(),
        board: Option<String> = board(root),
        platform: Option<String> = platform.map(|platform| platform.name.to_owned()),
        /// Bytes that each pass reads or writes, one 64-byte line after the other.
        bytes: u64 = bytes,
        lines: u64 = bytes / 64,
        /// Whether the lines were cleaned from the data caches before each pass.
        cleaned: bool = false,
        /// Total size of the data caches in bytes; null if the kernel does not report it.
        cache_bytes: Option<u64> = plan::cache_bytes(root),
        rows: Vec<Row> = Vec::new(),
        /// Verdict on each event.
        events: Vec<Judged> = Vec::new(),
        /// Verdict on each behaviour of a core's counters.
        behaviours: Vec<Judged> = Vec::new(),
        /// Events that could not be counted.
        missing: Vec<Missing> = Vec::new(),
        /// Whether there are counts, all of them are right, and no behaviour has the verdict `off`. Hidden counts are
        /// ignored. Events in `missing` have no count.
        all_right: bool = false,
    }

    /// Verdict on an event or a behaviour.
    Judged {
        /// Kernel's name of the PMU.
        pmu: String,
        /// Name of the IP and its unit; null if the tables lack the PMU.
        ip: Option<String>,
        /// Name of the event or behaviour that was judged.
        what: String,
        outcome: Outcome,
        /// Figures, or the reason why there is no verdict.
        why: Option<String>,
    }

    /// Count of an event during one kind of work.
    Row {
        /// Kernel's name of the PMU.
        pmu: String,
        /// Name of the IP and its unit; null if the tables lack the PMU.
        ip: Option<String>,
        /// Processor that did the work.
        cpu: u32,
        work: Work,
        event: String,
        quantity: Quantity,
        /// Whether the count includes instructions of the kernel.
        with_kernel: bool,
        expected: u64,
        low: u64,
        high: u64,
        /// Median of all runs; null if the event shared its counter.
        counted: Option<u64>,
        /// Counts of all runs, in order.
        runs: Vec<Option<u64>>,
        /// Count without the work, over the same length of time; 0 for events that count only this
        /// thread.
        idle: f64,
        /// Seconds of one run.
        seconds: f64,
        /// Number of bytes that correspond to `counted`, if known.
        counted_bytes: Option<u64>,
        verdict: Verdict,
    }

    /// A PMU or an event that could not be counted.
    Missing(what: &str, why: &str) {
        what: String = what.to_owned(),
        why: String = why.to_owned(),
        /// Number of events with this reason; 1 if `what` is a PMU.
        number: u32 = 1,
    }
}

impl Document {
    /// Adds an event that could not be counted. Events with the same reason share a line.
    fn miss(&mut self, what: &str, why: &str) {
        match self.missing.iter_mut().find(|one| one.what == what && one.why == why) {
            Some(one) => one.number += 1,
            None => self.missing.push(Missing::new(what, why)),
        }
    }
}

impl Row {
    /// Ratio of the count to the expected count; `None` if either is missing or zero.
    fn ratio(&self) -> Option<f64> {
        let counted = self.counted.filter(|count| *count > 0 && self.expected > 0)?;
        Some(counted as f64 / self.expected as f64)
    }

    /// Whether this is a core event that emulators such as QEMU do not count.
    fn is_beyond_instructions(&self) -> bool {
        self.quantity.bytes().is_none()
            && !matches!(self.quantity, Quantity::Instructions | Quantity::Cycles)
    }

    /// Difference from the expected count.
    fn off_by(&self) -> String {
        match (self.ratio(), self.counted) {
            (Some(ratio), _) => format!("{ratio:.3} times in {}", self.work.word()),
            (None, count) => {
                let count = count.unwrap_or(0);
                format!("{count}, not {}, in {}", self.expected, self.work.word())
            }
        }
    }
}

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    if !arguments.compare.is_empty() {
        return compare::run(&arguments.compare, screen);
    }
    // Exit status 1 is reserved for wrong counts.
    let document = check(arguments, Path::new("/"))
        .map_err(|failure| Failure::wrong_use(failure.to_string()))?;
    let answer = match arguments.json {
        true => Answer::json(&document)?,
        false => Answer::text(show::text(&document, screen)),
    };
    Ok(Answer { status: status(&document), ..answer })
}

/// Exit status: `NOT_FOUND` if a count is not right, or if a PMU of the named board is missing. Without a board, a
/// missing PMU is not a failure.
fn status(document: &Document) -> u8 {
    let is_complete = document.platform.is_none() || document.missing.is_empty();
    match document.all_right && is_complete {
        _ if document.rows.is_empty() => 2,
        true => 0,
        false => NOT_FOUND,
    }
}

/// Whether all events except instructions and cycles are zero, and PMCEID lacks some of them, as on QEMU.
fn is_emulated(document: &Document) -> bool {
    let mut others = document.rows.iter().filter(|row| row.is_beyond_instructions());
    others.clone().any(|row| row.verdict == Verdict::Hidden)
        && others.all(|row| row.counted == Some(0))
}

/// Hides the zero counts of an emulator, also for product-specific events. PMCEID does not cover such events.
fn hide(document: &mut Document) {
    if !is_emulated(document) {
        return;
    }
    let Document { rows, events, .. } = document;
    for row in rows.iter_mut().filter(|row| row.is_beyond_instructions()) {
        row.verdict = row.verdict.or_hidden(true, row.counted);
    }
    for one in events.iter_mut().filter(|one| one.outcome == Outcome::Off) {
        let is_of = |row: &&Row| row.pmu == one.pmu && row.event == one.what;
        if !rows.iter().filter(is_of).any(|row| row.verdict.is_off()) {
            (one.outcome, one.why) = (Outcome::NotThere, None);
        }
    }
}

fn all_right(rows: &[Row], behaviours: &[Judged]) -> bool {
    let mut judged = rows.iter().filter(|row| row.verdict != Verdict::Hidden).peekable();
    judged.peek().is_some()
        && judged.all(|row| row.verdict == Verdict::Right)
        && behaviours.iter().all(|one| one.outcome != Outcome::Off)
}

fn check(arguments: &Arguments, root: &Path) -> Result<Document, Failure> {
    let platform = arguments.platform.as_deref().map(platform::find).transpose()?;
    let sysfs = Sysfs::at(root);
    let (plans, missing) = plan::plans(&sysfs, platform);
    let free = plan::free_bytes(root);
    let bytes = match (arguments.size, free) {
        (Some(mebibytes), Some(free)) if u64::from(mebibytes) << 20 > free => {
            refuse!("--size {mebibytes}: {} MiB of memory are available", free >> 20)
        }
        (Some(mebibytes), _) => u64::from(mebibytes) << 20,
        (None, free) => plan::bytes(plan::cache_bytes(root), free),
    };
    let mut document = Document::new(root, platform, bytes);
    missing.iter().for_each(|one| document.miss(&one.what, &one.why));
    if !plans.is_empty() {
        let mut machine = Linux::new(sysfs, root.to_owned(), bytes);
        document.lines = machine.lines.count();
        document.bytes = document.lines * 64;
        document.cleaned = machine.lines.clean();
        let clocks = |cpu| plan::clocks(root, cpu);
        judge(&mut machine, plans, &mut document, clocks, arguments.long)?;
    }
    Ok(document)
}

/// Makes the measurements of all plans, and tests the counters of each core.
fn judge(
    machine: &mut dyn Machine,
    plans: Vec<Plan>,
    document: &mut Document,
    clocks: impl Fn(u32) -> Option<(f64, f64)>,
    long: bool,
) -> Result<(), Failure> {
    let cores = measure::measure(machine, plans, document)?;
    hide(document);
    let is_emulated = is_emulated(document);
    for core in cores {
        if let Some(cpu) = machine.pin(core.cpus.as_deref()) {
            let judged = behaviour::judge(machine, &core, clocks(cpu), is_emulated, long);
            document.behaviours.extend(judged);
        }
    }
    document.all_right = all_right(&document.rows, &document.behaviours);
    Ok(())
}
