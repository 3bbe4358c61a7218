//! `arm-pmu perf`: a command line for Linux.

use arm_pmu_tables::{Alias, CycleCounter, Dialect, EventOf, MetricOf, Pmu, Selection, same_name};

use super::Answer;
use crate::arguments::Perf;
use crate::failure::Failure;
use crate::kernel::{KernelPmu, Node, is_pmcg};
use crate::name::{self, number};
use crate::perf_name::{PerfName, What};
use crate::platform::target::{self, Target};
use crate::text::Screen;
use crate::{near, view};

/// A PMU as Linux has it.
struct LinuxPmu {
    name: String,
    /// The PMU of a core, which counts for single processes too.
    core: bool,
    /// Its directory in sysfs has `format/`, and so `event=`; else there is only `config=`.
    has_format: bool,
}

/// What one counter counts.
#[derive(Clone, Copy, Debug)]
pub enum Counted {
    Event(Selection),
    Cycles(&'static CycleCounter),
    /// An event id that the tables do not have.
    Other(u32),
}

impl Counted {
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Event(one), Self::Event(other)) => {
                std::ptr::eq(one.of.event, other.of.event) && one.source == other.source
            }
            (Self::Cycles(_), Self::Cycles(_)) => true,
            (Self::Other(one), Self::Other(other)) => one == other,
            _ => false,
        }
    }

    pub fn what(self) -> What {
        match self {
            Self::Event(selection) => What::Event(selection),
            Self::Cycles(_) => What::Cycles,
            Self::Other(id) => What::Other(id),
        }
    }
}

pub fn run(arguments: &Perf, screen: Screen) -> Result<Answer, Failure> {
    let platform = arguments.place.platform.as_ref();
    let (subject, events) = target::subject(arguments.ip.as_ref(), platform, &arguments.events)?;
    let target = subject.one(&events)?.with_unit()?;
    let pmu = target.pmu;
    let known = target.instance.and_then(|instance| Some(instance.linux?.value));
    let linux = linux_pmu(pmu, arguments.pmu.as_deref().or(known))?;
    let stream = arguments.stream.as_deref().map(|stream| stream_id(&target, stream));
    let filter = stream.map(|stream| filter(pmu, &stream)).transpose()?;
    let mut all: Vec<Counted> = Vec::new();
    let mut add = |one: Counted| {
        if !all.iter().any(|other| other.is(&one)) {
            all.push(one);
        }
    };
    for event in events {
        let name = target.event(event)?;
        add(counted(pmu, &name).map_err(|failure| target.with_interfaces(&name, failure))?);
    }
    for metric in &arguments.metrics {
        inputs(pmu, &target.metric(metric)?)?.into_iter().for_each(&mut add);
    }
    if all.is_empty() {
        return Err(Failure::wrong_use("give an event, or --metric"));
    }
    let events = all.iter().filter(|one| !matches!(one, Counted::Cycles(_))).count();
    let counters = pmu.ip.counters.count as usize;
    if events > counters {
        let text = format!(
            "{events} events, but {pmu} has {counters} counters: perf would not count the group"
        );
        return Err(Failure::wrong_use(text));
    }
    let terms = all.iter().map(|one| term(pmu, &linux, *one, filter.as_deref()));
    let terms = terms.collect::<Result<Vec<_>, _>>()?;
    let command = command(&linux, &terms, &arguments.command);
    let notes = notes(&linux, &all, filter.is_some());
    if arguments.json {
        return Answer::json(&view::Perf {
            pmu: pmu.to_string(),
            linux_pmu: linux.name,
            command,
            events: terms,
            notes,
        });
    }
    // Notes are comments, so that all of it can be given to a shell.
    let notes: String = notes.iter().map(|note| comment(screen, note)).collect();
    Ok(Answer::text(format!("{command}\n{notes}")))
}

fn comment(screen: Screen, note: &str) -> String {
    let lines = screen.paragraph("  ", note);
    lines.lines().map(|line| format!("# {}\n", line.trim_start())).collect()
}

fn linux_pmu(pmu: Pmu, given: Option<&str>) -> Result<LinuxPmu, Failure> {
    let known = KernelPmu::of(pmu).filter(|known| known.node != Node::None);
    let (name, has_format) = match known {
        Some(known) => (known.name, known.has_format),
        None if is_pmcg(pmu) => {
            let missing = "each PMU of an SMMU has a name of its own under Linux; give it, as in \
                           --pmu smmuv3_pmcg_2b442: the physical address of page 0 without its last three digits";
            (given.ok_or_else(|| Failure::wrong_use(missing))?, true)
        }
        None if matches!(pmu.ip.space, arm_pmu_tables::Space::System) => {
            let missing = "the name of this PMU differs from machine to machine under Linux; give it, as in \
                           --pmu armv8_cortex_a53: ls /sys/bus/event_source/devices";
            (given.ok_or_else(|| Failure::wrong_use(missing))?, true)
        }
        _ => return Err(Failure::not_found(format!("Linux has no PMU for {pmu}"))),
    };
    let name = given.unwrap_or(name);
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(Failure::wrong_use(format!("`{name}` is no name of a PMU")));
    }
    let core = pmu.ip.space.is_core();
    Ok(LinuxPmu { name: name.to_owned(), core, has_format })
}

/// What this text counts.
pub fn counted(pmu: Pmu, text: &str) -> Result<Counted, Failure> {
    Ok(match (name::what(pmu, text)?, &pmu.ip.counters.cycles) {
        (What::Event(selection), _) => Counted::Event(selection),
        (What::Other(id), _) => Counted::Other(id),
        (What::Cycles, Some(counter)) => Counted::Cycles(counter),
        (What::Cycles, None) => return Err(Failure::not_found(format!("{pmu} has no cycles"))),
    })
}

/// What a metric counts, at the source behind a colon.
pub fn inputs(pmu: Pmu, text: &str) -> Result<Vec<Counted>, Failure> {
    let whole: Vec<MetricOf> = pmu.find_metrics(text).collect();
    let (found, source) = match text.rsplit_once(':') {
        Some((name, source)) if whole.is_empty() => {
            (pmu.find_metrics(name).collect(), Some(source))
        }
        _ => (whole, None),
    };
    let metric = match found[..] {
        [metric] => metric,
        [] => {
            if let Some(failure) = name::unavailable(pmu, text) {
                return Err(failure);
            }
            let near = near::suggestion(text, pmu.metrics().map(|of| of.metric.name));
            return Err(Failure::not_found(format!("{pmu} has no metric `{text}`{near}")));
        }
        _ => {
            return Err(Failure::wrong_use(format!(
                "`{text}` is a metric of several groups; put one in front"
            )));
        }
    };
    let at = |of: EventOf| match (source, of.group.sources) {
        (Some(source), _) => of.at(source),
        (None, [] | [_]) => of.selections().next(),
        (None, _) => None,
    };
    let sources: Vec<_> = metric.group.sources.iter().map(|source| source.name).collect();
    let missing = || {
        let name = metric.metric.name;
        let first = sources.first().copied().unwrap_or_default();
        Failure::wrong_use(format!(
            "{name} needs a source, as in {name}:{first}; there are {}",
            sources.join(", ")
        ))
    };
    let input = |input: Option<EventOf>| match (input, &pmu.ip.counters.cycles) {
        (Some(of), _) => at(of).map(Counted::Event).ok_or_else(missing),
        (None, Some(counter)) => Ok(Counted::Cycles(counter)),
        (None, None) => Err(missing()),
    };
    metric.inputs().map(input).collect()
}

/// The number of a StreamID that the platform names: `gmac0`.
fn stream_id(target: &Target, text: &str) -> String {
    let all = target.instance.map_or(&[][..], |instance| instance.streams);
    let named = all.iter().find(|stream| same_name(stream.name, text));
    named.map_or_else(|| text.to_owned(), |stream| format!("0x{:x}", stream.id))
}

/// The terms of a filter for StreamIDs: one, or a span whose length is a power of two.
fn filter(pmu: Pmu, text: &str) -> Result<String, Failure> {
    if !pmu.events().any(|of| of.event.filterable) {
        return Err(Failure::wrong_use(format!("{pmu} has no StreamID filter")));
    }
    let id = |text: &str| number(text).and_then(|number| u32::try_from(number).ok());
    let wrong = |why: &str| {
        Failure::wrong_use(format!("`{text}` {why}, as in --stream 0x42 or --stream 0x40..0x44"))
    };
    let Some((from, to)) = text.split_once("..") else {
        let id = id(text).ok_or_else(|| wrong("is no StreamID"))?;
        return Ok(format!("filter_enable=1,filter_stream_id=0x{id:x}"));
    };
    let (from, to) = id(from).zip(id(to)).ok_or_else(|| wrong("is no span of StreamIDs"))?;
    let length = to.saturating_sub(from);
    if length < 2 || !length.is_power_of_two() || from % length != 0 {
        return Err(wrong(
            "cannot be a filter: a span has 2, 4, 8 .. StreamIDs, and begins at a multiple of that",
        ));
    }
    // Bits up to the lowest zero are not compared.
    let encoded = from | (length / 2 - 1);
    Ok(format!("filter_enable=1,filter_span=1,filter_stream_id=0x{encoded:x}"))
}

fn term(
    pmu: Pmu,
    linux: &LinuxPmu,
    one: Counted,
    filter: Option<&str>,
) -> Result<view::PerfEvent, Failure> {
    let other = |id| pmu.ip.counters.id.split(id);
    let (aliases, code) = match one {
        Counted::Cycles(counter) => (counter.aliases, counter.code),
        Counted::Event(Selection { of, .. }) => (of.event.aliases, Some(of.event.code)),
        Counted::Other(id) => (&[][..], other(id).map(|(code, _)| code)),
    };
    // A PMCG is one of many.
    let label = is_pmcg(pmu).then(|| linux.name.clone());
    let name = PerfName { pmu, label, what: one.what() }.to_string();
    let unit = pmu.unit.map(|unit| unit.name);
    let is_name = |alias: &&Alias| alias.dialect() == Dialect::LinuxPerf && alias.is_of(unit);
    let alias = aliases.iter().find(is_name);
    let event = match (alias, code) {
        (Some(alias), _) => alias.name.to_owned(),
        (None, Some(code)) if linux.has_format => format!("event=0x{code:02x}"),
        (None, Some(code)) => format!("config=0x{code:02x}"),
        (None, None) => {
            let text =
                format!("the cycles of {pmu} have no number here; count perf's own event `cycles`");
            return Err(Failure::wrong_use(text));
        }
    };
    // Names of events with one source have it in them.
    let source = match one {
        Counted::Event(Selection { of, source }) => {
            source.filter(|_| alias.is_none() || of.group.sources.len() > 1).map(|source| source.id)
        }
        Counted::Cycles(_) => None,
        Counted::Other(id) => other(id).and_then(|(_, source)| source),
    };
    let source = source.map_or(String::new(), |source| format!(",source={source}"));
    let filter = filter.map_or(String::new(), |filter| format!(",{filter}"));
    let term = format!("{}/{event}{source}{filter},name={name}/", linux.name);
    Ok(view::PerfEvent { name, term })
}

fn command(linux: &LinuxPmu, terms: &[view::PerfEvent], work: &[String]) -> String {
    let terms: Vec<_> = terms.iter().map(|event| event.term.as_str()).collect();
    let system = if linux.core { "" } else { " -a" };
    // Nothing in a term needs more than this: names have letters, digits, colons and full stops.
    let mut command = format!("perf stat{system} -e '{{{}}}'", terms.join(","));
    if !work.is_empty() {
        command += " --";
        work.iter().for_each(|word| command += &format!(" {}", quoted(word)));
    }
    command
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn notes(linux: &LinuxPmu, all: &[Counted], filtered: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if !linux.core {
        notes.push(format!(
            "{} counts the whole system. With -p, or without -a, perf shows <not supported>; it cannot sample (perf \
             record).",
            linux.name
        ));
    }
    for one in all {
        let Counted::Event(selection) = one else { continue };
        if filtered && !selection.of.event.filterable {
            notes.push(format!("{} is counted whatever the StreamID.", selection.of.event.name));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::arguments::Place;

    fn perf(ip: &str, events: &[&str]) -> Perf {
        Perf {
            ip: Some(ip.to_owned()),
            place: Place::default(),
            events: events.iter().map(|event| (*event).to_owned()).collect(),
            metrics: Vec::new(),
            pmu: None,
            stream: None,
            json: false,
            command: Vec::new(),
        }
    }

    fn line(perf: &Perf) -> String {
        let text = run(perf, Screen::FILE).expect("a command").text;
        text.lines().next().unwrap_or_default().to_owned()
    }

    fn failure(perf: &Perf) -> (u8, String) {
        let failure = run(perf, Screen::FILE).expect_err("no command");
        (failure.exit_status(), failure.to_string())
    }

    /// What a term sets, by the files of the real PMU in sysfs: `config` and `config1`.
    fn configs(sysfs: &str, term: &str) -> [u64; 2] {
        let content = |file: &str| {
            let file = format!("{file}: ");
            sysfs.lines().find_map(|line| line.strip_prefix(file.as_str()))
        };
        let (_, terms) = term.split_once('/').expect("terms");
        let mut values: Vec<(&str, &str)> = Vec::new();
        for term in terms.trim_end_matches('/').split(',') {
            match term.split_once('=') {
                Some(pair) => values.push(pair),
                None => {
                    let event = content(&format!("events/{term}")).expect(term);
                    values.extend(event.split(',').map(|term| term.split_once('=').expect(term)));
                }
            }
        }
        let mut configs = [0; 2];
        for (key, value) in values {
            // Of an event, `source=?` says that one has to be given.
            if key == "name" || value == "?" {
                continue;
            }
            let format = content(&format!("format/{key}")).expect(key);
            let (config, bits) = format.split_once(':').expect("bits");
            let (low, high) = bits.split_once('-').unwrap_or((bits, bits));
            let (low, high): (u32, u32) =
                (low.parse().expect("a bit"), high.parse().expect("a bit"));
            let value = number(value).expect("a number");
            assert!(value < 1 << (high - low + 1), "{term}: {key} does not fit");
            let number = ["config", "config1"].iter().position(|name| *name == config);
            configs[number.expect("config or config1")] |= value << low;
        }
        configs
    }

    fn recorded(file: &str) -> String {
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perf");
        fs::read_to_string(recorded.join(file)).expect("a recording")
    }

    #[test]
    fn every_selection_of_an_interconnect_sets_its_event_id() {
        let all = [
            ("cci400:r0", "cci400-r0/sysfs-CCI_400.txt"),
            ("cci400:r1", "cci400-r1/sysfs-CCI_400_r1.txt"),
            ("cci500", "cci500/sysfs-CCI_500.txt"),
            ("cci550", "cci550/sysfs-CCI_550.txt"),
        ];
        for (version, (ip, file)) in ["6.1", "6.12"].iter().flat_map(|v| all.map(|of| (v, of))) {
            let sysfs = recorded(&format!("{version}/{file}"));
            let pmu = name::pmu(ip).expect("an IP");
            let linux = linux_pmu(pmu, None).expect("a PMU");
            assert!(file.ends_with(&format!("-{}.txt", linux.name)));
            for selection in pmu.selections() {
                let event = term(pmu, &linux, Counted::Event(selection), None).expect("a term");
                let id = u64::from(selection.id());
                assert_eq!(configs(&sysfs, &event.term), [id, 0], "{pmu} {}", event.term);
            }
        }
    }

    #[test]
    fn every_event_of_a_pmcg_sets_its_code_and_its_filter() {
        let filters = [
            (None, 0),
            (Some("0"), 1 << 33),
            (Some("0xFFFFFFFF"), 1 << 33 | 0xFFFF_FFFF),
            (Some("0x46..0x48"), 1 << 33 | 1 << 32 | 0x46),
            (Some("0x40..0x80"), 1 << 33 | 1 << 32 | 0x5F),
        ];
        let mut checked = 0;
        for (unit, name) in
            [("mmu600:tcu", "smmuv3_pmcg_5f300"), ("mmu600:tbu", "smmuv3_pmcg_5f320")]
        {
            let sysfs = recorded(&format!("6.12/cci400-r0/sysfs-{name}.txt"));
            let pmu = name::pmu(unit).expect("a unit");
            let linux = linux_pmu(pmu, Some(name)).expect("a PMU");
            for (stream, expected) in filters {
                let filter = stream.map(|stream| filter(pmu, stream).expect("a filter"));
                for selection in pmu.selections() {
                    let event = term(pmu, &linux, Counted::Event(selection), filter.as_deref());
                    let event = event.expect("a term");
                    let code = u64::from(selection.of.event.code);
                    assert_eq!(configs(&sysfs, &event.term), [code, expected], "{}", event.term);
                    checked += 1;
                }
            }
        }
        assert_eq!(checked, (37 + 18) * filters.len());
    }

    #[test]
    fn a_core_has_no_dash_a_and_one_without_format_gets_a_config() {
        let work = vec!["./bench".to_owned(), "two words".to_owned(), "it's".to_owned()];
        let arm1176 = Perf { command: work, ..perf("arm1176", &["DATA_CACHE_MISS"]) };
        assert_eq!(
            line(&arm1176),
            "perf stat -e '{armv6_1176/config=0x0b,name=arm11:arm1176.DATA_CACHE_MISS/}' -- ./bench 'two words' 'it'\\''s'"
        );
        assert_eq!(
            failure(&perf("arm1156", &["DATA_CACHE_MISS"])),
            (1, "Linux has no PMU for arm11:arm1156".to_owned())
        );
    }

    #[test]
    fn a_metric_brings_its_events_once() {
        let metric = |text: &str| Perf {
            metrics: vec![text.to_owned()],
            ..perf("cci400", &["S3:READ_DATA_SNOOP_HIT"])
        };
        let line = line(&metric("SNOOP_HIT_RATE:S3"));
        assert_eq!(line.matches("name=cci400:r1.S3:READ_DATA_SNOOP_HIT/").count(), 1, "{line}");
        assert!(line.matches("name=cci400:r1.S3:").count() >= 2, "{line}");
        let (status, text) = failure(&metric("SNOOP_HIT_RATE"));
        assert!(status == 2 && text.contains("as in SNOOP_HIT_RATE:S0"), "{text}");
        assert_eq!(failure(&metric("SNOOP_HIT_RAT")).0, 1);
    }

    #[test]
    fn what_perf_cannot_do_is_a_message() {
        let too_many: Vec<_> = (0..5).map(|n| format!("S{n}:READ_REQUEST_ANY")).collect();
        let too_many: Vec<_> = too_many.iter().map(String::as_str).collect();
        assert!(failure(&perf("cci400", &too_many)).1.contains("has 4 counters"));
        assert!(failure(&perf("mmu600:tcu", &["TLB_MISS"])).1.contains("--pmu"));
        let named = Perf { pmu: Some("a b".to_owned()), ..perf("cci400", &["cycles"]) };
        assert_eq!(failure(&named).0, 2);
        assert_eq!(failure(&perf("cci400", &[])).0, 2);
        let stream = |ip: &str, text: &str| Perf {
            pmu: Some("smmuv3_pmcg_1".to_owned()),
            stream: Some(text.to_owned()),
            ..perf(ip, &["0x1"])
        };
        assert!(failure(&stream("cci550", "1")).1.contains("no StreamID filter"));
        for text in ["x", "0x40..0x43", "0x42..0x46", "4..4", "0x100000000"] {
            assert_eq!(failure(&stream("mmu600:tbu", text)).0, 2, "{text}");
        }
        assert!(
            line(&stream("mmu600:tbu", "0x40..0x44"))
                .contains("filter_span=1,filter_stream_id=0x41,")
        );
    }
}
