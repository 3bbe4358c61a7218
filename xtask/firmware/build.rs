//! Links each image with the linker script of its machine.

use std::env;

const IMAGES: [(&str, &str); 6] = [
    ("arm11", "versatilepb"),
    ("armv7", "realview"),
    ("cortex_a7", "virt"),
    ("cortex_a9_secure", "vexpress"),
    ("cost", "realview"),
    ("pmuv3", "virt"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=link");
    // With an operating system, no linker script is needed.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        let here = env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
        let is_aarch64 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "aarch64");
        for (image, machine) in IMAGES {
            // One image runs on two machines.
            let machine = if is_aarch64 { "virt" } else { machine };
            println!("cargo::rustc-link-arg-bin={image}=-L{here}/link");
            println!("cargo::rustc-link-arg-bin={image}=-T{machine}.ld");
        }
    }
}
