//! Reads what `perf stat` prints: with `-j`, with `-x` and a separator, and for people (in [`plain`]).
//!
//! Its rows are not alone in a file: `-o` puts a comment in front, and with `2>` there are warnings, and what the
//! measured program prints. No column of CSV is quoted, and names of events contain commas, so a row is read from
//! both ends.

use std::fmt;

use serde_json::{Map, Value as Json};

use super::plain;

/// Rows of a file.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The rows, in the order of the file.
    pub rows: Vec<Row>,
    /// Lines that are no rows, with their numbers. Not of text for people, in which anything can stand.
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
    /// What is wrong with it.
    pub why: ParseErrorKind,
}

/// A table that `perf stat` printed for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The number of its first line.
    pub line: usize,
    /// What was measured: `'./work'`, `'system wide'`, `process id '12'`. Empty where the title is missing.
    pub title: String,
    /// Of how many runs its counts are the means (`-r`).
    pub repeats: Option<u32>,
    /// How long it took.
    pub elapsed_nanoseconds: Option<u64>,
}

/// The output format of `perf stat` for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format<'t> {
    /// `-j`
    Json,
    /// `-x`, with this separator.
    Separated(&'t str),
}

/// What `perf` says of an event; with `-I`, in an interval.
#[derive(Clone, Debug)]
pub struct Row {
    /// The number of its line, from 1.
    pub line: usize,
    /// Its place in [`Recording::runs`]; 0 if there are none.
    pub run: usize,
    /// End of the interval, from the start of the measurement.
    pub nanoseconds: Option<u64>,
    /// It is of all intervals together (`--summary`).
    pub is_summary: bool,
    /// The core, cluster or socket, where `perf` tells them apart: `CPU0`.
    pub scope: Option<String>,
    /// Of how many cores or threads it is the sum, where `perf` says that. None, 0, are of a PMU that is elsewhere.
    pub cores: Option<u32>,
    /// The count.
    pub count: Count,
    /// The unit that `perf` names: `msec`.
    pub unit: String,
    /// The event's name.
    pub event: String,
    /// Of several runs (`-r`), the standard deviation of their mean, in percent of it.
    pub variance_percent: Option<f64>,
    /// For how long it was counted, in nanoseconds.
    pub running_nanoseconds: u64,
    /// Of the time for which it was enabled, the part in which it was counted.
    pub running_percent: f64,
    /// Figures that `perf` computed, with their units.
    pub metrics: Vec<(f64, String)>,
}

/// What stands in the place of a count.
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
    /// With digits behind the point: a time, or a mean.
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
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

/// What is wrong with a line.
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
    /// A key is missing, or has a value of another kind.
    Key(&'static str),
    /// A row of CSV whose columns are not those of `perf stat`.
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

/// Reads a file.
pub fn parse(text: &str) -> Result<Recording, ParseError> {
    let recording = match Format::of(text) {
        Some(format) => format.parse(text),
        None => plain::parse(text),
    };
    if !recording.rows.is_empty() {
        return Ok(recording);
    }
    if let Some(Unread { line, why, .. }) = recording.unread.into_iter().next() {
        return Err(ParseError { line, kind: why });
    }
    let lines = || text.lines().enumerate().map(|(nth, line)| (nth + 1, line));
    if let Some((line, _)) = lines().find(|(_, line)| has_decimal_comma(line)) {
        return Err(ParseError { line, kind: ParseErrorKind::DecimalComma });
    }
    if let Some((line, _)) = lines().find(|(_, line)| plain::is_head(line)) {
        return Err(ParseError { line, kind: ParseErrorKind::NoCounts });
    }
    let (line, first) = lines().find(|(_, line)| !line.trim().is_empty()).unwrap_or((1, ""));
    Err(ParseError { line, kind: ParseErrorKind::NoRows(shortened(first)) })
}

impl<'t> Format<'t> {
    /// JSON if any line looks like it; else the separator with which a line is a row, if there is one.
    pub fn of(text: &'t str) -> Option<Self> {
        let is_object = |line: &str| {
            unquoted(line).starts_with("{\"")
                && ["\"counter-value\"", "\"event-runtime\"", "\"metric-unit\""]
                    .iter()
                    .any(|key| line.contains(key))
        };
        if text.lines().any(is_object) {
            return Some(Self::Json);
        }
        text.lines().map(unquoted).find_map(separator).map(Self::Separated)
    }

    /// Reads a line.
    pub fn line(self, content: &str) -> Result<Line, ParseErrorKind> {
        let content = unquoted(content);
        match self {
            Self::Json => json_line(content),
            Self::Separated(separator) => separated_line(content, separator),
        }
    }

    fn parse(self, text: &str) -> Recording {
        let last = text.lines().count();
        let mut recording = Recording::default();
        for (nth, content) in text.lines().enumerate() {
            let line = nth + 1;
            let is_cut = line == last && !text.ends_with('\n');
            match self.line(content) {
                Ok(Line::Row(row)) => recording.rows.push(Row { line, ..*row }),
                Ok(Line::Metric(metric)) => {
                    recording.rows.last_mut().into_iter().for_each(|row| {
                        row.metrics.push(metric.clone());
                    });
                }
                Ok(Line::Nothing) => {}
                Ok(Line::Other) | Err(_) if is_cut => recording.cut_off = Some(line),
                Ok(Line::Other) => recording.other_lines.push((line, shortened(content))),
                Err(why) => {
                    recording.unread.push(Unread { line, text: shortened(content), why });
                }
            }
        }
        recording
    }
}

/// A line without the marks of a quotation in a mail.
pub fn unquoted(line: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '>' | '|');
    let rest = line.trim_start_matches(is_mark);
    if line.starts_with(['>', '|', ' ']) { rest } else { line }
}

/// What separates the columns of a row: it stands between the time and the share, two numbers in each row.
fn separator(line: &str) -> Option<&str> {
    let is_row = |separator: &&str| matches!(separated_line(line, separator), Ok(Line::Row(_)));
    let between = |(point, _): (usize, &str)| {
        let front = line[..point].trim_end_matches(|c: char| c.is_ascii_digit());
        let time = front.trim_end_matches(|c: char| !c.is_alphanumeric());
        let separator = &front[time.len()..];
        let is_separator = time.ends_with(|c: char| c.is_ascii_digit()) && !separator.is_empty();
        is_separator.then_some(separator)
    };
    line.match_indices('.').filter_map(between).find(is_row)
}

/// What is in a line.
#[derive(Clone, Debug)]
pub enum Line {
    Row(Box<Row>),
    /// One more figure that `perf` computed for the event of the row before.
    Metric((f64, String)),
    /// Empty, or a comment.
    Nothing,
    /// What is not of `perf stat`.
    Other,
}

/// The beginning of a line, for messages.
pub fn shortened(line: &str) -> String {
    line.trim().chars().filter(|letter| !letter.is_control()).take(60).collect()
}

pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

fn count(text: &str) -> Option<Count> {
    match text.trim() {
        "<not counted>" => Some(Count::NotCounted),
        "<not supported>" => Some(Count::NotSupported),
        number => Number::read(number).map(Count::Number),
    }
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

fn json_line(content: &str) -> Result<Line, ParseErrorKind> {
    let content = content.trim();
    if content.is_empty() || content.starts_with('#') {
        return Ok(Line::Nothing);
    }
    if !content.starts_with('{') {
        return Ok(Line::Other);
    }
    // `perf` divides by zero, and prints the result of that too.
    let mut numbers =
        content.replace(" nan,", " null,").replace(" -nan,", " null,").replace(" inf,", " null,");
    // perf 6.13 ends a row without a metric with a comma.
    if let Some(fields) = numbers.strip_suffix('}').and_then(|all| all.trim_end().strip_suffix(','))
    {
        numbers = format!("{fields}}}");
    }
    let object: Map<String, Json> = serde_json::from_str(&numbers).map_err(|error| {
        if has_decimal_comma(content) {
            ParseErrorKind::DecimalComma
        } else {
            // The text is one line, whose number is that of the file.
            ParseErrorKind::Json(error.to_string().replace(" at line 1 column", ", column"))
        }
    })?;
    let text = |key: &str| object.get(key).and_then(Json::as_str);
    let number = |key: &str| match object.get(key) {
        Some(Json::Number(number)) => number.as_f64().filter(|value| value.is_finite()),
        Some(Json::String(text)) => finite(text),
        _ => None,
    };
    let metric = match (number("metric-value"), text("metric-unit")) {
        (Some(value), Some(unit)) if !unit.is_empty() && unit != "(null)" => {
            Some((value, unit.to_owned()))
        }
        _ => None,
    };
    if !object.contains_key("counter-value")
        && !object.contains_key("event")
        && object.contains_key("metric-unit")
    {
        return Ok(metric.map_or(Line::Nothing, Line::Metric));
    }
    let key = ParseErrorKind::Key;
    let nanoseconds = match object.get("interval") {
        None => None,
        Some(_) => {
            let seconds =
                number("interval").filter(|seconds| *seconds >= 0.0).ok_or(key("interval"))?;
            Some((seconds * 1e9).round() as u64)
        }
    };
    let scopes = ["cpu", "core", "cache", "die", "cluster", "socket", "node", "thread"];
    let scope = scopes.iter().find_map(|scope| {
        let value = text(scope)?;
        Some(if is_digits(value) {
            format!("{}{value}", scope.to_uppercase())
        } else {
            value.to_owned()
        })
    });
    let variance_percent = match object.get("variance") {
        None => None,
        Some(_) => Some(number("variance").ok_or(key("variance"))?),
    };
    Ok(Line::Row(Box::new(Row {
        line: 0,
        run: 0,
        nanoseconds,
        is_summary: false,
        scope,
        cores: object
            .get("aggregate-number")
            .and_then(Json::as_u64)
            .and_then(|cores| u32::try_from(cores).ok()),
        count: text("counter-value").and_then(count).ok_or(key("counter-value"))?,
        unit: text("unit").unwrap_or_default().to_owned(),
        event: text("event").filter(|event| !event.is_empty()).ok_or(key("event"))?.to_owned(),
        variance_percent,
        running_nanoseconds: object
            .get("event-runtime")
            .and_then(Json::as_u64)
            .ok_or(key("event-runtime"))?,
        running_percent: number("pcnt-running").and_then(percent).ok_or(key("pcnt-running"))?,
        metrics: metric.into_iter().collect(),
    })))
}

/// Whether the share of time, which has two digits behind the point, has them behind a comma: `perf` formats
/// numbers as the user's language does.
pub fn has_decimal_comma(content: &str) -> bool {
    let is_share = |whole: &str, part: &str| {
        is_digits(whole) && whole.len() <= 3 && is_digits(part) && part.len() == 2
    };
    if let Some((_, behind)) = content.split_once("\"pcnt-running\" : ") {
        let mut parts = behind.split([',', ' ', '}']);
        return is_share(parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    }
    let comma: Vec<&str> = content.split(',').collect();
    let is_row = comma.len() >= 6 && count(comma[0]).or(count(comma[1])).is_some();
    let behind_time = |of: &[&str]| is_digits(of[0]) && is_share(of[1], of[2]);
    if is_row && comma.windows(3).any(behind_time) {
        return true;
    }
    [';', '\t', '|'].into_iter().any(|separator| {
        let columns: Vec<&str> = content.split(separator).collect();
        let share = |column: &&str| column.split_once(',').is_some_and(|(a, b)| is_share(a, b));
        columns.len() >= 5 && columns.iter().any(share)
    })
}

fn separated_line(content: &str, separator: &str) -> Result<Line, ParseErrorKind> {
    if content.trim().is_empty() || content.starts_with('#') {
        return Ok(Line::Nothing);
    }
    let columns: Vec<&str> = content.split(separator).map(str::trim).collect();
    // A row has five columns or more; a sentence has fewer commas.
    if columns.len() < 5 {
        return Ok(Line::Other);
    }
    let is_summary = columns[0] == "summary";
    let time = seconds(columns[0]);
    let behind = (time.is_some() || is_summary)
        .then(|| separated_row(&columns[1..], separator))
        .flatten()
        .map(|row| Row { nanoseconds: time, is_summary, ..row });
    // A count can look like a time.
    if let Some(row) = behind.or_else(|| separated_row(&columns, separator)) {
        return Ok(Line::Row(Box::new(row)));
    }
    separated_metric(&columns).map(Line::Metric).ok_or(ParseErrorKind::Columns)
}

/// One more figure: all columns but the last two are empty, or those in front.
fn separated_metric(columns: &[&str]) -> Option<(f64, String)> {
    let [front @ .., value, unit] = columns else { return None };
    let empty = front.iter().rev().take_while(|column| column.is_empty()).count();
    let is_unit = !unit.is_empty() && count(unit).is_none();
    if empty < 3 || !is_unit { None } else { Some((finite(value)?, (*unit).to_owned())) }
}

/// A row, behind its time.
fn separated_row(columns: &[&str], separator: &str) -> Option<Row> {
    // With -A and the like, the core in front of the count; with --per-socket, also how many cores.
    let mut at = columns.iter().position(|column| count(column).is_some())?;
    let scope = columns[..at].join(" ");
    if columns[..at].iter().any(|column| column.is_empty()) || at > 1 {
        return None;
    }
    let mut cores = None;
    if at == 1 && columns.get(at + 1).is_some_and(|column| count(column).is_some()) {
        cores = columns[at].parse().ok();
        at += 1;
    }
    let count = count(columns[at])?;
    let unit = columns.get(at + 1)?.trim();
    if unit.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let event = at + 2;
    // From behind: the time that it ran, and the share of that.
    let ran = |nth: &usize| is_digits(columns[*nth]) && share(columns[*nth + 1]).is_some();
    let runs = (event + 1..columns.len().checked_sub(1)?).rev().find(ran)?;
    let variance =
        columns[runs - 1].strip_suffix('%').and_then(finite).filter(|_| runs - 1 > event);
    let name = columns[event..if variance.is_some() { runs - 1 } else { runs }].join(separator);
    if name.is_empty() {
        return None;
    }
    let metric = match columns.get(runs + 2..) {
        Some([value, unit @ ..])
            if !value.is_empty() && unit.iter().any(|unit| !unit.is_empty()) =>
        {
            Some((finite(value)?, unit.join(separator)))
        }
        _ => None,
    };
    Some(Row {
        line: 0,
        run: 0,
        nanoseconds: None,
        is_summary: false,
        scope: Some(scope).filter(|scope| !scope.is_empty()),
        cores,
        count,
        unit: unit.to_owned(),
        event: name,
        variance_percent: variance,
        running_nanoseconds: columns[runs].parse().ok()?,
        running_percent: share(columns[runs + 1])?,
        metrics: metric.into_iter().collect(),
    })
}

/// `100.00`
fn share(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.')?;
    if !is_digits(whole) || !is_digits(part) || part.len() != 2 {
        None
    } else {
        percent(finite(text)?)
    }
}
