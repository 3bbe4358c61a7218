//! `arm-pmu doctor --live`: lists the PMUs of this system and the reasons for missing ones.

mod clusters;
mod config;
mod cores;
mod registers;
mod show;
#[cfg(test)]
mod tests;
mod tree;

use std::path::Path;

use arm_pmu::diagnose::Outcome;
use arm_pmu_linux::mem::{DeviceDiagnosis, DeviceFinding};
use arm_pmu_linux::perf::Sysfs;
use arm_pmu_lookup::kernel::{
    KernelPmu, PMCG, PMCG_NODE, PMUV3, PMUV3_NODE, is_cluster, pmcg_name,
};
use arm_pmu_lookup::words;
use arm_pmu_tables::platform::Instance;
use arm_pmu_tables::{LinuxDriver, Platform, Pmu};
use serde::Serialize;

use crate::base::answer::Answer;
use crate::base::arguments::Doctor as Arguments;
use crate::base::documents::documents;
use crate::base::failure::Failure;
use crate::base::platform::target::Subject;
use crate::base::text::Screen;
use crate::linux::cores::kernel_pmu;
use crate::linux::files::{self, children, link, name};
use crate::linux::stat::{board, counters_of_core, elsewhere, free_counters, kernel, platform};
use config::Config;
use show::text;
use tree::Node;

documents! {
    derive(Clone, Debug, PartialEq, Serialize)

    /// Output of `arm-pmu doctor --live`.
    Live(root: &Path, machine: &str, platform: Option<&Platform>, sysfs: &Sysfs, config: Option<&Config>) {
        /// Name, release and version of the kernel.
        kernel: Option<String> = kernel(root),
        /// Processor architecture, by Rust's name.
        machine: String = machine.to_owned(),
        board: Option<String> = board(root),
        /// Name of the platform, given by the user or found by the device tree.
        platform: Option<String> = platform.map(|platform| platform.name.to_owned()),
        /// Value of `/proc/sys/kernel/perf_event_paranoid`.
        paranoid: Option<i32> = sysfs.paranoid(),
        /// Sentence that states what users may count with this value of `perf_event_paranoid`.
        rights: String = rights(sysfs.paranoid(), &sysfs.names().unwrap_or_default()),
        /// `/proc/sys/kernel/perf_user_access`: whether programs may read their own counters without the kernel; null
        /// if the kernel lacks the file.
        user_access: Option<bool> = sysfs.user_access(),
        /// File with the kernel's options.
        config: Option<String> = config.map(|config| config.file.clone()),
        /// The kernel's PMUs of interconnects, SMMUs, caches and cores.
        pmus: Vec<LivePmu> = Vec::new(),
        /// Reasons why other PMUs are missing.
        missing: Vec<Missing> = Vec::new(),
        /// Processes that have perf events open, as far as this user can see.
        holders: Vec<Holder> = holders(root),
        /// PMUs with memory-mapped registers, and their state.
        registers: Vec<Registers> = Vec::new(),
        /// Switches to set on the platform before counting.
        switches: Vec<Switch> = Vec::new(),
    }

    /// A PMU of the kernel.
    LivePmu {
        /// Kernel's name of the PMU.
        name: String,
        /// IP and unit; null if the tables lack the PMU.
        pmu: Option<String>,
        /// For an interconnect, the processors that read its counters; for a core PMU, its own
        /// processors.
        cpus: Option<Vec<u32>>,
        /// Number of event counters, from a trial if the PMU belongs to a core, otherwise from the
        /// tables; null if unknown.
        counters: Option<usize>,
        /// Number of free counters. Null in three cases: the PMU belongs to a core; the trial failed; or other programs
        /// count, so there was no trial.
        free: Option<usize>,
        /// Error of the trial.
        error: Option<String>,
        /// Products, events and interrupts of a core with PMUv3; null for other PMUs.
        core: Option<LiveCore>,
    }

    /// PMU of a core.
    LiveCore {
        /// Products that the processors' Main ID Registers identify.
        products: Vec<LiveProduct>,
        /// Number of slots in a cycle; null before PMUv3p4, or if a hypervisor hides the number. Linux shows no other
        /// sign of the PMU version.
        slots: Option<u32>,
        /// Common events that the kernel lists because PMCEID reports them.
        listed: Vec<String>,
        /// Events of the product that PMCEID could report but does not.
        hidden: Vec<String>,
        /// Interrupts of the PMU; null if `/proc/interrupts` cannot be read.
        interrupts: Option<Vec<LiveInterrupt>>,
        problems: Vec<LiveProblem>,
    }

    /// Product, and its processors.
    LiveProduct {
        /// Product with its revision, or the part number of an unknown product.
        name: String,
        /// Name of the IP; null if the product has no tables.
        pmu: Option<String>,
        /// Value of the Main ID Register.
        main_id: u32,
        cpus: Vec<u32>,
    }

    /// Interrupt of a PMU.
    LiveInterrupt {
        /// Number of the interrupt in Linux.
        number: String,
        /// Number of times that processors with the PMU took the interrupt.
        taken: u64,
    }

    /// Problem that limits the counts of a core.
    LiveProblem {
        problem: String,
        /// Next step to solve the problem.
        fix: String,
    }

    /// Cause of a missing PMU.
    Missing(what: impl Into<String>, problem: impl Into<String>, fix: impl Into<String>) {
        /// What is missing: a PMU, a device tree node, or a name on the board.
        what: String = what.into(),
        /// Description of the problem.
        problem: String = problem.into(),
        /// Fix for the problem.
        fix: String = fix.into(),
    }

    /// A process with open perf events.
    Holder {
        process: u32,
        name: String,
        /// Number of open perf event files.
        events: usize,
    }

    /// A switch to set before counting.
    Switch {
        /// Name of the PMU on the board.
        name: String,
        /// The switch, its value for counting, and the software that writes the switch.
        text: String,
    }

    /// Memory-mapped registers of a PMU.
    Registers {
        /// Name on the board, or the IP's name.
        name: String,
        address: u64,
        /// States who owns the registers and how to read them; after a diagnosis, states its
        /// outcome instead.
        text: String,
        /// Result of the driver's diagnosis; null if no register was accessed.
        diagnosis: Option<Diagnosis>,
    }

    /// Result of the driver's diagnosis of a PMU.
    Diagnosis(report: &DeviceDiagnosis) {
        /// `wrong` if there is a fault, `counts` if the PMU counts, otherwise `unproven`.
        outcome: &'static str = match report.outcome {
            Outcome::Wrong => "wrong",
            Outcome::Counts => "counts",
            _ => "unproven",
        },
        /// Findings, the most decisive first.
        findings: Vec<LiveFinding> = report.findings.iter().map(LiveFinding::new).collect(),
    }

    /// A reason why counters read zero.
    LiveFinding(of: &DeviceFinding) {
        /// Name of the finding, as in `arm-pmu show`.
        finding: &'static str = of.name,
        /// Value that was read.
        value: u32 = of.value,
        /// Cause, value, fix and source, on one line each.
        text: String = of.text.clone(),
    }
}

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    let live = look(Path::new("/"), std::env::consts::ARCH, arguments)?;
    let answer = match arguments.json {
        true => Answer::json(&live)?,
        false => Answer::text(text(&live, screen)),
    };
    Ok(answer.or_not_found(found(&live)))
}

/// Inspects the system under `root`. Tests each PMU for a few milliseconds.
fn look(root: &Path, machine: &str, arguments: &Arguments) -> Result<Live, Failure> {
    let given = Subject::given(arguments.ip.as_ref(), arguments.place.platform.as_ref())?;
    // For register accesses the user names the device, so the platform is not detected.
    let is_named = arguments.i_may_crash || arguments.base.is_some();
    let of_system = || platform(root).filter(|_| !is_named);
    let subject = given.or_else(|| Some(Subject::Board(of_system()?, None, None)));
    let platform = subject.and_then(Subject::platform);
    let sysfs = Sysfs::at(root);
    let config = Config::read(root);
    let mut live = Live::new(root, machine, platform, &sysfs, config.as_ref());
    let names = sysfs.names();
    if let Err(error) = &names {
        let problem = "the kernel shows no PMU at all";
        live.missing.push(Missing::new("perf events", problem, error.to_string()));
    }
    let names = names.unwrap_or_default();
    // The counters of another machine cannot be tried here.
    let is_here = machine == std::env::consts::ARCH;
    for name in &names {
        live.pmus.extend(pmu(root, &sysfs, name, live.holders.is_empty(), is_here));
    }
    live.missing.extend(cores::without_pmu(&sysfs));
    match (elsewhere(machine), tree::nodes(root)) {
        (Some((problem, fix)), _) => {
            live.missing.push(Missing::new("PMUs of Arm", problem, fix));
        }
        (None, Some(nodes)) => {
            live.missing
                .extend(nodes.iter().filter_map(|node| of_node(node, &names, config.as_ref())));
            if let Some(platform) = platform {
                let present = live.missing.clone();
                live.missing.extend(of_platform(platform, &names, &nodes, &present));
            }
        }
        (None, None) => live.missing.extend(without_tree(root, &names, config.as_ref())),
    }
    if let (Some(platform), None) = (platform, elsewhere(machine)) {
        clusters::compare(platform, &sysfs, &live.pmus, &mut live.missing);
    }
    for instance in subject.into_iter().flat_map(Subject::instances) {
        let texts = instance.switches.iter().map(words::switch);
        let name = || instance.name.to_owned();
        live.switches.extend(texts.map(|text| Switch { name: name(), text }));
    }
    live.registers = registers::registers(root, arguments, subject, &names)?;
    Ok(live)
}

/// Describes the events that a user may count.
fn rights(paranoid: Option<i32>, names: &[String]) -> String {
    if names.is_empty() {
        return "Nothing can be counted.".to_owned();
    }
    let all = "root, or a program with CAP_PERFMON, may count everything, unless a container forbids perf_event_open";
    let Some(paranoid) = paranoid else {
        return format!("perf_event_paranoid cannot be read; {all}.");
    };
    let user = match paranoid {
        ..=0 => "a user may count the whole system",
        1 => "a user may count their own processes, in the kernel too, but no interconnect",
        2 => "a user may count their own processes outside of the kernel, but no interconnect",
        _ => "users cannot count",
    };
    let fix = match paranoid {
        ..=0 => "",
        _ => "; `sysctl kernel.perf_event_paranoid=0` lets all users count the whole system",
    };
    format!("perf_event_paranoid is {paranoid}: {user}; {all}{fix}.")
}

/// Inspects a PMU of an interconnect, SMMU, cache or core. Without `may_try`, counters are not opened, because a trial
/// would take them from other programs.
fn pmu(root: &Path, sysfs: &Sysfs, name: &str, may_try: bool, is_here: bool) -> Option<LivePmu> {
    let device = sysfs.device(name).ok().flatten()?;
    let known = kernel_pmu(sysfs, &device);
    let is_core = known.map_or_else(|| name.starts_with("arm"), Pmu::is_processor);
    if known.is_none() && !is_core && !name.starts_with(PMCG) {
        return None;
    }
    let cpus = device.cpu_mask().ok().flatten().or_else(|| device.processors().ok().flatten());
    let mut live = LivePmu {
        name: name.to_owned(),
        pmu: known.map(|pmu| pmu.to_string()),
        cpus,
        counters: None,
        free: None,
        error: None,
        core: cores::of_pmu(root, sysfs, &device, known),
    };
    if let Some(known) = known.filter(|_| !is_core) {
        live.counters = Some(known.ip.counters.count as usize);
        if may_try {
            match free_counters(sysfs, known, name) {
                Ok(free) => live.free = Some(free),
                Err(error) => live.error = Some(error.to_string()),
            }
        }
    }
    if let Some(core) = &mut live.core {
        if is_here {
            match counters_of_core(sysfs, name) {
                Ok(counters) => live.counters = Some(counters),
                Err(error) => live.error = Some(error.to_string()),
            }
        }
        core.problems = cores::problems(name, known, live.counters, core);
    }
    Some(live)
}

/// Kernel driver for a compatible string.
fn driver_of(compatible: &str) -> LinuxDriver {
    let known = KernelPmu::all().find(|known| known.is_at(compatible)).map(|known| known.driver);
    let pmuv3 = (compatible == PMUV3_NODE).then_some(LinuxDriver::ArmPmuv3);
    known.or(pmuv3).unwrap_or(LinuxDriver::ArmSmmuv3Pmu)
}

/// Reason why the PMU of a node is missing.
fn of_node(node: &Node, names: &[String], config: Option<&Config>) -> Option<Missing> {
    let missing = |problem: String, fix: String| {
        Some(Missing::new(format!("{} ({})", node.path, node.compatible), problem, fix))
    };
    if let Some(disabled) = &node.disabled {
        return missing(
            format!("{disabled} is not enabled in the device tree"),
            "Set its `status` to \"okay\"; `arm-pmu device-tree BOARD` prints that for known boards.".to_owned(),
        );
    }
    if node.lacks_pmu {
        return missing(
            "the node of the interconnect has no PMU node that a driver matches".to_owned(),
            "Add the node `pmu`; `arm-pmu device-tree BOARD` prints it.".to_owned(),
        );
    }
    if has_pmu(node, names) {
        return None;
    }
    let (problem, fix) = without_driver(node.compatible, config).unwrap_or_else(|| {
        let problem = match &node.driver {
            Some(driver) => format!("the driver {driver} is bound, but has no PMU"),
            None => "no driver is bound to the node".to_owned(),
        };
        (problem, "The kernel says why: `dmesg | grep -i pmu`.".to_owned())
    });
    missing(problem, fix)
}

/// Kernel option that a driver needs but this kernel lacks, and the fix.
fn without_driver(compatible: &str, config: Option<&Config>) -> Option<(String, String)> {
    let driver = driver_of(compatible);
    let option = driver.config();
    let config = config?;
    match (config.get(option), driver.module()) {
        (None, _) => Some((
            format!("the kernel was built without {option} ({})", config.file),
            format!("Build it with {option}=y."),
        )),
        (Some("m"), Some(module)) => Some((
            format!("the driver is a module and is not bound ({option}=m)"),
            format!("Load it: `modprobe {module}`."),
        )),
        _ => None,
    }
}

/// Whether the kernel has the PMU of a node.
fn has_pmu(node: &Node, names: &[String]) -> bool {
    if node.compatible == PMCG_NODE {
        // The kernel's name for the node `pmcg@5f300000` is `smmuv3_pmcg_5f300`.
        let address =
            node.path.rsplit('@').next().and_then(|digits| u64::from_str_radix(digits, 16).ok());
        return match address {
            Some(address) => names.contains(&pmcg_name(address)),
            None => node.driver.is_some(),
        };
    }
    if node.compatible == PMUV3_NODE {
        return names.iter().any(|name| name == PMUV3);
    }
    // An interconnect with a PMU is represented by the node of the PMU.
    let of_node = KernelPmu::all().filter(|known| known.is_at(node.compatible));
    { of_node }.any(|known| names.iter().any(|name| known.is_named(name)))
}

/// PMUs that the platform has, but that are missing in both the kernel and the device tree.
fn of_platform(
    platform: &Platform,
    names: &[String],
    nodes: &[Node],
    present: &[Missing],
) -> Vec<Missing> {
    let of_instance = |instance: &Instance| {
        let linux = instance.linux.filter(|_| !is_cluster(instance))?.value;
        let base = instance.base.map(|base| format!("@{:x}", base.value));
        let has_base = |text: &str| base.as_ref().is_some_and(|base| text.contains(base));
        let is_known = names.iter().any(|name| name == linux)
            || nodes.iter().any(|node| has_base(&node.path))
            || present.iter().any(|one| has_base(&one.what));
        let what = format!("{}:{}", platform.name, instance.name);
        let problem = format!("the device tree has no node for {linux}");
        let fix = format!("`arm-pmu device-tree {what}` prints it.");
        (!is_known).then(|| Missing::new(what, problem, fix))
    };
    platform.instances.iter().filter_map(of_instance).collect()
}

/// Returns the missing PMUs of a machine without a visible device tree: ACPI describes the machine,
/// or it is a container or a virtual machine.
fn without_tree(root: &Path, names: &[String], config: Option<&Config>) -> Vec<Missing> {
    if !root.join("sys/firmware/acpi/tables").exists() {
        return vec![Missing::new(
            "device tree",
            "this system shows neither a device tree nor tables of ACPI",
            "A container or a virtual machine hides them: look on the host.",
        )];
    }
    let mut missing = vec![Missing::new(
        "CCI-400, CCI-500, CCI-550",
        "ACPI describes this machine, and the kernel's driver needs a device tree",
        "Measure in firmware, or program the registers (`arm-pmu recipe`).",
    )];
    if !names.iter().any(|name| name.starts_with(PMCG)) {
        let lacks = without_driver(PMCG_NODE, config);
        let (problem, fix) = lacks.unwrap_or((
            "the kernel has no PMU of an SMMU".to_owned(),
            "Firmware has to list the PMCGs in the IORT, or the machine has none.".to_owned(),
        ));
        missing.push(Missing::new("SMMU", problem, fix));
    }
    missing
}

/// Processes with open perf events: all processes for root, the user's own processes otherwise.
fn holders(root: &Path) -> Vec<Holder> {
    let mut holders = Vec::new();
    let own = std::process::id();
    for folder in children(root.join("proc")) {
        let Ok(process) = name(&folder).parse::<u32>() else { continue };
        let files = children(folder.join("fd")).into_iter().filter_map(|file| link(&file));
        let events = files.filter(|target| target == "anon_inode:[perf_event]").count();
        if events > 0 && process != own {
            let name = files::text(folder.join("comm")).unwrap_or_default();
            holders.push(Holder { process, name, events });
        }
    }
    holders.sort_by_key(|holder| holder.process);
    holders
}

/// Whether a PMU of the tables was found or diagnosed.
fn found(live: &Live) -> bool {
    live.pmus.iter().any(|pmu| pmu.pmu.is_some())
        || live.registers.iter().any(|registers| registers.diagnosis.is_some())
}
