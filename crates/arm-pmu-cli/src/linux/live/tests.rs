//! Tests on systems made of test directories.

use std::fs;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;
use crate::base::made_up::{self, Cluster};
use crate::base::text::Screen;

pub struct System(pub TempDir);

impl System {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    pub fn file(self, path: &str, text: &str) -> Self {
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

    pub fn kernel(self, config: &str) -> Self {
        self.file("proc/sys/kernel/ostype", "Linux\n")
            .file("proc/sys/kernel/osrelease", "6.1.0\n")
            .file("proc/sys/kernel/perf_event_paranoid", "2\n")
            .file("boot/config-6.1.0", config)
            .file("sys/bus/event_source/devices/software/type", "1\n")
    }

    fn node(self, path: &str, compatible: &str) -> Self {
        self.file(&format!("sys/firmware/devicetree/base/{path}/compatible"), compatible)
    }

    pub fn with(clusters: &[Cluster]) -> Self {
        let system = Self::new().kernel("").node("", "board\0");
        made_up::add(system.0.path(), clusters);
        system
    }

    pub fn look(&self) -> Live {
        look_at(self.0.path(), "aarch64", About::default()).expect("a system")
    }

    fn look_for(&self, board: &str) -> Live {
        let subject = Some(Subject::read(board).expect("a platform"));
        let about = About { subject, ..About::default() };
        look_at(self.0.path(), "aarch64", about).expect("a system")
    }

    fn diagnose(&self, what: &str, base: Option<&str>) -> Result<Live, Failure> {
        let subject = Some(Subject::read(what).expect("a PMU"));
        look_at(self.0.path(), "aarch64", About { subject, base, may_crash: true })
    }

    pub fn text(&self) -> String {
        anstream::adapter::strip_str(&text(&self.look(), Screen::FILE)).to_string()
    }
}

const CCI: &str = "amba/cci@fd6e0000";
const BUILT_IN: &str = "CONFIG_ARM_CCI_PMU=y\nCONFIG_ARM_SMMU_V3_PMU=m\n";

fn with_cci(config: &str) -> System {
    System::new()
        .kernel(config)
        .node("", "xlnx,zynqmp\0")
        .file("sys/firmware/devicetree/base/model", "ZynqMP\0")
        .node(CCI, "arm,cci-400\0")
        .node(&format!("{CCI}/pmu@9000"), "arm,cci-400-pmu,r1\0arm,cci-400-pmu\0")
}

pub fn only(live: &Live) -> (&str, &str, &str) {
    let [Missing { what, problem, fix }] = live.missing.as_slice() else {
        panic!("{:?}", live.missing);
    };
    (what, problem, fix)
}

#[test]
fn a_disabled_node_is_named() {
    let system = with_cci(BUILT_IN)
        .file(&format!("sys/firmware/devicetree/base/{CCI}/status"), "disabled\0");
    let live = system.look();
    let (what, problem, fix) = only(&live);
    assert_eq!(what, "/amba/cci@fd6e0000/pmu@9000 (arm,cci-400-pmu,r1)");
    assert_eq!(problem, "/amba/cci@fd6e0000 is not enabled in the device tree");
    assert!(fix.contains("\"okay\"") && fix.contains("arm-pmu device-tree"), "{fix}");
    assert!(!found(&live));
}

#[test]
fn a_kernel_without_the_driver_names_the_option() {
    let live = with_cci("# CONFIG_ARM_CCI_PMU is not set\n").look();
    let (_, problem, fix) = only(&live);
    assert_eq!(problem, "the kernel was built without CONFIG_ARM_CCI_PMU (/boot/config-6.1.0)");
    assert_eq!(fix, "Build it with CONFIG_ARM_CCI_PMU=y.");
}

#[test]
fn unbound_and_unloaded_drivers_differ() {
    let live = with_cci(BUILT_IN).look();
    assert_eq!(only(&live).1, "no driver is bound to the node");
    let smmu = System::new()
        .kernel(BUILT_IN)
        .node("", "board\0")
        .node("pmcg@16082000", "arm,mmu-600-pmcg\0arm,smmu-v3-pmcg\0");
    let live = smmu.look();
    let (what, problem, fix) = only(&live);
    assert_eq!(what, "/pmcg@16082000 (arm,smmu-v3-pmcg)");
    assert!(
        problem.contains("CONFIG_ARM_SMMU_V3_PMU=m") && fix.contains("modprobe arm_smmuv3_pmu")
    );
    let bound = with_cci(BUILT_IN)
        .link(
            "sys/bus/platform/devices/fd6e9000.pmu/of_node",
            "../../../../firmware/devicetree/base/amba/cci@fd6e0000/pmu@9000",
        )
        .link(
            "sys/bus/platform/devices/fd6e9000.pmu/driver",
            "../../../bus/platform/drivers/ARM-CCI-PMU",
        );
    let live = bound.look();
    assert_eq!(only(&live).1, "the driver ARM-CCI-PMU is bound, but has no PMU");
}

#[test]
fn interconnects_without_pmu_node_are_named() {
    let without = System::new().kernel(BUILT_IN).node("", "board\0").node(CCI, "arm,cci-500\0");
    // The node has the name of the binding, but another compatible string.
    let unmatched = System::new()
        .kernel(BUILT_IN)
        .node("", "board\0")
        .node(CCI, "arm,cci-500\0")
        .node(&format!("{CCI}/pmu@10000"), "arm,cci-500-pmu\0");
    for system in [without, unmatched] {
        let live = system.look();
        let (what, problem, _) = only(&live);
        assert_eq!(what, "/amba/cci@fd6e0000 (arm,cci-500)");
        assert_eq!(problem, "the node of the interconnect has no PMU node that a driver matches");
    }
}

#[test]
fn pmuv3_nodes_without_pmu_are_named() {
    let system =
        System::new().kernel(BUILT_IN).node("", "board\0").node("pmu", "arm,armv8-pmuv3\0");
    assert_eq!(only(&system.look()).0, "/pmu (arm,armv8-pmuv3)");
    let system = system.file("sys/bus/event_source/devices/armv8_pmuv3/type", "8\n");
    assert!(system.look().missing.is_empty());
}

#[test]
fn a_present_pmu_is_not_missing() {
    let device = "sys/bus/event_source/devices";
    let system = with_cci(BUILT_IN)
        .file(&format!("{device}/CCI_400_r1/type"), "10\n")
        .file(&format!("{device}/CCI_400_r1/cpumask"), "0\n")
        .file(&format!("{device}/armv8_cortex_z9/type"), "8\n")
        .file(&format!("{device}/armv8_cortex_z9/cpus"), "0-3\n");
    let live = system.look();
    assert_eq!(live.missing, []);
    assert!(found(&live));
    let [cci, core] = live.pmus.as_slice() else { panic!("{:?}", live.pmus) };
    assert_eq!((cci.pmu.as_deref(), cci.cpus.as_deref()), (Some("cci400:r1"), Some(&[0][..])));
    assert_eq!((cci.counters, cci.free), (Some(4), None), "{cci:?}");
    assert_eq!((core.pmu.as_deref(), core.counters), (Some("arm-pmuv3"), None));
    let text = system.text();
    assert!(text.starts_with("Linux 6.1.0, ") && text.contains(", ZynqMP\n"), "{text}");
    assert!(text.contains("armv8_cortex_z9  arm-pmuv3  CPU 0-3"), "{text}");
}

#[test]
fn clusters_of_a_board_are_compared() {
    let missing = |clusters: &[Cluster], board: &str| -> Vec<String> {
        let subject = Some(Subject::Board(made_up::board(board), None, None));
        let about = About { subject, ..About::default() };
        let system = System::with(clusters);
        let live = look_at(system.0.path(), "aarch64", about).expect("a system");
        let text = |one: Missing| format!("{}: {}. {}", one.what, one.problem, one.fix);
        live.missing.into_iter().map(text).collect()
    };
    let [little, big] = made_up::RK3588 else { panic!("two clusters") };
    assert!(missing(made_up::RK3588, made_up::HALF_RK3588).is_empty());
    // The board's reason replaces the general one.
    let all = missing(&[*little, Cluster { pmu: "other", ..*big }], made_up::HALF_RK3588);
    assert_eq!(
        all,
        [
            "board:a76: Linux has no armv8_cortex_a76: the device trees of Linux have no node for the PMU. \
             `arm-pmu device-tree board:a76` prints what to add."
        ]
    );
    let all = missing(made_up::RASPBERRY_PI_5, made_up::ONE_INTERRUPT);
    assert!(all.is_empty(), "no symptom: {all:?}");
    let system = System::with(made_up::RASPBERRY_PI_5)
        .file("sys/bus/event_source/devices/armv8_cortex_a76/cpus", "0\n");
    let subject = Some(Subject::Board(made_up::board(made_up::ONE_INTERRUPT), None, None));
    let about = About { subject, ..About::default() };
    let live = look_at(system.0.path(), "aarch64", about).expect("a system");
    let own: Vec<_> = live.missing.iter().filter(|one| one.what == "board:core").collect();
    let [rule, fault] = own[..] else { panic!("{:?}", live.missing) };
    assert!(rule.problem.starts_with("Linux counts on CPU 0 only"), "{rule:?}");
    assert_eq!(rule.fix, "Bind the program: `taskset -c 0`.");
    assert_eq!(fault.problem, "Firmware is old. A CPU is lost");
}

#[test]
fn expected_pmus_of_a_board_are_compared() {
    let system = System::new().kernel(BUILT_IN).node("", "xlnx,zynqmp\0");
    let live = system.look_for("zynqmp");
    let missing = live.missing.iter().find(|one| one.what == "zynqmp:cci").expect("the CCI");
    assert_eq!(missing.problem, "the device tree has no node for CCI_400_r1");
    assert_eq!(missing.fix, "`arm-pmu device-tree zynqmp:cci` prints it.");
    // A PMU that the tree reports as missing is not reported again for the board.
    let live = with_cci(BUILT_IN).look_for("zynqmp");
    assert!(live.missing.iter().all(|one| one.what != "zynqmp:cci"), "{:?}", live.missing);
    // The CCI counts only while NIDEN is HIGH.
    let switch = live.switches.first().expect("a switch");
    assert!(
        switch.name == "cci" && switch.text.contains("NIDEN") && switch.text.contains("0xFD5E0040"),
        "{switch:?}"
    );
    // Without /proc/iomem, no register may be mapped.
    let registers = live.registers.iter().find(|one| one.name == "cci").expect("the CCI");
    assert!(
        registers.address == 0xFD6E_0000 && registers.text.contains("proc/iomem"),
        "{registers:?}"
    );
}

/// A system with a file in place of memory, at the base of a CCI-400 with four counters (bits 15 to 11 of PMCR).
const BASE: u64 = 0x1_0000;

fn with_memory() -> System {
    let system =
        System::new().kernel(BUILT_IN).file("proc/iomem", "40000000-7fffffff : System RAM\n");
    let mut bytes = vec![0; 0x2_0000];
    bytes[0x1_0101] = 4 << 3;
    fs::create_dir_all(system.0.path().join("dev")).expect("a directory");
    fs::write(system.0.path().join("dev/mem"), bytes).expect("a file");
    system
}

#[test]
fn undriven_registers_are_not_read_without_consent() {
    let system =
        System::new().kernel(BUILT_IN).file("proc/iomem", "00000000-7fffffff : System RAM\n");
    let live = system.look_for("zynqmp");
    let [registers] = live.registers.as_slice() else { panic!("{:?}", live.registers) };
    assert!(
        registers.text.contains("`arm-pmu doctor --live zynqmp:cci --i-may-crash`"),
        "{registers:?}"
    );
    assert!(registers.text.contains("`arm-pmu doctor zynqmp:cci --ask devmem`"), "{registers:?}");
    assert_eq!(registers.diagnosis, None);
    // A board with several such PMUs lists each one.
    let live = system.look_for("agilex5");
    assert!(live.registers.len() > 3, "{:?}", live.registers);
    let error = system.diagnose("agilex5", None).expect_err("several").to_string();
    assert!(error.contains("name one: agilex5:tcu, agilex5:dma-tbu"), "{error}");
    let error = system.diagnose("juno:cci", None).expect_err("two revisions").to_string();
    assert!(error.contains("try one: juno:cci:r1, juno:cci:r0"), "{error}");
}

#[test]
fn the_diagnosis_of_the_driver_is_shown() {
    let system = with_memory();
    let live = system.diagnose("cci400", Some("0x10000")).expect("a diagnosis");
    let [registers] = live.registers.as_slice() else { panic!("{:?}", live.registers) };
    assert_eq!((registers.name.as_str(), registers.address), ("cci400:r1", BASE));
    let diagnosis = registers.diagnosis.as_ref().expect("a diagnosis");
    let [finding] = diagnosis.findings.as_slice() else { panic!("{diagnosis:?}") };
    assert_eq!(
        (diagnosis.outcome.as_str(), finding.finding.as_str(), finding.value),
        ("wrong", "CLOCK_STANDS_STILL", 0)
    );
    assert!(found(&live), "it was found without a driver");
    let text = anstream::adapter::strip_str(&text(&live, Screen::FILE)).to_string();
    let (_, registers) = text.split_once("\nRegisters\n").expect("registers");
    assert!(
        registers.starts_with(
            "- cci400:r1 at 0x10000: its driver tested the counters and found why they read\n  zero.\n  \
             CLOCK_STANDS_STILL\n    "
        ),
        "{registers}"
    );
    assert!(registers.contains("\n    fix by: "), "{registers}");
}

#[test]
fn unreached_registers_have_a_reason() {
    let text = |system: &System, name: &str, base| {
        let live = system.diagnose(name, base).expect("an answer");
        assert_eq!(live.registers[0].diagnosis, None);
        live.registers[0].text.clone()
    };
    let refused = text(&with_memory(), "cci550", Some("0x40000000"));
    assert!(refused.starts_with("not accessed: 0x40000000 is memory of the system"), "{refused}");
    let driver = with_memory().file("proc/iomem", "19000-1dfff : 19000.pmu pmu@9000\n");
    let refused = text(&driver, "cci400", Some("0x10000"));
    assert!(refused.contains("the kernel's driver of 19000.pmu"), "{refused}");
    // Without consent, the command checks all pages of the device first.
    let subject = Some(Subject::read("cci400").expect("an IP"));
    let about = About { subject, base: Some("0x10000"), may_crash: false };
    let live = look_at(driver.0.path(), "aarch64", about).expect("an answer");
    assert_eq!(live.registers[0].text, refused);
    let none = System::new().kernel("").file("proc/iomem", "40000000-7fffffff : System RAM\n");
    assert!(text(&none, "zynqmp", None).contains("/dev/mem cannot be opened"));
    let counts = with_memory().file("sys/bus/event_source/devices/CCI_400_r1/type", "10\n");
    assert_eq!(
        text(&counts, "zynqmp", None),
        "the kernel counts with them, as CCI_400_r1; `arm-pmu stat` shows whether they count"
    );
    let cache = text(&with_memory(), "l2c-310", Some("0x10000"));
    assert!(cache.contains("whenever it maintains the cache"), "{cache}");
}

#[test]
fn uio_devices_are_named_by_file() {
    let system = with_memory()
        .file("sys/class/uio/uio0/maps/map0/addr", "0x0000000000010000\n")
        .file("sys/class/uio/uio0/maps/map0/size", "0x10000\n");
    let bytes = fs::read(system.0.path().join("dev/mem")).expect("a file");
    fs::write(system.0.path().join("dev/uio0"), &bytes[0x1_0000..]).expect("a file");
    let live = system.diagnose("cci400", Some("/dev/uio0")).expect("a diagnosis");
    assert_eq!(live.registers[0].address, BASE);
    assert!(live.registers[0].diagnosis.is_some(), "{:?}", live.registers);
    assert_eq!(fs::read(system.0.path().join("dev/mem")).expect("a file"), bytes);
    let error = system.diagnose("cci400", Some("/dev/uio1")).expect_err("no such device");
    assert!(error.to_string().starts_with("/dev/uio1 is no UIO device"), "{error}");
}

#[test]
fn a_device_has_to_be_named() {
    let system = with_memory();
    let error =
        |about| look_at(system.0.path(), "aarch64", about).expect_err("no device").to_string();
    let which = error(About { may_crash: true, ..About::default() });
    assert!(which.starts_with("which device is it? Name it"), "{which}");
    let subject = Some(Subject::read("cci550").expect("an IP"));
    let place = error(About { subject, ..About::default() });
    assert!(place.starts_with("where is the ") && place.contains("--base /dev/uio0"), "{place}");
    let subject = Some(Subject::read("cortex-a53").expect("an IP"));
    let core = error(About { subject, base: Some("0x1000"), may_crash: true });
    assert!(core.contains("belong to the core"), "{core}");
}

#[test]
fn processes_with_perf_events_are_listed() {
    let system = System::new()
        .kernel("")
        .file("proc/812/comm", "perf\n")
        .link("proc/812/fd/3", "anon_inode:[perf_event]")
        .link("proc/812/fd/4", "anon_inode:[perf_event]")
        .link("proc/812/fd/5", "/dev/null")
        .link("proc/9/fd/0", "/dev/null")
        .file("sys/bus/event_source/devices/CCI_500/type", "10\n");
    let live = system.look();
    assert!(live.pmus.iter().all(|pmu| pmu.error.is_none() && pmu.free.is_none()));
    assert_eq!(live.holders, [Holder { process: 812, name: "perf".to_owned(), events: 2 }]);
    let text = system.text();
    assert!(text.contains("812 perf (2 events)"), "{text}");
    assert!(
        text.contains("CCI_500  cci500  8 counters, not tried while other programs count"),
        "{text}"
    );
}

#[test]
fn acpi_and_containers_are_recognized() {
    let container = System::new().kernel(BUILT_IN);
    assert!(only(&container.look()).2.contains("look on the host"));
    let acpi = System::new().kernel("").file("sys/firmware/acpi/tables/APIC", "");
    let live = acpi.look();
    let [cci, smmu] = live.missing.as_slice() else { panic!("{:?}", live.missing) };
    assert!(cci.problem.contains("ACPI") && smmu.problem.contains("CONFIG_ARM_SMMU_V3_PMU"));
    let other = look_at(acpi.0.path(), "x86_64", About::default()).expect("a system");
    let last = other.missing.last().expect("a problem");
    assert_eq!(last.problem, "this is a machine of x86_64, which has none");
    let nothing = System::new();
    let live = nothing.look();
    assert_eq!(live.rights, "Nothing can be counted.");
    assert!(live.missing[0].fix.contains("CONFIG_PERF_EVENTS"), "{:?}", live.missing);
}

#[test]
fn rights_depend_on_paranoid() {
    let names = ["software".to_owned()];
    let of = |paranoid| rights(Some(paranoid), &names);
    assert!(of(-1).contains("a user may count the whole system") && !of(-1).contains("sysctl"));
    assert!(of(2).contains("own processes without the kernel's part") && of(2).contains("sysctl"));
    assert!(of(4).contains("a user may count nothing"));
    assert!(rights(None, &names).contains("cannot be read"));
}
