//! Scalars of platform specs.

use std::collections::HashSet;

use crate::legend::Facts;
use serde_json::{Value, json};

use crate::problem::{Problems, report};
use crate::read::{Checked, Read, scalar, shown, wrapped};
use crate::scalar::{grouped, hex64};
use crate::schema::Definitions;
use crate::yaml::Node;

/// Address or length in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address(pub u64);

impl Read for Address {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, quoted) = scalar(node, "an address", problems)?;
        match hex64(text) {
            Ok(number) if !quoted => return Some(Self(number)),
            Ok(_) => report(problems, node, "an address is written without quotes"),
            Err(message) => report(problems, node, message)
                .help("addresses and lengths are written as 0x and hexadecimal digits"),
        };
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        // JSON parsers without 64-bit integers round large numbers.
        let number = json!({ "type": "integer", "minimum": 0, "maximum": 2f64.powi(64) });
        let description = "In hexadecimal: 0xFD6E_0000.";
        json!({ "description": description, "anyOf": [number, grouped(16)] })
    }
}

/// Numbers of CPUs in the list format of Linux: `0-3`, `"0-1,4"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpus(pub Vec<u32>);

/// More CPUs than any system has, as a limit for lists.
const MOST_CPUS: u32 = 1024;

impl Read for Cpus {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a list of CPUs", problems)?;
        let number = |text: &str| {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| text.parse().ok()).flatten().filter(|number| *number < MOST_CPUS)
        };
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (u32, u32) = (number(first)?, number(last)?);
            (first <= last).then_some(first..=last)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        let all: Vec<u32> = ranges.into_iter().flatten().flatten().collect();
        let is_unique = all.iter().collect::<HashSet<_>>().len() == all.len();
        if !all.is_empty() && is_unique {
            return Some(Self(all));
        }
        let message = format!("`{}` is not a list of CPUs", shown(text));
        let help = "numbers below 1024 and ranges, each CPU once: 0-3, or \"0-1,4\" in quotes";
        report(problems, node, message).help(help);
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        let list = json!({ "type": "string", "pattern": "^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$" });
        let one = json!({ "type": "integer", "minimum": 0, "maximum": MOST_CPUS - 1 });
        json!({ "description": "CPUs as Linux lists them: 0-3.", "anyOf": [one, list] })
    }
}

/// Name for the command line: `zynqmp`, `smmu-usb`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(pub String);

impl Read for Id {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a name", problems)?;
        let character = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let words = text.split('-').all(|word| !word.is_empty());
        let starts = text.starts_with(|c: char| c.is_ascii_lowercase());
        if starts && words && text.chars().all(character) && !is_keyword(text) {
            return Some(Self(text.to_owned()));
        }
        let message = format!("`{}` is not a name for the command line", shown(text));
        let help = "lower-case letters and digits, with `-` between words: smmu-usb";
        report(problems, node, message).help(help);
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({
            "description": "A name for the command line: lower-case letters, digits and `-`.",
            "type": "string",
            "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
        })
    }
}

/// Whether a word is a keyword of Rust or YAML, and so cannot name a module.
fn is_keyword(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
        "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
        "in", "let", "loop", "macro", "match", "mod", "move", "mut", "null", "override", "priv",
        "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try",
        "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    WORDS.contains(&text)
}

impl Facts for Address {}
impl Facts for Cpus {}
impl Facts for Id {}

wrapped!(Address: u64, Cpus: Vec<u32>, Id: String);
