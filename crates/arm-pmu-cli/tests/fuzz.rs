//! Tests that the program answers damaged files and arbitrary words without delay.
//!
//! `cargo xtask fuzz files --cases 1000` runs more cases.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

mod program;

/// Timeout that indicates an endless loop, even on a busy machine. The command usually answers within a second.
const ENDLESS: Duration = Duration::from_secs(20);

/// A change to the bytes of a file: its place, the number of removed bytes, and the inserted bytes.
type Damage = (Index, usize, Inserted);

#[derive(Clone, Debug)]
enum Inserted {
    Bytes(Vec<u8>),
    /// Up to 4 KiB copied from the same file or, with an index, from another file.
    Part(Option<Index>, Index),
}

/// Pieces of text that have a meaning in most of these formats.
const MEANINGFUL: [&str; 14] =
    ["", "\n", ",", ".", ":", "\"", "{", "}", "[", "#", "\t", "\0", "0x", "99999999999999999999"];

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    let removed = prop_oneof![Just(0), 1..4_usize, 1..4096_usize, Just(usize::MAX)];
    let inserted = prop_oneof![
        any::<u8>().prop_map(|byte| Inserted::Bytes(vec![byte])),
        prop::sample::select(&MEANINGFUL[..]).prop_map(|text| Inserted::Bytes(text.into())),
        any::<(Option<Index>, Index)>().prop_map(|(file, from)| Inserted::Part(file, from)),
    ];
    prop::collection::vec((any::<Index>(), removed, inserted), 1..8)
}

fn damaged(files: &[PathBuf], nth: Index, all: &[Damage]) -> Vec<u8> {
    let read = |nth: Index| fs::read(nth.get(files)).expect("a file");
    let mut bytes = read(nth);
    for (at, removed, inserted) in all {
        let at = at.index(bytes.len() + 1);
        let end = at.saturating_add(*removed).min(bytes.len());
        let inserted = match inserted {
            Inserted::Bytes(bytes) => bytes.clone(),
            Inserted::Part(file, from) => {
                let of = file.map_or_else(|| bytes.clone(), read);
                of[from.index(of.len() + 1)..].iter().copied().take(4096).collect()
            }
        };
        bytes.splice(at..end, inserted);
    }
    bytes
}

/// Files in the folder and its subfolders that have one of these extensions.
fn files(folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut next = 0;
    while let Some(path) = all.get(next).cloned() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            all.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
        next += 1;
    }
    let has = |path: &PathBuf, ending: &str| path.extension().is_some_and(|of| of == ending);
    all.retain(|path| endings.iter().any(|ending| has(path, ending)));
    all.sort();
    assert!(!all.is_empty(), "no file in {folders:?}");
    all
}

/// Runs a command in which other text replaces one of the words.
fn is_answered(command: &str, word: &str, text: &OsStr) -> Result<(), TestCaseError> {
    let words = command.split(' ').map(|one| if one == word { text } else { one.as_ref() });
    let before = Instant::now();
    let output = program::command().args(words).output().expect("the program");
    let (time, error) = (before.elapsed(), String::from_utf8_lossy(&output.stderr));
    let status = output.status;
    prop_assert!(status.code().is_some_and(|code| code <= 3), "{command}: {status} {error}");
    let is_silent = output.stdout.is_empty() && error.is_empty();
    prop_assert!(!is_silent, "{command}: fails without a message");
    prop_assert!(time < ENDLESS, "{command}: {time:?}");
    Ok(())
}

fn runner() -> TestRunner {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    let cases = cases.unwrap_or(16);
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

/// Runs each command many times; a damaged file takes the place of `FILE` in the command.
fn hold(name: &str, files: &[PathBuf], commands: &[&str]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let result = runner().run(&(any::<Index>(), damage()), |(nth, all)| {
        let bytes = damaged(files, nth, &all);
        let file = folder.join(nth.get(files).file_name().expect("a name"));
        fs::write(&file, &bytes).expect("a file");
        for command in commands {
            is_answered(command, "FILE", file.as_os_str())?;
            let is_same = fs::read(&file).is_ok_and(|now| now == bytes);
            prop_assert!(is_same, "{command}: the file has changed");
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{name}: {error}");
    }
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

/// Names of events, values of registers, and PMUs with their addresses.
#[test]
fn any_word_is_answered() {
    let word = "(cci550|mmu600:tbu|arm11|[a-z0-9:]{0,8})(=[A-Za-z0-9_]{0,4})?@0x[0-9A-F_]{0,18}|\
                [A-Za-z0-9_:.x]{0,24}|[^\\x00]{0,40}";
    let result = runner().run(&word, |word| {
        let commands = ["export svd WORD", "show mmu600:tbu WORD", "decode cci550 WORD"];
        commands.iter().try_for_each(|command| is_answered(command, "WORD", word.as_ref()))
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}
