//! `arm-pmu stat`: counts with the kernel's drivers.

mod counting;
mod device;
mod environment;
mod iort;
mod open;
mod program;
mod recorder;
mod run;
mod show;
#[cfg(test)]
mod tests;
mod turns;
mod wanted;

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use arm_pmu_linux::perf::Sysfs;
use arm_pmu_lookup::perf::quoted;
use arm_pmu_tables::Platform;

use crate::base::answer::Answer;
use crate::base::arguments::Stat as Arguments;
use crate::base::failure::{Failure, refuse};
use crate::base::platform;
use crate::base::text::Screen;
use crate::linux::core_pmu::CorePmu;
use crate::linux::cores;
use crate::linux::report::argument;
use crate::linux::report::bootstrap::FEWEST_RUNS;
use crate::linux::report::model::Given;
use crate::linux::report::record::{End, Event, Idle, Interval, Line, Run};
use crate::linux::report::sample::Sample;
pub use counting::Counting;
use device::Streams;
pub use environment::{board, elsewhere, kernel, platform, unix_seconds};

pub use open::{Whom, counters_of_core, free_counters, open};
use program::{OWN_FAILURE, Waiter};
use recorder::Recorder;
use run::Source;
use show::{Format, Show};
use turns::Turns;
pub use wanted::{Column, Names, Wanted};

/// Default runs of each program of `--compare`: the minimum for a verdict.
const RUNS: u32 = FEWEST_RUNS as u32;

/// Duration of the count of the idle system, before the first run.
const IDLE: Duration = Duration::from_secs(1);

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    measure(arguments, Path::new("/"), screen)
        .map_err(|failure| Failure { status: failure.status.max(OWN_FAILURE), ..failure })
}

/// Programs to run; one empty entry if there is none.
fn commands(arguments: &Arguments) -> Result<Vec<Vec<String>>, Failure> {
    if arguments.compare.is_empty() {
        return Ok(vec![arguments.program.clone()]);
    }
    let words = |text: &String| {
        let why = match shlex::split(text) {
            Some(words) if !words.is_empty() => return Ok(words),
            Some(_) => "there is no word",
            None => "a quotation mark has no end, or nothing follows a backslash",
        };
        Err(Failure::wrong_use(format!("--compare `{text}`: {why}")))
    };
    arguments.compare.iter().map(words).collect()
}

/// What the options select.
struct Selected {
    platform: Option<&'static Platform>,
    /// Arguments of metrics.
    set: Vec<(String, f64)>,
    streams: Vec<Streams>,
    /// Events of each PMU: one element, or one for each stream if the PMU filters streams.
    pmus: Vec<Vec<Wanted>>,
}

/// `machine` is Rust's name of the processor architecture.
fn select(
    arguments: &Arguments,
    root: &Path,
    sysfs: &Sysfs,
    machine: &'static str,
) -> Result<Selected, Failure> {
    let given = arguments.platform.as_deref().map(platform::find).transpose()?;
    let platform = given.or_else(|| platform(root));
    let set = arguments.set.iter().map(|text| argument(text)).collect::<Result<Vec<_>, _>>()?;
    let mut known = Names::new(sysfs, platform, machine);
    (known.pmus, known.set) = (arguments.pmus.clone(), set.clone());
    if !arguments.device.is_empty() {
        known.on_arm()?;
    }
    let streams = arguments.device.iter().map(|text| device::find(root, platform, text));
    let streams = streams.collect::<Result<Vec<_>, _>>()?;
    for (nth, one) in streams.iter().enumerate() {
        if streams[..nth].iter().any(|other| other.label() == one.label()) {
            refuse!("--device: {} is given twice", one.label());
        }
    }
    let all = all(&known, &streams, &arguments.events, &arguments.metrics)?;
    known.on_arm()?;
    Ok(Selected { platform, set, streams, pmus: by_pmu(all) })
}

fn measure(arguments: &Arguments, root: &Path, screen: Screen) -> Result<Answer, Failure> {
    let commands = commands(arguments)?;
    let is_comparison = commands.len() > 1;
    let rounds = arguments.repeat.unwrap_or(if is_comparison { RUNS } else { 1 });
    let has_program = !commands[0].is_empty();
    if rounds > 1 && !has_program {
        refuse!("-r runs a program several times; give the program after `--`");
    }
    let sysfs = Sysfs::at(root);
    let Selected { platform, set, streams, pmus } =
        select(arguments, root, &sysfs, std::env::consts::ARCH)?;
    let whom = if has_program { Whom::Program } else { Whom::Everything };
    let mut sources = Vec::new();
    for wanted in pmus {
        let opened = wanted.iter().map(|one| Ok((open(&sysfs, one, whom)?.0, one.columns.len())));
        let mut opened = opened.collect::<Result<Vec<_>, Failure>>()?;
        let counting = match opened.len() {
            1 => opened.remove(0).0,
            _ => Box::new(Turns::new(opened)),
        };
        sources.push(Source { wanted, counting });
    }
    let events = sources.iter().flat_map(|source| &source.wanted).flat_map(|wanted| {
        let whole_system = wanted.is_of_system();
        names(wanted).map(move |name| Event { name, whole_system })
    });
    let events: Vec<_> = events.collect();
    let given = Given {
        platform,
        arguments: set,
        cores: cores(&sysfs, &sources),
        program: has_program.then(|| quoted(&arguments.program)),
        ..Given::default()
    };
    let format = match (arguments.csv, arguments.json) {
        (true, _) => Format::Csv,
        (_, true) => Format::Json,
        _ => Format::Text,
    };
    let to = show::destination(arguments.output.as_deref(), has_program)?;
    let mut show = Show {
        to,
        format,
        screen,
        given,
        names: events.iter().map(|event| event.name.clone()).collect(),
        caveats: arguments.caveats,
        has_text_above: arguments.interval.is_some() || has_program && arguments.output.is_none(),
        broken: None,
    };
    let named = arguments.platform.as_deref().or(platform.map(|platform| platform.name));
    let mut start = environment::start(root, named, &commands, events);
    start.cores.clone_from(&show.given.cores);
    let how: Vec<_> = streams.iter().map(|streams| streams.how.clone()).collect();
    start.stream = (!how.is_empty()).then(|| how.join(". "));
    let mut recorder = Recorder::new(arguments.record.as_deref(), start)?;
    let mut waiter = Waiter::new()?;
    let shows_progress = rounds > 1 && std::io::stderr().is_terminal();
    let (mut interrupted, mut failed) = (false, None);
    let is_recorded = arguments.record.is_some() || is_comparison;
    let any_of_system = of_system(&sources).next().is_some();
    if is_recorded && has_program && any_of_system {
        let run = run::run(&mut sources, &mut waiter, &[], None, Some(IDLE), |_, _, _| {})?;
        interrupted = run.interrupted;
        let counts = recorder.record.start.events.iter().zip(run.counts);
        let counts = counts.map(|(event, sample)| event.whole_system.then_some(sample)).collect();
        recorder.add(Line::Idle(Idle { seconds: run.seconds, counts }));
    }
    if !is_comparison {
        show.head(arguments.interval.is_some());
    }
    let total = rounds as usize * commands.len();
    for (number, command) in (1..).zip(order(rounds, commands.len())) {
        if interrupted {
            break;
        }
        if shows_progress {
            eprintln!("run {number} of {total}");
        }
        let each = |until: u64, seconds: f64, samples: &[Sample]| {
            let (until_seconds, counts) = (until as f64 / 1e9, samples.to_vec());
            recorder.add(Line::Interval(Interval { run: number, until_seconds, counts }));
            show.interval(until, seconds, samples);
        };
        let words = &commands[command];
        match run::run(&mut sources, &mut waiter, words, arguments.interval, None, each) {
            Ok(run) => {
                interrupted = run.interrupted;
                recorder.add(Line::Run(Run { run: number, command, ..run }));
            }
            // If a later run fails, the counts of the completed runs are reported.
            Err(failure) if recorder.record.runs.is_empty() => return Err(failure),
            Err(failure) => {
                failed = Some(failure.to_string());
                break;
            }
        }
    }
    recorder.add(Line::End(End { failed, clocks: environment::clocks(root) }));
    let record = recorder.finish()?;
    if record.runs.is_empty() {
        return Err(Failure::wrong_use("interrupted before the first run"));
    }
    if is_comparison {
        show.comparison(&record)?;
    } else {
        show.total(&record, notes(&sources, &arguments.program, &streams))?;
    }
    let status = record.runs.iter().filter_map(|run| run.status).find(|status| *status != 0);
    Ok(Answer { status: status.unwrap_or(0), ..Answer::text(String::new()) })
}

/// Returns the counted PMUs of cores.
fn cores(sysfs: &Sysfs, sources: &[Source]) -> Vec<CorePmu> {
    let all = sources.iter().flat_map(|source| &source.wanted);
    let core = |wanted: &Wanted| {
        let device = sysfs.device(wanted.place.device.as_deref()?).ok()??;
        Some(cores::pmu(sysfs, &device, wanted.core()?))
    };
    all.filter_map(core).collect()
}

/// Returns the events and metrics to count: SMMU events once for each device, other events only
/// once.
fn all(
    names: &Names<'_>,
    streams: &[Streams],
    events: &[String],
    metrics: &[String],
) -> Result<Vec<Wanted>, Failure> {
    // `--device all` has no StreamID that could select a unit, so the first StreamID of another
    // `--device` selects it.
    let first = streams.iter().find_map(|streams| streams.span);
    if streams.is_empty() {
        return names.wanted(events, metrics);
    }
    let mut all = Vec::new();
    for one in streams {
        let mut names = names.clone();
        names.stream = one.span.or(first).map(|(first, _)| first);
        let mut wanted = names.wanted(events, metrics)?;
        wanted.retain(|wanted| all.is_empty() || wanted.has_filter());
        // Counts are marked with their filter only if there are several filters.
        let mark = (streams.len() > 1).then(|| one.label());
        filter(&mut wanted, one, mark)?;
        all.append(&mut wanted);
    }
    Ok(all)
}

/// Sets the stream filter of SMMU PMUs, and marks their counts if there are several filters.
fn filter(all: &mut [Wanted], streams: &Streams, mark: Option<String>) -> Result<(), Failure> {
    let mut none = true;
    for wanted in all.iter_mut().filter(|wanted| wanted.has_filter()) {
        wanted.place.pmu.map_or(Ok(()), |pmu| streams.fit(pmu))?;
        wanted.stream = streams.filter;
        wanted.mark.clone_from(&mark);
        none = false;
    }
    if none {
        refuse!(
            "--device is for events of an SMMU, as in -e mmu600:tbu:TRANSACTION; none is counted here"
        );
    }
    Ok(())
}

/// Groups the events by PMU.
fn by_pmu(all: Vec<Wanted>) -> Vec<Vec<Wanted>> {
    let mut pmus: Vec<Vec<Wanted>> = Vec::new();
    for wanted in all {
        match pmus.iter_mut().find(|pmu| pmu[0].place.is(&wanted.place)) {
            Some(pmu) => pmu.push(wanted),
            None => pmus.push(vec![wanted]),
        }
    }
    pmus
}

/// Events of PMUs that count the whole system.
fn of_system(sources: &[Source]) -> impl Iterator<Item = &Wanted> {
    sources.iter().flat_map(|source| &source.wanted).filter(|wanted| wanted.is_of_system())
}

/// Program of each run. Two programs alternate, and every second pair is in reverse order, so that neither program
/// always runs first.
fn order(rounds: u32, commands: usize) -> impl Iterator<Item = usize> {
    (0..rounds as usize).flat_map(move |round| {
        (0..commands).map(move |nth| if round % 2 == 0 { nth } else { commands - 1 - nth })
    })
}

fn names(wanted: &Wanted) -> impl Iterator<Item = String> {
    wanted.columns.iter().map(|column| wanted.name(column))
}

/// Notes about the counts.
fn notes(sources: &[Source], program: &[String], streams: &[Streams]) -> Vec<String> {
    let mut notes = Vec::new();
    let smmus = || sources.iter().flat_map(|source| &source.wanted).filter(|one| one.has_filter());
    match streams {
        [] => {}
        [one] if one.filter.is_none() => {}
        [one] => notes.push(format!(
            "{}. SMMU events are limited to this stream, because one filter applies to all \
             counters of a unit. Add `--device all` to count all devices too; the filters then \
             take turns.",
            one.how
        )),
        several => {
            for streams in several {
                notes.push(format!("{}: {}.", streams.label(), streams.how));
            }
            if sources.iter().any(|source| source.wanted.len() > 1) {
                notes.push(
                    "All counters of a unit share one filter, so each filter counted for a part of \
                     the time, and its counts are estimates for the whole time."
                        .to_owned(),
                );
            }
        }
    }
    let filtered = smmus().filter(|wanted| wanted.stream.is_some());
    let others: Vec<_> = filtered.flat_map(Wanted::unfiltered).collect();
    if !others.is_empty() {
        notes.push(format!(
            "No filter applies to {}, so they count all devices.",
            others.join(", ")
        ));
    }
    if let (Some(first), Some(program)) = (of_system(sources).next(), program.first()) {
        let name = first.place.name();
        notes.push(format!(
            "{name} counts the whole system, not {program} alone. To see what the rest of the system contributes, also count without the program."
        ));
    }
    notes.extend(sources.iter().flat_map(|one| &one.wanted).flat_map(|one| one.notes.clone()));
    for source in sources {
        if let Some(error) = source.counting.error() {
            notes.push(format!("{}: {error}.", source.wanted[0].place.name()));
        }
    }
    notes
}
