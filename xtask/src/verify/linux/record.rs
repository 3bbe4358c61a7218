//! Makes the recordings for the tests of `arm-pmu report`: the output of the real `perf` on the bench, and
//! the kernel's description of the PMUs in sysfs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use documents::without_numbers;

use super::board::{self, Board};
use super::guest::Guest;
use super::script;

/// Folder of the recordings, with a subfolder for each version of `perf`, such as `6.1`.
const FOLDER: &str = "crates/arm-pmu-cli/tests/perf";

/// File that lists the commands and, below each command, the files with its output, such as `named.json named.csv`. A
/// line `status 129` states the exit status of `perf` if it is not 0.
const COMMANDS: &str = "recordings.txt";

/// Arguments of `perf stat` for each kind of file.
const FORMATS: [(&str, &str); 3] =
    [(".json", "perf stat -j"), (".csv", "perf stat -x,"), (".txt", "perf stat")];

/// A file with the output of a command.
struct Recording {
    file: String,
    script: String,
    status: u8,
}

/// Makes all recordings again, or only the recordings of one board. A recording of an older version
/// is omitted if it equals a newer one.
///
/// # Errors
///
/// Returns an error if there is no such board, a guest does not finish, or a command has an
/// unexpected exit status.
pub fn record(root: &Path, guest: &Guest, only: Option<&str>) -> Result<()> {
    let folder = root.join(FOLDER);
    let recordings = recordings(root, &fs::read_to_string(folder.join(COMMANDS))?, only)?;
    let (first, _) = recordings.first().context("no recordings of this board")?;
    let version = guest.run(first, &["perf --version".to_owned()])?.remove(0).text;
    let version = version.trim().strip_prefix("perf version ").context("no version of perf")?;
    let series = series(version).with_context(|| format!("{version:?} is no version"))?;

    let mut boots = Vec::new();
    for (board, recordings) in &recordings {
        boots.push((board, recordings.iter().map(|one| one.script.clone()).collect()));
    }
    let outputs = guest.run_all(&boots)?;
    for ((board, recordings), outputs) in recordings.iter().zip(&outputs) {
        let place = folder.join(name(series)).join(&board.name);
        if place.is_dir() {
            fs::remove_dir_all(&place)?;
        }
        fs::create_dir_all(&place)?;
        let mut made = 0;
        for (Recording { file, script, status }, output) in recordings.iter().zip(outputs) {
            let text = &output.text;
            ensure!(output.status == *status, "`{script}` ended with {}:\n{text}", output.status);
            ensure!(!text.is_empty(), "`{script}` printed nothing");
            if !newer_says_the_same(&folder, series, &Path::new(&board.name).join(file), text)? {
                fs::write(place.join(file), text)?;
                made += 1;
            }
        }
        outln!("{}: {made} of {} recordings", board.name, recordings.len());
    }
    let versions = format!("perf {version}\nLinux {}\n{}\n", guest.kernel, guest.qemu);
    fs::write(folder.join(name(series)).join("versions.txt"), versions)?;
    Ok(())
}

/// Returns the recordings of each board.
fn recordings(
    root: &Path,
    commands: &str,
    only: Option<&str>,
) -> Result<Vec<(Board, Vec<Recording>)>> {
    let mut of_boards = Vec::new();
    for section in script::parse(commands)? {
        for board in section.boards.iter().filter(|name| only.is_none_or(|only| only == *name)) {
            let board = board::find(root, board)?;
            let mut recordings = Vec::new();
            for entry in &section.entries {
                let status = entry.below.lines().find_map(|line| line.strip_prefix("status "));
                let status = status.map_or(Ok(0), str::parse)?;
                let files = entry.below.lines().next().unwrap_or_default();
                for file in files.split(' ') {
                    let format = FORMATS.iter().find(|(suffix, _)| file.ends_with(suffix));
                    let (_, perf) = format.with_context(|| format!("no format of {file}"))?;
                    let script = entry.command.replace("perf stat", perf);
                    recordings.push(Recording { file: file.to_owned(), script, status });
                }
            }
            of_boards.push((board, recordings));
        }
    }
    Ok(of_boards)
}

/// Returns the first two numbers of a version such as `6.12.95`.
fn series(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn name((major, minor): (u32, u32)) -> String {
    format!("{major}.{minor}")
}

/// Returns whether a newer version has this recording with the same lines, ignoring numbers. Quotes are ignored too,
/// because `perf` 6.1 and 6.12 differ in the quotes of one JSON value.
fn newer_says_the_same(folder: &Path, than: (u32, u32), file: &Path, text: &str) -> Result<bool> {
    let lines = |text: &str| BTreeSet::from_iter(without_numbers(&text.replace('"', "")));
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let newer = series(&entry.file_name().to_string_lossy()).is_some_and(|one| one > than);
        let other = fs::read_to_string(entry.path().join(file)).ok().filter(|_| newer);
        if other.is_some_and(|other| lines(&other) == lines(text)) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_are_made_as_written_down() {
        let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = root.join(FOLDER);
        let commands = fs::read_to_string(folder.join(COMMANDS)).unwrap();
        for (board, recordings) in recordings(root, &commands, None).unwrap() {
            let own = folder.join("6.12").join(&board.name);
            let mut files: Vec<_> = recordings.iter().map(|one| own.join(&one.file)).collect();
            let stored = fs::read_dir(own).unwrap().map(|file| file.unwrap().path());
            files.sort();
            assert_eq!(files, BTreeSet::from_iter(stored).into_iter().collect::<Vec<_>>());
        }
    }
}
