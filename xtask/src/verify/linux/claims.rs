//! Claims about Linux: the registers written for a selection, the counts returned, and the selections rejected.
//! Register values come from the tables of manuals, not from the specs.

use anyhow::{Context, Result, bail};

use super::board::{self, Board};
use super::counter;
use super::guest::{Guest, Output};
use super::open::{self, ADDED, Opened, STEPS};
use crate::output::{errln, outln};

/// A command line that `perf` has to accept, with the register values and the counter of each named event.
struct Accepted {
    /// For `perf`; or one of the command `arm-pmu perf`, which stands for what that prints.
    line: &'static str,
    /// PMU, register and value.
    registers: &'static [(&'static str, &'static str, u64)],
    /// Names of events, and the numbers of their counters.
    counters: &'static [(&'static str, u64)],
}

/// What `arm-pmu perf` prints. A test of the command holds it against this file.
const COMMANDS: &str = include_str!("../../../../crates/arm-pmu-cli/tests/perf/commands.txt");

const ACCEPTED: &[Accepted] = &[
    // r0: the master interfaces have codes from 0x14 up.
    Accepted {
        line: "arm-pmu perf cci400:r0 S3:READ_REQUEST_ANY M0:SPECULATIVE_FETCH_RETRY cycles",
        registers: &[
            ("CCI_400", "EVENT_SELECT[0]", 0x60),
            ("CCI_400", "EVENT_SELECT[1]", 0xB4),
            ("CCI_400", "COUNT_CONTROL[0]", 1),
            ("CCI_400", "COUNT_CONTROL[1]", 1),
            ("CCI_400", "CYCLE_COUNT_CONTROL", 1),
            ("CCI_400", "PMCR", 0x2001),
        ],
        counters: &[
            ("cci400:r0.S3:READ_REQUEST_ANY", 1),
            ("cci400:r0.M0:SPECULATIVE_FETCH_RETRY", 2),
            ("cci400:r0.CYCLES", 0),
        ],
    },
    // r1: the same event is 0x00 there.
    Accepted {
        line: "arm-pmu perf cci400 S3:READ_REQUEST_ANY M0:SPECULATIVE_FETCH_RETRY S4:READ_DATA_SNOOP_HIT cycles",
        registers: &[
            ("CCI_400_r1", "EVENT_SELECT[0]", 0x60),
            ("CCI_400_r1", "EVENT_SELECT[1]", 0xA0),
            ("CCI_400_r1", "EVENT_SELECT[2]", 0x8A),
            ("CCI_400_r1", "COUNT_CONTROL[0]", 1),
            ("CCI_400_r1", "COUNT_CONTROL[2]", 1),
            ("CCI_400_r1", "CYCLE_COUNT_CONTROL", 1),
            ("CCI_400_r1", "PMCR", 0x2001),
        ],
        counters: &[
            ("cci400:r1.S3:READ_REQUEST_ANY", 1),
            ("cci400:r1.M0:SPECULATIVE_FETCH_RETRY", 2),
            ("cci400:r1.S4:READ_DATA_SNOOP_HIT", 3),
            ("cci400:r1.CYCLES", 0),
        ],
    },
    // The events of two metrics.
    Accepted {
        line: "arm-pmu perf cci400 --metric SNOOP_HIT_RATE:S3 --metric READ_REQUESTS_PER_CYCLE:S3",
        registers: &[
            ("CCI_400_r1", "EVENT_SELECT[0]", 0x6A),
            ("CCI_400_r1", "EVENT_SELECT[1]", 0x63),
            ("CCI_400_r1", "EVENT_SELECT[2]", 0x60),
            ("CCI_400_r1", "CYCLE_COUNT_CONTROL", 1),
        ],
        counters: &[
            ("cci400:r1.S3:READ_DATA_SNOOP_HIT", 1),
            ("cci400:r1.S3:READ_REQUEST_SHAREABLE", 2),
            ("cci400:r1.S3:READ_REQUEST_ANY", 3),
            ("cci400:r1.CYCLES", 0),
        ],
    },
    Accepted {
        line: "arm-pmu perf cci500 SI3:READ_DATA_SNOOP_HIT SNOOP_FILTER_MISS_BANK_0_OR_1",
        registers: &[
            ("CCI_500", "EVENT_SELECT[0]", 0x69),
            ("CCI_500", "EVENT_SELECT[1]", 0x1E4),
            ("CCI_500", "COUNT_CONTROL[1]", 1),
            ("CCI_500", "PMCR", 0x4001),
        ],
        counters: &[
            ("cci500.SI3:READ_DATA_SNOOP_HIT", 0),
            ("cci500.Global:SNOOP_FILTER_MISS_BANK_0_OR_1", 1),
        ],
    },
    // The seventh master interface, which a CCI-500 does not have: 14.
    Accepted {
        line: "arm-pmu perf cci550 SI3:READ_DATA_SNOOP_HIT MI6:READ_DATA_BEAT SI2:WRITE_DATA_BEAT",
        registers: &[
            ("CCI_550", "EVENT_SELECT[0]", 0x69),
            ("CCI_550", "EVENT_SELECT[1]", 0x1C0),
            ("CCI_550", "EVENT_SELECT[2]", 0x52),
            ("CCI_550", "COUNT_CONTROL[0]", 1),
            ("CCI_550", "PMCR", 0x4001),
        ],
        counters: &[
            ("cci550.SI3:READ_DATA_SNOOP_HIT", 0),
            ("cci550.MI6:READ_DATA_BEAT", 1),
            ("cci550.SI2:WRITE_DATA_BEAT", 2),
        ],
    },
    // Without a filter, the span is of all StreamIDs. CNTENSET sets bits, and the memory here has the last written
    // word: the one for the last counter.
    Accepted {
        line: "arm-pmu perf mmu600:tcu TLB_MISS --pmu smmuv3_pmcg_5f300",
        registers: &[
            ("smmuv3_pmcg_5f300", "EVTYPER[0]", 0x2000_0002),
            ("smmuv3_pmcg_5f300", "SMR0", 0xFFFF_FFFF),
            ("smmuv3_pmcg_5f300", "CNTENSET", 0b01),
            ("smmuv3_pmcg_5f300", "CR", 1),
        ],
        counters: &[("mmu600:tcu.smmuv3_pmcg_5f300.TLB_MISS", 0)],
    },
    // Where all counters have one filter, the first one holds it.
    Accepted {
        line: "arm-pmu perf mmu600:tcu TLB_MISS WALK_CACHE_READ --pmu smmuv3_pmcg_5f300",
        registers: &[
            ("smmuv3_pmcg_5f300", "EVTYPER[0]", 0x2000_0002),
            ("smmuv3_pmcg_5f300", "EVTYPER[1]", 0x0000_0090),
            ("smmuv3_pmcg_5f300", "CNTENSET", 0b10),
        ],
        counters: &[
            ("mmu600:tcu.smmuv3_pmcg_5f300.TLB_MISS", 0),
            ("mmu600:tcu.smmuv3_pmcg_5f300.WALK_CACHE_READ", 1),
        ],
    },
    // One StreamID, on a TBU.
    Accepted {
        line: "arm-pmu perf mmu600:tbu TRANSACTION MAIN_TLB_LOOKUP --pmu smmuv3_pmcg_5f320 --stream 0x42",
        registers: &[
            ("smmuv3_pmcg_5f320", "EVTYPER[0]", 0x0000_0001),
            ("smmuv3_pmcg_5f320", "EVTYPER[1]", 0x0000_0080),
            ("smmuv3_pmcg_5f320", "SMR0", 0x42),
            ("smmuv3_pmcg_5f320", "CNTENSET", 0b10),
        ],
        counters: &[
            ("mmu600:tbu.smmuv3_pmcg_5f320.TRANSACTION", 0),
            ("mmu600:tbu.smmuv3_pmcg_5f320.MAIN_TLB_LOOKUP", 1),
        ],
    },
    // Eight StreamIDs: bits 2 to 0 are not compared.
    Accepted {
        line: "arm-pmu perf mmu600:tbu TRANSACTION --pmu smmuv3_pmcg_5f320 --stream 0x40..0x48",
        registers: &[
            ("smmuv3_pmcg_5f320", "EVTYPER[0]", 0x2000_0001),
            ("smmuv3_pmcg_5f320", "SMR0", 0x43),
            ("smmuv3_pmcg_5f320", "CNTENSET", 0b01),
        ],
        counters: &[("mmu600:tbu.smmuv3_pmcg_5f320.TRANSACTION", 0)],
    },
    // Two PMUs, each in its own group. Without a filter, the span is of all StreamIDs.
    Accepted {
        line: "perf stat -a -e '{CCI_550/event=0x12,source=2,name=SI2:WRITE_DATA_BEAT/}' \
               -e '{smmuv3_pmcg_5f300/tlb_miss,name=tcu:TLB_MISS/,\
               smmuv3_pmcg_5f300/event=0x90,name=tcu:WALK_CACHE_READ/}' -- sleep 10",
        registers: &[
            ("CCI_550", "EVENT_SELECT[0]", 0x52),
            ("smmuv3_pmcg_5f300", "EVTYPER[0]", 0x2000_0002),
            ("smmuv3_pmcg_5f300", "SMR0", 0xFFFF_FFFF),
            ("smmuv3_pmcg_5f300", "CR", 1),
            ("smmuv3_pmcg_5f300", "IRQ_CTRL", 1),
        ],
        counters: &[("SI2:WRITE_DATA_BEAT", 0), ("tcu:TLB_MISS", 0), ("tcu:WALK_CACHE_READ", 1)],
    },
    // Filters of their own, one of them a span of two StreamIDs; values of 64 bits.
    Accepted {
        line: "perf stat -a -e '{smmuv3_pmcg_5f340/transaction,filter_enable=1,filter_stream_id=0x42,name=one/,\
               smmuv3_pmcg_5f340/tlb_miss,filter_enable=1,filter_span=1,filter_stream_id=0x46,name=two/}'",
        registers: &[
            ("smmuv3_pmcg_5f340", "EVTYPER[0]", 0x0000_0001),
            ("smmuv3_pmcg_5f340", "SMR0", 0x42),
            ("smmuv3_pmcg_5f340", "EVTYPER[1]", 0x2000_0002),
            ("smmuv3_pmcg_5f340", "SMR1", 0x46),
        ],
        counters: &[("one", 0), ("two", 1)],
    },
];

/// Command lines that `perf` has to reject, and possible reasons: it has to print one of them.
const REFUSED: &[(&str, &[&str])] = &[
    ("perf stat -a -e CCI_400_r1/si_rrq_hs_nothing,source=3/", &["'si_rrq_hs_nothing'"]),
    ("perf stat -a -e CCI_500_r7/cycles/ -e CCI_500/event=0,source=3/", &["CCI_500_r7"]),
    // A master event of r1, on r0.
    ("perf stat -a -e CCI_400/event=0x00,source=5/", NO_SUCH_CCI_EVENT),
    // The seventh master interface, on a CCI-500.
    ("perf stat -a -e CCI_500/mi_r_data_beat_any,source=14/", NO_SUCH_CCI_EVENT),
    // Five events, four counters: opens, but never runs.
    (
        "perf stat -a -e '{CCI_400_r1/event=0,source=0/,CCI_400_r1/event=0,source=1/,\
         CCI_400_r1/event=0,source=2/,CCI_400_r1/event=0,source=3/,CCI_400_r1/event=0,source=4/}'",
        &["<not counted>"],
    ),
    // Two filters, on an MMU-600 that has one.
    (
        "perf stat -a -e '{smmuv3_pmcg_5f300/event=1,filter_enable=1,filter_stream_id=1/,\
         smmuv3_pmcg_5f300/event=2,filter_enable=1,filter_stream_id=2/}'",
        &["<not supported>"],
    ),
    // CEID0 of a TBU does not have it.
    ("perf stat -a -e smmuv3_pmcg_5f320/event=3/", &["<not supported>"]),
];

/// The result of an event that the driver of a CCI does not know. Linux 6.12.95 (not 6.1.192) reads through a null
/// pointer then, in `hw_perf_event_destroy`, and kills `perf`.
const NO_SUCH_CCI_EVENT: &[&str] = &["<not supported>", "Internal error: Oops"];

/// Commands of the guest and their expected output: a board, a command, a part of the output.
const PRINTED: &[(&str, &str, &str)] = &[
    // Counter 0 overflows: value, flag, and its interrupt (201, set pending at the distributor).
    (
        "cci400-r1",
        "perf stat -x, -a -e CCI_400_r1/event=0,source=3,name=wrapped/ \
         -- device 5f09a004=5 5f09a00c=1 800021c=200 @5 5f09a00c",
        // The flag is memory, so it is still up.
        "5f09a00c=1\n2147483653,,wrapped,",
    ),
    // The same on the PMU of an SMMU: counter 0 in page 1, its flag and interrupt 214. The driver clears the flag by
    // writing its bit to OVSCLR0.
    (
        "cci550",
        "perf stat -x, -a -e smmuv3_pmcg_5f300/event=1,name=wrapped/ \
         -- device 5f310000=5 5f310cc0=1 800021c=400000 @5 5f310c80",
        "5f310c80=1\n2147483654,,wrapped,",
    ),
    // What the kernel itself answers. The crate and the command turn each of these into a sentence, or do not ask.
    ("cci400-r1", "refusals CCI_400_r1 0x60", include_str!("refusals_cci.txt")),
    ("cci400-r1", "refusals smmuv3_pmcg_5f300 1 all", include_str!("refusals_smmu.txt")),
    ("cci400-r1", "refusals armv8_cortex_a53 0x11 all", include_str!("refusals_core.txt")),
    (
        "cci400-r0",
        "cat /sys/bus/event_source/devices/CCI_400/events/mi_retry_speculative_fetch",
        "event=0x14",
    ),
    ("cci500", "cat /sys/bus/event_source/devices/CCI_500/format/source", "config:5-8\n"),
    // Product, revision and designer of an MMU-600 r2p2: TCU and TBU.
    ("cci550", "cat /sys/bus/event_source/devices/smmuv3_pmcg_5f300/identifier", "0x4832243b\n"),
    ("cci550", "cat /sys/bus/event_source/devices/smmuv3_pmcg_5f320/identifier", "0x4842243b\n"),
    (
        "cci550",
        "perf stat -x, -a -e smmuv3_pmcg_5f340/event=1,name=wide/ -- device x5f340000+123456789ab",
        "1250999896491,,wide,",
    ),
    // The recipe for devmem, as it is stored.
    (
        "cci550",
        concat!(
            "cat > /tmp/recipe <<'END'\n",
            include_str!("../../../../crates/arm-pmu-cli/tests/recipes/mmu600-tbu.sh"),
            "END\n\
             sh /tmp/recipe start && device 5f330000+5 && sh /tmp/recipe read && device 5f330000+2 && \
             sh /tmp/recipe stop && { sh /tmp/recipe stop >/tmp/again 2>&1; echo status $?; }",
        ),
        "         5  TRANSACTION\n         7  TRANSACTION\nstatus 1\n",
    ),
];

/// Checks all claims on the bench, with one boot for each board.
///
/// # Errors
///
/// If a claim does not hold. All are checked first.
pub fn test(guest: &Guest) -> Result<()> {
    let boards = board::all();
    let mut accepted = Vec::new();
    for claim in ACCEPTED {
        accepted.push((printed_by_the_command(claim.line)?, Check::Accepted(claim)));
    }
    let refused = REFUSED.iter().map(|(line, why)| (*line, Check::Refused(why)));
    let mut lines = Vec::new();
    for (line, check) in accepted.into_iter().chain(refused) {
        lines.push((open::place(&boards, line)?, line, check));
    }
    let counted = |board| match guest.counts_with_the_crate {
        true => counter::checks(board),
        false => Vec::new(),
    };
    let of_board = |number: usize| lines.iter().filter(move |(place, ..)| *place == number);
    let printed = |name: &'static str| PRINTED.iter().filter(move |(board, ..)| *board == name);
    let mut boots = Vec::new();
    for (number, board) in boards.iter().enumerate() {
        let opened = of_board(number).flat_map(|(_, line, _)| open::commands(board, line));
        let others = printed(board.name).map(|(_, command, _)| (*command).to_owned());
        let counted = counted(board).into_iter().map(|(command, _)| command);
        let commands: Vec<_> = opened.chain(others).chain(counted).collect();
        if !commands.is_empty() {
            boots.push((number, board, commands));
        }
    }
    let commands: Vec<_> =
        boots.iter().map(|(_, board, commands)| (*board, commands.clone())).collect();
    let outputs = guest.run_all(&commands)?;

    let mut checked = 0;
    let mut failed = Vec::new();
    for ((number, board, _), outputs) in boots.iter().zip(&outputs) {
        let mut outputs = outputs.as_slice();
        for (_, line, check) in of_board(*number) {
            let (steps, others) = outputs.split_at(STEPS);
            outputs = others;
            report(board, line, &check.problems(&open::result(board, line, steps)?), &mut failed);
            checked += 1;
        }
        let (first, last) = outputs.split_at(printed(board.name).count());
        for ((_, command, part), output) in printed(board.name).zip(first) {
            report(board, command, &missing(part, output), &mut failed);
            checked += 1;
        }
        for ((command, expected), output) in counted(board).iter().zip(last) {
            report(board, command, &different(expected, output), &mut failed);
            checked += 1;
        }
    }
    if !failed.is_empty() {
        bail!("{} of {checked} claims about Linux do not hold", failed.len());
    }
    outln!("{checked} claims hold on kernel {}, {}", guest.versions.kernel, guest.versions.qemu);
    Ok(())
}

/// The command line for `perf`, if this one is not.
fn printed_by_the_command(line: &'static str) -> Result<&'static str> {
    if line.starts_with("perf ") {
        return Ok(line);
    }
    let prompt = format!("$ {line}\n");
    let printed = COMMANDS.split_once(&prompt).and_then(|(_, rest)| rest.lines().next());
    printed.with_context(|| format!("the recorded commands have no `{line}`"))
}

fn report(board: &Board, what: &str, problems: &[String], failed: &mut Vec<String>) {
    if problems.is_empty() {
        outln!("{}: {what}", board.name);
    } else {
        errln!("{}: {what}\n    {}", board.name, problems.join("\n    "));
        failed.push(what.to_owned());
    }
}

fn different(expected: &str, output: &Output) -> Vec<String> {
    if output.text == expected {
        return Vec::new();
    }
    vec![format!("it printed, with status {}:\n{}", output.status, output.text)]
}

fn missing(part: &str, output: &Output) -> Vec<String> {
    if output.text.contains(part) {
        return Vec::new();
    }
    vec![format!("{part:?} is not in {:?}", output.text)]
}

enum Check {
    Accepted(&'static Accepted),
    Refused(&'static [&'static str]),
}

impl Check {
    fn problems(&self, opened: &Opened) -> Vec<String> {
        match self {
            Self::Accepted(claim) => claim.problems(opened),
            Self::Refused(why) => match &opened.refused {
                Some(reason) => {
                    let text = format!("{reason} {}", opened.messages);
                    if why.iter().any(|why| text.contains(why)) {
                        return Vec::new();
                    }
                    vec![format!("refused, but not for {why:?}: {text}")]
                }
                None => vec![format!("accepted: {:?}", opened.counts)],
            },
        }
    }
}

impl Accepted {
    fn problems(&self, opened: &Opened) -> Vec<String> {
        let mut problems = Vec::new();
        if let Some(reason) = &opened.refused {
            problems.push(format!("refused: {reason}\n{}", opened.messages));
        }
        for (pmu, register, value) in self.registers {
            let found = opened.registers.get(pmu).and_then(|registers| registers.get(*register));
            if found != Some(value) {
                problems.push(format!("{pmu} {register} is {found:x?}, not {value:#x}"));
            }
        }
        for (name, counter) in self.counters {
            let expected = ADDED + counter;
            let found = opened.counts.iter().find(|(found, _)| found == name);
            let count = found.and_then(|(_, count)| count.parse::<f64>().ok());
            if count != Some(expected as f64) {
                problems.push(format!("{name} counted {found:?}, not {expected}"));
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened() -> Opened {
        let claim = &ACCEPTED[0];
        let mut opened = Opened {
            line: claim.line.to_owned(),
            board: "cci400-r0",
            refused: None,
            registers: Default::default(),
            counts: vec![
                ("cci400:r0.S3:READ_REQUEST_ANY".to_owned(), "1001.000000".to_owned()),
                ("cci400:r0.M0:SPECULATIVE_FETCH_RETRY".to_owned(), "1002.000000".to_owned()),
                ("cci400:r0.CYCLES".to_owned(), "1000.000000".to_owned()),
            ],
            messages: String::new(),
        };
        for (pmu, register, value) in claim.registers {
            opened.registers.entry(pmu).or_default().insert((*register).to_owned(), *value);
        }
        opened
    }

    #[test]
    fn every_recorded_command_is_a_claim() {
        let lines = COMMANDS.lines().filter_map(|line| line.strip_prefix("$ "));
        for line in lines.clone() {
            assert!(ACCEPTED.iter().any(|claim| claim.line == line), "{line}");
        }
        for claim in ACCEPTED {
            assert!(printed_by_the_command(claim.line).expect("a line").starts_with("perf stat "));
        }
        assert!(lines.count() >= 9);
    }

    #[test]
    fn a_selection_as_claimed_has_no_problem() {
        assert_eq!(ACCEPTED[0].problems(&opened()), [""; 0]);
    }

    #[test]
    fn another_register_value_is_a_problem() {
        let mut other = opened();
        other.registers.entry("CCI_400").or_default().insert("EVENT_SELECT[0]".to_owned(), 0x61);
        assert_eq!(ACCEPTED[0].problems(&other), ["CCI_400 EVENT_SELECT[0] is Some(61), not 0x60"]);
    }

    #[test]
    fn a_count_of_another_counter_is_a_problem() {
        let mut other = opened();
        other.counts[0].1 = "1002.000000".to_owned();
        assert_eq!(ACCEPTED[0].problems(&other).len(), 1);
    }

    #[test]
    fn refused_and_accepted_openings_are_distinguished() {
        let mut refused = opened();
        refused.refused = Some("<not supported>".to_owned());
        assert_eq!(ACCEPTED[0].problems(&refused), ["refused: <not supported>\n"]);
        assert_eq!(Check::Refused(&["<not supported>"]).problems(&refused), [""; 0]);
        assert_eq!(Check::Refused(&["<not counted>"]).problems(&refused).len(), 1);
        assert_eq!(Check::Refused(&["<not supported>"]).problems(&opened()).len(), 1);
    }
}
