//! Extracts the messages of a source file, to compare them with stored output.

use std::fs;
use std::path::Path;

/// String literals with several words, except in comments and tests.
pub fn of(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source file");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    // An escaped quotation mark, or one in a character literal, does not end a text.
    let code = code.replace("\\\\", "\u{1}").replace("\\\"", "\u{2}").replace("'\"'", "");
    let literals = code.split('"').skip(1).step_by(2);
    let literals = literals.map(|text| {
        let text = text.replace("\\n", " ").replace("\\\n", " ");
        let text = text.replace('\u{1}', "\\").replace('\u{2}', "\"");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    literals.filter(|text| text.contains(' ')).collect()
}

/// Returns the messages that are not in the stored text, which has single spaces between words. `{}` matches any
/// text.
pub fn without_a_case(file: &Path, stored: &str) -> Vec<String> {
    of(file).into_iter().filter(|message| !is_in(message, stored)).collect()
}

/// Whether the longest literal part of a message occurs in the stored text.
fn is_in(message: &str, stored: &str) -> bool {
    let escaped = message.replace("{{", "\u{1}").replace("}}", "\u{2}");
    // Every second part is an argument.
    let parts = escaped.split(['{', '}']).step_by(2);
    let longest = parts.max_by_key(|part| part.len()).expect("a part");
    stored.contains(longest.replace('\u{1}', "{").replace('\u{2}', "}").trim())
}
