//! Spec files that are made to be slow, large or deep: each gives a message, in bounded time and memory,
//! and leaves every file as it was.

#![cfg(unix)]

mod workspace;

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use workspace::Workspace;

/// The most bytes that a spec file may have.
const MOST: usize = 256 << 10;

/// More than the worst of these takes in a debug build, on a machine that does other things too.
const LONGEST: Duration = Duration::from_secs(120);

/// In KiB: address space, of which most is never used.
const MEMORY: u32 = 1 << 20;

/// Runs `gen` with so much memory and time; gives what it said on failing.
fn refused(name: &str, workspace: &Workspace) -> String {
    let before = workspace.state();
    let program = env!("CARGO_BIN_EXE_xtask");
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" gen --root \"$1\"");
    let out = workspace.path("target/stderr");
    fs::create_dir_all(workspace.path("target")).expect("to make a directory");
    let start = Instant::now();
    let mut run = Command::new("sh")
        .args(["-c", &script, program])
        .arg(workspace.path(""))
        .stdout(Stdio::null())
        .stderr(fs::File::create(&out).expect("a file"))
        .spawn()
        .expect("to run a shell");
    let status = loop {
        if let Some(status) = run.try_wait().expect("a state") {
            break status;
        }
        if start.elapsed() > LONGEST {
            let _ = run.kill();
            let _ = run.wait();
            panic!("{name}: still running after {} s", LONGEST.as_secs());
        }
        sleep(Duration::from_millis(5));
    };
    let error = String::from_utf8(fs::read(&out).expect("what it said")).expect("text");
    let told = error.get(..2000).unwrap_or(&error);
    assert_eq!(status.code(), Some(1), "{name}: {status}\n{told}");
    assert!(!error.contains("panicked"), "{name}: {told}");
    assert!(error.len() < 1 << 20, "{name}: {} bytes of messages", error.len());
    assert_eq!(workspace.state(), before, "{name}");
    if std::env::var_os("SHOW_TIMES").is_some() {
        eprintln!("{name}: {:.2} s, {} bytes", start.elapsed().as_secs_f64(), error.len());
    }
    error
}

const REGISTERS: &str = "specs/demo/registers.yaml";
const EVENTS: &str = "specs/demo/events.yaml";

/// As often as it fits.
fn filled(text: &str) -> String {
    text.repeat(MOST / text.len())
}

/// Pieces with numbers in them, as many as fit beside `other`.
fn numbered(other: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for n in 0.. {
        let piece = piece(n);
        if text.len() + piece.len() + other > MOST {
            break;
        }
        text += &piece;
    }
    text
}

/// Whole files in the place of a spec.
fn files() -> Vec<(&'static str, String)> {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for n in 1..200 {
        let _ = writeln!(bomb, "a{n}: &a{n} [{}]", format!("*a{}, ", n - 1).repeat(9));
    }
    let mut ladder = String::new();
    for n in 0..700 {
        let _ = writeln!(ladder, "{}a:", " ".repeat(n));
    }
    vec![
        ("brackets", filled("[")),
        ("braces", filled("{a: ")),
        ("dashes", filled("- ")),
        ("ladder", ladder),
        ("questions", filled("? ")),
        ("aliases", bomb),
        ("anchors", filled("- &a b\n")),
        ("tags", filled("!")),
        ("directives", filled("%YAML 1.2\n")),
        ("documents", filled("---\n")),
        ("keys", numbered(0, |n| format!("k{n}: 1\n"))),
        ("keys twice", numbered(MOST / 2, |n| format!("k{n}: 1\n")) + &"ip: x\n".repeat(MOST / 14)),
        ("one scalar", filled("a")),
        ("one quoted scalar", format!("ip: \"{}\"\n", "b".repeat(MOST - 8))),
        ("open quote", format!("ip: \"{}", "\\n".repeat(MOST / 2 - 4))),
        ("open literal", format!("ip: |\n{}", " a\n".repeat(MOST / 3 - 4))),
        ("one key", format!("{}: 1", "k".repeat(900))),
        ("long key", format!("? {}\n: 1", "k".repeat(MOST - 8))),
        ("wide characters", filled("\u{1f600}")),
        ("combining characters", filled("e\u{301}")),
        ("right to left", filled("\u{202e}")),
        ("returns", filled("\r")),
        ("zeros", filled("\0")),
        ("tabs", filled("\t")),
        ("colons", filled(": ")),
        ("commas", format!("[{}", ",".repeat(MOST - 1))),
        ("empty items", filled("-\n")),
        ("merge keys", filled("<<: ")),
    ]
}

/// Lists in the place of a line of a good spec: (name, file, line, what repeats).
fn lists(workspace: &Workspace) -> Vec<(&'static str, &'static str, String)> {
    let registers = workspace.read(REGISTERS);
    let events = workspace.read(EVENTS);
    let end = |text: &str, piece: &dyn Fn(usize) -> String| {
        text.to_owned() + &numbered(text.len(), piece)
    };
    let before = |text: &str, line: &str, piece: &dyn Fn(usize) -> String| {
        assert_eq!(text.matches(line).count(), 1, "{line}");
        let more = numbered(text.len(), piece);
        text.replace(line, &(more + line))
    };
    let inside =
        |text: &str, old: &str, head: &str, piece: &dyn Fn(usize) -> String, tail: &str| {
            assert_eq!(text.matches(old).count(), 1, "{old}");
            let more = numbered(text.len() + head.len() + tail.len(), piece);
            text.replace(old, &format!("{head}{more}{tail}"))
        };
    let register = |name: &str, more: &str| {
        format!(
            "  - {{ name: {name}, title: T, {more}, access: rw, reset: 0x0, doc: D., fields: [ {{ bits: \
             \"31:0\", reserved: zero }} ] }}\n"
        )
    };
    let field = "      - { bits: \"7:0\", name: PENDING, access: ro,";
    let units = "\nregisters:\n";
    vec![
        ("equal registers", REGISTERS, end(&registers, &|_| register("R", "offset: 0x0"))),
        ("registers", REGISTERS, end(&registers, &|n| register(&format!("R{n}"), "offset: 0x0"))),
        (
            "registers of no block",
            REGISTERS,
            end(&registers, &|n| register(&format!("R{n}"), &format!("block: B{n}, offset: 0x0"))),
        ),
        (
            "registers of no page",
            REGISTERS,
            end(&registers, &|n| register(&format!("R{n}"), &format!("page: P{n}, offset: 0x0"))),
        ),
        (
            "large arrays",
            REGISTERS,
            end(&registers, &|n| {
                register(&format!("R{n}"), "offset: 0x0, count: 4294967295, stride: 0xFFFFFFFF")
            }),
        ),
        (
            "elements",
            REGISTERS,
            inside(
                &registers,
                field,
                "      - { bits: \"7:0\", name: PENDING, elements: [",
                &|n| format!("{n},\n      "),
                "], elsewhere: zero, access: ro,",
            ),
        ),
        (
            "equal elements",
            REGISTERS,
            inside(
                &registers,
                field,
                "      - { bits: \"7:0\", name: PENDING, elements: [",
                &|_| "1,".to_owned(),
                "], elsewhere: zero, access: ro,",
            ),
        ),
        (
            "units of a field",
            REGISTERS,
            inside(
                &registers,
                field,
                "      - { bits: \"7:0\", name: PENDING, only: [",
                &|n| format!("u{n},\n      "),
                "], elsewhere: zero, access: ro,",
            ),
        ),
        (
            "fields",
            REGISTERS,
            end(&registers, &|n| {
                format!("      - {{ bits: \"1\", name: F{n}, access: rw, doc: D. }}\n")
            }),
        ),
        (
            "blocks",
            REGISTERS,
            before(&registers, "\nregisters:\n", &|n| {
                format!(
                    "\n  - {{ name: B{n}, title: T, offset: 0x0, count: 200, stride: 0x4, doc: D. }}"
                )
            }),
        ),
        (
            "units",
            REGISTERS,
            inside(
                &registers,
                units,
                "\nunits:\n",
                &|n| format!("  - {{ name: u{n}, title: T }}\n"),
                units,
            ),
        ),
        (
            "units with pages",
            REGISTERS,
            inside(
                &registers,
                units,
                "\nunits:\n  - name: u\n    title: U\n    pages:\n",
                &|n| format!("      - {{ name: p{n}, offset: 0x0 }}\n"),
                units,
            ),
        ),
        (
            "pages",
            REGISTERS,
            inside(
                &registers,
                units,
                "\npages:\n",
                &|n| format!("  - {{ name: p{n}, title: T, length: 0x4, doc: D. }}\n"),
                units,
            ),
        ),
        (
            "resets",
            REGISTERS,
            inside(
                &registers,
                "    reset: { value: 0x0, confidence: D, basis: The driver }\n",
                "    resets:\n",
                &|n| format!("      - {{ unit: u{n}, value: 0x0 }}\n"),
                "",
            ),
        ),
        (
            "equal events",
            EVENTS,
            end(&events, &|_| "      - { code: 0x0, name: E, doc: D. }\n".to_owned()),
        ),
        (
            "events",
            EVENTS,
            end(&events, &|n| {
                format!("      - {{ code: 0x{n:X}, name: E{n}, evntbus: {n}, doc: D. }}\n")
            }),
        ),
        (
            "reserved codes",
            EVENTS,
            inside(&events, "[\"0x02-0x07\"]", "[", &|_| "0x0-0x7,".to_owned(), "]"),
        ),
        ("reserved codes and events", EVENTS, {
            let half = "0x0-0x7,".repeat(MOST / 16);
            let text = events.replace("[\"0x02-0x07\"]", &format!("[{half}]"));
            end(&text, &|n| format!("      - {{ code: 0x0, name: E{n}, doc: D. }}\n"))
        }),
        (
            "reserved sources",
            EVENTS,
            inside(
                &events,
                "reserved_sources: [0x3]",
                "reserved_sources: [",
                &|n| format!("0x{n:X},\n      "),
                "]",
            ),
        ),
        (
            "groups",
            EVENTS,
            end(&events, &|n| format!("  - {{ name: g{n}, title: T, events: [] }}\n")),
        ),
        (
            "groups of units",
            EVENTS,
            end(&events, &|n| format!("  - {{ name: g{n}, title: T, unit: u{n}, events: [] }}\n")),
        ),
        (
            "counters",
            EVENTS,
            inside(
                &events,
                "value: EVENT_COUNT\n",
                "value: [",
                &|n| format!("C{n},\n      "),
                "]\n",
            ),
        ),
        ("counters and their selections", EVENTS, {
            let third = numbered(MOST * 2 / 3, |n| format!("C{n},\n      "));
            let text = events.replace("value: EVENT_COUNT\n", &format!("value: [{third}]\n"));
            inside(
                &text,
                "event: EVENT_SELECT.EVENT\n",
                "event: [",
                &|n| format!("C{n}.F,\n      "),
                "]\n",
            )
        }),
        ("a wide bus", EVENTS, events.replace("evntbus: configured", "evntbus: 65536")),
    ]
}

#[test]
fn files_that_are_no_specs() {
    for (name, text) in files() {
        assert!(text.len() <= MOST, "{name}: {}", text.len());
        let workspace = Workspace::generated();
        workspace.write(EVENTS, &text);
        let error = refused(name, &workspace);
        assert!(error.contains("specs/demo/events.yaml"), "{name}: {error}");
    }
}

#[test]
fn lists_that_are_too_long() {
    for (name, file, text) in lists(&Workspace::new()) {
        assert!(text.len() <= MOST, "{name}: {}", text.len());
        let workspace = Workspace::generated();
        workspace.write(file, &text);
        let error = refused(name, &workspace);
        assert!(error.contains("specs/demo/"), "{name}: {error}");
        if name == "equal events" {
            let shown = error.matches("error: ").count();
            assert_eq!(shown, 50, "as many as anybody reads");
            let more = error.split("\nand ").nth(1).and_then(|text| text.split_once(' '));
            let (more, rest) = more.expect("how many there are beside");
            assert!(rest.starts_with("more: fix these first\n"), "{rest}");
            let all = more.parse::<usize>().expect("a number") + shown;
            assert!(error.contains(&format!("\n{all} problems; nothing was written")), "{rest}");
        }
    }
}
