//! Parses output of `perf stat` with `-j`, or with `-x` and a separator. [`plain`] parses human-readable output.
//!
//! A file can contain other lines: `-o` adds a comment at the start, and `2>` adds warnings and the output of the
//! measured program. CSV columns are not quoted, although event names can contain commas, so the columns before and
//! after the name are parsed from both ends.

use serde_json::{Map, Value as Json};

use super::plain;
use super::recording::{
    Count, DECIMAL_COMMA, Number, ParseError, Recording, Row, UnreadLine, finite, is_digits,
    percent, seconds, shortened, unquoted,
};

/// Machine-readable format of `perf stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format<'t> {
    /// Output of `-j`.
    Json,
    /// Output of `-x` with this separator.
    Separated(&'t str),
}

/// Parses a file in any of the three formats.
pub fn parse(text: &str) -> Result<Recording, ParseError> {
    let recording = match Format::of(text) {
        Some(format) => format.parse(text),
        None => plain::parse(text),
    };
    if !recording.rows.is_empty() {
        return Ok(recording);
    }
    let error = |line, why: String| ParseError { line, why, is_other_text: false };
    if let Some(UnreadLine { line, why, .. }) = recording.unread.into_iter().next() {
        return Err(error(line, why));
    }
    let lines = || text.lines().enumerate().map(|(nth, line)| (nth + 1, line));
    if let Some((line, _)) = lines().find(|(_, line)| has_decimal_comma(line)) {
        return Err(error(line, DECIMAL_COMMA.to_owned()));
    }
    if let Some((line, _)) = lines().find(|(_, line)| plain::is_head(line)) {
        let why = "this table of perf stat has no counts; run it without --metric-only, or with -j";
        return Err(error(line, why.to_owned()));
    }
    let (line, first) = lines().find(|(_, line)| !line.trim().is_empty()).unwrap_or((1, ""));
    let more = match shortened(first) {
        first if first.is_empty() => String::new(),
        first if first.contains('\u{fffd}') => "; it is not a text file".to_owned(),
        first => format!("; it begins: {first}"),
    };
    let why = format!("the file has no rows of perf stat{more}");
    Err(ParseError { is_other_text: true, ..error(line, why) })
}

impl<'t> Format<'t> {
    /// Detects the format: JSON if a line has JSON keys of `perf`, otherwise the separator of the first row; `None` if
    /// the text has neither keys nor rows.
    pub fn of(text: &'t str) -> Option<Self> {
        let keys = ["\"counter-value\"", "\"event-runtime\"", "\"metric-unit\""];
        let has_key = |line: &str| keys.iter().any(|key| line.contains(key));
        let is_object = |line: &str| unquoted(line).starts_with("{\"") && has_key(line);
        if text.lines().any(is_object) {
            return Some(Self::Json);
        }
        text.lines().map(unquoted).find_map(separator).map(Self::Separated)
    }

    pub fn line(self, content: &str) -> Result<Line, String> {
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
                    recording.unread.push(UnreadLine { line, text: shortened(content), why });
                }
            }
        }
        recording
    }
}

/// Finds the column separator of a row from its two adjacent numbers, the running time and its share.
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

/// The content of a line.
#[derive(Clone, Debug)]
pub enum Line {
    Row(Box<Row>),
    /// A further metric for the event of the previous row.
    Metric((f64, String)),
    /// An empty line or a comment.
    Nothing,
    /// A line that is not from `perf stat`.
    Other,
}

fn count(text: &str) -> Option<Count> {
    match text.trim() {
        "<not counted>" => Some(Count::NotCounted),
        "<not supported>" => Some(Count::NotSupported),
        number => Number::read(number).map(Count::Number),
    }
}

fn json_line(content: &str) -> Result<Line, String> {
    let content = content.trim();
    if content.is_empty() || content.starts_with('#') {
        return Ok(Line::Nothing);
    }
    if !content.starts_with('{') {
        return Ok(Line::Other);
    }
    // `perf` prints `nan` and `inf` after a division by zero.
    let mut numbers =
        content.replace(" nan,", " null,").replace(" -nan,", " null,").replace(" inf,", " null,");
    // perf 6.13 ends a row without a metric with a comma.
    if let Some(fields) = numbers.strip_suffix('}').and_then(|all| all.trim_end().strip_suffix(','))
    {
        numbers = format!("{fields}}}");
    }
    let object: Map<String, Json> = serde_json::from_str(&numbers).map_err(|error| {
        if has_decimal_comma(content) {
            DECIMAL_COMMA.to_owned()
        } else {
            // The JSON error always names line 1, so messages give the line number in the file
            // instead.
            format!("not JSON: {error}").replace(" at line 1 column", ", column")
        }
    })?;
    let text = |key: &str| object.get(key).and_then(Json::as_str);
    let number = |key: &str| match object.get(key) {
        Some(Json::Number(number)) => number.as_f64().filter(|value| value.is_finite()),
        Some(Json::String(text)) => finite(text),
        _ => None,
    };
    let integer = |key: &str| object.get(key).and_then(Json::as_u64);
    let unit = text("metric-unit").filter(|unit| !["", "(null)"].contains(unit));
    let metric = number("metric-value").zip(unit.map(str::to_owned));
    let has = |key: &str| object.contains_key(key);
    if !has("counter-value") && !has("event") && has("metric-unit") {
        return Ok(metric.map_or(Line::Nothing, Line::Metric));
    }
    let key =
        |name| move || format!("`{name}` is missing, or differs from the output of perf stat -j");
    // If a key is present, its value must be a number.
    let optional = |name| match object.get(name) {
        None => Ok(None),
        Some(_) => number(name).map(Some).ok_or_else(key(name)),
    };
    let interval = optional("interval")?;
    if interval.is_some_and(|seconds| seconds < 0.0) {
        return Err(key("interval")());
    }
    let scopes = ["cpu", "core", "cache", "die", "cluster", "socket", "node", "thread"];
    let scope = scopes.iter().find_map(|scope| {
        let value = text(scope)?;
        let kind = if is_digits(value) { scope.to_uppercase() } else { String::new() };
        Some(kind + value)
    });
    let share = number("pcnt-running").and_then(percent);
    Ok(Line::Row(Box::new(Row {
        nanoseconds: interval.map(|seconds| (seconds * 1e9).round() as u64),
        scope,
        cores: integer("aggregate-number").and_then(|cores| cores.try_into().ok()),
        count: text("counter-value").and_then(count).ok_or_else(key("counter-value"))?,
        unit: text("unit").unwrap_or_default().to_owned(),
        event: text("event").filter(|event| !event.is_empty()).ok_or_else(key("event"))?.to_owned(),
        variance_percent: optional("variance")?,
        running_nanoseconds: integer("event-runtime").ok_or_else(key("event-runtime"))?,
        running_percent: share.ok_or_else(key("pcnt-running"))?,
        metrics: metric.into_iter().collect(),
        ..Row::default()
    })))
}

/// Whether the share of time has a decimal comma, which `perf` prints in some locales. The share has two decimals.
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

fn separated_line(content: &str, separator: &str) -> Result<Line, String> {
    if content.trim().is_empty() || content.starts_with('#') {
        return Ok(Line::Nothing);
    }
    let columns: Vec<&str> = content.split(separator).map(str::trim).collect();
    // A row has at least five columns; a line with fewer is other text.
    if columns.len() < 5 {
        return Ok(Line::Other);
    }
    let is_summary = columns[0] == "summary";
    let time = seconds(columns[0]);
    let behind = (time.is_some() || is_summary)
        .then(|| separated_row(&columns[1..], separator))
        .flatten()
        .map(|row| Row { nanoseconds: time, is_summary, ..row });
    // If there is no row after the first column, the first column is not a time, but the count of
    // the row.
    if let Some(row) = behind.or_else(|| separated_row(&columns, separator)) {
        return Ok(Line::Row(Box::new(row)));
    }
    separated_metric(&columns)
        .map(Line::Metric)
        .ok_or_else(|| "the columns differ from the output of perf stat -x".to_owned())
}

/// Parses a line with a further metric: at least three empty columns, then the metric's value and
/// unit.
fn separated_metric(columns: &[&str]) -> Option<(f64, String)> {
    let [front @ .., value, unit] = columns else { return None };
    let empty = front.iter().rev().take_while(|column| column.is_empty()).count();
    let is_unit = !unit.is_empty() && count(unit).is_none();
    if empty < 3 || !is_unit { None } else { Some((finite(value)?, (*unit).to_owned())) }
}

/// Parses a row without its time column.
fn separated_row(columns: &[&str], separator: &str) -> Option<Row> {
    // With -A, the core precedes the count; with --per-socket, the number of cores follows the socket.
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
    // The last two adjacent numbers are the running time and its share.
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
        scope: Some(scope).filter(|scope| !scope.is_empty()),
        cores,
        count,
        unit: unit.to_owned(),
        event: name,
        variance_percent: variance,
        running_nanoseconds: columns[runs].parse().ok()?,
        running_percent: share(columns[runs + 1])?,
        metrics: metric.into_iter().collect(),
        ..Row::default()
    })
}

/// Parses a share such as `100.00`.
fn share(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.')?;
    let is_share = is_digits(whole) && is_digits(part) && part.len() == 2;
    percent(finite(text)?).filter(|_| is_share)
}
