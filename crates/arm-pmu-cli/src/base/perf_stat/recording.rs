//! The parsed counts of `perf stat`, independent of the format.

use std::fmt;

use serde::Serialize;

use crate::base::documents::documents;

/// Explanation of `<not supported>`.
pub const WHY_NOT_SUPPORTED: &str = "The kernel refused: the PMU has no such event, or two events of a group need \
    different PMUs or different StreamID filters, or an interconnect was not counted for the whole system (-a).";

/// Parsed rows of a file.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Rows in the order of the file.
    pub rows: Vec<Row>,
    /// Lines that are not rows, with their numbers.
    pub other_lines: Vec<(usize, String)>,
    /// Lines that look like rows but cannot be parsed.
    pub unread: Vec<UnreadLine>,
    /// Number of the last line, if the file ends within a row.
    pub cut_off: Option<usize>,
    /// Tables of human-readable output; empty for other formats.
    pub runs: Vec<Run>,
}

documents! {
    derive(Clone, Debug, PartialEq, Eq, Serialize)

    /// A line that looks like a row or a reading but cannot be parsed.
    UnreadLine {
        line: usize,
        text: String,
        why: String,
    }
}

/// A human-readable table of `perf stat`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Line number at which the table begins.
    pub line: usize,
    /// Measured target: `'./work'`, `'system wide'`, `process id '12'`. Empty if the title is missing.
    pub title: String,
    /// Number of runs whose mean was printed (`-r`).
    pub repeats: Option<u32>,
    pub elapsed_nanoseconds: Option<u64>,
}

/// Count of an event; with `-I`, in one interval.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Number of the line, from 1.
    pub line: usize,
    /// Index in [`Recording::runs`]; 0 if there are no runs.
    pub run: usize,
    /// End of the interval, from the start of the measurement.
    pub nanoseconds: Option<u64>,
    /// Whether the row covers all intervals (`--summary`).
    pub is_summary: bool,
    /// Core, cluster or socket, if `perf` counted them separately: `CPU0`.
    pub scope: Option<String>,
    /// Number of cores or threads whose counts `perf` added up, if `perf` prints it; 0 if the PMU
    /// belongs to other cores.
    pub cores: Option<u32>,
    /// Count, or the text that `perf` printed instead of a count.
    pub count: Count,
    /// Unit that `perf` prints: `msec`.
    pub unit: String,
    pub event: String,
    /// Standard deviation of the mean of several runs (`-r`), in percent of the mean.
    pub variance_percent: Option<f64>,
    /// Time that the event was on a counter, in nanoseconds.
    pub running_nanoseconds: u64,
    /// Time that the event was on a counter, in percent of the time that it was enabled.
    pub running_percent: f64,
    /// Metrics that `perf` computed, with their units.
    pub metrics: Vec<(f64, String)>,
}

/// A count, or the text in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Count {
    /// A count, which `perf` has scaled if the event was on a counter for only a part of the time.
    Number(Number),
    #[default]
    NotCounted,
    NotSupported,
}

impl Count {
    /// The count as an integer. The mean of several runs, which `perf` prints with decimals, is
    /// rounded up.
    pub fn whole(self) -> Option<u64> {
        match self {
            Self::Number(Number::Integer(value)) => Some(value),
            Self::Number(Number::Decimal(value)) => Some(value.ceil() as u64),
            Self::NotCounted | Self::NotSupported => None,
        }
    }
}

/// A number as `perf` prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Integer(u64),
    /// A number with decimals: a time, or a mean.
    Decimal(f64),
}

/// Largest count that `perf` prints exactly, because it converts counts to `double`.
const EXACT: u64 = 1 << 53;

impl Number {
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Decimal(value) => value,
        }
    }

    /// Whether `perf` may have rounded the number.
    pub fn may_be_rounded(self) -> bool {
        match self {
            Self::Integer(value) => value > EXACT,
            Self::Decimal(value) => value > EXACT as f64,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        let exact = match (self, other) {
            (Self::Integer(one), Self::Integer(another)) => one.checked_add(another),
            _ => None,
        };
        exact.map_or(Self::Decimal(self.as_f64() + other.as_f64()), Self::Integer)
    }

    /// Parses digits with or without a decimal point.
    pub fn read(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        if !is_digits(whole) || !is_digits(part) {
            return None;
        }
        match whole.parse() {
            Ok(value) if part.bytes().all(|digit| digit == b'0') => Some(Self::Integer(value)),
            _ => finite(text).map(Self::Decimal),
        }
    }
}

/// Reason why a file cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: usize,
    pub why: String,
    /// Whether nothing in the file looks like output of `perf stat`.
    pub is_other_text: bool,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// Reason why a line with decimal commas is not parsed.
pub const DECIMAL_COMMA: &str = "numbers have a decimal comma; run perf with LC_ALL=C";

/// Removes the quotation marks of a mail from a line.
pub fn unquoted(line: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '>' | '|');
    let rest = line.trim_start_matches(is_mark);
    if line.starts_with(['>', '|', ' ']) { rest } else { line }
}

/// Shortens a line for messages.
pub fn shortened(line: &str) -> String {
    line.trim().chars().filter(|letter| !letter.is_control()).take(60).collect()
}

pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

/// Parses seconds with up to nine decimals. Returns nanoseconds.
pub fn seconds(text: &str) -> Option<u64> {
    let (whole, part) = text.trim().split_once('.')?;
    if part.len() > 9 || !is_digits(whole) || !is_digits(part) {
        return None;
    }
    let part = format!("{part:0<9}");
    whole.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(part.parse().ok()?)
}

/// Checks that a percentage is between 0 and 100.
pub fn percent(value: f64) -> Option<f64> {
    (0.0..=100.0).contains(&value).then_some(value)
}
