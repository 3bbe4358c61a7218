//! The program under test: built by Cargo, or given by a variable.
//!
//! `cargo xtask ci` sets `ARM_PMU_PROGRAM`: for one run to the installed program, and for others to a program for
//! another processor. For other processors, `ARM_PMU_EMULATOR` is the command that runs the program: `qemu-arm -cpu
//! arm1176`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn path() -> PathBuf {
    std::env::var_os("ARM_PMU_PROGRAM")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_arm-pmu")), PathBuf::from)
}

/// A command that runs the program.
pub fn command() -> Command {
    let Ok(emulator) = std::env::var("ARM_PMU_EMULATOR") else { return Command::new(path()) };
    let mut words = emulator.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(path());
    command
}

/// A file or folder of this package.
#[allow(dead_code)]
pub fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Runs the program in an empty directory, because it must not need a checkout.
#[allow(dead_code)]
pub fn with(arguments: &[&str]) -> Command {
    let mut command = command();
    command.args(arguments).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    command.current_dir(empty_directory());
    command
}

/// Runs a command. Returns its exit status, output and errors.
#[allow(dead_code)]
pub fn run(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("a run");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code().expect("an exit status"), text(stdout), text(stderr))
}

#[allow(dead_code)]
pub fn empty_directory() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
    std::fs::create_dir_all(&directory).expect("a directory");
    let files = directory.read_dir().expect("a directory").count();
    assert_eq!(files, 0, "something was written to {}", directory.display());
    directory
}
