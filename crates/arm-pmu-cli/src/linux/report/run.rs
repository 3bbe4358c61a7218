//! `arm-pmu report`: reports recordings, and compares them.

use arm_pmu_lookup::near;
use arm_pmu_tables::{MetricOf, Pmu};

use crate::base::answer::Answer;
use crate::base::arguments::Report as Arguments;
use crate::base::failure::{Failure, refuse};
use crate::base::input;
use crate::base::perf_stat::parse;
use crate::base::perf_stat::recording::Recording;
use crate::base::platform;
use crate::base::platform::target::Subject;
use crate::base::text::Screen;
use crate::linux::report::compare;
use crate::linux::report::gate::{self, Condition, Judged, Outcome};
use crate::linux::report::model::{Given, Report};
use crate::linux::report::record::Record;
use crate::linux::report::runs::Comparison;
use crate::linux::report::{csv, json, svg, table};

/// Maximum size of a recording, enough for some millions of rows.
const LARGEST: u64 = 1 << 30;

/// Exit status if a condition of `--fail-if` is exceeded.
const EXCEEDED: u8 = 3;

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    let ip = arguments.ip.as_deref().map(Subject::read).transpose()?;
    let board = arguments.place.platform.as_deref().map(Subject::board).transpose()?;
    let given = Given {
        // The IP can be given without its unit, because the kernel's PMU names identify the unit.
        pmu: ip.or(board).and_then(|subject| Some(subject.any().ok()?.pmu)),
        platform: board.or(ip).and_then(Subject::platform),
        arguments: arguments.set.iter().map(|text| argument(text)).collect::<Result<_, _>>()?,
        ..Given::default()
    };
    let conditions = arguments.fail_if.iter().map(|text| Condition::parse(text));
    let conditions = conditions.collect::<Result<Vec<_>, _>>().map_err(Failure::wrong_use)?;
    let file = arguments.new.as_ref().unwrap_or(&arguments.file);
    let other = arguments.new.as_ref().map(|_| read(&arguments.file)).transpose()?;
    let this = read(file)?;
    let report = this.report(&given);
    let against = other.as_ref().map(|other| other.report(&given));
    let taken: Vec<_> =
        against.iter().chain([&report]).flat_map(|report| &report.arguments).copied().collect();
    if let Some((name, _)) = given.arguments.iter().find(|(name, _)| !taken.contains(&&**name)) {
        return Err(Failure::wrong_use(unused(name)));
    }
    if let Some(mut comparison) = runs(&this, other.as_ref(), arguments, &given)? {
        let judged = gate::judge(&conditions, &comparison).map_err(Failure::wrong_use)?;
        comparison.notes.extend(gate::note(&judged));
        let mut answer = match (arguments.json, arguments.csv) {
            (true, _) => Answer::json(&json::Runs::new(&comparison, &judged))?,
            (_, true) => Answer::text(csv::runs(&comparison)),
            _ => Answer::text(table::runs(&comparison, &judged, screen)),
        };
        answer.warnings.extend(judged.iter().filter_map(Judged::warning));
        let is_exceeded = |one: &Judged| one.outcome == Outcome::Exceeded;
        answer.status = if judged.iter().any(is_exceeded) { EXCEEDED } else { 0 };
        return Ok(answer);
    }
    if !conditions.is_empty() {
        refuse!("--fail-if needs many runs: a recording of `arm-pmu stat --compare`");
    }
    let other = against;
    if let Some(path) = &arguments.plot {
        let Some(drawn) = svg::draw(&report, other.as_ref()) else {
            refuse!("{file} has no intervals to plot: run perf stat with -I 1000");
        };
        std::fs::write(path, drawn)
            .map_err(|error| Failure::wrong_use(format!("{path} cannot be written: {error}")))?;
    }
    let Some(other) = &other else {
        return match (arguments.json, arguments.csv) {
            (true, _) => Answer::json(&json::Report::new(&report)),
            (_, true) => Ok(Answer::text(csv::write(&report))),
            _ => Ok(Answer::text(table::write(&report, screen))),
        };
    };
    let comparison = compare::Comparison::new(&report, other);
    match (arguments.json, arguments.csv) {
        (true, _) => Answer::json(&json::Against::new(&comparison)),
        (_, true) => Ok(Answer::text(csv::compare(&comparison))),
        _ => Ok(Answer::text(table::compare(&comparison, screen))),
    }
}

/// Error for `--set` with a name that no metric uses.
fn unused(name: &str) -> String {
    let all = || Pmu::all().flat_map(Pmu::metrics);
    let takes = |of: &MetricOf| of.metric.arguments.iter().any(|one| one.name == name);
    let hint = match all().find(takes) {
        Some(of) => format!("; {} does, for example", of.metric.name),
        None => {
            let known = all().flat_map(|of| of.metric.arguments).map(|one| one.name);
            near::suggestion(name, known)
        }
    };
    format!("--set {name}: no metric of this report uses it{hint}")
}

/// Parses `beat_bytes=16`.
pub fn argument(text: &str) -> Result<(String, f64), Failure> {
    let wrong = || {
        Failure::wrong_use(format!("`{text}` is not NAME=NUMBER; an example: --set beat_bytes=16"))
    };
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value: f64 =
        value.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(wrong)?;
    Ok((name.to_owned(), value))
}

/// A parsed file.
enum Content {
    /// Output of `perf stat`.
    Perf(Recording),
    /// Recording of `arm-pmu stat --record`.
    Record(Box<Record>),
}

impl Content {
    fn report(&self, given: &Given) -> Report {
        match self {
            Self::Perf(recording) => Report::new(recording, given),
            Self::Record(record) => record.report(0, &of_board(record, given)),
        }
    }
}

/// Adds the board that a recording names, if the user gives no other board.
fn of_board(record: &Record, given: &Given) -> Given {
    let platform = record.start.platform.as_deref().and_then(|name| platform::find(name).ok());
    Given { platform: given.platform.or(platform), ..given.clone() }
}

/// Compares the runs of two recordings, or of the two programs of one recording.
fn runs(
    this: &Content,
    other: Option<&Content>,
    arguments: &Arguments,
    given: &Given,
) -> Result<Option<Comparison>, Failure> {
    let is_comparison = |content: &Content| match content {
        Content::Record(record) => record.is_comparison(),
        Content::Perf(_) => false,
    };
    let comparison = match (this, other) {
        (Content::Record(this), None) if this.is_comparison() => {
            Comparison::of_programs(this, &of_board(this, given))
        }
        (_, Some(other)) if is_comparison(this) || is_comparison(other) => {
            refuse!(
                "a recording of `stat --compare` already has both programs; give only this file"
            );
        }
        (Content::Record(this), Some(Content::Record(other))) if arguments.plot.is_none() => {
            Comparison::of_files(this, other, &of_board(this, given))
        }
        _ => return Ok(None),
    };
    if arguments.plot.is_some() {
        refuse!("a comparison of many runs has no intervals to plot");
    }
    Ok(Some(comparison))
}

fn read(path: &str) -> Result<Content, Failure> {
    let text = input::text(path, LARGEST)?;
    let content = match Record::parse(&text) {
        Some(record) => record.map(|record| Content::Record(Box::new(record))),
        None => parse::parse(&text).map(Content::Perf).map_err(|error| error.to_string()),
    };
    content.map_err(|error| Failure::wrong_use(format!("{path}, {error}")))
}
