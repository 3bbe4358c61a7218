//! Rules about the text of files, and about descriptions.

use crate::problem::{File, Place, Problems, report};
use crate::read::At;
use crate::scalar::Text;

/// Maximum size, ten times the longest spec. Some rules take quadratic time in the length of a list.
pub const MAX_BYTES: u64 = 256 << 10;

/// Maximum line length, so that a spec fits beside a manual on a screen.
const MAX_COLUMNS: usize = 120;

/// Decodes the text of a spec, without a byte order mark.
pub fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line} is not UTF-8, the encoding of YAML")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Checks that lines are not too long.
pub fn has_short_lines(file: File, text: &str, problems: &mut Problems) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = line.trim_end_matches(['\r', '\n']);
        // The length in bytes is an upper bound of the number of characters.
        let beyond = (end.len() > MAX_COLUMNS).then(|| end.char_indices().nth(MAX_COLUMNS));
        if let Some((at, _)) = beyond.flatten() {
            let place = Place { file, range: start + at..start + end.len() };
            let message = format!("a line has at most {MAX_COLUMNS} columns");
            let help =
                "put each key on a line of its own, a long text as `>-` with its lines below";
            report(problems, &place, message).help(help);
        }
        start += line.len();
    }
}

/// Returns the part of a name that look-ups compare.
pub fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Checks that a text is a sentence that adds information to name and title.
pub fn is_a_sentence<const N: usize>(text: &At<Text>, names: [&str; N], problems: &mut Problems) {
    if names.iter().any(|name| letters(&text.0) == letters(name)) {
        report(problems, text, "the text only repeats the name");
    } else if !text.0.ends_with('.') {
        report(problems, text, "a text is a sentence and ends with a full stop");
    }
}
