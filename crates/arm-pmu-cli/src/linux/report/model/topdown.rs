//! Level 1 of top-down.

use arm_pmu_lookup::perf::{STALLS, TOPDOWN, of_topic, topics};
use arm_pmu_lookup::perf_name::What;
use arm_pmu_tables::{Input, Pmu};

use super::counter::{Counter, is_cycles};
use super::given::Given;
use super::metric::Metric;
use super::report::Report;
use super::shares::{Shares, largest};

impl Report {
    /// Adds level 1 of top-down, or otherwise the stalled shares of cycles, if all its metrics were computed, beginning
    /// with metric `first`.
    pub(super) fn level_1(&mut self, pmu: Pmu, place: &[usize], first: usize, given: &Given) {
        let is_of = |metric: &Metric, topic: &'static str| {
            metric.of.is_some_and(|of| of.topics.contains(&topic))
        };
        let is_whole = |topic: &&'static str| {
            let all = of_topic(pmu, topic).count();
            let computed = self.metrics[first..].iter().filter(|one| is_of(one, topic)).count();
            all > 0 && computed == all
        };
        let Some(topic) = [TOPDOWN, STALLS].into_iter().find(is_whole) else { return };
        let all: Vec<_> = of_topic(pmu, topic).collect();
        let rows = self.metrics[first..].iter_mut().filter(|one| is_of(one, topic));
        let rows: Vec<_> = rows.collect();
        let is_input = |counter: &&Counter| match counter.known.as_ref().map(|known| known.what) {
            Some(What::Event(selection)) => {
                let input = Input::Event(selection.of.event.name);
                all.iter().any(|of| of.metric.inputs.contains(&input))
            }
            _ => false,
        };
        let counters = || place.iter().map(|nth| &self.counters[*nth]);
        let clock = counters().find(|counter| is_cycles(counter));
        let has_cycles = clock.is_some_and(|cycles| !cycles.total.is_zero());
        let pmu_name = rows[0].pmu.clone();
        if has_cycles && counters().filter(is_input).all(|counter| counter.total.is_zero()) {
            for metric in rows {
                (metric.total, metric.intervals) = (None, vec![None; self.times.len()]);
            }
            self.notes.push(format!(
                "There is no top-down of {pmu_name}: its events are 0 but cycles are not, so the machine does not count the \
                 events. QEMU does not count them, and a hypervisor can hide them; see `arm-pmu doctor --live`."
            ));
            self.uncounted.push(pmu_name);
            return;
        }
        let row = |metric: &&mut Metric| Some((metric.of?, metric.total?));
        let Some(values) = rows.iter().map(row).collect::<Option<Vec<_>>>() else { return };
        let scope = rows[0].scope.iter().map(|scope| format!(" {scope}"));
        let known = topics(pmu);
        let next =
            largest(&values).and_then(|(of, _)| of.next.iter().find(|next| known.contains(next)));
        let program = given.program.as_deref().unwrap_or("PROGRAM");
        self.shares.push(Shares {
            pmu: pmu_name + &scope.collect::<String>(),
            of_slots: topic == TOPDOWN,
            rows: values.iter().map(|(of, value)| (of.name, *value)).collect(),
            is_estimate: rows.iter().any(|metric| metric.is_estimate),
            next: next.map(|topic| format!("arm-pmu stat -m {topic} -- {program}")),
        });
    }
}
