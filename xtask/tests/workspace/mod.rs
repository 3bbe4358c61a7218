//! A workspace in a temporary directory. It is a copy of this workspace, or contains only a made-up IP, most often
//! `demo`.

#![allow(dead_code, reason = "not every test program uses all of these items")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use tempfile::TempDir;

/// Directory for the IP's generated files.
pub const GENERATED: &str = "crates/demo/src/generated";

/// Directory for the IP's tables.
pub const TABLES: &str = "crates/arm-pmu-tables/src/generated";

/// The specs of an IP.
const SPECS: [&str; 5] =
    ["registers.yaml", "events.yaml", "metrics.yaml", "aliases.yaml", "findings.yaml"];

fn good(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good").join(path)
}

pub struct Workspace {
    root: TempDir,
}

/// A file or directory: its path, when it was changed, and its length.
pub type State = Vec<(String, SystemTime, u64)>;

impl Workspace {
    /// Specs and an empty crate.
    pub fn new() -> Self {
        Self::of("demo")
    }

    /// The workspace of another made-up IP.
    pub fn of(name: &str) -> Self {
        let workspace = Self { root: tempfile::tempdir().expect("a temporary directory") };
        let common = fs::read_to_string(good("findings.yaml")).expect("a good spec");
        workspace.write("specs/findings.yaml", &common);
        workspace.write("crates/arm-pmu-tables/src/lib.rs", "mod generated;\n");
        workspace.add(name);
        workspace
    }

    /// Adds a made-up IP or architecture, with an empty crate.
    pub fn add(&self, name: &str) {
        for file in SPECS {
            // An IP need not have all of them.
            if let Ok(text) = fs::read_to_string(good(name).join(file)) {
                self.write(&format!("specs/{name}/{file}"), &text);
            }
        }
        self.write(&format!("crates/{name}/src/lib.rs"), "mod generated;\n");
    }

    /// A copy of this workspace, without builds.
    pub fn copied() -> Self {
        let root = tempfile::tempdir().expect("a temporary directory");
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for entry in fs::read_dir(&workspace).expect("to list") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            if name != "target" && !name.starts_with('.') {
                // The copy keeps the files' times, and replaces each link by the file that it leads
                // to.
                let mut copy = Command::new("cp");
                copy.args(["--recursive", "--preserve=timestamps", "--dereference"]);
                let status = copy.arg(&path).arg(root.path()).status();
                assert!(status.expect("to run cp").success(), "{name}");
            }
        }
        Self { root }
    }

    /// Same, with generated files.
    pub fn generated() -> Self {
        let workspace = Self::new();
        workspace.gen_ok(&[]);
        workspace
    }

    /// Adds another IP with the same specs.
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

    /// Runs the program inside the workspace, by a relative path. Returns its status, output and error output.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).args(["--root", "."]).current_dir(self.root.path());
        let output = command.output().expect("to run xtask");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// Runs the program, which must succeed, and returns its output.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let (status, output, error) = self.run(arguments);
        assert!(status == Some(0) && error.is_empty(), "{status:?}: {error}");
        output
    }

    /// Runs the program, which must fail, and returns its error output.
    pub fn fails(&self, arguments: &[&str]) -> String {
        let (status, output, error) = self.run(arguments);
        assert_eq!((status, &*output), (Some(1), ""), "{error}");
        assert!(!error.contains("panicked"), "{error}");
        error
    }

    pub fn gen_ok(&self, arguments: &[&str]) -> String {
        self.ok(&[&["gen"], arguments].concat())
    }

    pub fn gen_fails(&self, arguments: &[&str]) -> String {
        self.fails(&[&["gen"], arguments].concat())
    }

    /// All files and directories, except those made by cargo.
    pub fn state(&self) -> State {
        let mut state = Vec::new();
        let target = self.path("target");
        walk(self.root.path(), &mut |path| {
            if path.starts_with(&target) {
                return;
            }
            let of = path.metadata().expect("an entry");
            // The times of directories are omitted, because they also change when a temporary file
            // is created.
            let directory = (SystemTime::UNIX_EPOCH, 0);
            let file = || (of.modified().expect("a time"), of.len());
            let (changed, length) = if of.is_dir() { directory } else { file() };
            let shown = path.strip_prefix(self.root.path()).expect("to be inside");
            state.push((shown.to_string_lossy().replace('\\', "/"), changed, length));
        });
        state.sort();
        state
    }
}

/// Passes all files and directories below a directory to `each`.
pub fn walk(directory: &Path, each: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(directory).expect("to list") {
        let path = entry.expect("an entry").path();
        each(&path);
        if path.is_dir() && !path.is_symlink() {
            walk(&path, each);
        }
    }
}
