//! Messages of the compiler about each mistake.

#[test]
#[ignore = "builds a second workspace: a step of `cargo xtask ci`"]
fn ui() {
    trybuild_support::run("tests/ui");
}
