//! What the doctor says about each dump, compared with stored text.
//!
//! `UPDATE_DOCTOR=1 cargo test -p arm-pmu-cli --test doctor` stores it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

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
    // The kernel's name says which of the PMUs it is.
    ("perf-altra", "--platform altra", 0, "PAGE_1_ELSEWHERE, probable"),
    ("perf-large-count", "mmu600:tcu", 1, "so it is taken for a count"),
    ("perf-one-interval", "mmu600:tcu", 0, "PAGE_1_ELSEWHERE, possible, or a count of this size"),
    ("perf-cci400", "cci400", 0, "NIDEN_LOW, possible, or an idle port"),
    ("perf-cci400-busy", "cci400", 1, "so NIDEN is HIGH"),
    // Names that `arm-pmu perf` gives.
    ("perf-named", "cci400", 0, "NIDEN_LOW, possible, or an idle port"),
    ("perf-named", "zynqmp", 0, "NIDEN_LOW, possible, or an idle port"),
    ("perf-named-pmcg", "mmu600:tcu", 0, "PAGE_1_ELSEWHERE, probable"),
];

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
        let line = format!("{pmu} --from {dump}.txt");
        let (found, text) = run(&line);
        // As lines are cut at 80 columns, words are compared.
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(found, *status, "{line}: {text}");
        assert!(words.contains(part), "{line}: {text}");
        assert!(!part.contains(", ") || words.contains(&format!("1. {part}")), "{line}: {text}");
        let _ = write!(all, "$ arm-pmu doctor {line}\n{text}\n");
        used.insert(format!("{dump}.txt"));
    }
    let stored = place("doctor.txt");
    if std::env::var_os("UPDATE_DOCTOR").is_some() {
        fs::write(&stored, &all).expect("a file");
    }
    let stored = fs::read_to_string(stored).unwrap_or_default();
    for (stored, made) in stored.lines().zip(all.lines()) {
        assert_eq!(stored, made, "UPDATE_DOCTOR=1 stores the new text");
    }
    assert_eq!(stored.len(), all.len());
    for file in fs::read_dir(place("dumps")).expect("a folder") {
        let name = file.expect("a file").file_name().into_string().expect("a name");
        assert!(used.contains(&name), "{name} is used by no case");
    }
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
fn a_line_that_cannot_be_read_is_named_and_the_rest_is_used() {
    let (status, text) = run("cci400 --base 0xfd6e0000 --from u-boot.txt");
    assert!(status == 0 && text.contains("line 8: `fd6ea000: 60 00 00 00"), "{text}");
}

/// The commands of `--ask` read the addresses that a diagnosis looks at.
#[test]
fn commands_to_ask_are_those_of_the_program() {
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
