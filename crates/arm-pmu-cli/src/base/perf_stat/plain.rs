//! Parses human-readable tables of `perf stat`, also from bug reports, mails and build logs.
//!
//! The format is from `tools/perf/util/stat-display.c`, Linux 4.4 to 6.13. A row is `[TIME] [SCOPE [CPUS]] COUNT [UNIT]
//! EVENT [CGROUP] [# VALUE UNIT].. [( +- N% )] [(N%)]`. With `-v`, rows `EVENT: VALUE ENABLED RUNNING` precede the
//! table. Numbers are grouped as in the user's language. A line that only begins like a row is reported. Other lines
//! are ignored.

use std::collections::{HashMap, HashSet};

use arm_pmu_lookup::generic;
use arm_pmu_lookup::kernel::is_name_of_pmcg;
use arm_pmu_tables::Pmu;

use super::recording::{
    Count, Number, Recording, Row, Run, UnreadLine, is_digits, percent, seconds, shortened,
    unquoted,
};

const TITLE: &str = "Performance counter stats for";

/// A line or title that has reached this length is not continued by the next line. Without a limit, the time would be
/// quadratic.
const LONGEST: usize = 2000;

/// Parses all tables of a text.
pub fn parse(text: &str) -> Recording {
    // Text from a terminal can have colour codes, and text from a bug tracker can be HTML.
    let text = anstream::adapter::strip_str(text).to_string();
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace('\u{a0}', " ");
    let mut reader = Reader::default();
    for (nth, line) in text.lines().enumerate() {
        reader.line(nth + 1, line);
    }
    reader.close();
    reader.end_run();
    if let Some(first) = reader.pending.first().map(|verbose| verbose.line) {
        reader.begin_run(first);
        reader.end_run();
    }
    reader.recording
}

/// Position of a line in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Place {
    /// Outside of tables. Here, a line is accepted only if it is unmistakably a row.
    #[default]
    Outside,
    /// After the title of a table.
    Table,
    /// After the header of a table of intervals (`-I`). Lines of the measured program can separate
    /// the rows.
    Intervals,
}

#[derive(Default)]
struct Reader {
    recording: Recording,
    place: Place,
    /// Text before the title, such as a log's time stamp or a quotation mark. Each row begins with
    /// similar text.
    prefix: String,
    /// Run whose title has been parsed, but none of whose rows has been parsed yet.
    titled: Option<Run>,
    /// Whether the next line continues the title.
    title_is_open: bool,
    /// Events of the current run; `None` outside of a run.
    events: Option<HashSet<String>>,
    /// `-v` rows that precede the next table.
    pending: Vec<Verbose>,
    /// `-v` rows of the current run.
    verbose: Vec<Verbose>,
    open: Option<Open>,
    /// Number of rows since the last empty line.
    adjacent: usize,
}

/// The last line that contained a row, or that may be the first part of a row.
struct Open {
    line: usize,
    text: String,
    /// Index of the row; `None` if the line may be only the first part of a row.
    row: Option<usize>,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        let line = unquoted(line);
        let line = without_prefix(line, &self.prefix).unwrap_or(line).trim();
        if line.is_empty() {
            self.title_is_open = false;
            self.close();
            // An empty line ends the table, unless a mail program has doubled all line ends.
            if self.place == Place::Table && self.adjacent > 1 {
                self.place = Place::Outside;
            }
            self.adjacent = 0;
        } else if let Some((prefix, title)) = line.split_once(TITLE) {
            self.close();
            self.place = Place::Table;
            prefix.clone_into(&mut self.prefix);
            let run = self.titled.insert(Run { line: number, ..Run::default() });
            self.title_is_open = run.add_title(title);
        } else if let Some(prefix) = before_head(line) {
            self.close();
            self.place = Place::Intervals;
            prefix.clone_into(&mut self.prefix);
        } else if let Some(elapsed) = elapsed(line) {
            self.close();
            let last = self.titled.as_mut().or(self.recording.runs.last_mut());
            last.into_iter().for_each(|run| run.elapsed_nanoseconds = Some(elapsed));
            self.end_run();
        } else if line.ends_with(" seconds user") || line.ends_with(" seconds sys") {
            self.close();
        } else if let Some(verbose) = Verbose::read(number, line) {
            self.close();
            self.pending.push(verbose);
        } else if !self.continues(line) {
            self.close();
            self.row(number, line);
        }
    }

    /// Tries to join a line with the previous one, because mails wrap lines, and a second metric has its own line.
    fn continues(&mut self, line: &str) -> bool {
        let parts = Parts::read(line).filter(|parts| self.accepts(parts));
        if self.title_is_open {
            if let (Some(run), None) = (&mut self.titled, &parts) {
                self.title_is_open = run.add_title(line);
                return true;
            }
            self.title_is_open = false;
        }
        let Some(open) = self.open.as_ref().filter(|open| open.text.len() < LONGEST) else {
            return false;
        };
        let rest = more_metrics(line).unwrap_or(line);
        let text = format!("{} {rest}", open.text);
        let Some(joined) = Parts::read(&text).filter(|joined| self.accepts(joined)) else {
            return false;
        };
        let Some(row) = open.row else {
            let line = open.line;
            if parts.is_none() {
                self.row(line, &text);
            }
            return parts.is_none();
        };
        let is_open = |last: Parts| {
            let expects = last.is_open && !parts.as_ref().is_some_and(Parts::is_sure);
            let adds = rest.starts_with('#') || parts.is_none() && joined.groups != last.groups;
            last.groups.share.is_none() && (expects || adds)
        };
        if !Parts::read(&open.text).is_some_and(is_open) {
            return false;
        }
        let row = &mut self.recording.rows[row];
        *row = Row { line: row.line, run: row.run, is_summary: row.is_summary, ..joined.row };
        self.open.iter_mut().for_each(|open| open.text.clone_from(&text));
        true
    }

    fn accepts(&self, parts: &Parts) -> bool {
        match self.place {
            Place::Table => true,
            Place::Intervals => parts.row.nanoseconds.is_some() || self.is_of_run(&parts.row.event),
            Place::Outside => parts.is_sure(),
        }
    }

    fn is_of_run(&self, event: &str) -> bool {
        self.events.as_ref().is_some_and(|events| events.contains(event))
    }

    fn row(&mut self, line: usize, text: &str) {
        let parts = Parts::read(text).filter(|parts| self.accepts(parts));
        let row = parts.map(|parts| {
            self.push(Row { line, ..parts.row });
            self.recording.rows.len() - 1
        });
        let has_pmu = || self.place == Place::Table && text.split_whitespace().any(is_of_pmu);
        if row.is_some() || begins_like_row(text) || has_pmu() {
            self.open = Some(Open { line, text: text.to_owned(), row });
        }
    }

    /// Adds a row to the run that it belongs to.
    fn push(&mut self, row: Row) {
        let time = row.nanoseconds;
        let last = self.recording.rows.last();
        // With `--summary`, the sums are in a table, or in rows without a time.
        let has_intervals = last.is_some_and(|row| row.nanoseconds.is_some() || row.is_summary);
        let is_summary = time.is_none() && has_intervals && self.is_of_run(&row.event);
        let is_earlier = last.and_then(|row| row.nanoseconds).zip(time).is_some_and(|(a, b)| b < a);
        if self.events.is_none() || is_earlier || self.titled.is_some() && !is_summary {
            self.begin_run(row.line);
        }
        self.titled = None;
        if time.is_some() {
            // The rows that `-v` adds repeat the rows of an interval.
            self.pending.clear();
            self.verbose.clear();
        }
        if let Some(events) = self.events.as_mut().filter(|events| !events.contains(&row.event)) {
            events.insert(row.event.clone());
        }
        let run = self.recording.runs.len() - 1;
        self.recording.rows.push(Row { is_summary, run, ..row });
        self.adjacent += 1;
    }

    fn begin_run(&mut self, line: usize) {
        let place = self.place;
        self.end_run();
        self.place = place;
        let untitled = Run { line, ..Run::default() };
        self.recording.runs.push(self.titled.take().unwrap_or(untitled));
        self.events = Some(HashSet::new());
        self.verbose = std::mem::take(&mut self.pending);
    }

    /// Merges a run's `-v` rows into its table rows.
    fn end_run(&mut self) {
        self.place = Place::Outside;
        if self.events.take().is_none() {
            return;
        }
        let mut verbose = std::mem::take(&mut self.verbose);
        let sums: HashSet<String> =
            verbose.iter().filter(|one| one.cpu.is_none()).map(|one| one.event.clone()).collect();
        verbose.retain(|one| one.cpu.is_none() || !sums.contains(&one.event));
        let mut of_event: HashMap<&str, Vec<&Verbose>> = HashMap::new();
        verbose.iter().for_each(|one| of_event.entry(&one.event).or_default().push(one));
        let Recording { rows, runs, .. } = &mut self.recording;
        let run = runs.len() - 1;
        let first = rows.iter().rposition(|row| row.run != run).map_or(0, |last| last + 1);
        let mut printed: HashMap<String, Vec<&mut Row>> = HashMap::new();
        for row in &mut rows[first..] {
            printed.entry(row.event.clone()).or_default().push(row);
        }
        for (event, rows) in &mut printed {
            // If table and `-v` rows differ in number, perf has summed PMUs of one kind, or averaged the runs of -r.
            let verbose =
                of_event.get(event.as_str()).filter(|verbose| verbose.len() == rows.len());
            for (row, verbose) in rows.iter_mut().zip(verbose.into_iter().flatten()) {
                verbose.set_times(row);
            }
        }
        let of_table: HashSet<String> = printed.into_keys().collect();
        let without_row = verbose.iter().filter(|one| !of_table.contains(&one.event));
        rows.extend(without_row.map(|one| one.row(run)));
    }

    /// Reports a line that looks like the start of a row, if the next line does not continue it.
    fn close(&mut self) {
        let Some(open) = self.open.take().filter(|open| open.row.is_none()) else { return };
        let mut words = open.text.split_whitespace();
        let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
        if words.clone().any(is_of_pmu) || self.place == Place::Table && words.any(is_name) {
            let (text, why) = (shortened(&open.text), "no row of perf stat".to_owned());
            self.recording.unread.push(UnreadLine { line: open.line, text, why });
        }
    }
}

impl Run {
    /// Adds a line to the title. Returns whether the next line can continue the title.
    fn add_title(&mut self, text: &str) -> bool {
        let title = format!("{} {}", self.title, text.trim());
        let title = title.trim();
        let whole = title.strip_suffix(':');
        let runs = whole.and_then(|title| title.strip_suffix(" runs)")?.rsplit_once(" ("));
        self.repeats = runs.and_then(|(_, runs)| runs.parse().ok());
        self.title = runs.map(|(title, _)| title).or(whole).unwrap_or(title).to_owned();
        whole.is_none() && self.title.len() < LONGEST
    }
}

/// Strips a log stamp: a prefix that equals the title's prefix except for digits and blanks.
fn without_prefix<'l>(line: &'l str, prefix: &str) -> Option<&'l str> {
    let is_digit = |c: char| c.is_ascii_digit();
    let (mut line, mut prefix) = (line, prefix.trim());
    while let Some(first) = prefix.chars().next() {
        line = line.trim_start();
        prefix = prefix.trim_start();
        if is_digit(first) {
            line = line.strip_prefix(is_digit)?.trim_start_matches(is_digit);
            prefix = prefix.trim_start_matches(is_digit);
        } else if !first.is_whitespace() {
            line = line.strip_prefix(first)?;
            prefix = &prefix[first.len_utf8()..];
        }
    }
    Some(line)
}

/// Whether a line is the title of a table, or the header of intervals.
pub fn is_head(line: &str) -> bool {
    line.contains(TITLE) || before_head(line).is_some()
}

/// Returns the text before the header of intervals: `# time counts unit events`.
fn before_head(line: &str) -> Option<&str> {
    let (prefix, head) = line.split_once('#')?;
    let mut words = head.split_whitespace();
    (words.next() == Some("time") && words.any(|word| word == "counts")).then_some(prefix)
}

/// Parses `0.029114 +- 0.000243 seconds time elapsed  ( +-  0.83% )`. Returns nanoseconds.
fn elapsed(line: &str) -> Option<u64> {
    let (seconds, _) = line.split_once(" seconds time elapsed")?;
    let words: Vec<&str> = seconds.split_whitespace().collect();
    let (seconds, _) = number(&words)?;
    Some((seconds.as_f64() * 1e9).round() as u64)
}

/// Returns the metrics of a line that has no count: only a time and a CPU can precede these
/// metrics.
fn more_metrics(line: &str) -> Option<&str> {
    let at = line.find('#')?;
    let is_front = |word: &str| seconds(word).is_some() || is_digits(word) || is_scope(word);
    let is_more = line[..at].split_whitespace().all(is_front)
        && metric(&line[at + 1..]).is_some_and(|(_, unit)| !unit.is_empty());
    is_more.then_some(&line[at..])
}

fn begins_like_row(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '<')
        || text.split_whitespace().next().is_some_and(is_scope)
}

/// A parsed row, and what the parser has to know about the way it was printed.
struct Parts {
    row: Row,
    /// Whether two or more blanks separate count and name, as in the columns of `perf`.
    is_aligned: bool,
    /// Whether the last metric has no unit, because the line was wrapped.
    is_open: bool,
    groups: Groups,
}

impl Parts {
    fn read(line: &str) -> Option<Self> {
        let (text, groups) = Groups::split(line);
        let mut comments = text.split('#');
        let front: Vec<&str> = comments.next()?.split_whitespace().collect();
        let mut parts = match seconds(front.first()?) {
            Some(time) => Self::of_words(line, &front[1..], Some(time)),
            None => None,
        }
        .or_else(|| Self::of_words(line, &front, None))?;
        for comment in comments {
            let metric = metric(comment);
            parts.is_open = metric.as_ref().is_none_or(|(_, unit)| unit.is_empty());
            let metric = metric.filter(|(value, unit)| value.is_finite() && !unit.is_empty());
            parts.row.metrics.extend(metric);
        }
        parts.row.variance_percent = groups.variance;
        let all = if parts.row.count == Count::NotCounted { 0.0 } else { 100.0 };
        parts.row.running_percent = groups.share.unwrap_or(all);
        Some(Self { groups, ..parts })
    }

    fn of_words(line: &str, words: &[&str], nanoseconds: Option<u64>) -> Option<Self> {
        let (mut scope, mut cores) = (Vec::<&str>::new(), None);
        let mut words = words;
        if count(words).is_none() {
            // The name of a thread can contain blanks.
            let of_scope =
                words.iter().take(6).position(|word| is_scope(word) || is_thread(word))?;
            scope.extend(&words[..=of_scope]);
            words = &words[of_scope + 1..];
            // With --per-socket and similar options, the scope is followed by a number of CPUs.
            if scope[0].starts_with(['S', 'N'])
                && words.get(1).is_some_and(|word| begins_like_row(word))
            {
                cores = words[0].parse().ok();
                words = &words[1..];
            }
        }
        let (count, used) = count(words)?;
        let end = |word: &str| word.as_ptr() as usize + word.len() - line.as_ptr() as usize;
        let behind = &line[end(words[used - 1])..];
        let is_aligned = behind.starts_with("  ") || behind.starts_with('\t');
        words = &words[used..];
        let mut unit = "";
        if words.len() > 1 && is_unit(words[0], words[1]) {
            (unit, words) = (words[0], &words[1..]);
        }
        let first = words.first()?;
        // perf prints terms as the user typed them, including blanks.
        let is_cut = |word: &str| word.matches('/').count() == 1 && !word.starts_with('/');
        let closing = || words[1..].iter().position(|word| word.contains('/'));
        let last = if is_cut(first) { closing().map_or(0, |nth| nth + 1) } else { 0 };
        let event = &line[end(first) - first.len()..end(words[last])];
        match &words[last + 1..] {
            [] => {}
            [of] if of.starts_with('(') => {
                unit = of.strip_prefix('(')?.strip_suffix(')')?;
                if !unit.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                    return None;
                }
            }
            [cgroup] => scope.push(cgroup),
            _ => return None,
        }
        if !event.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return None;
        }
        let scope = (!scope.is_empty()).then(|| scope.join(" "));
        let (unit, event) = (unit.to_owned(), event.to_owned());
        let row = Row { nanoseconds, scope, cores, count, unit, event, ..Row::default() };
        Some(Self { row, is_aligned, is_open: false, groups: Groups::default() })
    }

    /// Whether this is a row even outside of a table, because the event is known or the columns are aligned.
    fn is_sure(&self) -> bool {
        let has_groups = self.groups != Groups::default();
        let event = &self.row.event;
        is_sure_event(event) || self.is_aligned && (has_groups || is_event(event))
    }
}

/// Suffix of a row: `( +-  0.85% )  (61.20%)`, in old versions `[61.20%]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Groups {
    variance: Option<f64>,
    share: Option<f64>,
}

impl Groups {
    fn split(line: &str) -> (&str, Self) {
        let (mut text, mut groups) = (line.trim_end(), Self::default());
        while let Some((front, group)) =
            text.strip_suffix([')', ']']).and_then(|text| text.rsplit_once(['(', '[']))
        {
            let Some(value) = group.trim().strip_suffix('%') else { break };
            let has_two = value.rsplit(['.', ',']).next().is_some_and(|part| part.len() == 2);
            match (value.strip_prefix("+-"), decimal(value).and_then(percent)) {
                (Some(value), _) => groups.variance = decimal(value),
                (None, Some(share)) if has_two => groups.share = Some(share),
                _ => break,
            }
            text = front.trim_end();
        }
        (text, groups)
    }
}

/// Parses a number with a decimal point or comma, without groups.
fn decimal(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").parse().ok().filter(|value: &f64| value.is_finite())
}

/// Parses `0.78  insn per cycle`. The unit is empty if the line was wrapped after the value.
fn metric(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let end = text.find([' ', '%', '\t']).unwrap_or(text.len());
    let value = text[..end].replace(',', ".").parse().ok()?;
    Some((value, text[end..].trim_start_matches('%').trim().to_owned()))
}

/// Parses a count, or `<not counted>`. Returns the number of words used.
fn count(words: &[&str]) -> Option<(Count, usize)> {
    match words {
        ["<not", "counted>", ..] => Some((Count::NotCounted, 2)),
        ["<not", "supported>", ..] => Some((Count::NotSupported, 2)),
        _ => number(words).map(|(number, used)| (Count::Number(number), used)),
    }
}

/// Parses a number with the groups and the decimal point of any language. Also returns how many words form the number,
/// because blanks can separate its groups of digits.
fn number(words: &[&str]) -> Option<(Number, usize)> {
    let first = words.first()?;
    let is_group = |word: &&&str| {
        word.split_at_checked(3).is_some_and(|(group, rest)| {
            is_digits(group) && (rest.is_empty() || rest.starts_with([',', '.']))
        })
    };
    let is_short = first.len() <= 3 && is_digits(first);
    let groups = if is_short { words[1..].iter().take_while(is_group).count() } else { 0 };
    let text = words[..=groups].join(" ");
    let is_separator = |c: char| matches!(c, ',' | '.' | ' ' | '\'' | '\u{2019}');
    let digits: Vec<&str> = text.split(is_separator).collect();
    if !digits.iter().all(|digits| is_digits(digits)) {
        return None;
    }
    let separators: Vec<char> = text.chars().filter(|c| is_separator(*c)).collect();
    // The last separator is a decimal point if it differs from the others, or if the digits after it are not a group.
    let is_grouped = |digits: &[&str]| match digits {
        [_] | [] => true,
        [first, middle @ .., last] => {
            // Indian notation groups two digits.
            first.len() <= 3
                && *first != "0"
                && last.len() == 3
                && middle.iter().all(|group| matches!(group.len(), 2 | 3))
        }
    };
    let same = |separators: &[char]| separators.windows(2).all(|pair| pair[0] == pair[1]);
    let number = match (digits.as_slice(), separators.as_slice()) {
        (all, separators) if same(separators) && is_grouped(all) => all.concat(),
        ([whole @ .., part], [groups @ .., ',' | '.']) if same(groups) && is_grouped(whole) => {
            format!("{}.{part}", whole.concat())
        }
        _ => return None,
    };
    Some((Number::read(&number)?, groups + 1))
}

/// Units that `perf` or the kernel print in a separate column.
const UNITS: &[&str] = &[
    "msec", "usec", "nsec", "ns", "sec", "Joules", "B", "Bytes", "KB", "KiB", "MB", "MiB", "GB",
    "GiB", "C", "W", "%",
];

fn is_unit(word: &str, next: &str) -> bool {
    UNITS.contains(&word) || !is_event(word) && is_event(next) && !next.starts_with('(')
}

/// Whether a word is a scope: `CPU3`, `S0-D0-C1`, `N1`.
fn is_scope(word: &str) -> bool {
    let parts = |word: &str| {
        word.split('-').all(|part| {
            let digits = part.trim_start_matches(|c: char| c.is_ascii_uppercase());
            is_digits(digits) && digits.len() < part.len()
        })
    };
    word.starts_with(['S', 'N', 'C', 'D']) && parts(word)
}

/// Whether a word is a thread of `--per-thread`: `bash-1234`.
fn is_thread(word: &str) -> bool {
    word.rsplit_once('-').is_some_and(|(_, id)| is_digits(id))
}

/// Whether a word in the columns of a row can be the name of an event.
fn is_event(name: &str) -> bool {
    is_sure_event(name) || name.contains(['_', ':', '/', '.', '-'])
}

const SOFTWARE: &str = "task-clock cpu-clock page-faults faults minor-faults major-faults context-switches cs \
    cpu-migrations migrations alignment-faults emulation-faults bpf-output cgroup-switches \
    duration_time user_time system_time";

/// Whether a word is certain to be the name of an event, even outside of a table.
fn is_sure_event(name: &str) -> bool {
    let plain = name.split_once(':').map_or(name, |(name, _)| name);
    is_of_pmu(name) || is_software(name) || generic::alias(plain).is_some()
}

pub fn is_software(name: &str) -> bool {
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    SOFTWARE.split(' ').any(|known| known == name)
}

/// Whether a name includes a PMU: `armv8_cortex_a53/l1d_cache/u`, `smmuv3_pmcg.transaction`,
/// `cci400:r1.S3:READ_REQUEST_ANY`.
fn is_of_pmu(name: &str) -> bool {
    let is_word = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:-".contains(&byte))
    };
    if let Some((pmu, rest)) = name.split_once('/') {
        let modifiers = rest.rsplit_once('/').map(|(_, modifiers)| modifiers);
        return is_word(pmu)
            && modifiers.is_some_and(|all| all.chars().all(|one| "ukhpPGHSDIWeb".contains(one)));
    }
    let Some((pmu, _)) = name.split_once('.') else { return false };
    is_name_of_pmcg(pmu) || is_word(pmu) && Pmu::find(pmu).is_some()
}

/// A `-v` row: `armv8_cortex_a55/event=0x2a/: 5200417 20041118220 10020559110`.
struct Verbose {
    line: usize,
    event: String,
    /// CPU of an unscaled row of `-vv`.
    cpu: Option<u32>,
    value: u64,
    enabled: u64,
    running: u64,
}

impl Verbose {
    fn read(line: usize, text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (event, cpu, numbers) = match words[..] {
            [event, value, enabled, running] => (event, None, [value, enabled, running]),
            [event, cpu, value, enabled, running] => {
                (event, Some(cpu.strip_suffix(':')?.parse().ok()?), [value, enabled, running])
            }
            _ => return None,
        };
        let event = event.strip_suffix(':').filter(|event| is_event(event))?.to_owned();
        let [value, enabled, running] = numbers.map(|number| number.parse().ok());
        let (value, enabled, running) = (value?, enabled?, running?);
        (running <= enabled).then_some(Self { line, event, cpu, value, enabled, running })
    }

    fn set_times(&self, row: &mut Row) {
        row.running_nanoseconds = self.running;
        if self.running > 0 {
            row.running_percent = self.running as f64 / self.enabled as f64 * 100.0;
        }
    }

    fn row(&self, run: usize) -> Row {
        let scaled = || (self.value as f64 * self.enabled as f64 / self.running as f64).round();
        let count = match self.cpu {
            _ if self.running == 0 => Count::NotCounted,
            Some(_) if self.running < self.enabled => Count::Number(Number::Decimal(scaled())),
            _ => Count::Number(Number::Integer(self.value)),
        };
        let scope = self.cpu.map(|cpu| format!("CPU{cpu}"));
        let event = self.event.clone();
        let mut row = Row { line: self.line, run, scope, count, event, ..Row::default() };
        self.set_times(&mut row);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_languages_are_parsed() {
        let read = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            number(&words).map(|(number, used)| (number.as_f64(), used))
        };
        for (text, value, words) in [
            ("0", 0.0, 1),
            ("2218640517", 2_218_640_517.0, 1),
            ("2,218,640,517", 2_218_640_517.0, 1),
            ("2.218.640.517", 2_218_640_517.0, 1),
            ("2'218'640'517", 2_218_640_517.0, 1),
            ("2\u{2019}218\u{2019}640\u{2019}517", 2_218_640_517.0, 1),
            ("2,21,86,40,517", 2_218_640_517.0, 1),
            ("2 218 640 517 cycles", 2_218_640_517.0, 4),
            ("2\u{202f}218\u{202f}640 cycles", 2_218_640.0, 3),
            ("2\u{a0}218\u{a0}640,25 msec", 2_218_640.25, 3),
            ("1,903.27", 1903.27, 1),
            ("1.903,27", 1903.27, 1),
            ("1903.274123", 1_903.274_123, 1),
            ("0,759", 0.759, 1),
            ("12,877", 12_877.0, 1),
            ("4 123456 cycles", 4.0, 1),
        ] {
            assert_eq!(read(text), Some((value, words)), "{text}");
        }
        let wrong = "1x,4-0,7 1,,234 1,23,4 1.234,567.8 12, ,12 1e5 -5 0x17 \u{663}";
        for text in wrong.split(' ') {
            assert_eq!(read(text), None, "{text}");
        }
    }

    /// Lines of `perf stat`. If a line is a row, the next line has its time, scope, CPUs, count, unit, event, share,
    /// variance and first metric.
    const ROWS: &str = "\
2,218 cycles                    #    0.000 GHz                     [83.33%]
-; -; -; 2218; ; cycles; 83.33; -; 0 GHz
1903.274123      task-clock (msec)         #    0.998 CPUs utilized
-; -; -; 1903.274123; msec; task-clock; 100; -; 0.998 CPUs utilized
<not counted> msec task-clock
-; -; -; NotCounted; msec; task-clock; 0; -; -
<not supported>      S3:READ_REQUEST_ANY
-; -; -; NotSupported; ; S3:READ_REQUEST_ANY; 100; -; -
S0           4         31,204      armv8_cortex_a53/cycles/
-; S0; 4; 31204; ; armv8_cortex_a53/cycles/; 100; -; -
S0-D0-C1     1   31 204      cycles:u
-; S0-D0-C1; 1; 31204; ; cycles:u; 100; -; -
N1     2   <not counted>      cycles  (0.00%)
-; N1; 2; NotCounted; ; cycles; 0; -; -
bash-1234        1,234      cycles
-; bash-1234; -; 1234; ; cycles; 100; -; -
7zip-77   1,234      cycles
-; 7zip-77; -; 1234; ; cycles; 100; -; -
Web Content-77   1,234      cycles
-; Web Content-77; -; 1234; ; cycles; 100; -; -
1.000214880 CPU0     640,118      CCI_400/cycles/
1000214880; CPU0; -; 640118; ; CCI_400/cycles/; 100; -; -
1.0002  640,118  cycles
1000200000; -; -; 640118; ; cycles; 100; -; -
1,234      cycles                           /system.slice
-; /system.slice; -; 1234; ; cycles; 100; -; -
5 armv8_pmuv3_0/event=0x2a, config1=1/u
-; -; -; 5; ; armv8_pmuv3_0/event=0x2a, config1=1/u; 100; -; -
88,019      branch-misses    # 5,21%  of all branches   ( +-  2,31% )  (61,20%)
-; -; -; 88019; ; branch-misses; 61.2; 2.31; 5.21 of all branches
3.20 Joules power/energy/ ( +-   inf% )
-; -; -; 3.2; Joules; power/energy/; 100; -; -
64 beats cci550.SI0:READ_DATA_BEAT
-; -; -; 64; beats; cci550.SI0:READ_DATA_BEAT; 100; -; -
12 of 34 tests passed

1,234

1,234 cycles (123.00%)

0.78  3.4  5.6

12 (50.00%)

";

    #[test]
    fn rows_of_all_versions_are_parsed() {
        let opt = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let read = |line: &str| {
            let row = Parts::read(line)?.row;
            let number = match row.count {
                Count::Number(number) => number.as_f64().to_string(),
                other => format!("{other:?}"),
            };
            let parts = [
                opt(row.nanoseconds.map(|time| time.to_string())),
                opt(row.scope),
                opt(row.cores.map(|cores| cores.to_string())),
                number,
                row.unit,
                row.event,
                row.running_percent.to_string(),
                opt(row.variance_percent.map(|variance| variance.to_string())),
                opt(row.metrics.first().map(|(value, unit)| format!("{value} {unit}"))),
            ];
            Some(parts.join("; "))
        };
        let lines: Vec<&str> = ROWS.lines().collect();
        for pair in lines.chunks(2) {
            assert_eq!(read(pair[0]).unwrap_or_default(), pair[1], "{}", pair[0]);
        }
    }

    #[test]
    fn words_of_other_texts_are_not_events() {
        let is_sure = |line: &&str| Parts::read(line).is_some_and(|parts| parts.is_sure());
        let others = "118 src/report/parse.rs\n12 errors generated\n3 pre-built packages\n12 foo.txt\n\
            7 cycles-free\n42 apples";
        assert_eq!(others.lines().find(is_sure), None);
        let events = "7 cycles\n7 L1-dcache-loads:u\n7 armv8_cortex_a53/r17/k\n7 smmuv3_pmcg.tlb_miss\n\
            7      l1d_cache\n7 cci400:r1.CYCLES\n7    x (5.00%)";
        assert_eq!(events.lines().find(|line| !is_sure(line)), None);
    }

    /// Rows with their runs, and the lines that cannot be read.
    fn rows(text: &str) -> String {
        let show = |row: &Row| {
            let Count::Number(number) = row.count else {
                return format!("{} {:?}", row.event, row.count);
            };
            let of_summary = if row.is_summary { " summary" } else { "" };
            let share = match row.running_percent {
                part if part < 100.0 => format!(" {part:.2}%"),
                _ => String::new(),
            };
            format!("{}: {} {}{share}{of_summary}", row.run + 1, number.as_f64(), row.event)
        };
        let recording = parse(text);
        let unread = recording.unread.iter().map(|unread| format!("line {}", unread.line));
        let all: Vec<_> = recording.rows.iter().map(show).chain(unread).collect();
        all.join("; ")
    }

    const PLAIN: &str = "
 Performance counter stats for './work' (3 runs):

     1,730,539      instructions     #    0.78  insn per cycle
                                     #    0.24  stalled cycles per insn  ( +-  0.04% )  (61.24%)
         7,036      cache-misses                                         ( +-  0.85% )

       1.404883120 +- 0.000243 seconds time elapsed  ( +-  0.83% )
";

    const TWO_ROWS: &str = "1: 1730539 instructions 61.24%; 1: 7036 cache-misses";

    #[test]
    fn stamps_and_quotes_are_stripped() {
        let in_front = |stamp: &dyn Fn(usize) -> String| {
            let lines = PLAIN.lines().enumerate();
            lines.map(|(nth, line)| format!("{}{line}\n", stamp(nth))).collect::<String>()
        };
        for text in [
            PLAIN.to_owned(),
            PLAIN.replace('\n', "\r\n"),
            PLAIN.replace("0.78", "\u{1b}[31m0.78\u{1b}[m"),
            in_front(&|_| "> > ".to_owned()),
            in_front(&|nth| format!("[{:5}.{:06}] ", nth * 3, nth * 1234)),
            in_front(&|nth| format!("2024-05-01T12:34:{:02}.1234567Z ", nth + 5)),
            in_front(&|nth| format!("user-{nth}| ")),
            format!("```\n$ perf stat ./work\n12 things\n{PLAIN}```\nIt has 12 cache-lines.\n"),
        ] {
            assert_eq!(rows(&text), TWO_ROWS, "{text}");
            let run = &parse(&text).runs[0];
            assert_eq!((run.title.as_str(), run.repeats), ("'./work'", Some(3)), "{text}");
            assert_eq!(run.elapsed_nanoseconds, Some(1_404_883_120), "{text}");
            let metrics = &parse(&text).rows[0].metrics;
            assert_eq!(metrics.len(), 2, "{metrics:?}");
        }
    }

    #[test]
    fn wrapped_lines_are_joined() {
        let title = " Performance counter stats for './work':\n\n";
        for row in [
            "  1,730,539\n instructions  (61.24%)",
            "  1,730,539  instructions\n  (61.24%)",
            "  1,730,539  instructions #\n 0.78 insn per cycle (61.24%)",
            "  1,730,539  instructions # 0.78\n insn per cycle  (61.24%)",
            "  1,730,539  instructions # 0.78 insn\n per cycle  (61.24%)",
            "  1,730,539  instructions # 0.78 insn per cycle\n(61.24%)",
            "  1,730,539  instructions # 0.78 insn per cycle (\n61.24%)",
        ] {
            let text = format!("{title}{row}\n  7,036  cache-misses\n");
            assert_eq!(rows(&text), TWO_ROWS, "{text}");
        }
        let title =
            " Performance counter stats for './work --with many\nwords' (3 runs):\n\n 5  cycles\n";
        let run = &parse(title).runs[0];
        assert_eq!((run.title.as_str(), run.repeats), ("'./work --with many words'", Some(3)));
    }

    /// Texts with their rows. TITLE, HEAD, VERBOSE and INTERVALS stand for lines.
    const TEXTS: &[&str] = &[
        // Rows printed by `-v` add times to the rows of a table, or replace a missing table.
        "VERBOSE => 1: 500 cycles 50.00%; x/event=2/ NotCounted",
        "cycles: 0: 100 900 300\ncycles: 1: 7 900 900 => 1: 300 cycles 33.33%; 1: 7 cycles",
        "VERBOSE\nTITLE\n 500  cycles\n 7 y => 1: 500 cycles 50.00%; 1: 7 y; x/event=2/ NotCounted",
        // The table has the sum of two PMUs, or the mean of two runs.
        "cycles: 500 2000 1000\ncycles: 300 2000 2000\nTITLE\n 800  cycles => 1: 800 cycles",
        "cycles: 5 10 10\nHEAD\n 1.000000000  5  cycles\ncycles: 7 10 10\n 2.000000000  7  cycles => \
         1: 5 cycles; 1: 7 cycles",
        // A summary after intervals is either rows without a time, or a table.
        "INTERVALS\n        12  cycles\n\n 2.1 seconds time elapsed => \
         1: 5 cycles; 1: 7 cycles; 1: 12 cycles summary",
        "INTERVALS\nTITLE\n\n        12  cycles\n\n 2.1 seconds time elapsed => \
         1: 5 cycles; 1: 7 cycles; 1: 12 cycles summary",
        // The table has another event, so it belongs to another run.
        "INTERVALS\nTITLE\n\n   12  branches => 1: 5 cycles; 1: 7 cycles; 2: 12 branches",
        "INTERVALS\nINTERVALS => 1: 5 cycles; 1: 7 cycles; 2: 5 cycles; 2: 7 cycles",
        // Rows are grouped into runs, even without titles.
        "7  cycles:u\n 1.5 seconds time elapsed\n 0.5 seconds user\n8  cycles:u => 1: 7 cycles:u; 2: 8 cycles:u",
        // Text after a table is not parsed as rows.
        "TITLE\n\n 5  cycles\n 7  foo\n\n 1.39 seconds user\n12 errors generated\n17 files copied (50.00%) => \
         1: 5 cycles; 1: 7 foo",
        "TITLE\n\n\n\n 5  cycles\n\n 7  foo\n\n &lt;not counted&gt;  bar => 1: 5 cycles; 1: 7 foo; bar NotCounted",
        // Damaged rows are reported.
        "TITLE\n\n 5  cycles\n 1x,2 branches\n CPU1 armv8_cortex_a53/r17/\n 6  r17 (600%)\n 7  r08 => \
         1: 5 cycles; 1: 7 r08; line 4; line 5; line 6",
        "  1x,2 armv8_cortex_a53/r17/\n 5 cycles\n12 things to do => 1: 5 cycles; line 1",
    ];

    const VERBOSE: &str = "cycles: 500 2000 1000\ncycles: 0: 100 900 300\nx/event=2/: 0 0 0";

    const INTERVALS: &str = "HEAD\n 1.0001  5  cycles\n12 errors generated\n 2.0001  7  cycles";

    #[test]
    fn tables_in_texts_have_their_rows() {
        let whole = |text: &str| {
            text.replace("INTERVALS", INTERVALS)
                .replace("VERBOSE", VERBOSE)
                .replace("TITLE", " Performance counter stats for 'x':")
                .replace("HEAD", "#           time             counts unit events")
        };
        for case in TEXTS {
            let (text, expected) = case.split_once(" => ").expect("rows");
            assert_eq!(rows(&whole(text)), expected, "{text}");
        }
        let timed = parse(&whole("VERBOSE\nTITLE\n 500  cycles  (50.00%)"));
        assert_eq!(timed.rows[0].running_nanoseconds, 1000);
        let two = " 1.5 seconds time elapsed\n8  cycles:u\n 2,5 seconds time elapsed\n";
        let two = parse(&format!("7  cycles:u\n{two}"));
        let elapsed: Vec<_> = two.runs.iter().map(|run| run.elapsed_nanoseconds).collect();
        assert_eq!(elapsed, [Some(1_500_000_000), Some(2_500_000_000)]);
    }
}
