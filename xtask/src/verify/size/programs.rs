//! The programs that are compared, and how much larger than C ours may be.

/// One program in Rust, `xtask/size/src/bin`, and in C, `xtask/size/c`.
pub struct Pair {
    pub ip: &'static str,
    pub architecture: &'static Architecture,
    /// Largest allowed `.text`, in percent of that in C: the size with rustc 1.96 and GCC 12, plus a
    /// little more. The goal is 110, which all reach. Lower it when a driver becomes smaller.
    pub percent: u64,
}

/// A target of Rust, and of C.
pub struct Architecture {
    pub target: &'static str,
    /// The C compiler.
    pub compiler: &'static str,
    /// Its options for the target. Debian's uses hard float by default; firmware for these cores usually does not.
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
    /// Name of both programs, and of the C file.
    pub fn name(&self) -> String {
        self.ip.replace('-', "_")
    }
}
