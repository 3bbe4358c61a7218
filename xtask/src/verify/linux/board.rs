//! Boards of the Linux bench: `xtask/linux/boards/NAME.dts` adds the PMUs of a board to the device tree of a QEMU
//! machine. A first line such as `// -smp 2 -cpu NAME` contains QEMU's options for the cores; without it, the board has
//! one Cortex-A53.
//!
//! The PMUs are reserved memory: the kernel does not allocate it, and the kernel's drivers access it as registers. The
//! counters change only while a program in the guest simulates the device.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const FOLDER: &str = "xtask/linux/boards";

/// Folders with device trees that boards include. A test of the command stores what `arm-pmu device-tree` prints.
pub const INCLUDED: [&str; 2] = [FOLDER, "crates/arm-pmu-cli/tests/bench"];

pub struct Board {
    pub name: String,
    pub machine: &'static Machine,
    /// Name of the core in QEMU.
    pub core: String,
    /// Number of cores.
    pub cores: String,
    /// Device-tree source that is appended to the tree of the machine.
    pub tree: String,
}

/// Parts of a board that QEMU emulates.
pub struct Machine {
    pub name: &'static str,
    /// Kernel name of the serial port.
    pub console: &'static str,
    /// Device tree in the kernel's package; `None` if QEMU generates one.
    pub tree: Option<&'static str>,
}

/// A machine of QEMU that is no real board; it can have any core.
const VIRT: Machine =
    Machine { name: "virt,gic-version=2,dtb-randomness=off", console: "ttyAMA0", tree: None };

/// The Cubieboard has an Allwinner A10.
const CUBIEBOARD: Machine =
    Machine { name: "cubieboard", console: "ttyS0,115200", tree: Some("sun4i-a10-cubieboard.dtb") };

/// The memory of the PMUs, just below the end of the machine's 512 MiB.
const RESERVED: &str = "/ {
	reserved-memory {
		#address-cells = <2>;
		#size-cells = <2>;
		ranges;
		pmus@5f000000 { reg = <0 0x5f000000 0 0x1000000>; no-map; };
	};
};
";

/// Words that drivers read first: each entry has a base address, then the offset and value of each word. On each board,
/// QEMU writes these words before Linux runs.
pub const PRESETS: [(u32, &[(u32, u32)]); 7] = [
    // PMCR of a CCI-400, and of a CCI-500 or CCI-550: the number of event counters.
    (0x5F09_0000, &[(0x100, 4 << 11)]),
    (0x5F10_0000, &[(0x100, 8 << 11)]),
    // TCU and TBU of an MMU-600: CFGR (four 32-bit counters in page 1, which share one filter), CEID0, and the
    // registers from which the kernel makes an identifier.
    (
        0x5F30_0000,
        &[(0xE00, 0x00D0_1F03), (0xE20, 0x7F), (0xFE0, 0x83), PIDR1, PIDR2, PIDR3, PIDR4],
    ),
    (
        0x5F32_0000,
        &[(0xE00, 0x00D0_1F03), (0xE20, 0x87), (0xFE0, 0x84), PIDR1, PIDR2, PIDR3, PIDR4],
    ),
    // Another product: eight 64-bit counters in page 0, each with its own filter.
    (0x5F34_0000, &[(0xE00, 0x3F07), (0xE20, 0xFF)]),
    // An MMU-700, which has no IIDR: a TCU with sixteen counters, and a TBU with four.
    (0x5F38_0000, &[(0xE00, 0x00D0_1F0F), (0xE20, 0x7F)]),
    (0x5F3A_0000, &[(0xE00, 0x00D0_1F03), (0xE20, 0x87)]),
];
const PIDR1: (u32, u32) = (0xFE4, 0xB4);
const PIDR2: (u32, u32) = (0xFE8, 0x2B);
const PIDR3: (u32, u32) = (0xFEC, 0x20);
const PIDR4: (u32, u32) = (0xFD0, 0x04);

/// Returns the board with this name; the name of a core finds a board with this core.
///
/// # Errors
///
/// If there is none.
pub fn find(root: &Path, name: &str) -> Result<Board> {
    let is_core = ["cortex-", "neoverse-", "max"].iter().any(|start| name.starts_with(start));
    let machine = if name == "cubieboard" { &CUBIEBOARD } else { &VIRT };
    let text = match name {
        "cubieboard" => "// -cpu cortex-a8\n".to_owned(),
        _ if is_core => format!("// -cpu {name}\n"),
        _ => {
            let file = root.join(FOLDER).join(name).with_extension("dts");
            fs::read_to_string(file)
                .with_context(|| format!("no board {name} in {FOLDER}, and no core of that name"))?
        }
    };
    let options = text.lines().next().and_then(|line| line.strip_prefix("// "));
    let options: Vec<_> = options.unwrap_or_default().split(' ').collect();
    let option = |name, usual: &str| {
        let value = options.iter().skip_while(|word| **word != name).nth(1);
        value.copied().unwrap_or(usual).to_owned()
    };
    let (core, cores) = (option("-cpu", "cortex-a53"), option("-smp", "1"));
    let mut tree = String::new();
    if machine.tree.is_none() {
        tree += RESERVED;
        // For other cores, QEMU's description of the PMU stays. It names no core, like ACPI and generic device trees.
        if core.starts_with("cortex-") {
            tree += &format!("/ {{ pmu {{ compatible = \"arm,{core}-pmu\"; }}; }};\n");
        }
    }
    Ok(Board { name: name.to_owned(), machine, core, cores, tree: tree + &text })
}
