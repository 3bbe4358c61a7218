//! Platform files that are slow to parse, large or deep must be rejected with bounded time and memory.

use std::fmt::Write as _;

use arm_pmu_spec::platform::read;
use arm_pmu_spec::problem::Problems;

/// Maximum number of bytes of a spec.
const MOST: usize = 256 << 10;

/// A text repeated up to the maximum size.
fn filled(text: &str) -> String {
    text.repeat(MOST / text.len())
}

fn numbered(piece: impl Fn(usize) -> String) -> String {
    let mut text: String = (0..MOST / 16).map(piece).collect();
    text.truncate(MOST);
    text
}

fn files() -> Vec<(&'static str, String)> {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for n in 1..200 {
        let _ = writeln!(bomb, "a{n}: &a{n} [{}]", format!("*a{}, ", n - 1).repeat(9));
    }
    let ladder = (0..700).fold(String::new(), |text, n| text + &" ".repeat(n) + "a:\n");
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
        ("keys", numbered(|n| format!("k{n}: 1\n"))),
        ("keys twice", filled("ip: x\n")),
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

#[test]
fn hostile_files_are_rejected() {
    for (name, text) in files() {
        let mut problems = Problems::default();
        let platform = read("good", &text, &[], &mut problems);
        assert!(platform.is_none() && !problems.is_empty(), "{name}");
    }
}
