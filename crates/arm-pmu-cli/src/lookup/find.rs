//! `arm-pmu find`: ranks entries by the number of matching words.

use arm_pmu_lookup::search::{Index, Texts, folded};
use arm_pmu_lookup::text::first_sentence;
use arm_pmu_tables::{Alias, IPS, PLATFORMS, Platform, Pmu};

use crate::base::answer::Answer;
use crate::base::arguments::{Find, Kinds};
use crate::base::failure::Failure;
use crate::base::platform::target::{self, Subject};
use crate::base::text::{ASIDE, NAME, Screen};
use crate::lookup::view;

/// A searchable item.
struct Entry {
    pmu: String,
    kind: &'static str,
    name: &'static str,
    group: Option<&'static str>,
    code: Option<u32>,
    /// Event ids of a code, or the offset of a register.
    numbers: Vec<u64>,
    aliases: Vec<&'static str>,
    doc: &'static str,
    /// Further sentences to search.
    more: Vec<&'static str>,
}

impl Entry {
    fn texts(&self) -> Texts<'_> {
        let doc = first_sentence(self.doc);
        let rest = self.doc.get(doc.len()..).unwrap_or_default();
        let more = self.more.iter().copied().chain([rest]).collect();
        Texts {
            of: &self.pmu,
            name: self.name,
            aliases: self.aliases.clone(),
            doc,
            more,
            is_unavailable: self.kind == "unavailable",
        }
    }
}

pub fn run(arguments: &Find, screen: Screen) -> Result<Answer, Failure> {
    let platform = arguments.place.platform.as_ref();
    let pmus = if arguments.ip.is_none() && platform.is_none() {
        IPS.iter().map(|ip| Pmu { ip, unit: None }).collect()
    } else {
        let (subject, _) = target::subject(arguments.ip.as_ref(), platform, &[])?;
        vec![subject.any()?.pmu]
    };
    let mut all: Vec<_> = pmus.into_iter().flat_map(|pmu| entries(pmu, arguments.kinds)).collect();
    if arguments.ip.is_none() && platform.is_none() && arguments.kinds.all() {
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
        let answer = Answer::json(&view::Find { hits: hits.iter().map(document).collect() })?;
        return Ok(Answer { found: !hits.is_empty(), warnings, ..answer });
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
    let unit = pmu.unit.map(|unit| unit.name);
    // The unit is omitted if all units have the entry.
    let place = |limit: Option<&str>| match limit.filter(|_| pmu.unit.is_none()) {
        Some(unit) => format!("{}:{unit}", pmu.ip.name),
        None => pmu.to_string(),
    };
    let names = |aliases: &'static [Alias]| {
        aliases.iter().filter(|alias| alias.is_of(unit)).map(|alias| alias.name).collect()
    };
    let mut all = Vec::new();
    if kinds.has_events() {
        all.extend(pmu.events().map(|of| Entry {
            pmu: place(of.group.unit.or(match of.event.only {
                [only] => Some(only),
                _ => None,
            })),
            kind: "event",
            name: of.event.name,
            group: Some(of.group.name),
            code: Some(of.event.code),
            numbers: of.selections().map(|one| u64::from(one.id())).collect(),
            aliases: names(of.event.aliases),
            doc: of.event.doc,
            more: of.event.note.into_iter().chain([of.group.title]).collect(),
        }));
        all.extend(pmu.ip.counters.cycles.iter().map(|counter| Entry {
            pmu: place(None),
            kind: "counter",
            name: counter.register,
            group: None,
            code: counter.code,
            numbers: Vec::new(),
            aliases: names(counter.aliases),
            doc: "Counts cycles in addition to the event counters.",
            more: Vec::new(),
        }));
    }
    if kinds.has_metrics() {
        all.extend(pmu.metrics().map(|of| Entry {
            pmu: place(of.group.unit),
            kind: "metric",
            name: of.metric.name,
            group: Some(of.group.name),
            code: None,
            numbers: Vec::new(),
            aliases: Vec::new(),
            doc: of.metric.doc,
            more: of.metric.caveat.into_iter().chain([of.metric.formula]).collect(),
        }));
        all.extend(pmu.unavailable().map(|of| Entry {
            pmu: place(of.group.unit),
            kind: "unavailable",
            name: of.figure.name,
            group: Some(of.group.name),
            code: None,
            numbers: Vec::new(),
            aliases: Vec::new(),
            doc: of.figure.doc,
            more: vec![of.figure.reason],
        }));
    }
    if kinds.has_registers() {
        all.extend(pmu.registers().map(|register| {
            Entry {
                pmu: place(match register.only {
                    [only] => Some(only),
                    _ => None,
                }),
                kind: "register",
                name: register.name,
                group: None,
                code: None,
                numbers: (0..register.count())
                    .filter_map(|n| register.offset(n))
                    .map(u64::from)
                    .collect(),
                aliases: register.aliases.to_vec(),
                doc: register.title,
                more: register
                    .fields
                    .iter()
                    .flat_map(|field| [field.name, field.doc])
                    .chain([register.doc])
                    .chain(register.note)
                    .collect(),
            }
        }));
    }
    if kinds.all() {
        all.extend(pmu.findings().map(|finding| Entry {
            pmu: place(match finding.only {
                [only] => Some(only),
                _ => None,
            }),
            kind: "finding",
            name: finding.name,
            group: None,
            code: None,
            numbers: Vec::new(),
            aliases: Vec::new(),
            doc: finding.cause,
            more: vec![finding.read, finding.expected, finding.fix],
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
        pmu: platform.name.to_owned(),
        kind: "platform",
        name: platform.name,
        group: None,
        code: None,
        numbers: Vec::new(),
        aliases: Vec::new(),
        doc: platform.title,
        more: titles.chain([platform.vendor]).collect(),
    }
}

/// A hit.
struct Hit<'i> {
    entry: &'i Entry,
    /// Matching name in another program, if the entry's own name does not match.
    alias: Option<&'static str>,
}

/// Returns the hits, best first, and the words without a hit.
fn search<'i>(index: &Index, entries: &'i [Entry], query: &str) -> (Vec<Hit<'i>>, Vec<String>) {
    let wanted = arm_pmu_lookup::number(&folded(query));
    let by_number = |entry: usize| {
        let entry = &entries[entry];
        match wanted {
            Some(number) if entry.code.map(u64::from) == Some(number) => 400_000,
            Some(number) if entry.numbers.contains(&number) => 300_000,
            _ => 0,
        }
    };
    let found = index.search(query, by_number);
    let hit = |nth: usize| {
        let entry = &entries[nth];
        let alias = index.alias(nth, &entry.aliases, query).map(|alias| entry.aliases[alias]);
        Hit { entry, alias }
    };
    (found.entries.into_iter().map(hit).collect(), found.unknown)
}

fn document(hit: &Hit<'_>) -> view::Hit {
    view::Hit {
        pmu: hit.entry.pmu.clone(),
        kind: hit.entry.kind,
        name: hit.entry.name,
        group: hit.entry.group,
        code: hit.entry.code,
        alias: hit.alias,
        doc: hit.entry.doc,
    }
}

fn row(hit: &Hit<'_>) -> Vec<String> {
    let entry = hit.entry;
    let alias = hit.alias.map_or(String::new(), |alias| format!("{alias}: "));
    let code = entry.code.map_or_else(|| entry.kind.to_owned(), |code| format!("0x{code:02X}"));
    vec![
        entry.pmu.clone(),
        code,
        entry.name.to_owned(),
        format!("{alias}{}", first_sentence(entry.doc)),
    ]
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
        search(index, entries, query).0.iter().map(|hit| hit.entry.name).collect()
    }

    #[test]
    fn every_event_name_and_code_is_found() {
        let mut seen = std::collections::HashSet::new();
        for ip in IPS {
            let all = all(ip.name);
            // Cores share most events.
            let rows = all.0.iter().enumerate();
            let new: Vec<_> =
                rows.filter(|(_, entry)| seen.insert((entry.name, entry.code))).collect();
            for &(nth, entry) in &new {
                for alias in entry.aliases.iter().chain([&entry.name]) {
                    let found = all.1.search(alias, |_| 0).entries;
                    assert!(found.contains(&nth), "{} {alias}", entry.name);
                }
                assert_eq!(names(&all, entry.name)[0], entry.name);
            }
            for (_, entry) in new {
                let code = entry.code.map(|code| format!("0x{code:02X}"));
                let numbers = entry.numbers.iter().take(1).map(|number| format!("{number:#x}"));
                for number in numbers.chain(code) {
                    assert!(names(&all, &number).contains(&entry.name), "{} {number}", entry.name);
                }
            }
        }
    }

    #[test]
    fn the_best_hit_comes_first() {
        for (ip, query, first) in [
            ("cortex-a8", "instructions", "INSTRUCTION_EXECUTED"),
            ("cci550", "snoop hit rate", "SNOOP_HIT_RATE"),
            ("cci550", "READ_DATA_SNOOP_HIT", "READ_DATA_SNOOP_HIT"),
            ("cci400", "si_rrq_hs_any", "READ_REQUEST_ANY"),
        ] {
            assert_eq!(names(&all(ip), query)[0], first, "{query}");
        }
    }

    #[test]
    fn endings_and_little_words_do_not_matter() {
        let all = all("cortex-a53");
        let misses = names(&all, "cache miss");
        for query in ["cache misses", "missed caches", "how many misses of the cache"] {
            let mut found = names(&all, query);
            assert_eq!(found.len(), misses.len(), "{query}");
            found.retain(|name| !misses.contains(name));
            assert!(found.is_empty(), "{query}: {found:?}");
        }
    }

    #[test]
    fn only_chosen_kinds_are_searched() {
        let pmu = Pmu::find("cci550").expect("an IP");
        let kinds = Kinds { registers: true, ..Kinds::default() };
        assert!(entries(pmu, kinds).iter().all(|entry| entry.kind == "register"));
        let kinds = Kinds { metrics: true, ..Kinds::default() };
        assert!(
            entries(pmu, kinds).iter().all(|entry| matches!(entry.kind, "metric" | "unavailable"))
        );
    }
}
