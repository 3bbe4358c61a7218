//! The programs that are compared, and how much larger than C ours may be.

/// One program in Rust, `xtask/size/src/bin`, and in C, `xtask/size/c`.
pub struct Pair {
    pub ip: &'static str,
    /// Name of both programs, and of the C file.
    pub name: &'static str,
    pub target: &'static str,
    /// Prefix of the names of the C compiler and its tools.
    pub tools: &'static str,
    /// Options of the C compiler for that target.
    pub machine: &'static [&'static str],
    /// Largest allowed `.text`, in percent of that in C: the size with rustc 1.96 and GCC 12, plus a
    /// little more. The goal is 110, which all reach. Lower it when a driver becomes smaller.
    pub percent: u64,
}

const ARM: &str = "arm-linux-gnueabihf-";
const AARCH64: &str = "aarch64-linux-gnu-";

/// Debian's compiler uses hard float by default; firmware for these cores usually does not.
const ARMV7: &[&str] = &["-marm", "-mcpu=cortex-a8", "-mfloat-abi=soft"];
const ARMV6: &[&str] = &["-marm", "-mcpu=arm1176jz-s", "-mfloat-abi=soft"];
const ARMV8: &[&str] = &["-mgeneral-regs-only"];

pub const PAIRS: [Pair; 5] = [
    Pair {
        ip: "arm11",
        name: "arm11",
        target: "armv6-none-eabi",
        tools: ARM,
        machine: ARMV6,
        percent: 81,
    },
    Pair {
        ip: "cci400",
        name: "cci400",
        target: "aarch64-unknown-none",
        tools: AARCH64,
        machine: ARMV8,
        percent: 80,
    },
    Pair {
        ip: "cci550",
        name: "cci550",
        target: "aarch64-unknown-none",
        tools: AARCH64,
        machine: ARMV8,
        percent: 94,
    },
    Pair {
        ip: "cortex-a8",
        name: "cortex_a8",
        target: "armv7a-none-eabi",
        tools: ARM,
        machine: ARMV7,
        percent: 88,
    },
    Pair {
        ip: "mmu600",
        name: "mmu600",
        target: "aarch64-unknown-none",
        tools: AARCH64,
        machine: ARMV8,
        percent: 89,
    },
];
