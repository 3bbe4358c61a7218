//! Sums over clusters of cores.

use std::collections::HashSet;

use arm_pmu_lookup::kernel;
use arm_pmu_lookup::perf_name::{PerfName, What};

use super::counter::Counter;
use super::report::Report;
use super::value::{Value, sum};

/// Scope of a sum over all clusters of cores.
const SUM: &str = "sum";

impl Report {
    /// Adds the sum of each event that the PMUs of several cores counted (big.LITTLE).
    pub(super) fn sums_of_clusters(&mut self) {
        let is_of_core = |known: &PerfName| kernel::is_processor(known.pmu);
        let has_meaning = |known: &PerfName| !matches!(known.what, What::Other(_));
        let key = |counter: &Counter| (counter.name(), counter.scope.clone(), counter.unit.clone());
        let mut sums = Vec::new();
        for (known, place) in self.groups(|counter| (key(counter), counter.of_run.clone())) {
            let counters: Vec<_> = place.iter().map(|nth| &self.counters[*nth]).collect();
            let pmus: HashSet<_> = counters.iter().map(|counter| counter.pmu()).collect();
            let all_cores = counters.iter().all(|one| one.known.as_ref().is_some_and(is_of_core));
            let counted = counters.iter().filter(|one| one.total.number().is_some()).count();
            if !all_cores
                || counted < 2
                || !has_meaning(known)
                || pmus.len() < 2
                || pmus.len() < counters.len()
            {
                continue;
            }
            let equal = vec![1.0; counters.len()];
            let total: Vec<_> = counters.iter().map(|counter| Some(counter.total)).collect();
            let at = |nth: usize| -> Option<Value> {
                let values: Vec<_> =
                    counters.iter().map(|counter| counter.intervals[nth]).collect();
                values.iter().any(Option::is_some).then(|| sum(&values, &equal))
            };
            let first = counters[0];
            let limits = first.scope.iter().map(String::as_str);
            let scope = std::iter::once(SUM).chain(limits).collect::<Vec<_>>().join(" ");
            sums.push(Counter {
                perf: first.name(),
                known: None,
                scope: Some(scope),
                total: sum(&total, &equal),
                intervals: (0..first.intervals.len()).map(at).collect(),
                ..first.clone()
            });
        }
        self.counters.extend(sums);
    }
}
