//! Assigns the words of a dump to registers.

use arm_pmu_lookup::programming::{element_name, part};
use arm_pmu_tables::{Access, Pmu, Register};

use super::Report;
use super::Weight::{Decided, Possible, Probable};
use super::dump::{Dump, Failed, Word};
use crate::prompt::recipe::places;

/// A reading of a register.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub register: &'static Register,
    pub element: u32,
    pub value: u32,
    pub line: usize,
}

impl Reading {
    /// Formats a reading: `PMCR = 0x2001 (line 3)`.
    pub fn text(&self) -> String {
        let element = (self.register.count() > 1).then_some(self.element);
        format!(
            "{} = 0x{:X} (line {})",
            element_name(self.register, element),
            self.value,
            self.line
        )
    }

    /// Value of a field; 0 if the register has no such field.
    pub fn field(&self, name: &str) -> u32 {
        let field = self.register.fields.iter().find(|field| field.name == name);
        field.map_or(0, |field| u32::try_from(part(self.value.into(), field)).unwrap_or(0))
    }
}

/// Readings and writes of one PMU.
#[derive(Debug)]
pub struct Evidence {
    readings: Vec<Reading>,
    writes: Vec<Reading>,
    failed: Vec<Failed>,
}

impl Evidence {
    pub fn new(pmu: Pmu, pages: &[u64], dump: &Dump) -> Self {
        let places = places(pmu, pages);
        let find = |address: u64| {
            let at = |(place, _, _): &&(u64, &'static Register, u32)| *place == address;
            places.iter().find(at).map(|(_, register, element)| (*register, *element))
        };
        let of = |word: &Word| {
            let (register, element) = find(word.address)?;
            Some(Reading { register, element, value: word.value, line: word.line })
        };
        let own = |failed: &&Failed| failed.address.is_none_or(|address| find(address).is_some());
        Self {
            readings: dump.words.iter().filter_map(of).collect(),
            writes: dump.writes.iter().filter_map(of).collect(),
            failed: dump.failed.iter().filter(own).copied().collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.readings.is_empty() && self.failed.is_empty()
    }

    /// All readings, in the order of the dump.
    pub fn in_order(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter()
    }

    /// All readings of a register, in the order of the dump.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &Reading> {
        self.readings.iter().filter(move |reading| reading.register.name == name)
    }

    pub fn element(&self, name: &str, element: u32) -> impl Iterator<Item = &Reading> {
        self.all(name).filter(move |reading| reading.element == element)
    }

    pub fn last(&self, name: &str) -> Option<&Reading> {
        self.all(name).last()
    }

    /// Returns the readings after the last write to a register, and the write itself. If the register was not written,
    /// or not read after the last write, returns all readings.
    pub fn since_write(&self, name: &str, element: u32) -> (Vec<&Reading>, Option<&Reading>) {
        let is = |one: &&Reading| one.register.name == name && one.element == element;
        let all: Vec<_> = self.element(name, element).collect();
        let Some(write) = self.writes.iter().rfind(is) else { return (all, None) };
        let after: Vec<_> = all.iter().copied().filter(|read| read.line > write.line).collect();
        if after.is_empty() { (all, None) } else { (after, Some(write)) }
    }

    /// Returns a write to a register and the first later reading of the register: of all such
    /// pairs, the one with the last write.
    pub fn read_after_write(&self, name: &str, element: u32) -> Option<(&Reading, &Reading)> {
        let is = |one: &&Reading| one.register.name == name && one.element == element;
        self.writes.iter().filter(is).rev().find_map(|written| {
            let after = |read: &&Reading| read.line > written.line;
            Some((written, self.element(name, element).find(after)?))
        })
    }

    /// Settings that read back differently from the written value. Counters are omitted, because events change them.
    pub fn lost_writes(&self) -> Vec<LostWrite<'_>> {
        const SETTINGS: [&str; 9] = [
            "PMCR",
            "EVENT_SELECT",
            "COUNT_CONTROL",
            "CYCLE_COUNT_CONTROL",
            "CR",
            "EVTYPER",
            "REG2_EV_COUNTER_CTRL",
            "REG2_EV_COUNTER0_CFG",
            "REG2_EV_COUNTER1_CFG",
        ];
        let of_settings = |one: &&Reading| SETTINGS.contains(&one.register.name);
        let lost = |write: &'_ Reading| {
            let (written, read) = self.read_after_write(write.register.name, write.element)?;
            let fields =
                write.register.fields.iter().filter(|field| field.access == Access::ReadWrite);
            let kept = fields.fold(0, |mask, field| mask | field.bits.mask()) as u32;
            let before = |one: &&Reading| one.line < written.line;
            let before = self.element(write.register.name, write.element).filter(before).last();
            let is_lost = written.line == write.line && (written.value ^ read.value) & kept != 0;
            is_lost.then_some(LostWrite { written, read, before })
        };
        // For each register, only the last write before a reading is compared.
        self.writes.iter().filter(of_settings).filter_map(lost).collect()
    }

    pub fn part_number(&self, low: &str, high: &str) -> Option<(u32, Vec<String>)> {
        let (low, high) = (self.last(low)?, self.last(high)?);
        Some((part_of(low.value, high.value), vec![low.text(), high.text()]))
    }

    /// Whether the device responds. If the device does not respond, adds the reason to `report`.
    pub fn answers(&self, report: &mut Report) -> bool {
        if !self.failed.is_empty() {
            let lines: Vec<_> = self.failed.iter().map(|failed| failed.line.to_string()).collect();
            let weight = if self.readings.is_empty() { Decided } else { Possible };
            let text = format!("an access failed (line {})", lines.join(", "));
            report.add("BUS_ERROR", weight, vec![text]).next(
                "read the same address with a debugger in Secure state, or from the boot loader",
            );
            if self.readings.is_empty() {
                return false;
            }
        }
        // Counters can be zero, so only the other registers show whether the device responds.
        let identifying = self.readings.iter().filter(|reading| {
            reading.register.resets.iter().any(|reset| reset.value.is_some_and(|value| value != 0))
        });
        let identifying: Vec<_> = identifying.collect();
        if identifying.is_empty() {
            return true;
        }
        for (value, name) in [(0, "READS_AS_ZERO"), (u32::MAX, "READS_AS_ONES")] {
            if self.readings.iter().all(|reading| reading.value == value) {
                let evidence = identifying.iter().map(|reading| reading.text()).collect();
                report.add(name, Decided, evidence);
                return false;
            }
        }
        true
    }
}

/// A write that did not set a register as intended.
#[derive(Debug)]
pub struct LostWrite<'e> {
    pub written: &'e Reading,
    pub read: &'e Reading,
    pub before: Option<&'e Reading>,
}

/// Behaviour of a counter over several readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Moves,
    StandsStill,
    /// The counter has fewer than two readings.
    Unknown,
}

pub fn motion<'r>(readings: impl IntoIterator<Item = &'r Reading>) -> Motion {
    let values: Vec<_> = readings.into_iter().map(|reading| reading.value).collect();
    match values[..] {
        [] | [_] => Motion::Unknown,
        [first, ..] if values.iter().all(|value| *value == first) => Motion::StandsStill,
        _ => Motion::Moves,
    }
}

/// Reports that the counters were disabled at the time of the dump.
pub fn disabled(text: String, report: &mut Report) {
    report
        .add("ENABLE_LOST", Probable, vec![text])
        .or("the dump is from before the start or after the stop")
        .next("take the dump while the counters should count");
}

fn part_of(low: u32, high: u32) -> u32 {
    (high & 0xF) << 8 | low & 0xFF
}

/// Expected part number: the reset values of two identification registers.
pub fn expected_part(pmu: Pmu, low: &str, high: &str) -> Option<u32> {
    let unit = pmu.unit.map(|unit| unit.name);
    let reset = |name: &str| {
        let register = pmu.registers().find(|register| register.name == name)?;
        u32::try_from(register.reset(unit)?).ok()
    };
    Some(part_of(reset(low)?, reset(high)?))
}
