//! Reads the output of `arm-pmu export`, and JSON of the command, with other programs: validators of JSON Schema and XML
//! Schema, a CSV reader, an SVD reader, and svd2rust with a build of its crate. The test `export` of the
//! command runs the C compilers.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use svd2rust::config::{Config, Target};

use crate::command::{Program, cargo};
use crate::verify::arm::skip;
use crate::verify::built;

/// Python, with the packages that `.ci/run install` installs.
const PYTHON: &str = "target/python/bin/python";

/// PMUs of a made-up system, each with its address.
const SYSTEM: [&str; 5] = [
    "cci400@0xFD6E0000",
    "cci550@0x2A090000",
    "mmu600:tcu=SMMU@0x40000000",
    "mmu600:tbu@0x40040000",
    "mmu600:tbu@0x40080000",
];

pub fn run(root: &Path) -> Result<()> {
    let out = root.join("target/exports");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let directory = out.to_str().context("a path that is not UTF-8")?;
    let command = built::program(root, "arm-pmu")?;
    let export = |arguments: &[&str]| {
        let program = Program::new(&command);
        program.arguments(["export"]).arguments(arguments).arguments(["--out", directory]).run()
    };
    export(&["json"])?;
    export(&["csv"])?;
    export(&[&["svd", "--device", "SOC", "--cpu", "CA53"], &SYSTEM[..]].concat())?;
    let merged = out.join("SOC.svd");
    let merged = merged.to_str().context("a path that is not UTF-8")?;
    export(&["svd", "cci500@0x50000000", "--merge-into", merged])?;
    compiles(&out)?;
    let tools = [PYTHON, "/usr/bin/xmllint"];
    if let Some(missing) = tools.iter().find(|file| !root.join(file).exists()) {
        return skip("JSON, YAML and SVD", &format!("there is no {missing}: `.ci/run install`"));
    }
    let script = &root.join("xtask/src/verify/exports/read.py");
    Program::new(root.join(PYTHON)).arguments([script, root, &out, &command]).run()
}

/// Generates a crate from the SVD file with svd2rust, and compiles it.
fn compiles(out: &Path) -> Result<()> {
    let text = fs::read_to_string(out.join("SOC.svd"))?;
    let mut config = Config::default();
    config.target = Target::None;
    config.strict = true;
    let made = svd2rust::generate(&text, &config).context("svd2rust refuses the SVD file")?;
    let directory = out.join("soc");
    fs::create_dir_all(directory.join("src"))?;
    fs::write(directory.join("src/lib.rs"), made.lib_rs)?;
    let manifest = "[package]\nname = \"soc\"\nedition = \"2021\"\n\n[dependencies]\nvcell = \"0.1\"\n\n\
                    [features]\ncritical-section = []\nrt = []\n\n[workspace]\n";
    fs::write(directory.join("Cargo.toml"), manifest)?;
    let target = out.join("target");
    cargo(&directory, &["check", "--quiet"]).env("CARGO_TARGET_DIR", target).run()
}
