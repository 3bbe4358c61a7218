//! Whatever stands in the files, there is a model or a problem, and every problem can be shown.
//!
//! `PROPTEST_CASES=200000 cargo test -p xtask random` looks longer.

use proptest::prelude::*;
use proptest::sample::Index;

use super::good;
use crate::problem::Sources;

/// Loads the texts and shows what is found.
fn hold(ip: &str, registers: String, events: String, metrics: String) -> Result<(), TestCaseError> {
    let mut sources = good::sources(ip);
    sources.registers.text = Some(registers);
    sources.events.text = Some(events);
    sources.metrics.text = Some(metrics);
    hold_all(&sources)
}

/// The same of all files of an IP.
fn hold_all(sources: &Sources) -> Result<(), TestCaseError> {
    let (ip, mut problems) = good::load(sources);
    prop_assert_eq!(ip.is_some(), problems.is_empty(), "a model, or problems");
    for problem in problems.iter() {
        for place in std::iter::once(&problem.place).chain(problem.other.iter().map(|o| &o.0)) {
            let text = sources.get(place.file).text.as_deref().unwrap_or_default();
            prop_assert!(text.get(place.range.clone()).is_some(), "{:?} in {:?}", place, problem);
        }
        prop_assert!(!problem.message.is_empty() && !problem.message.contains(['\n', '\r']));
        prop_assert!(problem.message.is_ascii(), "{}", problem.message);
    }
    let shown = good::render(&mut problems, sources);
    prop_assert_eq!(shown.is_empty(), ip.is_some());
    Ok(())
}

/// What YAML, the language and broken editors are made of.
fn token() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "ip",
        "demo",
        "manual",
        "registers",
        "events",
        "groups",
        "fields",
        "bits",
        "name",
        "code",
        "reserved",
        "zero",
        "access",
        "rw",
        "0x1F",
        "0xFFFF_FFFF",
        "\"31:0\"",
        "4294967295",
        "true",
        ":",
        ": ",
        "- ",
        "-",
        "? ",
        ", ",
        "[",
        "]",
        "{",
        "}",
        "\n",
        "\r\n",
        "\r",
        "\n  ",
        "\n    ",
        "\t",
        " ",
        "\"",
        "'",
        "|",
        ">-",
        ">",
        "|2\n",
        "#",
        " # ",
        "&a ",
        "*a",
        "!",
        "!!str ",
        "<<: ",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "%",
        "@",
        "`",
        "~",
        "\\",
        "\\x",
        "\u{feff}",
        "\0",
        "\u{7}",
        "\u{85}",
        "\u{2028}",
        "\u{e9}",
        "\u{6e2c}",
        "\u{1f600}",
        "e\u{301}",
        "\u{202e}",
    ]);
    prop_oneof![8 => words.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)]
}

/// A change of a text.
#[derive(Clone, Debug)]
enum Change {
    DeleteLine(Index),
    DuplicateLine(Index),
    SwapLines(Index, Index),
    Indent(Index),
    Insert(Index, String),
    Replace(Index, String),
    DeleteCharacter(Index),
    Truncate(Index),
    LineEnds,
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        at().prop_map(Change::DeleteLine),
        at().prop_map(Change::DuplicateLine),
        (at(), at()).prop_map(|(a, b)| Change::SwapLines(a, b)),
        at().prop_map(Change::Indent),
        (at(), token()).prop_map(|(at, token)| Change::Insert(at, token)),
        (at(), token()).prop_map(|(at, token)| Change::Replace(at, token)),
        at().prop_map(Change::DeleteCharacter),
        at().prop_map(Change::Truncate),
        Just(Change::LineEnds),
    ]
}

impl Change {
    fn apply(&self, text: &str) -> String {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let characters: Vec<char> = text.chars().collect();
        if characters.is_empty() {
            return String::new();
        }
        let cut = |at: &Index, delete: usize, insert: &str| -> String {
            let at = at.index(characters.len());
            let (before, after) = (&characters[..at], &characters[at + delete..]);
            before.iter().copied().chain(insert.chars()).chain(after.iter().copied()).collect()
        };
        match self {
            Self::DeleteLine(at) => drop(lines.remove(at.index(lines.len()))),
            Self::DuplicateLine(at) => {
                let at = at.index(lines.len());
                lines.insert(at, lines[at]);
            }
            Self::SwapLines(a, b) => {
                let (a, b) = (a.index(lines.len()), b.index(lines.len()));
                lines.swap(a, b);
            }
            Self::Indent(at) => lines.insert(at.index(lines.len()), "  "),
            Self::Insert(at, token) => return cut(at, 0, token),
            Self::Replace(at, token) => return cut(at, 1, token),
            Self::DeleteCharacter(at) => return cut(at, 1, ""),
            Self::Truncate(at) => {
                let at = at.index(characters.len());
                return characters[..at].iter().collect();
            }
            Self::LineEnds => return text.replace('\n', "\r\n"),
        }
        lines.concat()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text(
        registers in any::<String>(),
        events in any::<String>(),
        metrics in any::<String>(),
    ) {
        hold("demo", registers, events, metrics)?;
    }

    #[test]
    fn tokens(
        registers in prop::collection::vec(token(), 0..60),
        events in prop::collection::vec(token(), 0..60),
        metrics in prop::collection::vec(token(), 0..60),
    ) {
        hold("demo", registers.concat(), events.concat(), metrics.concat())?;
    }

    #[test]
    fn changes_of_good_specs(
        ip in prop::sample::select(&good::NAMES[..]),
        changes in prop::collection::vec((0..3_usize, change()), 1..6),
    ) {
        let Sources { registers, events, metrics, .. } = good::sources(ip);
        let texts = [registers, events, metrics];
        let mut texts = texts.map(|source| source.text.unwrap_or_default());
        for (which, change) in changes {
            let text = &mut texts[which];
            *text = change.apply(text);
        }
        let [registers, events, metrics] = texts;
        hold(ip, registers, events, metrics)?;
    }

    #[test]
    fn changes_of_good_findings(
        ip in prop::sample::select(&good::NAMES[..]),
        changes in prop::collection::vec((any::<bool>(), change()), 1..6),
    ) {
        let mut sources = good::sources(ip);
        for (common, change) in changes {
            let source = if common { &mut sources.common_findings } else { &mut sources.findings };
            source.text = source.text.as_deref().map(|text| change.apply(text));
        }
        hold_all(&sources)?;
    }

    /// What formulas are made of, in any order.
    #[test]
    fn formulas(parts in prop::collection::vec(part(), 0..40)) {
        let Sources { registers, events, metrics, .. } = good::sources("demo");
        let texts = [registers, events, metrics];
        let [registers, events, metrics] = texts.map(|source| source.text.unwrap_or_default());
        let good = "formula: MISS / LOOKUP";
        prop_assert!(metrics.contains(good));
        let formula = format!("formula: \"{}\"", parts.concat());
        hold("demo", registers, events, metrics.replace(good, &formula))?;
    }
}

/// What stands in formulas, and what does not.
fn part() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "MISS",
        "LOOKUP",
        "cycles",
        "1",
        "0",
        "18446744073709551616",
        "1u8",
        "0x1",
        "1e3",
        "true",
        "return",
        "if",
        "as",
        "_",
        "+",
        "-",
        "*",
        "/",
        "//",
        "(",
        ")",
        "((((",
        "----",
        " ",
        "%",
        "!",
        "\\n",
        "\u{e9}",
    ])
}

/// Also in the middle of a character's line end, and with every character whole.
#[test]
fn truncated_anywhere() -> Result<(), TestCaseError> {
    for line_end in ["\n", "\r\n"] {
        let Sources { registers, events, metrics, .. } = good::sources("demo");
        let texts = [registers, events, metrics];
        let [registers, events, metrics] =
            texts.map(|source| source.text.unwrap_or_default().replace('\n', line_end));
        // Every byte of a piece that has all forms; the rest of the file is more of the same.
        for at in 0..600 {
            hold("demo", registers.clone(), events[..at].to_owned(), metrics.clone())?;
            hold("demo", registers.clone(), events.clone(), metrics[..at].to_owned())?;
        }
    }
    Ok(())
}
