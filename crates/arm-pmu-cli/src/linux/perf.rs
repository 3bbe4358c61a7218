//! `arm-pmu perf`: a command line for Linux.

use arm_pmu_lookup::perf::{self, LinuxPmu, inputs, notes, stat_command};
use arm_pmu_lookup::perf_name::What;
use arm_pmu_lookup::{kernel, name};
use arm_pmu_tables::{Pmu, same_name};
use serde::Serialize;

use crate::base::answer::Answer;
use crate::base::arguments::Perf as Arguments;
use crate::base::documents::documents;
use crate::base::failure::Failure;
use crate::base::platform::target::{self, Target};
use crate::base::text::Screen;
use crate::linux::stream;

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    let platform = arguments.place.platform.as_ref();
    let (subject, events) = target::subject(arguments.ip.as_ref(), platform, &arguments.events)?;
    let targets = subject.all(&events)?;
    let targets: Vec<_> = targets.into_iter().map(Target::with_unit).collect::<Result<_, _>>()?;
    let target = targets[0];
    let pmu = target.pmu;
    let known = |target: &Target| kernel::name_of_instance(pmu, target.instance?);
    let mut names: Vec<Option<String>> = Vec::new();
    for name in &arguments.pmus {
        if names.iter().flatten().any(|known| known == name) {
            return Err(Failure::wrong_use(format!("--pmu: {name} is given twice")));
        }
        names.push(Some(name.clone()));
    }
    if names.is_empty() {
        names = targets.iter().map(known).collect();
    }
    let linux = names.iter().map(|name| LinuxPmu::new(pmu, name.as_deref()));
    let linux = linux.collect::<Result<Vec<_>, _>>()?;
    let stream = arguments.stream.as_deref();
    let stream = stream.map(|stream| filter(pmu, &stream_id(&targets, stream))).transpose()?;
    let (filter, of_stream) = stream.unzip();
    let mut all: Vec<What> = Vec::new();
    let mut add = |one: What| {
        if !all.iter().any(|other| other.is(&one)) {
            all.push(one);
        }
    };
    for event in events {
        let name = target.event(event)?;
        let what = name::what(pmu, &name);
        add(what.map_err(|error| target.with_interfaces(&name, error))?);
    }
    for metric in &arguments.metrics {
        inputs(pmu, &target.metric(metric)?)?.into_iter().for_each(&mut add);
    }
    if all.is_empty() {
        return Err(Failure::wrong_use("give an event, or --metric"));
    }
    let events = all.iter().filter(|one| !matches!(one, What::Cycles)).count();
    let counters = pmu.ip.counters.count as usize;
    if events > counters {
        let text = format!(
            "{events} events, but {pmu} has {counters} counters: perf would not count the group"
        );
        return Err(Failure::wrong_use(text));
    }
    let group = |linux: &LinuxPmu| -> Result<Vec<_>, _> {
        all.iter().map(|one| Ok(linux.term(*one, filter.as_deref())?.into())).collect()
    };
    let groups = linux.iter().map(group).collect::<Result<Vec<_>, arm_pmu_lookup::Error>>()?;
    let command = stat_command(&linux[0], &groups, &arguments.command);
    let mut notes = notes(&linux, &all, filter.is_some());
    notes.extend(of_stream.into_iter().flatten());
    if arguments.json {
        return Answer::json(&Perf {
            pmu: pmu.to_string(),
            linux_pmus: linux.into_iter().map(|linux| linux.name).collect(),
            command,
            events: groups.into_iter().flatten().collect(),
            notes,
        });
    }
    // Notes are comments, so that all of it can be given to a shell.
    let notes: String = notes.iter().map(|note| comment(screen, note)).collect();
    Ok(Answer::text(format!("{command}\n{notes}")))
}

documents! {
    derive(Debug, PartialEq, Serialize)

    /// `arm-pmu perf`
    Perf {
        /// The IP, with its unit.
        pmu: String,
        /// The names under Linux, each with a group of the events.
        linux_pmus: Vec<String>,
        /// The command line for a shell.
        command: String,
        events: Vec<perf::Event>,
        /// What to know about the counts.
        notes: Vec<String>,
    }
}

fn comment(screen: Screen, note: &str) -> String {
    let lines = screen.paragraph("  ", note);
    lines.lines().map(|line| format!("# {}\n", line.trim_start())).collect()
}

/// The number of a StreamID that the platform names: `gmac0`.
fn stream_id(targets: &[Target], text: &str) -> String {
    let mut all = targets.iter().filter_map(|target| target.instance).flat_map(|one| one.streams);
    let named = all.find(|stream| same_name(stream.name, text));
    named.map_or_else(|| text.to_owned(), |stream| format!("0x{:x}", stream.id))
}

/// The terms of a filter for StreamIDs, and what to know about it.
fn filter(pmu: Pmu, text: &str) -> Result<(String, Vec<String>), Failure> {
    if !pmu.events().any(|of| of.event.filterable) {
        return Err(Failure::wrong_use(format!("{pmu} has no StreamID filter")));
    }
    let typed = stream::parse(text);
    let typed = typed.map_err(|why| Failure::wrong_use(format!("--stream {text}: {why}")))?;
    let span = if typed.filter.is_span() { ",filter_span=1" } else { "" };
    let terms = format!("filter_enable=1{span},filter_stream_id=0x{:x}", typed.filter.stream_id());
    Ok((terms, typed.assumed.into_iter().chain(typed.inside).collect()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::base::arguments::Place;
    use arm_pmu_lookup::number;

    fn perf(ip: &str, events: &[&str]) -> Arguments {
        Arguments {
            ip: Some(ip.to_owned()),
            place: Place::default(),
            events: events.iter().map(|event| (*event).to_owned()).collect(),
            metrics: Vec::new(),
            pmus: Vec::new(),
            stream: None,
            json: false,
            command: Vec::new(),
        }
    }

    fn line(perf: &Arguments) -> String {
        let text = run(perf, Screen::FILE).expect("a command").text;
        text.lines().next().unwrap_or_default().to_owned()
    }

    fn failure(perf: &Arguments) -> (u8, String) {
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
            // `source=?` in an event means that a source is required.
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
            let linux = LinuxPmu::new(pmu, None).expect("a PMU");
            assert!(file.ends_with(&format!("-{}.txt", linux.name)));
            for selection in pmu.selections() {
                let event = linux.term(What::Event(selection), None).expect("a term");
                let id = u64::from(selection.id());
                assert_eq!(configs(&sysfs, &event.to_string()), [id, 0], "{pmu} {event}");
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
            let linux = LinuxPmu::new(pmu, Some(name)).expect("a PMU");
            for (stream, expected) in filters {
                let filter = stream.map(|stream| filter(pmu, stream).expect("a filter").0);
                for selection in pmu.selections() {
                    let event = linux.term(What::Event(selection), filter.as_deref());
                    let event = event.expect("a term");
                    let code = u64::from(selection.of.event.code);
                    assert_eq!(configs(&sysfs, &event.to_string()), [code, expected], "{event}");
                    checked += 1;
                }
            }
        }
        assert_eq!(checked, (37 + 18) * filters.len());
    }

    #[test]
    fn a_core_has_no_dash_a_and_one_without_format_gets_a_config() {
        let work = vec!["./bench".to_owned(), "two words".to_owned(), "it's".to_owned()];
        let arm1176 = Arguments { command: work, ..perf("arm1176", &["DATA_CACHE_MISS"]) };
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
        let metric = |text: &str| Arguments {
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
        let twice = vec!["smmuv3_pmcg_1".to_owned(); 2];
        let twice = Arguments { pmus: twice, ..perf("mmu600:tcu", &["TLB_MISS"]) };
        assert!(failure(&twice).1.contains("given twice"));
        let named = Arguments { pmus: vec!["a b".to_owned()], ..perf("cci400", &["cycles"]) };
        assert_eq!(failure(&named).0, 2);
        assert_eq!(failure(&perf("cci400", &[])).0, 2);
        let stream = |ip: &str, text: &str| Arguments {
            pmus: vec!["smmuv3_pmcg_1".to_owned()],
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
