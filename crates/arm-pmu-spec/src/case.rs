//! Stored test cases: a change of a valid spec, and the expected messages.
//!
//! A case is written like a patch, followed by its messages:
//!
//! ```text
//! # Remarks.
//! -evntbus: configured
//! +evntbus: wide
//! ===
//! error: ...
//! ```
//!
//! Removed lines, and kept lines (which begin with a space), must occur exactly once in the good file. A change that
//! consists only of added lines replaces the whole file. `<U+0007>` stands for a character that is not visible in a
//! file. Stored messages omit the quoted lines of the file, because the change contains them: see [`stored`].

use std::fmt::Write as _;

/// Line that separates the change from the messages in a case.
const MESSAGES: &str = "===\n";

/// Splits a case into its change and its messages.
pub fn split(case: &str) -> (&str, &str) {
    let at = if case.starts_with(MESSAGES) { Some(0) } else { case.find("\n===\n").map(|n| n + 1) };
    at.map_or((case, ""), |at| (&case[..at], &case[at + MESSAGES.len()..]))
}

/// Returns the case with its messages replaced by `messages`.
pub fn with_messages(case: &str, messages: &str) -> String {
    let change = split(case).0;
    let end = if change.ends_with('\n') { "" } else { "\n" };
    format!("{change}{end}{MESSAGES}{messages}")
}

/// Applies a change to a text. Comment lines are not allowed.
pub fn change(text: &str, lines: &[&str]) -> Result<String, String> {
    let (mut old, mut new) = (String::new(), String::new());
    for line in lines {
        let (sign, line) = line.split_at_checked(1).unwrap_or((" ", ""));
        let line = line.to_owned() + "\n";
        match sign {
            "-" => old += &line,
            "+" => new += &unescape(&line)?,
            " " => {
                old += &line;
                new += &line;
            }
            _ => return Err(format!("a line starts with `-`, `+` or a space: {sign}{line}")),
        }
    }
    if old.is_empty() {
        return Ok(new);
    }
    let mut found =
        text.match_indices(&old).filter(|(at, _)| *at == 0 || text[..*at].ends_with('\n'));
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Ok(format!("{}{new}{}", &text[..at], &text[at + old.len()..])),
        (None, _) => Err(format!("not in the good file:\n{old}")),
        _ => Err(format!("more than once in the good file:\n{old}")),
    }
}

fn unescape(line: &str) -> Result<String, String> {
    let mut parts = line.split("<U+");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once('>').ok_or("`<U+` without `>`")?;
        let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        text.push(c.ok_or_else(|| format!("<U+{digits}> is not a character"))?);
        text += rest;
    }
    Ok(text)
}

/// Converts messages to the form in which a case stores them: escaped, and with the line number in
/// place of the quoted line.
pub fn stored(messages: &str) -> String {
    let mut text = String::new();
    let mut number = "";
    for line in messages.lines() {
        let Some((margin, marks)) = line.split_once('|') else {
            text += line;
            text.push('\n');
            continue;
        };
        if margin.trim().parse::<u32>().is_ok() {
            number = margin;
        } else if !margin.trim().is_empty() {
            text += line;
            text.push('\n');
        } else if !marks.trim().is_empty() {
            text += &format!("{number}|{marks}\n");
        }
    }
    escape(&text)
}

/// Writes all characters except printable ASCII and line ends as `<U+XXXX>`.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            ' '..='~' | '\n' => escaped.push(c),
            c => write!(escaped, "<U+{:04X}>", u32::from(c)).unwrap_or_default(),
        }
    }
    escaped
}
