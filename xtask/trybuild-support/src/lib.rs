//! Tests of what the compiler says, which is the same for one version of the compiler only.
#![cfg(not(arm_pmu_emulated))]

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use trybuild::TestCases;

/// The compiler whose messages are stored. After a change of it, or of a case:
/// `TRYBUILD=overwrite cargo test --test ui -- --ignored`, and read what changed.
const COMPILER: &str = "1.95.0";

/// Compiles `<directory>/pass/*.rs`, and holds the errors of `<directory>/fail/*.rs` against the
/// `.stderr` beside each, if the compiler is the one that they belong to. Elsewhere, says so and
/// returns.
///
/// # Panics
///
/// If a message differs, a case that should compile does not, or a stored message has no case.
pub fn run(directory: &str) {
    check_orphans(&Path::new(directory).join("fail"));
    let found = compiler();
    if found.as_deref() == Some(COMPILER) {
        let cases = TestCases::new();
        cases.pass(format!("{directory}/pass/*.rs"));
        cases.compile_fail(format!("{directory}/fail/*.rs"));
    } else {
        let found = found.as_deref().unwrap_or("unknown");
        // Not `eprintln!`: the test harness would swallow it.
        let _ = writeln!(
            io::stderr(),
            "skipped {directory}: the messages are those of rustc {COMPILER}, this is rustc {found}",
        );
    }
}

/// A stored message without its case would never be compared.
fn check_orphans(fail: &Path) {
    for entry in fs::read_dir(fail).expect("the directory of failing cases can be read") {
        let path = entry.expect("its entries can be read").path();
        assert!(
            path.extension() != Some(OsStr::new("stderr")) || path.with_extension("rs").exists(),
            "{} belongs to no case: remove it",
            path.display(),
        );
    }
}

/// Compiles the example in the README of the workspace, which no package has.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct WorkspaceReadme;

/// The version of the compiler that trybuild will use.
fn compiler() -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().ok()?;
    // "rustc 1.95.0 (59807616e 2026-04-14)"
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().nth(1).map(str::to_owned)
}
