//! The task `new`, in a copy of this workspace.

mod workspace;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use workspace::{Workspace, walk};

/// Variables of Cargo that contain a path in a workspace: a build that uses one belongs to that workspace. Cargo does
/// not detect this, so each file that names such a variable gets a newer modification time in the copy.
const OF_A_PLACE: [&str; 3] = ["CARGO_MANIFEST_DIR", "CARGO_BIN_EXE", "CARGO_TARGET_TMPDIR"];

/// Takes over the workspace's builds, so that Cargo builds only new and changed files, and what depends on them. Cargo
/// compares the modification times of files, and files in the copy keep their times.
fn take_over_builds(copy: &Workspace) {
    walk(&copy.path(""), &mut |path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        if OF_A_PLACE.iter().any(|variable| text.contains(variable)) {
            let file = fs::File::options().write(true).open(path).expect("to open");
            file.set_modified(SystemTime::now()).expect("to set the time");
        }
    });
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("debug");
    // This is Cargo's own lock: while it is held, nothing is built in the directory that is copied.
    let lock = fs::File::open(built.join(".cargo-lock")).expect("a lock");
    lock.lock().expect("to lock");
    let to = copy.path("target/debug");
    fs::create_dir_all(&to).expect("to make a directory");
    for part in [".fingerprint", "build", "deps", "examples"] {
        let mut command = Command::new("cp");
        command.args(["--archive", "--reflink=auto"]).arg(built.join(part)).arg(&to);
        assert!(command.status().expect("to run cp").success(), "{part}");
    }
    // Cargo stores paths below the build directory as relative paths, and in CI the Cargo home is below that directory.
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
    let output = command.output().expect("to run cargo");
    let (out, error) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let warned = error.lines().any(|line| line.starts_with("warning"));
    let passed = output.status.success() && !warned;
    assert!(passed, "cargo {}\n{out}\n{error}", arguments.join(" "));
}

/// Returns the crates that do not mention these IPs.
fn crates_without(copy: &Workspace, ips: &[&str]) -> Vec<String> {
    let ips: Vec<_> = ips.iter().flat_map(|ip| [(*ip).to_owned(), ip.replace('-', "_")]).collect();
    let mut names = Vec::new();
    for entry in fs::read_dir(copy.path("crates")).expect("to list") {
        let directory = entry.expect("an entry").path();
        let mut is_named = false;
        walk(&directory, &mut |path| {
            // Licenses are skipped: they have no extension, and contain the word `union`.
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

/// IPs for the copy, with their options: one has its own driver, and the others have different architectures. The
/// second name is a prefix of the first name. The last two names are more likely to cause trouble: the type (`Cci600`)
/// and the constant (`CCI_600`) of `cci-600` differ in more than case, and `a-1-b2` comes before all other IPs in the
/// alphabet.
const ADDED: [(&str, &[&str]); 4] = [
    ("added-by-tests-600", &["--title", "CoreLink Made-up 600"]),
    ("added-by-tests-6", &["--architecture", "arm-pmuv3"]),
    ("cci-600", &["--architecture", "cci5xx"]),
    ("a-1-b2", &["--architecture", "armv7-pmu"]),
];

/// Generates the new IPs and runs the tests of their crates. This is a separate step of `cargo xtask ci`, because it
/// builds core and the simulated devices again in the copy. If the environment variable `ALL_TESTS` is set, as by a
/// step that runs on request, the tests of all packages that name a new IP run too, and clippy and rustdoc check these
/// packages with the format features.
#[test]
#[ignore = "takes minutes: a step of `cargo xtask ci`"]
fn new_ips_are_generated_and_all_tests_pass() {
    let copy = Workspace::copied();
    take_over_builds(&copy);
    let names = ADDED.map(|(name, _)| name);
    for (name, options) in ADDED {
        let before = copy.state();
        copy.ok(&[&["new", name], options].concat());
        // The names of the template have all been replaced.
        for (path, ..) in copy.state().iter().filter(|one| !before.contains(one)) {
            let text = fs::read_to_string(copy.path(path)).unwrap_or_default();
            assert!(!(path.clone() + &text).to_lowercase().contains("skeleton"), "{path}");
        }
    }
    copy.ok(&["gen"]);
    copy.ok(&["gen", "--check"]);
    assert!(copy.read(&format!("crates/{}/LICENSE-MIT", names[0])).contains("MIT"));
    cargo(&copy, &["fmt"]);
    let packages = names.iter().flat_map(|name| ["--package", name]).collect::<Vec<_>>();
    // Crates of existing IPs with the same architecture are not rewritten, so they do not contain the new names. The
    // crate `arm-pmu-core` has the names of all products.
    let alone = crates_without(&copy, &names);
    for ip in ["cci550", "cortex-a8"] {
        assert!(alone.iter().any(|name| name == ip), "{ip} names a new IP: {alone:?}");
    }
    if std::env::var_os("ALL_TESTS").is_some() {
        let others = alone.iter().flat_map(|name| ["--exclude", name]).collect::<Vec<_>>();
        // The IPs of the skipped test would share registers with the new IPs, because both have the
        // template's values.
        let skip = ["--", "--skip", "an_implementation_has_only_the_promised_files"];
        cargo(&copy, &[&["test", "--no-fail-fast", "--workspace"], &others[..], &skip].concat());
        let devices = ["--package", "arm-pmu-sim", "--all-targets"];
        cargo(&copy, &[&["clippy"], &packages[..], &devices].concat());
        cargo(&copy, &[&["doc", "--no-deps"], &packages[..]].concat());
        cargo(&copy, &[&["check", "--features", "defmt,serde"], &packages[..]].concat());
    } else {
        // The parser `syn` is built again here, because the workspace has built it with other features. Optimizing it
        // would cost more than it saves.
        let slow = ["--config", "profile.dev.package.\"syn@3\".opt-level=0"];
        cargo(&copy, &[&["test", "--no-fail-fast"], &slow[..], &packages].concat());
    }
}

#[test]
fn refused_names_change_nothing() {
    let copy = Workspace::copied();
    fs::create_dir(copy.path("specs/left-over")).expect("to make a directory");
    let registers = "specs/armv7-pmu/registers.yaml";
    copy.write(registers, &copy.read(registers).replace("\nothers:\n", "\nothers: \n"));
    let before = copy.state();
    for (arguments, expected) in [
        (&["cci550"][..], "the name `cci550` is taken: there is specs/cci550"),
        (&["left-over"], "there is specs/left-over"),
        (&["arm-pmu-core"], "there is crates/arm-pmu-core"),
        (&["cci"], "there is crates/arm-pmu-sim/src/cci.rs"),
        (&["cp15"], "there is crates/arm-pmu-sim/src/cp15"),
        (&["proptest"], "a package in Cargo.lock"),
        (&["../made-up"], "cannot be the name of an IP"),
        (&["match"], "it is a word of Rust, Cargo or YAML; choose another, as in `match-pmu`"),
        (&["new-1", "--title", "\""], "cannot be a title"),
        (&["new-1", "--architecture", "cci5x"], "no architecture `cci5x`; did you mean `cci5xx`?"),
        (&["new-1", "--architecture", "cci550"], "there is no architecture `cci550`; "),
        (&["new-1", "--architecture", "../cci5xx"], "there is no architecture `../cci5xx`; "),
        (&["new-1", "--architecture", ""], "there is no architecture ``; known: `"),
        (&["cci550", "--architecture", "cci5xx"], "there is specs/cci550"),
        (
            &["new-1", "--architecture", "armv7-pmu"],
            "registers.yaml must contain exactly once: others:",
        ),
    ] {
        let error = copy.fails(&[&["new"], arguments].concat());
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert_eq!(copy.state(), before, "{arguments:?}");
    }
}

/// The hand-written files of an IP with a known architecture, as CONTRIBUTING.md promises. `gen` makes the rest, with
/// registers of the architecture.
#[test]
fn an_implementation_has_only_the_promised_files() {
    let copy = Workspace::copied();
    let new = [
        ("new-1", "cci5xx", "PID0", "0xFF"),
        ("new-2", "armv7-pmu", "PMCR", "0x41FF2000"),
        ("new-3", "arm-pmuv3", "PMCR_EL0", "0x41FF3000"),
    ];
    for (name, architecture, ..) in new {
        let before = copy.state();
        copy.ok(&["new", name, "--architecture", architecture]);
        let after = copy.state();
        let is_file = |path: &String| copy.path(path).is_file() && !path.ends_with("Cargo.toml");
        let files = after.iter().filter(|one| !before.contains(one)).map(|(path, ..)| path);
        let files: BTreeSet<_> = files.filter(|path| is_file(path)).cloned().collect();
        let module = name.replace('-', "_");
        let mut wanted = BTreeSet::from([
            format!("crates/arm-pmu-sim/src/{module}.rs"),
            format!("specs/{architecture}/registers.yaml"),
            format!("specs/{name}/events.yaml"),
        ]);
        // A simulated core with PMUv3 has the events of the manual.
        if architecture != "arm-pmuv3" {
            wanted.insert(format!("crates/{name}/tests/manual.rs"));
        }
        assert_eq!(files, wanted, "{architecture}");
    }
    copy.ok(&["gen"]);
    copy.ok(&["gen", "--check"]);
    for (name, _, register, reset) in new {
        let module = name.replace('-', "_");
        let tables = copy.read(&format!("crates/arm-pmu-tables/src/generated/{module}.rs"));
        let (_, register) = tables.split_once(&format!("registers::{register}")).expect("it");
        let (register, _) = register.split_once("registers::").unwrap_or((register, ""));
        assert!(register.contains(&format!("Reset::to({reset}, ")), "{register}");
    }
}
