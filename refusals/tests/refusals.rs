//! Compares the compiler's message for each mistake. `cargo xtask store` stores the messages.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// Version of the compiler whose messages are stored.
const COMPILER: &str = "1.95.0";

#[test]
#[ignore = "builds a second workspace; `cargo xtask ci` runs this test"]
fn messages_match_the_stored_ones() {
    check_orphans();
    let found = compiler();
    if found.as_deref() == Some(COMPILER) {
        let cases = trybuild::TestCases::new();
        // The compiler finds some mistakes only when it generates code, and trybuild generates code only if a program
        // must run.
        cases.pass("legal.rs");
        cases.compile_fail("tests/*/*.rs");
    } else {
        // The test harness would hide the output of `eprintln!`.
        let found = found.as_deref().unwrap_or("unknown");
        let _ = writeln!(
            io::stderr(),
            "skipped: the messages are for rustc {COMPILER}, this is rustc {found}"
        );
    }
}

/// Fails if a stored message has no program.
fn check_orphans() {
    let folders = fs::read_dir("tests").expect("tests").map_while(Result::ok);
    let files = folders.filter_map(|folder| fs::read_dir(folder.path()).ok()).flatten();
    let mut files: Vec<PathBuf> = files.map_while(Result::ok).map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "stderr"));
    assert!(!files.is_empty());
    for file in files {
        assert!(file.with_extension("rs").exists(), "{} has no program", file.display());
    }
}

/// Version of the compiler that trybuild uses.
fn compiler() -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().ok()?;
    // The text is, for example, "rustc 1.95.0 (59807616e 2026-04-14)".
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().nth(1).map(str::to_owned)
}
