//! Tests of `arm-pmu report` that run the program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

mod program;

fn recording(name: &str) -> String {
    program::place("tests/perf").join(name).to_str().expect("a path").to_owned()
}

fn command(arguments: &[&str]) -> Command {
    let mut command = program::command();
    command.arg("report").args(arguments).current_dir(program::empty_directory());
    command
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    program::run(&mut command(arguments))
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A recording of two equal programs, with the counts of the second raised by this percentage.
fn slower(percent: u64) -> String {
    let text = fs::read_to_string(recording("../runs/equal-instructions.jsonl"));
    let lines = text.expect("a recording").lines().fold(String::new(), |lines, line| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if line["command"] == 1 {
            let count = line["counts"][0]["count"].as_u64().expect("a count");
            line["counts"][0]["count"] = (count / 100 * (100 + percent)).into();
        }
        lines + &line.to_string() + "\n"
    });
    let path = scratch(&format!("slower-{percent}.jsonl"));
    fs::write(&path, lines).expect("a recording");
    path.to_str().expect("a path").to_owned()
}

#[test]
fn a_proven_regression_ends_with_three() {
    let (equal, slower) = (slower(0), slower(3));
    let five = recording("../runs/compared.jsonl");
    let perf = recording("6.12/cci400-r1/named.csv");
    let is = ["--fail-if", "INST_RETIRED > 0%"];
    let all: &[(i32, &str, &[&str])] = &[
        (0, "", &[&equal, is[0], is[1]]),
        (3, "`INST_RETIRED > 0%` is exceeded: the change is +", &[&slower, is[0], is[1]]),
        (3, "is exceeded", &[&slower, is[0], "time > +9%", is[0], is[1], "--json"]),
        (3, "is exceeded", &[&slower, is[0], is[1], "--csv"]),
        (0, "", &[&slower, is[0], "INST_RETIRED > +4%"]),
        (0, "it has 5 pairs of runs, and needs 12: stat -r 12", &[&five, is[0], "time > 0%"]),
        (2, "\n  CYCLES >A\n          ^\n", &[&slower, is[0], "CYCLES >A"]),
        (2, "no such event; near: INST_RETIRED", &[&slower, is[0], "INST_RETIRE > 0%"]),
        (2, "--fail-if needs many runs", &[&perf, is[0], is[1]]),
    ];
    for (expected, text, arguments) in all {
        let (status, out, error) = run(arguments);
        assert_eq!((status, out.is_empty()), (*expected, status == 2), "{arguments:?} {error}");
        assert!(error.contains(text) && error.is_empty() == text.is_empty(), "{error}");
    }
    let repeated = recording("../runs/repeated.jsonl");
    let (status, _, error) = run(&[&repeated, &repeated, is[0], "time > 0%"]);
    assert_eq!((status, error.contains("did not run in turn")), (0, true), "{error}");
}

#[test]
fn runs_are_compared_with_a_verdict() {
    let compared = recording("../runs/compared.jsonl");
    let repeated = recording("../runs/repeated.jsonl");
    let (status, out, error) = run(&[&compared, "--csv"]);
    assert_eq!(status, 0, "{error}");
    let row =
        "count,cci400:r1 S3:READ_REQUEST_ANY,5,1130,1105,1160,5,1025,1000,1055,105,65,135,higher\n";
    assert!(out.contains(row), "{out}");
    // Two copies of the same runs show no change.
    let (status, out, error) = run(&[&repeated, &repeated, "--csv"]);
    assert_eq!(status, 0, "{error}");
    assert_eq!(out.matches(",not_shown\n").count(), 3, "{out}");
    let (status, out, error) = run(&[&repeated]);
    assert!(
        status == 0 && out.contains("1,027") && out.contains("Means of 5 runs"),
        "{out}{error}"
    );
}

#[test]
fn standard_input_can_be_reported() {
    let named = fs::read(recording("6.12/cci400-r1/unnamed.csv")).expect("a recording");
    let mut child =
        command(&["-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a run");
    child.stdin.take().expect("a pipe").write_all(&named).expect("an input");
    let out = child.wait_with_output().expect("an end");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(
        out.status.success() && text.contains("1,234") && text.contains("S3:READ_REQUEST_ANY"),
        "{text}"
    );
}

/// Some editors write a byte order mark, and PowerShell writes UTF-16.
#[test]
fn a_recording_may_have_another_encoding() {
    for name in ["6.12/cci400-r1/unnamed.json", "6.12/cci400-r1/unnamed.csv"] {
        let text = fs::read_to_string(recording(name)).expect("a recording");
        let words =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        let big =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
        let lines = text.replace('\n', "\r\n");
        let expected = run(&[&recording(name)]);
        for (nth, bytes) in [
            [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            [b"\xFF\xFE", words(&lines).as_slice()].concat(),
            [b"\xFE\xFF", big(&text).as_slice()].concat(),
            lines.into_bytes(),
        ]
        .into_iter()
        .enumerate()
        {
            let path = scratch(&format!("encoded-{nth}"));
            fs::write(&path, bytes).expect("a file");
            assert_eq!(run(&[path.to_str().expect("a path")]), expected, "{name}, {nth}");
        }
    }
}

#[test]
fn a_plot_is_written_beside_the_report() {
    let path = scratch("report.svg");
    let file = recording("6.12/cci400-r1/intervals.csv");
    let (status, out, error) =
        run(&[&file, "--ip", "cci400", "--plot", path.to_str().expect("a path")]);
    assert_eq!(status, 0, "{error}");
    assert!(out.contains("97,000"), "{out}");
    let picture = fs::read_to_string(&path).expect("a picture");
    assert!(
        picture.starts_with("<svg ")
            && picture.ends_with("</svg>\n")
            && picture.contains("S3:READ_REQUEST_ANY")
    );
}
