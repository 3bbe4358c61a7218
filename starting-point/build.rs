//! Links the program with `link.ld`.

use std::env;

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    println!("cargo::rerun-if-changed=link.ld");
    println!("cargo::rustc-link-arg-bins=-T{here}/link.ld");
}
