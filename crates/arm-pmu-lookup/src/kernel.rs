//! Names of PMUs in the Linux kernel, and the device tree nodes that its drivers bind to.
//!
//! The tables have them for each PMU. Facts about a driver: `arm-cci.c`, `arm_smmuv3_pmu.c`,
//! `arm_v6_pmu.c`, `arm_v7_pmu.c` and `arm_pmuv3.c` under `drivers/perf`, and
//! `arch/arm/mm/cache-l2x0-pmu.c`.

use arm_pmu_tables::platform::Instance;
use arm_pmu_tables::{LinuxDriver, Location, Pmu, Space};

/// A PMU with a name of its own in the kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelPmu {
    /// The PMU of the tables.
    pub pmu: Pmu,
    /// Its name in sysfs, and so in `perf`.
    pub name: &'static str,
    /// Its driver.
    pub driver: LinuxDriver,
    /// The node that its driver binds to.
    pub node: Node,
}

/// The node that a driver binds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// An interconnect node with its PMU node inside, by their compatible strings.
    Interconnect {
        /// The compatible of the interconnect.
        outer: &'static str,
        /// The compatible of its PMU.
        pmu: &'static str,
    },
    /// The node of a core's PMU, by its compatible.
    Core(&'static str),
    /// The node of a cache controller, by its compatible. The PMU has no node of its own.
    Cache(&'static str),
    /// None: only a kernel with a board file knew this core, by its main ID.
    None,
}

impl KernelPmu {
    /// All except the PMUs of SMMUs, which have a separate name and node for each device.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Pmu::all().flat_map(Self::all_of)
    }

    /// A PMU in the kernel, for each product with it.
    pub fn all_of(pmu: Pmu) -> impl Iterator<Item = Self> + Clone {
        pmu.linux().iter().filter_map(move |linux| {
            let node = match (linux.parent, linux.node) {
                (Some(outer), Some(pmu)) => Node::Interconnect { outer, pmu },
                (_, Some(node)) if pmu.ip.space.is_core() => Node::Core(node),
                (_, Some(node)) => Node::Cache(node),
                (_, None) => Node::None,
            };
            Some(Self { pmu, name: linux.name?, driver: linux.driver, node })
        })
    }

    /// A PMU in the kernel; the first, if several products have it.
    #[must_use]
    pub fn of(pmu: Pmu) -> Option<Self> {
        Self::all_of(pmu).next()
    }

    /// The PMU with this name in the kernel.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|known| known.name == name)
    }

    /// Whether its driver binds to nodes with this compatible, or to one inside.
    #[must_use]
    pub fn is_at(&self, compatible: &str) -> bool {
        match self.node {
            Node::Interconnect { outer, pmu } => [outer, pmu].contains(&compatible),
            Node::Core(own) | Node::Cache(own) => own == compatible,
            Node::None => false,
        }
    }
}

/// Whether it is a counter group of an SMMU. Each has a name of its own in the kernel.
#[must_use]
pub fn is_pmcg(pmu: Pmu) -> bool {
    pmcg_names(pmu).next().is_some()
}

/// Any counter group of an SMMU, if the product is not known.
#[must_use]
pub fn any_pmcg() -> Option<Pmu> {
    Pmu::all().find(|pmu| is_pmcg(*pmu)).map(|pmu| Pmu { unit: None, ..pmu })
}

/// The compatible of a product's counter groups, in front of [`PMCG_NODE`], so that the kernel reads their
/// identification; `None` for a product that has none.
fn pmcg_names(pmu: Pmu) -> impl Iterator<Item = Option<&'static str>> {
    let all = pmu.ip.units.iter().flat_map(|unit| unit.linux);
    all.filter(|linux| linux.driver == LinuxDriver::ArmSmmuv3Pmu).map(|linux| linux.specific)
}

/// The compatible of a product's counter groups, if there is one.
#[must_use]
pub fn own_pmcg_node(pmu: Pmu) -> Option<&'static str> {
    pmcg_names(pmu).flatten().next()
}

/// Whether it is the PMU of a core.
#[must_use]
pub fn is_processor(pmu: Pmu) -> bool {
    pmu.ip.space.is_core()
}

/// The events of a core's PMUv3 with this name in the kernel, if its product is not known.
#[must_use]
pub fn any_core(name: &str) -> Option<Pmu> {
    let is_pmuv3 = ["armv8_", "armv9_"].iter().any(|start| name.starts_with(start));
    let of_system = |pmu: &Pmu| pmu.is_of_any_core() && pmu.ip.space == Space::System;
    Pmu::all().find(of_system).filter(|_| is_pmuv3)
}

/// Other names for PMUs that have this one name in the kernel.
fn own_names(name: &str) -> Option<&'static str> {
    // The names in kernels before 4.2.
    if name == "CCI" {
        return Some("CCI_400");
    }
    // The name on servers with ACPI, followed by a number, and of the node `arm,armv8-pmuv3`.
    let rest = name.strip_prefix("armv8_pmuv3")?;
    let number = rest.strip_prefix('_').and_then(|digits| digits.parse::<u32>().ok());
    (rest.is_empty() || number.is_some()).then_some("armv8_")
}

/// Whether it is the kernel's name of any core's PMU, whatever its product and maker.
#[must_use]
pub fn is_name_of_core(name: &str) -> bool {
    name.starts_with("armv") || name.starts_with("apple_")
}

/// Whether several PMUs have this name in the kernel.
#[must_use]
pub fn is_shared_name(name: &str) -> bool {
    own_names(name).is_some()
}

/// Whether a name shared by several PMUs can mean this one.
#[must_use]
pub fn can_have_name(pmu: Pmu, name: &str) -> bool {
    let is_own = |own| KernelPmu::all_of(pmu).any(|known| known.name.starts_with(own));
    own_names(name).is_some_and(is_own)
}

/// Whether a name means one PMU of an SMMU, or all of them.
#[must_use]
pub fn is_name_of_pmcg(name: &str) -> bool {
    name.starts_with(PMCG) || name == PMCG.trim_end_matches('_')
}

/// Prefix of the names of all PMUs of SMMUs.
pub const PMCG: &str = "smmuv3_pmcg_";

/// The compatible of the node of an SMMU's PMU.
pub const PMCG_NODE: &str = "arm,smmu-v3-pmcg";

/// The PMU of an unknown SMMU product, in place of an IP in a platform file.
pub const ANY_PMCG: &str = "smmuv3-pmcg";

/// The compatible of the node of any core's PMUv3.
pub const PMUV3_NODE: &str = "arm,armv8-pmuv3";
/// The name in the kernel of a PMU with such a node.
pub const PMUV3: &str = "armv8_pmuv3";

/// The compatible of a CCI-400's PMU of any revision. The driver reads the revision, with Secure access only.
pub const CCI400_PMU: &str = "arm,cci-400-pmu";

/// Offset and length of an interconnect's registers of the PMU, and the end of its registers, from the base: pages of
/// the counters, to the end of the block of 64 KiB.
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

/// Nodes of PMUs that are no IP here, by prefix and suffix of a compatible string.
pub const OTHERS: &[(&str, &str, &str)] = &[
    ("arm,ccn-5", "", "CCN"),
    ("arm,cmn-", "", "CMN"),
    ("arm,ci-700", "", "CI-700"),
    ("arm,ni-", "", "NI"),
    ("arm,dsu-pmu", "", "DSU"),
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

/// The kernel's name of the SMMU PMU with registers at this address.
#[must_use]
pub fn pmcg_name(page_0: u64) -> String {
    format!("{PMCG}{:x}", page_0 >> 12)
}

/// The kernel's name of a board's PMU, if it has one: from the board's file, or from the address.
#[must_use]
pub fn name_of_instance(pmu: Pmu, instance: &Instance) -> Option<String> {
    let computed = || {
        let page_0 = pmu.unit?.pages.first()?.offset;
        let address = instance.base?.value + u64::from(page_0);
        is_pmcg(pmu).then(|| pmcg_name(address))
    };
    instance.linux.map(|name| name.value.to_owned()).or_else(computed)
}

#[cfg(test)]
mod tests {
    use arm_pmu_tables::{Dialect, PLATFORMS};

    use super::*;

    /// An IP that `cargo xtask new` has just made has no name of the kernel's either.
    #[test]
    fn pmus_with_linux_events_have_a_linux_name() {
        let mut checked = 0;
        // Only SMMUs have pages.
        for pmu in Pmu::all().filter(|pmu| !matches!(pmu.ip.space, Space::Pages(_))) {
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
    fn names_and_nodes_are_unique() {
        for (nth, one) in KernelPmu::all().enumerate() {
            for other in KernelPmu::all().take(nth) {
                assert!(one.name != other.name, "{one:?} and {other:?}");
                assert!(one.node != other.node, "{one:?} and {other:?}");
            }
        }
    }

    /// As in the kernel bindings, `arm,cci-400.yaml`, and in trees of boards with a CCI-500.
    #[test]
    fn interconnect_blocks_match_the_bindings() {
        let block = |name| own_block(Pmu::find(name).expect("an IP"));
        assert_eq!(block("cci400"), (0x9000, 0x5000, 0x1_0000));
        assert_eq!(block("cci500"), (0x1_0000, 0x8_0000, 0x9_0000));
        assert_eq!(block("cci550"), (0x1_0000, 0x8_0000, 0x9_0000));
    }

    #[test]
    fn platforms_have_the_linux_names_of_the_tables() {
        let mut checked = 0;
        for instance in PLATFORMS.iter().flat_map(|platform| platform.instances) {
            let (Some(linux), Some(pmu)) = (instance.linux, instance.pmu()) else { continue };
            match KernelPmu::of(pmu) {
                Some(known) => assert_eq!(linux.value, known.name, "{}", instance.name),
                None => assert!(linux.value.starts_with(PMCG), "{}", instance.name),
            }
            checked += 1;
        }
        assert!(checked > 10, "{checked}");
    }
}
