//! Programs that do not compile: `tests/<crate>/<mistake>.rs`, each with the compiler's message beside it.

/// The example in the README of the workspace, which no package has.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct WorkspaceReadme;
