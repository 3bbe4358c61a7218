//! Reads what consoles and debuggers print when they read registers, and `perf stat`.

use crate::kernel::{KernelPmu, PMCG};
use crate::perf_name::{PerfName, What};

/// A word that was read, in the order of the dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub address: u64,
    pub value: u32,
    /// Counted from 1.
    pub line: usize,
}

/// An access that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    /// If it is known.
    pub address: Option<u64>,
    pub line: usize,
}

/// A count that `perf stat` printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// The end of the interval in seconds; none without -I.
    pub until: Option<f64>,
    /// None if it was not counted.
    pub value: Option<u64>,
    /// The PMU, as the kernel names it.
    pub pmu: String,
    /// The event, without the PMU.
    pub event: String,
    pub line: usize,
}

/// A line that looks like a reading and is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    pub line: usize,
    pub text: String,
    pub why: &'static str,
}

/// All that was found in the text.
#[derive(Debug, Default)]
pub struct Dump {
    pub words: Vec<Word>,
    pub failed: Vec<Failed>,
    pub counts: Vec<Count>,
    pub unread: Vec<Unread>,
}

impl Dump {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.failed.is_empty() && self.counts.is_empty()
    }

    pub fn parse(text: &str) -> Self {
        let mut dump = Self::default();
        // The address in the last `devmem` command, because `devmem` prints only the value.
        let mut asked = None;
        for (number, line) in text.lines().enumerate() {
            dump.line(number + 1, line.trim_end(), &mut asked);
        }
        dump
    }

    fn line(&mut self, number: usize, line: &str, asked: &mut Option<u64>) {
        if let Some(address) = failed(line) {
            self.failed.push(Failed { address: address.or(asked.take()), line: number });
        } else if let Some(command) = devmem(line) {
            match command {
                Ok(Devmem::Read(address)) => *asked = Some(address),
                Ok(Devmem::Write) => *asked = None,
                Err(why) => self.unread(number, line, why),
            }
        } else if let Some(found) = devmem2(line) {
            match found {
                Ok((address, value)) => self.words.push(Word { address, value, line: number }),
                Err(why) => self.unread(number, line, why),
            }
        } else if let Some(count) = perf(number, line) {
            self.counts.push(count);
        } else if let Some((address, rest)) = row(line) {
            self.row(number, line, address, rest);
        } else if let Some(address) = *asked {
            // The console may print other things meanwhile.
            if let Some(digits) = line.trim().strip_prefix("0x") {
                *asked = None;
                match u32::from_str_radix(digits, 16) {
                    Ok(value) if digits.len() == 8 => {
                        self.words.push(Word { address, value, line: number });
                    }
                    _ => self.unread(
                        number,
                        line,
                        "is no word of 32 bits: read with `devmem ADDRESS 32`",
                    ),
                }
            }
        }
    }

    /// `ADDRESS: WORD WORD ..`, with the characters behind them or not.
    fn row(&mut self, number: usize, line: &str, address: u64, rest: &str) {
        // U-Boot separates its text column with four spaces.
        let words = rest.trim_start().split("    ").next().unwrap_or_default();
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
            self.unread(number, line, "is cut off behind the address");
        }
        let addresses = (0..).map(|nth: u64| address.wrapping_add(4 * nth));
        let words = addresses.zip(values);
        self.words.extend(words.map(|(address, value)| Word { address, value, line: number }));
    }

    fn unread(&mut self, line: usize, text: &str, why: &'static str) {
        self.unread.push(Unread { line, text: text.trim().to_owned(), why });
    }
}

/// Messages of devmem, GDB, OpenOCD and xsdb about an access that failed; with the address, if it is there.
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
    Write,
}

/// `# devmem 0xFD6E0100 32`, behind any prompt.
fn devmem(line: &str) -> Option<Result<Devmem, &'static str>> {
    let (_, arguments) = line.split_once("devmem ")?;
    let words: Vec<_> = arguments.split_whitespace().collect();
    let Some(address) = words.first().and_then(|word| crate::name::number(word)) else {
        return Some(Err("has no address behind devmem"));
    };
    if let Some(width) = words.get(1) {
        if *width != "32" && *width != "w" {
            return Some(Err("reads no word of 32 bits: use devmem ADDRESS 32"));
        }
    }
    Some(Ok(if words.len() > 2 { Devmem::Write } else { Devmem::Read(address) }))
}

/// `Value at address 0xFD6E0100 (0xb6f5a100): 0x2000`.
fn devmem2(line: &str) -> Option<Result<(u64, u32), &'static str>> {
    let (before, rest) = line.split_once(" at address ")?;
    if !before.ends_with("Value") && !before.ends_with("Read") {
        return None;
    }
    let parsed = || {
        let address = rest.split_whitespace().next()?.trim_end_matches(':');
        let (_, value) = rest.rsplit_once(": ")?;
        let value = crate::name::number(value.trim())?;
        Some((crate::name::number(address)?, u32::try_from(value).ok()?))
    };
    Some(parsed().ok_or("has no address and value, as devmem2 prints them"))
}

/// `0xfd6e0100 <symbol+4>: `, and what follows.
fn row(line: &str) -> Option<(u64, &str)> {
    let (head, rest) = line.split_once(':')?;
    let head = head.trim();
    let address = head.split_whitespace().next()?;
    // GDB has the nearest symbol behind the address.
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

/// `     1.000123456         2,147,483,649      smmuv3_pmcg_33ffe0002/tlb_miss/`, or with a name that `arm-pmu perf`
/// gives: `cci400:r1.S3:READ_REQUEST_ANY`.
fn perf(number: usize, line: &str) -> Option<Count> {
    let line = line.trim();
    if line.starts_with('#') {
        return None;
    }
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let until = match words.first()?.parse::<f64>() {
        Ok(seconds) if words[0].contains('.') && words.len() > 2 => {
            words.remove(0);
            Some(seconds)
        }
        _ => None,
    };
    // `<not counted>` is two words.
    let not_counted = words.first()?.starts_with("<not");
    let value = if not_counted {
        None
    } else {
        let digits: String = words.first()?.chars().filter(|c| *c != ',').collect();
        Some(digits.parse().ok()?)
    };
    let name = words.get(if not_counted { 2 } else { 1 })?;
    let (pmu, event) = named(name).or_else(|| of_kernel(name))?;
    Some(Count { until, value, pmu, event, line: number })
}

/// The PMU and the event in `smmuv3_pmcg_33ffe0002/tlb_miss/`.
fn of_kernel(name: &str) -> Option<(String, String)> {
    let (pmu, event) = name.split_once('/')?;
    let event = event.rsplit_once('/').map_or(event, |(event, _)| event);
    if pmu.is_empty() || !pmu.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    Some((pmu.to_owned(), event.to_owned()))
}

/// The same of a name from `arm-pmu perf`. A PMU of an SMMU whose own name is not in it is any of them.
fn named(name: &str) -> Option<(String, String)> {
    let PerfName { pmu, label, what } = PerfName::read(name)?;
    let of_kernel = || match label {
        Some(label) if label.starts_with(PMCG) => Some(label),
        _ if pmu.ip.name == "mmu600" => Some(format!("{PMCG}*")),
        _ => Some(KernelPmu::of(pmu)?.name.to_owned()),
    };
    let event = match what {
        What::Cycles => "cycles".to_owned(),
        what => what.to_string(),
    };
    Some((of_kernel()?, event))
}
