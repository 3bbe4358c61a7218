//! Extracts the messages of a source file, to compare them with stored output.

use std::fs;
use std::path::Path;

/// String literals with several words, except in comments and tests.
pub fn of(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source file");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.map(|line| line.to_owned() + "\n").collect();
    let mut all = Vec::new();
    let mut rest = code.as_str();
    while let Some(start) = rest.find('"') {
        // The quotation mark is a character literal.
        if rest[..start].ends_with('\'') || rest[..start].ends_with("'\\") {
            rest = &rest[start + 1..];
            continue;
        }
        let mut literal = String::new();
        let mut letters = rest[start + 1..].char_indices();
        let mut end = rest.len();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    end = start + 1 + at + 1;
                    break;
                }
                // An escape is one character, or joins the next line.
                '\\' => literal.push(match letters.next() {
                    Some((_, 'n' | '\n')) => ' ',
                    Some((_, other)) => other,
                    None => ' ',
                }),
                letter => literal.push(letter),
            }
        }
        rest = &rest[end..];
        let literal = literal.split_whitespace().collect::<Vec<_>>().join(" ");
        if literal.contains(' ') {
            all.push(literal);
        }
    }
    all
}

/// Returns the messages that are not in the stored text, which has single spaces between words. `{}` matches any
/// text.
pub fn without_a_case(file: &Path, stored: &str) -> Vec<String> {
    of(file).into_iter().filter(|message| !is_in(message, stored)).collect()
}

/// Whether the longest literal part of a message occurs in the stored text.
fn is_in(message: &str, stored: &str) -> bool {
    let escaped = message.replace("{{", "\u{1}").replace("}}", "\u{2}");
    // Each second part is an argument.
    let parts = escaped.split(['{', '}']).step_by(2);
    let longest = parts.max_by_key(|part| part.len()).expect("a part");
    stored.contains(longest.replace('\u{1}', "{").replace('\u{2}', "}").trim())
}
