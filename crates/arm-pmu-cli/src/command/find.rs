//! `arm-pmu find`: everything that has all words, the best hits first.

use std::collections::HashMap;

use arm_pmu_tables::{Alias, IPS, Pmu};

use super::Answer;
use crate::arguments::{Find, Kinds};
use crate::failure::Failure;
use crate::platform::target::{self, Subject};
use crate::text::{ASIDE, NAME, Screen, first_sentence};
use crate::{name, view};

/// Something that can be found.
struct Entry {
    pmu: String,
    kind: &'static str,
    name: &'static str,
    group: Option<&'static str>,
    code: Option<u32>,
    /// The event ids of a code; the offset of a register.
    numbers: Vec<u64>,
    aliases: Vec<&'static str>,
    doc: &'static str,
    /// Further sentences.
    more: Vec<&'static str>,
}

/// Entries, and all words of their texts. A word stands in many texts, and is compared once.
struct Index {
    entries: Vec<Indexed>,
    words: Vec<String>,
}

/// An entry with the words of all its texts, as numbers in the index.
struct Indexed {
    entry: Entry,
    name: Vec<usize>,
    aliases: Vec<Vec<usize>>,
    doc: Vec<usize>,
    more: Vec<usize>,
}

/// How well a word fits each word of the index.
struct Fits(Vec<u32>);

impl Fits {
    /// How well it fits the best of some words.
    fn best(&self, words: &[usize]) -> u32 {
        words.iter().filter_map(|word| self.0.get(*word)).copied().max().unwrap_or(0)
    }
}

impl Index {
    fn new(entries: impl Iterator<Item = Entry>) -> Self {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut words = |text: &str| -> Vec<usize> {
            let number = |word| {
                let next = numbers.len();
                *numbers.entry(word).or_insert(next)
            };
            tokens(text).map(number).collect()
        };
        let indexed = entries.map(|entry| Indexed {
            name: words(entry.name),
            aliases: entry.aliases.iter().map(|alias| words(alias)).collect(),
            doc: words(entry.doc),
            more: entry.more.iter().flat_map(|text| words(text)).collect(),
            entry,
        });
        let entries = indexed.collect();
        let mut words = vec![String::new(); numbers.len()];
        for (word, number) in numbers {
            words[number] = word;
        }
        Self { entries, words }
    }

    fn fits(&self, word: &str) -> Fits {
        Fits(self.words.iter().map(|other| fit(word, other)).collect())
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
    let index = Index::new(pmus.into_iter().flat_map(|pmu| entries(pmu, arguments.kinds)));
    let hits = search(&index, &arguments.words);
    if arguments.json {
        let answer = Answer::json(&view::Find { hits: hits.iter().map(document).collect() })?;
        return Ok(Answer { found: !hits.is_empty(), ..answer });
    }
    if hits.is_empty() {
        let failure = Failure::not_found(format!("nothing has `{}`", arguments.words.join(" ")));
        let is_ip = |word: &&String| Subject::read(word).is_ok();
        return Err(match arguments.words.iter().find(is_ip) {
            Some(ip) if arguments.words.len() > 1 => {
                failure.with(&format!("; to look in {ip} alone, give --ip {ip}"))
            }
            _ => failure,
        });
    }
    Ok(Answer::text(screen.table(
        0,
        &[ASIDE, ASIDE, NAME],
        &hits.iter().map(row).collect::<Vec<_>>(),
    )))
}

fn entries(pmu: Pmu, kinds: Kinds) -> Vec<Entry> {
    let unit = pmu.unit.map(|unit| unit.name);
    // The unit is said where not all have it.
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
            doc: "Counts cycles beside the event counters.",
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
    all
}

/// An entry that has all words.
struct Hit<'i> {
    entry: &'i Entry,
    score: u32,
    /// The name of another program that was found, where its own name was not.
    alias: Option<&'static str>,
}

fn search<'i>(index: &'i Index, words: &[String]) -> Vec<Hit<'i>> {
    let whole = folded(&words.concat());
    let words = words.iter().flat_map(|word| tokens(word));
    let words: Vec<Fits> = words.map(|word| index.fits(&word)).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let hits = index.entries.iter().filter_map(|entry| hit(entry, &words, &whole));
    let mut hits: Vec<_> = hits.collect();
    // Stable: those as good stay in the order of the tables.
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
    hits
}

fn hit<'i>(indexed: &'i Indexed, words: &[Fits], whole: &str) -> Option<Hit<'i>> {
    let entry = &indexed.entry;
    let by_number = name::number(whole).is_some_and(|number| {
        entry.code.map(u64::from) == Some(number) || entry.numbers.contains(&number)
    });
    let mut score = 0;
    let mut alias = None;
    for word in words {
        let in_name = word.best(&indexed.name) * 10;
        let in_aliases = entry.aliases.iter().zip(&indexed.aliases);
        let in_aliases = in_aliases.map(|(alias, tokens)| (word.best(tokens) * 6, *alias));
        let (in_alias, which) =
            in_aliases.fold((0, ""), |best, one| if one.0 > best.0 { one } else { best });
        let in_doc = word.best(&indexed.doc) * 4;
        let in_more = word.best(&indexed.more) * 2;
        let of_word = in_name.max(in_alias).max(in_doc).max(in_more);
        if of_word == 0 && !by_number {
            // A name without a gap between its words.
            let named = std::iter::once(entry.name).chain(entry.aliases.iter().copied());
            let part = whole.len() >= 4 && named.clone().any(|name| folded(name).contains(whole));
            if !part {
                return None;
            }
            score += 20;
        }
        if in_alias > in_name && in_alias >= in_doc {
            alias = Some(which);
        }
        // A name whose description has the word as well is a better hit.
        score += of_word + in_doc / 8;
    }
    let exact_alias = entry.aliases.iter().find(|alias| folded(alias) == whole);
    if folded(entry.name) == whole {
        score += 200;
    } else if let Some(exact) = exact_alias {
        score += 150;
        alias = Some(exact);
    }
    if by_number {
        score += if entry.code.map(u64::from) == name::number(whole) { 120 } else { 100 };
    }
    // Of names with the same words, the shorter one is nearer.
    let length = u32::try_from(indexed.name.len()).unwrap_or(u32::MAX);
    Some(Hit { entry, score: (score * 10).saturating_sub(length), alias })
}

/// How well a word fits another one: 0 not at all, 8 it is the same.
fn fit(word: &str, other: &str) -> u32 {
    if word == other || stem(word) == stem(other) {
        return 8;
    }
    let letters = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if word.len() >= 3 && other.starts_with(word) {
        return 6;
    }
    if word.len() >= 4 && other.contains(word) {
        return 4;
    }
    // In numbers and short words every letter counts.
    let allowed = match word.len() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    let near = letters && other.len().abs_diff(word.len()) <= allowed;
    u32::from(near && allowed > 0 && strsim::damerau_levenshtein(word, other) <= allowed) * 3
}

/// A word without its ending: `instructions`, `misses`, `executed`.
fn stem(word: &str) -> &str {
    let mut stems = ["ing", "es", "ed", "s"].iter().filter_map(|ending| word.strip_suffix(ending));
    stems.find(|stem| stem.len() >= 3).unwrap_or(word)
}

fn tokens(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase)
}

fn folded(text: &str) -> String {
    tokens(text).collect()
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

    fn all(ip: &str) -> Index {
        Index::new(entries(Pmu::find(ip).expect("an IP"), Kinds::default()).into_iter())
    }

    fn names(index: &Index, words: &[&str]) -> Vec<&'static str> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        search(index, &words).iter().map(|hit| hit.entry.name).collect()
    }

    #[test]
    fn every_event_is_found_by_its_name_its_aliases_and_its_code() {
        for ip in IPS {
            let index = all(ip.name);
            for indexed @ Indexed { entry, .. } in &index.entries {
                let number = entry.code.map(|code| format!("0x{code:02X}"));
                let numbers =
                    entry.numbers.iter().map(|number| format!("{number:#x}")).chain(number);
                let texts =
                    entry.aliases.iter().chain([&entry.name]).map(|name| (*name).to_owned());
                for text in texts.chain(numbers) {
                    let words: Vec<_> = tokens(&text).map(|word| index.fits(&word)).collect();
                    assert!(
                        hit(indexed, &words, &folded(&text)).is_some(),
                        "{} {text}",
                        entry.name
                    );
                }
                assert_eq!(names(&index, &[entry.name])[0], entry.name);
            }
        }
    }

    #[test]
    fn the_best_hit_comes_first() {
        assert_eq!(names(&all("cortex-a8"), &["instructions"])[0], "INSTRUCTION_EXECUTED");
        assert_eq!(names(&all("cci550"), &["snoop", "hit", "rate"])[0], "SNOOP_HIT_RATE");
        assert_eq!(names(&all("cci550"), &["READ_DATA_SNOOP_HIT"])[0], "READ_DATA_SNOOP_HIT");
        assert_eq!(names(&all("cci400"), &["si_rrq_hs_any"])[0], "READ_REQUEST_ANY");
    }

    #[test]
    fn misspelt_words_find_what_was_meant() {
        assert_eq!(
            names(&all("cci550"), &["snop", "hit"])[0],
            names(&all("cci550"), &["snoop", "hit"])[0]
        );
        assert_eq!(names(&all("cortex-a8"), &["instrutcions"])[0], "INSTRUCTION_EXECUTED");
    }

    #[test]
    fn a_hit_has_all_words() {
        assert!(names(&all("cci550"), &["snoop", "zebra"]).is_empty());
        assert!(names(&all("cci550"), &["--"]).is_empty());
        let all = all("cci550");
        assert!(names(&all, &["read", "snoop"]).len() < names(&all, &["snoop"]).len());
    }

    #[test]
    fn only_the_kinds_that_were_chosen() {
        let pmu = Pmu::find("cci550").expect("an IP");
        let kinds = Kinds { registers: true, ..Kinds::default() };
        assert!(entries(pmu, kinds).iter().all(|entry| entry.kind == "register"));
        let kinds = Kinds { metrics: true, ..Kinds::default() };
        assert!(
            entries(pmu, kinds).iter().all(|entry| matches!(entry.kind, "metric" | "unavailable"))
        );
    }
}
