//! Diagnosis of a CCI-500 or CCI-550. Without a cycle counter, only traffic distinguishes NIDEN LOW from an idle port.

use arm_pmu_lookup::programming;
use arm_pmu_tables::Selection;

use super::Report;
use super::Weight::{Decided, Possible, Probable};
use super::cci::enabled;
use super::evidence::{Evidence, Reading};

pub fn diagnose(evidence: &Evidence, report: &mut Report) {
    let Some(enabled) = enabled(evidence, report) else { return };
    // Last reading of each enabled counter, and the event that the counter selects.
    let mut moving = Vec::new();
    let mut zero = Vec::new();
    for n in enabled {
        let Some(value) = evidence.element("EVENT_COUNT", n).last() else { continue };
        let select = evidence.element("EVENT_SELECT", n).last();
        let selected =
            select.map(|one| programming::selections(report.pmu, one.register, one.value.into()));
        let event = selected.and_then(|all| all.first()?.selections.first().copied());
        if event.is_some_and(|event| event.of.event.never_fires) {
            let text = select.map_or(Vec::new(), |one| vec![one.text()]);
            report.add("NEVER_FIRES", Decided, text);
        } else if value.value == 0 {
            zero.push((value, event));
        } else {
            moving.push((value, event));
        }
    }
    if zero.is_empty() {
        if let Some((reading, _)) = moving.first() {
            report.remark(format!("{}: the counter is not zero", reading.text()));
        }
        return;
    }
    let text = |all: &[(&Reading, Option<Selection>)]| {
        all.iter().map(|(reading, _)| reading.text()).collect::<Vec<_>>()
    };
    if moving.is_empty() {
        niden_or_silence(text(&zero), report);
        return;
    }
    report.remark("a counter counts, so NIDEN is HIGH");
    let source = |event: &Option<Selection>| event.and_then(|one| Some(one.source?.id));
    let is_exempt = |event: &Option<Selection>| event.is_some_and(|one| one.of.event.secure_exempt);
    let at_one_source = moving
        .iter()
        .chain(&zero)
        .all(|(_, event)| source(event).is_some() && source(event) == source(&zero[0].1));
    let mut evidence = text(&zero);
    if at_one_source
        && moving.iter().all(|(_, event)| is_exempt(event))
        && !zero.iter().any(|(_, event)| is_exempt(event))
    {
        evidence.push(
            "at this interface, only events that count in every security state are above 0"
                .to_owned(),
        );
        report.add("SECURE_NOT_OBSERVED", Probable, evidence);
    } else {
        report.add("EXPECTED_EVENT_NOT_COUNTED", Possible, evidence);
    }
}

pub fn niden_or_silence(text: Vec<String>, report: &mut Report) {
    report
        .add("NIDEN_LOW_OR_SILENCE", Possible, text)
        .or("an idle port: both look the same without a cycle counter")
        .next("read uncached memory with the CPU, and count READ_REQUEST_ANY at the interface of its cluster");
}
