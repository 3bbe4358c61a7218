//! Tests on systems made of test directories.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::symlink;

use clap::Parser;
use tempfile::TempDir;

use super::*;
use crate::base::arguments::{self, Command};
use crate::base::made_up::{self, Cluster};

/// A system, with the commands to run there.
struct System(TempDir, Vec<String>);

impl System {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"), Vec::new())
    }

    fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
        self
    }

    fn link(self, path: &str, to: &str) -> Self {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        symlink(to, path).expect("a link");
        self
    }

    fn kernel(config: &str) -> Self {
        Self::new()
            .file("proc/sys/kernel/ostype", "Linux\n")
            .file("proc/sys/kernel/osrelease", "6.1.0\n")
            .file("proc/sys/kernel/perf_event_paranoid", "2\n")
            .file("boot/config-6.1.0", config)
            .file("sys/bus/event_source/devices/software/type", "1\n")
    }

    fn node(self, path: &str, compatible: &str) -> Self {
        self.file(&format!("sys/firmware/devicetree/base/{path}/compatible"), compatible)
    }

    fn pmu(self, name: &str, file: &str, text: &str) -> Self {
        let device = format!("sys/bus/event_source/devices/{name}");
        self.file(&format!("{device}/type"), "10\n").file(&format!("{device}/{file}"), text)
    }

    fn board(compatible: &str) -> Self {
        Self::kernel(BUILT_IN).node("", compatible)
    }

    /// The interconnect of a ZynqMP with its PMU node.
    fn cci(config: &str) -> Self {
        let pmu = format!("{CCI}/pmu@9000");
        let system = Self::kernel(config).node("", "board\0").node(CCI, "arm,cci-400\0");
        system.node(&pmu, "arm,cci-400-pmu,r1\0arm,cci-400-pmu\0")
    }

    fn cores(clusters: &[Cluster]) -> Self {
        let system = Self::kernel("").node("", "board\0");
        made_up::add(system.0.path(), clusters);
        system
    }

    /// Cores on a made-up board.
    fn cores_of(clusters: &[Cluster], board: &str) -> Self {
        let system = Self::cores(clusters).file("board.yaml", made_up::board_text(board));
        let file = system.0.path().join("board.yaml");
        system.run(&format!("--platform {}", file.display()))
    }

    /// A file in place of memory, with a CCI-400 at 0x10000 that has four counters (bits 15 to 11 of PMCR).
    fn memory() -> Self {
        let mut bytes = vec![0; 0x2_0000];
        bytes[0x1_0101] = 4 << 3;
        Self::kernel(BUILT_IN)
            .file("proc/iomem", "40000000-7fffffff : System RAM\n")
            .file("dev/mem", bytes)
    }

    fn run(mut self, command: &str) -> Self {
        self.1.push(command.to_owned());
        self
    }

    fn look(&self, machine: &str, command: &str) -> Result<Live, Failure> {
        let words = ["arm-pmu", "doctor", "--live"].into_iter().chain(command.split_whitespace());
        match arguments::Arguments::try_parse_from(words).expect("options").command {
            Command::Doctor(arguments) => look(self.0.path(), machine, &arguments),
            other => panic!("{other:?}"),
        }
    }

    /// Outputs of the commands, without the lines about the kernel, and without items of an earlier output.
    fn outputs(&self, seen: &mut HashSet<String>) -> String {
        let commands = if self.1.is_empty() { &[String::new()] } else { &self.1[..] };
        let mut outputs = String::new();
        for command in commands {
            outputs += &format!("$ {}\n", format!("doctor --live {command}").trim());
            let mut live = match self.look(MACHINE, command) {
                Ok(live) => live,
                Err(failure) => {
                    outputs += &Screen::terminal(100).paragraph("error: ", &failure.to_string());
                    continue;
                }
            };
            for error in live.pmus.iter_mut().filter_map(|pmu| pmu.error.as_mut()) {
                "an error of this host".clone_into(error);
            }
            let text =
                anstream::adapter::strip_str(&text(&live, Screen::terminal(100))).to_string();
            for section in text.split("\n\n").skip(1) {
                let (head, items) = section.split_once('\n').expect("a heading");
                let items = format!("\n{}", items.trim_end()).replace("\n ", "\0 ");
                let items: Vec<_> = items.split('\n').filter(|item| !item.is_empty()).collect();
                let can_repeat = |item: &str| !item.starts_with("- ") && !item.starts_with("none ");
                let is_new = |item: &&str| seen.insert((*item).to_owned()) || can_repeat(item);
                let new = items.into_iter().filter(is_new);
                let new: String = new.map(|item| item.replace('\0', "\n") + "\n").collect();
                outputs += &if new.is_empty() { String::new() } else { format!("{head}\n{new}") };
            }
        }
        outputs.replace(&self.0.path().display().to_string(), "")
    }
}

/// Not this machine, whose counters would be tried.
const MACHINE: &str = if cfg!(target_arch = "aarch64") { "arm" } else { "aarch64" };

const CCI: &str = "amba/cci@fd6e0000";
const BUILT_IN: &str = "CONFIG_ARM_CCI_PMU=y\nCONFIG_ARM_SMMU_V3_PMU=m\n";
const IOMEM: &str = "00000000-7fffffff : System RAM\n";

/// Systems with their names.
fn systems() -> Vec<(&'static str, System)> {
    let [little, big] = made_up::RK3588 else { panic!("two clusters") };
    let [pi] = made_up::RASPBERRY_PI_5 else { panic!("a cluster") };
    let tree = "sys/firmware/devicetree/base";
    let device = "sys/bus/platform/devices/fd6e9000.pmu";
    let uio = "sys/class/uio/uio0/maps/map0";
    let interrupts = "           CPU0       CPU1\n 11:  5  6  GIC-0  27 Level  arch_timer\n \
                      14:  3  4  GIC-0  23 Level  arm-pmu\nErr:  0\n";
    vec![
        (
            "a disabled interconnect",
            System::cci(BUILT_IN).file(&format!("{tree}/{CCI}/status"), "disabled\0"),
        ),
        ("a kernel without the driver", System::cci("# CONFIG_ARM_CCI_PMU is not set\n")),
        ("a node without a driver", System::cci(BUILT_IN)),
        (
            "a module that is not loaded",
            System::board("board\0").node("pmcg@16082000", "arm,mmu-600-pmcg\0arm,smmu-v3-pmcg\0"),
        ),
        (
            "a driver without a PMU",
            System::cci(BUILT_IN)
                .link(
                    &format!("{device}/of_node"),
                    &format!("../../../../firmware/devicetree/base/{CCI}/pmu@9000"),
                )
                .link(&format!("{device}/driver"), "../../../bus/platform/drivers/ARM-CCI-PMU"),
        ),
        ("an interconnect without a PMU node", System::board("board\0").node(CCI, "arm,cci-500\0")),
        (
            "a PMU node that no driver matches",
            System::board("board\0")
                .node(CCI, "arm,cci-500\0")
                .node(&format!("{CCI}/pmu@10000"), "arm,cci-500-pmu\0"),
        ),
        ("a PMUv3 node without a PMU", System::board("board\0").node("pmu", "arm,armv8-pmuv3\0")),
        (
            "a PMUv3 node with its PMU",
            System::board("board\0").node("pmu", "arm,armv8-pmuv3\0").pmu(
                "armv8_pmuv3",
                "cpus",
                "0-1\n",
            ),
        ),
        (
            "an interconnect and a core with PMUs",
            System::cci(BUILT_IN).pmu("CCI_400_r1", "cpumask", "0\n").pmu(
                "armv8_cortex_z9",
                "cpus",
                "0-3\n",
            ),
        ),
        ("a board without its PMU node", System::board("xlnx,zynqmp\0")),
        (
            "a board whose registers no driver uses",
            System::kernel(BUILT_IN)
                .file("proc/iomem", IOMEM)
                .run("zynqmp")
                .run("altra:rca0-tcu")
                .run("agilex5 --i-may-crash")
                .run("juno:cci --i-may-crash"),
        ),
        (
            "a device in memory",
            System::memory()
                .run("cci400 --base 0x10000 --i-may-crash")
                .run("cci550 --base 0x40000000 --i-may-crash")
                .run("l2c-310 --base 0x10000 --i-may-crash")
                .run("--i-may-crash")
                .run("cci550")
                .run("cortex-a53 --base 0x1000 --i-may-crash")
                .run("cci400 --base /dev/uio1 --i-may-crash"),
        ),
        // Without consent, all pages of the device are checked first.
        (
            "a device of a driver",
            System::memory()
                .file("proc/iomem", "19000-1dfff : 19000.pmu pmu@9000\n")
                .run("cci400 --base 0x10000 --i-may-crash")
                .run("cci400 --base 0x10000"),
        ),
        (
            "no /dev/mem",
            System::kernel("")
                .file("proc/iomem", "40000000-7fffffff : System RAM\n")
                .run("zynqmp --i-may-crash"),
        ),
        (
            "a device that the kernel counts with",
            System::memory().pmu("CCI_400_r1", "cpumask", "0\n").run("zynqmp --i-may-crash"),
        ),
        (
            "a device of UIO",
            System::memory()
                .file(&format!("{uio}/addr"), "0x0000000000010000\n")
                .file(&format!("{uio}/size"), "0x10000\n")
                .run("cci400 --base /dev/uio0 --i-may-crash"),
        ),
        (
            "programs with perf events",
            System::kernel("")
                .file("proc/812/comm", "perf\n")
                .link("proc/812/fd/3", "anon_inode:[perf_event]")
                .link("proc/812/fd/4", "anon_inode:[perf_event]")
                .link("proc/812/fd/5", "/dev/null")
                .link("proc/9/fd/0", "/dev/null")
                .pmu("CCI_500", "cpumask", "0\n"),
        ),
        ("a container", System::kernel(BUILT_IN)),
        ("a machine with ACPI", System::kernel("").file("sys/firmware/acpi/tables/APIC", "")),
        ("nothing", System::new()),
        ("a Raspberry Pi 5", System::cores(&[*pi])),
        ("a server", System::cores(made_up::SERVER)),
        ("a core without tables", System::cores(made_up::NO_TABLE)),
        ("two clusters", System::cores(&[*little, *big])),
        ("a cluster without a PMU", System::cores(&[*little, Cluster { pmu: "other", ..*big }])),
        (
            "a virtual machine",
            System::cores(made_up::GUEST)
                .pmu("armv8_pmuv3", "caps/slots", "0x00000008\n")
                .file("proc/sys/kernel/perf_user_access", "0\n")
                .file("proc/interrupts", interrupts),
        ),
        (
            "two kinds of cores in a node without interrupts",
            System::cores(&[Cluster { pmu: "armv8_pmuv3", ..*pi }])
                .file(
                    "sys/devices/system/cpu/cpu3/regs/identification/midr_el1",
                    "0x00000000412fd050\n",
                )
                .file("proc/interrupts", "           CPU0       CPU1\n"),
        ),
        ("a node of another core", System::cores(&[Cluster { pmu: "armv8_cortex_a72", ..*pi }])),
        ("the clusters of a board", System::cores_of(made_up::RK3588, made_up::HALF_RK3588)),
        // The board's reason replaces the general one.
        (
            "a cluster of a board without a PMU",
            System::cores_of(&[*little, Cluster { pmu: "other", ..*big }], made_up::HALF_RK3588),
        ),
        (
            "a board with one interrupt",
            System::cores_of(&[*pi], made_up::ONE_INTERRUPT).pmu("armv8_cortex_a76", "cpus", "0\n"),
        ),
    ]
}

#[test]
fn systems_are_described_as_stored() {
    let (mut text, mut seen) = (String::new(), HashSet::new());
    for (name, system) in systems() {
        let uio = system.0.path().join("dev/uio0");
        let memory = fs::read(system.0.path().join("dev/mem"));
        if name == "a device of UIO" {
            fs::write(&uio, &memory.as_ref().expect("a file")[0x1_0000..]).expect("a file");
        }
        text += &format!("# {name}\n{}\n", system.outputs(&mut seen));
        if uio.exists() {
            let now = fs::read(system.0.path().join("dev/mem"));
            assert!(now.ok() == memory.ok(), "UIO maps no other memory");
        }
    }
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/doctor-live.txt");
    snapbox::assert_data_eq!(text, snapbox::Data::read_from(&stored, None).raw());
}

#[test]
fn a_pmu_or_a_diagnosis_is_an_answer() {
    let found = |system: System, command| found(&system.look(MACHINE, command).expect("a system"));
    assert!(!found(System::cci(BUILT_IN), ""));
    assert!(found(System::cores(made_up::SERVER), ""));
    assert!(found(System::memory(), "cci400 --base 0x10000 --i-may-crash"));
    let other = System::kernel("").look("x86_64", "").expect("a system");
    let last = other.missing.last().expect("a problem");
    assert_eq!(last.problem, "this is a machine of x86_64, which has none");
}

#[test]
fn fewer_counters_than_the_core_has_are_a_problem() {
    let live = System::cores(made_up::GUEST).look(MACHINE, "").expect("a system");
    let core = live.pmus[0].core.as_ref().expect("a core");
    let pmu = arm_pmu_tables::Pmu::find("neoverse-n1");
    let problem = |counters| {
        let all = cores::problems("armv8_pmuv3", pmu, Some(counters), core).into_iter();
        { all }
            .find(|one| one.problem.starts_with("5 counters for events, and a neoverse-n1 has 6"))
    };
    assert!(problem(5).is_some() && problem(6).is_none());
}

#[test]
fn rights_depend_on_paranoid() {
    let names = ["software".to_owned()];
    let of = |paranoid| rights(Some(paranoid), &names);
    assert!(of(-1).contains("a user may count the whole system") && !of(-1).contains("sysctl"));
    assert!(of(2).contains("own processes without the kernel's part") && of(2).contains("sysctl"));
    assert!(of(4).contains("a user may count nothing"));
    assert!(rights(None, &names).contains("cannot be read"));
    assert_eq!(rights(None, &[]), "Nothing can be counted.");
}
