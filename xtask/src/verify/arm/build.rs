//! Builds for Arm targets without an operating system, so without `std`.

use std::path::Path;

use anyhow::Result;

use super::image::IMAGES;
use super::missing::skip;
use super::toolchain::Toolchain;
use crate::generate::load;
use crate::output::outln;
use crate::verify::crates::FORMATS;

/// The crates that run on target, beside those of IPs and architectures.
const COMMON: [&str; 2] = ["arm-pmu", "arm-pmu-core"];

/// Targets that no image runs on. A CCI-550 is also in SoCs with RISC-V cores.
const LIBRARIES_ONLY: [&str; 2] = ["riscv64gc-unknown-none-elf", "riscv32imac-unknown-none-elf"];

/// Builds the libraries for each target, and its images. Without a toolchain it says what is missing;
/// in CI that fails.
///
/// # Errors
///
/// If a crate does not build, or in CI nothing could build it.
pub fn build(root: &Path) -> Result<()> {
    let of_specs = load::crates(root)?;
    let crates: Vec<_> = COMMON.into_iter().chain(of_specs.iter().map(String::as_str)).collect();
    let packages: Vec<_> = crates.iter().flat_map(|name| ["--package", name]).collect();
    let libraries = |toolchain: &Toolchain| {
        toolchain.cargo(root, "build", &packages).run()?;
        let formats = FORMATS.join(",");
        let with_formats = [&packages[..], &["--features", &formats]].concat();
        // Not only checked, for which `core` would be checked as well.
        toolchain.cargo(root, "build", &with_formats).run()
    };
    for image in &IMAGES {
        match Toolchain::bare_metal(image.target) {
            Ok(toolchain) => {
                libraries(&toolchain)?;
                image.build(root, &toolchain)?;
                outln!("{}: {}, image {}", image.target, crates.join(", "), image.name);
            }
            Err(missing) => skip(image.target, &missing)?,
        }
    }
    for target in LIBRARIES_ONLY {
        match Toolchain::bare_metal(target) {
            Ok(toolchain) => {
                libraries(&toolchain)?;
                outln!("{target}: {}", crates.join(", "));
            }
            Err(missing) => skip(target, &missing)?,
        }
    }
    Ok(())
}
