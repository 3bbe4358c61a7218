//! The documents: every command in guides and READMEs is run, here or by a step of `cargo xtask ci`.
//!
//! | block | what runs it |
//! |---|---|
//! | `console` | this test, or `command.rs` for the README of the command; the output is compared. `UPDATE_GUIDES=1` and `UPDATE_README=1` store it |
//! | `sh board` | the Linux bench, as root, from the document (`xtask/src/verify/linux/guides.rs`) |
//! | `console board` | the same; the output is compared there but for numbers |
//! | `sh` | `STEPS`: the step that runs the line. The command `arm-pmu` runs here |
//! | `text` | `OUTPUTS`: the step that compares it |
//! | `c` | it stands in the program that the step "the first steps in C" compiles and runs |
//! | `diff` | the step "the starting point, copied" applies it |
//! | `rust` | it stands in the page of a crate or in an example, which are compiled and run |
//!
//! A command between words is of `STEPS`, of the command `arm-pmu`, or of `NOT_IN_CI`, with the reason. That each
//! `cargo xtask ..` exists is a test of xtask, `xtask/src/tests/documented.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod outputs;
mod program;

use outputs::with_outputs;

/// The step that takes its lines from the document.
const FROM_README: &str = "the README's commands, in a fresh clone";
const COPIED: &str = "the starting point, copied";
const BENCH: &str = "Linux and its perf";

/// Lines, and the step of `cargo xtask ci` that runs the same.
const STEPS: &[(&str, &str)] = &[
    ("cargo xtask gen", FROM_README),
    ("cargo test --workspace", FROM_README),
    ("cargo xtask gen --check", "generated files"),
    ("cargo xtask new", "a new IP"),
    ("cargo xtask new cci-600 --title \"CoreLink CCI-600\"", "a new IP"),
    ("cargo xtask new cci-600 --title \"CoreLink CCI-600\" --architecture cci5xx", "a new IP"),
    ("cargo test -p cci-600 -p arm-pmu-sim -p arm-pmu-tables -p xtask", "a new IP"),
    ("cargo test -p firmware", FROM_README),
    ("cargo test -p xtask", FROM_README),
    ("cargo run --bin check", COPIED),
    ("cargo install --path crates/arm-pmu-cli", "the command, installed"),
    ("cargo build --bin check", COPIED),
    ("cargo xtask arm test", "images on QEMU"),
    ("cargo xtask arm test-mmio", "tests, with trapped loads and stores"),
    ("cargo xtask asm", "instructions, beside those by hand"),
    ("cargo xtask asm --check", "instructions, beside those by hand"),
    ("cargo xtask size", "size beside C"),
    ("cargo xtask api --check", "public items"),
    ("cargo xtask site", "lines of the reference pages, compiled"),
    ("cargo xtask linux test", BENCH),
    ("cargo publish --workspace", "packages, unpacked"),
    ("cargo xtask fuzz counts", "random programs over the drivers"),
    (".ci/run", FROM_README),
];

/// Commands that no step runs, and why.
const NOT_IN_CI: &[(&str, &str)] = &[
    (".ci/run install", "installs the tools of CI: it is the first command there"),
    ("cargo xtask ci", "it is CI"),
    (
        "cargo xtask ci \"all tests\"",
        "20 minutes; CI runs the part that finds what the others do not",
    ),
    ("cargo xtask ci browser", "needs Chromium; before a release"),
    ("cargo xtask ci Windows", "needs two more compilers; before a release"),
    ("cargo xtask ci \"workspace with new IPs\"", "CI tests what names a new IP first"),
    ("cargo xtask ci \"all boards\"", "optimized builds take minutes; before a release"),
    ("cargo xtask ci \"32 bits\"", "boots kernels that few changes touch; before a release"),
    ("cargo xtask ci \"a release\"", "fails until there is one"),
    ("cargo check --workspace", "writes the lock file of a release"),
    ("cargo xtask fuzz counts --seconds 600 --without flicker", "before a release; CI runs fewer"),
    ("cargo xtask fuzz specs --cases 100000", "before a release; CI runs fewer cases"),
    ("cargo xtask ci strangers", "builds all from nothing; before a release"),
    ("cargo xtask api", "stores what `cargo xtask api --check` compares"),
    ("cargo xtask arm binaries", "optimized builds take minutes; the bench runs that for AArch64"),
    ("cargo xtask bench build", "figures of an idle machine"),
    ("cargo xtask bench start", "figures of an idle machine"),
    ("cargo bench -p xtask", "figures of an idle machine"),
    ("cargo build -p xtask --target-dir DIR", "figures of an idle machine"),
    ("cargo build -p svd2rust --target-dir DIR", "figures of an idle machine"),
    ("cargo xtask gen --timings", "figures of an idle machine"),
    ("cargo xtask fuzz files --cases 2000", "before a release; CI runs fewer cases"),
    ("cargo xtask fuzz specs --cases 200000", "takes long; CI runs fewer cases"),
    ("cargo xtask linux cost", "figures"),
    ("cargo xtask linux open FILE", "shows what the kernel does with lines that are being written"),
    ("cargo xtask linux run cci400-r1 \"arm-pmu stat ..\"", "runs what one types"),
    ("UPDATE_GUIDES=1 cargo test -p arm-pmu-cli --test guides", "stores what CI compares"),
    ("UPDATE_LINKS=1 cargo test -p site --test pages", "stores what CI compares"),
    ("UPDATE_MESSAGES=1 cargo test -p xtask", "stores what CI compares"),
    ("UPDATE_README=1 cargo test -p arm-pmu-cli", "stores what CI compares"),
    ("UPDATE_RECIPES=1 cargo test -p arm-pmu-cli --test recipe", "stores what CI compares"),
    ("TRYBUILD=overwrite cargo test -p refusals -- --ignored", "stores what CI compares"),
    ("cargo mutants -p arm-pmu-core -C --lib", "takes hours, and needs a program of others"),
    ("cargo install cargo-mutants --locked", "the same"),
    (
        "sh hits.sh start; ./work; sh hits.sh stop",
        "needs a ZynqMP; the bench runs the recipe of an MMU-600",
    ),
];

/// Documents with blocks of `text`, and the step that compares them; `None` if they are no output.
const OUTPUTS: [(&str, Option<&str>); 3] = [
    ("ARCHITECTURE.md", None),
    ("RELEASING.md", Some("packages, unpacked")),
    ("starting-point/README.md", Some(COPIED)),
];

/// The documents whose blocks for a board the Linux bench reads, beside the guides.
const ON_BENCH: &str = "crates/arm-pmu-cli/README.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn guides() -> Vec<(String, String)> {
    let files = fs::read_dir(root().join("guides")).expect("guides").map_while(Result::ok);
    let mut guides: Vec<_> = files
        .map(|file| {
            let text = fs::read_to_string(file.path()).expect("a guide");
            (file.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    guides.sort();
    assert!(guides.len() >= 8, "{}", guides.len());
    guides
}

/// The kind of each block, and its lines.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        // Those of a list are indented.
        match line.trim_start().strip_prefix("```") {
            Some(kind) if !inside => {
                blocks.push((kind, Vec::new()));
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => blocks.last_mut().expect("a block").1.push(line),
            None => {}
        }
    }
    assert!(!inside);
    blocks
}

/// `UPDATE_GUIDES=1 cargo test -p arm-pmu-cli --test guides` stores the outputs.
#[test]
fn the_guides_have_the_outputs_of_their_commands() {
    let mut commands = 0;
    for (name, stored) in guides() {
        let made = with_outputs(&stored);
        if std::env::var_os("UPDATE_GUIDES").is_some() {
            fs::write(root().join("guides").join(&name), &made).expect("a guide");
            continue;
        }
        for (stored, made) in stored.lines().zip(made.lines()) {
            assert_eq!(stored, made, "{name}: UPDATE_GUIDES=1 stores the new output");
        }
        assert_eq!(stored.lines().count(), made.lines().count(), "{name}");
        assert!(!stored.contains("arm-pmu: "), "{name}: a command failed");
        commands += stored.matches("\n$ arm-pmu ").count();
    }
    assert!(commands >= 12 || std::env::var_os("UPDATE_GUIDES").is_some(), "{commands}");
}

/// The documents that a user or a contributor reads: their paths, and their texts.
fn documents() -> Vec<(String, String)> {
    let mut documents = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let files = fs::read_dir(root().join(&folder)).expect("a folder").map_while(Result::ok);
        for file in files {
            let name = file.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            // What is built; skeletons; how recordings were made, which stands beside them.
            if name.starts_with('.')
                || ["target", "template", "perf", "runs"].contains(&name.as_str())
            {
                continue;
            }
            let kind = file.file_type().expect("a kind");
            // The pages of crates are their READMEs.
            if kind.is_dir() && name != "src" {
                folders.push(path);
            } else if name.ends_with(".md") && !name.starts_with("CHANGELOG") && kind.is_file() {
                let text = fs::read_to_string(root().join(&path)).expect("a document");
                documents.push((path.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    documents.sort();
    assert!(documents.len() >= 40, "{}", documents.len());
    documents
}

/// A line without what stands behind it for the reader.
fn without_remark(line: &str) -> &str {
    line.split(" #").next().unwrap_or_default().trim()
}

/// Whether a line selects steps of CI by a part of their names.
fn is_step(line: &str, steps: &str) -> bool {
    let Some(part) = line.strip_prefix("cargo xtask ci ") else { return false };
    let in_ci = steps.split("const ON_REQUEST").next().unwrap_or_default();
    let names = in_ci.lines().filter_map(|line| line.trim().strip_prefix("(\"")?.split('"').next());
    names.into_iter().any(|name| name.contains(part.trim_matches('"')))
}

/// Whether a line is of Cargo and runs an example. The step "examples" runs those of all crates.
fn is_example(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("cargo run -p ") else { return false };
    let Some((package, example)) = rest.split_once(" --example ") else { return false };
    let place = root().join("crates").join(package).join("examples").join(example);
    place.with_extension("rs").is_file() || place.join("main.rs").is_file()
}

/// What `cargo run -p arm-pmu-cli -- ` and `arm-pmu ` begin, as a line of a shell.
fn of_the_command(line: &str) -> Option<String> {
    if let Some(own) = line.strip_prefix("cargo run -p arm-pmu-cli -- ") {
        return Some(format!("arm-pmu {own}"));
    }
    let is_own = line.starts_with("arm-pmu ") || line.starts_with("source <(arm-pmu ");
    is_own.then(|| line.to_owned())
}

fn is_known(line: &str) -> bool {
    let all = || STEPS.iter().chain(NOT_IN_CI);
    all().any(|(known, _)| *known == line) || is_example(line)
}

/// Whether a line adds or installs packages of ours, with features that they have. It needs the published package.
fn can_be_added(line: &str) -> bool {
    let words = line.strip_prefix("cargo add ").or_else(|| line.strip_prefix("cargo install "));
    let Some(words) = words else { return false };
    let words = words.strip_prefix("--dev ").unwrap_or(words);
    let words = words.strip_prefix("--path arm-pmu/crates/").unwrap_or(words);
    let (names, features) = words.split_once(" --features ").unwrap_or((words, ""));
    let features = || features.split(',').filter(|feature| !feature.is_empty());
    names.split(' ').all(|name| {
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap_or_default();
        let has = |feature| manifest.lines().any(|line| line.starts_with(&format!("{feature} =")));
        manifest.contains(&format!("\nname = \"{name}\"\n")) && features().all(has)
    })
}

#[test]
fn every_other_command_is_run_by_a_step() {
    let steps = fs::read_to_string(root().join("xtask/src/verify/ci/mod.rs")).expect("the steps");
    let outputs = OUTPUTS.iter().filter_map(|(name, step)| Some((*name, (*step)?)));
    // Both take all lines of their document.
    let whole = [("starting-point/README.md", COPIED), ("guides/c.md", "the first steps in C")];
    for (line, step) in STEPS.iter().copied().chain(outputs).chain(whole) {
        assert!(steps.contains(&format!("(\"{step}\"")), "{line}: there is no step {step}");
    }
    let mut used = Vec::new();
    let mut problems = Vec::new();
    for (name, text) in documents() {
        let is_guide = name.starts_with("guides/");
        for (kind, lines) in blocks(&text) {
            match kind {
                "console" => {
                    // Nothing stands there that is not made.
                    assert!(
                        lines.first().is_some_and(|line| line.starts_with("$ arm-pmu ")),
                        "{name}: {lines:?}"
                    );
                    assert!(is_guide || name == ON_BENCH, "{name}: no test compares this");
                }
                "sh" => {
                    for line in lines.into_iter().map(|line| without_remark(line.trim_start())) {
                        let is_run = line.is_empty()
                            || is_step(line, &steps)
                            || name == "guides/c.md"
                            || is_known(line)
                            || of_the_command(line).is_some() && !needs_a_board(line)
                            || can_be_added(line)
                            // `cargo xtask ci "a release"` checks what these write.
                            || name == "RELEASING.md" && line.starts_with("sed -i ")
                            || name == "starting-point/README.md";
                        if !is_run {
                            problems.push(format!("{name}: `{line}` is run by no step"));
                        }
                        used.push(line.to_owned());
                    }
                }
                "sh board" | "console board" => {
                    assert!(is_guide || name == ON_BENCH, "{name}: the bench does not read this");
                    let is_whole = kind == "sh board"
                        || lines.first().is_some_and(|line| line.starts_with("$ "));
                    assert!(is_whole, "{name}: {lines:?}");
                }
                "text" => {
                    let is_known = OUTPUTS.iter().any(|(of, _)| *of == name);
                    assert!(is_known, "{name}: no step compares\n{}", lines.join("\n"));
                }
                "rust" if is_guide => assert!(
                    is_compiled(&lines),
                    "{name}: no page or example has\n{}",
                    lines.join("\n")
                ),
                // The pages of crates, whose examples are tests.
                kind if kind.starts_with("rust") && name.starts_with("crates/") => {}
                // The step "the oldest compiler" takes it from there.
                "rust,no_run" if name == "README.md" => {}
                // Cases of the language, which a test of arm-pmu-spec or xtask reads.
                "yaml" if name == "specs/README.md" => {}
                "c" if is_guide => assert!(
                    is_in_a_program(&lines),
                    "{name}: no program of a step has\n{}",
                    lines.join("\n")
                ),
                // The step applies it to the copy, and runs that.
                "diff" if name == "guides/zynqmp-firmware.md" => {}
                _ => panic!("{name}: a block of `{kind}`"),
            }
        }
        for code in between_words(&text) {
            let count = code.split(' ').count();
            let first = code.split(' ').next().unwrap_or_default();
            let is_command = match first {
                "cargo" => count > 2,
                "sh" | ".ci/run" => true,
                _ => code.contains("=") && code.contains(" cargo "),
            };
            // Something that the reader fills in, or another's registry.
            if !is_command || code.contains('<') || code.ends_with(" ..") {
                continue;
            }
            let is_run = is_known(&code)
                || is_step(&code, &steps)
                || of_the_command(&code).is_some()
                || can_be_added(&code)
                || name == "starting-point/README.md" && is_of_starting_point(&code);
            if !is_run {
                problems.push(format!("{name}: `{code}` is run by no step"));
            }
            used.push(code);
        }
    }
    // No row is left behind.
    for (line, _) in STEPS.iter().chain(NOT_IN_CI) {
        if !used.iter().any(|used| used == line) {
            problems.push(format!("no document has `{line}`"));
        }
    }
    assert!(
        problems.is_empty(),
        "{}; see the head of this file",
        problems.join(
            "
"
        )
    );
}

/// What stands between backticks in sentences, without the lines that it is broken into.
fn between_words(text: &str) -> Vec<String> {
    let parts = text.split("```").step_by(2);
    let code = parts.flat_map(|part| part.split('`').skip(1).step_by(2));
    code.map(|code| code.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Commands of its sentences stand in its blocks too, which the step runs.
fn is_of_starting_point(code: &str) -> bool {
    let text = fs::read_to_string(root().join("starting-point/README.md")).expect("a README");
    let mut blocks = blocks(&text).into_iter().filter(|(kind, _)| *kind == "sh");
    blocks.any(|(_, lines)| lines.into_iter().any(|line| without_remark(line).starts_with(code)))
}

/// Counting needs a PMU and its driver.
fn needs_a_board(line: &str) -> bool {
    ["arm-pmu stat ", "arm-pmu check", "arm-pmu doctor --live"]
        .iter()
        .any(|counting| line.starts_with(counting))
}

/// The lines of the command in `sh` and in sentences run here, each in a directory with the files that it names.
#[test]
fn the_command_runs_what_is_said_between_words() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("between-words");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("bin")).expect("a directory");
    let command = program::command();
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| format!("'{}'", word.to_string_lossy()))
        .collect();
    let own = directory.join("bin/arm-pmu");
    fs::write(&own, format!("#!/bin/sh\nexec {} \"$@\"\n", words.join(" "))).expect("a script");
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", own.parent().expect("a directory").display());
    let chmod = Command::new("chmod").arg("755").arg(&own).status();
    if !chmod.is_ok_and(|status| status.success()) {
        return; // no shell, as on Windows
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    fs::create_dir_all(directory.join("specs/platforms")).expect("a directory");
    fs::copy(tests.join("trees/clusters.dtb"), directory.join("board.dtb")).expect("a tree");
    let mut lines = 0;
    for (name, text) in documents() {
        // The step of C runs its lines.
        if name == "guides/c.md" {
            continue;
        }
        let of_blocks = blocks(&text).into_iter().filter(|(kind, _)| *kind == "sh");
        let of_blocks =
            of_blocks.flat_map(|(_, lines)| lines).map(|line| without_remark(line).to_owned());
        let all: Vec<String> = of_blocks.chain(between_words(&text)).collect();
        for line in all.iter().filter_map(|line| of_the_command(line)) {
            // The name of a command, and what a reader fills in. On the bench, lines that count have blocks.
            let is_name = line.split(' ').count() < 3 && !line.starts_with("source ");
            if is_name || needs_a_board(&line) || line.contains("<ip>") || line.ends_with("..") {
                continue;
            }
            let shell = match &line {
                line if line.contains("<(") => "bash",
                line if line.ends_with("| source") => "fish",
                _ => "sh",
            };
            let mut run = Command::new(shell);
            run.args(["-c", &line])
                .current_dir(&directory)
                .env("PATH", &path)
                .env("HOME", &directory);
            let Ok(output) = run.output() else {
                assert!(std::env::var_os("CI").is_none(), "there is no {shell}");
                eprintln!("skipped: there is no {shell} for `{line}`");
                continue;
            };
            let error = String::from_utf8_lossy(&output.stderr);
            // A warning is no failure, but a shell's word about a command is, and what was written has to be there.
            let is_good = output.status.success() && !error.contains("not found");
            assert!(is_good, "{name}: `{line}`: {} {error}", output.status);
            if let Some((_, file)) = line.split_once(" > ") {
                let length = fs::metadata(directory.join(file)).expect("a file").len();
                assert!(length > 100, "{name}: `{line}` wrote {length} bytes");
            }
            lines += 1;
        }
    }
    assert!(lines >= 10, "{lines}");
}

/// Lines of C stand in the program that a step compiles and runs.
fn is_in_a_program(lines: &[&str]) -> bool {
    let program = fs::read_to_string(root().join("xtask/first-steps/image.c")).expect("a program");
    let program: Vec<_> = program.lines().collect();
    program.windows(lines.len()).any(|window| window == lines)
}

/// Whether all lines stand one after the other in the first page of a crate, whose examples are tests, or in an example.
fn is_compiled(lines: &[&str]) -> bool {
    let crates = fs::read_dir(root().join("crates")).expect("crates").map_while(Result::ok);
    let mut files = Vec::new();
    for one in crates {
        files.push(one.path().join("src/lib.md"));
        let examples = fs::read_dir(one.path().join("examples")).into_iter().flatten();
        let of_example = |file: fs::DirEntry| match file.path() {
            path if path.is_dir() => path.join("main.rs"),
            path => path,
        };
        files.extend(examples.map_while(Result::ok).map(of_example));
    }
    let wanted: Vec<_> =
        lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).any(|text| {
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.windows(wanted.len()).any(|window| window == wanted)
    })
}

#[test]
fn a_guide_is_a_page_and_its_links_lead_to_files() {
    let all = guides();
    let (_, list) = all.iter().find(|(name, _)| name == "README.md").expect("a list");
    for (name, text) in &all {
        assert!(text.is_ascii() && text.starts_with("# "), "{name}");
        assert!(text.lines().all(|line| line.len() <= 240), "{name}");
        let own: usize =
            text.split("```console").map(|part| part.split("```").last().unwrap_or("").len()).sum();
        assert!(own < 4_500, "{name}: {own} characters beside outputs are more than a page");
        assert!(text.len() < 9_000, "{name}: {} characters with outputs", text.len());
        assert!(
            name == "README.md" || list.contains(&format!("({name})")),
            "{name} is not in the list"
        );
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links {
            let file = link.split('#').next().unwrap_or_default();
            assert!(root().join("guides").join(file).is_file(), "{name}: {link}");
        }
    }
    let readme = fs::read_to_string(root().join("README.md")).expect("a README");
    assert!(readme.contains("](guides/README.md)"), "README.md does not link to the guides");
}
