//! Finds causes in the output of `perf stat`.

use std::collections::BTreeMap;

use arm_pmu_lookup::kernel::{
    KernelPmu, PMCG, can_have_name, is_name_of_core, is_name_of_pmcg, is_numbered, is_pmcg,
    pmcg_name,
};

use super::Weight::{Possible, Probable};
use super::dump::{Count, Dump, is_any_pmcg};
use super::{Reason, Report, family, perf};
use crate::base::number;

/// First count that Linux reports if a counter loses its start value. Linux writes 0x7FFF_FFFF, reads 0, and subtracts
/// modulo 2^32.
const NOT_KEPT: u64 = 0x8000_0001;

/// If there are fewer cycles per second, the clock was stopped for a part of the time.
const GATED: f64 = 100_000.0;

/// Diagnoses the counts of this PMU. Returns whether the dump has counts of this PMU.
pub fn diagnose(pages: &[u64], dump: &Dump, report: &mut Report) -> bool {
    let pmu = report.pmu;
    // The address of an SMMU PMU is in its kernel name.
    let own = pages.first().filter(|_| is_pmcg(pmu)).map(|page_0| pmcg_name(*page_0));
    let is_other = |name: &str| !is_any_pmcg(name) && own.as_ref().is_some_and(|own| own != name);
    let mut pmus: BTreeMap<&str, Vec<&Count>> = BTreeMap::new();
    for count in &dump.counts {
        pmus.entry(&count.pmu).or_default().push(count);
    }
    let beside = perf::Beside::new(dump);
    let mut is_there = false;
    for refused in &dump.refused {
        is_there = true;
        let (name, line) = (&refused.pmu, refused.line);
        let why = match refused.has_pmu {
            true => "the kernel has the PMU, but not the event".to_owned(),
            false => format!(
                "if /sys/bus/event_source/devices has no {name}, the kernel's driver is missing or not bound; `arm-pmu device-tree` prints missing nodes of a device tree"
            ),
        };
        report.remark(format!("perf rejects an event of {name} (line {line}): {why}"));
    }
    for (name, counts) in pmus {
        if is_other(name) {
            continue;
        }
        let can_be = can_have_name(pmu, name);
        let is_own = can_be || KernelPmu::all_of(pmu).any(|known| known.is_named(name));
        let is_of_family =
            can_be || KernelPmu::named(name).is_some_and(|known| family(known.pmu) == family(pmu));
        let weigh = match family(pmu) {
            _ if is_pmcg(pmu) && is_name_of_pmcg(name) => pmcg,
            "cci400" if is_of_family => cci400,
            "cci5xx" if is_of_family => cci5xx,
            _ if is_own => others,
            _ => continue,
        };
        is_there = true;
        if let Some(other) =
            KernelPmu::named(name).filter(|other| other.pmu.to_string() != pmu.to_string())
        {
            report.remark(format!(
                "{name} is the Linux name of {}, but the diagnosis is of {pmu}",
                other.pmu
            ));
        }
        perf::diagnose(name, &counts, &beside, report);
        weigh(name, &counts, report);
    }
    is_there
}

/// Returns the sum of the cycles and the sum of the events. A sum is `None` if nothing was counted.
fn totals(counts: &[&Count]) -> (Option<u64>, Option<u64>) {
    let total = |is_cycles| {
        let counts = counts.iter().filter(|count| count.is_cycles == is_cycles);
        counts.filter_map(|count| count.row.count.whole()).reduce(u64::saturating_add)
    };
    (total(true), total(false))
}

/// Detects a wrong address of page 1: the first interval has a typical count, and the later intervals count zero.
fn pmcg(name: &str, counts: &[&Count], report: &mut Report) {
    let mut events: BTreeMap<(&str, usize), Vec<&Count>> = BTreeMap::new();
    for count in counts.iter().filter(|count| count.row.count.whole().is_some()) {
        events.entry((&count.event, count.nth)).or_default().push(count);
    }
    let rows: Vec<_> = events.values().collect();
    let has_sign = |rows: &Vec<&Count>| rows[0].row.count.whole() == Some(NOT_KEPT);
    let is_zero_after = |rows: &Vec<&Count>| {
        rows.iter()
            .skip(1)
            .map(|one| &one.row)
            .all(|row| row.count.whole() == Some(0) && row.nanoseconds.is_some())
    };
    let pages = name
        .strip_prefix(PMCG)
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .map(|page| page << 12);
    if rows.iter().any(|rows| has_sign(rows)) {
        if !rows.iter().all(|rows| has_sign(rows) && is_zero_after(rows)) {
            report.remark(format!(
                "{name}: {NOT_KEPT} is the usual value of a counter that loses its start value, but other counts of the same PMU are not 0, so this is accepted as a count"
            ));
            return;
        }
        let alone = rows.iter().all(|rows| rows.len() == 1);
        let weight = if alone { Possible } else { Probable };
        let of_event = |rows: &&Vec<&Count>| {
            let (Count { event, row, .. }, after) = (rows[0], rows.len() - 1);
            format!(
                "{name}/{event}/ counts {NOT_KEPT} in its first interval (line {}), and 0 in the next {after}",
                row.line
            )
        };
        let mut evidence = match alone {
            true => vec![format!("{name} counts {NOT_KEPT} in its only interval")],
            false => rows.iter().map(of_event).collect(),
        };
        evidence.push(
            "Linux writes 0x7FFFFFFF to a counter, reads 0, and reports (0 - 0x7FFFFFFF) modulo 2^32".to_owned(),
        );
        let right_page = pages.map(|page_0| right_page(report.pmu, page_0));
        let cause = report.add("PAGE_1_ELSEWHERE", weight, evidence);
        if alone {
            cause
                .or("a correct count that happens to be this large")
                .next("run perf stat with -I 1000 for some seconds");
        } else if let Some(right_page) = right_page {
            cause.next(format!("{right_page}; read the counter at the right place"));
        }
        return;
    }
    match totals(counts) {
        (Some(0), Some(0) | None) => {
            let evidence = vec![format!("the clock of {name} is counted as 0")];
            report
                .add("CLOCK_STANDS_STILL", Possible, evidence)
                .next("let a device behind the unit make transactions while perf counts");
        }
        (None, Some(0)) => {
            let evidence = vec![format!("all counts of {name} are 0")];
            report
                .add("CLOCK_STANDS_STILL", Possible, evidence)
                .or("EXPECTED_EVENT_NOT_COUNTED, or a filter that no stream passes")
                .next(format!(
                    "count the clock too, without a filter: perf stat -a -e {name}/cycles/"
                ));
        }
        (Some(clock), Some(0)) if !is_gated(name, counts, report) => {
            clock_alone(name, counts, clock, report);
        }
        (Some(_), None) => cycles_alone(name, counts, report),
        (Some(_), Some(0)) | (None, None) => {}
        _ => {
            let pmus = counts.iter().map(|count| count.nth + 1).max().unwrap_or(1);
            let by = if pmus > 1 { format!(" by {pmus} PMUs of this name") } else { String::new() };
            report.remark(format!("{name}: events are counted{by}"));
        }
    }
}

/// Reports that only cycles were requested.
fn cycles_alone(name: &str, counts: &[&Count], report: &mut Report) {
    if !counts.iter().all(|count| count.is_cycles) || totals(counts).0.is_none() {
        return;
    }
    let rate = clock_rate(counts).map(|rate| number::decimal(rate.round()) + " a second");
    let rate = rate.map_or(String::new(), |rate| format!(" ({rate})"));
    report.remark(format!(
        "{name}: only clock cycles were counted{rate}, and no event was requested"
    ));
    is_gated(name, counts, report);
}

/// Cycles per second of one PMU, if the time is known.
fn clock_rate(counts: &[&Count]) -> Option<f64> {
    let cycles = counts.iter().filter(|count| count.is_cycles && count.seconds > 0.0);
    let cycles = cycles.filter_map(|count| Some((count.row.count.whole()? as f64, count.seconds)));
    let (cycles, seconds) = cycles.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (seconds > 0.0).then_some(cycles / seconds)
}

/// Detects a clock that ran for only a part of the time.
fn is_gated(name: &str, counts: &[&Count], report: &mut Report) -> bool {
    let rate = clock_rate(counts).filter(|rate| *rate < GATED && !is_name_of_core(name));
    let still = report.pmu.findings().find(|finding| finding.name == "CLOCK_STANDS_STILL");
    let (Some(rate), Some(still)) = (rate, still) else { return false };
    let reason = Reason {
        name: "CLOCK_GATED",
        cause: "The clock is gated nearly always because the unit is idle, which is not a fault.",
        fix: "None is needed, because the clock runs while the unit works.".to_owned(),
        ..Reason::from(still)
    };
    let evidence = format!("{name} counts {} cycles a second", number::decimal(rate.round()));
    report
        .push(reason, Possible, vec![evidence])
        .next("count again while a device makes traffic through the unit");
    true
}

/// Reports an interconnect or SMMU whose events are all zero although its clock runs.
fn clock_alone(name: &str, counts: &[&Count], clock: u64, report: &mut Report) {
    let zeros = format!("all events of {name} are 0, and its clock is counted as {clock}");
    let filtered = counts.iter().find(|count| {
        let mut terms = count.event.split(',');
        terms.any(|term| term == "filter_enable=1" || term == "filter_enable")
    });
    if let Some(filtered) = filtered {
        let evidence =
            vec![zeros, format!("with a filter: {} (line {})", filtered.event, filtered.row.line)];
        let event = filtered.event.split(',').next().unwrap_or_default();
        report
            .add("FILTER_PASSES_NOTHING", Possible, evidence)
            .or("no device caused such an event with any StreamID")
            .next(format!("count without the filter: perf stat -a -e {name}/{event}/"));
        return;
    }
    report
        .add("EXPECTED_EVENT_NOT_COUNTED", Possible, vec![zeros])
        .next("count transaction on the PMUs of the other units while the device works");
}

/// Sentence that gives the address of page 1 of the unit whose page 0 is at `page_0`.
fn right_page(pmu: arm_pmu_tables::Pmu, page_0: u64) -> String {
    let units = pmu.unit.into_iter().chain(pmu.ip.units.iter().filter(|_| pmu.unit.is_none()));
    let places = units.filter_map(|unit| {
        let base = page_0.checked_sub(unit.page_offset("page0")?.into())?;
        let offset = unit.page_offset("page1")?;
        Some(format!(
            "page 1 of a {} whose page 0 is at 0x{page_0:X} is at 0x{:X}",
            unit.name.to_uppercase(),
            base + u64::from(offset)
        ))
    });
    let announced = page_0 + 0x1_0000;
    let places: Vec<_> = places.collect();
    format!(
        "{}, and firmware that uses one distance for all units announces 0x{announced:X}: compare it with /proc/iomem",
        places.join("; ")
    )
}

fn cci400(name: &str, counts: &[&Count], report: &mut Report) {
    let (cycles, Some(events)) = totals(counts) else {
        return cycles_alone(name, counts, report);
    };
    if events > 0 {
        report.remark(format!("{name} counts events, so NIDEN is HIGH"));
        return;
    }
    let mut evidence = vec![format!("all events of {name} are 0")];
    match cycles {
        Some(0) => {
            evidence.push("the cycles, which NIDEN does not stop, are also zero".to_owned());
            report.add("CLOCK_STANDS_STILL", Possible, evidence);
        }
        Some(cycles) => {
            evidence.push(format!("Linux counted {cycles} cycles, with PMCR.DP = 0"));
            super::cci400::niden_or_idle(evidence, report);
        }
        None => report
            .add("NIDEN_LOW", Possible, evidence)
            .or("an idle port, or a stopped clock")
            .next(format!("count the cycles too: perf stat -a -e {name}/cycles/")),
    }
}

fn cci5xx(name: &str, counts: &[&Count], report: &mut Report) {
    match totals(counts) {
        (None, None) => {}
        (None | Some(0), None | Some(0)) => {
            let evidence = vec![format!("all events of {name} are 0")];
            super::cci5xx::niden_or_silence(evidence, report);
        }
        _ => report.remark(format!("{name} counts, so NIDEN is HIGH")),
    }
}

/// Reports a DSU-120 under a kernel that knows only the first DSU.
fn without_cycles(name: &str, report: &mut Report) {
    let evidence = format!("the cycles of {name} are 0, and other events are not");
    report.add("NO_CYCLE_COUNTER", Probable, vec![evidence]).next(
        "count with a kernel that knows the DSU-120; until then, use -I, because this kernel reads \
         only 32 of a counter's 64 bits, so a count of 2^32 or more loses a multiple of 2^32",
    );
}

/// Reports why events of a core or a cache count zero.
fn others(name: &str, counts: &[&Count], report: &mut Report) {
    let zeros: &[&str] = match totals(counts) {
        (Some(0), Some(0) | None) | (None, Some(0)) => {
            &["COUNTERS_STAND_STILL", "CLOCK_STANDS_STILL", "NOTHING_COUNTED"]
        }
        (Some(_), Some(0)) => &["EXPECTED_EVENT_NOT_COUNTED"],
        (Some(_), None) => return cycles_alone(name, counts, report),
        (None, None) => return,
        (Some(0), Some(_)) if is_numbered(report.pmu) => return without_cycles(name, report),
        _ => return report.remark(format!("{name}: events are counted")),
    };
    // Adds the first of these findings that the tables have for the PMU.
    let evidence = vec![format!("all events of {name} are 0")];
    zeros.iter().find(|finding| report.add(finding, Possible, evidence.clone()).0.is_some());
}
