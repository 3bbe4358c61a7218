//! Platforms from device trees, and device trees from platforms.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arm_pmu_tables::{Pmu, Space};
use snapbox::{Data, assert_data_eq};

use super::{messages, place, program, run};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("boards");
    fs::create_dir_all(&folder).expect("a directory");
    folder.join(name)
}

fn run_here(arguments: &[&str]) -> (i32, String) {
    let output = program::command().args(arguments).current_dir(place("tests/trees")).output();
    let output = output.expect("a run");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a status"), text(output.stdout) + &text(output.stderr))
}

fn compare(file: &str, made: &str) {
    assert_data_eq!(made, Data::read_from(&place("tests").join(file), None).raw());
}

/// Whether there is a compiler of device trees.
fn has_dtc() -> bool {
    Command::new("dtc").arg("--version").output().is_ok()
}

fn dtc(arguments: &[&str], source: &Path, binary: &Path) -> bool {
    let command = Command::new("dtc")
        .args(["-q", "-I", "dts", "-O", "dtb"])
        .args(arguments)
        .arg("-o")
        .arg(binary)
        .arg(source)
        .status();
    command.expect("dtc").success()
}

/// Each tree, and the exit status of `platform new`.
const TREES: &[(&str, i32)] = &[
    ("one-line.dtb", 0),
    ("clusters.dtb", 0),
    ("smmu.dtb", 0),
    ("core.dtb", 0),
    ("two-cores.dtb", 0),
    ("doubts.dtb", 0),
    ("unreadable.dtb", 0),
    ("no-pmu.dtb", 1),
    ("overlap.dtb", 2),
    ("clusters.dts", 2),
    ("no-such-file.dtb", 2),
];

#[test]
fn a_device_tree_makes_a_platform_file_or_a_message() {
    let mut all = String::new();
    for (tree, status) in TREES {
        let (found, text) = run_here(&["platform", "new", "--from", tree]);
        assert_eq!(found, *status, "{tree}: {text}");
        let _ = write!(all, "$ arm-pmu platform new --from {tree}\n{text}\n");
        if found == 0 {
            // The command reads it as any other platform.
            let line = text.lines().find_map(|line| line.strip_prefix("platform: "));
            let file = scratch(&format!("{}.yaml", line.expect("a name")));
            fs::write(&file, &text).expect("a file");
            let (status, shown) = run_here(&["platform", file.to_str().expect("a path")]);
            assert_eq!(status, 0, "{shown}");
        }
    }
    for name in fs::read_dir(place("tests/trees")).expect("a folder") {
        let name = name.expect("a file").file_name().into_string().expect("a name");
        let name = name.replace(".dts", ".dtb");
        assert!(TREES.iter().any(|(tree, _)| *tree == name), "{name} is used by no case");
    }
    compare("boards.txt", &all);
}

/// Each error text of the node reader has a tree that triggers it.
#[test]
fn every_message_about_a_node_is_stored() {
    // The second file has the required text of the command.
    let read = |file| fs::read_to_string(place(file)).expect("the stored text");
    let stored = read("tests/boards.txt") + &read("tests/strangers/trees.tsv");
    let stored = stored.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut known = 0;
    for file in ["tree.rs", "interrupts.rs", "lines.rs", "platform.rs", "cores.rs"]
        .map(|file| format!("src/prompt/device_tree/{file}"))
    {
        let file = file.as_str();
        let missing = messages::without_a_case(&place(file), &stored);
        assert_eq!(missing, Vec::<String>::new(), "{file}");
        known += messages::of(&place(file)).len();
    }
    assert!(known > 30, "{known}");
}

/// Files that are neither platform nor device tree, with their messages.
#[test]
fn every_kind_of_bad_file_has_a_stored_message() {
    let good = "platform: mine\ntitle: My board\nvendor: Me\nlegend:\n  - { name: note, title: a note }\n\
        instances:\n  - name: cci\n    ip: { value: cci400, from: [note] }\n    base: { value: 0xFD6E_0000, from: [note] }\n";
    let tree = fs::read(place("tests/trees/core.dtb")).expect("a tree");
    let long = vec![b'#'; (16 << 20) + 1];
    let all: &[(&str, &str, Vec<u8>)] = &[
        ("an empty file", "mine.yaml", Vec::new()),
        ("a binary file", "mine.yaml", tree.clone()),
        ("a file in Latin-1", "mine.yaml", b"platform: mine\ntitle: Gr\xFC\xDFe\n".to_vec()),
        ("a file that is too long", "mine.yaml", long.clone()),
        ("a file that is no YAML", "mine.yaml", b"platform: [mine\n".to_vec()),
        ("another document", "mine.yaml", b"{\"version\": 1}\n".to_vec()),
        ("a file of another name", "other.yaml", good.as_bytes().to_vec()),
        ("a misspelt key", "mine.yaml", good.replace("base:", "bse:").into_bytes()),
        ("an IP that is not known", "mine.yaml", good.replace("cci400", "cci440").into_bytes()),
        ("a fact without a source", "mine.yaml", good.replace(", from: [note]", "").into_bytes()),
        ("an empty file", "board.dtb", Vec::new()),
        ("a file of something else", "board.dtb", b"\x7FELF\x02\x01\x01\0 and more".to_vec()),
        ("the source of a tree", "board.dtb", b"/dts-v1/;\n/ { };\n".to_vec()),
        ("a tree that is cut off", "board.dtb", tree[..tree.len() / 2].to_vec()),
        ("a file that is too long", "board.dtb", long),
    ];
    let folder = scratch("bad");
    fs::create_dir_all(&folder).expect("a directory");
    let mut stored = String::new();
    for (what, name, bytes) in all {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a file");
        let arguments: Vec<&str> = match name.ends_with(".dtb") {
            true => vec!["platform", "new", "--from", name],
            false => vec!["show", "--platform", name, "PMCR"],
        };
        let output = program::command().args(&arguments).current_dir(&folder).output();
        let output = output.expect("a run");
        assert_eq!(output.status.code(), Some(2), "{what}: {output:?}");
        assert!(output.stdout.is_empty(), "{what}: {output:?}");
        let text = String::from_utf8(output.stderr).expect("text");
        let _ = write!(stored, "# {what}\n$ arm-pmu {}\n{text}\n", arguments.join(" "));
        fs::remove_file(&path).expect("the file");
    }
    compare("bad-files.txt", &stored);
    // A CRLF at the end of each line and a byte order mark are no mistakes.
    let path = folder.join("mine.yaml");
    fs::write(&path, format!("\u{feff}{}", good.replace('\n', "\r\n"))).expect("a file");
    let (status, _, error) = run(&["platform", path.to_str().expect("a path")]);
    assert_eq!(status, 0, "{error}");
}

#[test]
fn platform_new_needs_a_device_tree() {
    let all: &[(&[&str], &str)] = &[
        (&["platform", "new"], "give the device tree: --from board.dtb"),
        (&["platform", "zynqmp", "--from", "x.dtb"], "--from is for `arm-pmu platform new`"),
        (
            &["platform", "new", "--from", "."],
            "it is a directory, and a device tree is a regular file",
        ),
        (&["device-tree", "cci400"], "there is no platform `cci400`"),
        (&["device-tree", "agilex5:x"], "agilex5 has no PMU `x`"),
    ];
    for (arguments, message) in all {
        let (status, out, error) = run(arguments);
        assert!(status > 0 && out.is_empty() && error.contains(message), "{arguments:?}: {error}");
    }
}

#[test]
fn stored_blobs_match_their_sources() {
    if !has_dtc() {
        return;
    }
    for (tree, _) in TREES.iter().filter(|(tree, _)| place("tests/trees").join(tree).is_file()) {
        let (source, made) =
            (place("tests/trees").join(tree).with_extension("dts"), scratch("made.dtb"));
        assert!(dtc(&[], &source, &made), "{tree}");
        let stored = place("tests/trees").join(tree).with_extension("dtb");
        assert!(
            fs::read(&made).expect("a blob") == fs::read(stored).expect("a blob"),
            "{tree} is old"
        );
    }
}

/// A board with all nodes that the printed text refers to.
const BOARD: &str = "/dts-v1/;\n/ {\n#address-cells = <2>; #size-cells = <2>; interrupt-parent = <&gic>;\n\
    gic: interrupt-controller@1000 { compatible = \"arm,cortex-a9-gic\"; #interrupt-cells = <3>; interrupt-controller; reg = <0 0x1000 0 0x1000>; };\n\
    cci: cci@2000 { reg = <0 0x2000 0 0x1000>; status = \"disabled\"; };\n};\n";

/// The output of `arm-pmu device-tree` for a name, after dtc has compiled it.
fn printed(name: &str) -> String {
    let (status, out, error) = run(&["device-tree", name]);
    assert_eq!(status, 0, "{name}: {error}");
    if has_dtc() {
        let (source, binary) = (scratch("board.dts"), scratch("board.dtb"));
        fs::write(&source, format!("{BOARD}{out}")).expect("a file");
        assert!(dtc(&[], &source, &binary), "{name}: {out}");
    }
    out
}

/// A core with a driver in the kernel gets a node, and `platform new` finds the core by that node.
#[test]
fn the_node_of_every_core_is_found_again() {
    let mut found = 0;
    for pmu in Pmu::all().filter(|pmu| pmu.ip.space.is_core()) {
        // One of each core, or one for each.
        let (kind, numbers, nodes): (_, _, &[&str]) = match pmu.ip.space {
            Space::System => ("ppi", "[7]", &["interrupts = <1 7 4>;\n"]),
            _ => ("spi", "[5, 6]", &["interrupts = <0 5 4>,\n", "<0 6 4>;\n", "One for each core"]),
        };
        let ip = format!("ip: {{ value: {}, from: [me] }}", pmu.ip.name);
        let unit = pmu.unit.map_or(String::new(), |unit| {
            format!("    unit: {{ value: {}, from: [me] }}\n", unit.name)
        });
        let text = format!(
            "platform: one-core\ntitle: One core\nvendor: none\nlegend:\n  - {{ name: me, title: a test }}\n\
             instances:\n  - name: core\n    {ip}\n{unit}\
             \x20   interrupts: {{ controller: {kind}, numbers: {numbers}, trigger: level_high, from: [me] }}\n"
        );
        let file = scratch("one-core.yaml");
        fs::write(&file, text).expect("a file");
        let path = file.to_str().expect("a path");
        let (status, out, error) = run(&["device-tree", path]);
        if status == 1 && error.contains("Linux has no driver") {
            continue;
        }
        assert!(nodes.iter().all(|text| out.contains(text)), "{pmu}: {out}{error}");
        found += 1;
        if has_dtc() {
            let (source, binary) = (scratch("one-core.dts"), scratch("one-core.dtb"));
            fs::write(&source, format!("{BOARD}{out}")).expect("a file");
            assert!(dtc(&[], &source, &binary), "{pmu}: {out}");
            let (status, again) =
                run_here(&["platform", "new", "--from", binary.to_str().expect("a path")]);
            assert_eq!(status, 0, "{again}");
            assert!(again.contains(&format!("ip: {{ value: {},", pmu.ip.name)), "{pmu}: {again}");
            let same = format!("controller: {kind}, numbers: {numbers}");
            assert!(again.contains(&same), "{pmu}: {again}");
        }
    }
    assert!(found >= 7, "{found}");
}

#[test]
fn the_additions_to_device_trees_are_stored() {
    let mut all = String::new();
    for platform in arm_pmu_tables::PLATFORMS {
        // The second chip, and all root complexes but one, differ in numbers only.
        let many = platform.instances.len() > 8;
        let name = match platform.instances {
            [first, ..] if many => format!("{}:{}", platform.name, first.name),
            _ => platform.name.to_owned(),
        };
        let _ = write!(all, "$ arm-pmu device-tree {name}\n{}\n", printed(&name));
        if many {
            printed(platform.name);
        }
    }
    compare("device-trees.txt", &all);
    // `cargo xtask linux test` boots these.
    for name in ["bench-each", "bench-combined", "bench-unknown"] {
        let path = place("tests/bench").join(name).with_extension("yaml");
        compare(&format!("bench/{name}.dts"), &printed(path.to_str().expect("a path")));
    }
    compare("bench/versal.dts", &printed("versal"));
}
