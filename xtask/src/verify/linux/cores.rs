//! Cores without tables of their own: `arm-pmu stat` counts the same as `perf stat` there.

use anyhow::{Result, bail};

use super::board;
use super::guest::Guest;
use crate::output::{errln, outln};

/// What QEMU and Linux call them. Each has six counters for events.
const CORES: [&str; 3] = ["cortex-a53", "cortex-a57", "cortex-a72"];

/// Counts a program by both, in thousandths of what `perf` counts; then more events than counters. The first run of a
/// program takes more instructions in the kernel than others.
const COMMAND: &str = "\
    export NO_COLOR=1\n\
    pmu=armv8_$(echo {core} | tr - _)\n\
    for first in 1 2; do arm-pmu stat -e $pmu:inst_retired --csv -o /tmp/ours -- device @1; done\n\
    arm-pmu stat -e $pmu:inst_retired -e $pmu:0x11 --csv -o /tmp/ours -- device @1\n\
    perf stat -x, -e $pmu/inst_retired/,$pmu/event=0x11/ -o /tmp/theirs -- device @1\n\
    ours=$(grep ^count /tmp/ours | cut -d, -f8)\n\
    theirs=$(grep ,,$pmu /tmp/theirs | cut -d, -f1)\n\
    set -- $ours $theirs\n\
    for pair in $1:$3 $2:$4; do\n\
    echo $((1000 * ${pair%:*} / ${pair#*:})) | awk '{ print ($1 > 980 && $1 < 1020 ? \"same\" : $1) }'\n\
    done\n\
    arm-pmu stat $(for event in 1 2 3 4 5 6 7 8; do printf \" -e $pmu:0x$event\"; done) --csv -- true 2>&1 | grep -c ^count\n";

/// What it prints.
const EXPECTED: &str = "same\nsame\n8\n";

/// # Errors
///
/// If a core is counted otherwise.
pub fn test(guest: &Guest) -> Result<()> {
    if !guest.counts_with_the_crate {
        return Ok(());
    }
    let boards = CORES.map(board::with_core);
    let commands: Vec<_> =
        boards.iter().map(|board| (board, vec![COMMAND.replace("{core}", board.core)])).collect();
    let outputs = guest.run_all(&commands)?;
    let mut failed = 0;
    for (board, outputs) in boards.iter().zip(&outputs) {
        let text = outputs.first().map_or("", |output| output.text.as_str());
        if text != EXPECTED {
            errln!("{}: it printed\n{text}", board.name);
            failed += 1;
        }
    }
    if failed > 0 {
        bail!("{failed} of {} cores are not counted as perf counts them", CORES.len());
    }
    outln!("{} cores are counted as perf counts them", CORES.len());
    Ok(())
}
