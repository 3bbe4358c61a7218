//! Converts a YAML tree to types of the spec language, and collects all mistakes.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Deref;

use serde_json::json;

use crate::problem::{Place, Problems, report};
use crate::schema::{Definitions, Value as Schema};
use crate::yaml::{Node, Value};

/// A value and its position.
#[derive(Clone, Debug)]
pub struct At<T> {
    pub value: T,
    pub place: Place,
}

impl<T> Deref for At<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> AsRef<Place> for At<T> {
    fn as_ref(&self) -> &Place {
        &self.place
    }
}

/// A type of the spec language.
pub trait Read: Sized {
    /// Parses a node. `None` after adding a problem.
    fn read(node: &Node, problems: &mut Problems) -> Option<Self>;

    /// Returns the JSON Schema. A mapping is added to the definitions, and the result refers to it.
    fn describe(definitions: &mut Definitions) -> Schema;
}

impl<T: Read> Read for At<T> {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        T::read(node, problems).map(|value| Self { value, place: node.place.clone() })
    }

    fn describe(definitions: &mut Definitions) -> Schema {
        T::describe(definitions)
    }
}

/// A list without the items that have problems.
#[derive(Clone, Debug)]
pub struct List<T> {
    pub items: Vec<T>,
    /// Whether all items were parsed. Otherwise, rules about missing items do not apply.
    pub complete: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { items: Vec::new(), complete: true }
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: Read> Read for List<T> {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Value::Sequence(nodes) = &node.value else {
            report(problems, node, "expected a list").label(format!("found {}", node.kind()));
            return None;
        };
        let items: Vec<T> = nodes.iter().filter_map(|node| T::read(node, problems)).collect();
        Some(Self { complete: items.len() == nodes.len(), items })
    }

    fn describe(definitions: &mut Definitions) -> Schema {
        json!({ "type": "array", "items": T::describe(definitions) })
    }
}

/// Text of a scalar; other nodes are a problem.
pub fn scalar<'n>(
    node: &'n Node,
    expected: &str,
    problems: &mut Problems,
) -> Option<(&'n str, bool)> {
    match &node.value {
        Value::Scalar { text, quoted } if *quoted || !text.is_empty() => Some((text, *quoted)),
        _ => {
            report(problems, node, format!("expected {expected}"))
                .label(format!("found {}", node.kind()));
            None
        }
    }
}

/// Keys of a mapping during parsing.
pub struct Map<'n> {
    node: &'n Node,
    what: &'static str,
    /// Known keys that the file contains in a misspelt form. They are not also reported as missing.
    misspelt: Vec<String>,
    /// Number of unknown keys that resemble no known key. Each unknown key may be a misspelling of a missing key.
    unknown: usize,
    failed: bool,
}

impl<'n> Map<'n> {
    /// Checks that `node` is a mapping, and that all its keys are known and unique.
    pub fn new(
        node: &'n Node,
        what: &'static str,
        known: &[&str],
        problems: &mut Problems,
    ) -> Option<Self> {
        let Value::Mapping(pairs) = &node.value else {
            report(problems, node, format!("expected {what}, a mapping"))
                .label(format!("found {}", node.kind()));
            return None;
        };
        let mut map = Self { node, what, misspelt: Vec::new(), unknown: 0, failed: false };
        let mut seen = HashMap::new();
        for (key, _) in pairs {
            let Some((name, _)) = scalar(key, "a key", problems) else {
                map.failed = true;
                continue;
            };
            if !known.contains(&name) {
                let message = format!("{what} has no key `{}`", shown(name));
                report(problems, key, message).help(suggest(name, known));
                match nearest(name, known) {
                    Some(meant) => map.misspelt.push(meant.to_owned()),
                    None => map.unknown += 1,
                }
                map.failed = true;
                continue;
            }
            let first = *seen.entry(name).or_insert(&key.place);
            if first != &key.place {
                report(problems, key, format!("`{name}` is listed twice"))
                    .other(first, "first here");
                map.failed = true;
            }
        }
        Some(map)
    }

    /// Parses a required key.
    pub fn required<T: Read>(&mut self, name: &str, problems: &mut Problems) -> Option<T> {
        let misspelt = self.misspelt.iter().any(|known| known == name);
        if self.node.get(name).is_none() && !misspelt {
            self.failed = true;
            if self.unknown > 0 {
                self.unknown -= 1;
            } else {
                report(problems, &self.node, format!("{} lacks `{name}`", self.what));
            }
        }
        self.optional(name, problems)
    }

    /// Parses an optional key.
    pub fn optional<T: Read>(&mut self, name: &str, problems: &mut Problems) -> Option<T> {
        let value = T::read(self.node.get(name)?, problems);
        self.failed |= value.is_none();
        value
    }

    /// Parses an optional list; empty by default.
    pub fn list<T: Read>(&mut self, name: &str, problems: &mut Problems) -> List<T> {
        self.optional(name, problems).unwrap_or_default()
    }

    /// Parses a key that is `true` or omitted.
    pub fn flag(&mut self, name: &str, problems: &mut Problems) -> bool {
        let Some(node) = self.node.get(name) else { return false };
        let is_true =
            matches!(&node.value, Value::Scalar { text, quoted: false } if text == "true");
        if !is_true {
            report(problems, node, format!("`{name}` is `true` or left out"))
                .help(format!("write `{name}: true`, or remove it"));
            self.failed = true;
        }
        is_true
    }

    /// Returns `None` if a part could not be parsed.
    pub fn done(self) -> Option<()> {
        (!self.failed).then_some(())
    }
}

/// Suggests the nearest known word, or lists all known words.
pub fn suggest(word: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "none are listed".to_owned();
    }
    nearest(word, known).map_or_else(
        || {
            let known: Vec<_> = known.iter().map(|k| format!("`{k}`")).collect();
            format!("known: {}", known.join(", "))
        },
        |known| format!("did you mean `{known}`?"),
    )
}

/// Nearest known word, if unique.
fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    // No known word is this long, and a comparison would be slow.
    if word.len() > 100 {
        return None;
    }
    let other_case = known.iter().find(|k| k.eq_ignore_ascii_case(word));
    let distances = known.iter().map(|k| (strsim::damerau_levenshtein(word, k), *k));
    let near = |(distance, k): &(usize, &str)| {
        let length = k.len().max(word.len());
        *distance <= (length / 3).max(1) && *distance < length
    };
    let mut near: Vec<_> = distances.filter(near).collect();
    near.sort_unstable();
    match near[..] {
        _ if other_case.is_some() => other_case.copied(),
        [(first, _), (second, _), ..] if first == second => None,
        [(_, known), ..] => Some(known),
        [] => None,
    }
}

/// Returns each item whose key already occurred: the key, the item's place, and the place of the first item with this
/// key. If `items` contains the same item twice, with one place, this does not count as a
/// repetition.
pub fn repeated<'s, K: Clone + Eq + Hash>(
    items: impl Iterator<Item = (K, &'s Place)>,
) -> Vec<(K, &'s Place, &'s Place)> {
    let mut taken = HashMap::new();
    let repeats = |(key, place): (K, &'s Place)| {
        let first = *taken.entry(key.clone()).or_insert(place);
        (first != place).then_some((key, place, first))
    };
    items.filter_map(repeats).collect()
}

/// Formats a text of a spec for a message: ASCII, on one line, and shortened.
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == MOST {
            return shown + "...";
        }
        match c {
            ' '..='~' => shown.push(c),
            c => shown.extend(c.escape_default()),
        }
    }
    shown
}

/// A type of the spec language, with the type of its checked value.
pub trait Checked {
    /// Type in the model.
    type As;

    /// Converts the checked value.
    fn checked(&self) -> Self::As;
}

impl<T: Checked> Checked for At<T> {
    type As = T::As;

    fn checked(&self) -> T::As {
        self.value.checked()
    }
}

impl<T: Checked> Checked for Option<T> {
    type As = Option<T::As>;

    fn checked(&self) -> Self::As {
        self.as_ref().map(T::checked)
    }
}

impl<T: Checked> Checked for List<T> {
    type As = Vec<T::As>;

    fn checked(&self) -> Self::As {
        self.iter().map(T::checked).collect()
    }
}

impl Checked for bool {
    type As = Self;

    fn checked(&self) -> Self {
        *self
    }
}

/// Implements conversions of types with a single value.
macro_rules! wrapped {
    ($($Type:ident: $Value:ty),*) => { $(
        impl Checked for $Type {
            type As = $Value;

            fn checked(&self) -> $Value {
                self.0.clone()
            }
        }
    )* };
}

pub(crate) use wrapped;

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_a_unique_near_word_is_suggested() {
        assert_eq!(nearest("evnts", &["events", "events_of"]), Some("events"));
        assert_eq!(nearest("EVENTS", &["event", "events"]), Some("events"));
        assert_eq!(nearest("event", &["event0", "event1"]), None, "either");
        assert_eq!(nearest("b", &["a"]), None, "nothing in common");
    }

    #[test]
    fn words_of_at_most_100_characters_are_compared() {
        let known = "A".repeat(100);
        assert_eq!(nearest(&known.replacen('A', "B", 1), &[&known]), Some(&*known));
        assert_eq!(nearest(&known.replacen('A', "BB", 1), &[&known]), None);
    }
}
