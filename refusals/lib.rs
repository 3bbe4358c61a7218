//! Programs with mistakes, in `tests/<crate>/<mistake>.rs`, each with the compiler's message.

/// Tests the example in the workspace's README, because no package includes that README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct WorkspaceReadme;
