//! The two kinds of guests: with a kernel of 64 bits, and of 32 bits.

/// The parts of a guest system.
pub struct System {
    /// Debian's name of the architecture.
    pub architecture: &'static str,
    /// Names of packages that do not change with updates, unlike the kernel's package. apt adds the libraries of
    /// `perf`.
    pub packages: &'static [&'static str],
    /// Drivers that the kernel loads, in its folder of modules.
    pub modules: &'static [&'static str],
    pub emulator: &'static str,
    pub compiler: &'static str,
    /// As Rust calls it.
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

/// Without `perf`: nothing here is compared with it.
pub const ARMHF: System = System {
    architecture: "armhf",
    packages: &["linux-image-armmp", "busybox-static"],
    // Restarts a Cubieboard, which cannot switch itself off.
    modules: &["drivers/watchdog/sunxi_wdt"],
    emulator: "qemu-system-arm",
    compiler: "arm-linux-gnueabihf-gcc",
    target: "armv7-unknown-linux-gnueabihf",
};

impl System {
    /// Whether `perf` is in the guest.
    pub fn has_perf(&self) -> bool {
        self.packages.contains(&"linux-perf")
    }
}
