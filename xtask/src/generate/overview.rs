//! The lists of all IPs in documents: `gen` adds the rows that they lack, and leaves the others to people.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::generate::files::{self, Change};
use crate::generate::model::{Ip, Space};
use crate::generate::names;

/// A list of all IPs in a document.
struct List {
    path: &'static str,
    /// The start of the row of an IP, and the rest.
    row: fn(&Ip) -> (String, String),
}

const LISTS: [List; 4] = [
    List { path: "README.md", row: of_readme },
    List { path: "CHANGELOG.md", row: of_changelog },
    List { path: "crates/arm-pmu/src/lib.md", row: of_facade },
    List { path: "crates/arm-pmu-sim/src/lib.md", row: of_simulator },
];

fn of_readme(ip: &Ip) -> (String, String) {
    let name = &ip.name;
    let events: usize = ip.groups.iter().map(|group| group.events.len()).sum();
    let cycles = if ip.counters.cycles { " and the cycles" } else { "" };
    let rest = format!(
        " {}: {events} events, {} counters{cycles} | simulated only |",
        title(ip),
        ip.counters.count,
    );
    (format!("| [`{name}`](crates/{name}) |"), rest)
}

fn of_changelog(ip: &Ip) -> (String, String) {
    let rest = format!(" registers, events and driver of the {}.", ip.title);
    (format!("- `{}`:", ip.name), rest)
}

fn of_facade(ip: &Ip) -> (String, String) {
    (format!("| `{}` |", ip.name), format!(" {} |", title(ip)))
}

fn of_simulator(ip: &Ip) -> (String, String) {
    let device = names::of_ip(&ip.name).type_name;
    let user = match ip.space {
        Space::Cp15 | Space::System => format!(" or [`user_bus`]({device}::user_bus)"),
        Space::Region { .. } | Space::Pages(_) => String::new(),
    };
    let rest = format!(" {} | [`bus`]({device}::bus){user} |", title(ip));
    (format!("| [`{device}`] |"), rest)
}

/// Its title and its further products.
fn title(ip: &Ip) -> String {
    let all = [ip.title.as_str()].into_iter();
    let all: Vec<_> = all.chain(ip.also.iter().map(|product| product.title.as_str())).collect();
    all.join(", ")
}

/// The changes after which each list has a row of each IP.
///
/// # Errors
///
/// If a file cannot be read, or has no list of IPs.
pub fn compare(root: &Path, ips: &[Ip]) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for List { path, row } in LISTS {
        let text =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        let rows: Vec<_> = ips.iter().map(row).collect();
        let Some(text) = completed(&text, &rows) else {
            bail!("{path} has no list of IPs any more")
        };
        changes.extend(files::compare_file(root.join(path), text)?);
    }
    Ok(changes)
}

/// The text with the missing rows added, each after the row of the preceding IP. `None` if it has
/// no row at all.
fn completed(text: &str, rows: &[(String, String)]) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place =
        |lines: &[String], start: &str| lines.iter().position(|line| line.starts_with(start));
    // Behind the line before the first row.
    let first = rows.iter().filter_map(|(start, _)| place(&lines, start)).min()?;
    let mut last = first.checked_sub(1)?;
    for (start, rest) in rows {
        match place(&lines, start) {
            Some(at) => last = at,
            None => {
                // An entry of a list can have further lines.
                let end = last + 1;
                let further = lines[end..].iter().take_while(|line| line.starts_with("  ")).count();
                last = end + further;
                lines.insert(last, format!("{start}{rest}"));
            }
        }
    }
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(names: &[&str]) -> Vec<(String, String)> {
        names.iter().map(|name| (format!("- {name}:"), " new".to_owned())).collect()
    }

    #[test]
    fn missing_rows_follow_the_rows_before_them() {
        let text = "List\n\n- b: text\n  and more\n- d: text\n\nend\n";
        let names = ["a", "b", "c", "d", "e"];
        let all = completed(text, &rows(&names)).unwrap();
        let wanted =
            "List\n\n- a: new\n- b: text\n  and more\n- c: new\n- d: text\n- e: new\n\nend\n";
        assert_eq!(all, wanted);
        assert_eq!(completed(&all, &rows(&names)).unwrap(), all);
        assert_eq!(completed("nothing\n", &rows(&["b"])), None);
    }
}
