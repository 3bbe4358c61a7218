//! Gives each image the linker script of its machine.

use std::env;

const IMAGES: [&str; 9] = [
    "cortex_a7",
    "cortex_a8",
    "cortex_a9",
    "cortex_a9_secure",
    "arm11",
    "cost",
    "every_core",
    "pmuv3",
    "instructions_per_cycle",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=link");
    // Where there is an operating system, it says how programs are linked.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        let here = env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
        let is_aarch64 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "aarch64");
        for image in IMAGES {
            // One image is for two machines.
            let script = if is_aarch64 && image == "cost" { "cost_aarch64" } else { image };
            println!("cargo::rustc-link-arg-bin={image}=-L{here}/link");
            println!("cargo::rustc-link-arg-bin={image}=-T{script}.ld");
        }
    }
}
