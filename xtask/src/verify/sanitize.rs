//! `cargo xtask sanitize`: the tests in which a bus accesses memory, with AddressSanitizer.
//!
//! Miri finds more, because it checks provenance, but needs a nightly toolchain. AddressSanitizer finds an access
//! of a bus outside its block of memory. It does not check that addresses are made from exposed
//! pointers: see `mmio.rs`.

use std::path::Path;

use anyhow::{Context, Result};

use crate::command::{cargo, host, output};

/// The packages with such tests, and the tests.
const TESTS: [&[&str]; 2] = [
    &["--package", "arm-pmu-core", "--lib"],
    &["--package", "firmware", "--test", "memory_mapped"],
];

/// # Errors
///
/// If a test fails, or the compiler has no sanitizer for this host.
pub fn run(root: &Path) -> Result<()> {
    let version = output("rustc", &["-vV"]).context("there is no rustc")?;
    let host = host(&version).context("rustc does not tell its host")?;
    for tests in TESTS {
        // With a target of its own, build scripts and macros are not sanitized.
        let arguments = [&["test", "--target", host][..], tests].concat();
        cargo(root, &arguments)
            // A stable compiler accepts the unstable option of the sanitizer with this variable.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "-Zsanitizer=address")
            .env("CARGO_TARGET_DIR", root.join("target/sanitize"))
            .run()?;
    }
    Ok(())
}
