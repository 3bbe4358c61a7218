//! Prints each interval when it ends, and the report at the end.

use std::fs::File;
use std::io::{self, Write};

use serde::Serialize;

use crate::base::failure::Failure;
use crate::base::output;
use crate::base::perf_stat::recording::{Recording, Run};
use crate::base::text::Screen;
use crate::linux::report::model::{Given, Report};
use crate::linux::report::record::{Means, Record};
use crate::linux::report::runs::Comparison;
use crate::linux::report::sample::{Sample, row};
use crate::linux::report::{csv, json, table};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Csv,
    Json,
}

pub struct Show {
    pub to: Box<dyn Write>,
    pub format: Format,
    pub screen: Screen,
    pub given: Given,
    pub names: Vec<String>,
    pub caveats: bool,
    /// Whether the report follows other output of this command or of the program.
    pub has_text_above: bool,
    /// First error while printing.
    pub broken: Option<io::Error>,
}

/// Opens the destination of the counts. With a program, this is standard error, because standard output belongs to the
/// program.
pub fn destination(file: Option<&str>, has_program: bool) -> Result<Box<dyn Write>, Failure> {
    let create =
        |path: &str| File::create(path).map_err(|error| Failure::unwritable(path.as_ref(), error));
    Ok(match file {
        Some(path) => Box::new(create(path)?),
        None if has_program => Box::new(anstream::stderr()),
        None => Box::new(anstream::stdout()),
    })
}

/// Width of a column in the table of intervals.
const WIDTH: usize = 13;

impl Show {
    /// Prints the header of the intervals.
    pub fn head(&mut self, has_intervals: bool) {
        let text = match self.format {
            Format::Csv => csv::HEAD.to_owned(),
            Format::Json => return,
            Format::Text if !has_intervals => return,
            Format::Text => {
                // Counts of zero are enough to list the names of all metrics.
                let nothing = vec![Sample { count: Some(0), share: 1.0 }; self.names.len()];
                let report = self.report(&nothing, 1.0, None);
                let counters = report.counters.iter().map(|counter| counter.full_name());
                let metrics =
                    report.metrics.iter().map(|metric| format!("{} {}", metric.pmu, metric.name));
                let mut text = String::new();
                let mut head = format!("{:>WIDTH$}", "until");
                for (number, name) in (1..).zip(counters.chain(metrics)) {
                    text += &format!("#{number} {name}\n");
                    head += &format!("{:>WIDTH$}", format!("#{number}"));
                }
                text + &head + "\n"
            }
        };
        self.write(&text);
    }

    pub fn interval(&mut self, until: u64, seconds: f64, samples: &[Sample]) {
        let mut report = self.report(samples, seconds, Some(until));
        let text = match self.format {
            Format::Csv => csv::lines(&report, Some(0)),
            Format::Json => {
                // Notes are printed once, for the whole measurement.
                report.notes.clear();
                let line = serde_json::to_string(&json::Report::new(&report)).unwrap_or_default();
                line + "\n"
            }
            Format::Text => {
                let counts = report.counters.iter().map(|counter| counter.total.text());
                let figures = report.metrics.iter().map(|metric| metric.figure(metric.total));
                let time = format!("{:.3} s", until as f64 / 1e9);
                let cells = [time].into_iter().chain(counts).chain(figures);
                // A long cell is still separated by a space.
                let cells = cells.map(|cell| format!(" {cell:>0$}", WIDTH - 1));
                cells.collect::<String>() + "\n"
            }
        };
        self.write(&text);
    }

    /// Prints the report of all runs.
    pub fn total(&mut self, record: &Record, notes: Vec<String>) -> Result<(), Failure> {
        let Means { rows, seconds, spread } = record.means(0);
        // All rows, including rows of single cores, share one elapsed time.
        let elapsed_nanoseconds = Some((seconds * 1e9) as u64);
        let runs = vec![Run { elapsed_nanoseconds, ..Run::default() }];
        let recording = Recording { rows, runs, ..Recording::default() };
        let mut report = Report::new(&recording, &self.given);
        report.notes.splice(0..0, notes);
        report.notes.extend(record.end.as_ref().and_then(|end| end.failed.clone()));
        if !self.caveats && self.format == Format::Text {
            report.metrics.iter_mut().for_each(|metric| metric.caveat = None);
        }
        let text = match self.format {
            Format::Csv => csv::lines(&report, None),
            Format::Json => line(&json::Report::new(&report))?,
            Format::Text => {
                let runs = record.runs.len();
                let time = match spread {
                    Some(percent) => {
                        format!("{seconds:.3} s, mean of {runs} runs (+- {percent:.1} %)")
                    }
                    None => format!("{seconds:.3} s"),
                };
                let gap = if self.has_text_above { "\n" } else { "" };
                format!("{gap}{}\n{time}\n", table::write(&report, self.screen).trim_end())
            }
        };
        self.end(&text)
    }

    pub fn comparison(&mut self, record: &Record) -> Result<(), Failure> {
        let comparison = Comparison::of_programs(record, &self.given);
        let text = match self.format {
            Format::Csv => csv::runs(&comparison),
            Format::Json => line(&json::Runs::new(&comparison, &[]))?,
            Format::Text => {
                let gap = if self.has_text_above { "\n" } else { "" };
                format!("{gap}{}", table::runs(&comparison, &[], self.screen))
            }
        };
        self.end(&text)
    }

    /// Prints the last text. Returns the first error while printing.
    fn end(&mut self, text: &str) -> Result<(), Failure> {
        self.write(text);
        self.broken.take().map_or(Ok(()), |error| Err(error.into()))
    }

    fn report(&self, samples: &[Sample], seconds: f64, until: Option<u64>) -> Report {
        let rows = self.names.iter().zip(samples);
        let rows = rows.map(|(name, sample)| row(name.clone(), *sample, seconds, until));
        let begin = until.unwrap_or(0).saturating_sub((seconds * 1e9).round() as u64);
        let recording = Recording { rows: rows.collect(), ..Recording::default() };
        Report::new(&recording, &Given { begin, ..self.given.clone() })
    }

    /// Prints text. After an error, the measurement continues.
    fn write(&mut self, text: &str) {
        if let Err(error) = output::write(&mut self.to, text) {
            self.broken.get_or_insert(error);
        }
    }
}

fn line(document: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(document)? + "\n")
}
