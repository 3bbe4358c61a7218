//! The numbers of events, sources and counters in the READMEs, beside those of the specs.

mod workspace;

use std::fs;
use std::path::Path;

use serde_json::Value;

/// What a README says of an IP.
struct Numbers {
    /// The events of each unit, or of the IP.
    events: Vec<usize>,
    /// The sources of the first unit, or of the IP.
    sources: usize,
    counters: usize,
    bits: usize,
}

fn rows<'d>(document: &'d Value, key: &str) -> &'d [Value] {
    document[key].as_array().map_or(&[], Vec::as_slice)
}

/// Whether something of which `limit` names the only units is in a unit.
fn is_in(limit: &Value, unit: &str) -> bool {
    match limit {
        Value::Null => true,
        Value::String(only) => only == unit,
        only => only.as_array().is_some_and(|only| only.iter().any(|name| name == unit)),
    }
}

fn numbers(document: &Value) -> Numbers {
    let units = rows(document, "units").iter().map(|unit| unit["name"].as_str().expect("a name"));
    let mut units: Vec<_> = units.collect();
    if units.is_empty() {
        // Nothing is limited to a unit then.
        units.push("");
    }
    let events = units.iter().map(|unit| {
        let groups = rows(document, "groups").iter().filter(|group| is_in(&group["unit"], unit));
        groups.flat_map(|g| rows(g, "events")).filter(|event| is_in(&event["cores"], unit)).count()
    });
    let sources = rows(document, "sources").iter().filter(|of| is_in(&of["unit"], units[0]));
    let number = |key: &str| document[key].as_u64().expect("a number") as usize;
    Numbers {
        events: events.collect(),
        sources: sources.count(),
        counters: number("counters"),
        bits: number("counter_bits"),
    }
}

/// All numbers that stand alone in a text: not the 550 of `CCI-550`.
fn numbers_in(text: &str) -> Vec<usize> {
    let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).parse().ok();
    text.split_whitespace().filter_map(word).collect()
}

#[test]
fn numbers_are_those_of_the_specs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("a file");
    let out = tempfile::tempdir().expect("a temporary directory");
    workspace::real(&["export", "json", "--out", out.path().to_str().expect("text")]);
    let overview = read("README.md");
    for ip in workspace::real_ips() {
        let json = fs::read_to_string(out.path().join(format!("{ip}.json"))).expect("a file");
        let Numbers { events, sources, counters, bits } =
            numbers(&serde_json::from_str(&json).expect("JSON"));

        // What is before them belongs to the name.
        let start = format!("| [`{ip}`](crates/{ip}) |");
        let row = overview.lines().find_map(|line| line.strip_prefix(&start)).expect("a row");
        let found = numbers_in(row.split('|').next().expect("a column"));
        let wanted = [&events[..], &[counters]].concat();
        assert!(found.ends_with(&wanted), "README.md, {ip}: {found:?}, in the specs {wanted:?}");

        let path = format!("crates/{ip}/README.md");
        let text = read(&path);
        let first = text.split("\n\n").nth(1).expect("a paragraph");
        let found = numbers_in(first.split(". ").next().expect("a sentence"));
        let of_sources = (sources > 0).then_some(sources);
        let wanted: Vec<_> =
            events.iter().copied().chain(of_sources).chain([counters, bits]).collect();
        assert!(found.ends_with(&wanted), "{path}: {found:?}, in the specs {wanted:?}");

        // Wherever else there is a number of events.
        let words: Vec<_> = text.split_whitespace().collect();
        for pair in words.windows(2).filter(|pair| pair[1].starts_with("events")) {
            for number in numbers_in(pair[0]) {
                assert!(
                    events.contains(&number),
                    "{path}: {number} events, in the specs {events:?}"
                );
            }
        }
    }
}
