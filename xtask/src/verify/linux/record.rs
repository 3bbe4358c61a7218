//! Makes the recordings for the tests of `arm-pmu report`: the output of the real `perf` on the bench, and
//! the kernel's description of the PMUs in sysfs.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::board::{self, Board};
use super::guest::Guest;
use crate::output::outln;

/// Where the recordings are: in a folder for each version, as `6.1`.
const FOLDER: &str = "crates/arm-pmu-cli/tests/perf";

/// An output format of `perf`, and the suffix of its files.
#[derive(Clone, Copy)]
enum Format {
    Json,
    Csv,
    Text,
}

const ALL: &[Format] = &[Format::Json, Format::Csv, Format::Text];
const MACHINE_READABLE: &[Format] = &[Format::Json, Format::Csv];
const TEXT: &[Format] = &[Format::Text];

impl Format {
    fn option(self) -> &'static str {
        match self {
            Self::Json => " -j",
            Self::Csv => " -x,",
            Self::Text => "",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Text => "txt",
        }
    }
}

/// A run of `perf stat`, recorded in several formats.
struct Run {
    board: &'static str,
    name: &'static str,
    /// Purpose of the recording.
    why: &'static str,
    formats: &'static [Format],
    /// Arguments of `perf stat`, except the format.
    arguments: &'static str,
    /// The program that it measures: one of the guest.
    program: Program,
    status: u8,
}

enum Program {
    /// A command of the guest.
    Command(&'static str),
    /// The device of this PMU counts for this number of milliseconds: in each, a counter adds its event's lowest byte
    /// plus 1.
    Counts(&'static str, u32),
}

/// Two events and the cycles of a CCI-400, with names that `report` accepts.
const NAMED: &str = "-a -e '{CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,\
    CCI_400_r1/si_r_data_last_hs_snoop,source=3,name=S3:READ_DATA_SNOOP_HIT/,CCI_400_r1/cycles,name=CYCLES/}'";

/// The same by the kernel's names, which contain commas: no column of CSV is quoted.
const UNNAMED: &str = "-a -e '{CCI_400_r1/si_rrq_hs_any,source=3/,\
    CCI_400_r1/si_r_data_last_hs_snoop,source=3/,CCI_400_r1/cycles/}'";

/// Six events for four counters, each on its own, and the cycles.
const SIX: &str = "-a -e CCI_400_r1/si_rrq_hs_any,source=0,name=S0:READ_REQUEST_ANY/,\
    CCI_400_r1/si_rrq_hs_any,source=1,name=S1:READ_REQUEST_ANY/,\
    CCI_400_r1/si_rrq_hs_any,source=2,name=S2:READ_REQUEST_ANY/,\
    CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,\
    CCI_400_r1/si_rrq_hs_any,source=4,name=S4:READ_REQUEST_ANY/,\
    CCI_400_r1/si_wrq_hs_any,source=4,name=S4:WRITE_REQUEST_ANY/,CCI_400_r1/cycles,name=CYCLES/";

/// Five events in one group: it never runs.
const TOO_LARGE: &str = "-a -e '{CCI_400_r1/si_rrq_hs_any,source=0,name=S0:READ_REQUEST_ANY/,\
    CCI_400_r1/si_rrq_hs_any,source=1,name=S1:READ_REQUEST_ANY/,\
    CCI_400_r1/si_rrq_hs_any,source=2,name=S2:READ_REQUEST_ANY/,\
    CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,\
    CCI_400_r1/si_rrq_hs_any,source=4,name=S4:READ_REQUEST_ANY/}'";

const R1: &str = "CCI_400_r1";
/// Adds 1234, 56 and 987654 to the counters of the first two events and of the cycles.
const EXACT: Program = Program::Command("device 5f09a004+4d2 5f09b004+38 5f099004+f1206");
const SLEEP: Program = Program::Command("sleep 1");

const TWO_CORES: &str = "cci400-r1-two-cores";
/// Each 100 ms, adds to the counters of reads and of hits.
const BURSTS: Program = Program::Command(
    "sh -c 'device @50; for both in 20:4 60:10 90:30 d0:80 e0:c0 d8:a0 90:50 40:30 38:10 70:20 c0:60 f0:d0 e8:98 80:20; \
     do device 5f09a004+${both#*:}00 5f09b004+${both%:*}00 @100; done'",
);

/// Adds 1234 on the second core, and 56 more.
const ON_BOTH: Program =
    Program::Command("sh -c 'taskset 2 device 5f09a004+4d2; device 5f09a004+38'");

const RUNS: &[Run] = &[
    run("named", "counts that are known: 1234, 56 and 987654", ALL, NAMED, EXACT),
    run("unnamed", "the same, by the kernel's names, which contain commas", ALL, UNNAMED, EXACT),
    run("idle", "nothing counts: zeros", ALL, NAMED, SLEEP),
    Run {
        arguments: "-a -e CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/ \
            -e CCI_400_r1/si_r_data_last_hs_snoop,source=3,name=S3:READ_DATA_SNOOP_HIT/ \
            -e CCI_400_r1/cycles,name=CYCLES/",
        ..run("ungrouped", "three events, none in a group", MACHINE_READABLE, "", EXACT)
    },
    Run {
        arguments: "-I 100 -a -e '{CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,\
            CCI_400_r1/si_r_data_last_hs_snoop,source=3,name=S3:READ_DATA_SNOOP_HIT/,CCI_400_r1/cycles,name=CYCLES/}'",
        ..run("intervals", "a row each 100 ms", ALL, "", Program::Counts(R1, 1000))
    },
    Run {
        arguments: "-I 100 --summary -a -e CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,\
            CCI_400_r1/cycles,name=CYCLES/",
        ..run("intervals-summary", "the sum behind the rows", ALL, "", Program::Counts(R1, 300))
    },
    Run {
        arguments: "-I 100 -a -e CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/",
        ..run(
            "intervals-large",
            "rows of 1879048192: their sum is over 32 bits",
            MACHINE_READABLE,
            "",
            Program::Command(
                "device @50 5f09a004+70000000 @100 5f09a004+70000000 @100 5f09a004+70000000 @100",
            ),
        )
    },
    run("multiplexed", "six events on four counters, in turn", ALL, SIX, Program::Counts(R1, 200)),
    Run {
        arguments: "-I 100 -a -e CCI_400_r1/si_rrq_hs_any,source=0,name=S0:READ_REQUEST_ANY/,\
            CCI_400_r1/si_rrq_hs_any,source=1,name=S1:READ_REQUEST_ANY/,\
            CCI_400_r1/si_rrq_hs_any,source=2,name=S2:READ_REQUEST_ANY/,\
            CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,\
            CCI_400_r1/si_rrq_hs_any,source=4,name=S4:READ_REQUEST_ANY/,\
            CCI_400_r1/si_wrq_hs_any,source=4,name=S4:WRITE_REQUEST_ANY/,CCI_400_r1/cycles,name=CYCLES/",
        ..run(
            "intervals-multiplexed",
            "six events in turn, a row each 100 ms",
            ALL,
            "",
            Program::Counts(R1, 500),
        )
    },
    Run {
        arguments: "-I 1 -a -e CCI_400_r1/si_rrq_hs_any,source=0,name=S0:READ_REQUEST_ANY/,\
            CCI_400_r1/si_rrq_hs_any,source=1,name=S1:READ_REQUEST_ANY/,\
            CCI_400_r1/si_rrq_hs_any,source=2,name=S2:READ_REQUEST_ANY/,\
            CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,\
            CCI_400_r1/si_rrq_hs_any,source=4,name=S4:READ_REQUEST_ANY/",
        ..run("intervals-not-counted", "rows shorter than a turn", ALL, "", Program::Counts(R1, 12))
    },
    run("not-counted", "a group that does not fit", ALL, TOO_LARGE, SLEEP),
    Run {
        arguments: "-a -e '{cycles,CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/}'",
        ..run(
            "mixed-group",
            "a core's event and the interconnect's in one group; newer versions take it apart",
            ALL,
            "",
            SLEEP,
        )
    },
    Run {
        arguments: "-a -e cycles,instructions \
            -e '{CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,CCI_400_r1/cycles,name=CYCLES/}'",
        ..run("core", "core and interconnect; perf adds a metric of its own", ALL, "", EXACT)
    },
    Run {
        arguments: "-A -a -e CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/ -e cycles",
        ..run("per-core", "rows of each core (-A): another column", ALL, "", EXACT)
    },
    Run {
        board: TWO_CORES,
        arguments: "-A -a -e cycles,instructions -e CCI_400_r1/si_rrq_hs_any,source=3,name=cci400:r1.S3:READ_REQUEST_ANY/",
        ..run("each-core", "rows of each of two cores (-A)", ALL, "", ON_BOTH)
    },
    Run {
        board: TWO_CORES,
        arguments: "--per-core -a -e cycles,instructions \
            -e CCI_400_r1/si_rrq_hs_any,source=3,name=cci400:r1.S3:READ_REQUEST_ANY/",
        ..run(
            "per-core",
            "rows of each of two cores, with the number of their threads",
            ALL,
            "",
            ON_BOTH,
        )
    },
    Run {
        board: TWO_CORES,
        arguments: "--per-socket -a -e cycles,instructions \
            -e CCI_400_r1/si_rrq_hs_any,source=3,name=cci400:r1.S3:READ_REQUEST_ANY/",
        ..run("per-socket", "rows of each socket: one, of two cores", ALL, "", ON_BOTH)
    },
    Run {
        board: TWO_CORES,
        arguments: "--per-die -a -e cycles",
        ..run("per-die", "rows of each die", MACHINE_READABLE, "", ON_BOTH)
    },
    Run {
        board: TWO_CORES,
        arguments: "--per-node -a -e cycles",
        ..run("per-node", "rows of each node of memory", MACHINE_READABLE, "", ON_BOTH)
    },
    Run {
        board: TWO_CORES,
        arguments: "-I 100 -A -a -e cycles -e CCI_400_r1/si_rrq_hs_any,source=3,name=cci400:r1.S3:READ_REQUEST_ANY/",
        ..run(
            "each-core-intervals",
            "rows of each of two cores, each 100 ms",
            ALL,
            "",
            Program::Counts(R1, 500),
        )
    },
    Run {
        board: TWO_CORES,
        arguments: "-I 100 -a -e '{CCI_400_r1/si_r_data_last_hs_snoop,source=3,name=cci400:r1.S3:READ_DATA_SNOOP_HIT/,\
            CCI_400_r1/si_rrq_hs_inner_or_outershareable,source=3,name=cci400:r1.S3:READ_REQUEST_SHAREABLE/}'",
        ..run(
            "bursts",
            "reads in bursts, for the picture in the README",
            MACHINE_READABLE,
            "",
            BURSTS,
        )
    },
    Run {
        arguments: "-r 3 -a -e CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/ -e cycles",
        ..run("repeated", "three runs (-r 3): mean and spread", ALL, "", EXACT)
    },
    Run {
        arguments: "-o /tmp/counts -a -e CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/",
        ..run(
            "to-file",
            "with -o, perf writes a line in front",
            ALL,
            "",
            Program::Command("device 5f09a004+4d2; cat /tmp/counts"),
        )
    },
    Run {
        arguments: "-a -e CCI_400_r1/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/",
        ..run(
            "overflow",
            "the counter wraps, an interrupt tells: 2147483653",
            MACHINE_READABLE,
            "",
            Program::Command("device 5f09a004=5 5f09a00c=1 800021c=200 @5 5f09a00c=0"),
        )
    },
    Run {
        status: 129,
        arguments: "-a -e CCI_400_r1/si_rrq_hs_nothing,source=3/",
        ..run("unknown-event", "refused", TEXT, "", SLEEP)
    },
    Run {
        status: 129,
        arguments: "-a -e CCI_600/cycles/",
        ..run("unknown-pmu", "refused", TEXT, "", SLEEP)
    },
    Run {
        board: "cci400-r0",
        arguments: "-a -e '{CCI_400/si_rrq_hs_any,source=3,name=S3:READ_REQUEST_ANY/,\
            CCI_400/mi_retry_speculative_fetch,source=5,name=M0:SPECULATIVE_FETCH_RETRY/,CCI_400/cycles,name=CYCLES/}'",
        ..run("named", "r0", MACHINE_READABLE, "", Program::Counts("CCI_400", 100))
    },
    Run {
        board: "cci500",
        arguments: "-a -e '{CCI_500/si_rrq_hs_rlast_snoop,source=3,name=SI3:READ_DATA_SNOOP_HIT/,\
            CCI_500/cci_wrq,name=GENERATED_WRITE/}'",
        ..run("named", "a CCI-500", MACHINE_READABLE, "", Program::Counts("CCI_500", 100))
    },
    Run {
        board: "cci550",
        arguments: "-I 100 -a -e '{CCI_550/si_rrq_hs_rlast_snoop,source=3,name=SI3:READ_DATA_SNOOP_HIT/,\
            CCI_550/mi_r_data_beat_any,source=14,name=MI6:READ_DATA_BEAT/}'",
        ..run("intervals", "a CCI-550", MACHINE_READABLE, "", Program::Counts("CCI_550", 500))
    },
    Run {
        board: "cci550",
        arguments: "-a -e '{smmuv3_pmcg_5f300/transaction,filter_enable=1,filter_stream_id=0x42,name=tcu:TRANSACTION/,\
            smmuv3_pmcg_5f300/event=0x90,filter_enable=1,filter_stream_id=0x42,name=tcu:WALK_CACHE_READ/}'",
        ..run(
            "filtered",
            "a TCU of an MMU-600, one StreamID",
            ALL,
            "",
            Program::Counts("smmuv3_pmcg_5f300", 100),
        )
    },
    Run {
        board: "cci550",
        arguments: "-a -e '{smmuv3_pmcg_5f300/event=1,filter_enable=1,filter_stream_id=1,name=one/,\
            smmuv3_pmcg_5f300/event=2,filter_enable=1,filter_stream_id=2,name=two/}'",
        ..run("two-filters", "two StreamIDs where there is one filter", ALL, "", SLEEP)
    },
    Run {
        board: "cci550",
        arguments: "-a -e smmuv3_pmcg_5f320/transaction,name=tbu:TRANSACTION/,smmuv3_pmcg_5f320/event=3,name=tbu:0x03/",
        ..run(
            "not-supported",
            "the second event is none of a TBU",
            ALL,
            "",
            Program::Command("device 5f330000+4d2"),
        )
    },
    Run {
        board: "cci550",
        arguments: "-a -e smmuv3_pmcg_5f340/transaction,name=TRANSACTION/",
        ..run(
            "wide",
            "a count of 81985529216486895, more than a double holds: perf rounds it",
            ALL,
            "",
            Program::Command("device x5f340000+123456789abcdef"),
        )
    },
];

/// A run on a CCI-400 that `perf` ends well.
const fn run(
    name: &'static str,
    why: &'static str,
    formats: &'static [Format],
    arguments: &'static str,
    program: Program,
) -> Run {
    Run { board: "cci400-r1", name, why, formats, arguments, program, status: 0 }
}

/// The core's PMU. All boards have the same one.
const CORE: &str = "armv8_cortex_a53";

/// Reads the files of a PMU in sysfs: each becomes a line `path: content`.
const SYSFS: &str = "cd /sys/bus/event_source/devices/PMU && for file in type cpumask identifier \
    perf_event_mux_interval_ms format/* events/* caps/*; do \
    if [ -f $file ]; then echo \"$file: $(cat $file)\"; fi; done";

/// A file of the recordings.
struct Recording {
    path: String,
    command: String,
    status: u8,
}

/// Makes all recordings again, or one board's, and their README.
///
/// # Errors
///
/// If there is no such board, if a guest does not come to its end, or a command ends in another way than it should.
pub fn record(root: &Path, guest: &Guest, only: Option<&str>) -> Result<()> {
    let boards = board::all();
    if let Some(name) = only {
        board::find(&boards, name)?;
    }
    let version = guest.run(&boards[0], &["perf --version".to_owned()])?.remove(0).text;
    let folder = root.join(FOLDER).join(series(&version)?);
    let recordings =
        boards.iter().map(|board| recordings(&boards, board)).collect::<Result<Vec<_>>>()?;
    let commands = recordings.iter().map(|recordings| {
        recordings.iter().map(|recording| recording.command.clone()).collect::<Vec<_>>()
    });
    let is_wanted = |board: &Board| only.is_none_or(|name| name == board.name);
    let wanted = boards.iter().zip(commands).filter(|(board, _)| is_wanted(board));
    let outputs = guest.run_all(&wanted.collect::<Vec<_>>())?;
    let wanted = boards.iter().zip(&recordings).filter(|(board, _)| is_wanted(board));
    for ((board, recordings), outputs) in wanted.zip(&outputs) {
        let own = folder.join(board.name);
        if own.is_dir() {
            fs::remove_dir_all(&own)?;
        }
        fs::create_dir_all(&own)?;
        for (recording, output) in recordings.iter().zip(outputs) {
            let Recording { path, command, status } = recording;
            if output.status != *status {
                bail!("`{command}` ended with {}, not {status}:\n{}", output.status, output.text);
            }
            if output.text.is_empty() {
                bail!("`{command}` printed nothing");
            }
            fs::write(folder.join(path), &output.text)?;
        }
        outln!("{}: {} recordings", board.name, recordings.len());
    }
    fs::write(folder.join("README.md"), readme(guest, version.trim(), &boards)?)?;
    outln!("written to {}", folder.display());
    Ok(())
}

/// The first two numbers of `perf version 6.12.95`.
fn series(version: &str) -> Result<String> {
    let numbers = version.trim().strip_prefix("perf version ").unwrap_or_default();
    let series: Vec<_> = numbers.split('.').take(2).collect();
    if series.len() < 2 {
        bail!("{version:?} is no version of perf");
    }
    Ok(series.join("."))
}

/// The recordings of a board: its PMUs first, each once over all boards, then the runs.
fn recordings(boards: &[Board], board: &Board) -> Result<Vec<Recording>> {
    let first = |pmu: &str| boards.iter().find(|board| board.has(pmu)).map(|first| first.name);
    let core = [CORE].into_iter().filter(|_| board.name == boards[0].name);
    let own = board.pmus.iter().map(|pmu| pmu.name).filter(|pmu| first(pmu) == Some(board.name));
    let mut recordings: Vec<_> = own
        .chain(core)
        .map(|pmu| Recording {
            path: format!("{}/sysfs-{pmu}.txt", board.name),
            command: SYSFS.replace("PMU", pmu),
            status: 0,
        })
        .collect();
    for run in RUNS.iter().filter(|run| run.board == board.name) {
        let program = run.program(board)?;
        for format in run.formats {
            recordings.push(Recording {
                path: format!("{}/{}.{}", board.name, run.name, format.extension()),
                command: format!("perf stat{} {} -- {program}", format.option(), run.arguments),
                status: run.status,
            });
        }
    }
    Ok(recordings)
}

impl Run {
    /// The program that it measures, as a command.
    fn program(&self, board: &Board) -> Result<String> {
        Ok(match &self.program {
            Program::Command(command) => (*command).to_owned(),
            Program::Counts(pmu, milliseconds) => {
                let pmu = board.pmu(pmu).with_context(|| format!("no {pmu} on {}", board.name))?;
                let played: Vec<_> = pmu.counters.iter().map(|counter| counter.played()).collect();
                format!("device ~{milliseconds}{}", played.concat())
            }
        })
    }
}

fn readme(guest: &Guest, version: &str, boards: &[Board]) -> Result<String> {
    let mut text = format!(
        "# What `perf stat` prints\n\
         \n\
         Recordings of Debian's `perf` in a guest whose PMUs are memory. `cargo xtask linux record` makes them, and this\n\
         page, again; with the same versions it makes the same files. Spaces at the ends of lines are left out.\n\
         \n\
         | what | version |\n|---|---|\n\
         | kernel | {} |\n| tool | {version} |\n| emulator | {} |\n\
         \n\
         The folder names the board: the CCI that it has beside three PMCGs of SMMUs and a Cortex-A53. Each recording was\n\
         made in three formats, or in some of them: `.json` with the option `-j`, `.csv` with `-x,`, `.txt` with neither.\n\
         `device ADDRESS+VALUE` adds to a counter; `device ~MS:SELECT,ENABLE,COUNT` counts for so many milliseconds:\n\
         `xtask/linux/device.c`.\n\
         \n\
         | file | recorded for | command, without the format |\n|---|---|---|\n\
         | `*/sysfs-PMU.txt` | what the kernel says of the PMU | `{SYSFS}` |\n",
        guest.versions.kernel, guest.versions.qemu
    );
    for board in boards {
        for run in RUNS.iter().filter(|run| run.board == board.name) {
            let formats: Vec<_> = run.formats.iter().map(|format| format.extension()).collect();
            let refused = match run.status {
                0 => String::new(),
                status => format!("; ends with status {status}"),
            };
            writeln!(
                text,
                "| `{}/{}`: {} | {}{refused} | `perf stat {} -- {}` |",
                board.name,
                run.name,
                formats.join(", "),
                run.why,
                run.arguments,
                run.program(board)?
            )?;
        }
    }
    Ok(text)
}
