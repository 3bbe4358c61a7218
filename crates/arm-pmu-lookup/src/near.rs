//! Suggests known names that are similar to an unknown name.

use crate::search::folded;

/// Maximum number of suggestions.
const MOST: usize = 4;

/// Minimum similarity of two names, from 0 to 1.
const ALIKE: f64 = 0.75;

/// Known names, the most similar first.
pub fn near<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
    let wanted = folded(name);
    let mut ranked: Vec<(f64, &str)> = Vec::new();
    for known in known {
        let likeness = likeness(&wanted, &folded(known));
        if likeness >= ALIKE && !ranked.iter().any(|(_, other)| *other == known) {
            ranked.push((likeness, known));
        }
    }
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    ranked.into_iter().take(MOST).map(|(_, known)| known).collect()
}

/// Beginning of a suggestion in a message.
const SUGGESTION: &str = "; near: ";

/// Suggestion as the end of a message: `; near: A, B`.
pub fn suggestion<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let near = near(name, known);
    if near.is_empty() { String::new() } else { format!("{SUGGESTION}{}", near.join(", ")) }
}

/// Whether a message contains a suggestion.
#[must_use]
pub fn is_in(message: &str) -> bool {
    message.contains(SUGGESTION)
}

fn likeness(wanted: &str, known: &str) -> f64 {
    let spelt = strsim::normalized_damerau_levenshtein(wanted, known);
    // A name that contains the unknown name is similar too.
    let part = wanted.len() >= 4 && known.contains(wanted);
    if part { spelt.max(ALIKE) } else { spelt }
}
