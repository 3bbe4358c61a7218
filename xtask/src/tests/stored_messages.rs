//! The stored mistakes in `tests/bad`, each with the messages that a user sees.
//! After an intended change, run `cargo xtask store xtask`, and read the difference.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use snapbox::{Data, assert_data_eq};

use super::{case, files, good, root};
use crate::generate::problem::Sources;

/// Each case under `tests/` with its name and its changed specs.
fn cases(directory: &str) -> Vec<(String, String, Sources)> {
    let entries = fs::read_dir(root().join("xtask/tests").join(directory)).expect("the cases");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a case").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("the text of a case");
        let mut sources = good::sources(case::ip(&text));
        if let Err(error) = case::apply(&text, &mut sources) {
            panic!("tests/{directory}/{name}.txt: {error}");
        }
        (name, text, sources)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn messages_match_the_stored_files() {
    let mut made = BTreeSet::new();
    for (name, text, sources) in cases("bad") {
        let (ip, mut problems) = good::load(&sources);
        made.extend(problems.iter().map(|p| (p.made.file().replace('\\', "/"), p.made.line())));
        let messages = case::stored(&good::render(&mut problems, &sources));
        let is_mistake = ip.is_none() && !problems.is_empty();
        assert!(is_mistake, "tests/bad/{name}.txt is no longer rejected");
        if messages != case::split(&text).1 {
            let stored = Data::read_from(&root().join("xtask/tests/bad").join(name + ".txt"), None);
            assert_data_eq!(case::with_messages(&text, &messages), stored.raw());
        }
    }
    let missing = without_a_case(&made);
    assert!(
        missing.is_empty(),
        "no case in tests/bad produces these messages:\n{}",
        missing.join("\n")
    );
}

/// Specs just within the limit of a rule, in `tests/accepted`, cause no message.
#[test]
fn specs_at_the_limits_have_no_message() {
    for (name, _, sources) in cases("accepted") {
        let (ip, mut problems) = good::load(&sources);
        let messages = good::render(&mut problems, &sources);
        assert!(ip.is_some() && problems.is_empty(), "tests/accepted/{name}.txt:\n{messages}");
    }
}

/// Line ends do not change a message or the place of its carets.
#[test]
fn messages_ignore_line_ends() {
    for (name, text, mut sources) in cases("bad") {
        for source in sources.all_mut() {
            source.text = source.text.take().map(|text| text.replace('\n', "\r\n"));
        }
        let (_, mut problems) = good::load(&sources);
        let messages = case::stored(&good::render(&mut problems, &sources));
        assert_eq!(messages, case::split(&text).1, "tests/bad/{name}.txt");
    }
}

/// Returns the lines of our sources that report a problem, but that no case reaches.
fn without_a_case(made: &BTreeSet<(String, u32)>) -> Vec<String> {
    let mut missing = Vec::new();
    let sources = ["xtask/src/generate", "crates/arm-pmu-spec/src"].map(|at| root().join(at));
    // The rules about platforms have separate cases.
    let of_platforms = sources[1].join("platform");
    let files = sources.iter().flat_map(|directory| files(directory, ".rs"));
    for path in files.filter(|path| !path.starts_with(&of_platforms)) {
        let text = fs::read_to_string(&path).expect("a source file");
        let relative =
            path.strip_prefix(root()).expect("our file").to_string_lossy().replace('\\', "/");
        for (number, line) in (1..).zip(text.lines()) {
            // A problem in a macro belongs to the line that uses the macro.
            let makes = match relative.as_str() {
                "crates/arm-pmu-spec/src/declare.rs" if line.contains("$crate::problem::") => false,
                _ => line.contains("report(") || line.starts_with("words! {"),
            };
            let is_made =
                made.iter().any(|(file, made)| file.ends_with(&relative) && *made == number);
            if makes && !is_made && !line.trim_start().starts_with("//") {
                missing.push(format!("{relative}:{number}: {}", line.trim()));
            }
        }
    }
    missing
}
