//! What `arm-pmu device-tree` prints, booted: the kernel's driver binds to it, or refuses with a reason.
//!
//! A test of the command stores the text in `crates/arm-pmu-cli/tests/bench`.

use anyhow::{Result, bail};

use super::board::{self, Board};
use super::guest::Guest;
use crate::output::{errln, outln};

/// A board with a tree, a command in its guest, and a part of what that prints.
struct Case {
    board: Board,
    command: &'static str,
    expected: &'static [&'static str],
}

const DEVICES: &str = "ls /sys/bus/event_source/devices";

fn cases() -> Vec<Case> {
    vec![
        Case {
            board: board::with_tree(
                "tree-each",
                &["CCI_500"],
                include_str!("../../../../crates/arm-pmu-cli/tests/bench/bench-each.dts"),
            ),
            command: DEVICES,
            expected: &["CCI_500"],
        },
        Case {
            board: board::with_tree(
                "tree-combined",
                &["CCI_400_r1", "smmuv3_pmcg_5f320"],
                include_str!("../../../../crates/arm-pmu-cli/tests/bench/bench-combined.dts"),
            ),
            command: DEVICES,
            expected: &["CCI_400_r1", "smmuv3_pmcg_5f320"],
        },
        Case {
            board: board::with_disabled_cci500(
                "tree-versal",
                include_str!("../../../../crates/arm-pmu-cli/tests/bench/versal.dts"),
            ),
            command: DEVICES,
            expected: &["CCI_500"],
        },
        // Debian's kernels lack the driver, so only the device can be seen.
        Case {
            board: board::with_tree(
                "tree-unknown",
                &["CCI_500"],
                include_str!("../../../../crates/arm-pmu-cli/tests/bench/bench-unknown.dts"),
            ),
            command: "cat /sys/bus/platform/devices/5f100000.pmu/modalias",
            expected: &["Cgeneric-uio"],
        },
        // Why the command writes a node for UIO where it does not know all interrupts. Kernels spell the first word of
        // the message in two ways.
        Case {
            board: board::with_seven_interrupts("tree-seven"),
            command: "ls /sys/bus/event_source/devices; dmesg | grep -i interrupts:",
            expected: &["number of interrupts: 7, should be 8"],
        },
    ]
}

/// # Errors
///
/// If the driver does not do what the text of the command promises.
pub fn test(guest: &Guest) -> Result<()> {
    let cases = cases();
    let commands: Vec<_> =
        cases.iter().map(|case| (&case.board, vec![case.command.to_owned()])).collect();
    let outputs = guest.run_all(&commands)?;
    let mut failed = 0;
    for (case, outputs) in cases.iter().zip(&outputs) {
        let text = outputs.first().map_or("", |output| output.text.as_str());
        for part in case.expected.iter().filter(|part| !text.contains(**part)) {
            errln!("{}: `{}` does not show {part}:\n{text}", case.board.name, case.command);
            failed += 1;
        }
    }
    if failed > 0 {
        bail!("{failed} claims about additions to device trees do not hold");
    }
    outln!("{} additions to device trees do what they say", cases.len());
    Ok(())
}
