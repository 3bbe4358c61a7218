//! Boards of the Linux bench. The PMUs of a board are memory, and a device tree describes them to
//! Linux.
//!
//! The memory is reserved, so the kernel does not use it, and its drivers access it as registers. QEMU writes
//! values that a driver reads first, such as the number of counters, before Linux runs. The counters change
//! only while a program in the guest simulates the device.

use std::fmt::Write;

use anyhow::{Context, Result};

/// A machine with PMUs. The kernel's driver supports one CCI at a time.
#[derive(Clone)]
pub struct Board {
    pub name: String,
    pub machine: Machine,
    /// Name of the core in QEMU and Linux.
    pub core: String,
    /// The compatible of its PMU.
    compatible: String,
    /// Number of cores.
    pub cores: u32,
    pub pmus: Vec<Pmu>,
    /// Device-tree source that is included after the nodes of the PMUs.
    additions: &'static str,
}

/// Parts of a board that QEMU emulates.
#[derive(Clone, Copy)]
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

/// A PMU whose registers are memory.
#[derive(Clone)]
pub struct Pmu {
    /// The kernel's name.
    pub name: &'static str,
    /// Device-tree node of the PMU.
    node: String,
    /// Contents of the memory when Linux starts.
    pub presets: Vec<Word>,
    /// Registers that a driver writes to select and enable events, by their names in our specs.
    registers: Vec<(String, u64)>,
    counters: Vec<Counter>,
}

#[derive(Clone, Copy)]
pub struct Word {
    pub address: u64,
    pub value: u64,
    pub bytes: u8,
}

#[derive(Clone, Copy)]
pub struct Counter {
    /// Register with the counter's event; unused memory for a cycle counter.
    select: u64,
    /// Register that enables the counter. `None` for a PMCG, because memory cannot act as a register
    /// that sets bits.
    enable: Option<u64>,
    value: u64,
    /// Whether the value has 64 bits.
    wide: bool,
    counts_cycles: bool,
}

/// Memory that Linux does not use, below the end of 512 MiB.
const RESERVED: u64 = 0x5F00_0000;

/// The control page of a CCI-400.
const CCI_400: u64 = RESERVED + 0x9_0000;

/// Includes a device tree that `arm-pmu device-tree` prints and a test of the command stores.
macro_rules! printed {
    ($name:literal) => {
        include_str!(concat!("../../../../crates/arm-pmu-cli/tests/bench/", $name, ".dts"))
    };
}

/// All boards except boards of a core alone. Boards with a CCI have the same other PMUs.
fn all() -> Vec<Board> {
    let with_cci = |name, cci| Board::new(name, vec![cci, pmcg(TCU), pmcg(TBU), pmcg(OWN_FILTERS)]);
    vec![
        with_cci("cci400-r0", cci400("CCI_400", 0)),
        with_cci("cci400-r1", cci400("CCI_400_r1", 1)),
        with_cci("cci500", cci5xx("CCI_500", 500)),
        with_cci("cci550", cci5xx("CCI_550", 550)),
        Board { cores: 2, ..with_cci("cci400-r1-two-cores", cci400("CCI_400_r1", 1)) },
        Board::new("mmu700", vec![pmcg(TCU_OF_700), pmcg(TBU_OF_700)]),
        Board {
            additions: printed!("bench-each"),
            ..Board::new("tree-each", vec![cci5xx("CCI_500", 500).with_node("")])
        },
        Board {
            additions: printed!("bench-combined"),
            ..Board::new(
                "tree-combined",
                vec![cci400("CCI_400_r1", 1).with_node(""), pmcg(TBU).with_node("")],
            )
        },
        Board {
            additions: printed!("bench-unknown"),
            ..Board::new("tree-unknown", vec![cci5xx("CCI_500", 500).with_node("")])
        },
        // The text enables the CCI-500 under the label in Versal's tree.
        Board {
            additions: printed!("versal"),
            ..Board::new("tree-versal", vec![disabled(cci5xx("CCI_500", 500))])
        },
        Board::new("tree-seven", vec![without_an_interrupt(cci5xx("CCI_500", 500))]),
        // QEMU's processors are all the same, and each has a PMU of its own in Linux.
        Board {
            cores: 2,
            compatible: String::new(),
            additions: concat!(
                "cpu0: &{/cpus/cpu@0} {};\ncpu1: &{/cpus/cpu@1} {};\n",
                printed!("bench-clusters")
            ),
            ..Board::new("clusters", Vec::new())
        },
        Board {
            machine: CUBIEBOARD,
            core: "cortex-a8".to_owned(),
            compatible: pmu_of("cortex-a8"),
            ..Board::new("cubieboard", Vec::new())
        },
    ]
}

fn pmu_of(core: &str) -> String {
    format!("arm,{core}-pmu")
}

/// Returns the board with this name; the name of a core finds a board with this core.
///
/// # Errors
///
/// If there is none.
pub fn find(name: &str) -> Result<Board> {
    let of_core =
        |compatible| Board { core: name.to_owned(), compatible, ..Board::new(name, Vec::new()) };
    if name.starts_with("cortex-") {
        return Ok(of_core(pmu_of(name)));
    }
    // The PMU as firmware with ACPI, or a device tree for any core, describes it.
    if name.starts_with("neoverse-") || name == "max" {
        return Ok(of_core("arm,armv8-pmuv3".to_owned()));
    }
    let mut all = all();
    let names: Vec<_> = all.iter().map(|board| board.name.clone()).collect();
    let at = names.iter().position(|known| known == name);
    at.map(|at| all.swap_remove(at))
        .with_context(|| format!("no board {name}; there are: {}, and cores", names.join(", ")))
}

impl Board {
    /// Creates the usual board with these PMUs.
    fn new(name: &str, pmus: Vec<Pmu>) -> Self {
        let [name, core] = [name, "cortex-a53"].map(str::to_owned);
        let compatible = pmu_of(&core);
        Self { name, machine: VIRT, core, compatible, cores: 1, pmus, additions: "" }
    }

    /// Returns the nodes that are added to the device tree of QEMU's board.
    pub fn device_tree(&self) -> String {
        if self.machine.tree.is_some() {
            return String::new();
        }
        let core = match self.compatible.as_str() {
            // QEMU has a node for any core.
            "" => "/delete-node/ pmu;".to_owned(),
            compatible => format!("pmu {{ compatible = \"{compatible}\"; }};"),
        };
        let nodes: String = self.pmus.iter().map(|pmu| pmu.node.as_str()).collect();
        format!(
            "/ {{
	reserved-memory {{
		#address-cells = <2>;
		#size-cells = <2>;
		ranges;
		pmus@{RESERVED:x} {{ reg = <0 {RESERVED:#x} 0 0x1000000>; no-map; }};
	}};
	{core}
{nodes}}};
{}",
            self.additions
        )
    }

    /// Returns shell variables: `$core`, its PMU as `$pmu`, and for each other PMU, by its name, the event counters
    /// for the program `linux-guest`, and with the prefix `play_` all counters for `device`. The script `open` uses
    /// `$pmus`, and for each of them its registers and counters.
    pub fn variables(&self) -> String {
        let mut text =
            format!("core={}\npmu=$(ls /sys/bus/event_source/devices | grep ^armv)\n", self.core);
        for pmu in &self.pmus {
            let events = pmu.counters.iter().filter(|counter| !counter.counts_cycles);
            let events: Vec<_> = events
                .map(|counter| format!("{:x},{}", counter.select, counter.value_address()))
                .collect();
            let played = pmu.counters.iter().map(|counter| {
                let enable = counter.enable.unwrap_or_default();
                format!(":{:x},{enable:x},{}", counter.select, counter.value_address())
            });
            let (name, events, played) = (pmu.name, events.join(" "), played.collect::<String>());
            let _ = writeln!(text, "{name}='{events}' play_{name}='{played}'");
            let mut registers: Vec<_> =
                pmu.registers.iter().map(|(name, address)| format!("{name}={address:x}")).collect();
            registers.sort();
            let counters: Vec<_> = pmu.counters.iter().map(Counter::value_address).collect();
            let (registers, counters) = (registers.join(" "), counters.join(" "));
            let _ = writeln!(
                text,
                "export registers_{name}='{registers}' counters_{name}='{counters}'"
            );
            let _ = writeln!(text, "export pmus=\"$pmus {name}\"");
        }
        text
    }
}

impl Counter {
    /// Returns the address of the counter value as an argument of the program `device`.
    fn value_address(&self) -> String {
        let wide = if self.wide { "x" } else { "" };
        format!("{wide}{:x}", self.value)
    }
}

impl Pmu {
    fn with_node(self, node: &str) -> Self {
        Self { node: node.to_owned(), ..self }
    }
}

fn disabled(cci: Pmu) -> Pmu {
    let node = cci.node.replacen("\tcci@", "\tcci: cci@", 1);
    let node = node.replacen("{\n", "{\n\t\tstatus = \"disabled\";\n", 1);
    cci.with_node(&node)
}

/// Returns a CCI without one of the eight interrupts that its driver requires.
fn without_an_interrupt(cci: Pmu) -> Pmu {
    let node = cci.node.replacen("<0 205 4>, ", "", 1);
    cci.with_node(&node)
}

/// A CCI model and its revision. The driver reads both from the device tree.
struct Cci {
    name: &'static str,
    number: u32,
    revision: u32,
    base: u64,
    /// Distance between the registers of consecutive counters.
    step: u64,
    /// One interrupt for each counter.
    interrupts: Vec<u32>,
}

fn cci400(name: &'static str, revision: u32) -> Pmu {
    let interrupts = (200..205).collect();
    Cci { name, number: 400, revision, base: CCI_400, step: 0x1000, interrupts }.pmu(0x9000)
}

fn cci5xx(name: &'static str, number: u32) -> Pmu {
    // A CCI-550 has one interrupt for all counters, but the driver requires eight entries.
    let interrupts = (205..213).map(|line| if number == 500 { line } else { 213 }).collect();
    let base = RESERVED + 0x10_0000;
    Cci { name, number, revision: 0, base, step: 0x1_0000, interrupts }.pmu(0x1_0000)
}

impl Cci {
    /// Returns the PMU; `first` is the offset of the first counter, for a CCI-400 the cycle
    /// counter.
    fn pmu(self, first: u64) -> Pmu {
        let Self { name, number, revision, base, step, interrupts } = self;
        let cycles = usize::from(number == 400);
        let mut registers = vec![("PMCR".to_owned(), base + 0x100)];
        let mut counters = Vec::new();
        for (nth, select) in (0..interrupts.len()).zip((base + first..).step_by(step as usize)) {
            match nth.checked_sub(cycles) {
                None => registers.push(("CYCLE_COUNT_CONTROL".to_owned(), select + 8)),
                Some(n) => registers.extend([
                    (format!("EVENT_SELECT[{n}]"), select),
                    (format!("COUNT_CONTROL[{n}]"), select + 8),
                ]),
            }
            let counts_cycles = nth < cycles;
            let (enable, value) = (Some(select + 8), select + 4);
            counters.push(Counter { select, enable, value, wide: false, counts_cycles });
        }
        let size = step * interrupts.len() as u64;
        let lines = cells(&interrupts, LEVEL);
        let node = format!(
            "\tcci@{base:x} {{
		compatible = \"arm,cci-{number}\";
		#address-cells = <1>;
		#size-cells = <1>;
		reg = <0 {base:#x} 0 {step:#x}>;
		ranges = <0 0 {base:#x} {:#x}>;
		pmu@{first:x} {{
			compatible = \"arm,cci-{number}-pmu,r{revision}\";
			reg = <{first:#x} {size:#x}>;
			interrupts = {lines};
		}};
	}};
",
            16 * step
        );
        // PMCR contains the number of event counters.
        let value = (interrupts.len() - cycles) as u64;
        let presets = vec![Word { address: base + 0x100, value: value << 11, bytes: 4 }];
        Pmu { name, node, presets, registers, counters }
    }
}

/// Formats interrupts of the distributor as cells. QEMU uses interrupts 80 to 143 for messages.
fn cells(numbers: &[u32], kind: u32) -> String {
    let cells: Vec<_> = numbers.iter().map(|number| format!("<0 {number} {kind}>")).collect();
    cells.join(", ")
}

/// Interrupt trigger types, as numbered in the binding of the GIC.
const EDGE: u32 = 1;
const LEVEL: u32 = 4;

/// Configuration of a PMCG.
struct Pmcg {
    name: &'static str,
    /// `compatible` in addition to the common value of all PMCGs.
    compatible: &'static str,
    page_0: u64,
    interrupt: u32,
    cfgr: u64,
    ceid0: u64,
    /// PIDR0 of an MMU-600; the kernel builds an identifier from it and other registers, and reads it only on an
    /// MMU-600.
    pidr0: Option<u64>,
}

/// CFGR of an MMU-600: four counters of 32 bits in page 1, and one filter for all.
const MMU600_CFGR: u64 = 0x00D0_1F03;

const TCU: Pmcg = Pmcg {
    name: "smmuv3_pmcg_5f300",
    compatible: "\"arm,mmu-600-pmcg\", ",
    page_0: RESERVED + 0x30_0000,
    interrupt: 214,
    cfgr: MMU600_CFGR,
    ceid0: 0x7F,
    pidr0: Some(0x83),
};

const TBU: Pmcg = Pmcg {
    name: "smmuv3_pmcg_5f320",
    page_0: RESERVED + 0x32_0000,
    interrupt: 215,
    ceid0: 0x87,
    pidr0: Some(0x84),
    ..TCU
};

/// PMCG of another product: eight 64-bit counters in page 0, each with its own filter.
const OWN_FILTERS: Pmcg = Pmcg {
    name: "smmuv3_pmcg_5f340",
    compatible: "",
    page_0: RESERVED + 0x34_0000,
    interrupt: 216,
    cfgr: 0x0000_3F07,
    ceid0: 0xFF,
    pidr0: None,
};

/// TCU of an MMU-700: sixteen 32-bit counters in page 1, and one filter for all. The TCU of an
/// MMU-700 has no IIDR.
const TCU_OF_700: Pmcg = Pmcg {
    name: "smmuv3_pmcg_5f380",
    compatible: "",
    page_0: RESERVED + 0x38_0000,
    interrupt: 217,
    cfgr: MMU600_CFGR | 0xF,
    pidr0: None,
    ..TCU
};

const TBU_OF_700: Pmcg = Pmcg {
    name: "smmuv3_pmcg_5f3a0",
    compatible: "",
    page_0: RESERVED + 0x3A_0000,
    interrupt: 218,
    pidr0: None,
    ..TBU
};

fn pmcg(pmcg: Pmcg) -> Pmu {
    let Pmcg { name, compatible, page_0, interrupt, cfgr, ceid0, pidr0 } = pmcg;
    let page_1 = page_0 + 0x1_0000;
    let wide = cfgr >> 8 & 0x3F == 63;
    let values = if cfgr & 1 << 20 == 0 { page_0 } else { page_1 };
    let one_filter = cfgr & 1 << 23 != 0;
    let of_all = [("CNTENSET", 0xC00), ("CR", 0xE04), ("IRQ_CTRL", 0xE50)];
    let mut registers: Vec<_> =
        of_all.map(|(name, offset)| (name.to_owned(), page_0 + offset)).into();
    let mut counters = Vec::new();
    for n in 0..(cfgr & 0x3F) + 1 {
        let select = page_0 + 0x400 + 4 * n;
        registers.push((format!("EVTYPER[{n}]"), select));
        if n == 0 || !one_filter {
            registers.push((format!("SMR{n}"), page_0 + 0xA00 + 4 * n));
        }
        let value = values + n * if wide { 8 } else { 4 };
        counters.push(Counter { select, enable: None, value, wide, counts_cycles: false });
    }
    let mut presets = vec![(0xE00, cfgr, 4), (0xE20, ceid0, 8)];
    if let Some(pidr0) = pidr0 {
        presets.extend([(0xFE0, pidr0, 4), (0xFE4, 0xB4, 4), (0xFE8, 0x2B, 4)]);
        presets.extend([(0xFEC, 0x20, 4), (0xFD0, 0x04, 4)]);
    }
    let presets = presets
        .into_iter()
        .map(|(offset, value, bytes)| Word { address: page_0 + offset, value, bytes })
        .collect();
    let node = format!(
        "\tpmcg@{page_0:x} {{
		compatible = {compatible}\"arm,smmu-v3-pmcg\";
		reg = <0 {page_0:#x} 0 0x1000>, <0 {page_1:#x} 0 0x1000>;
		interrupts = {};
	}};
",
        cells(&[interrupt], EDGE)
    );
    Pmu { name, node, presets, registers, counters }
}
