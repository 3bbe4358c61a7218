//! Tests that READMEs have the numbers of events, sources and counters of the specs.

use std::fs;
use std::path::Path;

use arm_pmu_tables::{IPS, Ip, Pmu};

/// Numbers in a text, except parts of names such as `CCI-550`.
fn numbers_in(text: &str) -> Vec<usize> {
    let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).parse().ok();
    text.split_whitespace().filter_map(word).collect()
}

#[test]
fn readme_numbers_match_the_specs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("a file");
    let overview = read("README.md");
    // A driver for every core has only common events, and the user gives the number of counters.
    let is_product = |ip: &&&Ip| ip.architecture.as_ref().is_none_or(|of| of.name != ip.name);
    for ip in IPS.iter().filter(is_product) {
        let pmus: Vec<_> = Pmu::all().filter(|pmu| pmu.ip.name == ip.name).collect();
        let events: Vec<_> = pmus.iter().map(|pmu| pmu.events().count()).collect();
        // Sources of the first unit, or of the IP.
        let sources: usize = pmus[0].groups().map(|group| group.sources.len()).sum();
        let [counters, bits] = [ip.counters.count, ip.counters.bits].map(|number| number as usize);
        let ip = ip.name;

        // Numbers up to the end of this text are part of the IP's name, so they are not compared.
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

        // Any other number in front of the word "events" must also match the specs.
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

#[test]
fn the_facade_names_the_feature_of_each_ip() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arm-pmu/README.md");
    let text = fs::read_to_string(path).expect("a file");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let named: Vec<_> = rows.map(|(feature, _)| feature).collect();
    assert_eq!(named, IPS.iter().map(|ip| ip.name).collect::<Vec<_>>());
}
