//! The commands of this workspace that documents name: each is one that there is.
//!
//! That the commands of guides and READMEs are also run is checked by `crates/arm-pmu-cli/tests/guides.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};

use crate::verify::ci;
use crate::{Arguments, Task};

/// Commands that changed or left, which a change log names.
const FORMER: [&str; 2] = ["export", "show"];

const TABLE: &str = include_str!("../../README.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files of the repository with this ending.
fn files(ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(&folder).expect("a folder").map_while(Result::ok) {
            let name = file.file_name().to_string_lossy().into_owned();
            // What is built, and what Git or an editor has.
            if name == "target" || name.starts_with('.') {
                continue;
            }
            let path = file.path();
            let kind = file.file_type().expect("a kind");
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && name.ends_with(ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The code of a document: whole lines of blocks, and what stands between backticks, also across lines.
fn code(text: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for (nth, part) in text.split("```").enumerate() {
        if nth % 2 == 1 {
            let lines =
                part.lines().skip(1).map(|line| line.split(" #").next().unwrap_or_default());
            found.extend(lines.map(|line| (true, line.trim().to_owned())));
        } else {
            let spans = part.split('`').skip(1).step_by(2);
            let joined = |span: &str| span.split_whitespace().collect::<Vec<_>>().join(" ");
            found.extend(spans.map(|span| (false, joined(span))));
        }
    }
    found
}

/// The words of a command line: quotes hold several together.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (nth, part) in line.split('"').enumerate() {
        match nth % 2 {
            1 => words.push(part.to_owned()),
            _ => words.extend(part.split_whitespace().map(str::to_owned)),
        }
    }
    words
}

/// What is wrong with a line behind `cargo xtask`, by the parser of the command. A line of a block is complete; in a
/// sentence, a name may stand alone. Single letters stand for numbers, and `..` for more.
fn wrong(line: &str, is_whole: bool) -> Option<String> {
    let words = words(line).into_iter().take_while(|word| word != "|");
    let words = words.filter(|word| word != ".." && !word.starts_with('['));
    let words = words.map(|word| match word.as_str() {
        "N" | "S" => "1".to_owned(),
        "STEP" => String::new(),
        word => word.trim_end_matches("..").to_owned(),
    });
    match Arguments::try_parse_from(std::iter::once("xtask".to_owned()).chain(words)) {
        Ok(arguments) => match arguments.task {
            Task::Ci(arguments) if !ci::has(&arguments) => Some(format!("{line}: no such step")),
            _ => None,
        },
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp => None,
            ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                if !is_whole =>
            {
                None
            }
            _ => Some(format!("{line}: {error}")),
        },
    }
}

#[test]
fn every_named_task_exists() {
    let mut lines = 0;
    let mut all_wrong = Vec::new();
    for path in files(".md") {
        let text = fs::read_to_string(&path).expect("a document");
        let is_log = path.ends_with("CHANGELOG.md");
        for (is_whole, code) in code(&text) {
            let Some(line) = code.strip_prefix("cargo xtask ") else { continue };
            if is_log && FORMER.contains(&line) {
                continue;
            }
            lines += 1;
            if let Some(wrong) = wrong(line, is_whole) {
                all_wrong.push(format!("{}: {wrong}", path.display()));
            }
        }
    }
    assert!(all_wrong.is_empty(), "{}", all_wrong.join("\n"));
    assert!(lines >= 90, "{lines}");
}

/// A comment has one on one line, or is not looked at.
#[test]
fn every_task_that_a_comment_names_exists() {
    let mut lines = 0;
    for path in [files(".rs"), files(".toml"), files(".yaml")].concat() {
        // The cases of this test.
        if path.ends_with("tests/documented.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file");
        for line in text.lines() {
            for rest in line.split("`cargo xtask ").skip(1) {
                let Some((line, _)) = rest.split_once('`') else { continue };
                // Something that is put there.
                if line.contains(['{', '<']) {
                    continue;
                }
                lines += 1;
                let wrong = wrong(line, false);
                assert_eq!(wrong, None, "{}", path.display());
            }
        }
    }
    assert!(lines >= 40, "{lines}");
}

/// The rows of the table of tasks: the commands of each, and the options that its text names.
fn rows() -> Vec<(Vec<String>, Vec<String>)> {
    let spans = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let rows = TABLE.lines().skip_while(|line| !line.starts_with("| `cargo xtask ..`")).skip(2);
    rows.map_while(|row| {
        let mut cells = row.strip_prefix('|')?.split('|');
        let commands: Vec<String> = spans(cells.next()?);
        let options: Vec<String> = spans(cells.next()?);
        Some((commands, options.into_iter().filter(|option| option.starts_with("--")).collect()))
    })
    .collect()
}

#[test]
fn the_table_has_every_task_with_its_options() {
    let rows = rows();
    for (commands, options) in &rows {
        for command in commands {
            assert_eq!(wrong(command, true), None);
        }
        // An option is of one of the row's commands.
        for option in options {
            let with = |command: &String| format!("{command} {option}");
            let is_known = commands.iter().any(|command| wrong(&with(command), true).is_none());
            assert!(is_known, "{commands:?} have no `{option}`");
        }
    }
    let listed: Vec<&str> = rows.iter().flat_map(|(all, _)| all).map(String::as_str).collect();
    for task in Arguments::command().get_subcommands() {
        let parts: Vec<_> = task.get_subcommands().map(clap::Command::get_name).collect();
        let own = task.get_name();
        let names = match parts.is_empty() {
            true => vec![own.to_owned()],
            false => parts.iter().map(|part| format!("{own} {part}")).collect(),
        };
        for name in names {
            let is_listed = listed.iter().any(|line| {
                line.strip_prefix(&name)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            });
            assert!(is_listed, "xtask/README.md lists no `{name}`");
        }
    }
}

#[test]
fn a_task_that_there_is_not_is_found() {
    assert!(wrong("fresh", false).is_some_and(|wrong| wrong.contains("unrecognized")));
    assert!(wrong("gen --timing", false).is_some());
    assert!(
        wrong("ci \"no step has this\"", false).is_some_and(|wrong| wrong.contains("no such step"))
    );
    assert!(wrong("linux open", true).is_some());
    assert_eq!(wrong("linux open", false), None);
    assert_eq!(wrong("ci \"all tests\"", true), None);
    assert_eq!(
        code("a `one\ntwo` b\n```sh\nthree   # four\n```\n`five`\n"),
        [(false, "one two".to_owned()), (true, "three".to_owned()), (false, "five".to_owned())]
    );
}

/// The options of Cargo with a value that names a file of the package, and where that stands.
const TARGETS: [(&str, &str); 4] =
    [("--test", "tests"), ("--example", "examples"), ("--bin", "src/bin"), ("--bench", "benches")];

/// Commands of Cargo in this workspace that name a package, a test or an example.
#[test]
fn every_named_package_test_and_example_exists() {
    let packages: Vec<(String, PathBuf)> = files("Cargo.toml")
        .into_iter()
        .filter_map(|path| {
            let text = fs::read_to_string(&path).ok()?;
            let name =
                text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))?;
            Some((name.to_owned(), path.parent()?.to_owned()))
        })
        .collect();
    // A package of others may be named too.
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
    let is_of_others = |name: &str| lock.contains(&format!("\nname = \"{name}\"\n"));
    let mut lines = 0;
    for path in files(".md") {
        // Templates have names that are filled in.
        if path.components().any(|part| part.as_os_str() == "template") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a document");
        for (_, code) in code(&text) {
            let words = words(&code);
            let Some(start) = words.iter().position(|word| word == "cargo") else { continue };
            let is_of_workspace = ["run", "test", "bench", "build", "doc"]
                .contains(&words.get(start + 1).map_or("", String::as_str));
            if !is_of_workspace {
                continue;
            }
            // What follows `--` is for the program.
            let own: Vec<_> = words.iter().take_while(|word| *word != "--").collect();
            let after = |option: &str| {
                let pairs = own.windows(2).filter(move |pair| pair[0] == option);
                pairs.map(|pair| pair[1].as_str()).collect::<Vec<_>>()
            };
            let named = [after("-p"), after("--package")].concat();
            let of: Vec<&PathBuf> = match named.as_slice() {
                [] => packages.iter().map(|(_, folder)| folder).collect(),
                _ => {
                    let found = named.iter().filter_map(|name| {
                        let found = packages.iter().find(|(package, _)| package == name);
                        // `cargo xtask new` makes it.
                        let is_known = found.is_some() || *name == "cci-600" || is_of_others(name);
                        assert!(is_known, "{}: `{code}`: no {name}", path.display());
                        Some(&found?.1)
                    });
                    found.collect()
                }
            };
            for (option, folder) in TARGETS {
                for name in after(option) {
                    let is_there = of.iter().any(|package| {
                        let file = package.join(folder).join(name);
                        file.with_extension("rs").is_file() || file.join("main.rs").is_file()
                    });
                    assert!(is_there || name == "first", "{}: `{code}`", path.display());
                }
            }
            lines += 1;
        }
    }
    assert!(lines >= 30, "{lines}");
}
