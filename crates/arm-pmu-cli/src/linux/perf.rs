//! `arm-pmu perf`: prints a command line of `perf` for Linux.

use arm_pmu_lookup::perf::{self, LinuxPmu, groups, notes, stat_command};
use arm_pmu_lookup::perf_name::What;
use arm_pmu_lookup::{kernel, name};
use arm_pmu_tables::{Pmu, same_name};
use serde::Serialize;

use crate::base::answer::Answer;
use crate::base::arguments::Perf as Arguments;
use crate::base::documents::documents;
use crate::base::failure::{Failure, refuse};
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
            refuse!("--pmu: {name} is given twice");
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
        groups(pmu, &target.metric(metric)?)?.into_iter().flatten().for_each(&mut add);
    }
    if all.is_empty() {
        refuse!("give an event, or --metric");
    }
    let events = all.iter().filter(|one| !matches!(one, What::Cycles)).count();
    let counters = pmu.ip.counters.count as usize;
    if events > counters {
        refuse!(
            "{events} events, but {pmu} has {counters} counters, so perf would not count the group"
        );
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
    // Notes are printed as comments, so that a shell can run the whole output.
    let notes: String = notes.iter().map(|note| comment(screen, note)).collect();
    Ok(Answer::text(format!("{command}\n{notes}")))
}

documents! {
    derive(Debug, PartialEq, Serialize)

    /// Output of `arm-pmu perf`.
    Perf {
        /// IP and unit.
        pmu: String,
        /// The kernel's names of the PMUs. For each of these PMUs, the command has one group with
        /// all events.
        linux_pmus: Vec<String>,
        /// Command line for a shell.
        command: String,
        events: Vec<perf::Event>,
        /// Notes about the counts.
        notes: Vec<String>,
    }
}

fn comment(screen: Screen, note: &str) -> String {
    let lines = screen.paragraph("  ", note);
    lines.lines().map(|line| format!("# {}\n", line.trim_start())).collect()
}

/// StreamID that the platform gives for a name such as `gmac0`.
fn stream_id(targets: &[Target], text: &str) -> String {
    let mut all = targets.iter().filter_map(|target| target.instance).flat_map(|one| one.streams);
    let named = all.find(|stream| same_name(stream.name, text));
    named.map_or_else(|| text.to_owned(), |stream| format!("0x{:x}", stream.id))
}

/// Filter terms for StreamIDs, with notes.
fn filter(pmu: Pmu, text: &str) -> Result<(String, Vec<String>), Failure> {
    if !pmu.events().any(|of| of.event.filterable) {
        refuse!("{pmu} has no StreamID filter");
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
    use arm_pmu_lookup::number;

    /// Evaluates a term with the sysfs files of a real PMU. Returns the values of `config` and `config1`.
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
            // `source=?` in an event requires a source from the user.
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

    /// For each selection and filter, the `perf` term sets the event id and the bits of the filter.
    #[test]
    fn terms_set_event_id_and_filter() {
        let none = [(None, 0)];
        let filters = [
            (None, 0),
            (Some("0"), 1 << 33),
            (Some("0xFFFFFFFF"), 1 << 33 | 0xFFFF_FFFF),
            (Some("0x46..0x48"), 1 << 33 | 1 << 32 | 0x46),
            (Some("0x40..0x80"), 1 << 33 | 1 << 32 | 0x5F),
        ];
        for (unit, board, device, filters) in [
            ("cci400:r0", "cci400-r0", "CCI_400", &none[..]),
            ("cci400:r1", "cci400-r1", "CCI_400_r1", &none),
            ("cci500", "cci500", "CCI_500", &none),
            ("cci550", "cci550", "CCI_550", &none),
            ("mmu600:tcu", "cci400-r0", "smmuv3_pmcg_5f300", &filters),
            ("mmu600:tbu", "cci400-r0", "smmuv3_pmcg_5f320", &filters),
        ] {
            let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perf/6.12");
            let sysfs = recorded.join(board).join(format!("sysfs-{device}.txt"));
            let sysfs = fs::read_to_string(sysfs).expect("a recording");
            let pmu = name::pmu(unit).expect("a unit");
            let given = device.starts_with("smmu").then_some(device);
            let linux = LinuxPmu::new(pmu, given).expect("a PMU");
            assert_eq!(linux.name, device);
            for (stream, expected) in filters {
                let filter = stream.map(|stream| filter(pmu, stream).expect("a filter").0);
                for selection in pmu.selections() {
                    let event = linux.term(What::Event(selection), filter.as_deref());
                    let event = event.expect("a term").to_string();
                    let id = u64::from(selection.id());
                    assert_eq!(configs(&sysfs, &event), [id, *expected], "{event}");
                }
            }
        }
    }
}
