//! Diagnosis of a CCI-400.

use super::Report;
use super::Weight::{Decided, Possible, Probable};
use super::cci::enabled;
use super::evidence::{Evidence, Motion, Reading, motion};

pub fn diagnose(evidence: &Evidence, report: &mut Report) {
    let Some(enabled) = enabled(evidence, report) else { return };
    let values = |n: &u32| evidence.element("EVENT_COUNT", *n);
    let is_zero = |one: &&Reading| one.value == 0;
    let last = enabled.iter().filter_map(|n| values(n).last());
    let text: Vec<_> = last.filter(is_zero).map(Reading::text).collect();
    let mut counting = enabled.iter().filter(|n| values(n).any(|one| one.value != 0));
    if let Some(reading) = counting.find_map(|n| values(n).last()) {
        report.remark(format!("{}: the counter is not zero, so NIDEN was HIGH", reading.text()));
        let stands = |n: &u32| values(n).next().is_some() && values(n).all(|one| is_zero(&one));
        if enabled.iter().any(stands) {
            report.add("EXPECTED_EVENT_NOT_COUNTED", Possible, text);
        }
        return;
    }
    if text.is_empty() {
        report.remark("no EVENT_COUNT of an enabled counter is in the dump");
        return;
    }
    cycles(evidence, text, report);
}

/// Uses the cycle counter with DP = 1 to distinguish NIDEN LOW from an idle port.
fn cycles(evidence: &Evidence, mut text: Vec<String>, report: &mut Report) {
    // Readings of the cycle counter: those while the last PMCR read had DP = 1, and those while it
    // had DP = 0.
    let (mut with_dp, mut without) = (Vec::new(), Vec::new());
    let mut dp = None;
    for reading in evidence.in_order() {
        match reading.register.name {
            "PMCR" => dp = Some(reading.field("DP") == 1 && reading.field("CEN") == 1),
            "CYCLE_COUNT" if dp == Some(true) => with_dp.push(reading),
            "CYCLE_COUNT" if dp == Some(false) => without.push(reading),
            _ => {}
        }
    }
    let moves = |readings: &[&Reading]| motion(readings.iter().copied()) == Motion::Moves;
    // A stopped cycle counter is evidence only if the counter is enabled.
    let is_on = evidence.last("CYCLE_COUNT_CONTROL").is_some_and(|one| one.field("ENABLE") == 1)
        || moves(&with_dp)
        || moves(&without);
    let of = |readings: &[&Reading]| match motion(readings.iter().copied()) {
        Motion::StandsStill if !is_on => Motion::Unknown,
        other => other,
    };
    let lines = |readings: &[&Reading]| {
        let lines: Vec<_> = readings.iter().map(|reading| reading.line.to_string()).collect();
        lines.join(", ")
    };
    match (of(&with_dp), of(&without)) {
        (Motion::Moves, _) => {
            text.push(format!(
                "CYCLE_COUNT moves with DP = 1 (lines {}): NIDEN is HIGH",
                lines(&with_dp)
            ));
            report.add("EXPECTED_EVENT_NOT_COUNTED", Decided, text);
        }
        (Motion::StandsStill, Motion::Moves) => {
            text.push(format!("CYCLE_COUNT stands still with DP = 1 (lines {})", lines(&with_dp)));
            text.push(format!("and moves with DP = 0 (lines {})", lines(&without)));
            report.add("NIDEN_LOW", Decided, text);
        }
        (Motion::StandsStill, Motion::Unknown) => {
            text.push(format!("CYCLE_COUNT stands still with DP = 1 (lines {})", lines(&with_dp)));
            report
                .add("NIDEN_LOW", Probable, text)
                .or("a stopped clock")
                .next("read CYCLE_COUNT twice with PMCR = 0x1: DP = 0");
        }
        (_, Motion::StandsStill) => {
            text.push(format!("CYCLE_COUNT stands still with DP = 0 (lines {})", lines(&without)));
            report.add("CLOCK_STANDS_STILL", Decided, text);
        }
        (_, Motion::Moves) => {
            text.push(format!("CYCLE_COUNT moves with DP = 0 (lines {})", lines(&without)));
            niden_or_idle(text, report);
        }
        _ => report
            .add("NIDEN_LOW", Possible, text)
            .or("an idle port, or a stopped clock")
            .next("enable the cycle counter (CYCLE_COUNT_CONTROL = 1), and read CYCLE_COUNT twice: `doctor --ask`"),
    }
}

/// Adds two possible causes: NIDEN LOW, or an idle port. With DP = 0, cycles are counted in both cases.
pub fn niden_or_idle(text: Vec<String>, report: &mut Report) {
    report
        .add("NIDEN_LOW", Possible, text.clone())
        .or("an idle port: the cycles run in both cases")
        .next("write PMCR = 0x21 (CEN and DP), and read CYCLE_COUNT twice: it stands still if NIDEN is LOW");
    report.add("EXPECTED_EVENT_NOT_COUNTED", Possible, text);
}
