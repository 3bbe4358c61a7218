//! Simulates the CCI-400 from outside the guest, so that `arm-pmu stat`, the kernel's driver and the device of
//! `arm-pmu-sim` work together, and compares the printed events with the device's.
//!
//! `xtask/linux/player` is the program that simulates the device.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::board;
use super::guest::Guest;
use crate::command::Program;
use crate::verify::built;
use anstream::println as outln;

/// Events of four slave interfaces, then of the fifth and the three master interfaces, each time with cycles.
const GROUPS: [&[&str]; 2] = [
    &["S0:READ_REQUEST_ANY", "S1:WRITE_REQUEST_ANY", "S2:READ_DATA_STALL", "S3:READ_REQUEST_ANY"],
    &[
        "S4:READ_DATA_SNOOP_HIT",
        "M0:WRITE_TRACKER_FULL_STALL",
        "M1:READ_ID_HAZARD_STALL",
        "M2:ADDRESS_HAZARD_STALL",
    ],
];

/// The last rows are the totals.
const COMMAND: &str = "arm-pmu stat -I 20ms {events} -e cci400:CYCLES --csv -o /tmp/stat -- sleep 1; \
                       tail -n +2 /tmp/stat | cut -d, -f1,5,8,9";

/// Time limit for the player, as for a guest.
const LIMIT: Duration = Duration::from_secs(300);

/// # Errors
///
/// Returns an error if a count is wrong, or if all are zero.
pub fn test(root: &Path, guest: &Guest) -> Result<()> {
    let board = &board::find("cci400-r1")?;
    let base = board::CCI_400 - board::MEMORY;
    let player = &built::program(root, "linux-player")?;
    for events in GROUPS {
        let events_of: String = events.iter().map(|event| format!(" -e cci400:{event}")).collect();
        let command = COMMAND.replace("{events}", &events_of);
        let (give, folder) = channel();
        let (outputs, played) = thread::scope(|scope| {
            let played = scope.spawn(move || {
                let folder: std::path::PathBuf = folder.recv()?;
                play(player, &folder, base)
            });
            let outputs = guest.run_with(board, &[command], |folder| {
                let _ = give.send(folder.to_owned());
                let (socket, memory) = (folder.join("qmp"), folder.join("memory"));
                let socket = format!("unix:{},server=on,wait=off", socket.display());
                let memory = format!(
                    "memory-backend-file,id=memory,size=512M,share=on,mem-path={}",
                    memory.display()
                );
                // The last option of a kind applies, so this one extends the machine.
                ["-qmp", &socket, "-object", &memory, "-machine", "memory-backend=memory"]
                    .map(str::to_owned)
                    .to_vec()
            });
            drop(give);
            let played = played.join().unwrap_or_else(|_| bail!("the player panicked"));
            (outputs, played)
        });
        let (outputs, played) = (outputs?, played?);
        compare(&outputs[0].text, events, &played).with_context(|| outputs[0].text.clone())?;
    }
    outln!(
        "a simulated CCI-400 outside of the guest is counted exactly, kernel {}",
        guest.versions.kernel
    );
    Ok(())
}

/// Returns the number of occurrences by event name.
fn play(player: &Path, folder: &Path, base: u64) -> Result<BTreeMap<String, u64>> {
    let (socket, memory) = (folder.join("qmp"), folder.join("memory"));
    let program = Program::new(player).arguments([&socket, &memory]);
    let mut happened = BTreeMap::new();
    let mut other = String::new();
    let status = program.arguments([&format!("{base:x}")]).run_within(LIMIT, |line| match line
        .rsplit_once(' ')
        .and_then(|(name, times)| Some((name, times.parse().ok()?)))
    {
        Some((name, times)) => {
            happened.insert(name.to_owned(), times);
        }
        None => other = line.to_owned(),
    })?;
    ensure!(status.success(), "the player ended with {status}: {other}");
    Ok(happened)
}

/// Checks that the totals equal the occurrences, and that the intervals add up to the totals.
fn compare(text: &str, events: &[&str], happened: &BTreeMap<String, u64>) -> Result<()> {
    let mut rows: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for line in text.lines() {
        let ["count", name, value, state] = line.split(',').collect::<Vec<_>>()[..] else {
            continue;
        };
        ensure!(state == "exact", "{line}");
        rows.entry(name).or_default().push(value.parse()?);
    }
    for (name, played) in events.iter().map(|event| (*event, *event)).chain([("CYCLES", "cycles")])
    {
        let counts = rows.get(name).with_context(|| format!("no row {name}"))?;
        let [intervals @ .., total] = counts.as_slice() else { bail!("no row {name}") };
        let truth = *happened.get(played).with_context(|| format!("{played} never happened"))?;
        ensure!(*total == truth, "{name}: counted {total} of {truth}");
        ensure!(intervals.iter().sum::<u64>() == truth, "{name}: {intervals:?} are not {truth}");
        // Some intervals are shorter than the time between two steps of the player.
        let busy = intervals.iter().filter(|count| **count > 0).count();
        ensure!(busy > 3, "{name}: {intervals:?}");
    }
    Ok(())
}
