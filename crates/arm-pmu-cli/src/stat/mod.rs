//! `arm-pmu stat`: counts with the kernel's drivers.

mod counting;
mod open;
mod program;
mod run;
mod show;
#[cfg(test)]
mod tests;
mod wanted;

use std::io::IsTerminal;
use std::time::Duration;

use arm_pmu_linux::perf::Sysfs;

use crate::arguments::Stat as Arguments;
use crate::command::Answer;
use crate::failure::Failure;
use crate::platform;
use crate::report::model::Given;
use crate::text::Screen;
use open::Whom;
use program::{OWN_FAILURE, Waiter};
use run::{Outcome, Source};
use show::{Format, Show};
use wanted::{Names, Wanted};

/// A time with its unit: `500ms`, `2s`. Without one, milliseconds, as `perf` has it.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "not a time, as in 500ms or 2s".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "ms" => 1e-3,
        "s" => 1.0,
        "us" => 1e-6,
        _ => return Err(wrong()),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let time = Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())?;
    if time < Duration::from_millis(1) {
        return Err("an interval has at least 1ms".to_owned());
    }
    Ok(time)
}

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    measure(arguments, &Sysfs::default(), screen).map_err(|failure| match failure {
        Failure::NotMeasured { .. } => failure,
        other => Failure::NotMeasured { status: OWN_FAILURE, text: other.to_string() },
    })
}

fn measure(arguments: &Arguments, sysfs: &Sysfs, screen: Screen) -> Result<Answer, Failure> {
    if arguments.repeat > 1 && arguments.program.is_empty() {
        return Err(Failure::wrong_use("-r runs a program several times; give one behind `--`"));
    }
    let platform = arguments.platform.as_deref().map(platform::find).transpose()?;
    let all = Names::new(sysfs, platform).wanted(&arguments.events, &arguments.metrics)?;
    let whom = if arguments.program.is_empty() { Whom::Everything } else { Whom::Program };
    let mut sources = Vec::new();
    for wanted in all {
        let counting = open::open(sysfs, &wanted, whom)?;
        sources.push(Source { wanted, counting });
    }
    let given = Given { platform, ..Given::default() };
    let names = sources.iter().flat_map(|source| names(&source.wanted)).collect();
    let format = match (arguments.csv, arguments.json) {
        (true, _) => Format::Csv,
        (_, true) => Format::Json,
        _ => Format::Text,
    };
    let to = show::destination(arguments.output.as_deref(), !arguments.program.is_empty())?;
    let mut show = Show {
        to,
        format,
        screen,
        given,
        names,
        caveats: arguments.caveats,
        has_text_above: arguments.interval.is_some()
            || !arguments.program.is_empty() && arguments.output.is_none(),
        failed: None,
        broken: None,
    };
    let mut waiter = Waiter::new().map_err(Failure::Output)?;
    let mut outcomes = Vec::new();
    let shows_progress = arguments.repeat > 1 && std::io::stderr().is_terminal();
    show.head(arguments.interval.is_some());
    for number in 1..=arguments.repeat {
        if shows_progress {
            eprintln!("run {number} of {}", arguments.repeat);
        }
        let outcome = run::run(
            &mut sources,
            &mut waiter,
            &arguments.program,
            arguments.interval,
            |until, seconds, samples| show.interval(until, seconds, samples),
        );
        match outcome {
            Ok(outcome) => {
                let interrupted = outcome.interrupted;
                outcomes.push(outcome);
                if interrupted {
                    break;
                }
            }
            // What was counted before is printed.
            Err(run::NotStarted { status, text }) if outcomes.is_empty() => {
                return Err(Failure::NotMeasured { status, text });
            }
            Err(run::NotStarted { text, .. }) => {
                show.failed = Some(text);
                break;
            }
        }
    }
    show.total(&outcomes, notes(&sources, &arguments.program))?;
    let status = outcomes.iter().filter_map(|outcome| outcome.status).find(|status| *status != 0);
    Ok(Answer { status, ..Answer::text(String::new()) })
}

fn names(wanted: &Wanted) -> Vec<String> {
    wanted.columns.iter().map(|column| wanted.name(column)).collect()
}

/// What to know beside the counts.
fn notes(sources: &[Source], program: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    let whole: Vec<_> = sources.iter().filter(|source| source.wanted.is_of_system()).collect();
    if let (Some(first), Some(program)) = (whole.first(), program.first()) {
        let name = first.wanted.place.name();
        notes.push(format!(
            "{name} counts the whole system, not {program} alone. To know what the rest adds, count without it too."
        ));
    }
    for source in sources {
        if let Some(error) = source.counting.error() {
            notes.push(format!("{}: {error}.", source.wanted.place.name()));
        }
    }
    notes
}

/// The mean of several runs, and its standard deviation in percent.
fn mean(numbers: &[f64]) -> (f64, Option<f64>) {
    let runs = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / runs;
    if numbers.len() < 2 || mean == 0.0 {
        return (mean, None);
    }
    let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
    let of_mean = (squares / (runs - 1.0) / runs).sqrt();
    (mean, Some(of_mean / mean * 100.0))
}

/// The seconds of all runs.
fn seconds(outcomes: &[Outcome]) -> Vec<f64> {
    outcomes.iter().map(|outcome| outcome.seconds).collect()
}
