//! Diagnosis of the PMU of an MMU-600's TCU or TBU.

use arm_pmu_lookup::programming;
use arm_pmu_tables::{Pmu, Selection};

use super::Report;
use super::Weight::{Decided, Possible, Probable};
use super::dump::Dump;
use super::evidence::{Evidence, Motion, Reading, disabled, expected_part, motion};

const COUNTERS: u32 = 4;
const ALL_COUNTERS: u32 = 0xF;

/// Offsets in page 0.
const EVTYPER: u64 = 0x400;
const PIDR0: u64 = 0xFE0;

pub fn diagnose(pages: &[u64], dump: &Dump, evidence: &Evidence, report: &mut Report) {
    let pmu = report.pmu;
    let part = evidence.part_number("PIDR0", "PIDR1");
    let is_identified = part.is_some();
    if let Some((part, text)) = part {
        if expected_part(pmu, "PIDR0", "PIDR1").is_some_and(|expected| expected != part) {
            report.add("ANOTHER_PRODUCT", Decided, text);
            return;
        }
    }
    for (register, finding) in [("PMDEVARCH", "NOT_A_PMU"), ("CFGR", "CONFIGURATION")] {
        let unit = pmu.unit.map(|unit| unit.name);
        if let Some(reading) = evidence.last(register) {
            if reading.register.reset(unit).is_some_and(|reset| reset != u64::from(reading.value)) {
                report.add(finding, Decided, vec![reading.text()]);
                return;
            }
        }
    }
    if let Some(cr) = evidence.last("CR").filter(|cr| cr.field("E") == 0) {
        disabled(format!("{}: E = 0, so all counters are stopped", cr.text()), report);
        return;
    }
    let enables = evidence.last("CNTENSET0");
    if let Some(enables) = enables.filter(|enables| enables.field("CNTEN") == 0) {
        disabled(format!("{}: no counter is enabled", enables.text()), report);
        return;
    }
    not_acknowledged(evidence, report);
    filter_not_taken(evidence, report);
    if page_1_elsewhere(pages, evidence, report) {
        return;
    }
    let is_on = |n: &u32| enables.is_none_or(|enables| enables.field("CNTEN") >> n & 1 == 1);
    let all: Vec<Counter> = (0..COUNTERS).filter_map(|n| Counter::new(pmu, evidence, n)).collect();
    for counter in all.iter().filter(|counter| !is_on(&counter.number)) {
        let enables = enables.map_or(String::new(), Reading::text);
        report.remark(format!("{}: this counter is not enabled in {enables}", counter.last.text()));
    }
    let enabled: Vec<_> = all.iter().filter(|counter| is_on(&counter.number)).collect();
    if enabled.is_empty() {
        if !other_place(pages, dump, is_identified, report) {
            no_counter(pages, evidence, report);
        }
        return;
    }
    counters(pages, evidence, &enabled, report);
}

/// Detects a stopped clock: with a clock, IRQ_CTRLACK follows IRQ_CTRL.
fn not_acknowledged(evidence: &Evidence, report: &mut Report) {
    let (Some(control), Some(follows)) = (evidence.last("IRQ_CTRL"), evidence.last("IRQ_CTRLACK"))
    else {
        return;
    };
    if control.line <= follows.line && control.field("IRQEN") != follows.field("IRQEN") {
        let text = vec![control.text(), follows.text()];
        report
            .add("IRQ_NOT_ACKNOWLEDGED", Possible, text)
            .or("a change that is not complete yet")
            .next("read IRQ_CTRLACK again");
    }
}

/// Detects a value of SMR0 that does not read as written.
fn filter_not_taken(evidence: &Evidence, report: &mut Report) {
    let Some((written, read)) = evidence.read_after_write("SMR0", 0) else { return };
    // After a write of all ones, bits that read as zero are unimplemented.
    if read.value == written.value || written.value == u32::MAX {
        return;
    }
    let text = vec![format!("{} was written", written.text()), read.text()];
    // Unimplemented bits read as zero, implemented bits as written.
    let is_part = read.value & !written.value == 0 && read.value != 0;
    let weight = if is_part { Decided } else { Possible };
    let cause = report.add("FILTER_NOT_TAKEN", weight, text);
    if !is_part {
        cause.or("WRITES_IGNORED, or another owner of the unit").next(
            "write SMR0 = 0xFFFFFFFF and read it back: it shows the bits that can be written",
        );
    }
}

/// Detects a wrong address of page 1: words there have bits that page 1 lacks, or lose written values.
fn page_1_elsewhere(pages: &[u64], evidence: &Evidence, report: &mut Report) -> bool {
    let foreign = |reading: &&Reading| match reading.register.name {
        // CAPR is write-only and reads as zero.
        "CAPR" => reading.value != 0,
        "OVSSET0" | "OVSCLR0" => reading.value & !ALL_COUNTERS != 0,
        _ => false,
    };
    let text = evidence.in_order().filter(foreign).map(Reading::text);
    let text: Vec<_> =
        text.map(|text| format!("{text} has bits that page 1 does not have")).collect();
    if !text.is_empty() {
        report.add("PAGE_1_ELSEWHERE", Decided, text);
        return true;
    }
    for n in 0..COUNTERS {
        let Some((written, read)) = evidence.read_after_write("EVCNTR", n) else { continue };
        if written.value == 0 || read.value != 0 {
            continue;
        }
        let mut text = vec![format!("{} was written", written.text()), read.text()];
        let kept = ["CR", "CNTENSET0"].map(|name| evidence.last(name));
        let kept = kept.into_iter().flatten().find(|reading| reading.value != 0);
        text.extend(kept.map(|kept| format!("{}: page 0 answers", kept.text())));
        let weight = if kept.is_some() { Probable } else { Possible };
        report.add("PAGE_1_ELSEWHERE", weight, text).or("WRITES_IGNORED").next(format!(
            "write another event to EVTYPER[0] at 0x{:X} and read it back: if page 0 keeps it, page 1 has another address",
            pages[0] + EVTYPER
        ));
        return true;
    }
    false
}

/// Detects counters read at another unit's address, or in page 0.
fn other_place(pages: &[u64], dump: &Dump, is_identified: bool, report: &mut Report) -> bool {
    let (&[page_0, page_1], Some(unit)) = (pages, report.pmu.unit) else { return false };
    let name = unit.name.to_uppercase();
    // Returns the first reading of the counters in a page, if they are all zero and the dump has no word directly after
    // them.
    let zeros = |page: u64| {
        let counters = page..page + u64::from(4 * COUNTERS);
        let has_more = dump.words.iter().any(|word| word.address == counters.end);
        let mut words = dump.words.iter().filter(|word| counters.contains(&word.address));
        let first = words.clone().next()?;
        (!has_more && words.all(|word| word.value == 0)).then_some(first)
    };
    let base = page_0.checked_sub(unit.page_offset("page0").unwrap_or(0).into());
    let others = report.pmu.ip.units.iter().filter(|other| other.name != unit.name);
    let of_other = others.filter_map(|other| {
        let what = format!("page 1 of a {}", other.name.to_uppercase());
        Some((base? + u64::from(other.page_offset("page1")?), what, is_identified))
    });
    let in_page_0 = (page_0, "page 0, where counters read as zero".to_owned(), true);
    for (place, what, is_sure) in of_other.chain([in_page_0]) {
        let Some(first) = zeros(place) else { continue };
        let text = vec![
            format!(
                "counters were read at 0x{:X} (line {}): that is {what}",
                first.address, first.line
            ),
            format!("page 1 of a {name} is at 0x{page_1:X}"),
        ];
        let weight = if is_sure { Decided } else { Probable };
        let cause = report.add("PAGE_1_ELSEWHERE", weight, text);
        if is_sure {
            cause.next(format!("read the counters at 0x{page_1:X}"));
        } else {
            cause
                .or("ANOTHER_PRODUCT: the dump is from another unit")
                .next(format!("read PIDR0 at 0x{:X}: 0x83 is a TCU, 0x84 a TBU", page_0 + PIDR0));
        }
        return true;
    }
    false
}

/// Remarks on a dump without counters.
fn no_counter(pages: &[u64], evidence: &Evidence, report: &mut Report) {
    let page = pages.get(1).copied().unwrap_or(0);
    let Some(shadow) = evidence.all("SVR").next() else {
        report.remark(format!(
            "no EVCNTR of an enabled counter is in the dump; the counters are on page 1, at 0x{page:X}"
        ));
        return;
    };
    let captures = evidence.all("EVTYPER").find(|one| one.field("OVFCAP") == 1);
    let by = captures.map_or(String::new(), |one| {
        format!(
            ", or an overflow of counter {}, because OVFCAP is 1 in {}",
            one.element,
            one.text()
        )
    });
    report.remark(format!(
        "{}: SVR holds the values of the last capture. A capture starts with a write of 1 to CAPR, or with a rising edge of pmusnapshot_req{by}. The counters themselves are at 0x{page:X}",
        shadow.text()
    ));
}

struct Counter<'e> {
    number: u32,
    last: &'e Reading,
    motion: Motion,
    /// Value written before the readings.
    start: Option<&'e Reading>,
    event: Option<&'e Reading>,
    selection: Option<Selection>,
}

impl<'e> Counter<'e> {
    fn new(pmu: Pmu, evidence: &'e Evidence, number: u32) -> Option<Self> {
        let (readings, start) = evidence.since_write("EVCNTR", number);
        let last = *readings.last()?;
        let event = evidence.element("EVTYPER", number).last();
        let selection = event.and_then(|event| {
            let found = programming::selections(pmu, event.register, event.value.into());
            found.first()?.selections.first().copied()
        });
        Some(Self { number, last, motion: motion(readings), start, event, selection })
    }

    /// Whether the counter still has the last written value, or a value that drivers write at a start (Linux:
    /// 0x7FFFFFFF).
    fn is_at_its_start(&self) -> bool {
        matches!(self.last.value, 0x7FFF_FFFF | 0x8000_0000)
            || self.start.is_some_and(|start| start.value == self.last.value)
    }

    fn has_counted(&self) -> bool {
        self.motion == Motion::Moves || (self.last.value != 0 && !self.is_at_its_start())
    }

    fn text(&self) -> Vec<String> {
        let mut text = vec![self.last.text()];
        match self.start {
            Some(start) if start.value == self.last.value => {
                text[0] += &format!(": still the value that was written (line {})", start.line);
            }
            _ if self.is_at_its_start() => text[0] += ": the start value of a driver",
            _ => {}
        }
        text.extend(self.event.map(Reading::text));
        text
    }

    fn obeys_filter(&self) -> bool {
        self.selection.is_some_and(|one| one.of.event.filterable)
    }
}

fn counters(pages: &[u64], evidence: &Evidence, all: &[&Counter], report: &mut Report) {
    for counter in all.iter().filter(|counter| counter.has_counted()) {
        let how = match counter.motion {
            Motion::Moves => "the counter moves",
            Motion::StandsStill => {
                "the counter is not zero, but did not count between the readings"
            }
            Motion::Unknown => {
                "the counter is not zero; read the counter twice to see whether it moves"
            }
        };
        report.remark(format!("{}: {how}", counter.last.text()));
    }
    let flags = evidence.last("OVSSET0");
    let mut clocks = Vec::new();
    let mut events = Vec::new();
    for counter in all.iter().filter(|counter| !counter.has_counted()) {
        let wrapped = flags.filter(|flags| flags.field("OVS") >> counter.number & 1 == 1);
        if let Some(flags) = wrapped {
            report.remark(format!(
                "{}: its overflow flag is set in {}, so it has counted since the flag was cleared",
                counter.last.text(),
                flags.text()
            ));
        } else if is_absent(evidence, counter, report) || is_secure(evidence, counter, report) {
            // A cause was found.
        } else if counter.event.is_some_and(|event| event.field("EVENT") == 0) {
            clocks.push(*counter);
        } else {
            events.push(*counter);
        }
    }
    let clock_runs = all.iter().any(|counter| counter.motion == Motion::Moves);
    if !clocks.is_empty() && !clock_runs {
        let page = pages.get(1).copied().unwrap_or(0);
        report.add("CLOCK_STANDS_STILL", Possible, text(&clocks)).next(format!(
            "let a device behind the unit make transactions; if the clock still does not advance, write 0x5A5A5A5A to 0x{page:X} and read it back: if this address is in page 1, it keeps the value"
        ));
        // Without a clock, no events are counted.
        return;
    }
    for counter in clocks {
        report.remark(format!(
            "{}: the clock runs, because other counters move; read this counter again",
            counter.last.text()
        ));
    }
    not_counted(evidence, all, events, clock_runs, report);
}

fn text(counters: &[&Counter]) -> Vec<String> {
    counters.iter().flat_map(|counter| counter.text()).collect()
}

/// Adds possible causes if no register explains why events were not counted.
fn not_counted(
    evidence: &Evidence,
    all: &[&Counter],
    mut events: Vec<&Counter>,
    clock_runs: bool,
    report: &mut Report,
) {
    // If another filtered event has counted, the filter is not the cause.
    let passes = all.iter().any(|counter| counter.has_counted() && counter.obeys_filter());
    let filter = filter(evidence).filter(|_| !passes);
    if let Some(filter) = filter {
        let (obeying, others): (Vec<&Counter>, _) =
            events.into_iter().partition(|counter| counter.obeys_filter());
        events = others;
        if !obeying.is_empty() {
            let mut evidence = text(&obeying);
            evidence.push(filter);
            let other = match clock_runs {
                true => "no device caused such an event with any StreamID",
                false => "no device caused such an event, or the clock was stopped",
            };
            report
                .add("FILTER_PASSES_NOTHING", Possible, evidence)
                .or(other)
                .next("count without the filter: bit 29 of EVTYPER[0] set, and SMR0 = 0xFFFFFFFF");
        }
    }
    if events.is_empty() {
        return;
    }
    let evidence = text(&events);
    let cause = report.add("EXPECTED_EVENT_NOT_COUNTED", Possible, evidence);
    if clock_runs {
        cause.next("count TRANSACTION on the other units while the device works");
    } else {
        cause
            .or("CLOCK_STANDS_STILL")
            .next("also count event 0, the clock: the dump does not show whether the clock runs");
    }
}

/// Whether the unit lacks the event of a counter.
fn is_absent(evidence: &Evidence, counter: &Counter, report: &mut Report) -> bool {
    let Some(event) = counter.event else { return false };
    let pmu = report.pmu;
    let code = event.field("EVENT");
    let (register, bit) = (if code < 64 { "CEID0" } else { "CEID1" }, code % 64);
    // A dump contains only the low word of a 64-bit register.
    let listed = evidence.last(register).filter(|_| code < 128 && bit < 32);
    // All units have event 0, so CEID0 = 0 means that the register is not implemented.
    let listed = listed.filter(|listed| register == "CEID1" || listed.value != 0);
    let mut text = counter.text();
    let unit = pmu.unit.map_or(String::new(), |unit| unit.name.to_uppercase());
    match (listed, counter.selection) {
        (Some(listed), _) if listed.value >> bit & 1 == 0 => {
            text.push(format!("{}: bit {bit} is 0", listed.text()));
            report.add("EVENT_ABSENT", Decided, text);
            true
        }
        (None, None) => {
            text.push(format!("the manual lists no event 0x{code:02X} of a {unit}"));
            report
                .add("EVENT_ABSENT", Probable, text)
                .or("an event of the implementation that the manual does not list")
                .next(format!("count one of `arm-pmu list {pmu} --events`"));
            true
        }
        _ => false,
    }
}

/// Whether a counter needs Secure observation, which is off or not known to be on. If so, adds this
/// cause to the report.
fn is_secure(evidence: &Evidence, counter: &Counter, report: &mut Report) -> bool {
    let first = evidence.element("EVTYPER", 0).last();
    let secure_streams = first.filter(|first| first.field("FILTER_SEC_SID") == 1);
    let is_secure = counter.selection.is_some_and(|one| one.of.event.secure_only);
    if !is_secure && (secure_streams.is_none() || !counter.obeys_filter()) {
        return false;
    }
    let mut text = counter.text();
    if !is_secure {
        let streams =
            |first: &Reading| format!("FILTER_SEC_SID = 1 in EVTYPER[0] (line {})", first.line);
        text.extend(secure_streams.map(streams));
    }
    // SCR reads as zero for Non-secure software.
    match evidence.last("SCR").filter(|scr| scr.value != 0) {
        Some(scr) if scr.field("SO") == 0 => {
            text.push(scr.text());
            report.add("SECURE_NOT_OBSERVED", Decided, text);
            true
        }
        Some(_) => false,
        None => {
            report.add("SECURE_OBSERVATION_UNKNOWN", Possible, text);
            true
        }
    }
}

/// Describes the StreamIDs that pass the filter; `None` if all pass, or if unknown.
fn filter(evidence: &Evidence) -> Option<String> {
    let first = evidence.element("EVTYPER", 0).last()?;
    let stream = evidence.last("SMR0");
    if first.field("FILTER_SID_SPAN") == 0 {
        let which = stream.map_or("that of SMR0".to_owned(), |stream| {
            format!("0x{:X} of SMR0 (line {})", stream.value, stream.line)
        });
        return Some(format!(
            "FILTER_SID_SPAN = 0 in EVTYPER[0] (line {}): the filter of all counters passes one StreamID, {which}",
            first.line
        ));
    }
    let stream = stream?;
    // The filter ignores the lowest bit that is 0, and all bits below it.
    let ignored = stream.value.trailing_ones() + 1;
    // With 24 implemented bits, all ones read back as 24 ones.
    if ignored >= 24 {
        return None;
    }
    let low = stream.value >> ignored << ignored;
    Some(format!(
        "FILTER_SID_SPAN = 1 in EVTYPER[0] (line {}): the filter of all counters passes StreamIDs 0x{low:X} to 0x{:X}, by {}",
        first.line,
        low | ((1 << ignored) - 1),
        stream.text()
    ))
}
