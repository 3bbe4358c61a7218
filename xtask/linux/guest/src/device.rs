//! The device, simulated by the program `device`.

use std::process::Command;

use anyhow::{Context, Result, bail};

/// Increment of counter 0 while it counts. Each further counter has an increment that is larger by
/// one.
pub const ADDED: u64 = 1000;

/// The counters of a PMU: the addresses of their event registers and values.
pub struct Counters(Vec<(String, String)>);

impl Counters {
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let pair = |text: &String| {
            let (select, value) = text.split_once(',').context("no pair of addresses")?;
            Ok((select.to_owned(), value.to_owned()))
        };
        arguments.iter().map(pair).collect::<Result<_>>().map(Self)
    }

    pub fn number(&self) -> usize {
        self.0.len()
    }

    /// Adds a different number to each of the first counters. Returns the event registers' values for these counters.
    pub fn play(&self, counters: usize) -> Result<Vec<u64>> {
        let used = &self.0[..counters];
        let show = used.iter().map(|(select, _)| select.clone());
        let add = used.iter().zip(ADDED..).map(|((_, value), added)| format!("{value}+{added:x}"));
        run(show.chain(add))
    }

    /// Adds this number of events to one counter.
    pub fn add(&self, counter: usize, events: u64) -> Result<()> {
        run([format!("{}+{events:x}", self.0[counter].1)]).map(|_| ())
    }
}

/// Runs `device`, and returns the values that `device` prints.
fn run(steps: impl IntoIterator<Item = String>) -> Result<Vec<u64>> {
    let output = Command::new("device").args(steps).output().context("device")?;
    if !output.status.success() {
        bail!("device: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout)?;
    let values = text.lines().map(|line| {
        let (_, value) = line.split_once('=').context("no value")?;
        Ok(u64::from_str_radix(value, 16)?)
    });
    values.collect()
}
