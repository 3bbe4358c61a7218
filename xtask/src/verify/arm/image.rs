//! The test images, and the machines that they run on.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::toolchain::Toolchain;

/// A program of `xtask/firmware`, built as users build a release.
pub struct Image {
    pub name: &'static str,
    pub target: &'static str,
    /// One instruction takes 2^`shift` nanoseconds of the machine's time.
    pub shift: u8,
    pub machines: &'static [Machine],
}

/// A machine of QEMU.
pub struct Machine {
    pub emulator: &'static str,
    pub board: &'static str,
    pub core: &'static str,
}

const fn machine(emulator: &'static str, board: &'static str, core: &'static str) -> Machine {
    Machine { emulator, board, core }
}

pub const IMAGES: [Image; 10] = [
    Image {
        name: "arm11",
        target: "armv6-none-eabi",
        shift: 0,
        machines: &[
            machine("qemu-system-arm", "versatilepb", "arm1136"),
            machine("qemu-system-arm", "versatilepb", "arm1176"),
        ],
    },
    Image {
        name: "cortex_a7",
        target: "armv7a-none-eabi",
        shift: 0,
        machines: &[machine("qemu-system-arm", "virt", "cortex-a7")],
    },
    Image {
        name: "cortex_a8",
        target: "armv7a-none-eabi",
        shift: 0,
        machines: &[machine("qemu-system-arm", "realview-pb-a8", "cortex-a8")],
    },
    Image {
        name: "cortex_a9",
        target: "armv7a-none-eabi",
        shift: 0,
        machines: &[machine("qemu-system-arm", "realview-pbx-a9", "cortex-a9")],
    },
    Image {
        name: "cortex_a9_secure",
        target: "armv7a-none-eabi",
        shift: 0,
        machines: &[machine("qemu-system-arm", "vexpress-a9", "cortex-a9")],
    },
    Image {
        name: "instructions_per_cycle",
        target: "armv7a-none-eabi",
        shift: 0,
        machines: &[machine("qemu-system-arm", "realview-pb-a8", "cortex-a8")],
    },
    Image {
        name: "cost",
        target: "armv7a-none-eabi",
        // An instruction is longer than a period of the clock that it is timed with.
        shift: 10,
        machines: &[machine("qemu-system-arm", "realview-pb-a8", "cortex-a8")],
    },
    Image {
        name: "cost",
        target: "aarch64-unknown-none",
        shift: 10,
        machines: &[machine("qemu-system-aarch64", "virt", "cortex-a53")],
    },
    Image {
        name: "pmuv3",
        target: "aarch64-unknown-none",
        shift: 0,
        machines: &[
            machine("qemu-system-aarch64", "virt", "cortex-a53"),
            machine("qemu-system-aarch64", "virt,virtualization=on", "cortex-a53"),
            machine("qemu-system-aarch64", "virt,secure=on", "cortex-a53"),
            machine("qemu-system-aarch64", "virt,secure=on,virtualization=on", "cortex-a53"),
            machine("qemu-system-aarch64", "virt", "cortex-a55"),
            machine("qemu-system-aarch64", "virt,virtualization=on", "cortex-a55"),
            machine("qemu-system-aarch64", "virt,secure=on", "cortex-a55"),
            machine("qemu-system-aarch64", "virt", "cortex-a57"),
            machine("qemu-system-aarch64", "virt,virtualization=on", "cortex-a72"),
            machine("qemu-system-aarch64", "virt,secure=on", "cortex-a72"),
        ],
    },
    Image {
        name: "every_core",
        target: "aarch64-unknown-none",
        shift: 0,
        machines: &[
            machine("qemu-system-aarch64", "virt", "cortex-a53"),
            machine("qemu-system-aarch64", "virt", "cortex-a72"),
            machine("qemu-system-aarch64", "virt,virtualization=on", "cortex-a72"),
            machine("qemu-system-aarch64", "virt,secure=on", "neoverse-n1"),
            machine("qemu-system-aarch64", "virt", "neoverse-n1"),
            machine("qemu-system-aarch64", "virt", "neoverse-n2"),
            machine("qemu-system-aarch64", "virt,virtualization=on", "neoverse-n2"),
            machine("qemu-system-aarch64", "virt", "cortex-a710"),
            machine("qemu-system-aarch64", "virt,secure=on", "cortex-a710"),
            machine("qemu-system-aarch64", "virt", "max"),
            machine("qemu-system-aarch64", "virt,virtualization=on", "max"),
            machine("qemu-system-aarch64", "virt,secure=on", "max"),
        ],
    },
];

impl Image {
    /// Builds it, and returns its path.
    ///
    /// # Errors
    ///
    /// If it does not build.
    pub fn build(&self, root: &Path, toolchain: &Toolchain) -> Result<PathBuf> {
        let arguments = ["--release", "--package", "firmware", "--bin", self.name];
        toolchain.cargo(root, "build", &arguments).run()?;
        Ok(toolchain.program(root, "release", self.name))
    }
}
