//! The task `new`, in a copy of this workspace.

mod workspace;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use workspace::{Workspace, walk};

/// Variables of Cargo that contain a path in a workspace: a build that uses one belongs to that workspace. Cargo does
/// not see this, so a file that names one of them gets a newer time in the copy.
const OF_A_PLACE: [&str; 3] = ["CARGO_MANIFEST_DIR", "CARGO_BIN_EXE", "CARGO_TARGET_TMPDIR"];

/// How often each file contains one of the template's names.
fn names_of_template(copy: &Workspace) -> BTreeMap<PathBuf, usize> {
    let names = ["skeleton-ip", "skeleton_ip", "SkeletonIp", "SKELETON IP", "SKELETON_IP"];
    let mut found = BTreeMap::new();
    walk(&copy.path(""), &mut |path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let count = names.iter().map(|name| text.matches(name).count()).sum();
        found.insert(path.to_owned(), count);
    });
    found
}

/// Takes over the workspace's builds, so that Cargo builds only new and changed files and their users. Cargo compares
/// times, and the copy keeps the times of the workspace.
fn take_over_builds(copy: &Workspace) {
    walk(&copy.path(""), &mut |path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        if OF_A_PLACE.iter().any(|variable| text.contains(variable)) {
            let file = fs::File::options().write(true).open(path).expect("to open");
            file.set_modified(SystemTime::now()).expect("to set the time");
        }
    });
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("debug");
    // Cargo's own lock: nothing is built there during the copy.
    let lock = fs::File::open(built.join(".cargo-lock")).expect("a lock");
    lock.lock().expect("to lock");
    let to = copy.path("target/debug");
    fs::create_dir_all(&to).expect("to make a directory");
    for part in [".fingerprint", "build", "deps", "examples"] {
        let mut command = Command::new("cp");
        command.args(["--archive", "--reflink=auto"]).arg(built.join(part)).arg(&to);
        assert!(command.status().expect("to run cp").success(), "{part}");
    }
    // Cargo names a file below the directory of builds by its path there, and in CI its downloads are there.
    if let (Ok(home), Some(builds)) = (std::env::var("CARGO_HOME"), built.parent())
        && let Ok(below) = Path::new(&home).strip_prefix(builds)
    {
        let link = copy.path("target").join(below);
        fs::create_dir_all(link.parent().expect("a directory")).expect("to make it");
        std::os::unix::fs::symlink(&home, link).expect("to make a link");
    }
}

/// Runs cargo, and refuses warnings of the compiler: they are mistakes in the template.
fn cargo(copy: &Workspace, arguments: &[&str]) {
    let mut command = Command::new(std::env::var_os("CARGO").expect("cargo runs this"));
    // `cargo fmt` knows no `--offline`.
    let offline = (arguments[0] != "fmt").then_some("--offline");
    command.args(offline).args(arguments).current_dir(copy.path(""));
    command.env("CARGO_TARGET_DIR", copy.path("target"));
    // New names do not need more random cases.
    command.env("PROPTEST_CASES", "16");
    let output = command.output().expect("to run cargo");
    let (out, error) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let warned = error.lines().any(|line| line.starts_with("warning"));
    let passed = output.status.success() && !warned;
    assert!(passed, "cargo {}\n{out}\n{error}", arguments.join(" "));
}

/// The names of the test files of these crates.
fn test_files<'n>(copy: &Workspace, crates: impl Iterator<Item = &'n str>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for name in crates {
        for entry in fs::read_dir(copy.path(&format!("crates/{name}/tests"))).expect("to list") {
            let path = entry.expect("an entry").path();
            let is_test = path.extension().is_some_and(|extension| extension == "rs")
                || path.join("main.rs").is_file();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            names.extend(is_test.then_some(name));
        }
    }
    names
}

/// The crates without a mention of these IPs.
fn crates_without(copy: &Workspace, ips: &[&str]) -> Vec<String> {
    let ips: Vec<_> = ips.iter().flat_map(|ip| [(*ip).to_owned(), ip.replace('-', "_")]).collect();
    let mut names = Vec::new();
    for entry in fs::read_dir(copy.path("crates")).expect("to list") {
        let directory = entry.expect("an entry").path();
        let mut is_named = false;
        walk(&directory, &mut |path| {
            // Licenses, which have no extension, say `union`.
            if path.extension().is_some() {
                let text = fs::read_to_string(path).unwrap_or_default();
                is_named |= ips.iter().any(|ip| text.contains(ip));
            }
        });
        let name = directory.file_name().expect("a name").to_string_lossy().into_owned();
        names.extend((!is_named).then_some(name));
    }
    names
}

/// A name that no IP has, in the form of a real name such as `cci-600`.
const NEW: &str = "made-up-by-tests-600";

/// The first IPs that are added to the copy. Tests that run in the copy use [`NEW`]. The second name is part of
/// the first.
const ADDED: [&str; 2] = ["added-by-tests-600", "added-by-tests-6"];

/// Names of IPs that cause trouble more easily than others: a type (`Cci600`) and a constant (`CCI_600`) differ in
/// more than case, and one name is the first of all IPs in the alphabet.
const AWKWARD: [&str; 2] = ["cci-600", "a-1-b2"];

/// Packages other than the crates of IPs whose tests pass after each step, as CONTRIBUTING.md says.
const DEVICES_AND_TABLES: [&str; 2] = ["arm-pmu-sim", "arm-pmu-tables"];

/// The options of `new` for one of these IPs: they have different architectures, and one has its own driver.
fn form(name: &str) -> &'static [&'static str] {
    match name {
        "cci-600" => &["--architecture", "cci5xx"],
        "a-1-b2" => &["--architecture", "armv7-pmu"],
        "added-by-tests-6" => &["--architecture", "arm-pmuv3"],
        _ => &[],
    }
}

/// A separate step of `cargo xtask ci`, because it builds much of the workspace again in the copy: tests of the new
/// crates, the simulated devices and the tables. With the variable `ALL_TESTS`, which a step on request sets, the
/// tests of all packages that name one of the new IPs are run, and their crates are checked with formats and by
/// clippy and rustdoc.
#[test]
#[ignore = "takes minutes: a step of `cargo xtask ci`"]
fn new_ips_are_generated_and_all_tests_pass() {
    let copy = Workspace::copied();
    take_over_builds(&copy);
    let before = names_of_template(&copy);
    let [first, _] = ADDED;
    copy.ok(&["new", first, "--title", "CoreLink Made-up 600"]);
    copy.ok(&["gen"]);
    copy.ok(&["gen", "--check"]);
    assert!(copy.read(&format!("crates/{first}/LICENSE-MIT")).contains("MIT"));
    // The names of the template have all been replaced.
    for (path, count) in names_of_template(&copy) {
        let known = before.get(&path).copied().unwrap_or_default();
        assert_eq!(count, known, "{}", path.display());
    }
    // Names that no IP of this workspace has.
    let is_free = |name: &&str| !copy.path("specs").join(name).exists();
    let awkward = AWKWARD.iter().copied().filter(is_free);
    let names: Vec<&str> = ADDED.into_iter().chain(awkward).collect();
    for name in &names[1..] {
        copy.ok(&[&["new", name], form(name)].concat());
    }
    copy.ok(&["gen"]);
    copy.ok(&["gen", "--check"]);
    cargo(&copy, &["fmt"]);
    let packages: Vec<_> = names.iter().flat_map(|name| ["--package", name]).collect();
    // A crate without the new names is unchanged: no IP of the same architecture is rewritten. The core has the names
    // of all products.
    let alone = crates_without(&copy, &names);
    for ip in ["cci550", "cortex-a8"] {
        assert!(alone.iter().any(|name| name == ip), "{ip} names a new IP: {alone:?}");
    }
    let all_tests = std::env::var_os("ALL_TESTS").is_some();
    let mut test = vec!["test", "--no-fail-fast"];
    if all_tests {
        test.push("--workspace");
        test.extend(alone.iter().flat_map(|name| ["--exclude", name]));
        cargo(&copy, &test);
    } else {
        // Optimizing a parser, which the workspace has built with other features, would cost more than it saves.
        test.extend(["--config", "profile.dev.package.\"syn@3\".opt-level=0"]);
        test.extend(packages.iter().copied());
        test.extend(DEVICES_AND_TABLES.iter().flat_map(|name| ["--package", name]));
        cargo(&copy, &[&test[..], &["--doc"]].concat());
        test.extend(["--lib", "--examples"]);
        let files = test_files(&copy, names.iter().copied().chain(DEVICES_AND_TABLES));
        test.extend(files.iter().flat_map(|name| ["--test", name]));
        cargo(&copy, &test);
    }
    if all_tests {
        let devices = ["--package", "arm-pmu-sim", "--all-targets"];
        cargo(&copy, &[&["clippy"], &packages[..], &devices].concat());
        cargo(&copy, &[&["doc", "--no-deps"], &packages[..]].concat());
        cargo(&copy, &[&["check", "--features", "defmt,serde"], &packages[..]].concat());
    }
}

#[test]
fn taken_and_invalid_names_change_nothing() {
    let copy = Workspace::copied();
    fs::create_dir(copy.path("specs/left-over")).expect("to make a directory");
    let before = copy.state();
    for (name, expected) in [
        ("cci550", "the name `cci550` is taken: there is specs/cci550"),
        ("left-over", "there is specs/left-over"),
        ("arm-pmu-core", "there is crates/arm-pmu-core"),
        ("cci", "there is crates/arm-pmu-sim/src/cci.rs"),
        ("cp15", "there is crates/arm-pmu-sim/src/cp15"),
        ("xtask", "in Cargo.lock"),
        ("proptest", "a package in Cargo.lock"),
        ("Made-up", "cannot be the name of an IP"),
        ("made_up", "cannot be the name of an IP"),
        ("../made-up", "cannot be the name of an IP"),
        ("match", "it is a word of Rust, Cargo or YAML; choose another, as in `match-pmu`"),
    ] {
        let error = copy.fails(&["new", name]);
        assert!(error.contains(expected), "{name}: {error}");
        assert_eq!(copy.state(), before, "{name}");
    }
    let error = copy.fails(&["new", NEW, "--title", "\""]);
    assert!(error.contains("cannot be a title"), "{error}");
    assert_eq!(copy.state(), before);
}

#[test]
fn unknown_architectures_and_their_taken_names_change_nothing() {
    let copy = Workspace::copied();
    let before = copy.state();
    for (name, architecture, expected) in [
        (NEW, "cci5x", "there is no architecture `cci5x`; did you mean `cci5xx`?"),
        (NEW, "cci550", "there is no architecture `cci550`; "),
        (NEW, "../cci5xx", "there is no architecture `../cci5xx`; "),
        (NEW, "", "there is no architecture ``; known: `"),
        ("cci550", "cci5xx", "there is specs/cci550"),
    ] {
        let error = copy.fails(&["new", name, "--architecture", architecture]);
        assert!(error.contains(expected), "{name}, {architecture}: {error}");
        assert_eq!(copy.state(), before, "{name}, {architecture}");
    }
}

/// The hand-written files of an IP with a known architecture, as CONTRIBUTING.md promises. `gen` makes the rest, with
/// registers of the architecture.
#[test]
fn an_implementation_is_four_files() {
    for (architecture, register, reset) in [
        ("cci5xx", "PID0", "0xFF"),
        ("armv7-pmu", "PMCR", "0x41FF2000"),
        ("arm-pmuv3", "PMCR_EL0", "0x41FF3000"),
    ] {
        let copy = Workspace::copied();
        let before = copy.state();
        copy.ok(&["new", NEW, "--architecture", architecture]);
        let after = copy.state();
        let is_file = |path: &String| copy.path(path).is_file() && !path.ends_with("Cargo.toml");
        let files = after.iter().filter(|one| !before.contains(one)).map(|(path, ..)| path);
        let mut files: Vec<_> = files.filter(|path| is_file(path)).collect();
        files.sort();
        let module = NEW.replace('-', "_");
        let wanted = [
            format!("crates/arm-pmu-sim/src/{module}.rs"),
            format!("crates/{NEW}/tests/manual.rs"),
            format!("specs/{architecture}/registers.yaml"),
            format!("specs/{NEW}/events.yaml"),
        ];
        let mut wanted = wanted.each_ref();
        wanted.sort();
        assert_eq!(files, wanted, "{architecture}");
        copy.ok(&["gen"]);
        copy.ok(&["gen", "--check"]);
        let made = |path: &str| copy.path(path).exists();
        assert!(!made(&format!("crates/{NEW}/src/hardware.rs")));
        assert!(made(&format!("crates/{NEW}/src/generated/pmu.rs")));
        assert!(made(&format!("crates/{architecture}/src/generated/{module}/registers.rs")));
        let tables = copy.read(&format!("crates/arm-pmu-tables/src/generated/{module}.rs"));
        let (_, register) = tables.split_once(&format!("registers::{register}")).expect("it");
        let (register, _) = register.split_once("registers::").unwrap_or((register, ""));
        assert!(register.contains(&format!("Reset::to({reset}, ")), "{register}");
    }
}

#[test]
fn a_missing_place_changes_nothing() {
    let copy = Workspace::copied();
    let path = "specs/cci5xx/registers.yaml";
    fs::write(copy.path(path), copy.read(path).replace("\nlegend:\n", "\nlegend: \n"))
        .expect("to write");
    let before = copy.state();
    let error = copy.fails(&["new", NEW, "--architecture", "cci5xx"]);
    assert!(error.contains(&format!("{path} does not have once: legend:")), "{error}");
    assert_eq!(copy.state(), before);
}
