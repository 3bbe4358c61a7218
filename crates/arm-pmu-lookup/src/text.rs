//! Formats paragraphs.

/// A paragraph that begins with `first`. The following lines are indented to the end of `first`.
#[must_use]
pub fn paragraph(columns: usize, first: &str, text: &str) -> String {
    let indent = first.chars().count();
    let mut out = first.to_owned();
    let mut used = indent;
    let mut empty = true;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if !empty && used + 1 + length > columns {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            used = indent;
            empty = true;
        }
        if !empty {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
        empty = false;
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
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
