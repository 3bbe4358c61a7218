//! The counts of `perf stat`, in a form common to all its formats.

use std::fmt;

/// Why `perf` prints `<not supported>`.
pub const WHY_NOT_SUPPORTED: &str = "The kernel refused: the PMU has no such event, or two events of a group need \
    different PMUs or different StreamID filters, or an interconnect was not counted for the whole system (-a).";

/// Rows of a file.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The rows, in the order of the file.
    pub rows: Vec<Row>,
    /// Lines that are no rows, with their numbers. Lines other than rows, with their numbers.
    pub other_lines: Vec<(usize, String)>,
    /// Lines that look like rows and cannot be read.
    pub unread: Vec<Unread>,
    /// The number of the last line, if it ends in the middle of a row.
    pub cut_off: Option<usize>,
    /// The measurements in text for people; empty for other formats.
    pub runs: Vec<Run>,
}

/// A line that looks like a row and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Its number, from 1.
    pub line: usize,
    /// Its beginning.
    pub text: String,
    /// The reason.
    pub why: ParseErrorKind,
}

/// A table that `perf stat` printed for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The number of its first line.
    pub line: usize,
    /// The measured target: `'./work'`, `'system wide'`, `process id '12'`. Empty if the title is missing.
    pub title: String,
    /// Number of runs behind the mean counts (`-r`).
    pub repeats: Option<u32>,
    /// Elapsed time.
    pub elapsed_nanoseconds: Option<u64>,
}

/// `perf`'s result for an event; with `-I`, for one interval.
#[derive(Clone, Debug)]
pub struct Row {
    /// The number of its line, from 1.
    pub line: usize,
    /// Its place in [`Recording::runs`]; 0 if there are none.
    pub run: usize,
    /// End of the interval, from the start of the measurement.
    pub nanoseconds: Option<u64>,
    /// The row covers all intervals (`--summary`).
    pub is_summary: bool,
    /// The core, cluster or socket, if `perf` separates them: `CPU0`.
    pub scope: Option<String>,
    /// Number of cores or threads summed, if `perf` prints it; 0 for a PMU that is elsewhere.
    pub cores: Option<u32>,
    /// The count.
    pub count: Count,
    /// The unit that `perf` names: `msec`.
    pub unit: String,
    /// The event's name.
    pub event: String,
    /// For several runs (`-r`), the standard deviation of the mean, in percent of the mean.
    pub variance_percent: Option<f64>,
    /// Time on a counter, in nanoseconds.
    pub running_nanoseconds: u64,
    /// Time on a counter, in percent of the time enabled.
    pub running_percent: f64,
    /// Figures that `perf` computed, with their units.
    pub metrics: Vec<(f64, String)>,
}

/// A count, or the text in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    /// A number. If the event was not counted all the time, `perf` has scaled it.
    Number(Number),
    /// `<not counted>`
    NotCounted,
    /// `<not supported>`
    NotSupported,
}

/// A count as `perf` prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(u64),
    /// With decimals: a time, or a mean.
    Decimal(f64),
}

/// Above it, `perf` rounds counts: it prints them from a `double`.
const EXACT: u64 = 1 << 53;

impl Number {
    /// In floating point.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Decimal(value) => value,
        }
    }

    /// Whether `perf` may have rounded it.
    pub fn may_be_rounded(self) -> bool {
        match self {
            Self::Integer(value) => value > EXACT,
            Self::Decimal(value) => value > EXACT as f64,
        }
    }

    /// The sum of both.
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Integer(one), Self::Integer(another)) => one
                .checked_add(another)
                .map_or(Self::Decimal(one as f64 + another as f64), Self::Integer),
            _ => Self::Decimal(self.as_f64() + other.as_f64()),
        }
    }

    /// Reads digits with a decimal point or without.
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

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The number of the line.
    pub line: usize,
    /// The kind of problem.
    pub kind: ParseErrorKind,
}

/// A malformed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// There are no rows in the file.
    NoRows(String),
    /// Tables without counts.
    NoCounts,
    /// In a table for people, a line that begins like a row.
    Row,
    /// Not JSON.
    Json(String),
    /// A key is missing, or its value has another type.
    Key(&'static str),
    /// A CSV row without `perf stat`'s columns.
    Columns,
    /// Numbers with a decimal comma.
    DecimalComma,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRows(first) if first.is_empty() => {
                f.write_str("the file has no rows of perf stat")
            }
            Self::NoRows(first) if first.contains('\u{fffd}') => {
                f.write_str("the file has no rows of perf stat; it is no text")
            }
            Self::NoRows(first) => {
                write!(f, "the file has no rows of perf stat; it begins: {first}")
            }
            Self::NoCounts => f.write_str(
                "this table of perf stat has no counts; run it without --metric-only, or with -j",
            ),
            Self::Row => f.write_str("no row of perf stat"),
            Self::Json(error) => write!(f, "not JSON: {error}"),
            Self::Key(key) => {
                write!(f, "`{key}` is missing, or is not what perf stat -j prints")
            }
            Self::Columns => f.write_str("these are not the columns that perf stat -x prints"),
            Self::DecimalComma => {
                f.write_str("numbers have a comma for the point; run perf with LC_ALL=C")
            }
        }
    }
}

/// A line without the marks of a quotation in a mail.
pub fn unquoted(line: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '>' | '|');
    let rest = line.trim_start_matches(is_mark);
    if line.starts_with(['>', '|', ' ']) { rest } else { line }
}

/// The beginning of a line, for messages.
pub fn shortened(line: &str) -> String {
    line.trim().chars().filter(|letter| !letter.is_control()).take(60).collect()
}

pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

/// Seconds with up to nine digits behind the point, in nanoseconds.
pub fn seconds(text: &str) -> Option<u64> {
    let (whole, part) = text.trim().split_once('.')?;
    if part.len() > 9 || !is_digits(whole) || !is_digits(part) {
        return None;
    }
    let part = format!("{part:0<9}");
    whole.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(part.parse().ok()?)
}

/// A share between 0 and 100.
pub fn percent(value: f64) -> Option<f64> {
    (0.0..=100.0).contains(&value).then_some(value)
}
