//! Output with a closed reader, as in `cargo xtask gen --timings | head -1`, or that cannot be
//! written.

mod workspace;

use std::fs;
use std::io::{Read as _, pipe};
use std::process::Stdio;

use workspace::{GENERATED, Workspace};

/// Runs the program with a standard output that nothing reads. Returns its status and its error output.
fn unread(workspace: &Workspace, arguments: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let mut command = workspace.command(arguments);
    let output = command.stdout(writer).stderr(Stdio::piped()).output().expect("to run xtask");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let workspace = Workspace::new();
    for arguments in [&["gen", "--timings"][..], &["gen", "--check"]] {
        let result = unread(&workspace, arguments);
        assert_eq!(result, (Some(0), String::new()), "{arguments:?}");
    }
    // Printing ended early, and the work did not.
    assert!(workspace.path(&format!("{GENERATED}/registers.rs")).is_file());
    let (status, error) = unread(&workspace, &["gen", "nothing-of-this-name"]);
    assert!(status == Some(1) && !error.is_empty(), "{status:?}: {error}");
}

#[test]
fn unread_errors_do_not_change_the_status() {
    let workspace = Workspace::new();
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let mut command = workspace.command(&["gen", "nothing"]);
    command.stdout(writer.try_clone().expect("a pipe")).stderr(writer);
    assert_eq!(command.status().expect("to run xtask").code(), Some(1));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    let workspace = Workspace::new();
    let full = fs::File::options().write(true).open("/dev/full").expect("the device");
    let mut command = workspace.command(&["gen"]);
    let (mut reader, writer) = pipe().expect("a pipe");
    let status = command.stdout(full).stderr(writer).status().expect("to run xtask");
    drop(command);
    let mut error = String::new();
    reader.read_to_string(&mut error).expect("text");
    assert_eq!(status.code(), Some(1), "{error}");
    assert!(error.starts_with("cannot print: ") && !error.contains("panicked"), "{error}");
}
