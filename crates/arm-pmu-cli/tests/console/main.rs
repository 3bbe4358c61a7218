//! Tests of stored command outputs. `cargo xtask store` stores the outputs.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arm_pmu_tables::PLATFORMS;
use snapbox::{Data, assert_data_eq};

#[cfg(unix)]
mod documented;
mod messages;
#[path = "../program/mod.rs"]
mod program;

use program::place;

fn tests() -> PathBuf {
    place("tests")
}

/// Returns the exit status of a command, and its standard output followed by its errors.
fn run(folder: &Path, line: &str) -> (i32, String) {
    let words = line.split(' ').filter(|word| !word.is_empty());
    let (status, out, error) = program::run(program::command().args(words).current_dir(folder));
    assert!(status < 2 || out.is_empty(), "{line}: {out}{error}");
    (status, out + &error)
}

/// Runs each command in a stored text again, and returns the text with the new output. Comments are
/// kept; `? ` precedes a nonzero exit status.
fn typed(text: &str, folder: &Path) -> String {
    let mut made = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("$ arm-pmu ") {
            let (status, output) = run(folder, command);
            let status = if status == 0 { String::new() } else { format!("? {status}\n") };
            made += &format!("{line}\n{status}{output}\n");
        } else if line.starts_with("# ") && lines.peek().is_some_and(|next| next.starts_with("$ "))
        {
            made += &format!("{line}\n");
        }
    }
    made
}

/// Compares the commands of `NAME.txt` with their stored outputs.
fn is_as_stored(name: &str, folder: &str, shown: impl Fn(&str) -> String) {
    let path = tests().join(name).with_extension("txt");
    let stored = fs::read_to_string(&path).expect("a text");
    let folder = tests().join(folder);
    assert_data_eq!(shown(&typed(&stored, &folder)), Data::read_from(&path, None).raw());
}

/// Checks that `NAME.txt` uses each file of a folder.
fn is_used(name: &str, folder: &str) {
    let stored = fs::read_to_string(tests().join(name).with_extension("txt")).expect("a text");
    let commands: Vec<_> = stored.lines().filter(|line| line.starts_with("$ ")).collect();
    for file in fs::read_dir(tests().join(folder)).expect("a folder") {
        let name = file.expect("a file").file_name().into_string().expect("a name");
        let name = name.replace(".dts", ".dtb");
        assert!(commands.iter().any(|line| line.contains(&name)), "no command uses {name}");
    }
}

#[test]
fn each_dump_has_its_causes() {
    is_as_stored("doctor", "dumps", with_facts_once);
    is_used("doctor", "dumps");
}

#[test]
fn device_trees_make_platforms_or_messages() {
    is_as_stored("boards", "trees", with_one_core);
    is_used("boards", "trees");
}

#[test]
fn reports_are_as_stored() {
    let is_narrow = |text: &str| {
        let long = text.lines().find(|line| line.len() > 80 && !line.starts_with('$'));
        assert_eq!(long, None);
        text.to_owned()
    };
    is_as_stored("reports", "perf", is_narrow);
}

/// Omits `core1` and later cores: they differ from `core0` only in the message under `wanted`.
fn with_one_core(all: &str) -> String {
    const HEAD: &str = "  - name: ";
    let number = |block: &str| block.strip_prefix("core")?.lines().next()?.parse().ok();
    let blocks = all.split(HEAD).filter(|block| number(block).is_none_or(|n: u32| n == 0));
    blocks.collect::<Vec<_>>().join(HEAD)
}

/// Prints cause, source and fix only for the first output of each finding. The evidence is always printed.
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

/// Checks that each message of these source files is in a stored text.
fn every_message_is_in(stored: &[&str], folder: &str, files: &[&str], patterns: &[&str]) {
    let stored = stored.iter().map(|file| fs::read_to_string(tests().join(file)).expect("a text"));
    let stored = stored.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut known, mut all) = (0, Vec::new());
    for file in files {
        let path = place(folder).join(file).with_extension("rs");
        let missing = messages::without_a_case(&path, &stored);
        let missing = missing.into_iter().filter(|text| !patterns.contains(&text.as_str()));
        all.extend(missing.map(|text| format!("{file}: {text}")));
        known += messages::of(&path).len();
    }
    assert!(all.is_empty(), "no command makes these:\n{}", all.join("\n"));
    assert!(known > 30, "{known}");
}

#[test]
fn every_message_of_the_doctor_is_stored() {
    let files =
        ["cci", "cci400", "cci5xx", "dump", "evidence", "l2c310", "linux", "mmu600", "mod", "perf"];
    every_message_is_in(&["doctor.txt"], "src/prompt/doctor", &files, PATTERNS);
}

#[test]
fn every_message_about_a_node_is_stored() {
    let files = ["../../base/device_tree", "interrupts", "lines", "platform", "cores"];
    let stored = ["boards.txt", "strangers/trees.tsv"];
    every_message_is_in(&stored, "src/prompt/device_tree", &files, &[]);
}

/// Patterns that the parser searches for in a dump.
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

/// The doctor reads human-readable output of `perf`, JSON and CSV.
#[test]
fn each_output_of_perf_has_the_same_causes() {
    let (mut compared, mut are_known) = (0, 0);
    for (board, pmu) in [
        ("cci400-r0", "cci400:r0"),
        ("cci400-r1", "cci400"),
        ("cci500", "cci500"),
        ("cci550", "cci550"),
    ] {
        let folder = tests().join("perf/6.12").join(board);
        for file in fs::read_dir(&folder).expect("a folder") {
            let name = file.expect("a file").file_name().into_string().expect("a name");
            let Some(name) = name.strip_suffix(".json") else { continue };
            let heads = |kind: &str| {
                let (status, text) = run(&folder, &format!("doctor {pmu} --from {name}.{kind}"));
                let is_head = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
                let heads = text.lines().filter(is_head).map(str::to_owned);
                (status, heads.collect::<Vec<_>>())
            };
            let json = heads("json");
            are_known += usize::from(json.0 < 2);
            for kind in ["csv", "txt"] {
                if folder.join(format!("{name}.{kind}")).is_file() {
                    assert_eq!(json, heads(kind), "{board}/{name}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 35 && are_known > 15, "{compared}, {are_known}");
}

/// `cargo xtask ci recipes` runs each recipe in its program, on memory at these addresses.
#[test]
fn recipes_are_as_stored() {
    let folder = tests().join("recipes");
    let commands = fs::read_to_string(folder.join("commands.txt")).expect("commands");
    let mut stored_ones = 0;
    for line in commands.lines() {
        let (file, line) = line.split_once(": ").expect("a name and a command");
        let (status, made) = run(&folder, &format!("recipe {line}"));
        assert!(status == 0 && made.is_ascii(), "{line}: {made}");
        let path = folder.join(file);
        if path.exists() {
            stored_ones += 1;
            assert_data_eq!(made, Data::read_from(&path, None).raw());
        }
    }
    // The folder contains only the recipes and the list of commands.
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), stored_ones + 1);
}

#[test]
fn platform_files_are_read_as_by_the_generator() {
    let specs = place("../../specs/platforms");
    for table in PLATFORMS {
        let shown = |name: &str| {
            let (status, text) = run(&specs, &format!("platform {name} --json"));
            assert_eq!(status, 0, "{name}: {text}");
            text
        };
        assert_eq!(shown(&format!("./{}.yaml", table.name)), shown(table.name), "{}", table.name);
    }
}

/// Runs a table of `strangers`: inputs in the form of public files, and rejected inputs.
///
/// A row has a command without `arm-pmu`, texts that the output must contain, and texts that it must not contain; ` ; `
/// separates texts. After `!1 ` or `!2 `, the command must have this exit status. After `first five: `, only the first
/// five lines are searched. `tree FILE.dts` runs three commands: `platform new` on the compiled tree, then `platform`
/// and `device-tree` on the new file.
fn check(table: &str) {
    let folder = tests().join("strangers");
    let rows = fs::read_to_string(folder.join(table).with_extension("tsv")).expect("a table");
    let mut wrong = Vec::new();
    let mut rows = rows.lines().filter(|row| !row.starts_with('#')).peekable();
    assert!(rows.peek().is_some(), "{table} has no rows");
    for row in rows {
        let [command, contains, lacks] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three columns: {row}");
        };
        let refused = [("!1 ", 1), ("!2 ", 2)].into_iter();
        let mut refused = refused.filter_map(|(mark, of)| Some((command.strip_prefix(mark)?, of)));
        let (command, expected) = refused.next().unwrap_or((command, 0));
        let (command, lines) =
            command.strip_prefix("first five: ").map_or((command, usize::MAX), |it| (it, 5));
        let answer = match command.strip_prefix("tree ") {
            Some(tree) => tree_answer(&folder, tree),
            None if table == "trees" => Some(run(&scratch(), command)),
            None => Some(run(&folder, command)),
        };
        let Some((status, output)) = answer else { continue };
        let output = output.lines().take(lines).flat_map(str::split_whitespace);
        let output = output.collect::<Vec<_>>().join(" ");
        let missing =
            texts(contains).filter(|text| !output.contains(text)).map(|it| format!("lacks {it:?}"));
        let surplus =
            texts(lacks).filter(|text| output.contains(text)).map(|it| format!("contains {it:?}"));
        let status = (status != expected).then(|| format!("has the status {status}"));
        let faults: Vec<_> = missing.chain(surplus).chain(status).collect();
        if !faults.is_empty() {
            wrong.push(format!("{command}\n  {}\n  {output}", faults.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn texts(column: &str) -> impl Iterator<Item = &str> {
    column.split(" ; ").map(str::trim).filter(|text| !text.is_empty())
}

/// Folder for files that device tree commands write.
fn scratch() -> PathBuf {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trees");
    fs::create_dir_all(&scratch).expect("a directory");
    scratch
}

/// Converts a device tree with `dtc`, and returns the output of `platform new`, `platform` and
/// `device-tree` for it. `None` without dtc, which CI requires.
fn tree_answer(folder: &Path, tree: &str) -> Option<(i32, String)> {
    let scratch = scratch();
    let blob = Path::new(tree).with_extension("dtb");
    let blob = blob.file_name().expect("a name").to_str().expect("a name");
    let mut dtc = Command::new("dtc");
    dtc.args(["-q", "-I", "dts", "-O", "dtb", "-o"]).arg(scratch.join(blob)).arg(folder.join(tree));
    let dtc = dtc.status();
    if dtc.is_err() && std::env::var_os("CI").is_none() {
        return None;
    }
    assert!(dtc.expect("dtc").success(), "{tree}");
    let (made, text) = run(&scratch, &format!("platform new --from {blob}"));
    let Some(name) = text.lines().find_map(|line| line.strip_prefix("platform: ")) else {
        return Some((made, text));
    };
    fs::write(scratch.join(name).with_extension("yaml"), &text).expect("a platform");
    let (shown, platform) = run(&scratch, &format!("platform ./{name}.yaml"));
    let (printed, nodes) = run(&scratch, &format!("device-tree ./{name}.yaml"));
    Some((made.max(shown).max(printed), [text, platform, nodes].join("\n")))
}

#[test]
fn strangers_device_trees_are_read() {
    check("trees");
}

#[test]
fn strangers_perf_output_is_read() {
    check("perf");
}

#[test]
fn strangers_faults_in_perf_output_are_found() {
    check("doctor");
}

#[test]
fn strangers_names_are_known() {
    check("names");
}

#[test]
fn strangers_searches_and_filters_are_answered() {
    check("search");
}

#[test]
fn strangers_mistakes_are_explained() {
    check("mistakes");
}

#[test]
fn refusals_name_their_reason() {
    check("refusals");
}

#[test]
fn a_proven_regression_ends_with_three() {
    let equal = fs::read_to_string(tests().join("runs/equal-instructions.jsonl"));
    // The counts of the second program are raised by 3 %.
    let slower = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if line["command"] == 1 {
            let count = line["counts"][0]["count"].as_u64().expect("a count");
            line["counts"][0]["count"] = (count / 100 * 103).into();
        }
        line.to_string() + "\n"
    };
    let slower: String = equal.expect("a recording").lines().map(slower).collect();
    fs::write(scratch().join("slower.jsonl"), slower).expect("a recording");
    let exceeded = "`INST_RETIRED > 0%` is exceeded: the change is +";
    for (expected, condition, more) in [
        (exceeded, "INST_RETIRED > 0%", "--fail-if=time > +9%"),
        (exceeded, "INST_RETIRED > 0%", "--json"),
        (exceeded, "INST_RETIRED > 0%", "--csv"),
        ("", "INST_RETIRED > +4%", "--json"),
    ] {
        let mut command = program::command();
        command.args(["report", "slower.jsonl", more, "--fail-if", condition]);
        let (status, out, error) = program::run(command.current_dir(scratch()));
        let is_exceeded = !expected.is_empty();
        assert_eq!((status, out.is_empty()), (if is_exceeded { 3 } else { 0 }, false), "{error}");
        assert!(error.contains(expected) && error.is_empty() != is_exceeded, "{error}");
    }
}

/// Some editors write a byte order mark, and PowerShell writes UTF-16.
#[test]
fn standard_input_may_have_another_encoding() {
    for name in ["perf/6.12/cci400-r1/unnamed.json", "perf/6.12/cci400-r1/unnamed.csv"] {
        let text = fs::read_to_string(tests().join(name)).expect("a recording");
        let expected = run(&tests(), &format!("report {name}"));
        assert!(expected.1.contains("1,234") && expected.1.contains("S3:READ_REQUEST_ANY"));
        let lines = text.replace('\n', "\r\n");
        let words = |text: &str, of: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(of).collect()
        };
        for bytes in [
            [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            [b"\xFF\xFE", &words(&lines, u16::to_le_bytes)[..]].concat(),
            [b"\xFE\xFF", &words(&text, u16::to_be_bytes)[..]].concat(),
            lines.into_bytes(),
        ] {
            let mut command = program::command();
            command.args(["report", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().expect("a run");
            child.stdin.take().expect("a pipe").write_all(&bytes).expect("an input");
            let output = child.wait_with_output().expect("an end");
            let status = output.status.code().expect("an exit status");
            assert_eq!(
                (status, String::from_utf8_lossy(&output.stdout).into()),
                expected,
                "{name}"
            );
        }
    }
}
