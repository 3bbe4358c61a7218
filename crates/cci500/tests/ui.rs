//! What the compiler says about each mistake.

#[test]
fn ui() {
    trybuild_support::run("tests/ui");
}
