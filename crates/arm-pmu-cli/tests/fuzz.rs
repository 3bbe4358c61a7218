//! Tests that the program prints an answer or a message for each damaged file, without delay.
//!
//! `cargo xtask fuzz files --cases 1000` runs more cases.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

mod program;

/// Timeout that indicates an endless loop, even on a busy machine. Usual answers need less than a second.
const ENDLESS: Duration = Duration::from_secs(20);

/// A change to the bytes of a file.
#[derive(Clone, Debug)]
struct Damage {
    at: Index,
    /// Number of removed bytes.
    removed: usize,
    inserted: Inserted,
}

#[derive(Clone, Debug)]
enum Inserted {
    Bytes(Vec<u8>),
    /// A part of this file, or of another one.
    Copy(Option<Index>, Index, Index),
}

/// Bytes with a meaning in most of these formats.
const MEANINGFUL: [&[u8]; 14] = [
    b"\n",
    b",",
    b".",
    b":",
    b"\"",
    b"{",
    b"}",
    b"[",
    b"#",
    b"\t",
    b"\0",
    b"0x",
    b"99999999999999999999",
    b"\xFF",
];

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    let index = any::<Index>;
    let removed = prop_oneof![Just(0), 1..4_usize, 1..4096_usize, Just(usize::MAX)];
    let inserted = prop_oneof![
        Just(Inserted::Bytes(Vec::new())),
        any::<u8>().prop_map(|byte| Inserted::Bytes(vec![byte])),
        prop::sample::select(&MEANINGFUL[..]).prop_map(|what| Inserted::Bytes(what.to_vec())),
        (prop::option::of(index()), index(), index())
            .prop_map(|(file, from, to)| Inserted::Copy(file, from, to)),
    ];
    let one = (index(), removed, inserted);
    let one = one.prop_map(|(at, removed, inserted)| Damage { at, removed, inserted });
    prop::collection::vec(one, 1..8)
}

/// Range between two positions, at most 4 KiB.
fn part(of: &[u8], one: Index, other: Index) -> std::ops::Range<usize> {
    let (one, other) = (one.index(of.len() + 1), other.index(of.len() + 1));
    let from = one.min(other);
    from..one.max(other).min(from + 4096)
}

fn damaged(files: &[PathBuf], nth: Index, all: &[Damage]) -> Vec<u8> {
    let read = |nth: Index| fs::read(nth.get(files)).expect("a file");
    let mut bytes = read(nth);
    for Damage { at, removed, inserted } in all {
        let at = at.index(bytes.len() + 1);
        let end = at.saturating_add(*removed).min(bytes.len());
        let inserted = match inserted {
            Inserted::Bytes(bytes) => bytes.clone(),
            Inserted::Copy(file, from, to) => {
                let of = file.map_or_else(|| bytes.clone(), read);
                of[part(&of, *from, *to)].to_vec()
            }
        };
        bytes.splice(at..end, inserted);
    }
    bytes
}

/// Files with one of these extensions, including subfolders.
fn files(folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open: Vec<_> =
        folders.iter().map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let has = |ending: &&str| path.extension().is_some_and(|of| of == *ending);
            if path.is_dir() {
                open.push(path);
            } else if endings.iter().any(has) {
                all.push(path);
            }
        }
    }
    all.sort();
    assert!(!all.is_empty(), "no file in {folders:?}");
    all
}

/// Runs each command with damaged files in place of `FILE`.
fn hold(name: &str, files: &[PathBuf], commands: &[&str]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let mut runner =
        TestRunner::new(Config { cases: cases(), failure_persistence: None, ..Config::default() });
    let result = runner.run(&(any::<Index>(), damage()), |(nth, all)| {
        let bytes = damaged(files, nth, &all);
        let original = nth.get(files);
        let file = folder.join(original.file_name().expect("a name"));
        fs::write(&file, &bytes).expect("a file");
        for command in commands {
            let words = command
                .split(' ')
                .map(|word| if word == "FILE" { file.as_os_str() } else { word.as_ref() });
            let before = Instant::now();
            let output = program::command().args(words).output().expect("the program");
            let time = before.elapsed();
            let error = String::from_utf8_lossy(&output.stderr);
            let status = output.status.code();
            prop_assert!(
                status.is_some_and(|code| code <= 3),
                "{command}: {:?}\n{error}",
                output.status
            );
            prop_assert!(
                !output.stdout.is_empty() || !error.is_empty(),
                "{command}: fails without a word"
            );
            prop_assert!(time < ENDLESS, "{command}: {time:?}");
            prop_assert!(
                fs::read(&file).is_ok_and(|now| now == bytes),
                "{command}: the file has changed"
            );
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{name}: {error}");
    }
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(16)
}

#[test]
fn damaged_perf_output_is_answered() {
    let files =
        files(&["tests/perf", "tests/strangers/perf", "tests/dumps"], &["txt", "csv", "json"]);
    hold(
        "perf",
        &files,
        &[
            "report FILE",
            "report FILE --ip cci400 --csv",
            "report FILE FILE --ip mmu600 --json",
            "doctor cortex-a53 --from FILE",
            "doctor mmu600:tbu --from FILE",
        ],
    );
}

#[test]
fn damaged_dumps_are_answered() {
    let dumps = files(&["tests/dumps"], &["txt"]);
    let commands = ["doctor cci400 --base 0xfd6e0000 --from FILE", "doctor mmu600:tcu --from FILE"];
    hold("dumps", &dumps, &commands);
}

#[test]
fn damaged_device_trees_are_answered() {
    hold("trees", &files(&["tests/trees"], &["dtb"]), &["platform new --from FILE"]);
}

#[test]
fn damaged_platforms_are_answered() {
    let platforms = files(&["../../specs/platforms"], &["yaml"]);
    hold("platforms", &platforms, &["platform FILE", "device-tree FILE"]);
}

#[test]
fn damaged_svd_files_are_answered() {
    let files = files(&["tests/strangers/svd"], &["svd"]);
    hold("svd", &files, &["export svd cci400@0xfd6e0000 --merge-into FILE"]);
}

#[test]
fn damaged_recordings_are_answered() {
    hold("recordings", &files(&["tests/runs"], &["jsonl"]), &["report FILE"]);
}
