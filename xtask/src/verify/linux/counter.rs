//! What the crate `arm-pmu-linux` and the command `arm-pmu stat` have to count and to refuse on the bench.
//!
//! `xtask/linux/guest` is the program that uses the crate in the guest.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::board::{Board, Pmu};
use super::stat;
use super::system::System;
use crate::verify::arm::{Toolchain, binary_for, skip};

/// The PMUs whose every selection is counted, the name of each in the program, and how many selections it has.
const EVERY: &[(&str, &str, u32)] = &[
    ("CCI_400", "cci400:r0", 121),
    ("CCI_400_r1", "cci400:r1", 159),
    ("CCI_500", "cci500", 282),
    ("CCI_550", "cci550", 289),
    ("smmuv3_pmcg_5f300", "tcu", 37),
    ("smmuv3_pmcg_5f320", "tbu", 18),
    ("smmuv3_pmcg_5f380", "mmu700:tcu@smmuv3_pmcg_5f380", 29),
    ("smmuv3_pmcg_5f3a0", "mmu700:tbu@smmuv3_pmcg_5f3a0", 31),
];

/// What a person reads of each refusal: the output of `linux-guest refused`.
const REFUSED: &str = include_str!("refused.txt");

/// An ordinary user, and a container without sysfs.
const WITHOUT_RIGHTS: &str = "\
    echo 2 > /proc/sys/kernel/perf_event_paranoid\n\
    linux-guest user cci400\n\
    linux-guest user core\n\
    echo 3 > /proc/sys/kernel/perf_event_paranoid\n\
    linux-guest user core\n\
    umount /sys\n\
    linux-guest one cci400\n\
    mount -t sysfs sysfs /sys\n";

/// What it prints.
const NOT_ALLOWED: &str = include_str!("not_allowed.txt");

/// How many system calls a reading of a group takes.
const COST: &str = "1 system call for the amounts of 5 counters\n1 for their counts\n";

/// Memory that nothing uses gets the identification of a CCI-400 r1p1, and `PMCR` with four counters.
const MEMORY: &str =
    "device 5fa00fe0=20 5fa00fe4=b4 5fa00fe8=6b 5fa00100=2000; linux-guest mem 5fa00000";

/// What it prints.
const MAPPED: &str = include_str!("mapped.txt");

/// The name of the program, and of its package.
const PROGRAM: &str = "linux-guest";

/// Builds the program, and the command `arm-pmu`, optimized or not. None if the tools for that are not there.
///
/// # Errors
///
/// If one does not build; in CI, if a tool is missing.
pub fn programs(root: &Path, system: &System, optimized: bool) -> Result<Vec<PathBuf>> {
    let toolchain = match Toolchain::linux(root, system.target, system.compiler) {
        Ok(toolchain) => toolchain,
        Err(missing) => {
            return skip("arm-pmu-linux on the bench", &missing).map(|()| Vec::new());
        }
    };
    // Flags for this program only, so that other programs for this system share the libraries.
    let arguments = ["--package", PROGRAM, "--bin", PROGRAM, "--", "-Ctarget-feature=+crt-static"];
    toolchain.cargo(root, "rustc", &arguments).run()?;
    let mut programs = vec![toolchain.program(root, "debug", PROGRAM)];
    programs.extend(binary_for(root, system.target, optimized)?);
    Ok(programs)
}

/// The commands for a board, and what they have to print.
pub fn checks(board: &Board) -> Vec<(String, String)> {
    // The board with two cores has the same PMUs as another.
    if board.cores > 1 {
        return Vec::new();
    }
    let mut checks = Vec::new();
    for (name, argument, selections) in EVERY {
        if let Some(pmu) = board.pmu(name) {
            // The PMUs of an MMU-600 are the same on all boards with a CCI.
            let elsewhere = ["smmuv3_pmcg_5f300", "smmuv3_pmcg_5f320"].contains(name);
            if !elsewhere || board.name == "cci550" {
                let command = format!("linux-guest every {argument}{}", counters(pmu));
                checks.push((command, format!("{selections} selections counted, 0 refused\n")));
            }
        }
    }
    if let Some(pmu) = board.pmu("CCI_400_r1") {
        let counters = counters(pmu);
        checks.push((format!("linux-guest runs{counters}"), "all as in firmware\n".to_owned()));
        checks.push((format!("linux-guest refused{counters}"), REFUSED.to_owned()));
        checks.push((WITHOUT_RIGHTS.to_owned(), NOT_ALLOWED.to_owned()));
        checks.push(("linux-guest cost".to_owned(), COST.to_owned()));
        checks.push((MEMORY.to_owned(), MAPPED.to_owned()));
    }
    checks.extend(stat::checks(board));
    checks
}

/// The counters for events, as the program takes them. That of the cycles of a CCI-400 is the first.
fn counters(pmu: &Pmu) -> String {
    let cycles = usize::from(pmu.name.starts_with("CCI_400"));
    let counters = pmu.counters.iter().skip(cycles);
    counters.map(|counter| format!(" {:x},{}", counter.select, counter.value_address())).collect()
}
