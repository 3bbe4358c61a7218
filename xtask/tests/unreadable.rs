//! Spec files that are no text, are not there, or cannot be shown in a file of their own.

mod workspace;

use std::fs;

use workspace::Workspace;

const REGISTERS: &str = "specs/demo/registers.yaml";
const EVENTS: &str = "specs/demo/events.yaml";

#[test]
fn a_missing_file_is_named() {
    let workspace = Workspace::new();
    fs::remove_file(workspace.path(EVENTS)).expect("to remove");
    let error = workspace.gen_fails(&[]);
    let lines: Vec<_> = error.lines().collect();
    let [why, "", "1 problem; nothing was written"] = lines[..] else { panic!("{error}") };
    assert!(why.starts_with("error: cannot read specs/demo/events.yaml: "), "{error}");
}

/// Without one there are no metrics; one that cannot be read is a mistake.
#[test]
#[cfg(unix)]
fn metrics_behind_a_broken_link_are_named() {
    const METRICS: &str = "specs/demo/metrics.yaml";
    let workspace = Workspace::new();
    fs::remove_file(workspace.path(METRICS)).expect("to remove");
    std::os::unix::fs::symlink("nowhere.yaml", workspace.path(METRICS)).expect("to link");
    let error = workspace.gen_fails(&[]);
    assert!(error.starts_with("error: cannot read specs/demo/metrics.yaml: "), "{error}");
}

#[test]
fn a_directory_in_the_place_of_a_file_is_named() {
    let workspace = Workspace::new();
    fs::remove_file(workspace.path(REGISTERS)).expect("to remove");
    fs::create_dir(workspace.path(REGISTERS)).expect("to make a directory");
    let error = workspace.gen_fails(&[]);
    assert!(error.starts_with("error: cannot read specs/demo/registers.yaml: "), "{error}");
}

#[test]
fn a_non_utf8_file_is_named_with_line() {
    let workspace = Workspace::new();
    let mut bytes = fs::read(workspace.path(EVENTS)).expect("to read");
    // Half of a character, as a cut through one leaves it.
    let at = bytes.windows(4).position(|four| four == b"MISS").expect("an event");
    bytes[at] = 0xC3;
    let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    fs::write(workspace.path(EVENTS), bytes).expect("to write");
    let error = workspace.gen_fails(&[]);
    let message = format!("cannot read specs/demo/events.yaml: line {line} is not UTF-8");
    assert!(error.contains(&message), "{error}");
}

#[test]
fn a_file_far_too_large_is_not_read() {
    let workspace = Workspace::new();
    let file = fs::File::options().write(true).open(workspace.path(EVENTS)).expect("to open");
    file.set_len((256 << 10) + 1).expect("to make it large");
    let error = workspace.gen_fails(&[]);
    let message = "events.yaml: it has 262145 bytes, and a spec has 262144 at most";
    assert!(error.contains(message), "{error}");
}

/// The length that the system gives for such a file is 0, and reading it does not end.
#[test]
#[cfg(unix)]
fn a_link_to_a_device_is_not_read() {
    for device in ["/dev/zero", "/dev/null"] {
        for file in [REGISTERS, EVENTS, "specs/demo/metrics.yaml", "specs/findings.yaml"] {
            let workspace = Workspace::new();
            fs::remove_file(workspace.path(file)).expect("to remove");
            std::os::unix::fs::symlink(device, workspace.path(file)).expect("to link");
            let error = gen_fails_within_memory(&workspace);
            let message =
                format!("cannot read {file}: it is a device, and a spec is a regular file");
            assert!(error.contains(&message), "{error}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_fifo_is_not_read() {
    let workspace = Workspace::new();
    for (path, linked) in [(EVENTS, false), (REGISTERS, true)] {
        let fifo = workspace.path(if linked { "fifo" } else { path });
        fs::remove_file(workspace.path(path)).expect("to remove");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo");
        assert!(made.success());
        if linked {
            std::os::unix::fs::symlink(&fifo, workspace.path(path)).expect("to link");
        }
    }
    let error = gen_fails_within_memory(&workspace);
    for path in [EVENTS, REGISTERS] {
        let message = format!("cannot read {path}: it is a FIFO, and a spec is a regular file");
        assert!(error.contains(&message), "{error}");
    }
}

/// The length of such a file is 0 as well; there is more in it than a spec may have.
#[test]
#[cfg(target_os = "linux")]
fn a_growing_file_is_read_to_the_limit() {
    let workspace = Workspace::new();
    fs::remove_file(workspace.path(EVENTS)).expect("to remove");
    std::os::unix::fs::symlink("/proc/kallsyms", workspace.path(EVENTS)).expect("to link");
    let error = gen_fails_within_memory(&workspace);
    assert!(
        error.contains("it has more than 262144 bytes, and a spec has 262144 at most"),
        "{error}"
    );
}

/// As `gen_fails`, but killed after a minute, and with 1 GiB of address space.
#[cfg(unix)]
fn gen_fails_within_memory(workspace: &Workspace) -> String {
    let script = "ulimit -v 1048576; exec timeout 60 \"$0\" gen --root \"$1\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_xtask")]).arg(workspace.path(""));
    let output = command.output().expect("to run a shell");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn a_large_file_is_read() {
    let workspace = Workspace::new();
    let text = workspace.read(EVENTS);
    // As large as it may be, in lines that are not too long.
    let room = (256 << 10) - text.len();
    let comment = "#######\n".repeat(room / 8) + &"\n".repeat(room % 8);
    workspace.write(EVENTS, &(comment + &text));
    assert_eq!(workspace.read(EVENTS).len(), 256 << 10);
    workspace.gen_ok(&[]);
}

#[test]
fn carets_stand_right_after_a_byte_order_mark_and_crlf() {
    let workspace = Workspace::new();
    workspace.change(REGISTERS, "access: wo, doc", "access: w0, doc");
    let plain = workspace.gen_fails(&[]);
    let text = workspace.read(REGISTERS);
    workspace.write(REGISTERS, &format!("\u{feff}{}", text.replace('\n', "\r\n")));
    assert_eq!(workspace.gen_fails(&[]), plain);
    assert!(plain.contains("did you mean") || plain.contains("known: "), "{plain}");
}

#[test]
fn no_specs_are_not_up_to_date() {
    let workspace = Workspace::new();
    fs::remove_dir_all(workspace.path("specs/demo")).expect("to remove");
    let error = workspace.gen_fails(&["--check"]);
    assert!(error.contains("no IP has specs"), "{error}");
    fs::remove_dir_all(workspace.path("specs")).expect("to remove");
    let error = workspace.gen_fails(&["--check"]);
    assert!(error.contains("cannot list"), "{error}");
}
