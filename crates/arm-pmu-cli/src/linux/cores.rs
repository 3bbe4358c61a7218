//! Identification of this system's cores by the Main ID Register, and the tables of their PMUs.

use arm_pmu_linux::perf::{self, Device, Sysfs};
use arm_pmu_lookup::kernel::{KernelPmu, PMCG, any_core, is_pmcg};
use arm_pmu_tables::{Argument, Pmu};

/// Processors with the same core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// The Main ID Register.
    pub main_id: u32,
    pub cpus: Vec<u32>,
}

/// Arm's code in the Implementer field of the Main ID Register.
const ARM: u32 = 0x41;

impl Core {
    /// Returns the PMU and product name of a core that has tables.
    pub fn known(&self) -> Option<(Pmu, &'static str)> {
        let is_arm = self.main_id >> 24 == ARM;
        Pmu::of_part(self.main_id >> 4 & 0xFFF).filter(|_| is_arm)
    }

    /// Returns product and revision, as in `Cortex-A76 r4p1`; of a core without tables, part number and revision.
    pub fn name(&self) -> String {
        let (variant, revision) = (self.main_id >> 20 & 0xF, self.main_id & 0xF);
        let name = self.known().map(|(_, name)| name.to_owned());
        let name = name.unwrap_or_else(|| {
            let (by, part) = (self.main_id >> 24, self.main_id >> 4 & 0xFFF);
            match by {
                ARM => format!("part {part:#05x} of Arm"),
                _ => format!("part {part:#05x} of implementer {by:#04x}"),
            }
        });
        format!("{name} r{variant}p{revision}")
    }
}

/// Returns the different cores among these processors; the kernel shows no core of an offline processor.
pub fn of_processors(sysfs: &Sysfs, cpus: &[u32]) -> Vec<Core> {
    let mut cores: Vec<Core> = Vec::new();
    for cpu in cpus {
        let Some(main_id) = sysfs.main_id(*cpu) else { continue };
        match cores.iter_mut().find(|core| core.main_id == main_id) {
            Some(core) => core.cpus.push(*cpu),
            None => cores.push(Core { main_id, cpus: vec![*cpu] }),
        }
    }
    cores
}

/// Returns the processors of a core's PMU, or all online ones if the kernel does not list the processors of the PMU.
pub fn processors(sysfs: &Sysfs, device: &Device) -> Vec<u32> {
    let listed = device.processors().ok().flatten();
    listed.or_else(|| sysfs.online()).unwrap_or_default()
}

/// Returns the value of a metric's argument on this machine: the tables' value for the core, or the number of slots that the kernel reads from PMMIR.
pub fn argument(sysfs: &Sysfs, device: &Device, argument: &Argument) -> Option<f64> {
    let cores = of_processors(sysfs, &processors(sysfs, device));
    let of_core = |core: &Core| {
        let (_, product) = core.known()?;
        argument.value(product, ((core.main_id >> 20 & 0xF) as u8, (core.main_id & 0xF) as u8))
    };
    let slots = || device.slots().filter(|_| argument.name == "slots");
    cores.first().and_then(of_core).or_else(slots).map(f64::from)
}

/// Part numbers of a kind of PMU.
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
    let mut known = cores.iter().map(|core| core.known().map(|(pmu, _)| pmu));
    match (known.next(), named) {
        (Some(Some(first)), _) if known.all(|other| other.is_some_and(|pmu| pmu.is(first))) => {
            Some(first)
        }
        (_, named) => named.or(Some(any)),
    }
}
