//! Builds for Arm targets without an operating system, so without `std`.

use std::path::Path;

use anyhow::Result;

use super::image::IMAGES;
use super::missing::skip;
use super::toolchain::Toolchain;
use crate::ci::FORMATS;
use crate::load;
use crate::output::outln;

/// The crates that run on target, beside those of IPs and architectures.
const COMMON: [&str; 2] = ["arm-pmu", "arm-pmu-core"];

/// Builds the libraries and the image for each target. Without a toolchain it says what is missing;
/// in CI that fails.
///
/// # Errors
///
/// If a crate does not build, or in CI nothing could build it.
pub fn build(root: &Path) -> Result<()> {
    let of_specs = load::crates(root)?;
    let crates: Vec<_> = COMMON.into_iter().chain(of_specs.iter().map(String::as_str)).collect();
    let packages: Vec<_> = crates.iter().flat_map(|name| ["--package", name]).collect();
    for image in &IMAGES {
        match Toolchain::bare_metal(image.target) {
            Ok(toolchain) => {
                toolchain.cargo(root, "build", &packages).run()?;
                let formats = FORMATS.join(",");
                let with_formats = [&packages[..], &["--features", &formats]].concat();
                toolchain.cargo(root, "check", &with_formats).run()?;
                image.build(root, &toolchain)?;
                outln!("{}: {}, image {}", image.target, crates.join(", "), image.name);
            }
            Err(missing) => skip(image.target, &missing)?,
        }
    }
    Ok(())
}
