//! Runs test programs for other processors with Linux, under QEMU's emulation of one process.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::toolchain::Toolchain;

/// Time limit for building and running the tests of a system.
const LIMIT: Duration = Duration::from_secs(1_800);

/// A target, and the tools for it.
pub struct System {
    pub target: &'static str,
    pub linker: &'static str,
    pub emulator: &'static str,
    /// Directory of its C library.
    libraries: &'static str,
}

/// Optimization of tests.
#[derive(Clone, Copy)]
pub enum Level {
    /// The same profile as on the host: optimizing all tests takes longer than it saves if few are
    /// long.
    AsOnHost,
    /// Optimized, so that exhaustive and random tests do not take minutes.
    Optimized,
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
        Toolchain::emulated(root, self.target, self.linker, self.emulator)
    }

    /// Builds and runs the tests that `selected` names.
    ///
    /// # Errors
    ///
    /// Returns an error if a test does not build or fails, or if all tests take longer than
    /// [`LIMIT`].
    pub fn test(
        &self,
        root: &Path,
        toolchain: &Toolchain,
        selected: &[String],
        level: Level,
    ) -> Result<()> {
        let mut arguments: Vec<_> = selected.iter().map(String::as_str).collect();
        arguments.extend(["--", "--quiet"]);
        let mut cargo = toolchain
            .cargo(root, "test", &arguments)
            .env(&toolchain.variable("RUNNER"), format!("{} -L {}", self.emulator, self.libraries));
        if let Level::Optimized = level {
            for profile in ["DEV", "TEST"] {
                cargo = cargo.env(&format!("CARGO_PROFILE_{profile}_OPT_LEVEL"), "1");
            }
        }
        let status = cargo.run_within(LIMIT, |line| outln!("{line}"))?;
        ensure!(status.success(), "{}: a test failed", self.target);
        Ok(())
    }
}
