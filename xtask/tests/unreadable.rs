//! Spec files that are no text, are not there, or cannot be shown in a file of their own.

mod workspace;

use std::fs;
use std::path::Path;

use workspace::Workspace;

const REGISTERS: &str = "specs/demo/registers.yaml";
const EVENTS: &str = "specs/demo/events.yaml";
const METRICS: &str = "specs/demo/metrics.yaml";
const FINDINGS: &str = "specs/findings.yaml";

/// Contents in place of a spec, and the message. The length that the system gives for a device is
/// 0, and reading it does not end; there is more in a list of the kernel than a spec may have.
#[test]
#[cfg(target_os = "linux")]
fn unreadable_specs_are_named() {
    use std::os::unix::fs::symlink;
    let link = |to: &'static str| move |path: &Path| symlink(to, path).expect("to link");
    let nothing = |_: &Path| ();
    let directory = |path: &Path| fs::create_dir(path).expect("to make a directory");
    let large = |path: &Path| {
        let file = fs::File::create(path).expect("to open");
        file.set_len((256 << 10) + 1).expect("to make it large");
    };
    let fifo = |path: &Path| {
        let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo");
        assert!(made.success());
    };
    let linked_fifo = |path: &Path| {
        fifo(&path.with_file_name("fifo"));
        symlink("fifo", path).expect("to link");
    };
    let (zero, null) = (link("/dev/zero"), link("/dev/null"));
    let (nowhere, kernel) = (link("nowhere.yaml"), link("/proc/kallsyms"));
    const DEVICE: &str = "it is a device, and a spec is a regular file";
    const FIFO: &str = "it is a FIFO, and a spec is a regular file";
    for (spec, make, message) in [
        (EVENTS, &nothing as &dyn Fn(&Path), ""),
        // Without metrics there are none; if they cannot be read, it is a mistake.
        (METRICS, &nowhere, ""),
        (REGISTERS, &directory, ""),
        (EVENTS, &large, "it has 262145 bytes, and a spec has 262144 at most"),
        (EVENTS, &kernel, "it has more than 262144 bytes, and a spec has 262144 at most"),
        (REGISTERS, &zero, DEVICE),
        (EVENTS, &zero, DEVICE),
        (METRICS, &zero, DEVICE),
        (FINDINGS, &zero, DEVICE),
        (EVENTS, &null, DEVICE),
        (EVENTS, &fifo, FIFO),
        (REGISTERS, &linked_fifo, FIFO),
    ] {
        let workspace = Workspace::new();
        let path = workspace.path(spec);
        fs::remove_file(&path).expect("to remove");
        make(&path);
        // Killed after a minute, and with 1 GiB of address space.
        let script = "ulimit -v 1048576; exec timeout 60 \"$0\" gen --root \"$1\"";
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_xtask")]).arg(workspace.path(""));
        let output = command.output().expect("to run a shell");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(error.contains(&format!("cannot read {spec}: {message}")), "{error}");
        assert!(error.ends_with("nothing was written\n"), "{error}");
    }
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
fn a_large_file_is_read() {
    let workspace = Workspace::new();
    let text = workspace.read(EVENTS);
    // The largest accepted size, in lines that are not too long.
    let room = (256 << 10) - text.len();
    let comment = "#######\n".repeat(room / 8) + &"\n".repeat(room % 8);
    workspace.write(EVENTS, &(comment + &text));
    assert_eq!(workspace.read(EVENTS).len(), 256 << 10);
    workspace.gen_ok(&[]);
}

#[test]
fn carets_are_correct_after_bom_and_crlf() {
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
