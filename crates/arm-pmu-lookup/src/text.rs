//! Formats paragraphs.

/// Splits a text into lines of at most this number of characters, except for longer words.
#[must_use]
pub fn wrapped(columns: usize, text: &str) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if length(line) + 1 + length(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A paragraph that begins with `first`. Later lines are indented by the width of `first`.
#[must_use]
pub fn paragraph(columns: usize, first: &str, text: &str) -> String {
    let indent = first.chars().count();
    let lines = wrapped(columns.saturating_sub(indent), text);
    let text = first.to_owned() + &lines.join(&format!("\n{}", " ".repeat(indent)));
    text.trim_end().to_owned() + "\n"
}

/// The first sentence of a text.
#[must_use]
pub fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}

/// Adds an article to a noun: `an ACE interface`, `a slave interface`.
#[must_use]
pub fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}
