//! Tests that each mistake in `bad` causes the messages that are stored with it.
//!
//! After an intended change, run `cargo xtask store arm-pmu-spec` and read the difference.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use arm_pmu_spec::case;
use arm_pmu_spec::platform::known::{KnownIp, KnownPlace, KnownSource, KnownUnit};
use arm_pmu_spec::platform::{model::Platform, read};
use arm_pmu_spec::problem::{Problems, Renderer, Source};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Made-up IPs of three kinds: with a single region, with pages, and in a core.
fn known() -> Vec<KnownIp> {
    let unit = |name: &str, pages: &[(&str, u32)]| KnownUnit {
        name: name.to_owned(),
        pages: pages.iter().map(|(page, at)| ((*page).to_owned(), *at, 0x1000)).collect(),
    };
    let ip = |name: &str, place| KnownIp {
        name: name.to_owned(),
        units: Vec::new(),
        place,
        also: vec!["Other".to_owned()],
        is_any_core: false,
        is_processor: true,
        counters: 2,
        has_cycle_counter: false,
        sources: Vec::new(),
    };
    let source = |name: &str, unit: Option<&str>| KnownSource {
        unit: unit.map(str::to_owned),
        name: name.to_owned(),
    };
    let sources = vec![
        source("S0", None),
        source("S1", None),
        source("S2", Some("r1")),
        source("M0", Some("r0")),
    ];
    vec![
        KnownIp {
            units: vec![unit("r0", &[]), unit("r1", &[])],
            has_cycle_counter: true,
            sources,
            ..ip("demo", KnownPlace::Region(0x1_0000))
        },
        KnownIp {
            units: vec![
                unit("near", &[("near", 0)]),
                unit("far", &[("near", 0x2000), ("far", 0x8000)]),
            ],
            ..ip("pages", KnownPlace::Pages)
        },
        ip("cores", KnownPlace::Core),
        KnownIp { is_processor: false, ..ip("cluster", KnownPlace::Core) },
        KnownIp { is_any_core: true, ..ip("any-core", KnownPlace::Core) },
    ]
}

fn load(text: &str) -> (Option<Platform>, Problems) {
    let mut problems = Problems::default();
    (read("good", text, &known(), &mut problems), problems)
}

fn render(text: &str, problems: &mut Problems) -> String {
    let source = Source { path: "specs/platforms/good.yaml".into(), text: Some(text.to_owned()) };
    let text = problems.render(&source, &Renderer::plain());
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn good() -> String {
    fs::read_to_string(here("tests/platform/good.yaml")).expect("the good spec")
}

/// Names of the cases, and the changed specs.
fn cases(directory: &str) -> Vec<(String, String, String)> {
    let entries = fs::read_dir(here("tests/platform").join(directory)).expect("the cases");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a case").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("the text of a case");
        let lines: Vec<_> =
            case::split(&text).0.lines().filter(|line| !line.starts_with('#')).collect();
        let changed = case::change(&good(), &lines);
        let changed = changed.unwrap_or_else(|error| panic!("{directory}/{name}.txt: {error}"));
        (name, text, changed)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn messages_match_the_stored_cases() {
    for (name, text, changed) in cases("bad") {
        let (platform, mut problems) = load(&changed);
        let messages = case::stored(&render(&changed, &mut problems));
        let is_mistake = platform.is_none() && !problems.is_empty();
        assert!(is_mistake, "bad/{name}.txt is not a mistake");
        if messages != case::split(&text).1 {
            let path = here("tests/platform/bad").join(name + ".txt");
            let stored = snapbox::Data::read_from(&path, None);
            snapbox::assert_data_eq!(case::with_messages(&text, &messages), stored.raw());
        }
    }
}

#[test]
fn values_at_the_limits_are_accepted() {
    for (name, _, changed) in cases("accepted") {
        let (platform, mut problems) = load(&changed);
        assert!(platform.is_some(), "accepted/{name}.txt:\n{}", render(&changed, &mut problems));
    }
}

/// For each line of source code that creates a problem, there must be a case.
#[test]
fn every_message_has_a_case() {
    let mut made = BTreeSet::new();
    for (_, _, changed) in cases("bad") {
        let problems = load(&changed).1;
        made.extend(problems.iter().map(|p| (p.made.file().replace('\\', "/"), p.made.line())));
    }
    let mut missing = Vec::new();
    for file in fs::read_dir(here("src/platform")).expect("our sources") {
        let path = file.expect("a source file").path();
        let text = fs::read_to_string(&path).expect("a source file");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let of_file = format!("src/platform/{name}");
        for (number, line) in (1..).zip(text.lines()) {
            let makes = line.contains("report(") || line.starts_with("words! {");
            let is_made = made.iter().any(|(file, at)| file.ends_with(&of_file) && *at == number);
            if makes && !is_made {
                missing.push(format!("{of_file}:{number}: {}", line.trim()));
            }
        }
    }
    assert!(missing.is_empty(), "no case makes these:\n{}", missing.join("\n"));
}
