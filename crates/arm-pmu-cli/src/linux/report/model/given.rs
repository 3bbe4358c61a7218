//! Facts that options or this machine add to a recording.

use std::rc::Rc;

use arm_pmu_lookup::perf_name::PerfName;
use arm_pmu_tables::platform::{Instance, Interface};
use arm_pmu_tables::{Platform, Pmu};

use crate::linux::core_pmu::CorePmu;

/// Options that add facts to a recording.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// PMU for event names without a PMU.
    pub pmu: Option<Pmu>,
    /// Board of the recording.
    pub platform: Option<&'static Platform>,
    /// Values of metric arguments such as `beat_bytes`.
    pub arguments: Vec<(String, f64)>,
    /// PMUs of the cores that were counted.
    pub cores: Vec<CorePmu>,
    /// Command line of the counted program, quoted for a shell.
    pub program: Option<String>,
    /// Start of the first interval, in nanoseconds.
    pub begin: u64,
    /// Cache of parsed event names: a look-up searches the names of all events of a PMU.
    pub read_before: Rc<[(String, PerfName)]>,
}

impl Given {
    /// Parses an event name that begins with a PMU of the tables.
    pub(super) fn read(&self, name: &str) -> Option<PerfName> {
        let before = self.read_before.iter().find(|(known, _)| known == name);
        before.map(|(_, known)| known.clone()).or_else(|| PerfName::read(name))
    }

    /// The platform's PMU with the kernel name in an event such as `smmuv3_pmcg_16082/transaction/`.
    pub(super) fn pmu_of(&self, event: &str) -> Option<Pmu> {
        let (device, _) = event.split_once('/')?;
        let is = |one: &&Instance| one.linux.is_some_and(|linux| linux.value == device);
        self.platform?.instances.iter().find(is)?.pmu()
    }

    /// The only instance on the platform that can have counted this event.
    pub(super) fn instance(&self, of: &PerfName) -> Option<&'static Instance> {
        let device = of.device();
        let is = |one: &&Instance| {
            let linux = one.linux.map(|linux| linux.value);
            one.ip.value == of.pmu.ip.name && (device.is_none() || device == linux)
        };
        let mut all = self.platform?.instances.iter().filter(is);
        let (first, second) = (all.next(), all.next());
        first.filter(|_| second.is_none())
    }

    /// Interface of a source, if it is the same on all silicon.
    pub(super) fn interface(&self, of: &PerfName, source: &str) -> Option<&'static Interface> {
        let mut all = self.instance(of)?.interfaces.iter().filter(|one| one.source == source);
        let (first, second) = (all.next(), all.next());
        first.filter(|_| second.is_none())
    }
}
