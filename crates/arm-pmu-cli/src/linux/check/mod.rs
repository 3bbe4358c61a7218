//! `arm-pmu check`: compares known memory traffic with the counts of this system's PMUs.

mod expect;
mod measure;
mod plan;
mod show;
#[cfg(test)]
mod tests;

use std::path::Path;

use arm_pmu_linux::perf::Sysfs;
use serde::Serialize;

use crate::base::answer::Answer;
use crate::base::arguments::Check as Arguments;
use crate::base::documents::documents;
use crate::base::failure::{Failure, NOT_FOUND};
use crate::base::platform;
use crate::base::text::Screen;
use crate::linux::stat::{board, kernel};
use expect::{Pass, Quantity, Verdict};

documents! {
    derive(Clone, Debug, PartialEq, Serialize)

    /// Output of `arm-pmu check --json`.
    Document {
        tool: String,
        /// Seconds since 1970.
        unix_seconds: u64,
        kernel: Option<String>,
        /// Processor architecture, by Rust's name.
        machine: String,
        board: Option<String>,
        platform: Option<String>,
        /// Bytes that each pass reads or writes, one 64-byte line after the other.
        bytes: u64,
        lines: u64,
        /// Whether the lines were cleaned from the data caches before each pass.
        cleaned: bool,
        /// Total size of the data caches in bytes; null if the kernel does not report it.
        cache_bytes: Option<u64>,
        rows: Vec<Row>,
        /// Events that could not be counted.
        missing: Vec<Missing>,
        /// Whether there is a count and all counts are right, except hidden ones. Events in `missing` have no count.
        all_right: bool,
    }

    /// Count of an event in one pass.
    Row {
        /// Kernel's name of the PMU.
        pmu: String,
        /// Name of the IP and its unit; null if the tables lack the PMU.
        ip: Option<String>,
        /// Processor that generated the traffic.
        cpu: u32,
        pass: Pass,
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
        /// Count without the pass, in the time of one pass; 0 for events of the thread alone.
        idle: f64,
        /// Seconds of one pass.
        seconds: f64,
        /// Bytes that `counted` represents, if known.
        counted_bytes: Option<u64>,
        verdict: Verdict,
    }

    /// A PMU or an event that could not be counted.
    Missing {
        what: String,
        why: String,
        /// Number of events with this reason; 1 for a whole PMU.
        number: u32,
    }
}

impl Missing {
    fn new(what: &str, why: &str) -> Self {
        Self { what: what.to_owned(), why: why.to_owned(), number: 1 }
    }
}

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    // Exit status 1 is reserved for wrong counts.
    let document = check(arguments, Path::new("/"))
        .map_err(|failure| Failure::wrong_use(failure.to_string()))?;
    let answer = match arguments.json {
        true => Answer::json(&document)?,
        false => Answer::text(show::text(&document, screen)),
    };
    if document.rows.is_empty() {
        return Ok(Answer { status: Some(2), ..answer });
    }
    Ok(Answer { status: status(&document), ..answer })
}

/// Fails if a count is not right, or if a PMU of the named board is missing. Without a board, a missing PMU is no
/// failure.
fn status(document: &Document) -> Option<u8> {
    let is_complete = document.platform.is_none() || document.missing.is_empty();
    (!(document.all_right && is_complete)).then_some(NOT_FOUND)
}

fn all_right(rows: &[Row]) -> bool {
    let mut judged = rows.iter().filter(|row| row.verdict != Verdict::Hidden).peekable();
    judged.peek().is_some() && judged.all(|row| row.verdict == Verdict::Right)
}

fn check(arguments: &Arguments, root: &Path) -> Result<Document, Failure> {
    let platform = arguments.platform.as_deref().map(platform::find).transpose()?;
    let sysfs = Sysfs::at(root);
    let (plans, mut missing) = plan::plans(&sysfs, platform);
    let cache_bytes = plan::cache_bytes(root);
    let free = plan::free_bytes(root);
    let bytes = match (arguments.size, free) {
        (Some(mebibytes), Some(free)) if u64::from(mebibytes) << 20 > free => {
            let text = format!("--size {mebibytes}: {} MiB of memory are available", free >> 20);
            return Err(Failure::wrong_use(text));
        }
        (Some(mebibytes), _) => u64::from(mebibytes) << 20,
        (None, free) => plan::bytes(cache_bytes, free),
    };
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let mut document = Document {
        tool: format!("arm-pmu {}", env!("CARGO_PKG_VERSION")),
        unix_seconds: now.map_or(0, |time| time.as_secs()),
        kernel: kernel(root),
        machine: std::env::consts::ARCH.to_owned(),
        board: board(root),
        platform: platform.map(|platform| platform.name.to_owned()),
        bytes,
        lines: bytes / 64,
        cleaned: false,
        cache_bytes,
        rows: Vec::new(),
        missing: Vec::new(),
        all_right: false,
    };
    if !plans.is_empty() {
        measure::measure(&sysfs, plans, &mut document, &mut missing)?;
    }
    document.all_right = all_right(&document.rows);
    // Events with the same reason share a line.
    for one in missing {
        let same = |other: &&mut Missing| other.what == one.what && other.why == one.why;
        match document.missing.iter_mut().find(same) {
            Some(other) => other.number += 1,
            None => document.missing.push(one),
        }
    }
    Ok(document)
}
