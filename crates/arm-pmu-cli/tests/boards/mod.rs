//! Tests of platforms made from device trees, and of device trees made from platforms.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arm_pmu_tables::{Pmu, Space};
use snapbox::{Data, assert_data_eq};

use super::{place, program, run};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("boards");
    fs::create_dir_all(&folder).expect("a directory");
    folder.join(name)
}

fn compare(file: &str, made: &str) {
    assert_data_eq!(made, Data::read_from(&place("tests").join(file), None).raw());
}

/// Whether `dtc`, the device tree compiler, is installed.
fn has_dtc() -> bool {
    Command::new("dtc").arg("--version").output().is_ok()
}

fn dtc(arguments: &[&str], source: &Path, binary: &Path) -> bool {
    let mut command = Command::new("dtc");
    command.args(["-q", "-I", "dts", "-O", "dtb"]).args(arguments).arg("-o").args([binary, source]);
    command.status().expect("dtc").success()
}

/// Inputs that are neither a platform nor a device tree, with their messages.
#[test]
fn bad_files_have_stored_messages() {
    let good = "platform: mine\ntitle: My board\nvendor: Me\nlegend:\n  - { name: note, title: a note }\n\
        instances:\n  - name: cci\n    ip: { value: cci400, from: [note] }\n    base: { value: 0xFD6E_0000, from: [note] }\n";
    let tree = fs::read(place("tests/trees/core.dtb")).expect("a tree");
    let long = vec![b'#'; (16 << 20) + 1];
    let all: &[(&str, &str, Vec<u8>)] = &[
        ("an empty file", "mine.yaml", Vec::new()),
        ("a binary file", "mine.yaml", tree.clone()),
        ("a file in Latin-1", "mine.yaml", b"platform: mine\ntitle: Gr\xFC\xDFe\n".to_vec()),
        ("a file that is too long", "mine.yaml", long.clone()),
        ("a file that is not YAML", "mine.yaml", b"platform: [mine\n".to_vec()),
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
        let command = &mut program::command();
        let (status, out, text) = program::run(command.args(&arguments).current_dir(&folder));
        assert_eq!((status, out.as_str()), (2, ""), "{what}: {text}");
        let _ = write!(stored, "# {what}\n$ arm-pmu {}\n{text}\n", arguments.join(" "));
        fs::remove_file(&path).expect("the file");
    }
    compare("bad-files.txt", &stored);
    // Line ends of Windows and a byte order mark are accepted.
    let path = folder.join("mine.yaml");
    fs::write(&path, format!("\u{feff}{}", good.replace('\n', "\r\n"))).expect("a file");
    let (status, _, error) = run(&["platform", path.to_str().expect("a path")]);
    assert_eq!(status, 0, "{error}");
}

#[test]
fn stored_blobs_match_their_sources() {
    if !has_dtc() {
        return;
    }
    let mut compared = 0;
    for file in fs::read_dir(place("tests/trees")).expect("a folder") {
        let blob = file.expect("a file").path();
        if blob.extension().is_some_and(|ending| ending == "dtb") {
            let made = scratch("made.dtb");
            assert!(dtc(&[], &blob.with_extension("dts"), &made), "{}", blob.display());
            let [made, stored] = [made, blob.clone()].map(|file| fs::read(file).expect("a blob"));
            assert!(made == stored, "{} is old", blob.display());
            compared += 1;
        }
    }
    assert!(compared > 5, "{compared}");
}

/// A board with all nodes that printed device trees refer to.
const BOARD: &str = "/dts-v1/;\n/ {\n#address-cells = <2>; #size-cells = <2>; interrupt-parent = <&gic>;\n\
gic: interrupt-controller@1000 { compatible = \"arm,cortex-a9-gic\"; #interrupt-cells = <3>; interrupt-controller; reg = <0 0x1000 0 0x1000>; };\n\
cci: cci@2000 { reg = <0 0x2000 0 0x1000>; status = \"disabled\"; };\n};\n";

/// Returns the output of `arm-pmu device-tree`, and checks that dtc compiles it.
fn printed(name: &str) -> String {
    let (status, out, error) = run(&["device-tree", name]);
    assert_eq!(status, 0, "{name}: {error}");
    if has_dtc() {
        let (source, binary) = (scratch("board.dts"), scratch("board.dtb"));
        let labels: BTreeSet<&str> = out
            .split('&')
            .skip(1)
            .filter_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_').next())
            .filter(|label| !label.is_empty() && !BOARD.contains(&format!("\n{label}:")))
            .filter(|label| !out.contains(&format!("{label}: ")))
            .collect();
        let cores: String =
            labels.iter().map(|label| format!("{label}: {label} {{ }};\n")).collect();
        fs::write(&source, format!("{BOARD}/ {{\n{cores}}};\n{out}")).expect("a file");
        assert!(dtc(&[], &source, &binary), "{name}: {out}");
        let (status, overlay, _) = run(&["device-tree", name, "--overlay"]);
        fs::write(&source, overlay).expect("a file");
        assert!(status == 1 || dtc(&["-@"], &source, &binary), "{name}: {out}");
        assert_eq!(status == 0, out.contains('{'), "{name}: {out}");
    }
    out
}

/// `platform new` must find each core by the node that `device-tree` prints.
#[test]
fn the_node_of_every_core_is_found_again() {
    let mut found = 0;
    for pmu in Pmu::all().filter(|pmu| pmu.is_processor()) {
        // Some kernel bindings have one node for all cores of a kind, others a node for each core.
        let (kind, numbers, nodes): (_, _, &[&str]) = match pmu.ip.space {
            Space::System => ("ppi", "[7]", &["interrupts = <1 7 4>;\n"]),
            _ => (
                "spi",
                "[5, 6]",
                &["interrupts = <0 5 4>,\n", "<0 6 4>;\n", "One interrupt for each core"],
            ),
        };
        let ip = format!("ip: {{ value: {}, from: [me] }}", pmu.ip.name);
        // For a core without a table, `ip` is its architecture.
        let core = if pmu.is_of_any_core() { "    core: Cortex-X4\n" } else { "" };
        let unit = pmu.unit.map_or(String::new(), |unit| {
            format!("    unit: {{ value: {}, from: [me] }}\n", unit.name)
        });
        let text = format!(
            "platform: one-core\ntitle: One core\nvendor: none\nlegend:\n  - {{ name: me, title: a test }}\n\
             instances:\n  - name: core\n    {ip}\n{core}{unit}\
             \x20   interrupts: {{ controller: {kind}, numbers: {numbers}, trigger: level_high, from: [me] }}\n"
        );
        let file = scratch("one-core.yaml");
        fs::write(&file, text).expect("a file");
        let path = file.to_str().expect("a path");
        let (status, out, error) = run(&["device-tree", path]);
        if status == 1 && error.contains("Linux has no driver") {
            continue;
        }
        // The generic node `arm,armv8-pmuv3` does not name the core.
        if out.contains("arm,armv8-pmuv3") {
            continue;
        }
        assert!(nodes.iter().all(|text| out.contains(text)), "{pmu}: {out}{error}");
        found += 1;
        if has_dtc() {
            let (source, binary) = (scratch("one-core.dts"), scratch("one-core.dtb"));
            fs::write(&source, format!("{BOARD}{out}")).expect("a file");
            assert!(dtc(&[], &source, &binary), "{pmu}: {out}");
            let from = binary.to_str().expect("a path");
            let (status, again, error) = run(&["platform", "new", "--from", from]);
            assert_eq!(status, 0, "{error}");
            assert!(again.contains(&format!("ip: {{ value: {},", pmu.ip.name)), "{pmu}: {again}");
            let same = format!("controller: {kind}, numbers: {numbers}");
            assert!(again.contains(&same), "{pmu}: {again}");
        }
    }
    assert!(found >= 7, "{found}");
}

/// A platform's output is stored only if it has a word that earlier outputs do not have.
#[test]
fn the_additions_to_device_trees_are_stored() {
    let (mut all, mut seen) = (String::new(), BTreeSet::new());
    for platform in arm_pmu_tables::PLATFORMS {
        // A second chip, or a further root complex, would add only the same lines with other
        // numbers.
        let many = platform.instances.len() > 8;
        let name = match platform.instances {
            [first, ..] if many => format!("{}:{}", platform.name, first.name),
            _ => platform.name.to_owned(),
        };
        let out = printed(&name);
        // The first line is the title.
        let words = out.lines().skip(1).flat_map(str::split_whitespace);
        let words = words.map(|word| word.trim_end_matches([',', '.', ';']));
        let words = words.filter(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()));
        if words.filter(|word| seen.insert((*word).to_owned())).count() > 0 {
            let _ = write!(all, "$ arm-pmu device-tree {name}\n{out}\n");
        }
        if many {
            printed(platform.name);
        }
    }
    compare("device-trees.txt", &all);
    // `cargo xtask linux test` boots these device trees.
    for name in ["bench-each", "bench-combined", "bench-unknown", "bench-clusters"] {
        let path = place("tests/bench").join(name).with_extension("yaml");
        compare(&format!("bench/{name}.dts"), &printed(path.to_str().expect("a path")));
    }
    compare("bench/versal.dts", &printed("versal"));
}
