//! Rules about the text of a file, and about the texts for people in it.

use crate::problem::{File, Place, Problem, Problems};
use crate::read::At;
use crate::scalar::Text;

/// Ten times the longest spec: some rules compare each line of a list with each of another.
pub const MAX_BYTES: u64 = 256 << 10;

/// Maximum line length, so that a spec can be read beside a manual.
const MAX_COLUMNS: usize = 120;

/// Bytes as the text of a spec, without the byte order mark of some editors.
///
/// # Errors
///
/// If they are not UTF-8, with the line.
pub fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line} is not UTF-8, the encoding of YAML")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// No line has more columns than people read.
pub fn has_short_lines(file: File, text: &str, problems: &mut Problems) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = line.trim_end_matches(['\r', '\n']);
        // For most lines, the number of bytes suffices.
        let beyond = (end.len() > MAX_COLUMNS).then(|| end.char_indices().nth(MAX_COLUMNS));
        if let Some((at, _)) = beyond.flatten() {
            let place = Place { file, range: start + at..start + end.len() };
            let message = format!("a line has at most {MAX_COLUMNS} columns");
            let help =
                "put each key on a line of its own, a long text as `>-` with its lines below";
            problems.push(Problem::new(&place, message).help(help));
        }
        start += line.len();
    }
}

/// A text is a sentence with more information than name and title.
pub fn is_a_sentence<const N: usize>(text: &At<Text>, names: [&str; N], problems: &mut Problems) {
    let letters = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    if names.iter().any(|name| letters(&text.0) == letters(name)) {
        problems.push(Problem::new(&text.place, "the text only repeats the name"));
    } else if !text.0.ends_with('.') {
        problems.push(Problem::new(&text.place, "a text is a sentence and ends with a full stop"));
    }
}
