//! `arm-pmu check --compare`: merges posted reports into a table for each core.

use std::fs;

use super::expect::Outcome;
use super::{Document, Judged};
use crate::base::answer::Answer;
use crate::base::failure::Failure;
use crate::base::text::{HEADING, NAME, Screen, styled};

/// A report, with the name of its column.
struct Report {
    name: String,
    document: Document,
}

pub fn run(files: &[String], screen: Screen) -> Result<Answer, Failure> {
    let read = |(nth, file): (usize, &String)| {
        let wrong = |why: String| Failure::wrong_use(format!("`{file}`: {why}"));
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        let document = serde_json::from_str(&text)
            .map_err(|error| wrong(format!("not an output of `arm-pmu check --json`: {error}")))?;
        Ok(Report { name: format!("{}", nth + 1), document })
    };
    let reports = files.iter().enumerate().map(read).collect::<Result<Vec<_>, Failure>>()?;
    Ok(Answer::text(text(&reports, screen)))
}

fn text(reports: &[Report], screen: Screen) -> String {
    let mut text = format!("{}\n", styled(NAME, "Reports"));
    for Report { name, document } in reports {
        text += &screen.paragraph(&format!("{name:<3} "), &origin(document));
    }
    let mut cores: Vec<String> = Vec::new();
    for one in reports.iter().flat_map(|report| &report.document.events) {
        if !cores.contains(&core(one)) {
            cores.push(core(one));
        }
    }
    for of in cores {
        text += &table(&of, reports, screen);
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
fn core(one: &Judged) -> String {
    one.ip.clone().unwrap_or_else(|| one.pmu.clone())
}

fn table(of: &str, reports: &[Report], screen: Screen) -> String {
    let all = |report: &'_ Report| -> Vec<Judged> {
        let both = report.document.events.iter().chain(&report.document.behaviours);
        both.filter(|one| core(one) == of).cloned().collect()
    };
    let columns: Vec<Vec<Judged>> = reports.iter().map(all).collect();
    let mut names: Vec<&str> = Vec::new();
    for one in columns.iter().flatten() {
        if !names.contains(&one.what.as_str()) {
            names.push(&one.what);
        }
    }
    let mut rows = vec![vec![String::new()]];
    rows[0].extend(reports.iter().map(|report| report.name.clone()));
    let mut measured = Vec::new();
    for name in names {
        let found = |column: &Vec<Judged>| column.iter().find(|one| one.what == name).cloned();
        let found: Vec<_> = columns.iter().map(found).collect();
        let is = |outcome| found.iter().flatten().filter(|one| one.outcome == outcome).count();
        let is_event = reports.iter().any(|report| {
            report.document.events.iter().any(|one| one.what == name && core(one) == of)
        });
        if is_event && is(Outcome::Right) > 0 && is(Outcome::Off) == 0 {
            measured.push(name);
        }
        let cells = found.iter().map(|one| one.as_ref().map_or("-".to_owned(), cell));
        rows.push([name.to_owned()].into_iter().chain(cells).collect());
    }
    let mut text = format!("\n{}\n", styled(HEADING, of));
    text += &screen.whole().table(0, &[], &rows);
    if !measured.is_empty() {
        let line = format!(
            "Right in a report and wrong in none, so the specs may grade them M (measured on the board): {}.",
            measured.join(", ")
        );
        text += &screen.paragraph("", &line);
    }
    text
}

fn cell(one: &Judged) -> String {
    match (one.outcome, &one.why) {
        // The ratio is enough; the reports have the work.
        (Outcome::Off, Some(why)) => {
            format!("OFF {}", why.split_once(" in ").map_or("", |(ratio, _)| ratio))
                .trim_end()
                .to_owned()
        }
        (outcome, _) => outcome.word().to_owned(),
    }
}
