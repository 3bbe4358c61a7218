//! Code in documents: each block is checked, and each command exists.
//!
//! | block | what holds it |
//! |---|---|
//! | `console`, `sh` with the command | `crates/arm-pmu-cli/tests/console/documented.rs` runs it; the output is compared |
//! | `sh board`, `console board` | the Linux bench types it, as root |
//! | other `sh` | here: the task, package, test or example exists. Steps of `cargo xtask ci` type the README, the starting point and the guide for C |
//! | `rust` | a test of its crate, or of `refusals` for the README; in guides, it stands in such a page or an example |
//! | `c`, `diff`, `yaml`, `text` | the step or test that reads the document |

use std::fs;
use std::path::Path;

use clap::Parser as _;
use clap::error::ErrorKind;
use documents::{Document, without_remark};

use crate::tests::{files, root};
use crate::verify::ci;
use crate::verify::crates::{self, Package};
use crate::{Arguments, Task};

/// Changed or removed commands that a change log still mentions.
const FORMER: [&str; 2] = ["export", "show"];

/// Documents with a check that runs all lines of their `sh` blocks.
const TYPED: [&str; 3] = ["README.md", "guides/c.md", "starting-point/README.md"];

/// Lines that this test accepts without running them, because they are for a board or for a
/// release. The step "a release" checks lines for a release.
const OTHER_LINES: [&str; 3] = ["sed -i ", "sh hits.sh ", "cargo publish --workspace"];

/// Documents with `text` blocks: an overview, and outputs that a step compares.
const WITH_TEXT: [&str; 2] = ["ARCHITECTURE.md", "starting-point/README.md"];

/// Errors that are allowed if a line has only the name of a task, without arguments.
const INCOMPLETE: [ErrorKind; 3] = [
    ErrorKind::MissingRequiredArgument,
    ErrorKind::MissingSubcommand,
    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
];

/// Splits a command line into words; quotes group words.
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

/// Returns the problem of a line after `cargo xtask`, from the command's own parser. In a code
/// block, the command must be complete; in a sentence, the name of a task is enough. Single letters
/// stand for numbers, and `..` for further arguments.
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
        Err(error) if error.kind() == ErrorKind::DisplayHelp => None,
        Err(error) if !is_whole && INCOMPLETE.contains(&error.kind()) => None,
        Err(error) => Some(format!("{line}: {error}")),
    }
}

/// Returns the commands in a document. The lines of shell blocks come first, and then the code
/// spans in sentences.
fn commands(document: &Document) -> Vec<(bool, String)> {
    let blocks = document.blocks().into_iter().filter(|block| block.kind.starts_with("sh"));
    let text = blocks.map(|block| block.text).collect::<String>();
    let lines = text.lines().map(without_remark).filter(|line| !line.is_empty());
    let lines = lines.map(|line| (true, line.to_owned()));
    lines.chain(document.spans().into_iter().map(|span| (false, span))).collect()
}

#[test]
fn every_command_of_a_document_exists() {
    // The starting point is a separate workspace.
    let folders = [root(), &root().join("starting-point")];
    let packages = folders.map(|folder| crates::packages(folder).expect("packages"));
    let packages: Vec<_> = packages.into_iter().flatten().collect();
    let mut problems = Vec::new();
    let mut known = 0;
    for document in documents::all(root()) {
        let path = &document.path;
        for (is_whole, line) in commands(&document) {
            // Variables before a command.
            let settings = |word: &&str| word.contains('=') && !word.starts_with('-');
            let plain = line.split(' ').skip_while(settings).collect::<Vec<_>>().join(" ");
            let problem = if let Some(task) = plain.strip_prefix("cargo xtask ") {
                let is_former = path == "CHANGELOG.md" && FORMER.contains(&task);
                if is_former { None } else { wrong(task, is_whole) }
            } else if let Some(cargo) = plain.strip_prefix("cargo ") {
                if cargo.contains('<') || cargo.ends_with("..") {
                    continue;
                }
                wrong_cargo(&packages, cargo)
            } else if is_whole && !TYPED.contains(&path.as_str()) && !path.starts_with("xtask/") {
                let is_known = plain == ".ci/run"
                    || ["arm-pmu ", "source <(arm-pmu "].iter().any(|own| plain.starts_with(own))
                    || OTHER_LINES.iter().any(|other| plain.starts_with(other));
                let is_of_board =
                    document.code("sh board").iter().any(|block| block.contains(&line));
                (!is_known && !is_of_board).then(|| "nothing runs this line".to_owned())
            } else {
                continue;
            };
            known += 1;
            problems.extend(problem.map(|problem| format!("{path}: `{line}`: {problem}")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(known >= 150, "{known}");
}

/// Returns whether the lines are consecutive in a file.
fn stands_in(lines: &str, file: &Path) -> bool {
    let plain = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    let (lines, text) = (plain(lines), plain(&fs::read_to_string(file).unwrap_or_default()));
    text.windows(lines.len()).any(|window| window == lines)
}

#[test]
fn every_code_block_is_checked() {
    let is_example = |path: &Path| path.components().any(|part| part.as_os_str() == "examples");
    let mut compiled = files(root(), "lib.md");
    compiled.extend(files(root(), ".rs").into_iter().filter(|path| is_example(path)));
    for document in documents::all(root()) {
        let path = document.path.as_str();
        let is_guide = path.starts_with("guides/");
        for block in document.blocks() {
            let is_held = match block.kind.as_str() {
                "console" | "sh" | "sh board" | "console board" => true,
                "text" => WITH_TEXT.contains(&path),
                "rust" if is_guide => compiled.iter().any(|file| stands_in(&block.text, file)),
                kind if kind.starts_with("rust") => {
                    path.starts_with("crates/") || path == "README.md"
                }
                "c" => {
                    is_guide && stands_in(&block.text, &root().join("xtask/first-steps/image.c"))
                }
                "diff" => path == "guides/zynqmp-firmware.md",
                "yaml" => path == "specs/README.md",
                _ => false,
            };
            assert!(
                is_held,
                "{path}: no check covers this block of `{}`:\n{}",
                block.kind, block.text
            );
        }
    }
}

#[test]
fn links_between_documents_lead_to_files() {
    let mut links = 0;
    for document in documents::all(root()) {
        let folder = root().join(&document.path).parent().expect("a folder").to_owned();
        // The pages of crates have links that rustdoc resolves.
        let is_page = document.path.starts_with("crates/");
        for link in document.links().into_iter().filter(|link| !link.contains("://") && !is_page) {
            let file = link.split('#').next().unwrap_or_default();
            assert!(folder.join(file).exists(), "{}: {link}", document.path);
            links += 1;
        }
    }
    assert!(links >= 60, "{links}");
}

#[test]
fn every_guide_is_listed() {
    let list = documents::read(root(), "guides/README.md").links();
    for guide in
        documents::all(root()).iter().filter(|document| document.path.starts_with("guides/"))
    {
        let (path, text) = (&guide.path, &guide.text);
        assert!(text.is_ascii() && text.starts_with("# "), "{path}");
        assert!(text.lines().all(|line| line.len() <= 240), "{path}");
        let outputs: usize = guide.code("console").iter().map(String::len).sum();
        let own = text.len() - outputs;
        assert!(
            own < 4_700 && text.len() < 9_000,
            "{path} has {own} characters without the commands' outputs, and {} with them",
            text.len()
        );
        let is_listed = list.iter().any(|link| format!("guides/{link}") == *path);
        assert!(is_listed || path == "guides/README.md", "{path} is not in the list");
    }
    assert!(
        documents::read(root(), "README.md").links().iter().any(|link| link == "guides/README.md")
    );
}

#[test]
fn a_missing_task_is_found() {
    assert!(wrong("fresh", false).is_some_and(|wrong| wrong.contains("unrecognized")));
    assert!(wrong("gen --timing", false).is_some());
    assert!(
        wrong("ci \"no step has this\"", false).is_some_and(|wrong| wrong.contains("no such step"))
    );
    assert!(wrong("linux run", true).is_some());
    assert_eq!(wrong("linux run", false), None);
    assert_eq!(wrong("ci \"all tests\"", true), None);
}

/// Returns the problem of a line after `cargo`: a package, feature, test or example that does not
/// exist.
fn wrong_cargo(packages: &[Package], line: &str) -> Option<String> {
    let words = words(line);
    // Arguments after `--` go to the program.
    let own: Vec<&str> =
        words.iter().take_while(|word| *word != "--").map(String::as_str).collect();
    let pairs = own.windows(2).map(|pair| (pair[0], pair[1]));
    let is_package = |option: &str| ["-p", "--package"].contains(&option);
    let mut named: Vec<_> =
        pairs.clone().filter_map(|(option, name)| is_package(option).then_some(name)).collect();
    match *own.first()? {
        "add" | "install" => {
            let paths = pairs.clone().filter(|(option, _)| *option == "--path");
            named.extend(paths.map(|(_, path)| path.rsplit('/').next().unwrap_or(path)));
            let plain = own[1..].iter().take_while(|word| **word != "--features");
            named.extend(plain.filter(|word| !word.starts_with('-') && !word.contains('/')));
        }
        "run" | "test" | "bench" | "build" | "doc" | "check" | "mutants" | "publish" | "fmt"
        | "update" => {}
        // Not a whole command line, only a command's name.
        _ => return None,
    }
    // Also allowed are the other packages of the lock file, and the package that `cargo xtask new`
    // creates.
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
    let is_known = |name: &&str| {
        ["cci-600", "cargo-mutants"].contains(name)
            || lock.contains(&format!("\nname = \"{name}\"\n"))
    };
    if let Some(missing) = named.iter().find(|name| !is_known(name)) {
        return Some(format!("no package {missing}"));
    }
    let is_meant = |package: &&Package| named.is_empty() || named.contains(&&*package.name);
    let meant: Vec<_> = packages.iter().filter(is_meant).collect();
    let lacks = |(option, value): &(&str, &str)| match *option {
        "--features" if !named.is_empty() => {
            let is_in = |feature| meant.iter().all(|one| one.features.contains_key(feature));
            !value.split(',').all(is_in)
        }
        "--test" | "--example" | "--bin" | "--bench" => {
            let mut targets = meant.iter().flat_map(|package| package.targets(&option[2..]));
            !targets.any(|target| target.name == *value)
        }
        _ => false,
    };
    pairs.clone().find(lacks).map(|(option, value)| format!("no {option} {value}"))
}
