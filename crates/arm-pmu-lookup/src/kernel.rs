//! What the Linux kernel calls PMUs: the names of its drivers, and the nodes of device trees that they bind to.
//!
//! From `arm-cci.c`, `arm_smmuv3_pmu.c`, `arm_v6_pmu.c`, `arm_v7_pmu.c` and `arm_pmuv3.c` under `drivers/perf`, and
//! `arch/arm/mm/cache-l2x0-pmu.c`. A PMU for which the kernel has a driver is a line of [`PMUS`], and every command
//! that deals with Linux reads that.

use arm_pmu_tables::Pmu;
use arm_pmu_tables::platform::Instance;

/// A PMU with a driver in the kernel.
#[derive(Debug)]
pub struct KernelPmu {
    /// Its name here.
    pub pmu: &'static str,
    /// Its name in sysfs, and so in `perf`.
    pub name: &'static str,
    /// The node that its driver binds to.
    pub node: Node,
    /// Its directory in sysfs has `format/`, and so `event=`; else there is only `config=`.
    pub has_format: bool,
}

/// The node that a driver binds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The node of an interconnect with that of its PMU inside, by their compatibles.
    Interconnect {
        /// The compatible of the interconnect.
        outer: &'static str,
        /// The compatible of its PMU.
        pmu: &'static str,
    },
    /// The node of a core's PMU, by its compatible.
    Core(&'static str),
    /// The node of a cache controller, by its compatible. Its PMU has none of its own.
    Cache(&'static str),
    /// None: only a kernel with a board file knew this core, by its main ID.
    None,
}

/// All but the PMUs of SMMUs, whose names and nodes differ from device to device.
pub const PMUS: &[KernelPmu] = &[
    interconnect("cci400:r0", "CCI_400", "arm,cci-400", "arm,cci-400-pmu,r0"),
    interconnect("cci400:r1", "CCI_400_r1", "arm,cci-400", "arm,cci-400-pmu,r1"),
    interconnect("cci500", "CCI_500", "arm,cci-500", "arm,cci-500-pmu,r0"),
    interconnect("cci550", "CCI_550", "arm,cci-550", "arm,cci-550-pmu,r0"),
    core("cortex-a53", "armv8_cortex_a53", Node::Core("arm,cortex-a53-pmu"), true),
    core("cortex-a55", "armv8_cortex_a55", Node::Core("arm,cortex-a55-pmu"), true),
    core("cortex-a72", "armv8_cortex_a72", Node::Core("arm,cortex-a72-pmu"), true),
    // The same events and counters.
    core("cortex-a72", "armv8_cortex_a57", Node::Core("arm,cortex-a57-pmu"), true),
    core("cortex-a7", "armv7_cortex_a7", Node::Core("arm,cortex-a7-pmu"), true),
    core("cortex-a8", "armv7_cortex_a8", Node::Core("arm,cortex-a8-pmu"), true),
    core("cortex-a9", "armv7_cortex_a9", Node::Core("arm,cortex-a9-pmu"), true),
    core("l2c-310", "l2c_310", Node::Cache("arm,pl310-cache"), false),
    core("arm11:arm1136", "armv6_1136", Node::Core("arm,arm1136-pmu"), false),
    core("arm11:arm1156", "armv6_1156", Node::None, false),
    core("arm11:arm1176", "armv6_1176", Node::Core("arm,arm1176-pmu"), false),
];

const fn interconnect(
    pmu: &'static str,
    name: &'static str,
    outer: &'static str,
    compatible: &'static str,
) -> KernelPmu {
    let node = Node::Interconnect { outer, pmu: compatible };
    KernelPmu { pmu, name, node, has_format: true }
}

const fn core(pmu: &'static str, name: &'static str, node: Node, has_format: bool) -> KernelPmu {
    KernelPmu { pmu, name, node, has_format }
}

impl KernelPmu {
    /// The driver of a PMU, if all PMUs of the kind have the same name; the first of those of several products.
    pub fn of(pmu: Pmu) -> Option<&'static Self> {
        Self::all_of(pmu).next()
    }

    /// The drivers of a PMU, one for each product that has it.
    pub fn all_of(pmu: Pmu) -> impl Iterator<Item = &'static Self> {
        let name = pmu.to_string();
        PMUS.iter().filter(move |known| known.pmu == name)
    }

    /// The PMU with this name in the kernel.
    pub fn named(name: &str) -> Option<&'static Self> {
        PMUS.iter().find(|known| known.name == name)
    }

    /// The PMU of the tables.
    pub fn pmu(&self) -> Option<Pmu> {
        Pmu::find(self.pmu)
    }
}

/// Whether it is a counter group of an SMMU. Each has a name of its own in the kernel.
pub fn is_pmcg(pmu: Pmu) -> bool {
    matches!(pmu.ip.name, "mmu600" | "mmu700")
}

/// Whether it is the PMU of a core.
pub fn is_processor(pmu: Pmu) -> bool {
    pmu.ip.main_id.is_some() || pmu.unit.is_some_and(|unit| unit.main_id.is_some())
}

/// How PMUs are called elsewhere that have this one name in the kernel.
fn own_names(name: &str) -> Option<&'static str> {
    // Of kernels before 4.2.
    if name == "CCI" {
        return Some("CCI_400");
    }
    // Of servers with ACPI, where a number is behind it, and of the node `arm,armv8-pmuv3`.
    let rest = name.strip_prefix("armv8_pmuv3")?;
    let number = rest.strip_prefix('_').and_then(|digits| digits.parse::<u32>().ok());
    (rest.is_empty() || number.is_some()).then_some("armv8_")
}

/// Whether several PMUs have this name in the kernel.
pub fn is_shared_name(name: &str) -> bool {
    own_names(name).is_some()
}

/// Whether a name that several PMUs have can be that of this one.
pub fn can_have_name(pmu: Pmu, name: &str) -> bool {
    let is_own = |own| KernelPmu::all_of(pmu).any(|known| known.name.starts_with(own));
    own_names(name).is_some_and(is_own)
}

/// Whether a name is that of the PMU of an SMMU, or of all of them.
pub fn is_name_of_pmcg(name: &str) -> bool {
    name.starts_with(PMCG) || name == PMCG.trim_end_matches('_')
}

/// How the names of all PMUs of SMMUs begin.
pub const PMCG: &str = "smmuv3_pmcg_";

/// The compatible of the node of an SMMU's PMU.
pub const PMCG_NODE: &str = "arm,smmu-v3-pmcg";

/// What the node of an MMU-600's PMU has in front of that, so that the kernel reads its identification.
pub const MMU600_NODE: &str = "arm,mmu-600-pmcg";

/// An SMMU's PMU of which the product is not known, in the place of an IP in a platform file.
pub const ANY_PMCG: &str = "smmuv3-pmcg";

/// The compatible of the node of any core's PMUv3.
pub const PMUV3_NODE: &str = "arm,armv8-pmuv3";
/// The name in the kernel of a PMU with such a node.
pub const PMUV3: &str = "armv8_pmuv3";

/// The compatible of a CCI-400's PMU of any revision. The driver reads the revision, with Secure access only.
pub const CCI400_PMU: &str = "arm,cci-400-pmu";

/// Offset and length of a CCI's registers of the PMU, and where they end, from the base.
pub fn own_block(ip: &str) -> (u64, u64, u64) {
    match ip {
        "cci400" => (0x9000, 0x5000, 0x1_0000),
        _ => (0x1_0000, 0x8_0000, 0x9_0000),
    }
}

/// Nodes of what counts and is no IP here, by start and end of a compatible.
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

/// The name in the kernel of the PMU of an SMMU whose registers begin at this address.
pub fn pmcg_name(page_0: u64) -> String {
    format!("{PMCG}{:x}", page_0 >> 12)
}

/// The name in the kernel of a board's PMU, if it has one of its own: from the board's file, or from the address.
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
    use arm_pmu_tables::{Dialect, PLATFORMS, Space};

    use super::*;

    /// An IP that `cargo xtask new` has just made has no name of the kernel's either.
    #[test]
    fn every_pmu_whose_events_the_kernel_names_is_here() {
        let mut checked = 0;
        // The pages are those of SMMUs.
        for pmu in Pmu::all().filter(|pmu| !matches!(pmu.ip.space, Space::Pages(_))) {
            let unit = pmu.unit.map(|unit| unit.name);
            let of_linux = |dialect| {
                matches!(dialect, Dialect::LinuxKernel | Dialect::LinuxGeneric | Dialect::LinuxPerf)
            };
            let mut aliases = pmu.events().flat_map(|of| of.event.aliases);
            if aliases.any(|alias| of_linux(alias.dialect()) && alias.is_of(unit)) {
                assert!(KernelPmu::of(pmu).is_some(), "{pmu} is missing in PMUS");
                checked += 1;
            }
        }
        assert!(checked >= 8, "{checked}");
    }

    #[test]
    fn no_name_and_no_node_stands_twice() {
        let of_several = PMUS.iter().filter(|one| {
            one.pmu().and_then(KernelPmu::of).is_none_or(|first| first.name != one.name)
        });
        assert_eq!(of_several.map(|one| one.name).collect::<Vec<_>>(), ["armv8_cortex_a57"]);
        for (nth, one) in PMUS.iter().enumerate() {
            assert_eq!(one.pmu().map(|pmu| pmu.to_string()).as_deref(), Some(one.pmu));
            for other in &PMUS[..nth] {
                assert!(one.name != other.name, "{one:?} and {other:?}");
                assert!(one.node != other.node, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn the_names_on_platforms_are_those() {
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
