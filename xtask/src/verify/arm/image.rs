//! Test images, and the machines that run them.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::toolchain::Toolchain;

/// A program of `xtask/firmware`, built in the release profile as by users.
pub struct Image {
    pub name: &'static str,
    pub target: &'static str,
    /// One instruction takes 2^`shift` nanoseconds of the machine's time.
    pub shift: u8,
    pub emulator: &'static str,
    /// Boards and cores of the emulator.
    pub machines: &'static [(&'static str, &'static str)],
}

impl Image {
    const ARM: Self = Self {
        name: "",
        target: "armv7a-none-eabi",
        shift: 0,
        emulator: "qemu-system-arm",
        machines: &[],
    };
    const AARCH64: Self =
        Self { target: "aarch64-unknown-none", emulator: "qemu-system-aarch64", ..Self::ARM };

    /// Builds the image, and returns its path.
    ///
    /// # Errors
    ///
    /// Returns an error if the image does not build.
    pub fn build(&self, root: &Path, toolchain: &Toolchain) -> Result<PathBuf> {
        let arguments = ["--release", "--package", "firmware", "--bin", self.name];
        toolchain.cargo(root, "build", &arguments).run()?;
        Ok(toolchain.program(root, "release", self.name))
    }
}

/// In these images, an instruction takes longer than a period of the clock that measures it.
const COST: u8 = 10;

/// Boards that start at EL1, EL2 and EL3, the last also with EL2.
const EL1: &str = "virt";
const EL2: &str = "virt,virtualization=on";
const EL3: &str = "virt,secure=on";
const EL3_AND_EL2: &str = "virt,secure=on,virtualization=on";

pub const IMAGES: [Image; 7] = [
    Image {
        name: "arm11",
        target: "armv6-none-eabi",
        machines: &[("versatilepb", "arm1136"), ("versatilepb", "arm1176")],
        ..Image::ARM
    },
    Image { name: "cortex_a7", machines: &[("virt", "cortex-a7")], ..Image::ARM },
    Image {
        name: "armv7",
        machines: &[("realview-pb-a8", "cortex-a8"), ("realview-pbx-a9", "cortex-a9")],
        ..Image::ARM
    },
    Image { name: "cortex_a9_secure", machines: &[("vexpress-a9", "cortex-a9")], ..Image::ARM },
    Image { name: "cost", shift: COST, machines: &[("realview-pb-a8", "cortex-a8")], ..Image::ARM },
    Image { name: "cost", shift: COST, machines: &[(EL1, "cortex-a53")], ..Image::AARCH64 },
    Image {
        name: "pmuv3",
        machines: &[
            (EL1, "cortex-a53"),
            (EL2, "cortex-a53"),
            (EL3, "cortex-a53"),
            (EL3_AND_EL2, "cortex-a53"),
            (EL1, "cortex-a35"),
            (EL1, "cortex-a55"),
            (EL2, "cortex-a55"),
            (EL3, "cortex-a55"),
            (EL1, "cortex-a57"),
            (EL1, "cortex-a72"),
            (EL2, "cortex-a72"),
            (EL3, "cortex-a72"),
            (EL1, "cortex-a76"),
            (EL2, "cortex-a76"),
            (EL3, "cortex-a76"),
            (EL1, "neoverse-n1"),
            (EL3, "neoverse-n1"),
            (EL1, "neoverse-v1"),
            (EL2, "neoverse-v1"),
            (EL1, "neoverse-n2"),
            (EL2, "neoverse-n2"),
            (EL3, "neoverse-n2"),
            (EL1, "cortex-a710"),
            (EL3, "cortex-a710"),
            (EL1, "max"),
            (EL2, "max"),
            (EL3, "max"),
        ],
        ..Image::AARCH64
    },
];
