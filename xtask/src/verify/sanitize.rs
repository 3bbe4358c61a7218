//! `cargo xtask sanitize`: the tests in which a bus reaches memory, watched by AddressSanitizer.
//!
//! Miri finds more, because it checks provenance, but needs a nightly toolchain. An access of
//! a bus that misses its block of memory is found by this too; that the addresses are made of exposed
//! pointers is for readers of `mmio.rs` to see.

use std::path::Path;

use anyhow::{Context, Result};

use crate::command::{cargo, output};

/// The packages with such tests, and which of their tests.
const TESTS: [&[&str]; 2] = [
    &["--package", "arm-pmu-core", "--lib"],
    &["--package", "firmware", "--test", "memory_mapped"],
];

/// # Errors
///
/// If a test fails, or the compiler has no sanitizer for this host.
pub fn run(root: &Path) -> Result<()> {
    let version = output("rustc", &["-vV"]).context("there is no rustc")?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not tell its host")?;
    for tests in TESTS {
        // With a target of its own, build scripts and macros are not sanitized.
        let arguments = [&["test", "--target", host][..], tests].concat();
        cargo(root, &arguments)
            // Sanitizers are no stable feature of a stable compiler.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "-Zsanitizer=address")
            .env("CARGO_TARGET_DIR", root.join("target/sanitize"))
            .run()?;
    }
    Ok(())
}
