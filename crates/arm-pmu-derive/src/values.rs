//! Parses the values of attributes: numbers, names, paths.
//!
//! All functions return `None` after reporting a mistake.

use proc_macro2::{Ident, Literal, TokenStream};
use syn::Lit;

use crate::attributes::Item;
use crate::owners::Owners;
use crate::problems::Problems;
use crate::suggestion::{closest, list};
use crate::syntax::path;
use crate::tokens::Tokens;

pub(crate) fn bits(item: &Item, problems: &mut Problems) -> Option<u16> {
    let expected = "`bits` is the width of a code, from 1 to 16, as in `bits = 5`";
    let (literal, bits) = item.value(number, expected, problems)?;
    if (1..=16).contains(&bits) {
        Some(bits)
    } else {
        problems.add(&literal, &expected);
        None
    }
}

pub(crate) fn krate(item: &Item, problems: &mut Problems) -> Option<TokenStream> {
    let expected = "`crate` is a path without quotes, as in `crate = ::arm_pmu_core`";
    item.value(path, expected, problems)
}

pub(crate) fn name(
    item: &Item,
    variant: &Ident,
    taken: &mut Owners<String>,
    problems: &mut Problems,
) -> Option<String> {
    let expected = "`name` is a string, as in `name = \"READ_DATA_BEAT\"`";
    let (literal, name) = item.value(string, expected, problems)?;
    if !is_name(&name) {
        let rule = "a name consists of capitals, digits and `_`, and begins with a capital";
        let repair =
            |c: char| if matches!(c, '-' | ' ' | '.') { '_' } else { c.to_ascii_uppercase() };
        let repaired: String = name.chars().map(repair).collect();
        if is_name(&repaired) {
            problems.add(&literal, &format_args!("{rule}: write `{repaired}`"));
        } else {
            problems.add(&literal, &rule);
        }
        return None;
    }
    if let Some(first) = taken.other(name.clone(), variant) {
        problems.add(&literal, &format_args!("`{first}` has the name `{name}` already"));
        return None;
    }
    Some(name)
}

/// Whether a name has the form of names in manuals: capitals, digits and `_`.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| matches!(c, 'A'..='Z' | '0'..='9' | '_'))
}

/// The unit of an event's count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unit {
    #[default]
    Occurrences,
    Cycles,
    Beats,
}

pub(crate) fn unit(item: &Item, problems: &mut Problems) -> Option<Unit> {
    const UNITS: [&str; 3] = ["occurrences", "cycles", "beats"];
    let expected = "`unit` is a word without quotes, as in `unit = cycles`";
    let word = item.value(Tokens::ident, expected, problems)?;
    let written = word.to_string();
    match written.as_str() {
        "occurrences" => Some(Unit::Occurrences),
        "cycles" => Some(Unit::Cycles),
        "beats" => Some(Unit::Beats),
        _ => {
            let message = match closest(&written, &UNITS) {
                Some(unit) => format!("unknown unit `{written}`: did you mean `{unit}`?"),
                None => format!("unknown unit `{written}`: expected one of {}", list(&UNITS)),
            };
            problems.add(&word, &message);
            None
        }
    }
}

pub(crate) fn evntbus(
    item: &Item,
    variant: &Ident,
    taken: &mut Owners<u16>,
    problems: &mut Problems,
) -> Option<u16> {
    let expected = "`evntbus` is the number of a bit, from 0 to 65535, as in `evntbus = 8`";
    let (literal, bit) = item.value(number, expected, problems)?;
    if let Some(first) = taken.other(bit, variant) {
        problems.add(&literal, &format_args!("`{first}` drives EVNTBUS bit {bit} already"));
        return None;
    }
    Some(bit)
}

fn number(value: &mut Tokens) -> Option<(Literal, u16)> {
    match value.literal()? {
        Lit::Int(number) if number.suffix().is_empty() => {
            Some((number.token(), number.base10_digits().parse().ok()?))
        }
        _ => None,
    }
}

fn string(value: &mut Tokens) -> Option<(Literal, String)> {
    match value.literal()? {
        Lit::Str(text) => Some((text.token(), text.value())),
        _ => None,
    }
}

/// Converts `ReadDataBeat` to the form of names in manuals: `READ_DATA_BEAT`.
pub(crate) fn shout(ident: &str) -> String {
    let mut shouted = String::new();
    let mut last = None;
    for c in ident.chars() {
        if c.is_uppercase() && last.is_some_and(|last: char| last != '_' && !last.is_uppercase()) {
            shouted.push('_');
        }
        shouted.extend(c.to_uppercase());
        last = Some(c);
    }
    shouted
}

#[cfg(test)]
mod tests {
    use super::shout;

    #[test]
    fn identifiers_become_manual_names() {
        assert_eq!(shout("ReadDataBeat"), "READ_DATA_BEAT");
        assert_eq!(shout("TLBMiss"), "TLBMISS");
        assert_eq!(shout("Read_Data"), "READ_DATA");
        assert_eq!(shout("L2Miss"), "L2_MISS");
    }
}
