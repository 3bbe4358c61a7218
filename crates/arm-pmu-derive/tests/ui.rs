//! What the compiler says about each mistake. After a change: `TRYBUILD=overwrite cargo test`.

mod trybuild_support;

/// The compiler whose messages are stored.
const COMPILER: &str = "1.95.0";

#[test]
fn ui() {
    trybuild_support::run("tests/ui", COMPILER);
}
