//! Finds causes in the output of `perf stat`.

use std::collections::BTreeMap;

use arm_pmu_lookup::kernel::{
    KernelPmu, PMCG, can_have_name, is_name_of_core, is_name_of_pmcg, is_numbered, is_pmcg,
    pmcg_name,
};
use arm_pmu_tables::Pmu;

use super::dump::{Count, Dump, Value, is_any_pmcg};
use super::{Reason, Report, Weight, family, perf};
use crate::base::number;

/// First count that Linux reports for a counter that loses its start value: Linux writes 0x7FFF_FFFF, reads 0, and
/// subtracts modulo 2^32.
const NOT_KEPT: u64 = 0x8000_0001;

/// A running clock has more cycles per second.
const GATED: f64 = 100_000.0;

/// Diagnoses the counts of this PMU. Returns whether the dump has such counts.
pub fn diagnose(pmu: Pmu, pages: &[u64], dump: &Dump, report: &mut Report) -> bool {
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
        report.remarks.push(if refused.has_pmu {
            format!("perf rejects an event of {name} (line {line}): the kernel has the PMU, but not the event")
        } else {
            format!(
                "perf rejects an event of {name} (line {line}): if /sys/bus/event_source/devices has no {name}, the kernel's driver is missing or not bound; `arm-pmu device-tree` prints missing nodes of a device tree"
            )
        });
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
            report.remarks.push(format!(
                "{name} is the Linux name of {}, but the diagnosis is of {pmu}",
                other.pmu
            ));
        }
        perf::diagnose(pmu, name, &counts, &beside, report);
        weigh(pmu, name, &counts, report);
    }
    is_there
}

fn total(counts: &[&Count], of: impl Fn(&Count) -> bool) -> Option<u64> {
    let values: Vec<_> =
        counts.iter().filter(|count| of(count)).filter_map(|count| count.value.number()).collect();
    (!values.is_empty()).then(|| values.into_iter().fold(0, u64::saturating_add))
}

/// Detects a wrong address of page 1: the first interval has a typical count, and the following ones are zero.
fn pmcg(pmu: Pmu, name: &str, counts: &[&Count], report: &mut Report) {
    let mut events: BTreeMap<(&str, usize), Vec<&Count>> = BTreeMap::new();
    for count in counts.iter().filter(|count| count.value.number().is_some()) {
        events.entry((&count.event, count.nth)).or_default().push(count);
    }
    let rows: Vec<_> = events.values().collect();
    let has_sign =
        |rows: &Vec<&Count>| rows.first().is_some_and(|row| row.value == Value::Number(NOT_KEPT));
    let is_zero_after = |rows: &Vec<&Count>| {
        rows.iter().skip(1).all(|row| row.value == Value::Number(0) && row.until.is_some())
    };
    let pages = name
        .strip_prefix(PMCG)
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .map(|page| page << 12);
    if rows.iter().any(|rows| has_sign(rows)) {
        let evidence = rows.iter().filter(|rows| has_sign(rows)).map(|rows| {
            let after = rows.len() - 1;
            format!(
                "{name}/{}/ counts {NOT_KEPT} in its first interval (line {}), and 0 in the next {after}",
                rows[0].event, rows[0].line
            )
        });
        let evidence: Vec<_> = evidence.collect();
        if !rows.iter().all(|rows| has_sign(rows) && is_zero_after(rows)) {
            report.remarks.push(format!(
                "{name}: {NOT_KEPT} is the usual value of a counter that loses its start value, but other counts of the same PMU are not 0, so this is accepted as a count"
            ));
            return;
        }
        let alone = rows.iter().all(|rows| rows.len() == 1);
        let weight = if alone { Weight::Possible } else { Weight::Probable };
        let mut evidence = if alone {
            vec![format!("{name} counts {NOT_KEPT}, and there is only one interval")]
        } else {
            evidence
        };
        evidence.push(
            "Linux writes 0x7FFFFFFF to a counter, reads 0, and reports (0 - 0x7FFFFFFF) modulo 2^32".to_owned(),
        );
        if let Some(cause) = report.add(pmu, "PAGE_1_ELSEWHERE", weight, evidence) {
            if alone {
                cause
                    .or("a count of this size")
                    .next("run perf stat with -I 1000 for some seconds");
            } else if let Some(page_0) = pages {
                cause.next(format!(
                    "{}; read the counter at the right place",
                    right_page(pmu, page_0)
                ));
            }
        }
        return;
    }
    match (total(counts, |count| count.is_cycles), total(counts, |count| !count.is_cycles)) {
        (Some(0), Some(0) | None) => {
            let evidence = vec![format!("the clock of {name} is counted as 0")];
            if let Some(cause) = report.add(pmu, "CLOCK_STANDS_STILL", Weight::Possible, evidence) {
                cause.next("let a device behind the unit make transactions while perf counts");
            }
        }
        (None, Some(0)) => {
            let evidence = vec![format!("all counts of {name} are 0")];
            if let Some(cause) = report.add(pmu, "CLOCK_STANDS_STILL", Weight::Possible, evidence) {
                cause.or("EXPECTED_EVENT_NOT_COUNTED, or a filter that no stream passes").next(
                    format!(
                        "count the clock too, without a filter: perf stat -a -e {name}/cycles/"
                    ),
                );
            }
        }
        (Some(clock), Some(0)) if !is_gated(pmu, name, counts, report) => {
            clock_alone(pmu, name, counts, clock, report);
        }
        (Some(_), None) => cycles_alone(pmu, name, counts, report),
        (Some(_), Some(0)) | (None, None) => {}
        _ => {
            let pmus = counts.iter().map(|count| count.nth + 1).max().unwrap_or(1);
            let by = if pmus > 1 { format!(" by {pmus} PMUs of this name") } else { String::new() };
            report.remarks.push(format!("{name}: events are counted{by}"));
        }
    }
}

/// Reports that only cycles were requested.
fn cycles_alone(pmu: Pmu, name: &str, counts: &[&Count], report: &mut Report) {
    if !counts.iter().all(|count| count.is_cycles) || total(counts, |_| true).is_none() {
        return;
    }
    let rate = clock_rate(counts).map(|rate| number::decimal(rate.round()) + " a second");
    let rate = rate.map_or(String::new(), |rate| format!(" ({rate})"));
    report
        .remarks
        .push(format!("{name}: only clock cycles were counted{rate}, and no event was requested"));
    is_gated(pmu, name, counts, report);
}

/// Cycles per second of one PMU, if the time is known.
fn clock_rate(counts: &[&Count]) -> Option<f64> {
    let cycles = counts.iter().filter(|count| count.is_cycles && count.seconds > 0.0);
    let cycles = cycles.filter_map(|count| Some((count.value.number()? as f64, count.seconds)));
    let (cycles, seconds) = cycles.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (seconds > 0.0).then_some(cycles / seconds)
}

/// Detects a clock that ran for only a part of the time.
fn is_gated(pmu: Pmu, name: &str, counts: &[&Count], report: &mut Report) -> bool {
    let rate = clock_rate(counts).filter(|rate| *rate < GATED && !is_name_of_core(name));
    let still = pmu.findings().find(|finding| finding.name == "CLOCK_STANDS_STILL");
    let (Some(rate), Some(still)) = (rate, still) else { return false };
    let reason = Reason {
        name: "CLOCK_GATED",
        cause: "The clock is gated nearly always: the unit is idle, which is not a fault.",
        fix: "None: while the unit works, its clock runs.".to_owned(),
        ..Reason::from(still)
    };
    let evidence = format!("{name} counts {} cycles a second", number::decimal(rate.round()));
    report
        .push(reason, Weight::Possible, vec![evidence])
        .next("count again while a device makes traffic through the unit");
    true
}

/// Reports zero events of an interconnect or SMMU with a running clock.
fn clock_alone(pmu: Pmu, name: &str, counts: &[&Count], clock: u64, report: &mut Report) {
    let zeros = format!("all events of {name} are 0, and its clock is counted as {clock}");
    let filtered = counts.iter().find(|count| {
        let mut terms = count.event.split(',');
        terms.any(|term| term == "filter_enable=1" || term == "filter_enable")
    });
    if let Some(filtered) = filtered {
        let evidence =
            vec![zeros, format!("with a filter: {} (line {})", filtered.event, filtered.line)];
        if let Some(cause) = report.add(pmu, "FILTER_PASSES_NOTHING", Weight::Possible, evidence) {
            cause.or("no device caused such an event with any StreamID").next(format!(
                "count without the filter: perf stat -a -e {name}/{}/",
                filtered.event.split(',').next().unwrap_or_default()
            ));
        }
        return;
    }
    if let Some(cause) =
        report.add(pmu, "EXPECTED_EVENT_NOT_COUNTED", Weight::Possible, vec![zeros])
    {
        cause.next("count transaction on the PMUs of the other units while the device works");
    }
}

/// Sentence with the address of page 1, for page 0 of a unit.
fn right_page(pmu: Pmu, page_0: u64) -> String {
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

fn cci400(pmu: Pmu, name: &str, counts: &[&Count], report: &mut Report) {
    let (Some(events), cycles) =
        (total(counts, |count| !count.is_cycles), total(counts, |count| count.is_cycles))
    else {
        cycles_alone(pmu, name, counts, report);
        return;
    };
    if events > 0 {
        report.remarks.push(format!("{name} counts events, so NIDEN is HIGH"));
        return;
    }
    let mut evidence = vec![format!("all events of {name} are 0")];
    match cycles {
        Some(0) => {
            evidence.push("the cycles, which NIDEN does not stop, are also zero".to_owned());
            report.add(pmu, "CLOCK_STANDS_STILL", Weight::Possible, evidence);
        }
        Some(cycles) => {
            evidence
                .push(format!("{cycles} cycles are counted, which Linux counts with PMCR.DP = 0"));
            super::cci400::niden_or_idle(pmu, evidence, report);
        }
        None => {
            if let Some(cause) = report.add(pmu, "NIDEN_LOW", Weight::Possible, evidence) {
                cause
                    .or("an idle port, or a stopped clock")
                    .next(format!("count the cycles too: perf stat -a -e {name}/cycles/"));
            }
        }
    }
}

fn cci5xx(pmu: Pmu, name: &str, counts: &[&Count], report: &mut Report) {
    match total(counts, |_| true) {
        Some(0) => {
            let evidence = vec![format!("all events of {name} are 0")];
            super::cci5xx::niden_or_silence(pmu, evidence, report);
        }
        Some(_) => report.remarks.push(format!("{name} counts, so NIDEN is HIGH")),
        None => {}
    }
}

/// Reports a DSU-120 under a kernel that knows only the first DSU.
fn without_cycles(pmu: Pmu, name: &str, report: &mut Report) {
    let evidence = format!("the cycles of {name} are 0, and other events are not");
    if let Some(cause) = report.add(pmu, "NO_CYCLE_COUNTER", Weight::Probable, vec![evidence]) {
        cause.next(
            "count with a kernel that knows the DSU-120; until then with -I, because this one reads 32 bits of counters \
             that have 64, and a count of 2^32 or more loses a multiple of 2^32",
        );
    }
}

/// Reports zeros of a core or a cache.
fn others(pmu: Pmu, name: &str, counts: &[&Count], report: &mut Report) {
    let zeros =
        match (total(counts, |count| count.is_cycles), total(counts, |count| !count.is_cycles)) {
            (Some(0), Some(0) | None) | (None, Some(0)) => {
                ["COUNTERS_STAND_STILL", "CLOCK_STANDS_STILL", "NOTHING_COUNTED"]
            }
            (Some(_), Some(0)) => ["EXPECTED_EVENT_NOT_COUNTED"; 3],
            (Some(_), None) => return cycles_alone(pmu, name, counts, report),
            (None, None) => return,
            (Some(0), Some(_)) if is_numbered(pmu) => return without_cycles(pmu, name, report),
            _ => return report.remarks.push(format!("{name}: events are counted")),
        };
    let evidence = format!("all events of {name} are 0");
    for finding in zeros {
        if report.add(pmu, finding, Weight::Possible, vec![evidence.clone()]).is_some() {
            return;
        }
    }
}
