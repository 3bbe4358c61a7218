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

    /// `arm-pmu check --json`
    Document {
        tool: String,
        /// Seconds since 1970.
        unix_seconds: u64,
        kernel: Option<String>,
        /// The processors, as Rust names them.
        machine: String,
        board: Option<String>,
        platform: Option<String>,
        /// Bytes that are read and written, one line of 64 bytes after the other.
        bytes: u64,
        lines: u64,
        /// Whether the lines were cleaned from the data caches in front of each pass.
        cleaned: bool,
        /// Bytes that all data caches hold, as the kernel tells; null if it does not.
        cache_bytes: Option<u64>,
        rows: Vec<Row>,
        /// Events that could not be counted.
        missing: Vec<Missing>,
        /// Whether something was counted and every count is right. `missing` has what was not
        /// counted.
        all_right: bool,
    }

    /// An event in one pass.
    Row {
        /// The kernel's name of the PMU.
        pmu: String,
        /// The IP with its unit; null if the tables have none.
        ip: Option<String>,
        /// The processor that made the traffic.
        cpu: u32,
        pass: Pass,
        event: String,
        quantity: Quantity,
        /// Whether the kernel's instructions were counted too.
        with_kernel: bool,
        expected: u64,
        low: u64,
        high: u64,
        /// The middle one of all runs; null if the event was not on a counter all the time.
        counted: Option<u64>,
        /// The counts of all runs, in their order.
        runs: Vec<Option<u64>>,
        /// Counted without the pass, in the time of one; 0 where only this thread is counted.
        idle: f64,
        /// Seconds of one pass.
        seconds: f64,
        /// Bytes that `counted` represents, if known.
        counted_bytes: Option<u64>,
        verdict: Verdict,
    }

    /// Something that could not be counted.
    Missing {
        what: String,
        why: String,
        /// How many could not be counted for this reason; 1 for a PMU as a whole.
        number: u32,
    }
}

impl Missing {
    fn new(what: &str, why: &str) -> Self {
        Self { what: what.to_owned(), why: why.to_owned(), number: 1 }
    }
}

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    // 1 is for wrong counts.
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

/// If a board is named, its interconnect has to be counted too. Without a board, the existing PMUs
/// are counted.
fn status(document: &Document) -> Option<u8> {
    let is_complete = document.platform.is_none() || document.missing.is_empty();
    (!(document.all_right && is_complete)).then_some(NOT_FOUND)
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
    document.all_right =
        !document.rows.is_empty() && document.rows.iter().all(|row| row.verdict == Verdict::Right);
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
