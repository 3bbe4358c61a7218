//! Parses register dumps of consoles and debuggers, and the output of `perf stat`.

use std::collections::{HashMap, HashSet};

use arm_pmu_lookup::kernel::{KernelPmu, PMCG, any_pmcg, can_have_name, is_name_of_pmcg, is_pmcg};
use arm_pmu_lookup::perf_name::{PerfName, What};
use arm_pmu_tables::Pmu;

use crate::base::perf_stat::parse;
use crate::base::perf_stat::recording::{Recording, Row, Run, UnreadLine};
use crate::base::perf_stat::{plain, recording};

/// PMU name that is assigned to an SMMU event whose own name contains no PMU.
pub const ANY_PMCG: &str = "smmuv3_pmcg_*";

/// A word that was read, with its address and its line in the dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub address: u64,
    pub value: u32,
    /// Number of the line, from 1.
    pub line: usize,
}

/// A failed access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    pub address: Option<u64>,
    pub line: usize,
}

/// A count of `perf stat`.
#[derive(Clone, Debug)]
pub struct Count {
    pub row: Row,
    /// Duration; 0 if unknown. For a scaled count, this includes the time in which the event had no
    /// counter.
    pub seconds: f64,
    pub pmu: String,
    /// Index among the PMUs with the same name.
    pub nth: usize,
    /// Name of the event without the PMU.
    pub event: String,
    pub is_cycles: bool,
}

/// An event that `perf` rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// PMU of the event, by its kernel name.
    pub pmu: String,
    /// Whether the PMU exists and only the event is missing.
    pub has_pmu: bool,
    pub line: usize,
}

/// Everything found in a text.
#[derive(Debug, Default)]
pub struct Dump {
    pub words: Vec<Word>,
    pub writes: Vec<Word>,
    pub failed: Vec<Failed>,
    pub counts: Vec<Count>,
    /// Counts whose event names do not contain a PMU.
    bare: Vec<Count>,
    /// Counts of software events such as `task-clock`.
    pub software: Vec<Count>,
    /// For each run, whether `perf` counted CPUs instead of a program.
    pub of_cpus: Vec<bool>,
    /// PMUs in event names.
    pub pmus: Vec<Pmu>,
    /// Line of `perf`'s note about the NMI watchdog.
    pub watchdog: Option<usize>,
    /// Line of `perf`'s note about a group with events of several PMUs.
    pub mixed_group: Option<usize>,
    pub refused: Vec<Refused>,
    /// Lines that look like readings but cannot be parsed. A message quotes the text of the line, and `why` continues
    /// the sentence.
    pub unread: Vec<UnreadLine>,
}

impl Dump {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.failed.is_empty()
            && self.counts.is_empty()
            && self.refused.is_empty()
    }

    pub fn parse(text: &str) -> Self {
        let mut dump = Self::default();
        // Address in the last `devmem` command; `devmem` itself prints only the value.
        let mut asked = None;
        let mut known = HashSet::new();
        let recording = parse::parse(text).unwrap_or_else(|error| {
            let line = text.lines().nth(error.line - 1).unwrap_or_default();
            if !error.is_other_text {
                known.insert(error.line);
                let why = format!("cannot be read: {}", error.why);
                dump.unread(error.line, &recording::shortened(line), why);
            }
            Recording::default()
        });
        dump.recording(&recording);
        known.extend(recording.rows.iter().map(|row| row.line));
        known.extend(recording.unread.iter().map(|unread| unread.line));
        for (number, line) in (1..).zip(text.lines()) {
            if !known.contains(&number) {
                dump.line(number, line.trim_end(), &mut asked);
            }
        }
        dump.unread.sort_by_key(|unread| unread.line);
        dump
    }

    /// Adds the counts of `perf stat`.
    fn recording(&mut self, recording: &Recording) {
        let is_of_cpus =
            |run: &Run| ["system wide", "CPU(s)"].iter().any(|of| run.title.contains(of));
        self.of_cpus = recording.runs.iter().map(is_of_cpus).collect();
        let mut same: HashMap<_, usize> = HashMap::new();
        let mut names: HashMap<&str, Option<Named>> = HashMap::new();
        let (mut run, mut begin, mut end) = (0, 0, 0);
        // With --summary, rows of intervals have a time, and rows of sums have none. A row with 0 cores comes from a
        // PMU that belongs to other cores.
        let has_time = recording.rows.iter().any(|row| row.nanoseconds.is_some());
        let is_count = |row: &&Row| {
            !(row.is_summary
                || has_time && row.nanoseconds.is_none()
                || row.cores == Some(0) && row.count == recording::Count::NotCounted)
        };
        for row in recording.rows.iter().filter(is_count) {
            if row.run != run {
                (run, begin, end) = (row.run, 0, 0);
            }
            if let Some(time) = row.nanoseconds.filter(|time| *time != end) {
                (begin, end) = (end, time);
            }
            let elapsed = recording.runs.get(run).and_then(|run| run.elapsed_nanoseconds);
            let nanoseconds = if row.running_nanoseconds > 0 && row.running_percent > 0.0 {
                row.running_nanoseconds as f64 / row.running_percent * 100.0
            } else if row.nanoseconds.is_some() {
                end.saturating_sub(begin) as f64
            } else {
                elapsed.unwrap_or(0) as f64
            };
            let nth = same.entry((run, row.nanoseconds, row.event.as_str())).or_default();
            let name = names.entry(&row.event).or_insert_with(|| named(&row.event));
            let (pmu, event, seconds) = (String::new(), row.event.clone(), nanoseconds / 1e9);
            let row = row.clone();
            let count = Count { row, seconds, pmu, nth: *nth, event, is_cycles: false };
            *nth += 1;
            match name {
                Some(name) => {
                    self.pmu(name.of);
                    self.counts.push(name.of(count));
                }
                // `user_time` and similar events are measured by perf, without a PMU.
                None if count.event.ends_with("_time") => {}
                None if plain::is_software(&count.event) => self.software.push(count),
                None => self.bare.push(count),
            }
        }
        for unread in &recording.unread {
            self.unread(unread.line, &unread.text, format!("cannot be read: {}", unread.why));
        }
    }

    /// If the text does not name the PMU of an event, assigns the event to this PMU.
    pub fn adopt(&mut self, pmu: Pmu) {
        let mut names: HashMap<String, Option<Named>> = HashMap::new();
        for count in std::mem::take(&mut self.bare) {
            let name = names.entry(count.event.clone()).or_insert_with_key(|text| {
                PerfName::read_bare(text, pmu).and_then(|name| Named::known(&name))
            });
            self.counts.extend(name.as_ref().map(|name| name.of(count)));
        }
        self.counts.sort_by_key(|count| count.row.line);
    }

    fn pmu(&mut self, pmu: Option<Pmu>) {
        let is_new = |pmu: &Pmu| self.pmus.iter().all(|one| one.to_string() != pmu.to_string());
        self.pmus.extend(pmu.filter(is_new));
    }

    fn line(&mut self, number: usize, line: &str, asked: &mut Option<u64>) {
        // GDB prints a prompt before the output of a script's command.
        let line = line.trim_start_matches("(gdb) ");
        if line.contains("NMI watchdog") {
            self.watchdog = Some(number);
        } else if line.contains("events in group usually have to be") {
            self.mixed_group = Some(number);
        } else if let Some(pmu) = refused(line) {
            self.pmu(of_device(&pmu));
            // perf can print the same error twice.
            if self.refused.iter().all(|other| other.pmu != pmu) {
                self.refused.push(Refused { pmu, has_pmu: false, line: number });
            }
        } else if let Some((_, pmu)) = line.split_once("unknown term ") {
            let name = pmu.rsplit('\'').nth(1).unwrap_or_default();
            let of_it = |one: &&mut Refused| one.pmu == name;
            self.refused.iter_mut().filter(of_it).for_each(|one| one.has_pmu = true);
        } else if let Some(address) = failed(line) {
            self.failed.push(Failed { address: address.or(asked.take()), line: number });
        } else if line.starts_with("devmem: ") {
            *asked = None;
            self.unread(number, line, "is an error of devmem, not a value");
        } else if let Some(command) = devmem(line) {
            match command {
                Ok(Devmem::Read(address)) => *asked = Some(address),
                Ok(Devmem::Write(address, value)) => {
                    *asked = None;
                    let value = value.and_then(|value| u32::try_from(value).ok());
                    let write = value.map(|value| Word { address, value, line: number });
                    self.writes.extend(write);
                }
                Err(why) => self.unread(number, line, why),
            }
        } else if let Some((address, value)) = written(line) {
            self.writes.push(Word { address, value, line: number });
        } else if let Some(found) = devmem2(line) {
            match found {
                Ok((address, value)) => self.words.push(Word { address, value, line: number }),
                Err(why) => self.unread(number, line, why),
            }
        } else if let Some((address, rest)) = row(line) {
            self.row(number, line, address, rest);
        } else if let Some(address) = *asked {
            // Kernel messages can follow the command.
            if let Some(digits) = line.trim().strip_prefix("0x") {
                *asked = None;
                match u32::from_str_radix(digits, 16) {
                    Ok(value) if digits.len() == 8 => {
                        self.words.push(Word { address, value, line: number });
                    }
                    _ => self.unread(
                        number,
                        line,
                        "is not a 32-bit word: read with `devmem ADDRESS 32`",
                    ),
                }
            }
        }
    }

    /// Parses `ADDRESS: WORD WORD ..`, with an optional text column.
    fn row(&mut self, number: usize, line: &str, address: u64, rest: &str) {
        // U-Boot prints at least two spaces before its text column.
        let words = rest.trim_start().split("  ").next().unwrap_or_default();
        let mut values = Vec::new();
        for text in words.split_whitespace() {
            let digits = text.strip_prefix("0x").unwrap_or(text);
            let is_word = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            match u32::from_str_radix(digits, 16) {
                Ok(value) if is_word => values.push(value),
                _ => {
                    let why = "has no words of 8 hexadecimal digits: use devmem .. 32, md.l, mdw, mrd or x/xw";
                    self.unread(number, line, why);
                    break;
                }
            }
        }
        if values.is_empty() && words.trim().is_empty() {
            self.unread(number, line, "is cut off after the address");
        }
        let addresses = (0..).map(|nth: u64| address.wrapping_add(4 * nth));
        let words = addresses.zip(values);
        self.words.extend(words.map(|(address, value)| Word { address, value, line: number }));
    }

    fn unread(&mut self, line: usize, text: &str, why: impl Into<String>) {
        self.unread.push(UnreadLine { line, text: text.trim().to_owned(), why: why.into() });
    }
}

/// PMU of the event in `event syntax error: 'CCI_400_r1/cycles/'`.
fn refused(line: &str) -> Option<String> {
    let (_, event) = line.split_once("event syntax error: '")?;
    let event = event.trim_start_matches(['{', '.']);
    let (pmu, _) = of_kernel(event)?;
    Some(pmu)
}

/// Recognizes an error message of devmem, GDB, OpenOCD or xsdb about a failed access. Returns the
/// address, if the message contains it.
fn failed(line: &str) -> Option<Option<u64>> {
    let says = [
        "Bus error",
        "SIGBUS",
        "Cannot access memory at address",
        "Memory read error at",
        "data abort",
        "Synchronous Abort",
        "JTAG-DP STICKY ERROR",
    ];
    if !says.iter().any(|text| line.contains(text)) {
        return None;
    }
    let mut words = line.split(|c: char| c.is_whitespace() || c == '.' || c == ',');
    Some(words.find_map(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()))
}

enum Devmem {
    Read(u64),
    /// Written address and value; the value is `None` if it cannot be parsed.
    Write(u64, Option<u64>),
}

/// Parses `# devmem 0xFD6E0100 32` after any prompt.
fn devmem(line: &str) -> Option<Result<Devmem, &'static str>> {
    let (_, arguments) = line.split_once("devmem ")?;
    let words: Vec<_> = arguments.split_whitespace().collect();
    let Some(address) = words.first().and_then(|word| arm_pmu_lookup::number(word)) else {
        return Some(Err("has no address after devmem"));
    };
    if let Some(width) = words.get(1) {
        if *width != "32" && *width != "w" {
            return Some(Err("does not read a 32-bit word: use devmem ADDRESS 32"));
        }
    }
    Some(Ok(match words.get(2) {
        Some(value) => Devmem::Write(address, arm_pmu_lookup::number(value)),
        None => Devmem::Read(address),
    }))
}

/// Address and value of a write: `=> mw.l fd6e0100 1`, `> mww 0xfd6e0100 1`, `xsdb% mwr -force 0xFD6E0100 0x1` or
/// `(gdb) set {unsigned int}0xFD6E0100 = 0x1`.
fn written(line: &str) -> Option<(u64, u32)> {
    let mut words = line.split_whitespace().skip_while(|word| {
        !matches!(*word, "mw.l" | "mww" | "mwr") && !word.starts_with("{unsigned")
    });
    let word = |text: &str| u32::try_from(arm_pmu_lookup::number(text)?).ok();
    match words.next()? {
        // U-Boot reads numbers without a prefix as hexadecimal.
        "mw.l" => {
            let mut digits = words.map(|text| text.strip_prefix("0x").unwrap_or(text));
            let address = u64::from_str_radix(digits.next()?, 16).ok()?;
            Some((address, u32::from_str_radix(digits.next()?, 16).ok()?))
        }
        "mww" | "mwr" => {
            let mut words = words.filter(|word| !word.starts_with('-'));
            let address = arm_pmu_lookup::number(words.next()?)?;
            Some((address, word(words.next()?)?))
        }
        _ => {
            let (_, assignment) = line.split_once('}')?;
            let (address, value) = assignment.split_once('=')?;
            Some((arm_pmu_lookup::number(address.trim())?, word(value.trim())?))
        }
    }
}

/// Parses `Value at address 0xFD6E0100 (0xb6f5a100): 0x2000`.
fn devmem2(line: &str) -> Option<Result<(u64, u32), &'static str>> {
    let (before, rest) = line.split_once(" at address ")?;
    if !before.ends_with("Value") && !before.ends_with("Read") {
        return None;
    }
    let parsed = || {
        let address = rest.split_whitespace().next()?.trim_end_matches(':');
        let (_, value) = rest.rsplit_once(": ")?;
        let value = arm_pmu_lookup::number(value.trim())?;
        Some((arm_pmu_lookup::number(address)?, u32::try_from(value).ok()?))
    };
    Some(parsed().ok_or("has no address and value in the form that devmem2 prints"))
}

/// Splits `0xfd6e0100 <symbol+4>: ` from the rest of a line.
fn row(line: &str) -> Option<(u64, &str)> {
    let (head, rest) = line.split_once(':')?;
    let head = head.trim();
    let address = head.split_whitespace().next()?;
    // GDB prints the nearest symbol after the address.
    if head.len() > address.len() && !head.ends_with('>') {
        return None;
    }
    let digits = address.strip_prefix("0x").or(address.strip_prefix("0X")).unwrap_or(address);
    if digits.len() < 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    Some((u64::from_str_radix(digits, 16).ok()?, rest))
}

/// Splits PMU and event in `smmuv3_pmcg_33ffe0002/tlb_miss/` or `smmuv3_pmcg.tlb_miss`.
fn of_kernel(name: &str) -> Option<(String, String)> {
    let of_all = || name.split_once('.').filter(|(pmu, _)| is_name_of_pmcg(pmu));
    let (pmu, event) = name.split_once('/').or_else(of_all)?;
    let event = event.rsplit_once('/').map_or(event, |(event, _)| event);
    if pmu.is_empty() || !pmu.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    Some((pmu.to_owned(), event.to_owned()))
}

/// Whether a name selects the PMUs of all SMMUs.
pub fn is_any_pmcg(name: &str) -> bool {
    name == ANY_PMCG || name == PMCG.trim_end_matches('_')
}

/// The PMU that the kernel calls `name`. The name of an SMMU PMU contains neither product nor unit, so it means any
/// PMCG.
fn of_device(name: &str) -> Option<Pmu> {
    if is_name_of_pmcg(name) {
        return any_pmcg();
    }
    Some(KernelPmu::named(name)?.pmu)
}

struct Named {
    pmu: String,
    event: String,
    is_cycles: bool,
    of: Option<Pmu>,
}

impl Named {
    /// Converts an event's name from the form that `arm-pmu` prints. An SMMU event without a kernel name belongs to any
    /// SMMU PMU.
    fn known(name: &PerfName) -> Option<Self> {
        let pmu = match name.device() {
            Some(device) if device.starts_with(PMCG) => device.to_owned(),
            _ if is_pmcg(name.pmu) => ANY_PMCG.to_owned(),
            _ => KernelPmu::of(name.pmu)?.name.to_owned(),
        };
        let event = match name.what {
            What::Cycles => "cycles".to_owned(),
            what => what.to_string(),
        };
        Some(Self { pmu, event, is_cycles: is_cycles(&name.what), of: Some(name.pmu) })
    }

    fn of(&self, count: Count) -> Count {
        let Self { pmu, event, is_cycles, .. } = self;
        // A kernel name with an address identifies a single PMU.
        let nth = if is_any_pmcg(pmu) { count.nth } else { 0 };
        Count { pmu: pmu.clone(), nth, event: event.clone(), is_cycles: *is_cycles, ..count }
    }
}

/// Parses a name of this command, or of the kernel.
fn named(text: &str) -> Option<Named> {
    if let Some(named) = PerfName::read(text).and_then(|name| Named::known(&name)) {
        return Some(named);
    }
    let (pmu, event) = of_kernel(text)?;
    // Products with the same kernel name have the same event number for the clock.
    let any = || Pmu::all().find(|one| can_have_name(*one, &pmu));
    let is_cycles = PerfName::read_kernel(text, any()).is_some_and(|name| is_cycles(&name.what));
    Some(Named { of: of_device(&pmu), is_cycles, pmu, event })
}

/// Whether the event counts clock cycles. An SMMU counts clock cycles as an event.
fn is_cycles(what: &What) -> bool {
    let name = match what {
        What::Event(selection) => selection.of.event.name,
        What::Cycles | What::Other(_) => "",
    };
    what.is_cycles() || name == "CLOCK_CYCLE"
}
