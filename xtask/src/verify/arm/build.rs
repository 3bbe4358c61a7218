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

/// Checks the libraries for each target, and builds its images. Without a toolchain it says what is missing;
/// in CI that fails.
///
/// # Errors
///
/// If a crate does not compile, or in CI nothing could compile it.
pub fn build(root: &Path) -> Result<()> {
    let of_specs = load::crates(root)?;
    let crates: Vec<_> = COMMON.into_iter().chain(of_specs.iter().map(String::as_str)).collect();
    let mut toolchains: Vec<Toolchain> = Vec::new();
    for target in IMAGES.iter().map(|image| image.target).chain(LIBRARIES_ONLY) {
        if toolchains.iter().any(|toolchain| toolchain.target() == target) {
            continue;
        }
        match Toolchain::bare_metal(target) {
            Ok(toolchain) => toolchains.push(toolchain),
            Err(missing) => skip(target, &missing)?,
        }
    }
    libraries(root, &toolchains, &crates)?;
    for toolchain in &toolchains {
        let images = IMAGES.iter().filter(|image| image.target == toolchain.target());
        let mut built = crates.join(", ");
        for image in images {
            image.build(root, toolchain)?;
            built += &format!(", image {}", image.name);
        }
        outln!("{}: {built}", toolchain.target());
    }
    Ok(())
}

/// Those with the same compiler are checked side by side: `core` alone does not keep all processors busy. What they
/// become is in the images.
fn libraries(root: &Path, toolchains: &[Toolchain], crates: &[&str]) -> Result<()> {
    let packages: Vec<_> = crates.iter().flat_map(|name| ["--package", name]).collect();
    let formats = FORMATS.join(",");
    for alike in toolchains.chunk_by(Toolchain::is_like) {
        let [first, others @ ..] = alike else { continue };
        let others: Vec<_> = others.iter().flat_map(|other| ["--target", other.target()]).collect();
        // Features add formats and nothing that depends on the target, so one target does without them.
        first.cargo(root, "check", &packages).run()?;
        let arguments = [&others[..], &packages[..], &["--features", &formats]].concat();
        first.cargo(root, "check", &arguments).run()?;
    }
    Ok(())
}
