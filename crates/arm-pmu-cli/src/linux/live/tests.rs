//! Tests with directories that stand in for the root of a system.

use std::collections::HashSet;
use std::fs;

use clap::Parser;

use super::*;
use crate::base::arguments::{self, Command};
use crate::base::made_up::{self, Cluster, System};

/// `doctor --live` without further arguments.
const LIVE: &[&str] = &[""];

fn kernel(config: &str) -> System {
    System::new()
        .file("proc/sys/kernel/ostype", "Linux\n")
        .file("proc/sys/kernel/osrelease", "6.1.0\n")
        .file("proc/sys/kernel/perf_event_paranoid", "2\n")
        .file("boot/config-6.1.0", config)
        .file("sys/bus/event_source/devices/software/type", "1\n")
}

fn board(compatible: &str) -> System {
    kernel(BUILT_IN).node("", compatible)
}

/// The interconnect of a ZynqMP with its PMU node.
fn cci(config: &str) -> System {
    let system = kernel(config).node("", "board\0").node(CCI, "arm,cci-400\0");
    system.node(&format!("{CCI}/pmu@9000"), "arm,cci-400-pmu,r1\0arm,cci-400-pmu\0")
}

fn cores(clusters: &[Cluster]) -> System {
    kernel("").node("", "board\0").cores(clusters)
}

/// Cores on a made-up board.
fn cores_of(clusters: &[Cluster], board: &str) -> System {
    cores(clusters).file("board.yaml", board)
}

/// A file in place of memory, with a CCI-400 at 0x10000 that has four counters (bits 15 to 11 of PMCR).
fn memory() -> System {
    let mut bytes = vec![0; 0x2_0000];
    bytes[0x1_0101] = 4 << 3;
    kernel(BUILT_IN).file("proc/iomem", "40000000-7fffffff : System RAM\n").file("dev/mem", bytes)
}

/// Runs a command. `ROOT` is the directory of the system.
fn look(system: &System, machine: &str, command: &str) -> Result<Live, Failure> {
    let root = system.path().display().to_string();
    let words = ["arm-pmu", "doctor", "--live"].into_iter().chain(command.split_whitespace());
    let words = words.map(|word| word.replace("ROOT", &root));
    match arguments::Arguments::try_parse_from(words).expect("options").command {
        Command::Doctor(arguments) => super::look(system.path(), machine, &arguments),
        other => panic!("{other:?}"),
    }
}

/// Returns the outputs of the commands, without lines about the kernel, and without items that an earlier output
/// already had.
fn outputs(system: &System, commands: &[&str], seen: &mut HashSet<String>) -> String {
    let mut outputs = String::new();
    for command in commands {
        outputs += &format!("$ {}\n", format!("doctor --live {command}").trim());
        let mut live = match look(system, MACHINE, command) {
            Ok(live) => live,
            Err(failure) => {
                outputs += &Screen::terminal(100).paragraph("error: ", &failure.to_string());
                continue;
            }
        };
        for error in live.pmus.iter_mut().filter_map(|pmu| pmu.error.as_mut()) {
            "an error of this host".clone_into(error);
        }
        let text = anstream::adapter::strip_str(&text(&live, Screen::terminal(100))).to_string();
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
    outputs.replace(&system.path().display().to_string(), "")
}

/// Architecture of the made-up systems. It differs from this machine's, so that the command does
/// not test the counters.
const MACHINE: &str = if cfg!(target_arch = "aarch64") { "arm" } else { "aarch64" };

const CCI: &str = "amba/cci@fd6e0000";
const BUILT_IN: &str = "CONFIG_ARM_CCI_PMU=y\nCONFIG_ARM_SMMU_V3_PMU=m\n";
const IOMEM: &str = "00000000-7fffffff : System RAM\n";

/// Systems with their names and commands.
fn systems() -> Vec<(&'static str, System, &'static [&'static str])> {
    let [little, big] = made_up::RK3588 else { panic!("two clusters") };
    let [pi] = made_up::RASPBERRY_PI_5 else { panic!("a cluster") };
    let tree = "sys/firmware/devicetree/base";
    let device = "sys/bus/platform/devices/fd6e9000.pmu";
    let uio = "sys/class/uio/uio0/maps/map0";
    let interrupts = "           CPU0       CPU1\n 11:  5  6  GIC-0  27 Level  arch_timer\n \
                      14:  3  4  GIC-0  23 Level  arm-pmu\nErr:  0\n";
    let on_board = &["--platform ROOT/board.yaml"];
    vec![
        (
            "a disabled interconnect",
            cci(BUILT_IN).file(&format!("{tree}/{CCI}/status"), "disabled\0"),
            LIVE,
        ),
        ("a kernel without the driver", cci("# CONFIG_ARM_CCI_PMU is not set\n"), LIVE),
        ("a node without a driver", cci(BUILT_IN), LIVE),
        (
            "a module that is not loaded",
            board("board\0").node("pmcg@16082000", "arm,mmu-600-pmcg\0arm,smmu-v3-pmcg\0"),
            LIVE,
        ),
        (
            "a driver without a PMU",
            cci(BUILT_IN)
                .link(
                    &format!("{device}/of_node"),
                    format!("../../../../firmware/devicetree/base/{CCI}/pmu@9000"),
                )
                .link(&format!("{device}/driver"), "../../../bus/platform/drivers/ARM-CCI-PMU"),
            LIVE,
        ),
        ("an interconnect without a PMU node", board("board\0").node(CCI, "arm,cci-500\0"), LIVE),
        (
            "a PMU node that no driver matches",
            board("board\0")
                .node(CCI, "arm,cci-500\0")
                .node(&format!("{CCI}/pmu@10000"), "arm,cci-500-pmu\0"),
            LIVE,
        ),
        ("a PMUv3 node without a PMU", board("board\0").node("pmu", "arm,armv8-pmuv3\0"), LIVE),
        (
            "a PMUv3 node with its PMU",
            board("board\0").node("pmu", "arm,armv8-pmuv3\0").pmu("armv8_pmuv3", "cpus", "0-1\n"),
            LIVE,
        ),
        (
            "an interconnect and a core with PMUs",
            cci(BUILT_IN).pmu("CCI_400_r1", "cpumask", "0\n").pmu(
                "armv8_cortex_z9",
                "cpus",
                "0-3\n",
            ),
            LIVE,
        ),
        ("a board without its PMU node", board("xlnx,zynqmp\0"), LIVE),
        (
            "a board whose registers no driver uses",
            kernel(BUILT_IN).file("proc/iomem", IOMEM),
            &["zynqmp", "altra:rca0-tcu", "agilex5 --i-may-crash", "juno:cci --i-may-crash"],
        ),
        (
            "a device in memory",
            memory(),
            &[
                "cci400 --base 0x10000 --i-may-crash",
                "cci550 --base 0x40000000 --i-may-crash",
                "l2c-310 --base 0x10000 --i-may-crash",
                "--i-may-crash",
                "cci550",
                "cortex-a53 --base 0x1000 --i-may-crash",
                "cci400 --base /dev/uio1 --i-may-crash",
            ],
        ),
        // Without consent, all pages of the device are checked first.
        (
            "a device of a driver",
            memory().file("proc/iomem", "19000-1dfff : 19000.pmu pmu@9000\n"),
            &["cci400 --base 0x10000 --i-may-crash", "cci400 --base 0x10000"],
        ),
        (
            "no /dev/mem",
            kernel("").file("proc/iomem", "40000000-7fffffff : System RAM\n"),
            &["zynqmp --i-may-crash"],
        ),
        (
            "a device with a PMU in the kernel",
            memory().pmu("CCI_400_r1", "cpumask", "0\n"),
            &["zynqmp --i-may-crash"],
        ),
        (
            "a device of UIO",
            memory()
                .file(&format!("{uio}/addr"), "0x0000000000010000\n")
                .file(&format!("{uio}/size"), "0x10000\n"),
            &["cci400 --base /dev/uio0 --i-may-crash"],
        ),
        (
            "programs with perf events",
            kernel("")
                .file("proc/812/comm", "perf\n")
                .link("proc/812/fd/3", "anon_inode:[perf_event]")
                .link("proc/812/fd/4", "anon_inode:[perf_event]")
                .link("proc/812/fd/5", "/dev/null")
                .link("proc/9/fd/0", "/dev/null")
                .pmu("CCI_500", "cpumask", "0\n"),
            LIVE,
        ),
        ("a container", kernel(BUILT_IN), LIVE),
        ("a machine with ACPI", kernel("").file("sys/firmware/acpi/tables/APIC", ""), LIVE),
        ("nothing", System::new(), LIVE),
        ("a Raspberry Pi 5", cores(&[*pi]), LIVE),
        ("a server", cores(made_up::SERVER), LIVE),
        ("a core without tables", cores(made_up::NO_TABLE), LIVE),
        ("two clusters", cores(&[*little, *big]), LIVE),
        ("a cluster without a PMU", cores(&[*little, Cluster { pmu: "other", ..*big }]), LIVE),
        (
            "a virtual machine",
            cores(made_up::GUEST)
                .pmu("armv8_pmuv3", "caps/slots", "0x00000008\n")
                .file("proc/sys/kernel/perf_user_access", "0\n")
                .file("proc/interrupts", interrupts),
            LIVE,
        ),
        (
            "two kinds of cores in a node without interrupts",
            cores(&[Cluster { pmu: "armv8_pmuv3", ..*pi }])
                .file(
                    "sys/devices/system/cpu/cpu3/regs/identification/midr_el1",
                    "0x00000000412fd050\n",
                )
                .file("proc/interrupts", "           CPU0       CPU1\n"),
            LIVE,
        ),
        ("a node of another core", cores(&[Cluster { pmu: "armv8_cortex_a72", ..*pi }]), LIVE),
        ("the clusters of a board", cores_of(made_up::RK3588, made_up::HALF_RK3588), on_board),
        // The board's reason replaces the general reason.
        (
            "a cluster of a board without a PMU",
            cores_of(&[*little, Cluster { pmu: "other", ..*big }], made_up::HALF_RK3588),
            on_board,
        ),
        (
            "a board with one interrupt",
            cores_of(&[*pi], made_up::ONE_INTERRUPT).pmu("armv8_cortex_a76", "cpus", "0\n"),
            on_board,
        ),
    ]
}

#[test]
fn systems_are_described_as_stored() {
    let (mut text, mut seen) = (String::new(), HashSet::new());
    for (name, system, commands) in systems() {
        let uio = system.path().join("dev/uio0");
        let memory = fs::read(system.path().join("dev/mem"));
        if name == "a device of UIO" {
            fs::write(&uio, &memory.as_ref().expect("a file")[0x1_0000..]).expect("a file");
        }
        text += &format!("# {name}\n{}\n", outputs(&system, commands, &mut seen));
        if uio.exists() {
            let now = fs::read(system.path().join("dev/mem"));
            assert!(now.ok() == memory.ok(), "UIO maps no other memory");
        }
    }
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/doctor-live.txt");
    snapbox::assert_data_eq!(text, snapbox::Data::read_from(&stored, None).raw());
}

#[test]
fn a_pmu_or_a_diagnosis_is_an_answer() {
    let found =
        |system: System, command| found(&look(&system, MACHINE, command).expect("a system"));
    assert!(!found(cci(BUILT_IN), ""));
    assert!(found(cores(made_up::SERVER), ""));
    let with_pmu = cci(BUILT_IN).pmu("CCI_400_r1", "cpumask", "0\n");
    assert_eq!(look(&with_pmu, MACHINE, "").expect("a system").missing.len(), 0);
    assert!(found(memory(), "cci400 --base 0x10000 --i-may-crash"));
    let other = look(&kernel(""), "x86_64", "").expect("a system");
    let last = other.missing.last().expect("a problem");
    assert_eq!(last.problem, "this is a machine of x86_64, which has no Arm PMU");
}

#[test]
fn fewer_counters_than_the_core_has_are_a_problem() {
    let live = look(&cores(made_up::GUEST), MACHINE, "").expect("a system");
    let core = live.pmus[0].core.as_ref().expect("a core");
    let pmu = arm_pmu_tables::Pmu::find("neoverse-n1");
    let problem = |counters| {
        let all = super::cores::problems("armv8_pmuv3", pmu, Some(counters), core).into_iter();
        { all }
            .find(|one| one.problem.starts_with("only 5 of the 6 event counters of a neoverse-n1"))
    };
    assert!(problem(5).is_some() && problem(6).is_none());
}

#[test]
fn rights_depend_on_paranoid() {
    let names = ["software".to_owned()];
    let of = |paranoid| rights(Some(paranoid), &names);
    assert!(of(-1).contains("a user may count the whole system") && !of(-1).contains("sysctl"));
    assert!(
        of(2).contains("their own processes outside of the kernel") && of(2).contains("sysctl")
    );
    assert!(of(4).contains("users cannot count"));
    assert!(rights(None, &names).contains("cannot be read"));
    assert_eq!(rights(None, &[]), "Nothing can be counted.");
}
