//! A mistake on file: a change of the good specs, and the messages that it leads to.
//!
//! The text of a case reads like a patch, the messages below it:
//!
//! ```text
//! # Remarks.
//! --- events.yaml
//! -evntbus: configured
//! +evntbus: wide
//! ===
//! error: ...
//! ```
//!
//! `--- specs/findings.yaml` is the file that belongs to all IPs. The good specs are those of `demo`, unless a remark says otherwise: `# ip: pages`.
//!
//! Lines that are taken away or kept (a space in front) must stand in the good file exactly once. A
//! part with added lines only, or with none, is the whole file. `<U+0007>` stands for a character
//! that cannot be seen in a file.

use std::fmt::Write as _;

use crate::generate::problem::Sources;

/// Where the messages start.
const MESSAGES: &str = "===\n";

/// The made-up IP that is changed.
pub fn ip(case: &str) -> &str {
    case.lines().find_map(|line| line.strip_prefix("# ip: ")).unwrap_or("demo")
}

/// The case split into the change and the messages.
pub fn split(case: &str) -> (&str, &str) {
    let at = if case.starts_with(MESSAGES) { Some(0) } else { case.find("\n===\n").map(|n| n + 1) };
    at.map_or((case, ""), |at| (&case[..at], &case[at + MESSAGES.len()..]))
}

/// The case with these messages in place of its own.
pub fn with_messages(case: &str, messages: &str) -> String {
    let change = split(case).0;
    let end = if change.ends_with('\n') { "" } else { "\n" };
    format!("{change}{end}{MESSAGES}{messages}")
}

/// Carries the change of a case out.
pub fn apply(case: &str, sources: &mut Sources) -> Result<(), String> {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in split(case).0.lines() {
        if let Some(file) = line.strip_prefix("--- ") {
            parts.push((file, Vec::new()));
        } else if let Some((_, lines)) = parts.last_mut() {
            lines.push(line);
        } else if !line.starts_with('#') {
            return Err(format!("before the first `--- file` only remarks are allowed: {line}"));
        }
    }
    if parts.is_empty() {
        return Err("no change: a `--- file` is missing".to_owned());
    }
    for (file, lines) in parts {
        let source = match file {
            "registers.yaml" => &mut sources.registers,
            "events.yaml" => &mut sources.events,
            "metrics.yaml" => &mut sources.metrics,
            "aliases.yaml" => &mut sources.aliases,
            "findings.yaml" => &mut sources.findings,
            "specs/findings.yaml" => &mut sources.common_findings,
            _ => return Err(format!("{file} is none of the files of an IP")),
        };
        let text = source.text.take().ok_or("no good file")?;
        source.text = Some(change(&text, &lines)?);
    }
    Ok(())
}

fn change(text: &str, lines: &[&str]) -> Result<String, String> {
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

/// The text with everything but printable ASCII and line ends as `<U+XXXX>`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            ' '..='~' | '\n' => escaped.push(c),
            c => write!(escaped, "<U+{:04X}>", u32::from(c)).unwrap_or_default(),
        }
    }
    escaped
}
