//! The PMU of a TCU or TBU of an MMU-600.

use arm_pmu_tables::Pmu;

use super::evidence::{Evidence, Motion, Reading, motion};
use super::{Report, Weight};

const COUNTERS: u32 = 4;

pub fn diagnose(pmu: Pmu, pages: &[u64], evidence: &Evidence, report: &mut Report) {
    let expected = if pmu.unit.is_some_and(|unit| unit.name == "tcu") { 0x483 } else { 0x484 };
    if let Some((part, text)) = evidence.part_number("PIDR0", "PIDR1") {
        if part != expected {
            report.add(pmu, "ANOTHER_PRODUCT", Weight::Decided, text);
            return;
        }
    }
    for (register, finding) in [("PMDEVARCH", "NOT_A_PMU"), ("CFGR", "CONFIGURATION")] {
        let unit = pmu.unit.map(|unit| unit.name);
        if let Some(reading) = evidence.last(register) {
            if reading.register.reset(unit).is_some_and(|reset| reset != u64::from(reading.value)) {
                report.add(pmu, finding, Weight::Decided, vec![reading.text()]);
                return;
            }
        }
    }
    if let Some(cr) = evidence.last("CR").filter(|cr| cr.field("E") == 0) {
        disabled(pmu, format!("{}: E = 0, so all counters hold", cr.text()), report);
        return;
    }
    let enables = evidence.last("CNTENSET0");
    if let Some(enables) = enables.filter(|enables| enables.field("CNTEN") == 0) {
        disabled(pmu, format!("{}: no counter is enabled", enables.text()), report);
        return;
    }
    let is_on = |n: &u32| enables.is_none_or(|enables| enables.field("CNTEN") >> n & 1 == 1);
    let enabled: Vec<u32> = (0..COUNTERS).filter(is_on).collect();
    for n in &enabled {
        counter(pmu, pages, evidence, *n, report);
    }
}

fn disabled(pmu: Pmu, text: String, report: &mut Report) {
    if let Some(cause) = report.add(pmu, "ENABLE_LOST", Weight::Probable, vec![text]) {
        cause
            .or("the dump is from before the start or after the stop")
            .next("take the dump while the counters should count");
    }
}

fn counter(pmu: Pmu, pages: &[u64], evidence: &Evidence, n: u32, report: &mut Report) {
    let values: Vec<&Reading> = evidence.element("EVCNTR", n).collect();
    let Some(last) = values.last() else { return };
    if last.value != 0 && motion(values.iter().copied()) == Motion::Moves {
        report.remarks.push(format!("{}: it moves", last.text()));
        return;
    }
    let mut text = vec![last.text()];
    let event = evidence.element("EVTYPER", n).last();
    text.extend(event.map(|event| event.text()));
    let is_secure = event.and_then(|event| {
        let selected = crate::programming::selections(pmu, event.register, event.value.into());
        Some(selected.selections.first()?.1.of.event.secure_only)
    });
    let scr = evidence.last("SCR").filter(|scr| scr.value != 0);
    if is_secure == Some(true) {
        match scr {
            Some(scr) if scr.field("SO") == 0 => {
                text.push(scr.text());
                report.add(pmu, "SECURE_NOT_OBSERVED", Weight::Decided, text);
                return;
            }
            Some(_) => {}
            None => {
                report.add(pmu, "SECURE_OBSERVATION_UNKNOWN", Weight::Possible, text);
                return;
            }
        }
    }
    // Drivers write a start value: Linux 0x7FFFFFFF.
    if last.value == 0x7FFF_FFFF || last.value == 0x8000_0000 {
        text.push("the counter holds the start value of a driver".to_owned());
    }
    let page = pages.get(1).copied().unwrap_or(0);
    let clock = event.is_some_and(|event| event.field("EVENT") == 0);
    if clock {
        if let Some(cause) = report.add(pmu, "CLOCK_STANDS_STILL", Weight::Possible, text) {
            cause.next(format!("let a device behind the unit make transactions; write 0x5A5A5A5A to 0x{page:X} and read it back"));
        }
        return;
    }
    if let Some(cause) = report.add(pmu, "EXPECTED_EVENT_NOT_COUNTED", Weight::Possible, text) {
        cause
            .or("CLOCK_STANDS_STILL, or a filter that no stream passes")
            .next("count event 0, the clock, beside it, without a filter");
    }
}
