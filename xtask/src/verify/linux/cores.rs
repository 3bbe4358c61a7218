//! The PMUs of cores: `arm-pmu stat` counts a program's instructions and cycles.
//!
//! The program `work` executes a known number of instructions. The kernel's part of it, mostly to start the program,
//! is below a tenth of that.

use anyhow::{Result, bail};

use super::board::{self, Board};
use super::guest::Guest;
use crate::output::{errln, outln};

/// What QEMU and Linux call the cores of 64 bits. Each has six counters for events.
const CORES: [&str; 3] = ["cortex-a53", "cortex-a57", "cortex-a72"];

/// Counts twenty million instructions by both programs, in thousandths of what `perf` counts; then more events than
/// counters.
const COMMAND: &str = "\
    export NO_COLOR=1\n\
    pmu=armv8_$(echo {core} | tr - _)\n\
    arm-pmu stat -e $pmu:inst_retired -e $pmu:0x11 --csv -o /tmp/ours -- work 10000000\n\
    perf stat -x, -e $pmu/inst_retired/,$pmu/event=0x11/ -o /tmp/theirs -- work 10000000\n\
    ours=$(grep ^count /tmp/ours | cut -d, -f8)\n\
    theirs=$(grep ,,$pmu /tmp/theirs | cut -d, -f1)\n\
    set -- $ours $theirs\n\
    for pair in $1:$3 $2:$4; do\n\
    echo ${pair%:*} ${pair#*:} | awk '{ print ($1 > 0.98 * $2 && $1 < 1.02 * $2 ? \"same\" : $0) }'\n\
    done\n\
    echo $1 | awk '{ print ($1 >= 20000000 && $1 < 22000000 ? \"right\" : $1) }'\n\
    arm-pmu check --size 8 | awk '$2 == \"INST_RETIRED\" { print $1, $NF }'\n\
    arm-pmu stat $(for event in 1 2 3 4 5 6 7 8; do printf \" -e $pmu:0x$event\"; done) --csv -- true 2>&1 | grep -c ^count\n";

/// What it prints.
const EXPECTED: &str = "same\nsame\nright\nread right\nwrite right\n8\n";

/// What `linux-guest core` prints: no number of an event is refused.
fn all_of(events: u32) -> String {
    format!("{events} events opened, 0 refused\nas many instructions as cycles\n")
}

/// What a thread prints that reads its counters itself.
const USER_READS: &str = "\
    the counters of armv8_cortex_a53 cannot be read in user mode; this needs `sysctl kernel.perf_user_access=1`, as root\n\
    readings without the kernel\n\
    as many instructions\n\
    another thread reads by a system call\n";

/// The same without `perf`, for cores of 32 bits. `{pmu}` is the IP, or the kernel's name if there is none.
const COMMAND_32: &str = "\
    export NO_COLOR=1\n\
    arm-pmu stat -e {pmu}:0x08 -e {pmu}:0x11 --csv -o /tmp/ours -- work 10000000\n\
    grep ^count /tmp/ours | cut -d, -f8 | awk '{ print ($1 >= 20000000 && $1 < 22000000 ? \"right\" : $1) }'\n\
    arm-pmu stat $(for event in 1 2 3 4 5 6 7 8; do printf \" -e {pmu}:0x$event\"; done) --csv -- true 2>&1 | grep -c ^count\n\
    arm-pmu check --size 8 | awk '$1 != \"-\" && tolower($2) ~ /^inst/ { print $1, $NF }'\n\
    arm-pmu doctor --live | grep ^armv7\n";

/// # Errors
///
/// If a core is counted otherwise.
pub fn test(guest: &Guest) -> Result<()> {
    let boards = CORES.map(board::with_core);
    let commands = boards.iter().map(|board| {
        let command = COMMAND.replace("{core}", board.core);
        let every = format!("linux-guest core {}", board.core);
        let mut checks = vec![(command, EXPECTED.to_owned()), (every, all_of(1024))];
        if board.core == "cortex-a53" {
            checks.push(("linux-guest user-reads".to_owned(), USER_READS.to_owned()));
        }
        (board, checks)
    });
    hold(guest, &commands.collect::<Vec<_>>())
}

/// Cores of 32 bits, on a kernel and with programs of 32 bits.
///
/// # Errors
///
/// If a core is counted otherwise.
pub fn test_32_bits(guest: &Guest) -> Result<()> {
    let cubieboard = board::cubieboard();
    let [a7, a15] = ["cortex-a7", "cortex-a15"].map(board::with_core);
    let counted = |pmu: &str, live: &str| {
        (
            COMMAND_32.replace("{pmu}", pmu),
            format!("right\nright\n8\nread right\nwrite right\n{live}\n"),
        )
    };
    let every = |core: &str| (format!("linux-guest core {core}"), all_of(256));
    hold(
        guest,
        &[
            (
                &cubieboard,
                vec![counted("cortex-a8", "armv7_cortex_a8  cortex-a8  CPU 0"), every("cortex-a8")],
            ),
            (
                &a7,
                vec![counted("cortex-a7", "armv7_cortex_a7  cortex-a7  CPU 0"), every("cortex-a7")],
            ),
            // Without tables of its own.
            (&a15, vec![counted("armv7_cortex_a15", "armv7_cortex_a15  a core  CPU 0")]),
        ],
    )
}

/// Commands and their expected output.
type Checks = Vec<(String, String)>;

fn hold(guest: &Guest, boards: &[(&Board, Checks)]) -> Result<()> {
    if !guest.counts_with_the_crate {
        return Ok(());
    }
    let commands: Vec<_> = boards
        .iter()
        .map(|(board, checks)| {
            (*board, checks.iter().map(|(command, _)| command.clone()).collect())
        })
        .collect();
    let outputs = guest.run_all(&commands)?;
    let mut failed = 0;
    for ((board, checks), outputs) in boards.iter().zip(&outputs) {
        for ((_, expected), output) in checks.iter().zip(outputs) {
            if output.text != *expected {
                errln!("{}: it printed\n{}, expected\n{expected}", board.name, output.text);
                failed += 1;
            }
        }
    }
    if failed > 0 {
        bail!("{failed} counts of cores are not as expected");
    }
    let names: Vec<_> = boards.iter().map(|(board, _)| board.core).collect();
    outln!("{} are counted, kernel {}", names.join(", "), guest.versions.kernel);
    Ok(())
}
