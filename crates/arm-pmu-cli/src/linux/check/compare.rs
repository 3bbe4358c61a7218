//! `arm-pmu check --compare`: merges posted reports into a table for each core.

use std::fs;

use super::expect::Outcome;
use super::{Document, Judged};
use crate::base::answer::Answer;
use crate::base::failure::Failure;
use crate::base::text::{NAME, Screen, distinct, heading, styled};

pub fn run(files: &[String], screen: Screen) -> Result<Answer, Failure> {
    let read = |file: &String| {
        let wrong = |why: String| Failure::wrong_use(format!("`{file}`: {why}"));
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        serde_json::from_str(&text)
            .map_err(|error| wrong(format!("not an output of `arm-pmu check --json`: {error}")))
    };
    let reports = files.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    Ok(Answer::text(text(&reports, screen)))
}

fn text(reports: &[Document], screen: Screen) -> String {
    let mut text = format!("{}\n", styled(NAME, "Reports"));
    for (number, document) in (1..).zip(reports) {
        text += &screen.paragraph(&format!("{number:<3} "), &origin(document));
    }
    for of in distinct(reports.iter().flat_map(|report| &report.events).map(core)) {
        text += &table(of, reports, screen);
    }
    text
}

/// Board, kernel and program of a report.
fn origin(document: &Document) -> String {
    let unknown = "not known";
    let kernel = document.kernel.as_deref().unwrap_or(unknown);
    let kernel = kernel.split_once(" #").map_or(kernel, |(name, _)| name);
    format!("{}, {kernel}, {}", document.board.as_deref().unwrap_or(unknown), document.tool)
}

/// Name of the core, or of the interconnect.
fn core(one: &Judged) -> &str {
    one.ip.as_ref().unwrap_or(&one.pmu)
}

fn table(of: &str, reports: &[Document], screen: Screen) -> String {
    let verdicts = reports.iter().map(|report| report.events.iter().chain(&report.behaviours));
    let columns = verdicts.map(|all| all.filter(|one| core(one) == of).collect());
    let columns: Vec<Vec<&Judged>> = columns.collect();
    let mut rows = vec![vec![String::new()]];
    rows[0].extend((1..=reports.len()).map(|number| number.to_string()));
    let mut measured = Vec::new();
    for name in distinct(columns.iter().flatten().map(|one| one.what.as_str())) {
        let found = columns.iter().map(|column| column.iter().find(|one| one.what == name));
        let found: Vec<_> = found.collect();
        let is = |outcome| found.iter().flatten().any(|one| one.outcome == outcome);
        let is_event = reports.iter().flat_map(|of| &of.events).any(|one| one.what == name);
        if is_event && is(Outcome::Right) && !is(Outcome::Off) {
            measured.push(name);
        }
        let cells = found.iter().map(|found| found.map_or("-".to_owned(), |one| cell(one)));
        rows.push([name.to_owned()].into_iter().chain(cells).collect());
    }
    let mut text = heading(of);
    text += &screen.whole().table(0, &[], &rows);
    if !measured.is_empty() {
        let line = format!(
            "These were right in at least one report and wrong in none, so the specs may grade them M (measured on the board): {}.",
            measured.join(", ")
        );
        text += &screen.paragraph("", &line);
    }
    text
}

fn cell(one: &Judged) -> String {
    match (one.outcome, &one.why) {
        // The table shows only the ratio; the reports also name the work.
        (Outcome::Off, Some(why)) => match why.split_once(" in ") {
            Some((ratio, _)) => format!("OFF {ratio}"),
            None => "OFF".to_owned(),
        },
        (outcome, _) => outcome.word().to_owned(),
    }
}
