//! Runs command lines with the real `perf`, and reports which registers the kernel's drivers wrote.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Result, bail};

use super::board::{Board, Pmu};
use super::guest::Output;

/// Result of a command line.
#[derive(Debug)]
pub struct Opened {
    pub line: String,
    /// Reason why `perf` or the kernel did not count all events; `null` if all were counted.
    pub refused: Option<String>,
    /// Values written to the registers of each PMU while its events were counted.
    pub registers: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// Counts by name, as `perf` prints them.
    pub counts: Vec<(String, String)>,
    /// Remaining output of `perf`.
    pub messages: String,
}

impl fmt::Display for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.line)?;
        if let Some(reason) = &self.refused {
            write!(f, "\n  refused: {reason}")?;
        }
        for (pmu, registers) in &self.registers {
            write!(f, "\n  {pmu}:")?;
            for (name, value) in registers {
                write!(f, " {name}={value:#x}")?;
            }
        }
        for (name, count) in &self.counts {
            write!(f, "\n  {name}: {count}")?;
        }
        Ok(())
    }
}

/// Initial content of a register, to detect registers that no driver wrote. Bit 0 is clear, so that
/// no counter appears enabled.
const UNWRITTEN: u64 = 0xA5A5_A5A4;

/// While events are counted, the device adds this number plus the number of the counter in its PMU, so each count
/// identifies its counter. The cycle counter of a CCI-400 has number 0, and its other counters have numbers 1 to
/// 4.
const ADDED: u64 = 1000;

/// File in the guest for the counts of `perf`.
const COUNTS: &str = "/tmp/counts";

/// Mark that precedes the counts in the output of a script.
const MARK: &str = "[counts]";

/// Exit status of a script that cannot access a register.
const NO_DEVICE: u8 = 99;

/// Returns a script that fills the registers, runs `perf` with the device as the measured program,
/// and prints the counts.
pub fn script(board: &Board, line: &str) -> String {
    let pmus = pmus(board, line);
    let addresses = |wanted: fn(&str) -> bool| {
        let registers = pmus.iter().flat_map(|pmu| &pmu.registers);
        registers.filter(move |(name, _)| wanted(name)).map(|(_, address)| address)
    };
    // PMCR is not filled, because the kernel keeps its other bits.
    let clear: String = addresses(|name| name != "PMCR")
        .map(|address| format!(" {address:x}={UNWRITTEN:x}"))
        .collect();
    let show: String = addresses(|_| true).map(|address| format!(" {address:x}")).collect();
    let counters = pmus.iter().flat_map(|pmu| pmu.counters.iter().zip(ADDED..));
    let add: String = counters
        .map(|(counter, added)| format!(" {}+{added:x}", counter.value_address()))
        .collect();
    // The device replaces the program to measure, which follows `--`.
    let perf = line.split_once(" -- ").map_or(line, |(perf, _)| perf);
    let json = if formatted(perf) { "" } else { " -j" };
    // There are no counts if `perf` rejected the command line.
    format!(
        "rm -f {COUNTS}
device{clear} || exit {NO_DEVICE}
{perf}{json} -o {COUNTS} -- device{show}{add}
status=$?
echo '{MARK}'
cat {COUNTS} 2>/dev/null
exit $status
"
    )
}

/// Returns whether a line selects the output format of `perf`.
fn formatted(perf: &str) -> bool {
    perf.split_whitespace().any(|word| word == "-j" || word.starts_with("-x"))
}

impl Opened {
    /// Parses the output of a [`script`].
    ///
    /// # Errors
    ///
    /// Returns an error if the device cannot access its registers.
    pub fn new(board: &Board, line: &str, output: &Output) -> Result<Self> {
        let Output { status, text } = output;
        if *status == NO_DEVICE {
            bail!("the device cannot reach its registers: {}", text.trim());
        }
        let (printed, counts) = text.split_once(MARK).unwrap_or((text, ""));
        let mut registers = BTreeMap::new();
        let mut messages = String::new();
        for text in printed.lines() {
            match written(board, text) {
                Some((_, _, UNWRITTEN)) => {}
                Some((pmu, name, value)) => {
                    let pmu: &mut BTreeMap<_, _> = registers.entry(pmu).or_default();
                    pmu.insert(name.to_owned(), value);
                }
                None => {
                    messages.push_str(text);
                    messages.push('\n');
                }
            }
        }
        let refused = if *status != 0 {
            let first = messages.lines().find(|line| !line.trim().is_empty());
            Some(format!("perf ended with {status}: {}", first.unwrap_or("no message").trim()))
        } else {
            let mut not = ["<not supported>", "<not counted>"].into_iter();
            not.find(|not| counts.contains(not)).map(str::to_owned)
        };
        let line = line.to_owned();
        let counts = counts.lines().filter_map(count).collect();
        Ok(Self { line, refused, registers, counts, messages })
    }

    /// Returns expected lines that were not printed, and any unexpected refusal. An expected
    /// refusal has one or more reasons, separated by ` or `; each is a part of the message of
    /// `perf`.
    pub fn problems(&self, expected: &str) -> Vec<String> {
        let shown = self.to_string();
        let found = |line: &str| match (line.trim().strip_prefix("refused: "), &self.refused) {
            (Some(reasons), Some(refused)) => {
                let printed = format!("{refused} {}", self.messages);
                reasons.split(" or ").any(|reason| printed.contains(reason))
            }
            _ => shown.lines().any(|one| one == line),
        };
        let missing = expected.lines().filter(|line| !found(line));
        let mut problems: Vec<_> =
            missing.map(|line| format!("missing: {}", line.trim())).collect();
        if self.refused.is_some() && !expected.contains("refused: ") {
            problems.push("it is refused".to_owned());
        }
        problems
    }
}

/// Returns a register and its value if the line has the device's form `5f090100=2001`.
fn written<'a>(board: &'a Board, line: &str) -> Option<(&'static str, &'a str, u64)> {
    let (address, value) = line.split_once('=')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let value = u64::from_str_radix(value, 16).ok()?;
    board.pmus.iter().find_map(|pmu| {
        let (name, _) = pmu.registers.iter().find(|(_, own)| *own == address)?;
        Some((pmu.name, name.as_str(), value))
    })
}

/// Returns name and count of a row that `perf stat -j` wrote.
fn count(line: &str) -> Option<(String, String)> {
    let row: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |key| row.get(key).and_then(|value| value.as_str()).map(str::to_owned);
    Some((text("event")?, text("counter-value")?))
}

/// Returns the PMUs of the board that a line names.
fn pmus<'a>(board: &'a Board, line: &str) -> Vec<&'a Pmu> {
    board.pmus.iter().filter(|pmu| names(line, pmu)).collect()
}

/// As in `CCI_400/..`. The comparison of whole names does not find `CCI_400` in `CCI_400_r1/..`.
fn names(line: &str, pmu: &Pmu) -> bool {
    line.contains(&format!("{}/", pmu.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::linux::board;

    /// Output of `perf` and of the device, for a line with one event.
    fn opened(printed: &str) -> Opened {
        let output = Output { status: 0, text: format!("{printed}{MARK}\n{COUNT}") };
        Opened::new(&board::find("cci400-r0").unwrap(), "perf stat", &output).unwrap()
    }

    const COUNT: &str = "{\"counter-value\" : \"1001.000000\", \"event\" : \"reads\"}\n";

    #[test]
    fn registers_and_counts_are_compared() {
        let opened = opened("5f09a000=60\n5f090100=2001\n5f09b000=a5a5a5a4\n");
        let expected = "  CCI_400: EVENT_SELECT[0]=0x60 PMCR=0x2001\n  reads: 1001.000000\n";
        assert_eq!(opened.to_string(), format!("perf stat\n{}", expected.trim_end()));
        assert_eq!(opened.problems(expected), [""; 0]);
        let other = expected.replace("0x60", "0x61").replace("1001", "1002");
        assert_eq!(opened.problems(&other).len(), 2);
    }

    #[test]
    fn refused_and_accepted_openings_are_distinguished() {
        let accepted = opened("");
        let refused = Opened { refused: Some("<not supported>".to_owned()), ..opened("Oops\n") };
        assert_eq!(refused.problems(""), ["it is refused"]);
        assert_eq!(refused.problems("  refused: <not supported>"), [""; 0]);
        assert_eq!(refused.problems("  refused: <not counted> or Oops"), [""; 0]);
        assert_eq!(refused.problems("  refused: <not counted>").len(), 1);
        assert_eq!(accepted.problems("  refused: <not supported>").len(), 1);
    }
}
