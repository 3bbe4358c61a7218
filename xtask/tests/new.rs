//! The task `new`, in a copy of this workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A copy of this workspace, without what was built.
struct Copy {
    root: TempDir,
}

impl Copy {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a temporary directory");
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for part in ["Cargo.toml", "Cargo.lock", "README.md", "CHANGELOG.md", "rustfmt.toml"] {
            fs::copy(workspace.join(part), root.path().join(part)).expect("to copy");
        }
        for part in ["LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(workspace.join(part), root.path().join(part)).expect("to copy");
        }
        for part in ["crates", "specs", "xtask"] {
            copy(&workspace.join(part), &root.path().join(part));
        }
        Self { root }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("to read")
    }

    fn xtask(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        // From inside, by a relative path, as people may.
        command.args(arguments).args(["--root", "."]).current_dir(self.root.path());
        command.output().expect("to run xtask")
    }

    fn ok(&self, arguments: &[&str]) {
        let output = self.xtask(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn fails(&self, arguments: &[&str]) -> String {
        let output = self.xtask(arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    }

    /// Runs cargo, which finds here what it built for the last copy.
    fn cargo(&self, arguments: &[&str]) {
        let mut command = Command::new(std::env::var_os("CARGO").expect("cargo runs this"));
        command.args(arguments).arg("--offline").current_dir(self.root.path());
        command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("new"));
        // Warnings of the compiler are mistakes in the template.
        command.env("RUSTFLAGS", "--deny warnings");
        let output = command.output().expect("to run cargo");
        let (out, error) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "cargo {}\n{out}\n{error}", arguments.join(" "));
    }

    /// All files and links, with what is in them.
    fn state(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut state = Vec::new();
        walk(self.root.path(), &mut |path| {
            state.push((path.to_owned(), fs::read(path).unwrap_or_default()));
        });
        state.sort();
        state
    }
}

/// A directory with everything in it; links become what they lead to.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("to make a directory");
    for entry in fs::read_dir(from).expect("to list") {
        let from = entry.expect("an entry").path();
        let to = to.join(from.file_name().expect("a name"));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("to copy");
        }
    }
}

fn walk(directory: &Path, each: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(directory).expect("to list") {
        let path = entry.expect("an entry").path();
        each(&path);
        if path.is_dir() && !path.is_symlink() {
            walk(&path, each);
        }
    }
}

#[test]
#[ignore = "builds a second workspace: a step of `cargo xtask ci`"]
fn a_new_ip_is_generated_built_and_tested() {
    let copy = Copy::new();
    copy.ok(&["new", "cci-600", "--title", "CoreLink CCI-600"]);
    copy.ok(&["gen"]);
    copy.ok(&["gen", "--check"]);
    assert!(copy.read("crates/cci-600/LICENSE-MIT").contains("MIT"));
    // Outside of the template, nothing has its names.
    walk(copy.root.path(), &mut |path| {
        let names = ["skeleton-ip", "skeleton_ip", "SkeletonIp", "SKELETON IP", "SKELETON_IP"];
        let of_template = ["template", "new", "new.rs"];
        let text = fs::read_to_string(path).unwrap_or_default();
        let found = names.iter().any(|name| text.contains(name));
        let ours = path.iter().any(|part| of_template.iter().any(|known| part == *known));
        assert!(ours || !found, "{}", path.display());
    });
    // Without the messages of the compiler, which take longest: see below.
    let tests = ["--test", "driver", "--test", "manual", "--test", "probe"];
    copy.cargo(&[&["test", "--package", "cci-600"][..], &tests].concat());
    copy.cargo(&["check", "--package", "cci-600", "--features", "defmt,serde"]);
    // A second one beside it, whose name is in the name of others.
    copy.ok(&["new", "mmu6"]);
    copy.ok(&["gen"]);
    copy.cargo(&["check", "--package", "arm-pmu", "--package", "arm-pmu-sim"]);
}

/// A step of its own of `cargo xtask ci`, because this program is built again, in the copy.
#[test]
#[ignore = "takes minutes"]
fn all_tests_of_a_new_ip_pass() {
    let copy = Copy::new();
    copy.ok(&["new", "cci-600"]);
    copy.ok(&["gen"]);
    copy.cargo(&["test", "--package", "cci-600", "--package", "arm-pmu-sim"]);
    // That it is one of all: nothing that others print lists the IPs.
    copy.cargo(&["test", "--package", "arm-pmu"]);
    copy.cargo(&["test", "--package", "xtask", "--lib"]);
    copy.cargo(&["clippy", "--package", "cci-600", "--package", "arm-pmu-sim", "--all-targets"]);
    copy.cargo(&["check", "--package", "cci-600", "--features", "defmt,serde"]);
    copy.cargo(&["doc", "--package", "cci-600", "--package", "arm-pmu-sim", "--no-deps"]);
}

#[test]
fn names_that_are_taken_or_none_change_nothing() {
    let copy = Copy::new();
    fs::create_dir(copy.path("specs/left-over")).expect("to make a directory");
    let before = copy.state();
    for (name, expected) in [
        ("cci550", "the name `cci550` is taken: there is specs/cci550"),
        ("left-over", "there is specs/left-over"),
        ("arm-pmu-core", "there is crates/arm-pmu-core"),
        ("register-file", "there is crates/arm-pmu-sim/src/register_file.rs"),
        ("cp15", "there is crates/arm-pmu-sim/src/cp15"),
        ("cci", "there is crates/arm-pmu-sim/src/cci.rs"),
        ("firmware", "there is xtask/firmware"),
        ("xtask", "in Cargo.lock"),
        ("proptest", "a crate of this name in Cargo.lock"),
        ("cci-550", "there is `Cci550` in crates/arm-pmu-sim/src/lib.rs"),
        ("security", "there is `Security` in"),
        ("Cci600", "cannot be the name of an IP"),
        ("cci_600", "cannot be the name of an IP"),
        ("../cci600", "cannot be the name of an IP"),
        ("match", "in Rust it means something else"),
    ] {
        let error = copy.fails(&["new", name]);
        assert!(error.contains(expected), "{name}: {error}");
        assert_eq!(copy.state(), before, "{name}");
    }
    let error = copy.fails(&["new", "cci600", "--title", "\""]);
    assert!(error.contains("cannot be a title"), "{error}");
    assert_eq!(copy.state(), before);
}

#[test]
fn a_list_that_is_not_found_changes_nothing() {
    let copy = Copy::new();
    let path = "crates/arm-pmu/Cargo.toml";
    fs::write(copy.path(path), copy.read(path).replace("\n[dependencies]", "\n[ dependencies ]"))
        .expect("to write");
    let before = copy.state();
    let error = copy.fails(&["new", "cci600"]);
    assert!(error.contains(&format!("{path} has no list of IPs any more")), "{error}");
    assert!(error.contains("not once `[dependencies]`"), "{error}");
    assert_eq!(copy.state(), before);
    fs::remove_file(copy.path("CHANGELOG.md")).expect("to remove");
    fs::create_dir(copy.path("CHANGELOG.md")).expect("to make a directory");
    let error = copy.fails(&["new", "cci600"]);
    assert!(!copy.path("crates/cci600").exists() && !copy.path("specs/cci600").exists(), "{error}");
}
