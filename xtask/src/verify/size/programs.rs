//! Programs to compare, with the highest size of the Rust program relative to C.

/// A program in Rust, in `xtask/size/src/bin`, and in C, in `xtask/size/c`.
pub struct Pair {
    pub ip: &'static str,
    pub architecture: &'static Architecture,
    /// Highest allowed `.text`, in percent of `.text` in C: the size with rustc 1.96 and GCC 12, plus a little more.
    /// The goal is 110, which all programs reach. Lower the bound when a driver becomes smaller.
    pub percent: u64,
}

/// A target for Rust and C.
pub struct Architecture {
    pub target: &'static str,
    /// The C compiler.
    pub compiler: &'static str,
    /// C compiler options for the target. Debian's compiler uses hard float by default; firmware for these
    /// cores usually does not.
    pub options: &'static [&'static str],
}

const ARMV6: Architecture = Architecture {
    target: "armv6-none-eabi",
    compiler: "arm-linux-gnueabihf-gcc",
    options: &["-marm", "-mcpu=arm1176jz-s", "-mfloat-abi=soft"],
};
const ARMV7: Architecture = Architecture {
    target: "armv7a-none-eabi",
    compiler: "arm-linux-gnueabihf-gcc",
    options: &["-marm", "-mcpu=cortex-a8", "-mfloat-abi=soft"],
};
const ARMV8: Architecture = Architecture {
    target: "aarch64-unknown-none",
    compiler: "aarch64-linux-gnu-gcc",
    options: &["-mgeneral-regs-only"],
};

pub const PAIRS: [Pair; 5] = [
    Pair { ip: "arm11", architecture: &ARMV6, percent: 81 },
    Pair { ip: "cci400", architecture: &ARMV8, percent: 80 },
    Pair { ip: "cci550", architecture: &ARMV8, percent: 94 },
    Pair { ip: "cortex-a8", architecture: &ARMV7, percent: 88 },
    Pair { ip: "mmu600", architecture: &ARMV8, percent: 89 },
];

impl Pair {
    /// Returns the name of both programs, and of the C file.
    pub fn name(&self) -> String {
        self.ip.replace('-', "_")
    }
}
