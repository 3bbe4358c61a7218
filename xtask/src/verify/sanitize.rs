//! `cargo xtask sanitize`: the tests with accesses to memory, under AddressSanitizer.
//!
//! Miri finds more, because it checks provenance, but needs a nightly toolchain. AddressSanitizer finds an access
//! of a bus outside its block of memory. It does not check that addresses are made from exposed
//! pointers: see `mmio.rs`.

use std::path::Path;

use anyhow::{Context, Result};

use crate::command::{cargo, host, output};

/// # Errors
///
/// If a test fails, or the compiler has no sanitizer for this host.
pub fn run(root: &Path) -> Result<()> {
    let version = output("rustc", &["-vV"]).context("there is no rustc")?;
    let host = host(&version).context("rustc does not tell its host")?;
    // With a separate target, build scripts and macros are not sanitized.
    cargo(root, &["test", "--target", host, "--package", "arm-pmu-core", "--lib"])
        // A stable compiler accepts the unstable option of the sanitizer with this variable.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("CARGO_TARGET_DIR", root.join("target/sanitize"))
        .run()
}
