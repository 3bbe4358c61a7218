//! Compares the platforms with the device trees in Debian's kernel packages.

use std::path::Path;

use anyhow::Result;

use super::packages;
use super::system::{ARM64, ARMHF, System};
use crate::command::cargo;

/// Packages with the device trees of all boards. The kernel of the 64-bit guest comes with few device trees, and
/// Debian 12's own kernel has none for the RK3588 and the Raspberry Pi 5.
const KERNELS: [System; 2] = [
    System { packages: &["linux-image-arm64"], ..ARM64 },
    System { packages: &["linux-image-armmp"], ..ARMHF },
];

/// # Errors
///
/// Returns an error if the packages cannot be downloaded, or if a device tree differs from its platform.
pub fn compare(root: &Path) -> Result<()> {
    for system in &KERNELS {
        let folder = root.join("target/linux").join(format!("trees-{}", system.architecture));
        let trees = packages::unpacked(&folder, true, system)?.join("usr/lib");
        let test = ["test", "--package", "arm-pmu-cli", "--lib", "device_trees"];
        let options = ["--", "--ignored", "--nocapture"];
        let test = cargo(root, &[&test[..], &options].concat());
        test.env("ARM_PMU_TREES", trees).run()?;
    }
    Ok(())
}
