//! Compares the cost of `arm-pmu stat` with `perf stat`, in instructions, which are reproducible on
//! the bench.

use anyhow::{Context, Result};

use super::board;
use super::guest::{Guest, Output};

/// An event of a CCI-400, in the notation of each program.
const PROGRAMS: [(&str, &str); 2] = [
    ("perf stat", "perf stat -a -x, -e CCI_400_r1/event=0,source=3/ -o /tmp/counts"),
    ("arm-pmu stat", "arm-pmu stat -e S3:READ_REQUEST_ANY --csv -o /tmp/counts"),
];

/// Number of 10 ms intervals in two seconds.
const INTERVALS: u64 = 200;

/// Prints a table.
///
/// # Errors
///
/// Returns an error if something cannot be counted.
pub fn compare(guest: &Guest) -> Result<()> {
    let board = &board::find("cci400-r1")?;
    let counted = |line: String| {
        format!(
            "perf stat -x, -e instructions:u -e instructions:k -o /tmp/cost -- {line} && grep -v ^# /tmp/cost"
        )
    };
    let mut commands = vec![counted("sleep 2".to_owned())];
    for (_, line) in PROGRAMS {
        commands.push(counted(format!("{line} -- sleep 2")));
        let interval = if line.starts_with("perf") { "-I 10" } else { "-I 10ms" };
        commands.push(counted(format!("{line} {interval} -- sleep 2")));
    }
    let outputs = guest.run(board, &commands)?;
    let [alone, all @ ..] = outputs.as_slice() else { return Ok(()) };
    let alone = instructions(alone)?;
    outln!("{:12}  {:>22}  {:>22}", "instructions", "start and end", "an interval");
    for ((name, _), pair) in PROGRAMS.iter().zip(all.chunks(2)) {
        let [once, each] = pair else { continue };
        let (once, each) = (instructions(once)?, instructions(each)?);
        let start = [0, 1].map(|part| once[part].saturating_sub(alone[part]));
        let interval = [0, 1].map(|part| each[part].saturating_sub(once[part]) / INTERVALS);
        outln!(
            "{name:12}  {:>10} + {:>9}  {:>10} + {:>9}",
            start[0],
            start[1],
            interval[0],
            interval[1]
        );
    }
    outln!("of the program + of the kernel for it; {}", guest.versions.kernel);
    Ok(())
}

/// Returns the instructions in user mode and in the kernel.
fn instructions(output: &Output) -> Result<[u64; 2]> {
    let mut counts = output.text.lines().filter_map(|line| line.split(',').next()?.parse().ok());
    let both = counts.next().zip(counts.next());
    both.map(|(user, kernel)| [user, kernel]).with_context(|| format!("no counts: {}", output.text))
}
