//! Any file contents lead to a model or a problem; every problem can be printed, and every model
//! becomes Rust and tables.
//!
//! `cargo xtask fuzz specs --cases 200000` runs more cases.

use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;

use super::{duplicates, good};
use crate::generate::emit;
use crate::generate::load::{self, decode};
use crate::generate::model::Ip;
use crate::generate::problem::{File, Files, Sources};

/// Loads the texts and renders the problems.
fn hold(ip: &str, registers: String, events: String, metrics: String) -> Result<(), TestCaseError> {
    let mut sources = good::sources(ip);
    sources.get_mut(File::Registers).text = Some(registers);
    sources.get_mut(File::Events).text = Some(events);
    sources.get_mut(File::Metrics).text = Some(metrics);
    hold_all(&sources)
}

/// Checks the properties for all files of an IP.
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
    prop_assert!(!shown.contains(|c: char| c.is_ascii_control() && c != '\n'), "{}", shown);
    if let Some(ip) = ip {
        becomes_everything(&ip)?;
    }
    Ok(())
}

/// Every model can be emitted completely.
fn becomes_everything(ip: &Ip) -> Result<(), TestCaseError> {
    let files = emit::emit(ip, None);
    prop_assert!(files.is_ok(), "{:?}", files.err());
    let tables = emit::tables::emit(ip, None);
    for file in files.into_iter().flatten().chain([tables]) {
        prop_assert!(file.text.is_ascii() && file.text.starts_with("// @generated"));
        let parsed = syn::parse_file(&file.text);
        prop_assert!(parsed.is_ok(), "{}", file.name);
        let twice = parsed.map(|file| duplicates::in_file(&file)).unwrap_or_default();
        prop_assert!(twice.is_empty(), "{}: {twice:?}", file.name);
    }
    Ok(())
}

/// Returns the words of a text, and words that it cannot contain.
fn words(text: &'static str, others: &[&[&'static str]]) -> Vec<&'static str> {
    text.split(' ').chain(others.concat()).collect()
}

/// Pieces of YAML, of the spec language, and of files from broken editors.
fn token() -> impl Strategy<Value = String> {
    let words = prop::sample::select(words(
        "ip demo manual registers events groups fields bits name code reserved zero access rw 0x1F \
         0xFFFF_FFFF 4294967295 true : - [ ] { } ' | >- > # *a ! % @ ` ~",
        &[
            &[
                "\"31:0\"", ": ", "- ", "? ", ", ", "\n", "\r\n", "\r", "\n  ", "\n    ", "\t",
                " ", "\"", "|2\n", " # ", "&a ", "!!str ", "<<: ", "---\n", "...\n", "\\", "\\x",
                "\u{feff}", "\0", "\u{7}", "\u{85}", "\u{2028}", "\u{e9}", "\u{6e2c}", "e\u{301}",
                "\u{202e}",
            ],
            &["%YAML 1.2\n", "\u{1f600}"],
        ],
    ));
    prop_oneof![8 => words.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)]
}

/// A change of a text.
#[derive(Clone, Debug)]
enum Change {
    /// Replaces or removes a number of characters.
    Replace(Index, usize, String),
    /// Moves or copies lines to another place.
    Lines {
        from: Index,
        count: usize,
        to: Index,
        are_kept: bool,
    },
    DeleteLines(Index, usize),
    Truncate(Index),
    LineEnds,
    /// Swaps two values.
    SwapValues(Index, Index),
    /// Replaces a value by a value that is valid elsewhere, or nowhere.
    ReplaceValue(Index, String),
}

/// Values at a limit, or of another kind.
fn value() -> impl Strategy<Value = String> {
    let values = prop::sample::select(words(
        "NEW OF BITS SET FMT ALL RAW EVENT SOURCE CONTROL Bus Registers Selection PAGE0 page0 LENGTH \
         RESET R W SPEC ControlSpec CORE Listed COUNTERS COUNTER LOCATION PERMIT REGISTER CODE ID \
         NAME FROM_ID Fmt Event FromStr UnknownId Location Permit Reg space field registers events \
         Encode Space PMCR 0 1 2 31 32 63 64 256 257 65535 65536 4294967295 4294967296 0x0 0x4 0xFFC \
         0xFFFF_FFFC 0xFFFF_FFFF 0x1_0000_0000 0xFFFF_FFFF_FFFF_FFFF rw ro wo w1 w1c w1s zero sbz \
         sbzp one unknown configured true false null ~ A D self crate Self r#x _ [] {} [0] */ 1.",
        &[
            &["\"\"", "\"31:0\"", "\"0:31\"", "[0, 1]", "A text.", "\"]]>.\""],
            &[
                "\"63:32\"",
                "\"0x0-0xFFFF\"",
                "\"a \\\" b | c ] [ ` * / \\\\ </td> \\u00e9.\"",
                "\"//! x.\"",
                "\"#[x].\"",
            ],
        ],
    ));
    values.prop_map(str::to_owned)
}

/// Returns the ranges of the single values in a text: words, numbers and quoted texts.
fn values_of(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut values = Vec::new();
    let mut start = None;
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        let is_value = quoted || c.is_alphanumeric() || "\"_.".contains(c);
        quoted ^= c == '"';
        match (is_value, start) {
            (true, None) => start = Some(at),
            (false, Some(first)) => {
                values.push(first..at);
                start = None;
            }
            _ => {}
        }
    }
    values
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), 0..2_usize, prop_oneof![Just(String::new()), token(), Just("\n  ".to_owned())])
            .prop_map(|(at, count, text)| Change::Replace(at, count, text)),
        3 => (at(), 1..20_usize, at(), any::<bool>())
            .prop_map(|(from, count, to, are_kept)| Change::Lines { from, count, to, are_kept }),
        2 => (at(), 1..20_usize).prop_map(|(at, count)| Change::DeleteLines(at, count)),
        1 => at().prop_map(Change::Truncate),
        1 => Just(Change::LineEnds),
        1 => (at(), at()).prop_map(|(a, b)| Change::SwapValues(a, b)),
        2 => (at(), value()).prop_map(|(at, value)| Change::ReplaceValue(at, value)),
    ]
}

impl Change {
    fn apply(&self, text: &str) -> String {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let values = values_of(text);
        match self {
            _ if text.is_empty() => {}
            Self::Replace(at, count, with) => {
                let mut characters: Vec<char> = text.chars().collect();
                let at = at.index(characters.len());
                let end = (at + count).min(characters.len());
                characters.splice(at..end, with.chars());
                return characters.into_iter().collect();
            }
            Self::Lines { from, count, to, are_kept } => {
                let from = from.index(lines.len());
                let end = (from + count).min(lines.len());
                let moved = lines[from..end].to_vec();
                if !are_kept {
                    lines.drain(from..end);
                }
                let to = to.index(lines.len() + 1);
                lines.splice(to..to, moved);
            }
            Self::DeleteLines(at, count) => {
                let at = at.index(lines.len());
                lines.drain(at..(at + count).min(lines.len()));
            }
            Self::Truncate(at) => return text.chars().take(at.index(text.len())).collect(),
            Self::LineEnds => return text.replace('\n', "\r\n"),
            Self::SwapValues(..) | Self::ReplaceValue(..) if values.is_empty() => {}
            Self::SwapValues(a, b) => {
                let (a, b) = (a.index(values.len()), b.index(values.len()));
                let (a, b) = (values[a.min(b)].clone(), values[a.max(b)].clone());
                if a != b {
                    let between = &text[a.end..b.start];
                    let (before, after) = (&text[..a.start], &text[b.end..]);
                    return [before, &text[b], between, &text[a], after].concat();
                }
            }
            Self::ReplaceValue(at, value) => {
                let at = values[at.index(values.len())].clone();
                return [&text[..at.start], value, &text[at.end..]].concat();
            }
        }
        lines.concat()
    }
}

/// The specs of this workspace, and the made-up ones.
static SPECS: LazyLock<[Vec<Sources>; 2]> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let specs = load::Directories::read(&root).expect("IPs");
    let real = specs.ips().expect("IPs").iter().map(|name| {
        let (sources, errors) = specs.files(name);
        assert!(errors.is_empty(), "{errors:?}");
        sources
    });
    let made_up = good::NAMES.into_iter().chain(good::ARCHITECTURE.1);
    [real.collect(), made_up.map(good::sources).collect()]
});

/// Returns the existing files of an IP.
fn files(sources: &mut Sources) -> Vec<&mut String> {
    sources.all_mut().iter_mut().filter_map(|source| source.text.as_mut()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tokens_are_handled(
        registers in prop::collection::vec(token(), 0..60),
        events in prop::collection::vec(token(), 0..60),
        metrics in prop::collection::vec(token(), 0..60),
    ) {
        hold("demo", registers.concat(), events.concat(), metrics.concat())?;
    }

    #[test]
    fn changed_specs_compile_or_are_refused(
        // Reading the specs of a real IP takes longer.
        is_made_up in prop::bool::weighted(0.8),
        which in any::<Index>(),
        changes in prop::collection::vec((any::<Index>(), change()), 1..6),
    ) {
        let specs = &SPECS[usize::from(is_made_up)];
        let mut sources = specs[which.index(specs.len())].clone();
        for (which, change) in changes {
            let mut files = files(&mut sources);
            let which = which.index(files.len());
            *files[which] = change.apply(files[which]);
        }
        hold_all(&sources)?;
    }

    #[test]
    fn any_bytes_are_handled(
        which in any::<Index>(),
        file in any::<Index>(),
        changes in prop::collection::vec((any::<Index>(), any::<u8>(), 0u8..3), 1..6),
    ) {
        let specs = &SPECS[1];
        let mut sources = specs[which.index(specs.len())].clone();
        let mut files = files(&mut sources);
        let file = file.index(files.len());
        let mut bytes = files[file].clone().into_bytes();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] ^= 1 << (byte % 8),
                1 => bytes[at] = byte,
                _ => bytes.insert(at, byte),
            }
        }
        let is_text = std::str::from_utf8(&bytes).is_ok();
        match decode(bytes) {
            Ok(text) => {
                *files[file] = text;
                hold_all(&sources)?;
            }
            Err(error) => {
                prop_assert!(!is_text);
                let error = error.to_string();
                prop_assert!(error.contains("is not UTF-8"), "{}", error);
            }
        }
    }

    /// Generates parts of formulas in any order.
    #[test]
    fn any_formulas_are_handled(parts in prop::collection::vec(part(), 0..40)) {
        let [registers, events, metrics] = texts(&good::sources("demo"));
        let good = "formula: MISS / LOOKUP";
        prop_assert!(metrics.contains(good));
        let formula = format!("formula: \"{}\"", parts.concat());
        hold("demo", registers, events, metrics.replace(good, &formula))?;
    }
}

/// Parts of formulas, valid and invalid.
fn part() -> impl Strategy<Value = &'static str> {
    prop::sample::select(words(
        "MISS LOOKUP cycles 1 0 18446744073709551616 1u8 0x1 1e3 true return if as _ + - * / // ( ) \
         (((( ---- % !",
        &[&[" ", "\\n", "\u{e9}"]],
    ))
}

/// Returns registers, events and metrics.
fn texts(sources: &Sources) -> [String; 3] {
    [File::Registers, File::Events, File::Metrics]
        .map(|file| sources.text(file).unwrap_or_default().to_owned())
}
