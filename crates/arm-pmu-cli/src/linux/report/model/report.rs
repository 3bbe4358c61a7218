//! An evaluated recording.

use std::collections::HashMap;
use std::hash::Hash;

use arm_pmu_lookup::perf_name::PerfName;

use super::counter::Counter;
use super::metric::Metric;
use super::shares::Shares;

/// An evaluated recording.
#[derive(Clone, Debug)]
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
    /// Length of an interval in seconds.
    pub fn seconds_of(&self, interval: usize) -> f64 {
        let end = self.times.get(interval).copied().unwrap_or_default();
        let start = interval
            .checked_sub(1)
            .and_then(|before| self.times.get(before))
            .copied()
            .unwrap_or(self.begin);
        end.saturating_sub(start) as f64 / 1e9
    }

    /// Counts per second of a counter in an interval.
    pub fn rate(&self, counter: &Counter, interval: usize) -> Option<f64> {
        let number = counter.intervals.get(interval)?.as_ref()?.number()?;
        let seconds = self.seconds_of(interval);
        if seconds > 0.0 { Some(number.as_f64() / seconds) } else { None }
    }

    /// Groups the known counters by key. Returns the first counter and the indices of all counters of each group.
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
