//! Notes about doubtful counts.

use std::collections::{BTreeMap, BTreeSet};

use arm_pmu_lookup::kernel;
use arm_pmu_lookup::perf_name::{PerfName, What};

use super::parts::{Counter, is_cycles};
use super::report::Report;
use crate::base::perf_stat::plain;
use crate::base::perf_stat::recording::{Count, Number, WHY_NOT_SUPPORTED};
use crate::base::text::{distinct, listed};

impl Report {
    pub(super) fn doubts(&mut self) {
        let mut notes = Vec::new();
        let names = |is: &dyn Fn(&Counter) -> bool| {
            let names = self.counters.iter().filter(|counter| is(counter)).map(Counter::name);
            // Several counters can have the same event name, for different PMUs or devices.
            let all = distinct(names);
            (!all.is_empty()).then(|| listed(&all, 4))
        };
        let is_estimate = |counter: &Counter| counter.total.is_estimate();
        if let Some(names) = names(&is_estimate) {
            let (others, fewer) =
                match self.counters.iter().any(|one| is_estimate(one) && one.is_of_stream()) {
                    true => ("other events or devices", "fewer events, or one device,"),
                    false => ("other events", "fewer events"),
                };
            notes.push(format!(
                "~ is an estimate: {names} shared counters with {others}, and their counts are scaled to the whole \
                 time. Count {fewer} at once for exact numbers."
            ));
        }
        if let Some(names) = names(&Counter::lacks_intervals) {
            notes.push(format!(
                "x is an interval without a count, so the sum of {names} is incomplete (>= is a lower bound). Use longer \
                 intervals, or fewer events."
            ));
        }
        let idle = self.idle_cores();
        let is_idle = |counter: &Counter| idle.contains(counter.device());
        for core in &idle {
            let is = |counter: &Counter| counter.device() == *core;
            let names = names(&is).unwrap_or_default();
            notes.push(format!(
                "{names}: <not counted>. The program never ran on a CPU of {core}. To count there, bind it to such a \
                 CPU with taskset."
            ));
        }
        let is_not_counted = |counter: &Counter| counter.total.count == Count::NotCounted;
        if let Some(names) = names(&|counter| is_not_counted(counter) && !is_idle(counter)) {
            notes.push(format!("{names}: <not counted>. {}", self.why_not_counted()));
        }
        if let Some(names) = names(&|counter| counter.total.count == Count::NotSupported) {
            notes.push(format!("{names}: <not supported>. {WHY_NOT_SUPPORTED}"));
        }
        if let Some(names) =
            names(&|counter| counter.total.number().is_some_and(Number::may_be_rounded))
        {
            notes.push(format!(
                "{names} is above 2^53, so perf, which prints counts from floating point, has rounded it."
            ));
        }
        notes.extend(self.zeros());
        let preset = |counter: &Counter| {
            let preset = [0x7FFF_FFFF, 0x8000_0000].map(|value| Some(Number::Integer(value)));
            preset.contains(&counter.total.number())
        };
        if let Some(names) = names(&preset) {
            notes.push(format!(
                "{names} has the value that the kernel's driver writes at a start, so the counter \
                 cannot be read, or has not moved."
            ));
        }
        if let Some(last) = self.times.len().checked_sub(1) {
            let lacks =
                |one: &&Counter| one.of_run.contains(&last) && one.intervals[last].is_none();
            let lack = self.counters.iter().filter(lacks).count();
            if lack > 0 {
                notes.push(format!(
                    "The last interval lacks {lack} of {} events, because the recording ends within it.",
                    self.counters.len()
                ));
            }
        }
        self.notes.extend(notes);
    }

    /// Returns the core PMUs that have no count although other core PMUs have counts.
    fn idle_cores(&self) -> BTreeSet<&str> {
        let mut cores: BTreeMap<&str, bool> = BTreeMap::new();
        for counter in &self.counters {
            if kernel::is_name_of_core(counter.device()) {
                let has_counted =
                    counter.total.running_percent > 0.0 || counter.total.count != Count::NotCounted;
                *cores.entry(counter.device()).or_default() |= has_counted;
            }
        }
        let is_idle = |(core, has_counted): (_, bool)| (!has_counted).then_some(core);
        let all = cores.len();
        let idle: BTreeSet<&str> = cores.into_iter().filter_map(is_idle).collect();
        if idle.len() < all { idle } else { BTreeSet::new() }
    }

    fn why_not_counted(&self) -> String {
        let is_software = |counter: &Counter| {
            counter.total.count == Count::NotCounted && plain::is_software(&counter.perf)
        };
        if self.counters.iter().any(is_software) {
            return "The kernel's own events were not counted either, so no PMU is at fault: the events were never \
                    enabled, because the program did not run or perf ended too early."
                .to_owned();
        }
        for (known, place) in self.groups(Counter::pmu) {
            let (pmu, counters) = (known.pmu, known.pmu.ip.counters.count as usize);
            let is_event = |nth: &&usize| {
                let known = self.counters[**nth].known.as_ref();
                known.is_some_and(|known| !known.is_any_pmcg && !matches!(known.what, What::Cycles))
            };
            let events = place.iter().filter(is_event).count();
            if events > counters {
                return format!(
                    "A {pmu} has {counters} event counters for these {events} events, and a group \
                     that does not fit is not counted at all. Make groups of {counters}."
                );
            }
        }
        "The group did not fit or was refused, or the measurement ended before the group's turn."
            .to_owned()
    }

    /// Notes about zeros that can be a fault of the PMU.
    fn zeros(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (known, place) in self.groups(Counter::pmu) {
            let counters = place.iter().map(|nth| &self.counters[*nth]);
            let counters: Vec<_> = counters.filter(|one| one.total.number().is_some()).collect();
            let is_clock = |one: &&Counter| one.unit == "cycles" && is_cycles(one);
            let (cycles, events): (Vec<_>, Vec<_>) = counters.iter().copied().partition(is_clock);
            let place = self.counters[place[0]].pmu();
            let all_zero = |of: &[&Counter]| {
                !of.is_empty() && of.iter().all(|counter| counter.total.is_zero())
            };
            let finding = |name: &str| {
                let mut findings = known.pmu.findings().filter(|_| !known.is_any_pmcg);
                let found = findings.find(|finding| finding.name == name);
                found.map_or(String::new(), |of| format!(" {} {}", of.cause, of.fix))
            };
            let counts_elsewhere = |one: &Counter| {
                let of_core = |known: &PerfName| known.pmu.is_processor();
                one.known.as_ref().is_some_and(of_core) && one.count().is_some_and(|n| n > 0.0)
            };
            let mut all = self.counters.iter();
            if known.pmu.is_processor() && all_zero(&counters) && all.any(counts_elsewhere) {
                notes.push(format!(
                    "All counts of {place} are zero: the program did not run on its CPUs. To count there, bind it to \
                     one of them with taskset."
                ));
            } else if !cycles.is_empty() && all_zero(&counters) {
                let why = finding("CLOCK_STANDS_STILL");
                notes.push(format!(
                    "All counts of {place} are zero, including cycles, so the PMU has not counted.{why}"
                ));
            } else if self.uncounted.contains(&place) {
                // A note already reports that top-down is not counted.
            } else if all_zero(&events) && !cycles.is_empty() {
                let why = finding("NIDEN_LOW");
                let why = if why.is_empty() { "." } else { &format!(", or:{why}") };
                notes.push(format!(
                    "Cycles of {place} were counted, and no event: there was no traffic{why}"
                ));
            } else if all_zero(&events) {
                notes.push(format!(
                    "All events of {place} are zero: there was no traffic, or events are not enabled. Also \
                     count cycles, or an event that must occur."
                ));
            } else {
                let zeros = events.iter().filter(|counter| counter.total.is_zero());
                notes.extend(zeros.filter_map(|counter| why_zero(counter)));
            }
        }
        notes
    }
}

/// Explains a count of zero from the tables.
fn why_zero(counter: &Counter) -> Option<String> {
    let What::Event(selection) = counter.known.as_ref()?.what else { return None };
    let event = selection.of.event;
    let why = if event.never_fires {
        "this product never signals it"
    } else if event.ace_only {
        "only ACE interfaces signal it, not ACE-Lite interfaces"
    } else if event.secure_only {
        "it counts only where Secure observation is allowed"
    } else {
        return None;
    };
    Some(format!("{} is zero: {why}.", counter.name()))
}
