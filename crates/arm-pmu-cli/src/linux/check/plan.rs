//! Chooses the PMUs, events and processors for a check.

use std::path::Path;

use arm_pmu_linux::perf::Sysfs;
use arm_pmu_lookup::kernel::{KernelPmu, is_name_of_core};
use arm_pmu_lookup::perf_name::What;
use arm_pmu_tables::Platform;
use arm_pmu_tables::platform::Instance;

use super::Missing;
use super::expect::Quantity;
use crate::base::text::distinct;
use crate::linux::cores::{self, kernel_pmu};
use crate::linux::files;
use crate::linux::stat::{Column, Names, Wanted};

/// An event to check, with its PMU and processors.
#[derive(Debug)]
pub struct Plan {
    /// Kernel's name of the PMU.
    pub pmu: String,
    /// Name of the IP in the tables.
    pub ip: Option<String>,
    /// Candidate processors for the traffic; `None` if the kernel lists none.
    pub cpus: Option<Vec<u32>>,
    pub quantity: Quantity,
    /// Name of the event in the report.
    pub event: String,
    /// The event: one column, or one column for each interface that the traffic can pass.
    pub wanted: Wanted,
}

/// Candidate event names on cores; the first existing name is used. Without tables, the lower-case form is looked up
/// among the kernel's names.
const OF_CORES: &[(Quantity, &[&str])] = &[
    (Quantity::Instructions, &["INST_RETIRED", "INSTRUCTION_EXECUTED"]),
    (Quantity::Cycles, &["CPU_CYCLES", "CYCLE", "CYCLES"]),
    (Quantity::Branches, &["BR_RETIRED", "BRANCH_EXECUTED"]),
    (Quantity::Branches, &["BR_IMMED_RETIRED", "IMMEDIATE_BRANCH"]),
    (Quantity::Taken, &["PC_WRITE_RETIRED", "SOFTWARE_PC_CHANGE"]),
    (Quantity::Mispredicted, &["BR_MIS_PRED", "BRANCH_MISPREDICTED"]),
    (Quantity::Mispredicted, &["BR_MIS_PRED_RETIRED"]),
    (Quantity::Loads, &["LD_RETIRED", "DATA_READ"]),
    (Quantity::Stores, &["ST_RETIRED", "DATA_WRITE"]),
    (Quantity::ReadAccesses, &["LD_SPEC"]),
    (Quantity::WriteAccesses, &["ST_SPEC"]),
    (Quantity::Accesses, &["L1D_CACHE", "DATA_CACHE_ACCESS"]),
    (Quantity::ReadAccesses, &["L1D_CACHE_RD"]),
    (Quantity::Refills, &["L1D_CACHE_REFILL", "DATA_CACHE_REFILL", "DATA_CACHE_MISS"]),
    (Quantity::L2Refills, &["L2D_CACHE_REFILL", "L2_CACHE_MISS"]),
    (Quantity::TlbRefills, &["L1D_TLB_REFILL", "DATA_TLB_REFILL", "DATA_MICRO_TLB_MISS"]),
    (Quantity::Walks, &["DTLB_WALK", "MAIN_TLB_MISS"]),
    (Quantity::WriteBacks, &["L1D_CACHE_WB"]),
    (Quantity::WriteBacks, &["L2D_CACHE_WB"]),
    (Quantity::BusAccesses, &["BUS_ACCESS"]),
    (Quantity::BusReads, &["BUS_ACCESS_RD"]),
    (Quantity::BusWrites, &["BUS_ACCESS_WR"]),
];

/// Events at each interface of a CCI.
const OF_INTERFACES: [(Quantity, &str); 2] =
    [(Quantity::ReadRequests, "READ_REQUEST_ANY"), (Quantity::WriteRequests, "WRITE_REQUEST_ANY")];

/// A core PMU of the kernel.
struct Core {
    name: String,
    cpus: Option<Vec<u32>>,
}

impl Core {
    /// Whether the title of an interface names the product: `CPU cluster, Cortex-A53`.
    fn is_named_in(&self, title: &str) -> bool {
        // `cortex-a53` for `armv8_cortex_a53`.
        let product = self.name.split_once('_').map_or("", |(_, of)| of).replace('_', "-");
        let words = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
        title.split(words).any(|word| word.eq_ignore_ascii_case(&product))
    }
}

/// Prefix of the titles of processor interfaces.
const CLUSTER: &str = "CPU cluster";

/// Returns the plans for this system, and the PMUs that cannot be checked.
pub fn plans(sysfs: &Sysfs, platform: Option<&'static Platform>) -> (Vec<Plan>, Vec<Missing>) {
    let mut plans = Vec::new();
    let mut missing = Vec::new();
    let mut miss = |what: &str, why: String| missing.push(Missing::new(what, &why));
    let present = match sysfs.names() {
        Ok(present) => present,
        Err(error) => {
            miss("perf events", error.to_string());
            return (plans, missing);
        }
    };
    let names = Names::new(sysfs, platform, std::env::consts::ARCH);
    let mut cores = Vec::new();
    let mut interconnects = Vec::new();
    for name in &present {
        let Ok(Some(device)) = sysfs.device(name) else { continue };
        let known = kernel_pmu(sysfs, &device);
        let is_core =
            known.is_some_and(|pmu| pmu.is_processor()) || known.is_none() && is_name_of_core(name);
        if !is_core {
            if name.starts_with("CCI_") {
                interconnects.push(name.as_str());
            }
            continue;
        }
        let core = Core { name: name.clone(), cpus: device.processors().ok().flatten() };
        for (quantity, events) in OF_CORES {
            let found = events.iter().find_map(|event| {
                let event =
                    if known.is_some() { (*event).to_owned() } else { event.to_lowercase() };
                let wanted = names.wanted(&[format!("{name}:{event}")], &[]).ok()?.pop()?;
                // Without tables, only PMCEID reports which events the core has.
                if known.is_some_and(|pmu| pmu.is_of_any_core()) && wanted.is_hidden {
                    return None;
                }
                Some((own_name(&wanted).unwrap_or(event), wanted))
            });
            let Some((event, wanted)) = found else { continue };
            plans.push(Plan {
                pmu: name.clone(),
                ip: known.map(|pmu| pmu.to_string()),
                cpus: core.cpus.clone(),
                quantity: *quantity,
                event,
                wanted,
            });
        }
        cores.push(core);
    }
    if cores.is_empty() {
        let without_pmu = cores::without_pmu(sysfs);
        for core in &without_pmu {
            let (problem, fix) = core.without_pmu();
            miss("PMU of a core", format!("{problem}. {fix}"));
        }
        if without_pmu.is_empty() {
            let has = if present.is_empty() { "none".to_owned() } else { present.join(", ") };
            let next = "`arm-pmu doctor --live` says what the kernel lacks";
            miss("PMU of a core", format!("the kernel has no Arm PMU; it has {has}. {next}"));
        }
    }
    match platform {
        Some(platform) => {
            let of_cci = |instance: &&Instance| instance.ip.value.starts_with("cci");
            for instance in platform.instances.iter().filter(of_cci) {
                let what = format!("{}:{}", platform.name, instance.name);
                match of_interconnect(&names, instance, &cores, &present) {
                    Ok(of_interfaces) => plans.extend(of_interfaces),
                    Err(why) => miss(&what, why),
                }
            }
            if !platform.instances.iter().any(|instance| of_cci(&instance)) {
                miss(platform.name, "has no interconnect that is checked".to_owned());
            }
        }
        None => {
            for name in interconnects {
                miss(
                    name,
                    "give --platform, which names the interface of the processors".to_owned(),
                );
            }
        }
    }
    (plans, missing)
}

/// Number of a core's event; `None` for an interconnect. In place of the cycle counter of an ARMv7 core, the event
/// that counts cycles.
pub fn number(wanted: &Wanted) -> Option<u16> {
    let column = wanted.columns.first().filter(|_| !wanted.is_of_system())?;
    u16::try_from(column.number().unwrap_or(0x11)).ok()
}

/// Name of the event in the tables; `None` if the tables lack it.
fn own_name(wanted: &Wanted) -> Option<String> {
    match wanted.columns.first()? {
        Column::Known(What::Event(selection)) => Some(selection.of.event.name.to_owned()),
        _ => None,
    }
}

/// Returns the plans for checking how the interconnect counts the requests of the processors.
fn of_interconnect(
    names: &Names,
    instance: &'static Instance,
    cores: &[Core],
    present: &[String],
) -> Result<Vec<Plan>, String> {
    let clusters = instance.interfaces.iter().filter(|one| one.title.starts_with(CLUSTER));
    let clusters: Vec<_> = clusters.collect();
    if clusters.is_empty() {
        return Err("no interface is known to connect the processors".to_owned());
    }
    // The kernel's PMU gives the revision of the IP.
    let is_of_ip = |name: &&String| {
        let pmu = KernelPmu::named(name).map(|known| known.pmu);
        pmu.is_some_and(|pmu| pmu.ip.name == instance.ip.value)
    };
    let Some(pmu) = present.iter().find(is_of_ip) else {
        let ip = instance.ip.value;
        return Err(format!(
            "the kernel has no PMU of a {ip}; `arm-pmu doctor --live` says what the kernel lacks"
        ));
    };
    let mut plans = Vec::new();
    // Without a core PMU, the traffic may run on any processor.
    let any = [Core { name: String::new(), cpus: None }];
    for core in if cores.is_empty() { &any } else { cores } {
        let named = clusters.iter().any(|one| core.is_named_in(one.title));
        let of_core = clusters.iter().filter(|one| !named || core.is_named_in(one.title));
        // On some boards, the interface of a core depends on the silicon.
        let sources = distinct(of_core.map(|one| one.source));
        for (quantity, event) in OF_INTERFACES {
            let texts: Vec<_> =
                sources.iter().map(|source| format!("{pmu}:{source}:{event}")).collect();
            let mut wanted = names.wanted(&texts, &[]).map_err(|failure| failure.to_string())?;
            let Some(wanted) = wanted.pop() else { continue };
            plans.push(Plan {
                pmu: pmu.clone(),
                ip: Some(instance.ip.value.to_owned()),
                cpus: core.cpus.clone(),
                quantity,
                event: format!("{}:{event}", sources.join("+")),
                wanted,
            });
        }
    }
    Ok(plans)
}

/// Sizes in bytes of a processor's data caches, beginning with the first level.
pub fn caches(root: &Path, cpu: u32) -> Vec<u64> {
    let mut all = Vec::new();
    for cache in files::children(root.join(format!("sys/devices/system/cpu/cpu{cpu}/cache"))) {
        let text = |name| files::text(cache.join(name)).unwrap_or_default();
        if let Some(bytes) = size(&text("size")).filter(|_| text("type") != "Instruction") {
            all.push((text("level"), bytes));
        }
    }
    all.sort();
    all.into_iter().map(|(_, bytes)| bytes).collect()
}

/// Total size in bytes of the first processor's data caches.
pub fn cache_bytes(root: &Path) -> Option<u64> {
    Some(caches(root, 0).iter().sum()).filter(|bytes| *bytes > 0)
}

/// Lowest and highest clock of a processor in Hz; `None` if the kernel does not scale the clock.
pub fn clocks(root: &Path, cpu: u32) -> Option<(f64, f64)> {
    let of = |name: &str| {
        let path = format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_{name}_freq");
        Some(files::number::<f64>(root.join(path))? * 1e3)
    };
    Some((of("min")?, of("max")?))
}

/// Parses a size such as `32K` or `1M`.
fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['K', 'M']);
    let number: u64 = digits.parse().ok()?;
    Some(match &text[digits.len()..] {
        "K" => number << 10,
        "M" => number << 20,
        _ => number,
    })
}

/// Bytes of memory that are available to programs.
pub fn free_bytes(root: &Path) -> Option<u64> {
    let text = files::text(root.join("proc/meminfo"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

/// Traffic if the cache size is unknown: 16 times 4 MiB, the usual maximum for these cores.
const USUAL: u64 = 64 << 20;

/// Bytes to read and write: sixteen times the cache size, but at most half of the available memory.
pub fn bytes(cache_bytes: Option<u64>, free: Option<u64>) -> u64 {
    let wanted = cache_bytes.map_or(USUAL, |bytes| (16 * bytes).max(USUAL));
    wanted.min(free.map_or(u64::MAX, |free| free / 2)).next_multiple_of(1 << 20)
}

/// Number of lines that may stay in caches. If the kernel reports no size, one sixteenth of the lines is assumed.
pub fn held(cache_bytes: Option<u64>, bytes: u64) -> u64 {
    (cache_bytes.unwrap_or(bytes / 16) / 64).min(bytes / 64)
}
