//! `arm-pmu find`: ranks entries by the number of matching words.

use arm_pmu_lookup::search::{Index, Texts, folded};
use arm_pmu_lookup::text::first_sentence;
use arm_pmu_tables::{Alias, IPS, PLATFORMS, Platform, Pmu};

use crate::base::answer::Answer;
use crate::base::arguments::{Find, Kinds};
use crate::base::failure::Failure;
use crate::base::platform::target::Subject;
use crate::base::text::{ASIDE, NAME, Screen};
use crate::lookup::view;

struct Entry {
    shown: view::Hit,
    /// Event ids that select the event, or the offset of the register.
    numbers: Vec<u64>,
    aliases: Vec<&'static str>,
    /// Further sentences to search.
    more: Vec<&'static str>,
}

impl Entry {
    fn new(pmu: String, kind: &'static str, name: &'static str, doc: &'static str) -> Self {
        let shown = view::Hit { pmu, kind, name, group: None, code: None, alias: None, doc };
        Self { shown, numbers: Vec::new(), aliases: Vec::new(), more: Vec::new() }
    }

    fn group(mut self, group: &'static str, code: Option<u32>) -> Self {
        (self.shown.group, self.shown.code) = (Some(group), code);
        self
    }

    fn texts(&self) -> Texts<'_> {
        let view::Hit { pmu, kind, name, doc: all, .. } = &self.shown;
        let doc = first_sentence(all);
        let rest = all.get(doc.len()..).unwrap_or_default();
        let more = self.more.iter().copied().chain([rest]).collect();
        let is_unavailable = *kind == "unavailable";
        Texts { of: pmu, name, aliases: self.aliases.clone(), doc, more, is_unavailable }
    }
}

pub fn run(arguments: &Find, screen: Screen) -> Result<Answer, Failure> {
    let subject = Subject::given(arguments.ip.as_ref(), arguments.place.platform.as_ref())?;
    let pmus = match subject {
        Some(subject) => vec![subject.any()?.pmu],
        None => IPS.iter().map(|ip| Pmu { ip, unit: None }).collect(),
    };
    let mut all: Vec<_> = pmus.into_iter().flat_map(|pmu| entries(pmu, arguments.kinds)).collect();
    if subject.is_none() && arguments.kinds.all() {
        all.extend(PLATFORMS.iter().map(|platform| of_platform(platform)));
    }
    let query = arguments.words.join(" ");
    let index = Index::new(all.iter().map(Entry::texts));
    let (mut hits, unknown) = search(&index, &all, &query);
    let is_ip = |word: &&String| Subject::read(word).is_ok();
    let is_unknown = |word: &String| unknown.contains(&folded(word));
    // The name of an IP among the words only limits the search.
    if arguments.words.iter().any(is_unknown)
        && arguments.words.iter().all(|word| is_unknown(word) || is_ip(&word))
    {
        hits.clear();
    }
    let warnings = match &unknown[..] {
        [] => Vec::new(),
        words => vec![format!("nothing has `{}`", words.join("` or `"))],
    };
    if arguments.json {
        let found = !hits.is_empty();
        let answer = Answer::json(&view::Find { hits })?;
        return Ok(Answer { warnings, ..answer.or_not_found(found) });
    }
    if hits.is_empty() {
        let failure = Failure::not_found(format!("nothing has `{query}`"));
        return Err(match arguments.words.iter().find(is_ip) {
            Some(ip) if arguments.words.len() > 1 => {
                failure.with(&format!("; to search only {ip}, give --ip {ip}"))
            }
            _ => failure,
        });
    }
    let rows: Vec<_> = hits.iter().map(row).collect();
    let text = screen.table(0, &[ASIDE, ASIDE, NAME], &rows);
    Ok(Answer { warnings, ..Answer::text(text) })
}

fn entries(pmu: Pmu, kinds: Kinds) -> Vec<Entry> {
    // The unit is omitted if all units have the entry.
    let place = |limit: Option<&str>| match limit.filter(|_| pmu.unit.is_none()) {
        Some(unit) => format!("{}:{unit}", pmu.ip.name),
        None => pmu.to_string(),
    };
    let only = |units: &[&'static str]| match units {
        [only] => Some(*only),
        _ => None,
    };
    let names =
        |aliases: &'static [Alias]| view::aliases(pmu, aliases).map(|alias| alias.name).collect();
    let mut all = Vec::new();
    if kinds.or_all().events {
        all.extend(pmu.events().map(|of| {
            let (event, group) = (of.event, of.group);
            let place = place(group.unit.or(only(event.only)));
            Entry {
                numbers: of.selections().map(|one| u64::from(one.id())).collect(),
                aliases: names(event.aliases),
                more: event.note.into_iter().chain([group.title]).collect(),
                ..Entry::new(place, "event", event.name, event.doc)
                    .group(group.name, Some(event.code))
            }
        }));
        all.extend(pmu.ip.counters.cycles.iter().map(|counter| {
            let doc = "Counts cycles in addition to the event counters.";
            let mut entry = Entry::new(place(None), "counter", counter.register, doc);
            entry.shown.code = counter.code;
            Entry { aliases: names(counter.aliases), ..entry }
        }));
    }
    if kinds.or_all().metrics {
        all.extend(pmu.metrics().map(|of| {
            Entry {
                more: of.metric.caveat.into_iter().chain([of.metric.formula]).collect(),
                ..Entry::new(place(of.group.unit), "metric", of.metric.name, of.metric.doc)
                    .group(of.group.name, None)
            }
        }));
        all.extend(pmu.unavailable().map(|of| {
            Entry {
                more: vec![of.figure.reason],
                ..Entry::new(place(of.group.unit), "unavailable", of.figure.name, of.figure.doc)
                    .group(of.group.name, None)
            }
        }));
    }
    if kinds.or_all().registers {
        all.extend(pmu.registers().map(|register| {
            let offsets = (0..register.count()).filter_map(|n| register.offset(n));
            let fields = register.fields.iter().flat_map(|field| [field.name, field.doc]);
            Entry {
                numbers: offsets.map(u64::from).collect(),
                aliases: register.aliases.to_vec(),
                more: fields.chain([register.doc]).chain(register.note).collect(),
                ..Entry::new(place(only(register.only)), "register", register.name, register.title)
            }
        }));
    }
    if kinds.all() {
        all.extend(pmu.findings().map(|finding| Entry {
            more: vec![finding.read, finding.expected, finding.fix],
            ..Entry::new(place(only(finding.only)), "finding", finding.name, finding.cause)
        }));
    }
    all
}

fn of_platform(platform: &'static Platform) -> Entry {
    let instances = platform.instances.iter();
    let titles = instances.flat_map(|one| {
        let interfaces = one.interfaces.iter().map(|interface| interface.title);
        let streams = one.streams.iter().map(|stream| stream.title);
        one.title.into_iter().chain(interfaces).chain(streams)
    });
    Entry {
        more: titles.chain([platform.vendor]).collect(),
        ..Entry::new(platform.name.to_owned(), "platform", platform.name, platform.title)
    }
}

/// Returns the hits, best first, and the words without a hit. If the query matches an alias of a hit and not its name,
/// the hit shows this alias.
fn search(index: &Index, entries: &[Entry], query: &str) -> (Vec<view::Hit>, Vec<String>) {
    let wanted = arm_pmu_lookup::number(&folded(query));
    let by_number = |entry: usize| {
        let entry = &entries[entry];
        match wanted {
            Some(number) if entry.shown.code.map(u64::from) == Some(number) => 400_000,
            Some(number) if entry.numbers.contains(&number) => 300_000,
            _ => 0,
        }
    };
    let found = index.search(query, by_number);
    let hit = |nth: usize| {
        let entry = &entries[nth];
        let alias = index.alias(nth, &entry.aliases, query).map(|alias| entry.aliases[alias]);
        view::Hit { alias, ..entry.shown.clone() }
    };
    (found.entries.into_iter().map(hit).collect(), found.unknown)
}

fn row(hit: &view::Hit) -> Vec<String> {
    let alias = hit.alias.map_or(String::new(), |alias| format!("{alias}: "));
    let code = hit.code.map_or_else(|| hit.kind.to_owned(), |code| format!("0x{code:02X}"));
    vec![hit.pmu.clone(), code, hit.name.to_owned(), format!("{alias}{}", first_sentence(hit.doc))]
}

#[cfg(test)]
mod tests {
    use super::*;

    struct All(Vec<Entry>, Index);

    fn all(ip: &str) -> All {
        let entries = entries(Pmu::find(ip).expect("an IP"), Kinds::default());
        let index = Index::new(entries.iter().map(Entry::texts));
        All(entries, index)
    }

    fn names(All(entries, index): &All, query: &str) -> Vec<&'static str> {
        search(index, entries, query).0.iter().map(|hit| hit.name).collect()
    }

    #[test]
    fn every_event_name_and_code_is_found() {
        let mut seen = std::collections::HashSet::new();
        for ip in IPS {
            let all = all(ip.name);
            // Cores share most events, so each event is checked once.
            for (nth, entry) in all.0.iter().enumerate() {
                let view::Hit { name, code, .. } = entry.shown;
                if !seen.insert((name, code)) {
                    continue;
                }
                for alias in entry.aliases.iter().chain([&name]) {
                    let found = all.1.search(alias, |_| 0).entries;
                    assert!(found.contains(&nth), "{name} {alias}");
                }
                assert_eq!(names(&all, name)[0], name);
                let code = code.map(|code| format!("0x{code:02X}"));
                let numbers = entry.numbers.iter().take(1).map(|number| format!("{number:#x}"));
                for number in numbers.chain(code) {
                    assert!(names(&all, &number).contains(&name), "{name} {number}");
                }
            }
        }
    }
}
