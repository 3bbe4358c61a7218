//! Identifies the cores of this system by their Main ID Register, and finds their PMUs in the
//! tables.

use arm_pmu_linux::perf::{self, Device, Sysfs};
use arm_pmu_lookup::kernel::{
    KernelPmu, Node, PMCG, PMUV3_NODE, any_core, is_pmcg, node_of_cluster,
};
use arm_pmu_tables::Pmu;
use arm_pmu_tables::platform::Instance;

use super::core_pmu::{CorePmu, MainId};

/// Processors with the same core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    pub main_id: MainId,
    pub cpus: Vec<u32>,
}

impl Core {
    /// Returns the problem of a core without a PMU, and the fix.
    pub fn without_pmu(&self) -> (String, String) {
        let linux = self.main_id.known().and_then(|(pmu, _)| KernelPmu::of(pmu));
        let node = match linux.map(|linux| linux.node) {
            Some(Node::Core(node)) => node,
            _ => PMUV3_NODE,
        };
        let problem =
            format!("no PMU of the kernel has these processors ({})", self.main_id.name());
        let fix = format!(
            "On a board, the device tree needs a node \"{node}\" with its interrupt: `arm-pmu device-tree BOARD` prints it \
             for the boards of `arm-pmu platform`. A virtual machine gets a PMU from its host (QEMU with KVM: -cpu \
             host,pmu=on)."
        );
        (problem, fix)
    }
}

/// Returns the different cores among the processors whose Main ID Register can be read. Offline processors do not show
/// the register.
pub fn of_processors(sysfs: &Sysfs, cpus: &[u32]) -> Vec<Core> {
    let mut cores: Vec<Core> = Vec::new();
    for cpu in cpus {
        let Some(main_id) = sysfs.main_id(*cpu).map(MainId) else { continue };
        match cores.iter_mut().find(|core| core.main_id == main_id) {
            Some(core) => core.cpus.push(*cpu),
            None => cores.push(Core { main_id, cpus: vec![*cpu] }),
        }
    }
    cores
}

/// Returns the processors of a core's PMU, or all online processors if the kernel has no list for the PMU.
pub fn processors(sysfs: &Sysfs, device: &Device) -> Vec<u32> {
    let listed = device.processors().ok().flatten();
    listed.or_else(|| sysfs.online()).unwrap_or_default()
}

/// Returns the processors that show a Main ID Register and have no PMU.
pub fn without_pmu(sysfs: &Sysfs) -> Vec<Core> {
    let names = sysfs.names().unwrap_or_default();
    let of_cores = names.iter().filter(|name| any_core(name).is_some());
    let devices = of_cores.filter_map(|name| sysfs.device(name).ok()?);
    let with_pmu: Vec<_> = devices.flat_map(|device| processors(sysfs, &device)).collect();
    let mut cpus = sysfs.online().unwrap_or_default();
    cpus.retain(|cpu| !with_pmu.contains(cpu));
    of_processors(sysfs, &cpus)
}

/// Finds the kernel's PMU for a cluster of a platform: by name or, if the running device tree has another node, by
/// core.
pub fn of_cluster(sysfs: &Sysfs, instance: &Instance) -> Option<String> {
    let names = sysfs.names().unwrap_or_default();
    let name = node_of_cluster(instance).map(|(_, name)| name);
    let own = instance.pmu().filter(|pmu| !pmu.is_of_any_core());
    let has_own = |name: &&String| {
        let pmu = || kernel_pmu(sysfs, &sysfs.device(name).ok()??);
        own.is_some_and(|own| pmu().is_some_and(|pmu| pmu.is(own)))
    };
    let named = names.iter().find(|present| Some(present.as_str()) == name);
    named.or_else(|| names.iter().find(has_own)).cloned()
}

/// Whether the core hides a common event: PMCEID does not report the event, so the kernel does not list it. The
/// kernel never lists SW_INCR, CHAIN and some events from 0x4000 on, so these are not considered hidden.
pub fn is_hidden(device: &Device, code: u32) -> bool {
    let mut listed = device.event_numbers().peekable();
    let is_listable = (1..0x40).contains(&code) && code != 0x1E && listed.peek().is_some();
    is_listable && listed.all(|(_, number)| u32::from(number) != code)
}

/// Returns a note on events that a core's PMU hides.
pub fn hidden_note(pmu: &str, events: &[&str]) -> Option<String> {
    let (are, them, each) = match events.len() {
        0 => return None,
        1 => ("is", "it", "it is"),
        _ => ("are", "them", "they are"),
    };
    let names = events.join(", ");
    Some(format!(
        "{names} of {pmu} {are} not in the kernel's list: PMCEID does not report {them}, so a zero may mean that \
         {each} not counted. `arm-pmu doctor --live` says more."
    ))
}

/// Describes the PMU of a core. `pmu` is its name in reports.
pub fn pmu(sysfs: &Sysfs, device: &Device, pmu: String) -> CorePmu {
    let cores = of_processors(sysfs, &processors(sysfs, device));
    CorePmu { pmu, main_id: cores.first().map(|core| core.main_id), slots: device.slots() }
}

/// Visitor that returns the part numbers of a kind of PMU.
struct Parts;

impl perf::KindVisitor for Parts {
    type Output = &'static [u16];

    fn visit<K: perf::Kind>(self) -> Self::Output {
        K::PARTS
    }
}

/// Returns the tables of a kernel PMU. The identifier selects the unit of an SMMU, and the Main ID Register selects the
/// core. A core without tables has the events of its architecture.
pub fn kernel_pmu(sysfs: &Sysfs, device: &Device) -> Option<Pmu> {
    let name = device.name();
    if name.starts_with(PMCG) {
        let part = device.identifier()? >> 20;
        let has_part = |pmu: &Pmu| {
            let parts = perf::visit_kind(&pmu.to_string(), Parts).unwrap_or_default();
            is_pmcg(*pmu) && parts.iter().any(|one| u64::from(*one) == part)
        };
        // A number shared by two units identifies neither.
        let mut of_part = Pmu::all().filter(has_part);
        return of_part.next().filter(|_| of_part.next().is_none());
    }
    let named = KernelPmu::named(name).map(|known| known.pmu);
    let Some(any) = any_core(name) else { return named };
    // The PMUs of all cores are called `armv8_pmuv3` with ACPI and with some device trees.
    let cores = of_processors(sysfs, &processors(sysfs, device));
    let mut known = cores.iter().map(|core| core.main_id.known().map(|(pmu, _)| pmu));
    match (known.next(), named) {
        (Some(Some(first)), _) if known.all(|other| other.is_some_and(|pmu| pmu.is(first))) => {
            Some(first)
        }
        (_, named) => named.or(Some(any)),
    }
}
