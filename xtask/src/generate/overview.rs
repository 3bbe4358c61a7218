//! Lists of all IPs in documents: `gen` adds missing rows and leaves other rows unchanged.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::generate::files::{self, Change};
use crate::generate::model::{Ip, Space};
use crate::generate::names;

/// A list of all IPs in a document.
struct List {
    path: &'static str,
    /// Whether IPs of one architecture are grouped; otherwise all are in alphabetical order.
    is_grouped: bool,
    /// Returns the row of an IP in two parts: its start, and the rest.
    row: fn(&Ip) -> (String, String),
}

const LISTS: [List; 4] = [
    List { path: "README.md", is_grouped: true, row: of_readme },
    List { path: "CHANGELOG.md", is_grouped: false, row: of_changelog },
    List { path: "crates/arm-pmu/src/lib.md", is_grouped: false, row: of_facade },
    List { path: "crates/arm-pmu-sim/src/lib.md", is_grouped: true, row: of_simulator },
];

fn of_readme(ip: &Ip) -> (String, String) {
    let name = &ip.name;
    let events: usize = ip.groups.iter().map(|group| group.events.len()).sum();
    let cycles = if ip.counters.cycles { " and the cycles" } else { "" };
    let (state, filter) = match ip.space {
        Space::System if ip.is_processor() => (" in AArch64", ", filter by Exception level"),
        _ => ("", ""),
    };
    let rest = format!(
        " {}{state}: {events} events, {} counters{cycles}{filter} | simulated only |",
        title(ip),
        ip.counters.count,
    );
    (format!("| [`{name}`](crates/{name}) |"), rest)
}

fn of_changelog(ip: &Ip) -> (String, String) {
    let rest = format!(" registers, events and driver of the {}.", title(ip));
    (format!("- `{}`:", ip.name), rest)
}

fn of_facade(ip: &Ip) -> (String, String) {
    (format!("| `{}` |", ip.name), format!(" {} |", title(ip)))
}

fn of_simulator(ip: &Ip) -> (String, String) {
    let device = names::of_ip(&ip.name).type_name;
    let rest = match ip.is_processor() {
        true => format!(
            " PMU of a {} core | [`bus`]({device}::bus) or [`user_bus`]({device}::user_bus) |",
            ip.title
        ),
        false => format!(" {} | [`bus`]({device}::bus) |", ip.title),
    };
    (format!("| [`{device}`] |"), rest)
}

fn title(ip: &Ip) -> String {
    let all = [ip.title.as_str()].into_iter();
    let all: Vec<_> = all.chain(ip.also.iter().map(|product| product.title.as_str())).collect();
    listed(&all, "and")
}

/// `A, B and C`.
pub fn listed<T: AsRef<str>>(items: &[T], before_last: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match &items[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} {before_last} {last}", first.join(", ")),
    }
}

/// Returns the changes that add a row for each IP to each list.
pub fn compare(root: &Path, ips: &[&Ip]) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for List { path, is_grouped, row } in LISTS {
        let text =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        let row = |ip: &&Ip| {
            let architecture = ip.architecture.as_ref().filter(|_| is_grouped);
            let group = architecture.map_or(String::new(), |of| of.name.clone());
            let (start, rest) = row(ip);
            (group, start, rest)
        };
        let rows: Vec<_> = ips.iter().map(row).collect();
        let Some(text) = completed(&text, &rows) else {
            bail!("{path} has no list of IPs any more")
        };
        changes.extend(files::compare_file(root.join(path), text)?);
    }
    Ok(changes)
}

/// Returns the text with the missing rows added. A row is inserted after the row of the previous IP in its group, or
/// before the row of the next IP. Returns `None` if the text has no row.
fn completed(text: &str, rows: &[(String, String, String)]) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place =
        |lines: &[String], start: &str| lines.iter().position(|line| line.starts_with(start));
    rows.iter().find_map(|(_, start, _)| place(&lines, start))?;
    for (nth, (group, start, rest)) in rows.iter().enumerate() {
        if place(&lines, start).is_some() {
            continue;
        }
        let row = |other: &(String, String, String)| place(&lines, &other.1);
        let is_near = |other: &&(String, String, String)| other.0 == *group;
        let (before, after) = (&rows[..nth], &rows[nth + 1..]);
        let behind = |at: usize| {
            // An entry of a list can have continuation lines.
            at + 1 + lines[at + 1..].iter().take_while(|line| line.starts_with("  ")).count()
        };
        let near = before.iter().rev().filter(is_near).find_map(row).map(behind);
        let near = near.or_else(|| after.iter().filter(is_near).find_map(row));
        let near = near.or_else(|| before.iter().rev().find_map(row).map(behind));
        let at = near.or_else(|| after.iter().find_map(row))?;
        lines.insert(at, format!("{start}{rest}"));
    }
    Some(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(names: &[(&str, &str)]) -> Vec<(String, String, String)> {
        let row = |(group, name): &(&str, &str)| {
            (group.to_string(), format!("- {name}:"), " new".to_owned())
        };
        names.iter().map(row).collect()
    }

    #[test]
    fn missing_rows_follow_the_rows_before_them() {
        let text = "List\n\n- b: text\n  and more\n- d: text\n\nend\n";
        let names = ["a", "b", "c", "d", "e"].map(|name| ("", name));
        let all = completed(text, &rows(&names)).unwrap();
        let wanted =
            "List\n\n- a: new\n- b: text\n  and more\n- c: new\n- d: text\n- e: new\n\nend\n";
        assert_eq!(all, wanted);
        assert_eq!(completed(&all, &rows(&names)).unwrap(), all);
        assert_eq!(completed("nothing\n", &rows(&[("", "b")])), None);
    }

    #[test]
    fn rows_of_a_group_stand_together() {
        let text = "- core1: text\n- other: text\n";
        let names = [("", "a"), ("core", "core1"), ("", "other"), ("core", "z")];
        let all = completed(text, &rows(&names)).unwrap();
        assert_eq!(all, "- core1: text\n- z: new\n- a: new\n- other: text\n");
    }
}
