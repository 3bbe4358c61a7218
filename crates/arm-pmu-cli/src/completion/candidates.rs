//! Candidates for each argument, mostly from the tables of the IP on the command line.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use arm_pmu_lookup::perf::topics;
use arm_pmu_tables::platform::Instance;
use arm_pmu_tables::{EventOf, IPS, PLATFORMS, Pmu, Source, same_name};
use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};

use crate::base::platform::target::{Subject, Target};

/// A name, and its description in one line.
type Candidate = (String, &'static str);

/// The kernel's directory of PMUs.
const LINUX_PMUS: &str = "/sys/bus/event_source/devices";

/// Adds candidates to each argument. `words` is the command line so far.
pub fn add(command: Command, words: &[String]) -> Command {
    let named = words.iter().skip(1).find_map(|word| {
        let options = ["--ip=", "--platform="];
        let name = options.iter().find_map(|option| word.strip_prefix(option)).unwrap_or(word);
        Subject::read(name).ok()
    });
    let target = named.and_then(|subject| subject.one(words).or_else(|_| subject.any()).ok());
    // With `--platform`, the first argument is an event or a name.
    let is_shifted =
        words.iter().any(|word| word == "--platform" || word.starts_with("--platform="));
    let add = |argument: Arg, command: &str| {
        let of_platforms = ["platform", "device-tree"].contains(&command);
        let id = match (argument.get_id().as_str(), command) {
            ("ip", "encode" | "perf") if is_shifted => "events",
            ("ip", "decode") if is_shifted => "values",
            ("ip", "show") if is_shifted => "name",
            ("events", "stat") => "events of PMUs",
            ("metrics", "stat") => "metrics of PMUs",
            (id, _) => id,
        };
        let candidates: fn(Option<Target>, &str) -> Vec<Candidate> = match id {
            "ip" | "ips" => |_, _| ips(),
            "platform" => |_, _| platforms(),
            "name" if of_platforms => |_, _| platforms(),
            "name" => |target, typed| target.map_or(Vec::new(), |target| names(&target, typed)),
            "events" | "count" => event_arguments,
            "values" => |target, _| {
                let registers = target.into_iter().flat_map(|of| of.pmu.registers());
                registers.map(|one| (format!("{}=", one.name), one.title)).collect()
            },
            "metrics" => metrics,
            "events of PMUs" => |target, typed| behind_pmus(target, typed, event_arguments),
            "metrics of PMUs" => |target, typed| behind_pmus(target, typed, metrics),
            "stream" => |target, _| target.map_or(Vec::new(), |target| streams(&target)),
            "set" => |_, _| arguments_of_metrics(),
            "pmu" => |_, _| linux_pmus(),
            "file" | "new" | "plot" | "from" | "merge_into" | "output" | "record" => {
                return argument.value_hint(ValueHint::FilePath);
            }
            "compare" => return argument.value_hint(ValueHint::CommandString),
            "program" => return argument.value_hint(ValueHint::CommandWithArguments),
            "directory" | "out" => return argument.value_hint(ValueHint::DirPath),
            _ => return argument,
        };
        let complete = move |typed: &OsStr| {
            typed.to_str().map_or(Vec::new(), |typed| matching(candidates(target, typed), typed))
        };
        // In other commands, `--events` is a switch without a value.
        if argument.get_action().takes_values() {
            argument.add(ArgValueCompleter::new(complete))
        } else {
            argument
        }
    };
    command.mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        subcommand.mut_args(|argument| add(argument, &name))
    })
}

/// Candidates that begin with the typed text. Lower-case text matches any case.
fn matching(candidates: Vec<Candidate>, typed: &str) -> Vec<CompletionCandidate> {
    let small = typed.bytes().any(|byte| byte.is_ascii_lowercase())
        && !typed.bytes().any(|byte| byte.is_ascii_uppercase());
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (name, help) in candidates {
        let name = if small { name.to_ascii_lowercase() } else { name };
        let begins = name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
        if begins && seen.insert(name.clone()) {
            let help = (!help.is_empty()).then(|| help.to_owned().into());
            found.push(CompletionCandidate::new(name).help(help));
        }
    }
    found
}

fn ips() -> Vec<Candidate> {
    let whole = IPS.iter().map(|ip| (ip.name.to_owned(), ip.title));
    let units = Pmu::all().filter_map(|pmu| Some((pmu.to_string(), pmu.unit?.title)));
    whole.chain(units).collect()
}

/// Platforms, and the PMUs of platforms with several PMUs.
fn platforms() -> Vec<Candidate> {
    let each = PLATFORMS.iter().flat_map(|platform| {
        let several = platform.instances.len() > 1;
        let pmus = platform.instances.iter().filter(move |_| several);
        let pmus = pmus.map(move |one| {
            (format!("{}:{}", platform.name, one.name), one.title.unwrap_or(platform.title))
        });
        std::iter::once((platform.name.to_owned(), platform.title)).chain(pmus)
    });
    each.collect()
}

fn streams(target: &Target) -> Vec<Candidate> {
    let all = target.instance.map_or(&[][..], |instance| instance.streams);
    all.iter().map(|stream| (stream.name.to_owned(), stream.title)).collect()
}

/// Candidates for the NAME of `show`.
fn names(target: &Target, typed: &str) -> Vec<Candidate> {
    let pmu = target.pmu;
    let mut names = at_source(target, typed);
    if let Some((register, _)) = typed.split_once('.') {
        names.extend(fields(pmu, register));
    }
    names.extend(pmu.events().map(|of| (of.event.name.to_owned(), of.event.doc)));
    names.extend(pmu.registers().map(|register| (register.name.to_owned(), register.title)));
    names.extend(pmu.metrics().map(|of| (of.metric.name.to_owned(), of.metric.doc)));
    names.extend(pmu.findings().map(|finding| (finding.name.to_owned(), finding.cause)));
    if !matching(names.clone(), typed).is_empty() {
        return names;
    }
    let unit = pmu.unit.map(|unit| unit.name);
    let others = pmu.events().flat_map(|of| {
        let names = of.event.aliases.iter().filter(move |alias| alias.is_of(unit));
        names.map(move |alias| (alias.name.to_owned(), of.event.name))
    });
    others.collect()
}

fn fields(pmu: Pmu, register: &str) -> Vec<Candidate> {
    let registers = pmu.find_registers(register);
    let fields = registers.flat_map(|found| {
        let own = found.register.fields.iter();
        own.map(move |field| (format!("{}.{}", found.register.name, field.name), field.doc))
    });
    fields.collect()
}

/// Events for `encode`, `perf` and others. If an event can come from several sources, each candidate begins with a
/// source: `S3:READ_REQUEST_ANY`.
fn event_arguments(target: Option<Target>, typed: &str) -> Vec<Candidate> {
    let Some(target) = target else { return Vec::new() };
    let pmu = target.pmu;
    let is_alone = |of: &EventOf| of.group.sources.len() < 2;
    let alone = pmu.events().filter(is_alone).map(|of| (of.event.name.to_owned(), of.event.doc));
    let cycles = pmu.ip.counters.cycles.iter().map(|_| ("cycles".to_owned(), "The cycle counter"));
    at_source(&target, typed).into_iter().chain(alone).chain(cycles).collect()
}

/// Completes the names of sources (`SI3:`) or, after a source and a colon, the names of its events. On a board, the
/// name of an interface also stands for its source.
fn at_source(target: &Target, typed: &str) -> Vec<Candidate> {
    let pmu = target.pmu;
    let sources = || pmu.groups().flat_map(|group| group.sources.iter());
    let Some((named, _)) = typed.split_once(':') else {
        let board = target.instance.map_or(&[][..], |instance| instance.interfaces);
        let board = board.iter().map(|one| (format!("{}:", one.name), one.title));
        return sources()
            .map(|source| (format!("{}:", source.name), source.title))
            .chain(board)
            .collect();
    };
    let source = target.source(named).ok().flatten();
    let is =
        |of: &&Source| source.map_or(of.name.eq_ignore_ascii_case(named), |name| of.name == name);
    let events = pmu.events().filter_map(|of| Some((of, of.group.sources.iter().find(is)?)));
    events
        .map(|(of, found)| {
            let shown = if source.is_some() { named } else { found.name };
            (format!("{shown}:{}", of.event.name), of.event.doc)
        })
        .collect()
}

/// Returns the metrics as candidates (`SNOOP_HIT_RATE:`). After a typed metric and colon, returns
/// that metric's sources.
fn metrics(target: Option<Target>, typed: &str) -> Vec<Candidate> {
    let Some(target) = target else { return Vec::new() };
    let pmu = target.pmu;
    let board = target.instance.map_or(&[][..], |instance| instance.interfaces);
    let of_metric = |of: arm_pmu_tables::MetricOf| {
        let (metric, sources) = (of.metric, of.group.sources);
        if sources.len() < 2 {
            vec![(metric.name.to_owned(), metric.doc)]
        } else if typed.contains(':') {
            let at = |source: &Source| (format!("{}:{}", metric.name, source.name), source.title);
            let here = board.iter().filter(|one| sources.iter().any(|of| of.name == one.source));
            let here = here.map(|one| (format!("{}:{}", metric.name, one.name), one.title));
            sources.iter().map(at).chain(here).collect()
        } else {
            vec![(format!("{}:", metric.name), metric.doc)]
        }
    };
    let topics = topics(pmu).into_iter().map(|topic| (topic.to_owned(), "metrics of a topic"));
    topics.chain(pmu.metrics().flat_map(of_metric)).collect()
}

/// Events for `stat`: each PMU with its events. For a board, events are also offered without the PMU.
fn behind_pmus(
    board: Option<Target>,
    typed: &str,
    of: fn(Option<Target>, &str) -> Vec<Candidate>,
) -> Vec<Candidate> {
    let mut all = of(board, typed);
    let of_board = board.and_then(|target| target.platform).map_or(&[][..], |of| of.instances);
    all.extend(of_board.iter().map(|one| (format!("{}:", one.name), one.title.unwrap_or(""))));
    all.extend(ips().into_iter().map(|(name, title)| (format!("{name}:"), title)));
    // Kernel names are case-sensitive.
    let here = linux_pmus().into_iter().filter(|(name, _)| name.starts_with(typed));
    all.extend(here.filter(|(name, _)| of_kernel(name).is_some()).map(|(n, t)| (n + ":", t)));
    for (end, _) in typed.match_indices(':') {
        let (name, behind) = (&typed[..end], &typed[end + 1..]);
        let instance = of_board.iter().find(|one| same_name(one.name, name));
        let pmu = instance.and_then(Instance::pmu).or(Pmu::find(name)).or_else(|| of_kernel(name));
        let Some(pmu) = pmu else { continue };
        let target = Target { pmu, platform: board.and_then(|of| of.platform), instance };
        let own = of(Some(target), behind);
        all.extend(own.into_iter().map(|(event, title)| (format!("{name}:{event}"), title)));
    }
    all
}

/// A kernel PMU of this machine.
#[cfg(target_os = "linux")]
fn of_kernel(name: &str) -> Option<Pmu> {
    let sysfs = arm_pmu_linux::perf::Sysfs::default();
    crate::linux::cores::kernel_pmu(&sysfs, &sysfs.device(name).ok()??)
}

/// `stat` needs Linux.
#[cfg(not(target_os = "linux"))]
fn of_kernel(_: &str) -> Option<Pmu> {
    None
}

/// Arguments of metrics: `beat_bytes=`.
fn arguments_of_metrics() -> Vec<Candidate> {
    let metrics = Pmu::all().flat_map(Pmu::metrics);
    let arguments = metrics.flat_map(|of| of.metric.arguments.iter());
    arguments.map(|argument| (format!("{}=", argument.name), argument.doc)).collect()
}

/// Kernel names of the PMUs of this machine.
fn linux_pmus() -> Vec<Candidate> {
    let Ok(entries) = std::fs::read_dir(LINUX_PMUS) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.map(|name| (name, "")).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap_complete::engine::complete;

    use super::*;
    use crate::base::arguments::Arguments;

    /// Candidates for the last word of a line.
    fn offered(line: &str) -> Vec<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut command = add(Arguments::command(), &words);
        let last = words.len() - 1;
        let words = words.into_iter().map(Into::into).collect();
        let found = complete(&mut command, words, last, None).expect("candidates");
        found.iter().map(|one| one.get_value().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn names_are_offered_for_the_last_word() {
        for (line, expected) in [
            ("show cci400:", "cci400:r1 cci400:r0"),
            ("find --ip=mmu600:t", "--ip=mmu600:tcu --ip=mmu600:tbu"),
            ("encode cci550 SI3:READ_DATA_S", "SI3:READ_DATA_SNOOP_HIT SI3:READ_DATA_STALL"),
            ("encode cci550 SI0:READ_DATA_BEAT gl", "global:"),
            ("perf cci400 --metric SNOOP_HIT", "SNOOP_HIT_RATE:"),
            ("decode arm1176 PMN", "PMNC= PMN0= PMN1="),
            ("show cci550 PMCR.CE", "PMCR.CEN"),
            ("report x --set be", "beat_bytes="),
            // A PMU of a board.
            ("list --platform agilex5:t", "agilex5:tcu agilex5:tsn-tbu"),
            ("platform zynqm", "zynqmp zynqmp:cci zynqmp:core"),
            ("encode --platform zynqmp ap", "apu:"),
            ("recipe zynqmp --count apu:read_request_a", "apu:read_request_any"),
            ("perf --platform zynqmp --metric SNOOP_HIT_RATE:a", "SNOOP_HIT_RATE:apu"),
            ("perf agilex5:tsn-tbu --stream gm", "gmac0 gmac1 gmac2"),
            // For lower-case text, candidates are in lower case. Names in other programs are offered only if nothing
            // else matches.
            ("show cci550 si3:read_data_sn", "si3:read_data_snoop_hit"),
            ("show cci400 si_rrq_hs_an", "si_rrq_hs_any"),
        ] {
            assert_eq!(offered(&format!("arm-pmu {line}")).join(" "), expected, "{line}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn events_of_stat_are_offered_behind_their_pmu() {
        for (line, expected) in [
            ("-e cci400:r", "cci400:r1: cci400:r0:"),
            ("-e cci550:SI3:READ_DATA_SN", "cci550:SI3:READ_DATA_SNOOP_HIT"),
            ("-e mmu600:tcu:tlb_m", "mmu600:tcu:tlb_miss"),
            ("--event cortex-a8", "cortex-a8:"),
            ("--platform zynqmp -e cci:apu:read_request_a", "cci:apu:read_request_any"),
            ("-m cci400:SNOOP_H", "cci400:SNOOP_HIT_RATE:"),
            ("--platform zynqmp -m SNOOP_HIT_RATE:a", "SNOOP_HIT_RATE:apu"),
        ] {
            assert_eq!(offered(&format!("arm-pmu stat {line}")).join(" "), expected, "{line}");
        }
    }

    /// Each entry is offered under a name that the command accepts.
    #[test]
    fn every_event_and_register_is_offered() {
        for pmu in Pmu::all() {
            let target = Target { pmu, platform: None, instance: None };
            let names: BTreeSet<_> = names(&target, "").into_iter().map(|(name, _)| name).collect();
            for of in pmu.events() {
                assert!(names.contains(of.event.name), "{pmu} {}", of.event.name);
            }
            for register in pmu.registers() {
                assert!(names.contains(register.name), "{pmu} {}", register.name);
            }
            for selection in pmu.selections().filter(|one| one.source.is_some()) {
                let name = selection.to_string();
                let offered = event_arguments(Some(target), &name);
                assert_eq!(matching(offered, &name).len(), 1, "{pmu} {name}");
            }
        }
    }

    /// Arguments with free values.
    const FREE: [&str; 10] = [
        "words", "counter", "base", "command", "device", "cpu", "interval", "repeat", "size",
        "fail_if",
    ];

    #[test]
    fn every_argument_has_candidates() {
        for command in add(Arguments::command(), &[]).get_subcommands() {
            for argument in command.get_arguments().filter(|one| one.get_action().takes_values()) {
                let id = argument.get_id().as_str();
                let known = argument.get::<ArgValueCompleter>().is_some()
                    || argument.get_value_hint() != ValueHint::Unknown
                    || !argument.get_possible_values().is_empty()
                    || FREE.contains(&id);
                assert!(
                    known,
                    "{}: {id}: add it to `FREE`, or add candidates for it in `add`",
                    command.get_name()
                );
            }
        }
    }
}
