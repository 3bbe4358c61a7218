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
fn a_file_that_is_not_utf8_is_named_with_the_line() {
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

#[test]
fn a_large_file_is_read() {
    let workspace = Workspace::new();
    let text = workspace.read(EVENTS);
    // As large as it may be.
    let comment = "#".repeat((256 << 10) - text.len() - 1);
    workspace.write(EVENTS, &(comment + "\n" + &text));
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
