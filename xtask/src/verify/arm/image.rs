//! Test images, and the machines that run them.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::toolchain::Toolchain;
use crate::command::output;

/// A program of `xtask/firmware`, built in the release profile, as users build theirs.
pub struct Image {
    pub name: &'static str,
    pub target: &'static str,
    /// One instruction takes 2^`shift` nanoseconds of the machine's time.
    pub shift: u8,
    pub emulator: &'static str,
    /// Boards and cores of the emulator; if empty, each 64-bit core at each Exception level.
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

    /// Boards and cores that the image runs on.
    pub fn machines(&self) -> Vec<(&'static str, String)> {
        if !self.machines.is_empty() {
            return self
                .machines
                .iter()
                .map(|(board, core)| (*board, (*core).to_owned()))
                .collect();
        }
        let cores = |emulator| output(emulator, &["-cpu", "help"]).unwrap_or_default();
        let (all, of_32_bits) = (cores(self.emulator), cores(Self::ARM.emulator));
        let is_known = |core: &&str| {
            let starts = ["cortex-a", "neoverse-"].iter().any(|start| core.starts_with(start));
            starts && !of_32_bits.split_whitespace().any(|one| one == *core)
        };
        let cores = all.split_whitespace().filter(is_known).chain(["max"]);
        let boards = [EL1].into_iter().chain(HIGHER);
        cores.flat_map(|core| boards.clone().map(|board| (board, core.to_owned()))).collect()
    }

    /// Builds the image, and returns its path.
    ///
    /// # Errors
    ///
    /// Returns an error if the image does not build.
    pub fn build(&self, root: &Path, toolchain: &Toolchain) -> Result<PathBuf> {
        let program = ["--package", "firmware", "--features", "image", "--bin", self.name];
        let arguments = [&["--release"][..], &program].concat();
        toolchain.cargo(root, "build", &arguments).run()?;
        Ok(toolchain.program(root, "release", self.name))
    }
}

/// In these images, an instruction takes longer than a period of the clock that measures it.
const COST: u8 = 10;

/// A board that starts at EL1.
const EL1: &str = "virt";

/// Boards that start at EL2, at EL3 without an EL2, and at EL3 with an EL2.
const HIGHER: [&str; 3] =
    ["virt,virtualization=on", "virt,secure=on", "virt,secure=on,virtualization=on"];

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
    Image { name: "pmuv3", ..Image::AARCH64 },
];
