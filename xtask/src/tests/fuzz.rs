//! Any file contents lead to a model or a problem; every problem can be printed, and every model
//! becomes Rust and tables.
//!
//! `cargo xtask fuzz specs --cases 200000` runs more cases.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;

use super::{duplicates, good, root};
use crate::generate::emit;
use crate::generate::load;
use crate::generate::model::Ip;
use crate::generate::problem::{File, Files, Sources};

/// Checks the properties for all files of an IP.
fn hold(sources: &Sources) -> Result<(), TestCaseError> {
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

/// Returns the words of `text`, then `others`, which can contain spaces.
fn words<const N: usize>(text: &'static str, others: [&'static str; N]) -> Vec<&'static str> {
    text.split(' ').chain(others).collect()
}

/// Pieces of YAML, of the spec language, and of files from broken editors.
fn token() -> impl Strategy<Value = String> {
    let words = words(
        "ip demo manual registers events groups fields bits name code reserved zero access rw 0x1F \
         0xFFFF_FFFF 4294967295 true : - [ ] { } ' | >- > # *a ! % @ ` ~ \0 \u{feff} \u{7} \u{85} \u{2028} \
         \u{e9} \u{6e2c} e\u{301} \u{202e} \u{1f600} \t \r \n \r\n \" \\ \\x |2\n ---\n ...\n \"31:0\"",
        [
            ": ",
            "- ",
            "? ",
            ", ",
            "\n  ",
            "\n    ",
            " ",
            " # ",
            "&a ",
            "!!str ",
            "<<: ",
            "%YAML 1.2\n",
        ],
    );
    let word = prop::sample::select(words).prop_map(str::to_owned);
    prop_oneof![8 => word, 1 => any::<char>().prop_map(String::from)]
}

/// Returns values that are at a limit, or that have the wrong kind.
fn value() -> impl Strategy<Value = &'static str> {
    prop::sample::select(words(
        "NEW OF BITS SET FMT ALL RAW EVENT SOURCE CONTROL Bus Registers Selection PAGE0 page0 LENGTH \
         RESET R W SPEC ControlSpec CORE Listed COUNTERS COUNTER LOCATION PERMIT REGISTER CODE ID \
         NAME FROM_ID Fmt Event FromStr UnknownId Location Permit Reg space field registers events \
         Encode Space PMCR 0 1 2 31 32 63 64 256 257 65535 65536 4294967295 4294967296 0x0 0x4 0xFFC \
         0xFFFF_FFFC 0xFFFF_FFFF 0x1_0000_0000 0xFFFF_FFFF_FFFF_FFFF rw ro wo w1 w1c w1s zero sbz \
         sbzp one unknown configured true false null ~ A D self crate Self r#x _ [] {} [0] */ 1. \
         \"\" \"31:0\" \"0:31\" \"63:32\" \"0x0-0xFFFF\" \"]]>.\" \"#[x].\"",
        ["[0, 1]", "A text.", "\"a \\\" b | c ] [ ` * / \\\\ </td> \\u00e9.\"", "\"//! x.\""],
    ))
}

/// The kind of piece that a change replaces in a text.
#[derive(Clone, Copy, Debug)]
enum Unit {
    Characters,
    Lines,
    /// Words, numbers and quoted texts.
    Values,
}

impl Unit {
    /// Returns the byte offsets at which units start, and the end of the text.
    fn starts(self, text: &str) -> Vec<usize> {
        let mut before = '\n';
        let mut quoted = false;
        let mut starts = text.char_indices().filter_map(|(at, c)| {
            let is_start = match self {
                Self::Characters => true,
                Self::Lines => before == '\n',
                Self::Values => {
                    let is_part = |c: char| c.is_alphanumeric() || "\"_.".contains(c);
                    !quoted && is_part(c) != is_part(before)
                }
            };
            quoted ^= c == '"';
            before = c;
            is_start.then_some(at)
        });
        starts.by_ref().chain([text.len()]).collect()
    }
}

/// A change to a text. It replaces some consecutive units (characters, lines or values) with other
/// units of the text, or with new text.
#[derive(Clone, Debug)]
struct Change {
    unit: Unit,
    at: Index,
    count: usize,
    with: Result<(Index, usize), String>,
}

fn change() -> impl Strategy<Value = Change> {
    let one = |unit, count: std::ops::Range<usize>, with: BoxedStrategy<_>| {
        let parts = (any::<Index>(), count, with);
        parts.prop_map(move |(at, count, with)| Change { unit, at, count, with })
    };
    let text = |text: BoxedStrategy<String>| text.prop_map(Err).boxed();
    let copied = |count: std::ops::Range<usize>| (any::<Index>(), count).prop_map(Ok).boxed();
    let tokens = prop::collection::vec(token(), 0..60).prop_map(|all| all.concat()).boxed();
    prop_oneof![
        4 => one(Unit::Characters, 0..2, text(token().boxed())),
        1 => one(Unit::Characters, 0..2, text(Just("\n  ".to_owned()).boxed())),
        2 => one(Unit::Lines, 0..20, text(Just(String::new()).boxed())),
        3 => one(Unit::Lines, 0..20, copied(1..20)),
        // The rest of the file.
        1 => one(Unit::Characters, usize::MAX - 1..usize::MAX, text(tokens)),
        1 => one(Unit::Values, 1..2, copied(1..2)),
        2 => one(Unit::Values, 1..2, text(value().prop_map(str::to_owned).boxed())),
    ]
}

impl Change {
    fn apply(&self, text: &str) -> String {
        let starts = self.unit.starts(text);
        let range = |at: &Index, count: usize| {
            let at = at.index(starts.len());
            starts[at]..starts[at.saturating_add(count).min(starts.len() - 1)]
        };
        let with = match &self.with {
            Ok((at, count)) => &text[range(at, *count)],
            Err(with) => with,
        };
        let replaced = range(&self.at, self.count);
        [&text[..replaced.start], with, &text[replaced.end..]].concat()
    }
}

/// The specs of this workspace, and the made-up ones.
static SPECS: LazyLock<[Vec<Sources>; 2]> = LazyLock::new(|| {
    let real = load::Directories::read(root()).expect("IPs");
    [&real, &good::SPECS].map(|specs| {
        let names = specs.ips().expect("IPs").iter();
        let all = names.map(|name| {
            let (sources, errors) = specs.files(name);
            assert!(errors.is_empty(), "{errors:?}");
            sources
        });
        all.collect()
    })
});

/// Returns the existing files of an IP.
fn files(sources: &mut Sources) -> Vec<&mut String> {
    sources.all_mut().iter_mut().filter_map(|source| source.text.as_mut()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_specs_compile_or_are_refused(
        // Reading the specs of a made-up IP is faster.
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
        hold(&sources)?;
    }

    /// Generates parts of formulas in any order.
    #[test]
    fn any_formulas_are_handled(parts in prop::collection::vec(part(), 0..40)) {
        let mut sources = good::sources("demo");
        let metrics = sources.get_mut(File::Metrics).text.as_mut().expect("metrics");
        let formula = format!("formula: \"{}\"", parts.concat());
        *metrics = metrics.replace("formula: MISS / LOOKUP", &formula);
        prop_assert!(metrics.contains(&formula));
        hold(&sources)?;
    }
}

/// Parts of formulas, valid and invalid.
fn part() -> impl Strategy<Value = &'static str> {
    prop::sample::select(words(
        "MISS LOOKUP cycles 1 0 18446744073709551616 1u8 0x1 1e3 true return if as _ + - * / // ( ) \
         (((( ---- % ! \\n \u{e9}",
        [" "],
    ))
}
