//! Constants for table entries that several IPs of an architecture share. The tables of an IP refer to these constants,
//! and contain only what differs from them.

use std::collections::{HashMap, HashSet};

use super::layout::{chain, deeper};
use super::prelude::*;

/// An entry of a table: a constructor whose last argument is the origin, and calls of setters.
#[derive(Clone)]
pub struct Entry {
    pub name: String,
    pub start: String,
    pub origin: String,
    pub calls: Vec<String>,
}

impl Entry {
    pub fn new(name: &str, start: String, origin: String, calls: Vec<String>) -> Self {
        let calls = calls.into_iter().filter(|call| !call.is_empty()).collect();
        Self { name: name.to_owned(), start, origin, calls }
    }

    fn whole(&self, origin: &str) -> String {
        chain(format!("{}, {origin})", self.start), &self.calls)
    }

    /// Returns the entry, but without aliases that refer to a `static` in the file of a single IP.
    fn without_sources_of_aliases(&self) -> Self {
        let is_kept = |call: &&String| !call.starts_with(".aliases(&") || call.contains("(&[\"");
        Self { calls: self.calls.iter().filter(is_kept).cloned().collect(), ..self.clone() }
    }

    /// Length of the code for this entry if the code may start from the other entry and add only
    /// the differences.
    fn length_with(&self, other: &Self) -> usize {
        let extends = self.extends(other);
        let is_written = |call: &&String| !extends || !other.calls.contains(call);
        let start = if extends { 0 } else { self.start.len() };
        start + self.calls.iter().filter(is_written).map(String::len).sum::<usize>()
    }

    /// Whether calls of setters turn the other entry into this entry.
    fn extends(&self, other: &Self) -> bool {
        let has = |call: &String| {
            let setter = call.find('(').map_or(call.as_str(), |at| &call[..=at]);
            self.calls.iter().any(|own| own.starts_with(setter))
        };
        self.start == other.start && other.calls.iter().all(has)
    }
}

/// A kind of entries, with its own module of constants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Registers,
    Events,
    Metrics,
    Findings,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Registers, Self::Events, Self::Metrics, Self::Findings];

    /// The module that contains the constants, and the type of the constants.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Registers => ("registers", "Register"),
            Self::Events => ("events", "Event"),
            Self::Metrics => ("metrics", "Metric"),
            Self::Findings => ("findings", "Finding"),
        }
    }
}

/// The entries that several IPs of an architecture have.
#[derive(Default)]
pub struct Common {
    /// The module with the constants.
    pub module: String,
    pub title: String,
    pub name: String,
    entries: Vec<(Kind, Vec<Entry>)>,
}

impl Common {
    /// `of_kind` returns all entries of a kind, with a separate list for each IP.
    pub fn of(architecture: &Architecture, of_kind: impl Fn(Kind) -> Vec<Vec<Entry>>) -> Self {
        let entries = Kind::ALL.map(|kind| (kind, common(&of_kind(kind))));
        Self {
            module: names::of_ip(&architecture.name).module,
            title: architecture.title.clone(),
            name: architecture.name.clone(),
            entries: entries.into_iter().filter(|(_, all)| !all.is_empty()).collect(),
        }
    }

    pub fn is_of(&self, architecture: &str) -> bool {
        self.name == architecture
    }

    /// Returns code that starts from the architecture's constant, and sets only what differs. If
    /// there is no such constant, returns the whole entry.
    pub fn refer(&self, kind: Kind, entry: &Entry, sources: &Sources) -> String {
        let origin = sources.name_of(&entry.origin);
        let mut of_kind =
            self.entries.iter().filter(|(of, _)| *of == kind).flat_map(|(_, all)| all);
        let known = of_kind.find(|known| known.name == entry.name && entry.extends(known));
        let Some(known) = known else { return entry.whole(&origin) };
        let mut text = format!("{}::{}", kind.names().0, names::constant(&known.name));
        if entry.origin != known.origin {
            let _ = write!(text, ".by({origin})");
        }
        let own = entry.calls.iter().filter(|call| !known.calls.contains(call));
        chain(text, &own.cloned().collect::<Vec<_>>())
    }

    /// The imports that `text` needs for the constants to which it refers.
    pub fn imports(&self, text: &str) -> String {
        let modules = self.entries.iter().map(|(kind, _)| kind.names().0);
        let used: Vec<_> = modules.filter(|module| text.contains(&format!("{module}::"))).collect();
        match &used[..] {
            [] => String::new(),
            [module] => format!("use super::{}::{module};\n", self.module),
            all => format!("use super::{}::{{{}}};\n", self.module, all.join(", ")),
        }
    }

    pub fn modules(&self) -> String {
        let mut text = String::new();
        for (kind, entries) in &self.entries {
            let (module, of) = kind.names();
            let _ = write!(
                text,
                "\n/// Entries of several implementations, which replace the origin and other keys where they differ.\n\
                 pub(super) mod {module} {{\n    use crate::prelude::*;\n\n"
            );
            for entry in entries {
                let (name, whole) =
                    (names::constant(&entry.name), deeper(&deeper(&entry.whole(&entry.origin))));
                let _ = writeln!(text, "    pub const {name}: {of} =\n        {whole};");
            }
            text.push_str("}\n");
        }
        text
    }
}

/// Returns each entry in its common form, which is the form that makes the tables of all IPs together shortest. An
/// entry is omitted if only one IP could use its common form.
fn common(ips: &[Vec<Entry>]) -> Vec<Entry> {
    let mut names: Vec<&str> = Vec::new();
    let mut forms: HashMap<&str, Vec<(usize, Entry)>> = HashMap::new();
    for (ip, entries) in ips.iter().enumerate() {
        for entry in entries {
            forms.entry(&entry.name).or_insert_with(|| {
                names.push(&entry.name);
                Vec::new()
            });
            forms.entry(&entry.name).or_default().push((ip, entry.without_sources_of_aliases()));
        }
    }
    let of_name = |name: &str| {
        let forms = forms.get(name)?;
        let mut distinct: Vec<&Entry> = Vec::new();
        for (_, entry) in forms {
            if !distinct.iter().any(|of| (&of.start, &of.calls) == (&entry.start, &entry.calls)) {
                distinct.push(entry);
            }
        }
        let chosen = distinct
            .into_iter()
            .min_by_key(|entry| forms.iter().map(|(_, of)| of.length_with(entry)).sum::<usize>())?;
        let mut users: Vec<_> =
            forms.iter().filter(|(_, of)| of.extends(chosen)).map(|(ip, _)| ip).collect();
        users.dedup();
        (users.len() > 1).then(|| chosen.clone())
    };
    names.into_iter().filter_map(of_name).collect()
}

/// Origins that several events of an IP share, each of which becomes a constant.
pub struct Sources(Vec<String>);

impl Sources {
    pub fn of(events: &[Entry]) -> Self {
        let times = |origin: &str| events.iter().filter(|of| of.origin == origin).count();
        let mut all: Vec<String> = Vec::new();
        for Entry { origin, .. } in events {
            if !all.contains(origin) && times(origin) > 1 {
                all.push(origin.clone());
            }
        }
        Self(all)
    }

    /// The constant with this origin; the origin itself if there is no constant.
    fn name_of(&self, origin: &str) -> String {
        match self.0.iter().position(|known| known == origin) {
            Some(nth) => format!("S{}", nth + 1),
            None => origin.to_owned(),
        }
    }

    /// Returns the constants that the tables use. The other constants would be unused, because entries that come from
    /// the architecture include their origin.
    pub fn constants(&self, tables: &str) -> String {
        let words: HashSet<_> = tables.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let mut text = String::new();
        for (nth, origin) in self.0.iter().enumerate() {
            let name = format!("S{}", nth + 1);
            if words.contains(&*name) {
                let before = if text.is_empty() { "\n// Sources of events.\n" } else { "" };
                let _ = writeln!(text, "{before}const {name}: Origin = {origin};");
            }
        }
        text
    }
}
