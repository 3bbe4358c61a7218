//! Runs command lines with the real `perf`, and reports which registers the kernel's drivers wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::board::{Board, Pmu};
use super::guest::{Guest, Output};

/// Result of a command line.
#[derive(Debug, Serialize)]
pub struct Opened {
    pub line: String,
    pub board: &'static str,
    /// Why `perf` or the kernel did not count all events; `null` if all were counted.
    pub refused: Option<String>,
    /// Values written to the registers of each PMU while its events were counted.
    pub registers: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// The counts by name, as `perf` prints them.
    pub counts: Vec<(String, String)>,
    /// The rest of the output of `perf`.
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

/// Content of a register that no driver wrote. Bit 0 is clear, so that no counter looks enabled.
const UNWRITTEN: u64 = 0xA5A5_A5A4;

/// While events are counted, the device adds this and the number of the counter within its PMU, so each count shows
/// its counter. The cycle counter of a CCI-400 has number 0, its other counters have 1 to 4.
pub const ADDED: u64 = 1000;

/// Where `perf` writes its counts in the guest.
const COUNTS: &str = "/tmp/counts";

/// Opens each command line on the board that has its PMUs: one boot for each board that is needed.
///
/// # Errors
///
/// If a line is no `perf stat`, if it names PMUs of two boards, or if a guest does not come to its end.
pub fn open(guest: &Guest, boards: &[Board], lines: &[String]) -> Result<Vec<Opened>> {
    let mut places = Vec::new();
    for line in lines {
        places.push(place(boards, line).with_context(|| format!("`{line}`"))?);
    }
    let mut opened: Vec<Option<Opened>> = lines.iter().map(|_| None).collect();
    let mut of_boards = Vec::new();
    let mut boots = Vec::new();
    for (number, board) in boards.iter().enumerate() {
        let own: Vec<_> = (0..lines.len()).filter(|&line| places[line] == number).collect();
        if !own.is_empty() {
            let commands = own.iter().flat_map(|&line| commands(board, &lines[line])).collect();
            boots.push((board, commands));
            of_boards.push(own);
        }
    }
    let outputs = guest.run_all(&boots)?;
    for (((board, _), own), outputs) in boots.iter().zip(&of_boards).zip(&outputs) {
        for (&line, outputs) in own.iter().zip(outputs.chunks_exact(STEPS)) {
            opened[line] = Some(result(board, &lines[line], outputs)?);
        }
    }
    Ok(opened.into_iter().flatten().collect())
}

/// The commands for one line: fill the registers; run `perf`, with the device as the measured program;
/// print its counts.
pub const STEPS: usize = 3;

pub fn commands(board: &Board, line: &str) -> [String; STEPS] {
    let pmus = pmus(board, line);
    let addresses = |wanted: fn(&str) -> bool| {
        let registers = pmus.iter().flat_map(|pmu| &pmu.registers);
        registers.filter(move |(name, _)| wanted(name)).map(|(_, address)| address)
    };
    // PMCR is not filled, because the kernel keeps its other bits.
    let clear: Vec<_> = addresses(|name| name != "PMCR")
        .map(|address| format!(" {address:x}={UNWRITTEN:x}"))
        .collect();
    let show: Vec<_> = addresses(|_| true).map(|address| format!(" {address:x}")).collect();
    let counters = pmus.iter().flat_map(|pmu| pmu.counters.iter().zip(ADDED..));
    let add: Vec<_> = counters
        .map(|(counter, added)| format!(" {}+{added:x}", counter.value_address()))
        .collect();
    // The program to measure follows `--`; here, it is the device.
    let perf = line.split_once(" -- ").map_or(line, |(perf, _)| perf);
    let json = if formatted(perf) { "" } else { " -j" };
    [
        format!("rm -f {COUNTS}; device{}", clear.concat()),
        format!("{perf}{json} -o {COUNTS} -- device{}{}", show.concat(), add.concat()),
        // Missing if `perf` rejected the command line.
        format!("cat {COUNTS} 2>/dev/null || true"),
    ]
}

/// Whether a line selects the output format of `perf`.
fn formatted(perf: &str) -> bool {
    perf.split_whitespace().any(|word| word == "-j" || word.starts_with("-x"))
}

pub fn result(board: &Board, line: &str, outputs: &[Output]) -> Result<Opened> {
    let [cleared, perf, counts] = outputs else { bail!("not {STEPS} outputs") };
    if cleared.status != 0 {
        bail!("the device cannot reach its registers: {}", cleared.text.trim());
    }
    let mut registers = BTreeMap::new();
    let mut messages = String::new();
    for text in perf.text.lines() {
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
    let refused = if perf.status != 0 {
        let first = messages.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        Some(format!("perf ended with {}: {}", perf.status, first.trim()))
    } else {
        let mut not = ["<not supported>", "<not counted>"].into_iter();
        not.find(|not| counts.text.contains(not)).map(str::to_owned)
    };
    Ok(Opened {
        line: line.to_owned(),
        board: board.name,
        refused,
        registers,
        counts: counts.text.lines().filter_map(count).collect(),
        messages,
    })
}

/// A register and its value, if the line is one of the device's, as `5f090100=2001`.
fn written<'a>(board: &'a Board, line: &str) -> Option<(&'static str, &'a str, u64)> {
    let (address, value) = line.split_once('=')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let value = u64::from_str_radix(value, 16).ok()?;
    board.pmus.iter().find_map(|pmu| {
        let (name, _) = pmu.registers.iter().find(|(_, own)| *own == address)?;
        Some((pmu.name, name.as_str(), value))
    })
}

/// Name and count of a row that `perf stat -j` wrote.
fn count(line: &str) -> Option<(String, String)> {
    let row: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |key| row.get(key).and_then(|value| value.as_str()).map(str::to_owned);
    Some((text("event")?, text("counter-value")?))
}

/// The PMUs of the board that a line names.
fn pmus<'a>(board: &'a Board, line: &str) -> Vec<&'a Pmu> {
    board.pmus.iter().filter(|pmu| names(line, pmu)).collect()
}

/// As in `CCI_400/..`. So `CCI_400` is not found in `CCI_400_r1/..`.
fn names(line: &str, pmu: &Pmu) -> bool {
    line.contains(&format!("{}/", pmu.name))
}

/// The board of a line: the one with its PMUs, and the first one if it names none.
pub fn place(boards: &[Board], line: &str) -> Result<usize> {
    if !line.starts_with("perf stat ") {
        bail!("does not begin with `perf stat `");
    }
    let mut places: Vec<_> = boards.iter().map(|board| pmus(board, line).len()).zip(0..).collect();
    places.sort_by_key(|&(found, number)| (usize::MAX - found, number));
    let (most, number) = *places.first().context("there is no board")?;
    let all: BTreeSet<_> =
        boards.iter().flat_map(|board| pmus(board, line)).map(|pmu| pmu.name).collect();
    if all.len() > most {
        bail!("no board has all of {}", all.into_iter().collect::<Vec<_>>().join(", "));
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::linux::board;

    fn name(line: &str) -> Result<&'static str> {
        let boards = board::all();
        place(&boards, line).map(|number| boards[number].name)
    }

    #[test]
    fn a_line_goes_to_the_board_with_its_pmus() {
        assert_eq!(name("perf stat -a -e CCI_400/cycles/").unwrap(), "cci400-r0");
        assert_eq!(name("perf stat -a -e CCI_400_r1/cycles/").unwrap(), "cci400-r1");
        let both = "perf stat -a -e CCI_550/event=1,source=2/ -e smmuv3_pmcg_5f300/cycles/";
        assert_eq!(name(both).unwrap(), "cci550");
    }

    #[test]
    fn other_lines_are_refused() {
        let two = name("perf stat -a -e CCI_500/event=1,source=2/,CCI_400/cycles/");
        assert_eq!(two.unwrap_err().to_string(), "no board has all of CCI_400, CCI_500");
        assert_eq!(
            name("perf record x").unwrap_err().to_string(),
            "does not begin with `perf stat `"
        );
    }

    #[test]
    fn the_device_takes_the_place_of_the_measured_program() {
        let boards = board::all();
        let line = "perf stat -a -e CCI_400/cycles/ -- sleep 10";
        let [_, perf, _] = commands(&boards[0], line);
        let start = "perf stat -a -e CCI_400/cycles/ -j -o /tmp/counts -- device 5f090100 ";
        assert!(perf.starts_with(start), "{perf}");
        assert!(
            perf.ends_with(" 5f099004+3e8 5f09a004+3e9 5f09b004+3ea 5f09c004+3eb 5f09d004+3ec"),
            "{perf}"
        );
    }
}
