//! The lists that name every IP.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::name::Names;
use super::skeleton::List;
use super::skeleton::Place::{self, Among, Before};
use crate::generate::load;

/// A file with one more IP.
pub struct Edit {
    pub path: String,
    pub text: String,
}

/// The files with one more IP.
///
/// # Errors
///
/// If a file cannot be read, or has no such list.
pub fn edits(
    root: &Path,
    names: &Names,
    lists: impl Iterator<Item = &'static List>,
) -> Result<Vec<Edit>> {
    let known = load::names(root)?;
    let mut edits = Vec::new();
    for (path, lines) in lists {
        let mut text =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        for (place, line) in *lines {
            let Some(at) = position(&text, place, &known, &names.ip.package) else {
                bail!("{path} has no list of IPs any more where there was one: {}", place.shown());
            };
            text.insert_str(at, &names.put_into(line));
        }
        edits.push(Edit { path: (*path).to_owned(), text });
    }
    Ok(edits)
}

/// Where the line of the new IP goes.
fn position(text: &str, place: &Place, known: &[String], new: &str) -> Option<usize> {
    match place {
        // Once: else it may be another list.
        Before(line) => (text.matches(line).count() == 1).then(|| text.find(line))?,
        Among(before, after) => {
            let mut last = None;
            let mut start = 0;
            for line in text.split_inclusive('\n') {
                let of_ip = |ip: &&String| line.starts_with(&format!("{before}{ip}{after}"));
                match known.iter().find(of_ip) {
                    Some(ip) if ip.as_str() > new => return Some(start),
                    Some(_) => last = Some(start + line.len()),
                    // An entry may have more lines than its first.
                    None if last == Some(start) && line.starts_with("pub use ") => {
                        last = Some(start + line.len());
                    }
                    None => {}
                }
                start += line.len();
            }
            last
        }
    }
}

impl Place {
    fn shown(&self) -> String {
        match self {
            Among(before, after) => format!("no line `{before}<ip>{after}`"),
            Before(line) => format!("not once `{}`", line.trim()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_in_the_order_of_the_alphabet() {
        let known = ["b", "d"].map(str::to_owned);
        let text = "a = 1\n\n- b: 1\npub use b;\n- d: 1\npub use d;\n\nend\n";
        let at = |new| position(text, &Among("- ", ":"), &known, new);
        assert_eq!(at("a"), text.find("- b"));
        assert_eq!(at("c"), text.find("- d"));
        assert_eq!(at("e"), text.find("\nend"));
        assert_eq!(position(text, &Among("* ", ":"), &known, "c"), None);
        assert_eq!(position(text, &Before("end"), &known, "c"), text.find("end"));
        assert_eq!(position(text, &Before("pub use"), &known, "c"), None, "twice");
    }
}
