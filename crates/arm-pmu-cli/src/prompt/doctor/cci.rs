//! Checks that all CCIs share: identification, control and enables.

use arm_pmu_tables::Pmu;

use super::evidence::{Evidence, disabled, expected_part};
use super::{Report, Weight};

/// Returns the enabled counters. `None` after a decisive finding, or without PMCR.
pub fn enabled(pmu: Pmu, evidence: &Evidence, report: &mut Report) -> Option<Vec<u32>> {
    if let Some((part, text)) = evidence.part_number("PID0", "PID1") {
        if part == 0 {
            report.add(pmu, "UNIDENTIFIED", Weight::Possible, text);
        } else if expected_part(pmu, "PID0", "PID1").is_some_and(|expected| expected != part) {
            report.add(pmu, "ANOTHER_PRODUCT", Weight::Decided, text);
            return None;
        }
    }
    revision(pmu, evidence, report);
    let Some(pmcr) = evidence.last("PMCR") else {
        let text = "PMCR is not in the dump, so most causes cannot be checked";
        report.remarks.push(text.to_owned());
        return None;
    };
    let counters = pmu.ip.counters.count;
    if pmcr.field("PMU_CNT_NUM") != counters {
        report.add(pmu, "COUNTERS", Weight::Decided, vec![pmcr.text()]);
        return None;
    }
    if pmcr.field("CEN") == 0 {
        disabled(pmu, format!("{}: CEN = 0, so all counters are stopped", pmcr.text()), report);
        return None;
    }
    let on = |n: &u32| {
        evidence.element("COUNT_CONTROL", *n).last().is_some_and(|one| one.field("ENABLE") == 1)
    };
    let enabled: Vec<u32> = (0..counters).filter(on).collect();
    if enabled.is_empty() && evidence.all("COUNT_CONTROL").count() >= counters as usize {
        disabled(pmu, "no COUNT_CONTROL has ENABLE = 1".to_owned(), report);
        return None;
    }
    Some(enabled)
}

/// Checks the revision of a product whose revisions have different events.
fn revision(pmu: Pmu, evidence: &Evidence, report: &mut Report) {
    let Some(unit) = pmu.unit else { return };
    let Some(pid2) = evidence.last("PID2").filter(|pid2| pid2.value != 0) else { return };
    let revision = if pid2.field("REVISION") >= 5 { "r1" } else { "r0" };
    if unit.name != revision {
        let text = format!("{}: this is {revision}", pid2.text());
        report.add(pmu, "ANOTHER_REVISION", Weight::Decided, vec![text]);
    }
}
