//! Links the program with the starting point's `link.ld`.

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    println!("cargo::rerun-if-changed=../link.ld");
    println!("cargo::rustc-link-arg-bins=-T{here}/../link.ld");
}
