//! PMUs in the Linux kernel.

use crate::LinuxDriver;
use crate::table::table;

table! {
    /// A PMU in the Linux kernel.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) LinuxPmu {
        /// Driver.
        required driver: LinuxDriver,
        /// Name in sysfs and `perf`; `None` if the driver derives names from addresses.
        optional name: &'static str,
        /// Compatible string of the device tree node; `None` if only kernels with a board file have the PMU.
        optional node: &'static str,
        /// Compatible string of the parent node.
        optional parent: &'static str,
        /// Product-specific compatible string, which precedes the common string in a node. If a
        /// node has it, the driver reads the part number.
        optional specific: &'static str,
    }
}

impl LinuxDriver {
    /// Kernel configuration option of the driver.
    #[must_use]
    pub const fn config(self) -> &'static str {
        match self {
            Self::ArmCci => "CONFIG_ARM_CCI_PMU",
            Self::ArmDsuPmu => "CONFIG_ARM_DSU_PMU",
            Self::ArmSmmuv3Pmu => "CONFIG_ARM_SMMU_V3_PMU",
            Self::CacheL2x0Pmu => "CONFIG_CACHE_L2X0_PMU",
            Self::ArmPmuv3 | Self::ArmV6Pmu | Self::ArmV7Pmu => "CONFIG_ARM_PMU",
        }
    }

    /// Module of the driver, if it can be built as a module.
    #[must_use]
    pub const fn module(self) -> Option<&'static str> {
        match self {
            Self::ArmCci => Some("arm-cci"),
            Self::ArmDsuPmu => Some("arm_dsu_pmu"),
            Self::ArmSmmuv3Pmu => Some("arm_smmuv3_pmu"),
            _ => None,
        }
    }

    /// Whether the PMU has `format/` in sysfs. With `format/`, `event=` selects an event; without it, only `config=`
    /// does.
    #[must_use]
    pub const fn has_format(self) -> bool {
        !matches!(self, Self::ArmV6Pmu | Self::CacheL2x0Pmu)
    }
}
