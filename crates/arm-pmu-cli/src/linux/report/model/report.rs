//! An evaluated recording, and facts that options or this machine add.

use std::collections::HashMap;
use std::hash::Hash;

use arm_pmu_lookup::perf_name::PerfName;
use arm_pmu_tables::platform::{Instance, Interface};
use arm_pmu_tables::{Platform, Pmu};

use super::parts::{Counter, Metric, Shares};
use crate::linux::core_pmu::CorePmu;

/// Options that add facts to a recording.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Default PMU, for events whose names contain no PMU.
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
}

impl Given {
    /// The platform's PMU that an event such as `smmuv3_pmcg_16082/transaction/` names.
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
        all.next().filter(|_| all.next().is_none())
    }

    /// Interface behind a source, if it is the same on every chip that the platform covers.
    pub(super) fn interface(&self, of: &PerfName, source: &str) -> Option<&'static Interface> {
        let mut all = self.instance(of)?.interfaces.iter().filter(|one| one.source == source);
        all.next().filter(|_| all.next().is_none())
    }
}

/// An evaluated recording.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// End of each interval, in nanoseconds; empty without `-I`.
    pub times: Vec<u64>,
    /// Start of the first interval.
    pub(super) begin: u64,
    /// Counters in the order of the recording.
    pub counters: Vec<Counter>,
    /// Metrics computed from the counters, or taken from `perf`.
    pub metrics: Vec<Metric>,
    /// Level 1 of top-down for each core, or the stalled shares of cycles if the core has no slot events.
    pub shares: Vec<Shares>,
    /// Arguments of these metrics, with or without a value: `beat_bytes`.
    pub arguments: Vec<&'static str>,
    /// Warnings.
    pub notes: Vec<String>,
    /// PMUs whose top-down events do not count on this machine.
    pub(super) uncounted: Vec<String>,
}

impl Report {
    /// Length of the run in seconds.
    pub fn seconds(&self) -> f64 {
        self.counters.iter().map(|counter| counter.seconds).fold(0.0, f64::max)
    }

    /// Length of an interval in seconds.
    pub fn seconds_of(&self, interval: usize) -> f64 {
        let end = self.times.get(interval).copied().unwrap_or_default();
        let before = interval.checked_sub(1).and_then(|before| self.times.get(before));
        let start = before.copied().unwrap_or(self.begin);
        end.saturating_sub(start) as f64 / 1e9
    }

    /// Rate of a counter in an interval, in counts per second.
    pub fn rate(&self, counter: &Counter, interval: usize) -> Option<f64> {
        let number = counter.intervals.get(interval)?.as_ref()?.number()?;
        let seconds = self.seconds_of(interval);
        if seconds > 0.0 { Some(number.as_f64() / seconds) } else { None }
    }

    /// Groups the known counters by key. For each group, returns its first counter and the indices of all its counters.
    pub(super) fn groups<K: Eq + Hash>(
        &self,
        key: impl Fn(&Counter) -> K,
    ) -> Vec<(&PerfName, Vec<usize>)> {
        let mut groups: Vec<(&PerfName, Vec<usize>)> = Vec::new();
        let mut places: HashMap<K, usize> = HashMap::new();
        for (nth, counter) in self.counters.iter().enumerate() {
            let Some(known) = &counter.known else { continue };
            let place = *places.entry(key(counter)).or_insert(groups.len());
            if place == groups.len() {
                groups.push((known, Vec::new()));
            }
            groups[place].1.push(nth);
        }
        groups
    }
}
