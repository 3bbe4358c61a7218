//! The guides: every command in them is run, here or by a step of `cargo xtask ci`.
//!
//! | block | who runs it |
//! |---|---|
//! | `console` | this test; it compares the output. `UPDATE_GUIDES=1` stores it |
//! | `sh board` | the Linux bench, as root in `/tmp`; each line has to end with 0 |
//! | `sh` | the step that stands beside the line in `STEPS` |
//! | `rust` | it stands in the page of a crate or in an example, which are compiled and run |

use std::fs;
use std::path::{Path, PathBuf};

mod outputs;
mod program;

use outputs::with_outputs;

/// Lines of `sh`, and the step of `cargo xtask ci` that runs the same.
const STEPS: [(&str, &str); 7] = [
    ("cargo xtask gen", "generated files"),
    ("cargo xtask new cci-600 --title \"CoreLink CCI-600\"", "a new IP"),
    ("cargo xtask new cci-600 --title \"CoreLink CCI-600\" --architecture cci5xx", "a new IP"),
    ("cargo run -p arm-pmu --example core_and_interconnect", "examples"),
    ("cargo run -p arm-pmu --example every_pmu", "examples"),
    ("cargo run -p arm-pmu --example two_pmus", "examples"),
    ("cargo run --bin check", "the starting point, copied"),
];

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
        match line.strip_prefix("```") {
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

#[test]
fn every_other_command_is_run_by_a_step() {
    let steps = fs::read_to_string(root().join("xtask/src/verify/ci/mod.rs")).expect("the steps");
    for (line, step) in STEPS {
        assert!(steps.contains(&format!("(\"{step}\"")), "{line}: there is no step {step}");
    }
    for (name, text) in guides() {
        for (kind, lines) in blocks(&text) {
            match kind {
                "console" => {
                    // Nothing stands there that is not made.
                    assert!(
                        lines.first().is_some_and(|line| line.starts_with("$ arm-pmu ")),
                        "{name}: {lines:?}"
                    );
                }
                "sh" => {
                    for line in lines {
                        let known = STEPS.iter().any(|(known, _)| *known == line);
                        assert!(
                            known,
                            "{name}: `{line}` is run by no step; see the head of this file"
                        );
                    }
                }
                // The Linux bench reads them too.
                "sh board" => assert!(
                    lines.iter().all(|line| line.starts_with("arm-pmu ")),
                    "{name}: {lines:?}"
                ),
                "rust" => assert!(
                    is_compiled(&lines),
                    "{name}: no page or example has\n{}",
                    lines.join("\n")
                ),
                _ => panic!("{name}: a block of `{kind}`"),
            }
        }
        // A command between words is not run. Options and names of commands may stand there.
        let prose: Vec<_> = text
            .split("```")
            .step_by(2)
            .flat_map(|part| part.split('`').skip(1).step_by(2))
            .collect();
        for code in prose {
            let first = code.split(' ').next().unwrap_or_default();
            let is_command = ["cargo", "arm-pmu"].contains(&first) && code.split(' ').count() > 2;
            let is_run = STEPS.iter().any(|(line, _)| *line == code) || IN_PROSE.contains(&code);
            assert!(!is_command || is_run, "{name}: `{code}` is run by no step");
        }
    }
}

/// Commands between words, which steps of `cargo xtask ci` run.
const IN_PROSE: [&str; 3] =
    ["cargo test -p arm-pmu-cli --test guides", "cargo xtask arm binaries", "cargo xtask site"];

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
