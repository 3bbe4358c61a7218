//! Facts about a core's PMU that its counts do not show.

use arm_pmu_tables::{Argument, Pmu};
use serde::{Deserialize, Serialize};

use crate::base::documents::documents;

/// Value of the Main ID Register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct MainId(pub u32);

/// Arm's code in the Implementer field of the Main ID Register.
const ARM: u32 = 0x41;

impl MainId {
    /// Returns the PMU and product name of a core that has tables.
    pub fn known(self) -> Option<(Pmu, &'static str)> {
        Pmu::of_part(self.part()).filter(|_| self.implementer() == ARM)
    }

    /// Returns the product, or the part number of a core without tables, and the revision: `Cortex-A76 r4p1`.
    pub fn name(self) -> String {
        let (variant, revision) = self.revision();
        let name = match (self.known(), self.implementer(), self.part()) {
            (Some((_, name)), ..) => name.to_owned(),
            (None, ARM, part) => format!("part {part:#05x} of Arm"),
            (None, by, part) => format!("part {part:#05x} of implementer {by:#04x}"),
        };
        format!("{name} r{variant}p{revision}")
    }

    fn implementer(self) -> u32 {
        self.0 >> 24
    }

    fn part(self) -> u32 {
        self.0 >> 4 & 0xFFF
    }

    /// Returns `(1, 0)` for `r1p0`.
    fn revision(self) -> (u8, u8) {
        ((self.0 >> 20 & 0xF) as u8, (self.0 & 0xF) as u8)
    }
}

documents! {
    derive(Clone, Debug, PartialEq, Serialize, Deserialize)

    /// A core's PMU, with the values of this machine that metrics need.
    CorePmu {
        /// Name in reports: `neoverse-n1 armv8_pmuv3_0`.
        pmu: String,
        /// Main ID Register of the PMU's first core; null if the kernel does not show it.
        main_id: Option<MainId>,
        /// Slots per cycle from PMMIR_EL1; null if the kernel does not show them.
        slots: Option<u32>,
    }
}

impl CorePmu {
    /// Returns the value of a metric's argument: the tables' value for the core, or the slots in PMMIR_EL1.
    pub fn argument(&self, argument: &Argument) -> Option<f64> {
        let of_core = |id: MainId| argument.value(id.known()?.1, id.revision());
        let slots = self.slots.filter(|_| argument.name == "slots");
        self.main_id.and_then(of_core).or(slots).map(f64::from)
    }
}
