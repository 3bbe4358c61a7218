//! Computes the metrics of a recording, and level 1 of top-down.

use arm_pmu_lookup::perf::{STALLS, TOPDOWN, of_topic, topics};
use arm_pmu_lookup::perf_name::What;
use arm_pmu_tables::{Expression, Input, Measure, MetricOf, Pmu};

use super::parts::{Counter, Metric, Shares, Value, is_cycles, largest, unit};
use super::report::{Given, Report};
use super::rows::scope;
use crate::base::perf_stat::recording::Recording;

impl Report {
    pub(super) fn metrics(&mut self, given: &Given) {
        let groups = self.groups(|counter| (counter.pmu(), counter.scope.clone())).into_iter();
        let groups: Vec<_> = groups.map(|(known, place)| (known.pmu, place)).collect();
        for (pmu, place) in groups.into_iter().filter(|(pmu, _)| !pmu.is_ambiguous()) {
            let first = self.metrics.len();
            for of in pmu.metrics() {
                let none = of.group.sources.is_empty().then_some(None);
                for source in
                    none.into_iter().chain(of.group.sources.iter().map(|source| Some(source.id)))
                {
                    self.metric(of, source, &place, given);
                }
            }
            self.level_1(pmu, &place, first, given);
        }
    }

    /// Adds a metric at one source, if the counters at `place` count all inputs of the metric.
    fn metric(&mut self, of: MetricOf, source: Option<u32>, place: &[usize], given: &Given) {
        let counter_of = |input: &Input| {
            let is = |counter: &&Counter| {
                let Some(known) = &counter.known else { return false };
                match (input, known.what) {
                    (Input::Cycles, what) => what.is_cycles(),
                    (Input::Event(name), What::Event(selection)) => {
                        let group = selection.of.group;
                        selection.of.event.name == *name
                            && group.name == of.group.name
                            && selection.source.map(|source| source.id) == source
                    }
                    _ => false,
                }
            };
            place.iter().map(|nth| &self.counters[*nth]).find(is)
        };
        let inputs: Option<Vec<&Counter>> = of.metric.inputs.iter().map(counter_of).collect();
        let Some(inputs) = inputs else { return };
        let of_source = |source: u32| of.group.sources.iter().find(|known| known.id == source);
        let name = match source.and_then(of_source) {
            Some(source) if of.group.sources.len() > 1 => {
                format!("{}:{}", of.metric.name, source.name)
            }
            _ => of.metric.name.to_owned(),
        };
        self.arguments.extend(of.metric.arguments.iter().map(|argument| argument.name));
        let of_board = |argument: &arm_pmu_tables::Argument| {
            let known = inputs.first()?.known.as_ref()?;
            let interface = given.interface(known, source.and_then(of_source)?.name)?;
            let bytes = interface.beat_bytes.filter(|_| argument.name == "beat_bytes")?;
            Some(f64::from(bytes.value))
        };
        let of_core = |argument: &arm_pmu_tables::Argument| {
            let pmu = inputs.first()?.pmu();
            given.cores.iter().find(|core| core.pmu == pmu)?.argument(argument)
        };
        let argument = |argument: &'static arm_pmu_tables::Argument| {
            let is = |(name, _): &&(String, f64)| name == argument.name;
            let given = given.arguments.iter().find(is).map(|(_, value)| *value);
            given.or_else(|| of_board(argument)).or_else(|| of_core(argument)).ok_or(argument)
        };
        let arguments =
            match of.metric.arguments.iter().map(argument).collect::<Result<Vec<f64>, _>>() {
                Ok(arguments) => arguments,
                Err(missing) => {
                    let hint = missing.doc.trim_end_matches('.');
                    let with = format!(" can be computed with --set {}=N. {hint}.", missing.name);
                    // One note names the metrics of all clusters.
                    match self.notes.iter_mut().find(|note| note.ends_with(&with)) {
                        Some(note) if note.contains(&name) => {}
                        Some(note) => {
                            *note = format!("{}, {name}{with}", note.trim_end_matches(&with))
                        }
                        None => self.notes.push(name + &with),
                    }
                    return;
                }
            };
        let compute = |value: &dyn Fn(&Counter) -> Option<Value>| {
            let numbers = inputs.iter().map(|counter| Some(value(counter)?.number()?.as_f64()));
            let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
            evaluate(&of.metric.expression, &numbers, &arguments)
        };
        let total = compute(&|counter| Some(counter.total));
        let in_interval = |nth| compute(&|counter| counter.intervals.get(nth).copied().flatten());
        let intervals = (0..self.times.len()).map(in_interval).collect();
        let seconds = inputs.iter().map(|counter| counter.seconds).fold(f64::INFINITY, f64::min);
        let has_rate = of.metric.measure == Measure::Bytes && seconds.is_finite() && seconds > 0.0;
        let doubtful =
            |counter: &&Counter| counter.total.is_estimate() || counter.total.is_lower_bound;
        let first = &self.counters[place[0]];
        let metric = Metric {
            name,
            scope: first.scope.clone(),
            pmu: first.pmu(),
            of: Some(of.metric),
            unit: unit(Some(of.metric.measure)),
            formula: of.metric.formula.to_owned(),
            caveat: of.metric.caveat,
            total,
            per_second: total.filter(|_| has_rate).map(|total| total / seconds),
            is_estimate: inputs.iter().any(doubtful),
            intervals,
        };
        if metric.measure() == Some(Measure::Percent)
            && metric.total.is_some_and(|value| value > 1.0)
        {
            let name = &metric.name;
            self.notes.push(format!("{name} is above 100 %: either its events were not counted at the same time, or its caveat gives the reason."));
        }
        self.metrics.push(metric);
    }

    /// Adds metrics computed by `perf`; `perf` prints 0 for a metric that it cannot compute.
    pub(super) fn metrics_of_perf(&mut self, recording: &Recording) {
        for row in recording.rows.iter().filter(|row| row.nanoseconds.is_none()) {
            for (value, unit) in row.metrics.iter().filter(|(value, _)| *value != 0.0) {
                self.metrics.push(Metric {
                    name: unit.clone(),
                    pmu: String::new(),
                    scope: scope(recording, row.run, row.scope.clone(), Vec::new()),
                    of: None,
                    unit: "",
                    formula: format!("by perf, at {}", row.event),
                    caveat: None,
                    total: Some(*value),
                    per_second: None,
                    is_estimate: row.running_percent < 100.0,
                    intervals: vec![None; self.times.len()],
                });
            }
        }
    }
}

/// Value of a formula; `None` on division by zero.
fn evaluate(expression: &Expression, inputs: &[f64], arguments: &[f64]) -> Option<f64> {
    expression.evaluate(inputs, arguments, |number| number as f64).filter(|value| value.is_finite())
}

impl Report {
    /// Adds level 1 of top-down if all its metrics were computed; otherwise the stalled shares of cycles, if all of
    /// these were computed. Only the metrics from index `first` on are considered.
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
