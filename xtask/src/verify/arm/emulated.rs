//! Linux systems of other processors, whose programs QEMU runs as single processes.

use std::path::Path;

use super::toolchain::Toolchain;
use crate::command::output;

/// A target, and the tools for it.
pub struct System {
    pub target: &'static str,
    pub linker: &'static str,
    pub emulator: &'static str,
    /// Directory of the target's C library.
    pub libraries: &'static str,
}

pub const ARMV7: System = System {
    target: "armv7-unknown-linux-gnueabihf",
    linker: "arm-linux-gnueabihf-gcc",
    emulator: "qemu-arm",
    libraries: "/usr/arm-linux-gnueabihf",
};

/// Debian's `armhf` libraries need ARMv7. Debian's `armel` libraries are for ARMv5, with software
/// floating point.
pub const ARMV6: System = System {
    target: "arm-unknown-linux-gnueabi",
    linker: "arm-linux-gnueabi-gcc",
    emulator: "qemu-arm",
    libraries: "/usr/arm-linux-gnueabi",
};

pub const AARCH64: System = System {
    target: "aarch64-unknown-linux-gnu",
    linker: "aarch64-linux-gnu-gcc",
    emulator: "qemu-aarch64",
    libraries: "/usr/aarch64-linux-gnu",
};

impl System {
    /// Returns the toolchain if it can also run programs; otherwise the missing part.
    pub fn toolchain(&self, root: &Path) -> Result<Toolchain, String> {
        output(self.emulator, &["--version"])
            .ok_or_else(|| format!("there is no {}", self.emulator))?;
        Toolchain::linux(root, self.target, self.linker)
    }
}
