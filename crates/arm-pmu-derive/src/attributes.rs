//! Attributes in `#[event(..)]`.
//!
//! A list is split at its commas before its attributes are parsed, so a mistake in one attribute does not hide a
//! mistake in the next attribute.

use core::mem;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::TokenStreamExt;

use crate::problems::Problems;
use crate::suggestion::{closest, list};
use crate::syntax::{Attribute, Value};
use crate::tokens::Tokens;

/// Attributes without a value, each named after a method of the trait.
pub(crate) const FLAGS: [&str; 6] =
    ["secure_exempt", "ace_only", "never_fires", "filterable", "secure_only", "architectural"];

/// Position of an `#[event(..)]`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Enum,
    Variant,
}

impl Place {
    fn known(self) -> &'static [&'static str] {
        match self {
            Self::Enum => &["bits", "crate"],
            Self::Variant => {
                const {
                    let [a, b, c, d, e, f] = FLAGS;
                    &["name", "unit", "evntbus", a, b, c, d, e, f]
                }
            }
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Enum => Self::Variant,
            Self::Variant => Self::Enum,
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Enum => "#[event(bits = 5)]",
            Self::Variant => "#[event(name = \"READ_DATA_BEAT\")]",
        }
    }
}

/// Attributes in all `#[event(..)]` of one enum or variant.
pub(crate) struct Attributes {
    /// Valid attributes for this position, without duplicates.
    pub(crate) items: Vec<Item>,
    /// Keys whose misspelling was reported.
    misspelt: Vec<&'static str>,
    /// Whether an attribute could not be parsed. Such an attribute may contain any key.
    unreadable: bool,
}

impl Attributes {
    pub(crate) fn read(attributes: Vec<Attribute>, place: Place, problems: &mut Problems) -> Self {
        let mut read = Self { items: Vec::new(), misspelt: Vec::new(), unreadable: false };
        for attribute in attributes.into_iter().filter(|attribute| attribute.name == "event") {
            let list = match attribute.value {
                Value::Other(list) => in_parentheses(list),
                _ => None,
            };
            if let Some(list) = list {
                for tokens in cut(list, problems) {
                    read.read_one(tokens, place, problems);
                }
            } else {
                read.unreadable = true;
                let example = place.example();
                problems.add(
                    &attribute.tokens,
                    &format_args!("attributes are listed in parentheses, as in `{example}`"),
                );
            }
        }
        read
    }

    /// Whether `key` is missing, and no reported mistake explains this.
    pub(crate) fn lack(&self, key: &'static str) -> bool {
        !self.unreadable
            && !self.misspelt.contains(&key)
            && !self.items.iter().any(|item| item.key == key)
    }

    fn read_one(&mut self, tokens: TokenStream, place: Place, problems: &mut Problems) {
        let Some(attribute) = Attribute::parse(Tokens::new(tokens.clone())) else {
            self.unreadable = true;
            let example = place.example();
            problems.add(&tokens, &format_args!("expected an attribute, as in `{example}`"));
            return;
        };
        let written = &attribute.name;
        let find = |place: Place| place.known().iter().find(|&&key| *written == key).copied();
        if let Some(key) = find(place) {
            if self.items.iter().any(|item| item.key == key) {
                problems.add(written, &format_args!("`{key}` is given twice: remove one"));
            } else {
                self.items.push(Item { key, attribute });
            }
        } else if let Some(key) = find(place.other()) {
            let message = match place {
                Place::Enum => format!("`{key}` describes an event: move it to a variant"),
                Place::Variant => format!("`{key}` describes all events: move it to the enum"),
            };
            problems.add(written, &message);
        } else {
            let message = if let Some(key) = closest(&written.to_string(), place.known()) {
                self.misspelt.push(key);
                format!("unknown attribute `{written}`: did you mean `{key}`?")
            } else if place == Place::Variant && (*written == "code" || *written == "summary") {
                let instead = if *written == "code" {
                    "number of the variant, as in `ReadDataBeat = 0x08`"
                } else {
                    "first paragraph of the doc comment"
                };
                format!("`{written}` is not an attribute: write it as the {instead}")
            } else {
                let known = list(place.known());
                format!("unknown attribute `{written}`: expected one of {known}")
            };
            problems.add(written, &message);
        }
    }
}

/// One attribute of a list: `key`, or `key = value`.
pub(crate) struct Item {
    pub(crate) key: &'static str,
    attribute: Attribute,
}

impl Item {
    /// Returns the value if `parse` accepts it; otherwise reports `expected`.
    pub(crate) fn value<T>(
        &self,
        parse: fn(&mut Tokens) -> Option<T>,
        expected: &str,
        problems: &mut Problems,
    ) -> Option<T> {
        let (place, rest) = match &self.attribute.value {
            Value::None => (&self.attribute.tokens, None),
            Value::Assigned(value) => {
                let mut rest = value.clone();
                match parse(&mut rest) {
                    Some(value) if rest.is_empty() => return Some(value),
                    Some(_) => (value, Some(rest)),
                    None if value.is_empty() => (&self.attribute.tokens, None),
                    None => (value, None),
                }
            }
            Value::Other(rest) => (&self.attribute.tokens, Some(rest.clone())),
        };
        report(rest, place, expected, problems);
        None
    }

    /// Reports a flag that has a value.
    pub(crate) fn check_flag(&self, problems: &mut Problems) {
        let rest = match &self.attribute.value {
            Value::None => return,
            Value::Assigned(_) => None,
            Value::Other(rest) => Some(rest.clone()),
        };
        let key = self.key;
        let message = format!("`{key}` is a flag: write it without a value, or leave it out");
        report(rest, &self.attribute.tokens, &message, problems);
    }
}

/// Reports `message`, or a missing comma.
///
/// `rest` contains the tokens after an attribute. If the first of these tokens is a word, it is probably the name of
/// the next attribute.
fn report(rest: Option<Tokens>, place: &Tokens, message: &str, problems: &mut Problems) {
    match rest.as_ref().and_then(Tokens::peek) {
        Some(TokenTree::Ident(next)) => problems.add(next, &"a comma is missing before this"),
        _ => problems.add(place, &message),
    }
}

/// Splits a list at its commas; a trailing comma is allowed.
fn cut(mut tokens: Tokens, problems: &mut Problems) -> Vec<TokenStream> {
    let mut items = Vec::new();
    let mut item = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(comma) if comma.as_char() == ',' => {
                if item.is_empty() {
                    problems.add(&comma, &"there is nothing before this comma: remove it");
                } else {
                    items.push(mem::take(&mut item));
                }
            }
            token => item.append(token),
        }
    }
    if !item.is_empty() {
        items.push(item);
    }
    items
}

fn in_parentheses(mut tokens: Tokens) -> Option<Tokens> {
    let list = tokens.group(Delimiter::Parenthesis)?;
    tokens.is_empty().then(|| Tokens::new(list.stream()))
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn the_page_of_the_macro_has_every_attribute() {
        let page = include_str!("lib.rs");
        let (_, of_enum) = page.split_once("# `#[event(..)]` on the enum").expect("a heading");
        let (of_enum, of_variant) =
            of_enum.split_once("# `#[event(..)]` on a variant").expect("a heading");
        for (text, place) in [(of_enum, Place::Enum), (of_variant, Place::Variant)] {
            let rows = text.lines().filter_map(|line| line.strip_prefix("/// | `"));
            let keys = rows.filter_map(|row| row.split([' ', '`']).next());
            assert_eq!(keys.collect::<Vec<_>>(), place.known());
        }
    }
}
