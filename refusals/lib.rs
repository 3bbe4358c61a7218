//! Programs with mistakes, in `tests/<crate>/<mistake>.rs`, each with the compiler's message.

/// The example in the README of the workspace, which belongs to no package.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct WorkspaceReadme;
