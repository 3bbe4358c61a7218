//! Tests that run the program.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

mod boards;
mod program;

use program::{place, with as command};
use snapbox::{Data, assert_data_eq};

fn run(arguments: &[&str]) -> (i32, String, String) {
    program::run(&mut command(arguments))
}

/// The real perf opens the stored lines in `xtask/linux/claims`.
#[test]
fn perf_lines_match_the_stored_lines() {
    let path = place("tests/perf/commands.txt");
    let stored = fs::read_to_string(&path).expect("a file");
    let mut made = String::new();
    for line in stored.lines().filter_map(|line| line.strip_prefix("$ arm-pmu ")) {
        let (status, out, error) = run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(status, 0, "{line}: {error}");
        let command: Vec<_> = out.lines().filter(|line| !line.starts_with('#')).collect();
        made += &format!("$ arm-pmu {line}\n{}\n", command.join("\n"));
    }
    assert_data_eq!(made, Data::read_from(&path, None).raw());
}

/// Runs the examples of the help, in a directory with their files.
#[test]
fn the_examples_of_the_help_work() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    fs::create_dir_all(&directory).expect("a directory");
    let recordings = place("tests/perf/6.12/cci400-r1");
    let files = [
        ("run.json", "intervals.json"),
        ("run.csv", "named.csv"),
        ("new.json", "named.json"),
        ("old.json", "idle.json"),
    ];
    for (file, recording) in files {
        fs::copy(recordings.join(recording), directory.join(file)).expect("a copy");
    }
    fs::copy(place("tests/runs/compared.jsonl"), directory.join("runs.jsonl")).expect("a copy");
    let vendor = "<device><peripherals>\n<peripheral><name>UART</name></peripheral>\n</peripherals></device>\n";
    fs::write(directory.join("vendor.svd"), vendor).expect("a file");
    for (file, dump) in [("dump.txt", "devmem-niden-low.txt"), ("perf.txt", "perf-altra.txt")] {
        fs::copy(place("tests/dumps").join(dump), directory.join(file)).expect("a copy");
    }
    fs::copy(place("tests/trees/clusters.dtb"), directory.join("board.dtb")).expect("a copy");
    let platform = fs::read_to_string(place("tests/bench/bench-each.yaml")).expect("a platform");
    let platform = platform.replace("platform: bench-each", "platform: mine");
    fs::write(directory.join("mine.yaml"), platform).expect("a file");
    let (_, help, _) = run(&["--help"]);
    let commands = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let commands: Vec<_> = commands.map(|(name, _)| name).filter(|name| *name != "help").collect();
    let mut examples = 0;
    // `stat` and `check` need a PMU, which few machines have. The Linux bench runs their examples.
    let counts = |name: &&&str| ["stat", "check"].contains(*name);
    for name in commands.iter().filter(|name| !counts(name)).map(Some).chain([None]) {
        let line: Vec<_> = name.into_iter().copied().chain(["--help"]).collect();
        let (_, help, _) = run(&line);
        for example in help.lines().filter_map(|line| {
            line.strip_prefix("  arm-pmu ").or_else(|| line.strip_prefix("Example: arm-pmu "))
        }) {
            // Three spaces separate an example from its comment.
            let example = example.split("   ").next().unwrap_or_default();
            let words = example.split_whitespace().take_while(|word| !["|", ">"].contains(word));
            let words: Vec<_> = words.map(|word| word.replace('~', ".")).collect();
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            let output = command(&words).current_dir(&directory).output().expect("a run");
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && error.is_empty(), "{example}: {error}");
            examples += 1;
        }
    }
    assert!(commands.len() >= 9 && examples >= 20, "{commands:?} {examples}");
    let plot = fs::read_to_string(directory.join("run.svg")).expect("a plot");
    assert!(plot.contains("S3:READ_REQUEST_ANY") && plot.ends_with("</svg>\n"), "{plot}");
}

/// The exit status shows whether `stat` or the measured program failed.
#[cfg(target_os = "linux")]
#[test]
fn stat_names_missing_kernel_support() {
    let all: &[(&[&str], &str)] = &[
        (&["stat", "-e", "arm1136:DATA_CACHE_MISS", "--", "true"], "kernel"),
        (&["stat", "-e", "arm1136:ZEBRA", "--", "true"], "no event `ZEBRA`"),
        (&["stat"], "Give -m METRIC or -e EVENT"),
        (&["stat", "-r", "2", "-e", "arm1136:DATA_CACHE_MISS"], "several times"),
        (&["stat", "-I", "soon"], "500ms or 2s"),
        (&["stat", "--platform", "zynqmq", "-e", "apu:READ_REQUEST_ANY"], "zynqmp"),
    ];
    for (arguments, expected) in all {
        let (status, out, error) = run(arguments);
        assert_eq!((status, out.as_str()), (125, ""), "{arguments:?} {error}");
        assert!(error.contains(expected), "{arguments:?} {error}");
    }
    let (_, live, _) = run(&["doctor", "--live"]);
    for what in ["-e arm1136:DATA_CACHE_MISS", "-e cycles", "-e mmu600:tbu:TLB_MISS --device lo"] {
        let line = format!("stat {what} -- true");
        let (_, _, error) = run(&line.split(' ').collect::<Vec<_>>());
        let is_elsewhere = |text: &str| text.contains("this machine is not Arm but");
        assert_eq!(is_elsewhere(&error), is_elsewhere(&live), "{error} {live}");
    }
}

/// The test passes with and without PMUs.
#[cfg(target_os = "linux")]
#[test]
fn a_check_reports_counts_or_reasons() {
    let (status, out, error) = run(&["check", "--size", "1", "--platform", "zynqmp", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert!(matches!(status, 0..=2) && error.is_empty(), "{status}: {error}");
    let rows = document["rows"].as_array().expect("rows");
    let missing = document["missing"].as_array().expect("what is missing");
    assert!(!rows.is_empty() || !missing.is_empty(), "{out}");
    assert_eq!(status == 2, rows.is_empty(), "{out}");
    let (status, out, error) = run(&["check", "--platform", "zynqmq"]);
    assert!(status == 2 && out.is_empty() && error.ends_with("near: zynqmp\n"), "{status} {error}");
    let (status, _, error) = run(&["check", "--size", "5000"]);
    assert!(status == 2 && error.contains("1..=4096"), "{status} {error}");
}

/// The test passes with and without PMUs.
#[cfg(target_os = "linux")]
#[test]
fn the_live_doctor_names_a_platform() {
    let (status, out, error) = run(&["doctor", "--live", "--platform", "zynqmp", "--json"]);
    assert!(matches!(status, 0 | 1) && error.is_empty(), "{status}: {error}");
    assert!(out.contains("zynqmp") || out.contains("CCI_400_r1"), "{out}");
    let (status, out, _) = run(&["doctor", "--live"]);
    assert!(matches!(status, 0 | 1) && out.contains("PMUs of the kernel"), "{out}");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut command = command(&["list", "cci550", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut error).expect("text");
    assert_eq!((child.wait().expect("an end").code(), error.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_a_failure() {
    let full = fs::File::create("/dev/full").expect("a device");
    let output = command(&["list"]).stdout(full).output().expect("a run");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("cannot be written"), "{error}");
}

#[test]
fn only_terminals_get_colour() {
    let escape = '\u{1B}';
    let (_, out, _) = run(&["show", "cci550", "PMCR"]);
    assert!(!out.contains(escape), "{out}");
    let forced =
        command(&["show", "cci550", "PMCR"]).env("CLICOLOR_FORCE", "1").output().expect("a run");
    assert!(String::from_utf8_lossy(&forced.stdout).contains(escape));
}
