//! `arm-pmu report`

use crate::arguments::Report as Arguments;
use crate::command::Answer;
use crate::failure::Failure;
use crate::input;
use crate::platform::target::{self, Subject};
use crate::report::compare::Comparison;
use crate::report::model::{Given, Report};
use crate::report::{csv, json, parse, svg, table};
use crate::text::Screen;

/// Largest recording that is read: some millions of rows.
const LARGEST: u64 = 1 << 30;

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    let (ip, platform) = (arguments.ip.as_ref(), arguments.place.platform.as_ref());
    let subject = if ip.is_none() && platform.is_none() {
        None
    } else {
        Some(target::subject(ip, platform, &[])?.0)
    };
    let given = Given {
        // PMUs of several IPs have names of their own under Linux.
        pmu: subject.and_then(|subject| Some(subject.any().ok()?.pmu)),
        platform: subject.and_then(Subject::platform),
        arguments: arguments.set.iter().map(|text| argument(text)).collect::<Result<_, _>>()?,
        ..Given::default()
    };
    let report = read(&arguments.file, &given)?;
    let other = arguments.against.as_deref().map(|other| read(other, &given)).transpose()?;
    if let Some(path) = &arguments.plot {
        let drawn = svg::draw(&report, other.as_ref());
        let drawn = drawn.ok_or_else(|| {
            Failure::wrong_use(format!(
                "{} has no intervals to plot: run perf stat with -I 1000",
                arguments.file
            ))
        })?;
        std::fs::write(path, drawn)
            .map_err(|error| Failure::wrong_use(format!("{path} cannot be written: {error}")))?;
    }
    let Some(other) = &other else {
        return match (arguments.json, arguments.csv) {
            (true, _) => Answer::json(&json::report(&report)),
            (_, true) => Ok(Answer::text(csv::write(&report))),
            _ => Ok(Answer::text(table::write(&report, screen))),
        };
    };
    let comparison = Comparison::new(&report, other);
    match (arguments.json, arguments.csv) {
        (true, _) => Answer::json(&json::against(&comparison)),
        (_, true) => Ok(Answer::text(csv::compare(&comparison))),
        _ => Ok(Answer::text(table::compare(&comparison, screen))),
    }
}

/// `beat_bytes=16`
pub fn argument(text: &str) -> Result<(String, f64), Failure> {
    let wrong =
        || Failure::wrong_use(format!("`{text}` is not NAME=NUMBER, as in --set beat_bytes=16"));
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value: f64 =
        value.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(wrong)?;
    Ok((name.to_owned(), value))
}

fn read(path: &str, given: &Given) -> Result<Report, Failure> {
    let text = input::text(path, LARGEST)?;
    let recording =
        parse::parse(&text).map_err(|error| Failure::wrong_use(format!("{path}, {error}")))?;
    Ok(Report::new(&recording, given))
}
