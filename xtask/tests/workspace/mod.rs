//! A workspace in a temporary directory, with a made-up IP, most often `demo`.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use tempfile::TempDir;

/// Where the generated files of the IP belong.
pub const GENERATED: &str = "crates/demo/src/generated";

/// Where its tables belong.
pub const TABLES: &str = "crates/arm-pmu-tables/src/generated";

/// The specs of an IP.
const SPECS: [&str; 5] =
    ["registers.yaml", "events.yaml", "metrics.yaml", "aliases.yaml", "findings.yaml"];

/// Where the schemas belong.
pub const SCHEMAS: &str = "specs/schema";

pub struct Workspace {
    root: TempDir,
}

/// A file or directory: its path, when it was changed, and its bytes.
pub type State = Vec<(String, SystemTime, Vec<u8>)>;

impl Workspace {
    /// Specs and an empty crate.
    pub fn new() -> Self {
        Self::of("demo")
    }

    /// The workspace of another made-up IP.
    pub fn of(name: &str) -> Self {
        let workspace = Self { root: tempfile::tempdir().expect("a temporary directory") };
        let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good").join(name);
        let common = fs::read_to_string(good.with_file_name("findings.yaml")).expect("a good spec");
        workspace.write("specs/findings.yaml", &common);
        for file in SPECS {
            // An IP need not have aliases.
            let path = good.join(file);
            if path.exists() {
                let text = fs::read_to_string(path).expect("a good spec");
                workspace.write(&format!("specs/{name}/{file}"), &text);
            }
        }
        workspace.write("crates/arm-pmu-tables/src/lib.rs", "mod generated;\n");
        workspace.write(&format!("crates/{name}/src/lib.rs"), "mod generated;\n");
        workspace
    }

    /// Same, with generated files.
    pub fn generated() -> Self {
        let workspace = Self::new();
        workspace.gen_ok(&[]);
        workspace
    }

    /// Another IP, of the same content.
    pub fn copy_ip(&self, name: &str) {
        for file in SPECS {
            let text = self.read(&format!("specs/demo/{file}"));
            let text = text.replace("ip: demo\n", &format!("ip: {name}\n"));
            let text = text.replace("title: DEMO-1 Example", &format!("title: {name} Example"));
            self.write(&format!("specs/{name}/{file}"), &text);
        }
        self.write(&format!("crates/{name}/src/lib.rs"), "mod generated;\n");
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// A path as messages show it.
    pub fn shown(&self, path: &str) -> String {
        self.path(path).display().to_string()
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("to read")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("to make a directory");
        fs::write(path, text).expect("to write");
    }

    /// Replaces `old`, which must occur exactly once, by `new`.
    pub fn change(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert_eq!(text.matches(old).count(), 1, "{old}");
        self.write(path, &text.replace(old, new));
    }

    /// The program, to be run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).arg("--root").arg(self.root.path()).current_dir(self.root.path());
        command
    }

    /// Runs the program.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("to run xtask")
    }

    /// Runs the program, which must succeed, and returns its output.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && error.is_empty(), "{}: {error}", output.status);
        String::from_utf8(output.stdout).expect("text")
    }

    /// Runs the program, which must fail, and returns its error output.
    pub fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(!error.contains("panicked"), "{error}");
        error
    }

    pub fn gen_ok(&self, arguments: &[&str]) -> String {
        self.ok(&[&["gen"], arguments].concat())
    }

    pub fn gen_fails(&self, arguments: &[&str]) -> String {
        self.fails(&[&["gen"], arguments].concat())
    }

    /// The paths of all files but the schemas.
    pub fn files(&self) -> Vec<String> {
        let state = self.state().into_iter().map(|(path, ..)| path);
        let of_ips = state.filter(|path| !path.starts_with(SCHEMAS));
        of_ips.filter(|path| self.path(path).is_file()).collect()
    }

    /// All files and directories, except those made by cargo.
    pub fn state(&self) -> State {
        let mut state = Vec::new();
        self.walk(self.root.path(), &mut state);
        state.sort();
        state
    }

    fn walk(&self, directory: &Path, state: &mut State) {
        for entry in fs::read_dir(directory).expect("to list") {
            let path = entry.expect("an entry").path();
            let shown = path.strip_prefix(self.root.path()).expect("to be inside");
            let shown = shown.to_string_lossy().replace('\\', "/");
            if shown == "target" {
                continue;
            }
            if path.is_dir() {
                state.push((shown, SystemTime::UNIX_EPOCH, Vec::new()));
                self.walk(&path, state);
            } else if path.is_file() {
                // Not a FIFO, which cannot be read.
                let changed = path.metadata().and_then(|m| m.modified()).expect("a time");
                state.push((shown, changed, fs::read(&path).expect("to read")));
            }
        }
    }
}
