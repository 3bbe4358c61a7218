//! The boards of the bench. Their PMUs are memory, and a device tree describes them to Linux.
//!
//! The memory is reserved, so the kernel does not use it, and its drivers access it as registers. QEMU writes
//! values that a driver reads first, such as the number of counters, before Linux runs. The counters change
//! only while a program in the guest acts as the device.

use std::fmt::Write;

use anyhow::{Context, Result};

/// A machine with one CCI, and the same other PMUs as each machine. The kernel's driver has one CCI at a time.
pub struct Board {
    pub name: &'static str,
    pub machine: Machine,
    /// What QEMU and Linux call the core: `cortex-a53`.
    pub core: &'static str,
    /// How many of them.
    pub cores: u32,
    pub pmus: Vec<Pmu>,
    /// Source of a device tree behind the nodes of the PMUs.
    additions: &'static str,
}

/// What QEMU has of a board.
#[derive(Clone, Copy)]
pub enum Machine {
    /// No real one, with whatever core.
    Virt,
    /// A board with an Allwinner A10.
    Cubieboard,
}

impl Machine {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Virt => "virt,gic-version=2,dtb-randomness=off",
            Self::Cubieboard => "cubieboard",
        }
    }

    /// The kernel's name of the serial port.
    pub const fn console(self) -> &'static str {
        match self {
            Self::Virt => "ttyAMA0",
            Self::Cubieboard => "ttyS0,115200",
        }
    }

    /// Its device tree in the kernel's package; `None` if QEMU makes one.
    pub const fn tree(self) -> Option<&'static str> {
        match self {
            Self::Virt => None,
            Self::Cubieboard => Some("sun4i-a10-cubieboard.dtb"),
        }
    }
}

/// A PMU whose registers are memory.
pub struct Pmu {
    /// The kernel's name.
    pub name: &'static str,
    /// Its node of the device tree.
    node: String,
    /// Contents of the memory when Linux starts.
    pub presets: Vec<Word>,
    /// Registers that a driver writes to select and enable events, by the names of our specs.
    pub registers: Vec<(String, u64)>,
    pub counters: Vec<Counter>,
}

pub struct Word {
    pub address: u64,
    pub value: u64,
    pub bytes: u8,
}

pub struct Counter {
    /// The register with its event; unused memory for a cycle counter.
    pub select: u64,
    /// The register that enables it. `None` for a PMCG: memory cannot act as a register that sets bits.
    pub enable: Option<u64>,
    pub value: u64,
    /// Its value has 64 bits.
    pub wide: bool,
}

impl Counter {
    /// Address of its value, as an argument of the program `device`.
    pub fn value_address(&self) -> String {
        let wide = if self.wide { "x" } else { "" };
        format!("{wide}{:x}", self.value)
    }

    /// Argument of the program `device` that makes it count.
    pub fn played(&self) -> String {
        let enable = self.enable.unwrap_or_default();
        format!(":{:x},{enable:x},{}", self.select, self.value_address())
    }
}

/// Memory that Linux does not use, below the end of 512 MiB.
const RESERVED: u64 = 0x5F00_0000;

/// The core of a board, if nothing else is said.
const CORE: &str = "cortex-a53";

/// Where the memory of `virt` begins.
pub const MEMORY: u64 = 0x4000_0000;

/// All boards.
pub fn all() -> Vec<Board> {
    [
        ("cci400-r0", 1, cci400("CCI_400", 0)),
        ("cci400-r1", 1, cci400("CCI_400_r1", 1)),
        ("cci500", 1, cci5xx(500)),
        ("cci550", 1, cci5xx(550)),
        ("cci400-r1-two-cores", 2, cci400("CCI_400_r1", 1)),
    ]
    .into_iter()
    .map(|(name, cores, cci)| {
        let pmus = vec![cci, tcu(), tbu(), own_filters()];
        Board { cores, ..Board::with(name, pmus) }
    })
    .chain([Board::with("mmu700", vec![tcu_of_700(), tbu_of_700()])])
    .collect()
}

/// A board with another core, and no PMU but the core's.
pub fn with_core(core: &'static str) -> Board {
    Board { core, ..Board::with(core, Vec::new()) }
}

/// A real board with a Cortex-A8.
pub fn cubieboard() -> Board {
    let (machine, core) = (Machine::Cubieboard, "cortex-a8");
    Board { machine, core, ..Board::with("cubieboard", Vec::new()) }
}

/// A board whose PMUs are described by this text alone.
pub fn with_tree(name: &'static str, pmus: &[&str], additions: &'static str) -> Board {
    let all = [cci400("CCI_400_r1", 1), cci5xx(500), tcu(), tbu()].into_iter();
    let pmus = all.filter(|pmu| pmus.contains(&pmu.name));
    let pmus = pmus.map(|pmu| Pmu { node: String::new(), ..pmu });
    Board { additions, ..Board::with(name, pmus.collect()) }
}

/// A board whose tree has a CCI-500 that its own part has to enable, under the label of Versal's tree.
pub fn with_disabled_cci500(name: &'static str, additions: &'static str) -> Board {
    let cci = cci5xx(500);
    let node = cci.node.replacen("\tcci@", "\tcci: cci@", 1);
    let node = node.replacen("{\n", "{\n\t\tstatus = \"disabled\";\n", 1);
    Board { additions, ..Board::with(name, vec![Pmu { node, ..cci }]) }
}

/// A board whose CCI-500 has an interrupt less than the driver requires.
pub fn with_seven_interrupts(name: &'static str) -> Board {
    let cci = cci5xx(500);
    let node = cci.node.replacen("<0 205 4>, ", "", 1);
    Board::with(name, vec![Pmu { node, ..cci }])
}

/// The board of this name.
///
/// # Errors
///
/// If there is none.
pub fn find<'b>(boards: &'b [Board], name: &str) -> Result<&'b Board> {
    let found = boards.iter().find(|board| board.name == name);
    found.with_context(|| {
        let names: Vec<_> = boards.iter().map(|board| board.name).collect();
        format!("no board {name}; there are: {}", names.join(", "))
    })
}

impl Board {
    /// The usual board, with these PMUs.
    fn with(name: &'static str, pmus: Vec<Pmu>) -> Self {
        Self { name, machine: Machine::Virt, core: CORE, cores: 1, pmus, additions: "" }
    }

    /// Whether the board has a PMU of that name.
    pub fn has(&self, name: &str) -> bool {
        self.pmu(name).is_some()
    }

    /// The PMU of that name.
    pub fn pmu(&self, name: &str) -> Option<&Pmu> {
        self.pmus.iter().find(|pmu| pmu.name == name)
    }

    /// The nodes that are added to the device tree of QEMU's board.
    pub fn device_tree(&self) -> String {
        if self.machine.tree().is_some() {
            return String::new();
        }
        let mut text = format!(
            "/ {{\n\
             \treserved-memory {{\n\
             \t\t#address-cells = <2>;\n\t\t#size-cells = <2>;\n\t\tranges;\n\
             \t\tpmus@{RESERVED:x} {{ reg = <0 {RESERVED:#x} 0 0x1000000>; no-map; }};\n\
             \t}};\n\
             \tpmu {{ compatible = \"arm,{}-pmu\"; }};\n",
            self.core
        );
        for pmu in &self.pmus {
            text.push_str(&pmu.node);
        }
        text.push_str("};\n");
        text.push_str(self.additions);
        text
    }
}

/// Interrupts of the distributor, each once or the same one for all counters. QEMU has 80 to 143 for messages.
fn interrupts(numbers: impl IntoIterator<Item = u32>, kind: u32) -> String {
    let cells: Vec<_> = numbers.into_iter().map(|number| format!("<0 {number} {kind}>")).collect();
    cells.join(", ")
}

/// The kinds of interrupts, as the binding of the GIC numbers them.
const EDGE: u32 = 1;
const LEVEL: u32 = 4;

/// A CCI-400. The driver takes the revision from the device tree.
fn cci400(name: &'static str, revision: u32) -> Pmu {
    let base = RESERVED + 0x9_0000;
    let mut registers =
        vec![("PMCR".to_owned(), base + 0x100), ("CYCLE_COUNT_CONTROL".to_owned(), base + 0x9008)];
    let mut counters = vec![Counter {
        select: base + 0x9000,
        enable: Some(base + 0x9008),
        value: base + 0x9004,
        wide: false,
    }];
    for n in 0..4 {
        let counter = base + 0xA000 + 0x1000 * n;
        registers.push((format!("EVENT_SELECT[{n}]"), counter));
        registers.push((format!("COUNT_CONTROL[{n}]"), counter + 8));
        counters.push(Counter {
            select: counter,
            enable: Some(counter + 8),
            value: counter + 4,
            wide: false,
        });
    }
    let node = format!(
        "\tcci@{base:x} {{\n\
         \t\tcompatible = \"arm,cci-400\";\n\
         \t\t#address-cells = <1>;\n\t\t#size-cells = <1>;\n\
         \t\treg = <0 {base:#x} 0 0x1000>;\n\t\tranges = <0 0 {base:#x} 0x10000>;\n\
         \t\tpmu@9000 {{\n\
         \t\t\tcompatible = \"arm,cci-400-pmu,r{revision}\";\n\t\t\treg = <0x9000 0x5000>;\n\
         \t\t\tinterrupts = {};\n\t\t}};\n\t}};\n",
        interrupts(200..205, LEVEL)
    );
    // PMCR: four counters.
    let presets = vec![Word { address: base + 0x100, value: 0x2000, bytes: 4 }];
    Pmu { name, node, presets, registers, counters }
}

/// A CCI-500 or CCI-550.
fn cci5xx(number: u32) -> Pmu {
    let base = RESERVED + 0x10_0000;
    let mut registers = vec![("PMCR".to_owned(), base + 0x100)];
    let mut counters = Vec::new();
    for n in 0..8 {
        let counter = base + 0x1_0000 * (n + 1);
        registers.push((format!("EVENT_SELECT[{n}]"), counter));
        registers.push((format!("COUNT_CONTROL[{n}]"), counter + 8));
        counters.push(Counter {
            select: counter,
            enable: Some(counter + 8),
            value: counter + 4,
            wide: false,
        });
    }
    // A CCI-550 has one interrupt for all counters, but the driver requires eight entries.
    let lines = (205..213).map(|line| if number == 500 { line } else { 213 });
    let node = format!(
        "\tcci@{base:x} {{\n\
         \t\tcompatible = \"arm,cci-{number}\";\n\
         \t\t#address-cells = <1>;\n\t\t#size-cells = <1>;\n\
         \t\treg = <0 {base:#x} 0 0x10000>;\n\t\tranges = <0 0 {base:#x} 0x100000>;\n\
         \t\tpmu@10000 {{\n\
         \t\t\tcompatible = \"arm,cci-{number}-pmu,r0\";\n\t\t\treg = <0x10000 0x80000>;\n\
         \t\t\tinterrupts = {};\n\t\t}};\n\t}};\n",
        interrupts(lines, LEVEL)
    );
    // PMCR: eight counters.
    let presets = vec![Word { address: base + 0x100, value: 0x4000, bytes: 4 }];
    let name = if number == 500 { "CCI_500" } else { "CCI_550" };
    Pmu { name, node, presets, registers, counters }
}

/// Configuration of a PMCG.
struct Pmcg {
    name: &'static str,
    /// Without the one that all have.
    compatible: &'static str,
    page_0: u64,
    interrupt: u32,
    cfgr: u64,
    ceid0: u64,
    /// PIDR0, PIDR2 and PIDR3 of an MMU-600; the kernel makes an identifier of them.
    identification: Option<[u64; 3]>,
}

/// CFGR of an MMU-600: four counters of 32 bits in page 1, and one filter for all.
const MMU600_CFGR: u64 = 0x00D0_1F03;

fn tcu() -> Pmu {
    Pmcg {
        name: "smmuv3_pmcg_5f300",
        compatible: "\"arm,mmu-600-pmcg\", ",
        page_0: RESERVED + 0x30_0000,
        interrupt: 214,
        cfgr: MMU600_CFGR,
        ceid0: 0x7F,
        identification: Some([0x83, 0x2B, 0x20]),
    }
    .pmu()
}

fn tbu() -> Pmu {
    Pmcg {
        name: "smmuv3_pmcg_5f320",
        compatible: "\"arm,mmu-600-pmcg\", ",
        page_0: RESERVED + 0x32_0000,
        interrupt: 215,
        cfgr: MMU600_CFGR,
        ceid0: 0x87,
        identification: Some([0x84, 0x2B, 0x20]),
    }
    .pmu()
}

/// Of an MMU-700: sixteen counters of 32 bits in page 1, and one filter for all. It has no IIDR, and the kernel reads
/// the identification of an MMU-600 only.
fn tcu_of_700() -> Pmu {
    Pmcg {
        name: "smmuv3_pmcg_5f380",
        compatible: "",
        page_0: RESERVED + 0x38_0000,
        interrupt: 217,
        cfgr: MMU600_CFGR | 0xF,
        ceid0: 0x7F,
        identification: None,
    }
    .pmu()
}

fn tbu_of_700() -> Pmu {
    Pmcg {
        name: "smmuv3_pmcg_5f3a0",
        compatible: "",
        page_0: RESERVED + 0x3A_0000,
        interrupt: 218,
        cfgr: MMU600_CFGR,
        ceid0: 0x87,
        identification: None,
    }
    .pmu()
}

/// Not an MMU-600: eight counters of 64 bits in page 0, each with its own filter.
fn own_filters() -> Pmu {
    Pmcg {
        name: "smmuv3_pmcg_5f340",
        compatible: "",
        page_0: RESERVED + 0x34_0000,
        interrupt: 216,
        cfgr: 0x0000_3F07,
        ceid0: 0xFF,
        identification: None,
    }
    .pmu()
}

impl Pmcg {
    fn pmu(&self) -> Pmu {
        let page_0 = self.page_0;
        let page_1 = page_0 + 0x1_0000;
        let wide = self.cfgr >> 8 & 0x3F == 63;
        let values = if self.cfgr & 1 << 20 == 0 { page_0 } else { page_1 };
        let one_filter = self.cfgr & 1 << 23 != 0;
        let of_all = [("CNTENSET", 0xC00), ("CR", 0xE04), ("IRQ_CTRL", 0xE50)];
        let mut registers: Vec<_> =
            of_all.map(|(name, offset)| (name.to_owned(), page_0 + offset)).into();
        let mut counters = Vec::new();
        for n in 0..(self.cfgr & 0x3F) + 1 {
            let select = page_0 + 0x400 + 4 * n;
            registers.push((format!("EVTYPER[{n}]"), select));
            if n == 0 || !one_filter {
                registers.push((format!("SMR{n}"), page_0 + 0xA00 + 4 * n));
            }
            let value = values + n * if wide { 8 } else { 4 };
            counters.push(Counter { select, enable: None, value, wide });
        }
        let mut presets = vec![
            Word { address: page_0 + 0xE00, value: self.cfgr, bytes: 4 },
            Word { address: page_0 + 0xE20, value: self.ceid0, bytes: 8 },
        ];
        if let Some([pidr0, pidr2, pidr3]) = self.identification {
            let identification =
                [(0xFE0, pidr0), (0xFE4, 0xB4), (0xFE8, pidr2), (0xFEC, pidr3), (0xFD0, 0x04)];
            presets.extend(identification.map(|(offset, value)| Word {
                address: page_0 + offset,
                value,
                bytes: 4,
            }));
        }
        let mut node = String::new();
        let _ = write!(
            node,
            "\tpmcg@{page_0:x} {{\n\
             \t\tcompatible = {}\"arm,smmu-v3-pmcg\";\n\
             \t\treg = <0 {page_0:#x} 0 0x1000>, <0 {page_1:#x} 0 0x1000>;\n\
             \t\tinterrupts = {};\n\t}};\n",
            self.compatible,
            interrupts([self.interrupt], EDGE)
        );
        Pmu { name: self.name, node, presets, registers, counters }
    }
}
