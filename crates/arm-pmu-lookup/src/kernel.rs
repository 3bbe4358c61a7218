//! Names of PMUs in the Linux kernel, and the device tree nodes that its drivers bind to.
//!
//! The names of each PMU are in the tables. Facts about drivers are from `arm-cci.c`, `arm_smmuv3_pmu.c`,
//! `arm_dsu_pmu.c`, `arm_v6_pmu.c`, `arm_v7_pmu.c` and `arm_pmuv3.c` in `drivers/perf`, and from
//! `arch/arm/mm/cache-l2x0-pmu.c`.

use arm_pmu_tables::platform::Instance;
use arm_pmu_tables::{LinuxDriver, Location, Pmu, Space, same_name};

/// A PMU with a fixed name in the kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelPmu {
    /// PMU in the tables.
    pub pmu: Pmu,
    /// Name in sysfs and `perf`.
    pub name: &'static str,
    /// Kernel driver.
    pub driver: LinuxDriver,
    /// Device tree node that the driver binds to.
    pub node: Node,
}

/// Device tree node that a driver binds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Node of the PMU, inside the node of an interconnect.
    Interconnect {
        /// Compatible string of the interconnect.
        outer: &'static str,
        /// Compatible string of the PMU.
        pmu: &'static str,
    },
    /// Node of a core PMU, with its compatible string.
    Core(&'static str),
    /// Node of a cluster's PMU, with its compatible string.
    Cluster(&'static str),
    /// Node of a cache controller, with its compatible string. The PMU has no separate node.
    Cache(&'static str),
    /// No node: only kernels with board files supported this core, by its main ID.
    None,
}

impl KernelPmu {
    /// All PMUs with a fixed name. PMUs of SMMUs are omitted, because their names and nodes depend on the device.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Pmu::all().flat_map(Self::all_of)
    }

    /// Kernel PMUs for a PMU in the tables, one for each product.
    pub fn all_of(pmu: Pmu) -> impl Iterator<Item = Self> + Clone {
        pmu.linux().iter().filter_map(move |linux| {
            let node = match (linux.parent, linux.node) {
                (Some(outer), Some(pmu)) => Node::Interconnect { outer, pmu },
                (_, Some(node)) if pmu.is_processor() => Node::Core(node),
                (_, Some(node)) if pmu.ip.space.is_core() => Node::Cluster(node),
                (_, Some(node)) => Node::Cache(node),
                (_, None) => Node::None,
            };
            Some(Self { pmu, name: linux.name?, driver: linux.driver, node })
        })
    }

    /// Returns the first kernel PMU that counts on this PMU of the tables.
    #[must_use]
    pub fn of(pmu: Pmu) -> Option<Self> {
        Self::all_of(pmu).next()
    }

    /// Finds a PMU by its kernel name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|known| known.is_named(name))
    }

    /// Whether the kernel's driver can give its PMU this name. If the name in the tables ends with `_`, the driver
    /// appends a number.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.name);
        rest.is_some_and(|rest| match self.is_numbered() {
            true => rest.parse::<u32>().is_ok(),
            false => rest.is_empty(),
        })
    }

    /// Whether a system can have several such PMUs. If so, their names end in a number.
    #[must_use]
    pub fn is_numbered(&self) -> bool {
        self.name.ends_with('_')
    }

    /// Whether the driver binds to nodes with this compatible string, or to a child of such a node.
    #[must_use]
    pub fn is_at(&self, compatible: &str) -> bool {
        match self.node {
            Node::Interconnect { outer, pmu } => [outer, pmu].contains(&compatible),
            Node::Core(own) | Node::Cluster(own) | Node::Cache(own) => own == compatible,
            Node::None => false,
        }
    }
}

/// Whether a system can have one such PMU for each cluster, with a number in the kernel name.
#[must_use]
pub fn is_numbered(pmu: Pmu) -> bool {
    KernelPmu::of(pmu).is_some_and(|known| known.is_numbered())
}

/// Whether this is an SMMU PMU (PMCG). The kernel gives each SMMU PMU a different name.
#[must_use]
pub fn is_pmcg(pmu: Pmu) -> bool {
    pmcg_names(pmu).next().is_some()
}

/// PMCG in the tables that stands for an unknown product.
#[must_use]
pub fn any_pmcg() -> Option<Pmu> {
    Pmu::all().find(|pmu| is_pmcg(*pmu)).map(|pmu| Pmu { unit: None, ..pmu })
}

/// Compatible strings of a product's PMCGs. The string precedes [`PMCG_NODE`] in a node, and makes the kernel read
/// the identification; `None` for a product without such a string.
fn pmcg_names(pmu: Pmu) -> impl Iterator<Item = Option<&'static str>> {
    let all = pmu.ip.units.iter().flat_map(|unit| unit.linux);
    all.filter(|linux| linux.driver == LinuxDriver::ArmSmmuv3Pmu).map(|linux| linux.specific)
}

/// Compatible string of a product's PMCGs, if there is one.
#[must_use]
pub fn own_pmcg_node(pmu: Pmu) -> Option<&'static str> {
    pmcg_names(pmu).flatten().next()
}

/// Returns the PMU with the events that all cores of an IP's architecture share.
#[must_use]
pub fn any_of_architecture(pmu: Pmu) -> Option<Pmu> {
    Pmu::find(pmu.ip.architecture?.name).filter(|any| any.is_of_any_core())
}

/// Returns the tables that describe any core with PMUv3, if the kernel gives this name to a PMUv3.
#[must_use]
pub fn any_core(name: &str) -> Option<Pmu> {
    let is_pmuv3 = ["armv8_", "armv9_"].iter().any(|start| name.starts_with(start));
    let of_system = |pmu: &Pmu| pmu.is_of_any_core() && pmu.ip.space == Space::System;
    Pmu::all().find(of_system).filter(|_| is_pmuv3)
}

/// If this kernel name can belong to several PMUs: prefix of the more specific names that these
/// PMUs otherwise have.
fn own_names(name: &str) -> Option<&'static str> {
    // Kernels before 4.2 use this name.
    if name == "CCI" {
        return Some("CCI_400");
    }
    // This name ends with a number on servers with ACPI, but not for device tree nodes `arm,armv8-pmuv3`.
    let rest = name.strip_prefix("armv8_pmuv3")?;
    let number = rest.strip_prefix('_').and_then(|digits| digits.parse::<u32>().ok());
    (rest.is_empty() || number.is_some()).then_some("armv8_")
}

/// Whether this is a kernel name of a core PMU of any product.
#[must_use]
pub fn is_name_of_core(name: &str) -> bool {
    name.starts_with("armv") || name.starts_with("apple_")
}

/// Whether several PMUs can have this kernel name.
#[must_use]
pub fn is_shared_name(name: &str) -> bool {
    own_names(name).is_some()
}

/// Whether this PMU can have a shared kernel name.
#[must_use]
pub fn can_have_name(pmu: Pmu, name: &str) -> bool {
    let is_own = |own| KernelPmu::all_of(pmu).any(|known| known.name.starts_with(own));
    own_names(name).is_some_and(is_own)
}

/// Whether a name selects one SMMU PMU, or all SMMU PMUs.
#[must_use]
pub fn is_name_of_pmcg(name: &str) -> bool {
    name.starts_with(PMCG) || name == PMCG.trim_end_matches('_')
}

/// Prefix of the kernel names of SMMU PMUs.
pub const PMCG: &str = "smmuv3_pmcg_";

/// Compatible string of an SMMU PMU's node.
pub const PMCG_NODE: &str = "arm,smmu-v3-pmcg";

/// Name that a platform file has in place of an IP, if the product of an SMMU PMU is unknown.
pub const ANY_PMCG: &str = "smmuv3-pmcg";

/// Compatible string of a PMUv3 node for any core.
pub const PMUV3_NODE: &str = "arm,armv8-pmuv3";
/// Kernel name of the PMU of such a node.
pub const PMUV3: &str = "armv8_pmuv3";

/// Compatible string of a CCI-400 PMU of any revision. The driver reads the revision, which needs Secure access.
pub const CCI400_PMU: &str = "arm,cci-400-pmu";

/// Returns the offset and the length of an interconnect's counter pages, and the end of the 64 KiB block that contains
/// them. Offset and end are relative to the base of the interconnect.
pub fn own_block(pmu: Pmu) -> (u64, u64, u64) {
    let counters = &pmu.ip.counters;
    let cycles = counters.cycles.as_ref().map(|cycles| cycles.register);
    let is_counter = |name: &str| counters.value.contains(&name) || cycles == Some(name);
    let places = pmu.registers().filter(|register| is_counter(register.name));
    let places = places.filter_map(|register| match register.location {
        Location::Memory { offset, count, stride, .. } => {
            let last = offset + stride * (count - 1);
            let stride = stride.max(0x1000);
            Some((offset & !0xFFF, (last & !0xFFF) + stride))
        }
        _ => None,
    });
    let (start, end) = places
        .fold((u32::MAX, 0), |(start, end), (first, after)| (start.min(first), end.max(after)));
    let [start, end] = [start, end].map(u64::from);
    (start, end.saturating_sub(start), end.next_multiple_of(0x1_0000))
}

/// PMUs that are not in the tables: prefix and suffix of the compatible string, then the product.
pub const OTHERS: &[(&str, &str, &str)] = &[
    ("arm,ccn-5", "", "CCN"),
    ("arm,cmn-", "", "CMN"),
    ("arm,ci-700", "", "CI-700"),
    ("arm,ni-", "", "NI"),
    ("arm,l210-cache", "", "L210"),
    ("arm,l220-cache", "", "L220"),
    ("arm,mmu-40", "", "SMMUv1"),
    ("arm,mmu-500", "", "SMMUv2"),
    ("arm,smmu-v1", "", "SMMUv1"),
    ("arm,smmu-v2", "", "SMMUv2"),
    ("amlogic,", "-ddr-pmu", "memory controller"),
    ("apm,xgene-pmu", "", "system on chip"),
    ("fsl,", "-ddr-pmu", "memory controller"),
    ("marvell,cn10k-", "-pmu", "system on chip"),
    ("nvidia,tegra", "-actmon", "activity monitor"),
    ("qcom,", "bwmon", "bandwidth monitor"),
    ("rockchip,", "-dfi", "memory controller"),
    ("samsung,exynos-ppmu", "", "PPMU"),
    ("xlnx,axi-perf-monitor", "", "AXI performance monitor"),
];

/// Kernel name of the SMMU PMU with registers at this address.
#[must_use]
pub fn pmcg_name(page_0: u64) -> String {
    format!("{PMCG}{:x}", page_0 >> 12)
}

/// Cores without a table: the compatible string of the PMU's node, and the kernel's name of the
/// PMU.
const WITHOUT_TABLE: [(&str, &str); 11] = [
    ("arm,cortex-a5-pmu", "armv7_cortex_a5"),
    ("arm,cortex-a12-pmu", "armv7_cortex_a12"),
    ("arm,cortex-a15-pmu", "armv7_cortex_a15"),
    ("arm,cortex-a17-pmu", "armv7_cortex_a17"),
    ("arm,cortex-a725-pmu", "armv9_cortex_a725"),
    ("arm,cortex-x4-pmu", "armv9_cortex_x4"),
    ("arm,cortex-x925-pmu", "armv9_cortex_x925"),
    ("brcm,vulcan-pmu", "armv8_brcm_vulcan"),
    ("cavium,thunder-pmu", "armv8_cavium_thunder"),
    ("nvidia,carmel-pmu", "armv8_nvidia_carmel"),
    ("nvidia,denver-pmu", "armv8_nvidia_denver"),
];

/// Whether a compatible string names the PMU of this core: `arm,cortex-a57-pmu` and `Cortex-A57`.
fn is_node_of(node: &str, core: &str) -> bool {
    let name = node.split_once(',').and_then(|(_, name)| name.strip_suffix("-pmu"));
    name.is_some_and(|name| same_name(name, core))
}

/// Compatible string and kernel name for the PMU of a core without a table: `Cortex-A15`, `cortex-a15`.
#[must_use]
pub fn without_table(core: &str) -> Option<(&'static str, &'static str)> {
    WITHOUT_TABLE.iter().find(|(node, _)| is_node_of(node, core)).copied()
}

/// Whether an instance is a core PMU, and not the PMU of another unit with registers in the core.
#[must_use]
pub fn is_cluster(instance: &Instance) -> bool {
    instance.core.is_some() || instance.pmu().is_some_and(Pmu::is_processor)
}

/// Compatible string of a cluster's PMU node, and the kernel's name of the PMU.
#[must_use]
pub fn node_of_cluster(instance: &Instance) -> Option<(&'static str, &'static str)> {
    let nodes = instance.pmu().into_iter().flat_map(KernelPmu::all_of);
    let mut nodes = nodes.filter_map(|known| match known.node {
        Node::Core(node) => Some((node, known.name)),
        _ => None,
    });
    let of_core = |core| nodes.clone().find(|(node, _)| is_node_of(node, core));
    // A product without a name in Linux, such as the Cortex-A78AE, uses the node of the IP.
    let own = instance.core.and_then(|core| of_core(core).or_else(|| without_table(core)));
    let own = own.or_else(|| nodes.next());
    match instance.linux {
        Some(linux) if linux.value.starts_with(PMUV3) => Some((PMUV3_NODE, linux.value)),
        Some(linux) => Some((own.map_or(PMUV3_NODE, |(node, _)| node), linux.value)),
        None => own,
    }
}

/// Kernel name of a PMU of a board, from the board's file or from the address.
#[must_use]
pub fn name_of_instance(pmu: Pmu, instance: &Instance) -> Option<String> {
    let computed = || {
        let page_0 = pmu.unit?.pages.first()?.offset;
        let address = instance.base?.value + u64::from(page_0);
        is_pmcg(pmu).then(|| pmcg_name(address))
    };
    let of_core = || {
        let (_, name) = node_of_cluster(instance)?;
        is_cluster(instance).then(|| name.to_owned())
    };
    instance.linux.map(|name| name.value.to_owned()).or_else(computed).or_else(of_core)
}

#[cfg(test)]
mod tests {
    use arm_pmu_tables::{Dialect, PLATFORMS};

    use super::*;

    /// An IP from `cargo xtask new` has no kernel name yet, and no events.
    #[test]
    fn pmus_with_linux_events_have_a_linux_name() {
        let mut checked = 0;
        // SMMU PMUs (only these have pages) and the PMU for cores without tables have no fixed name.
        let has_own_name =
            |pmu: &Pmu| !matches!(pmu.ip.space, Space::Pages(_)) && !pmu.is_of_any_core();
        for pmu in Pmu::all().filter(has_own_name) {
            let unit = pmu.unit.map(|unit| unit.name);
            let of_linux = |dialect| {
                matches!(dialect, Dialect::LinuxKernel | Dialect::LinuxGeneric | Dialect::LinuxPerf)
            };
            let mut aliases = pmu.events().flat_map(|of| of.event.aliases);
            if aliases.any(|alias| of_linux(alias.dialect()) && alias.is_of(unit)) {
                assert!(KernelPmu::of(pmu).is_some(), "{pmu} has no `linux`");
                checked += 1;
            }
        }
        assert!(checked >= 8, "{checked}");
    }

    #[test]
    fn platforms_have_the_linux_names_of_the_tables() {
        let mut checked = 0;
        for instance in PLATFORMS.iter().flat_map(|platform| platform.instances) {
            let (Some(linux), Some(pmu)) = (instance.linux, instance.pmu()) else { continue };
            match KernelPmu::of(pmu) {
                // A cluster can have a shared name, or the name of another product.
                Some(_) if is_cluster(instance) => {}
                Some(known) => assert!(known.is_named(linux.value), "{}", instance.name),
                None => assert!(linux.value.starts_with(PMCG), "{}", instance.name),
            }
            checked += 1;
        }
        assert!(checked > 10, "{checked}");
    }
}
