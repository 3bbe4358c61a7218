//! `cargo xtask sanitize`: runs the tests that access memory under AddressSanitizer.
//!
//! Miri would find more, because it checks provenance, but needs a nightly toolchain. AddressSanitizer finds
//! accesses of a bus outside its block of memory. AddressSanitizer does not check that addresses come from
//! exposed pointers: see `mmio.rs`.

use std::path::Path;

use anyhow::{Context, Result};

use crate::command::{cargo, host, output};

/// # Errors
///
/// Returns an error if a test fails, or if the compiler has no sanitizer for this host.
pub fn run(root: &Path) -> Result<()> {
    let version = output("rustc", &["-vV"]).context("there is no rustc")?;
    let host = host(&version).context("rustc does not tell its host")?;
    // With a separate target, build scripts and macros are not sanitized.
    cargo(root, &["test", "--target", host, "--package", "arm-pmu-core", "--lib"])
        // With this variable, a stable compiler accepts the unstable option of the sanitizer.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("CARGO_TARGET_DIR", root.join("target/sanitize"))
        .run()
}
