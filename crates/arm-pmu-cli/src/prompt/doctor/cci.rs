//! Checks that all CCIs share: identification, control and enables.

use super::Report;
use super::Weight::{Decided, Possible};
use super::evidence::{Evidence, disabled, expected_part};

/// Returns the enabled counters. The result is `None` after a decisive finding, or if the input has
/// no value of PMCR.
pub fn enabled(evidence: &Evidence, report: &mut Report) -> Option<Vec<u32>> {
    let pmu = report.pmu;
    if let Some((part, text)) = evidence.part_number("PID0", "PID1") {
        if part == 0 {
            report.add("UNIDENTIFIED", Possible, text);
        } else if expected_part(pmu, "PID0", "PID1").is_some_and(|expected| expected != part) {
            report.add("ANOTHER_PRODUCT", Decided, text);
            return None;
        }
    }
    revision(evidence, report);
    let Some(pmcr) = evidence.last("PMCR") else {
        report.remark("PMCR is not in the dump, so most causes cannot be checked");
        return None;
    };
    let counters = pmu.ip.counters.count;
    if pmcr.field("PMU_CNT_NUM") != counters {
        report.add("COUNTERS", Decided, vec![pmcr.text()]);
        return None;
    }
    if pmcr.field("CEN") == 0 {
        disabled(format!("{}: CEN = 0, so all counters are stopped", pmcr.text()), report);
        return None;
    }
    let on = |n: &u32| {
        evidence.element("COUNT_CONTROL", *n).last().is_some_and(|one| one.field("ENABLE") == 1)
    };
    let enabled: Vec<u32> = (0..counters).filter(on).collect();
    if enabled.is_empty() && evidence.all("COUNT_CONTROL").count() >= counters as usize {
        disabled("no COUNT_CONTROL has ENABLE = 1".to_owned(), report);
        return None;
    }
    Some(enabled)
}

/// Checks the revision of a product whose revisions have different events.
fn revision(evidence: &Evidence, report: &mut Report) {
    let Some(unit) = report.pmu.unit else { return };
    let Some(pid2) = evidence.last("PID2").filter(|pid2| pid2.value != 0) else { return };
    let revision = if pid2.field("REVISION") >= 5 { "r1" } else { "r0" };
    if unit.name != revision {
        let text = format!("{}: this is {revision}", pid2.text());
        report.add("ANOTHER_REVISION", Decided, vec![text]);
    }
}
