//! Compares the doctor's output for each dump with stored text.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use snapbox::{Data, assert_data_eq};

mod messages;
mod program;

/// Each dump, the PMU with its address, the exit status, and the cause that comes first with its weight.
const CASES: &[(&str, &str, i32, &str)] = &[
    ("devmem-niden-low", "cci400 --base 0xfd6e0000", 0, "NIDEN_LOW, decided"),
    ("devmem-idle", "cci400 --base 0xfd6e0000", 0, "EXPECTED_EVENT_NOT_COUNTED, decided"),
    ("devmem-one-dp", "cci400 --base 0xfd6e0000", 0, "NIDEN_LOW, possible, or an idle port"),
    ("devmem-niden-low", "cci400:r0 --base 0xfd6e0000", 0, "ANOTHER_REVISION, decided"),
    ("devmem-niden-low", "cci550 --base 0xfd6e0000", 0, "ANOTHER_PRODUCT, decided"),
    ("devmem-bus-error", "cci400 --base 0xfd6e0000", 0, "BUS_ERROR, decided"),
    ("devmem2", "cci400 --base 0xfd6e0000", 0, "ENABLE_LOST, probable"),
    ("u-boot", "cci400 --base 0xfd6e0000", 0, "NIDEN_LOW, possible"),
    ("openocd", "cci400 --base 0xfd6e0000", 0, "EXPECTED_EVENT_NOT_COUNTED, possible"),
    ("xsdb", "cci400 --base 0xfd6e0000", 0, "READS_AS_ZERO, decided"),
    ("gdb", "mmu600:tcu --base 0x16040000", 1, "No cause was found"),
    ("gdb", "mmu600:tbu --base 0x16040000", 0, "ANOTHER_PRODUCT, decided"),
    ("cci550", "cci550 --base 0xffb00000", 0, "SECURE_NOT_OBSERVED, probable"),
    ("cycles-off", "cci400 --base 0xfd6e0000", 0, "NIDEN_LOW, possible, or an idle port"),
    ("clock-off", "cci400 --base 0xfd6e0000", 0, "CLOCK_STANDS_STILL, decided"),
    (
        "dp-1-only",
        "cci400 --base 0xfd6e0000",
        0,
        "NIDEN_LOW, probable, or a clock that stands still",
    ),
    ("cci550-two-ports", "cci550 --base 0xffb00000", 0, "EXPECTED_EVENT_NOT_COUNTED, possible"),
    ("tbu-idle", "mmu600:tbu --base 0x16040000", 0, "EXPECTED_EVENT_NOT_COUNTED, possible"),
    ("tcu-wrong-unit", "mmu600:tcu --base 0x16040000", 0, "ANOTHER_PRODUCT, decided"),
    ("other-address", "cci400 --base 0xfd6e0000", 1, "is --base right?"),
    ("devmem2", "cci400", 2, "Give its address"),
    ("cut-off", "cci400 --base 0xfd6e0000", 2, "cut off behind the address"),
    ("only-bytes", "cci400 --base 0xfd6e0000", 2, "no words of 8 hexadecimal digits"),
    ("no-reading", "cci400 --base 0xfd6e0000", 2, "no reading of a register"),
    ("no-such-file", "cci400 --base 0xfd6e0000", 2, "cannot be read"),
    ("gdb", "arm1176", 2, "which no dump of memory shows"),
    ("devmem-niden-low", "zynqmp", 0, "NIDEN_LOW, decided"),
    ("perf-altra", "mmu600:tcu", 0, "PAGE_1_ELSEWHERE, probable"),
    // The kernel's name identifies the PMU.
    ("perf-altra", "--platform altra", 0, "PAGE_1_ELSEWHERE, probable"),
    // Output of real programs: U-Boot 2023.01 and GDB 13 of Debian, on QEMU.
    ("u-boot-2023", "cci400 --base 0x4fd00000", 0, "NIDEN_LOW, possible, or an idle port"),
    ("gdb-script", "cci400 --base 0x4fd00000", 0, "NIDEN_LOW, possible, or an idle port"),
    // As do the addresses of a dump.
    ("agilex5-tsn", "agilex5", 0, "ENABLE_LOST, probable"),
    ("other-address", "agilex5", 2, "name one: agilex5:tcu"),
    ("perf-two-pmcgs", "agilex5:tcu", 1, "smmuv3_pmcg_16002: events are counted"),
    ("perf-two-pmcgs", "agilex5", 2, "these are events of tcu and dma-tbu"),
    ("perf-altra", "agilex5:tcu", 1, "and none is of mmu600:tcu"),
    ("perf-large-count", "mmu600:tcu", 1, "so it is taken for a count"),
    ("perf-one-interval", "mmu600:tcu", 0, "PAGE_1_ELSEWHERE, possible, or a count of this size"),
    ("perf-cci400", "cci400", 0, "NIDEN_LOW, possible, or an idle port"),
    ("perf-cci400-busy", "cci400", 1, "so NIDEN is HIGH"),
    // Names that `arm-pmu perf` gives.
    ("perf-named", "cci400", 0, "NIDEN_LOW, possible, or an idle port"),
    ("perf-named", "zynqmp", 0, "NIDEN_LOW, possible, or an idle port"),
    ("perf-named-pmcg", "mmu600:tcu", 0, "PAGE_1_ELSEWHERE, probable"),
    ("tbu-off", TBU, 0, "ENABLE_LOST, probable"),
    ("tbu-counts", TBU, 1, "No cause was found"),
    ("tbu-clock-still", TBU, 0, "CLOCK_STANDS_STILL, possible"),
    ("tbu-filter", TBU, 0, "FILTER_PASSES_NOTHING, possible, or there was no such event"),
    ("tbu-filter-span", TBU, 0, "FILTER_PASSES_NOTHING, possible"),
    ("tbu-filter-passes", TBU, 0, "EXPECTED_EVENT_NOT_COUNTED, possible"),
    ("tbu-filter-not-taken", TBU, 0, "FILTER_NOT_TAKEN, decided"),
    ("tbu-no-such-event", TBU, 0, "EVENT_ABSENT, decided"),
    ("tbu-no-list", TBU, 0, "CLOCK_STANDS_STILL, possible"),
    ("tbu-secure-event", TBU, 0, "SECURE_NOT_OBSERVED, decided"),
    ("tbu-secure-streams", TBU, 0, "SECURE_OBSERVATION_UNKNOWN, possible"),
    ("tbu-no-counter", TBU, 1, "at 0x16052000"),
    ("tbu-shadow", TBU, 1, "SVR holds what the last capture copied"),
    ("tcu-page-0-counters", TCU, 0, "PAGE_1_ELSEWHERE, decided"),
    ("tcu-start-of-page-0", TCU, 1, "the counters are on page 1"),
    ("tcu-page-1-of-tbu", TCU, 0, "PAGE_1_ELSEWHERE, decided"),
    ("tcu-reserved-bits", TCU, 0, "PAGE_1_ELSEWHERE, decided"),
    ("tcu-write-lost", TCU, 0, "PAGE_1_ELSEWHERE, probable, or WRITES_IGNORED"),
    ("tcu-write-lost-alone", TCU, 0, "PAGE_1_ELSEWHERE, possible, or WRITES_IGNORED"),
    ("tcu-write-kept", TCU, 0, "EXPECTED_EVENT_NOT_COUNTED, possible"),
    ("perf-pmcg-no-event", "mmu600:tbu", 0, "FILTER_PASSES_NOTHING, possible"),
    ("perf-pmcg-busy", "mmu600:tbu", 1, "smmuv3_pmcg_5f320: events are counted"),
    ("perf-pmcg-idle", "mmu600:tbu", 0, "CLOCK_STANDS_STILL, possible"),
    ("perf-not-supported", "cci400", 1, "not counted for the whole system (-a)"),
    ("l2c310-nothing", L2C, 0, "NOTHING_COUNTED, possible"),
    ("l2c310-one-event", L2C, 0, "EXPECTED_EVENT_NOT_COUNTED, possible"),
    ("l2c310-counts", L2C, 1, "it is not zero"),
    ("l2c310-disabled", L2C, 0, "ENABLE_LOST, probable"),
    ("l2c310-no-event", L2C, 0, "ENABLE_LOST, probable"),
    ("l2c310-l220", L2C, 0, "ANOTHER_PRODUCT, decided"),
    ("l2c310-no-counter", L2C, 1, "no REG2_EV_COUNTER0"),
    // Digits are grouped as in the user's language.
    ("perf-german", "cci400", 0, "NIDEN_LOW, possible, or an idle port"),
    // The outputs for programs.
    ("perf-altra.csv", "mmu600:tcu", 0, "PAGE_1_ELSEWHERE, probable"),
    ("perf-damaged.json", "cci400", 0, "NIDEN_LOW, possible, or an idle port"),
    ("../perf/6.12/cci400-r1/idle.json", "cci400", 0, "CLOCK_STANDS_STILL, possible"),
    ("perf-altra", "cci400", 1, "and none is of cci400:r1"),
    ("perf-named", "cci400:r0", 0, "NIDEN_LOW, possible"),
    ("../perf/6.1/cci400-r1/unknown-pmu.txt", "cci400", 1, "`arm-pmu device-tree` prints what"),
    ("../perf/6.12/cci400-r1/unknown-pmu.txt", "cci400", 1, "`arm-pmu device-tree` prints what"),
    ("../perf/6.12/cci400-r1/unknown-event.txt", "zynqmp", 1, "but not the event"),
    ("devmem-not-allowed", "zynqmp", 2, "is an error of devmem"),
    ("perf-decimal-comma", "cci400", 2, "run perf with LC_ALL=C"),
    ("perf-cci400-no-clock", "cci400", 0, "CLOCK_STANDS_STILL, possible"),
    ("perf-cci400-no-cycles", "cci400", 0, "NIDEN_LOW, possible, or an idle port, or a clock"),
    ("perf-pmcg-zero", "mmu600:tbu", 0, "CLOCK_STANDS_STILL, possible, or EXPECTED_EVENT"),
    ("perf-pmcg-clock-alone", "mmu600:tbu", 0, "EXPECTED_EVENT_NOT_COUNTED, possible"),
    ("cci400-none-enabled", "cci400 --base 0xfd6e0000", 0, "ENABLE_LOST, probable"),
    ("cci400-no-counter", "cci400 --base 0xfd6e0000", 1, "no EVENT_COUNT of an enabled counter"),
    ("devmem-writes-ignored", "cci400 --base 0xfd6e0000", 0, "WRITES_IGNORED, probable"),
    (
        "devmem-write-changed",
        "cci400 --base 0xfd6e0000",
        0,
        "WRITES_IGNORED, possible, or INTERFERENCE: other software wrote it meanwhile",
    ),
    ("tbu-no-acknowledge", TBU, 0, "IRQ_NOT_ACKNOWLEDGED, possible"),
    ("cci400-no-pmcr", "cci400 --base 0xfd6e0000", 1, "PMCR is not in the dump"),
    ("cci550-no-pmcr", "cci550 --base 0xffb00000", 1, "PMCR is not in the dump"),
    ("cci550-none-enabled", "cci550 --base 0xffb00000", 0, "ENABLE_LOST, probable"),
    (
        "cci550-silent",
        "cci550 --base 0xffb00000",
        0,
        "NIDEN_LOW_OR_SILENCE, possible, or an idle port",
    ),
    ("devmem-bytes", "cci400 --base 0xfd6e0000", 0, "ENABLE_LOST, probable"),
    ("devmem2-cut-off", "cci400 --base 0xfd6e0000", 0, "ENABLE_LOST, probable"),
    ("tbu-none-enabled", TBU, 0, "ENABLE_LOST, probable"),
    ("tbu-filter-lost", TBU, 0, "FILTER_NOT_TAKEN, possible, or WRITES_IGNORED"),
    ("tbu-filter-unknown", TBU, 0, "FILTER_PASSES_NOTHING, possible"),
    ("tbu-stood-still", TBU, 1, "stands still between the readings"),
    ("tcu-or-tbu", TCU, 0, "PAGE_1_ELSEWHERE, probable, or ANOTHER_PRODUCT"),
    // Causes outside the device.
    ("../strangers/perf/wrapped.txt", "cortex-a53", 0, "RAN_ELSEWHERE, decided"),
    ("perf-few-percent", "cortex-a53", 0, "RAN_ELSEWHERE, probable"),
    (
        "perf-not-counted.csv",
        "cortex-a53",
        0,
        "RAN_ELSEWHERE, possible, or a group with more events than counters",
    ),
    ("perf-part-of-two", "cortex-a53", 1, "the program ran on CPUs of armv8_cortex_a72"),
    ("../strangers/perf/software-missing-too.txt", "cortex-a53", 0, "NOTHING_MEASURED, decided"),
    ("../strangers/perf/scaled.txt", "cortex-a53", 0, "SCALED, decided"),
    ("../strangers/perf/watchdog.txt", "cortex-a53", 0, "COUNTER_HELD, probable, or the program"),
    ("perf-mixed-group", "cci400", 0, "MIXED_GROUP, probable"),
    ("perf-turn-never-came", "cortex-a53", 1, "Its turn never came"),
    ("perf-counter-held", "cortex-a53", 0, "COUNTER_HELD, probable, or a group with more events"),
    ("../strangers/perf/pmcg-cycles-alone.csv", "mmu700:tbu", 1, "and no event was asked for"),
    ("../strangers/perf/pmcg-gated-clock.csv", "mmu700:tbu", 0, "CLOCK_GATED, possible"),
    ("../strangers/perf/pmcg-counts.txt", "mmu600:tcu", 1, "by 2 PMUs of this name"),
    ("perf-core-zeros.csv", "cortex-a53", 0, "EXPECTED_EVENT_NOT_COUNTED, possible"),
    ("perf-core-no-cycles.json", "arm1176", 0, "COUNTERS_STAND_STILL, possible"),
    ("perf-core-cycles-alone", "cortex-a53", 1, "and no event was asked for"),
    // The PMU is named in the text.
    ("../strangers/perf/pmcg-gated-clock.csv", "", 0, "an SMMUv3 PMCG: why counters read zero"),
    ("perf-few-percent", "", 0, "cortex-a72: why counters read zero"),
    ("perf-and-registers", "", 0, "which are not weighed: name the PMU"),
    ("perf-few-percent", "--json", 2, "is about cortex-a53 and cortex-a72"),
    ("perf-altra", "", 0, "PAGE_1_ELSEWHERE, probable"),
    (
        "../perf/6.12/cci400-r1/unknown-pmu.txt",
        "",
        2,
        "names no PMU that is known here: name an IP",
    ),
    ("no-reading", "", 2, "no reading of a register"),
];

const TBU: &str = "mmu600:tbu --base 0x16040000";
const L2C: &str = "l2c-310 --base 0xf8f02000";
const TCU: &str = "mmu600:tcu --base 0x16040000";

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn run(line: &str) -> (i32, String) {
    let output = program::command()
        .arg("doctor")
        .args(line.split(' '))
        .current_dir(place("dumps"))
        .output()
        .expect("a run");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a status"), text(output.stdout) + &text(output.stderr))
}

#[test]
fn each_dump_has_its_causes() {
    let mut all = String::new();
    let mut used = BTreeSet::new();
    for (dump, pmu, status, part) in CASES {
        let file = if dump.contains('.') { (*dump).to_owned() } else { format!("{dump}.txt") };
        let line = format!("{pmu} --from {file}");
        let line = line.trim();
        let (found, text) = run(line);
        // As lines are cut at 80 columns, words are compared.
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(found, *status, "{line}: {text}");
        assert!(words.contains(part), "{line}: {text}");
        assert!(!part.contains(", ") || words.contains(&format!("1. {part}")), "{line}: {text}");
        let _ = write!(all, "$ arm-pmu doctor {line}\n{text}\n");
        used.insert(file);
    }
    let all = with_facts_once(&all);
    assert_data_eq!(all, Data::read_from(&place("doctor.txt"), None).raw());
    for file in fs::read_dir(place("dumps")).expect("a folder") {
        let name = file.expect("a file").file_name().into_string().expect("a name");
        assert!(used.contains(&name), "{name} is used by no case");
    }
}

/// The outputs, with cause, source and fix of each finding only where it first appears. The evidence always differs.
fn with_facts_once(all: &str) -> String {
    const EVIDENCE: [&str; 3] = ["   Speaks ", "   To decide: ", "   Here: "];
    let (mut text, mut seen) = (String::new(), HashSet::new());
    let (mut finding, mut is_fact) = ("", false);
    for line in all.lines() {
        if line.starts_with(|first: char| first.is_ascii_digit()) {
            (finding, is_fact) = (line.split(',').next().unwrap_or_default(), true);
            finding = finding.split_once(". ").map_or(finding, |(_, name)| name);
        } else if !line.starts_with("   ") {
            finding = "";
        } else if !line.starts_with("    ") {
            is_fact = !EVIDENCE.iter().any(|label| line.starts_with(label));
        }
        let is_text = line.starts_with("   ") && !finding.is_empty();
        if is_text && is_fact && !seen.insert((finding, line)) {
            continue;
        }
        text += line;
        text.push('\n');
    }
    text
}

#[test]
fn niden_is_never_called_low_without_cycles_at_dp_1() {
    for dump in
        ["devmem-idle", "devmem-one-dp", "u-boot", "openocd", "perf-cci400", "perf-cci400-busy"]
    {
        let (_, text) = run(&format!("cci400 --base 0xfd6e0000 --from {dump}.txt"));
        assert!(
            !text.contains("NIDEN_LOW, decided") && !text.contains("NIDEN_LOW, probable"),
            "{text}"
        );
    }
}

/// A gated clock or a device without transactions is no fault.
#[test]
fn an_idle_smmu_is_not_accused() {
    for (dump, pmu) in [
        ("tbu-idle", TBU),
        ("tbu-clock-still", TBU),
        ("tbu-no-acknowledge", TBU),
        ("tbu-filter", TBU),
        ("tbu-filter-span", TBU),
        ("tcu-start-of-page-0", TCU),
        ("tcu-write-kept", TCU),
        ("perf-pmcg-idle", "mmu600:tbu"),
        ("perf-pmcg-no-event", "mmu600:tbu"),
    ] {
        let (_, text) = run(&format!("{pmu} --from {dump}.txt"));
        let is_sure = text.contains(", decided") || text.contains(", probable");
        assert!(!is_sure, "{dump}: {text}");
    }
}

/// The doctor reads the output of `perf` for people, as JSON and as CSV alike.
#[test]
fn each_output_of_perf_has_the_same_causes() {
    let (mut compared, mut are_known) = (0, 0);
    for version in ["6.1", "6.12"] {
        for (board, pmu) in [
            ("cci400-r0", "cci400:r0"),
            ("cci400-r1", "cci400"),
            ("cci500", "cci500"),
            ("cci550", "cci550"),
        ] {
            let folder = format!("../perf/{version}/{board}");
            for file in fs::read_dir(place("dumps").join(&folder)).expect("a folder") {
                let name = file.expect("a file").file_name().into_string().expect("a name");
                let Some(name) = name.strip_suffix(".json") else { continue };
                let heads = |kind: &str| {
                    let (status, text) = run(&format!("{pmu} --from {folder}/{name}.{kind}"));
                    let is_head = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
                    let heads = text.lines().filter(is_head).map(str::to_owned);
                    (status, heads.collect::<Vec<_>>())
                };
                let json = heads("json");
                are_known += usize::from(json.0 < 2);
                assert_eq!(json, heads("csv"), "{folder}/{name}");
                if place("dumps").join(&folder).join(format!("{name}.txt")).is_file() {
                    assert_eq!(json, heads("txt"), "{folder}/{name}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 45 && are_known >= 40, "{compared}, {are_known}");
}

#[test]
fn on_a_platform_the_switch_is_named() {
    let (_, text) = run("zynqmp --from devmem-niden-low.txt");
    for part in ["0xFD5E0040", "written by: secure", "boot loader: ", "no way: kernel: "] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn the_right_page_of_an_altra_is_named() {
    let (_, text) = run("mmu600:tcu --from perf-altra.txt");
    // Page 1 of a TCU is 0x22000 above its base; firmware announces 0x12000.
    assert!(text.contains("0x33FFE0022000") && text.contains("0x33FFE0012000"), "{text}");
}

#[test]
fn an_unreadable_line_is_named_and_skipped() {
    let (status, text) = run("cci400 --base 0xfd6e0000 --from u-boot.txt");
    assert!(status == 0 && text.contains("line 8: `fd6ea000: 60 00 00 00"), "{text}");
}

/// Each text of the readers and of the causes has a dump that triggers it.
#[test]
fn every_message_is_stored() {
    let stored = fs::read_to_string(place("doctor.txt")).expect("the stored text");
    let stored = stored.split_whitespace().collect::<Vec<_>>().join(" ");
    let sources = place("../src/prompt/doctor");
    let (mut known, mut all) = (0, Vec::new());
    for file in fs::read_dir(&sources).expect("a folder") {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        // Commands, and tests.
        if ["ask.rs", "run.rs", "tests.rs", "view.rs"].contains(&name.as_str()) {
            continue;
        }
        let missing = messages::without_a_case(&path, &stored);
        let missing = missing.into_iter().filter(|text| !PATTERNS.contains(&text.as_str()));
        all.extend(missing.map(|text| format!("{name}: {text}")));
        known += messages::of(&path).len();
    }
    assert!(all.is_empty(), "no dump makes these:\n{}", all.join("\n"));
    assert!(known > 80, "{known}");
}

/// What the reader looks for in a dump.
const PATTERNS: &[&str] = &[
    "unknown term",
    "system wide",
    "events in group usually have to be",
    "event syntax error: '",
    "Bus error",
    "Cannot access memory at address",
    "Memory read error at",
    "data abort",
    "Synchronous Abort",
    "JTAG-DP STICKY ERROR",
    "at address",
];

/// The commands of `--ask` read the addresses of a diagnosis.
#[test]
fn asked_commands_match_the_program() {
    for (program, read) in [
        ("devmem", "devmem 0xFD6E0100 32\n"),
        ("u-boot", "md.l fd6e0100 1\n"),
        ("xsdb", "mrd -force 0xFD6E0100\n"),
        ("gdb", "x/1xw 0xFD6E0100\n"),
    ] {
        let (status, text) = run(&format!("cci400 --base 0xfd6e0000 --ask {program}"));
        assert!(status == 0 && text.contains(read), "{text}");
    }
    let (status, text) = run("mmu600:tbu --base 0x16040000 --ask u-boot");
    assert!(status == 0 && text.contains("md.l 16052000 1\n") && !text.contains("mw.l"), "{text}");
    assert_eq!(run("cci400 --base 0xfd6e0000").0, 2, "neither --from nor --ask");
}
