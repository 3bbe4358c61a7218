//! The two kinds of guests: with a 64-bit and with a 32-bit kernel.

/// What a guest system consists of.
pub struct System {
    /// Debian's name of the architecture.
    pub architecture: &'static str,
    /// Names of packages. Updates do not change these names, unlike the name of the package with the kernel itself. apt
    /// adds the libraries of `perf`.
    pub packages: &'static [&'static str],
    /// Drivers that the kernel loads, by their paths among the modules.
    pub modules: &'static [&'static str],
    pub emulator: &'static str,
    pub compiler: &'static str,
    /// The Rust target triple.
    pub target: &'static str,
}

pub const ARM64: System = System {
    architecture: "arm64",
    packages: &["linux-image-cloud-arm64", "linux-perf", "busybox-static"],
    modules: &["drivers/perf/arm_smmuv3_pmu"],
    emulator: "qemu-system-aarch64",
    compiler: "aarch64-linux-gnu-gcc",
    target: "aarch64-unknown-linux-gnu",
};

/// A guest without `perf`, because nothing is compared with it.
pub const ARMHF: System = System {
    architecture: "armhf",
    packages: &["linux-image-armmp", "busybox-static"],
    // This driver restarts a Cubieboard, which cannot switch itself off.
    modules: &["drivers/watchdog/sunxi_wdt"],
    emulator: "qemu-system-arm",
    compiler: "arm-linux-gnueabihf-gcc",
    target: "armv7-unknown-linux-gnueabihf",
};

impl System {
    /// Returns whether the guest has `perf`.
    pub fn has_perf(&self) -> bool {
        self.packages.contains(&"linux-perf")
    }
}
