//! Builds for Arm targets without an operating system, so without `std`.

use std::path::Path;

use anyhow::Result;

use super::image::IMAGES;
use super::missing::or_skip;
use super::toolchain::Toolchain;
use crate::verify::crates::{self, FORMATS, Package};

/// Targets without an image. A CCI-550 is also in SoCs with RISC-V cores. The code of
/// `arm-pmu-core` for RISC-V is the same for cores of 32 and of 64 bits.
const LIBRARIES_ONLY: [&str; 1] = ["riscv64gc-unknown-none-elf"];

/// Checks the libraries for each target, and builds its images. Prints a missing toolchain; in CI, this is an
/// error.
///
/// # Errors
///
/// Returns an error if a crate does not compile; in CI, also if no toolchain can compile it.
pub fn build(root: &Path) -> Result<()> {
    build_for(root, IMAGES.iter().map(|image| image.target).chain(LIBRARIES_ONLY))
}

/// Builds for CI: only for the targets that images run on. For other targets, only the code of one bus differs.
///
/// # Errors
///
/// As [`build`].
pub fn check(root: &Path) -> Result<()> {
    build_for(root, IMAGES.iter().map(|image| image.target))
}

fn build_for(root: &Path, targets: impl Iterator<Item = &'static str>) -> Result<()> {
    let mut toolchains: Vec<Toolchain> = Vec::new();
    for target in targets {
        if toolchains.iter().any(|toolchain| toolchain.target() == target) {
            continue;
        }
        toolchains.extend(or_skip(target, Toolchain::bare_metal(root, target))?);
    }
    libraries(root, &toolchains)?;
    for toolchain in &toolchains {
        for image in IMAGES.iter().filter(|image| image.target == toolchain.target()) {
            image.build(root, toolchain)?;
            outln!("{}: image {}", toolchain.target(), image.name);
        }
    }
    Ok(())
}

/// Runs `cargo check` with the format features: the core crate on the first target, which has the fewest instructions,
/// and each crate on the last target. Each crate is checked alone, because an optional feature may depend on code that
/// another crate enables. On the first target, a dependency must not need `std` or atomic exchange. Without the format
/// features, the crates need no check here, because the image of the AArch64 cores includes all of them.
fn libraries(root: &Path, toolchains: &[Toolchain]) -> Result<()> {
    let (Some(first), Some(last)) = (toolchains.first(), toolchains.last()) else { return Ok(()) };
    let formats = FORMATS.join(",");
    // Use the same options as for the images, so that crates of macros are built only once.
    let check = |toolchain: &Toolchain, name: &str| {
        let arguments = ["--release", "--features", &formats, "--package", name];
        toolchain.cargo(root, "check", &arguments).run()
    };
    check(first, "arm-pmu-core")?;
    let crates = crates::without_repeated(root, crates::on_target(root)?)?;
    let has_formats = |package: &&Package| {
        let has = |format: &&str| package.features.contains_key(*format);
        crates.contains(&package.name) && FORMATS.iter().all(has)
    };
    let packages = crates::packages(root)?;
    packages.iter().filter(has_formats).try_for_each(|one| check(last, &one.name))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn only_the_core_depends_on_the_target() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in crates::on_target(&root).expect("specs") {
            let mut found = Vec::new();
            find(&root.join("crates").join(&name).join("src"), &mut found);
            assert_eq!(found.is_empty(), name != "arm-pmu-core", "{name}: {found:?}");
        }
    }

    fn find(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                find(&path, found);
            } else if fs::read_to_string(&path).expect("text").contains("target_") {
                found.push(path);
            }
        }
    }
}
