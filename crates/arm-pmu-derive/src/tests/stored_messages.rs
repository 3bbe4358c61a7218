//! Compares the messages with those stored for `tests/ui.rs`.
//!
//! This works with any compiler: the texts and the order of the derive's own messages do not depend on it.

use std::fs;
use std::path::Path;

use crate::problems;
use crate::syntax::Definition;

/// Returns the input of the derive in a source file.
fn input(source: &str) -> Definition {
    let start = source.find("#[derive(").expect("a derive");
    let length = source[start..].find("\n\n").expect("an empty line after the enum");
    syn::parse_str(&source[start..start + length]).expect("an item")
}

fn messages(input: Definition) -> Vec<String> {
    match crate::input::parse(input) {
        Ok(_) => Vec::new(),
        Err(refused) => problems::messages(refused.errors),
    }
}

#[test]
fn stored_messages() {
    let fail = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/fail");
    if !fail.is_dir() {
        // A package has no such cases. In the repository `tests/ui.rs` needs them.
        return;
    }
    let mut cases = 0;
    for entry in fs::read_dir(fail).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            if source.contains("macro_rules!") {
                // The input of the derive is not in the source.
                continue;
            }
            let stored = fs::read_to_string(path.with_extension("stderr")).unwrap();
            // The compiler's own messages have a number: "error[E0277]: ".
            let stored: Vec<_> =
                stored.lines().filter_map(|line| line.strip_prefix("error: ")).collect();
            assert_eq!(messages(input(&source)), stored, "{}", path.display());
            cases += 1;
        }
    }
    assert!(cases > 60);
}
