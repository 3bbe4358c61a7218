//! Diagnosis of an L2C-310. There is no cycle counter, so without traffic all counters read zero.

use super::Report;
use super::Weight::{Decided, Possible};
use super::evidence::{Evidence, Motion, Reading, disabled, motion};

/// For each counter: the register with its value, and the register that selects its event.
const COUNTERS: [(&str, &str); 2] =
    [("REG2_EV_COUNTER0", "REG2_EV_COUNTER0_CFG"), ("REG2_EV_COUNTER1", "REG2_EV_COUNTER1_CFG")];

pub fn diagnose(evidence: &Evidence, report: &mut Report) {
    if let Some(id) = evidence.last("REG0_CACHE_ID") {
        // The release differs between parts, so it is not compared.
        let differs = id.register.reset(None).is_some_and(|reset| {
            let expected = Reading { value: u32::try_from(reset).unwrap_or(0), ..*id };
            ["IMPLEMENTER", "PART"].iter().any(|name| id.field(name) != expected.field(name))
        });
        if id.value != 0 && differs {
            report.add("ANOTHER_PRODUCT", Decided, vec![id.text()]);
            return;
        }
    }
    let control = evidence.last("REG2_EV_COUNTER_CTRL");
    if let Some(control) = control.filter(|control| control.field("ENABLE") == 0) {
        let text = format!("{}: ENABLE = 0, so both counters are stopped", control.text());
        return disabled(text, report);
    }
    let mut counting = false;
    let mut zero = Vec::new();
    let mut off = Vec::new();
    for (counter, select) in COUNTERS {
        let (readings, _) = evidence.since_write(counter, 0);
        let Some(last) = readings.last() else { continue };
        let select = evidence.last(select);
        if let Some(select) = select.filter(|select| select.field("SOURCE") == 0) {
            off.push(format!("{}: {} selects no event", last.text(), select.text()));
        } else if motion(readings.iter().copied()) == Motion::Moves || last.value != 0 {
            counting = true;
            report.remark(format!("{}: the counter is not zero", last.text()));
        } else {
            zero.push(last.text());
            zero.extend(select.map(Reading::text));
        }
    }
    if zero.is_empty() && !counting {
        if off.is_empty() {
            report.remark("no REG2_EV_COUNTER0 or REG2_EV_COUNTER1 is in the dump");
        } else {
            disabled(off.join("; "), report);
        }
        return;
    }
    report.remarks.extend(off);
    if zero.is_empty() {
        return;
    }
    let name = if counting { "EXPECTED_EVENT_NOT_COUNTED" } else { "NOTHING_COUNTED" };
    let cause = report.add(name, Possible, zero);
    if !counting {
        cause.next("also count DATA_READ_REQUEST, event 0x3, while a program reads more data than the L1 caches hold");
    }
}
