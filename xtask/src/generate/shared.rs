//! Inserts the rows that an IP's file takes from its architecture's file, before the file is
//! parsed.
//!
//! Each value keeps its place, so a message shows the file with the mistake.

use std::collections::HashSet;

use arm_pmu_spec::common::{Chosen, CommonRows};
use arm_pmu_spec::read::{List, Read, suggest};

use crate::generate::problem::{Problems, report};
use crate::generate::spec::events::Events;
use crate::generate::yaml::{Node, Value};

/// Keys of the lists in which each row has a name.
const ROWS: [&str; 7] =
    ["registers", "groups", "sources", "events", "metrics", "not_computable", "findings"];

/// Keys that together give the origin of a fact.
const ORIGIN: [&str; 4] = ["section", "confidence", "from", "basis"];

/// Keys that are never taken from another file, because they describe the file that contains them.
const HEAD: [&str; 5] = ["ip", "title", "manual", "legend", "evntbus"];

/// Placeholders for words of the IP in texts of the architecture: `{product}` for `CCI-550`.
pub type Words = Vec<(&'static str, String)>;

/// Names that may occur in a formula of the IP, except the arguments of the formula.
pub type Inputs = HashSet<String>;

/// How a YAML mapping in the IP's file relates to the same mapping in the architecture's file.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    File,
    /// Also of groups.
    Row,
    /// The group's name differs from the common group's name, so the group takes only rows and no
    /// other keys.
    OtherGroup,
    /// The common rows belong to another unit, so the group takes a row only if one of the group's
    /// lists refers to it.
    OtherUnit,
}

/// Returns the file of the IP, completed from the file of the architecture. Returns `None` if the
/// architecture's file lacks something.
pub fn completed(
    own: &Node,
    common: Option<&Node>,
    words: &Words,
    inputs: &Inputs,
    problems: &mut Problems,
) -> Option<Node> {
    let mut taken = Taken::new(words, problems);
    taken.inputs = inputs.clone();
    let own_legend = own.get("legend").map_or(&[][..], Node::items);
    named_in(own, &mut taken.sources);
    taken.sources.retain(|name| !own_legend.iter().any(|entry| name_of(entry) == Some(name)));
    let mut file = taken.mapping(own, common, Level::File);
    // Common legend entries that the IP's own rows or the common rows use.
    let legend = common.and_then(|common| common.get("legend")).map_or(&[][..], Node::items);
    let is_used = |entry: &&Node| name_of(entry).is_some_and(|name| taken.sources.contains(name));
    let used: Vec<Node> = legend.iter().filter(is_used).cloned().collect();
    if let (Value::Mapping(pairs), Some(first)) = (&mut file.value, used.first()) {
        let place = first.place.clone();
        match pairs.iter_mut().find(|(key, _)| key.text() == Some("legend")) {
            Some((_, Node { value: Value::Sequence(own), .. })) => drop(own.splice(0..0, used)),
            Some(_) => {}
            None => {
                let key = Value::Scalar { text: "legend".to_owned(), quoted: false };
                let key = Node { place: place.clone(), value: key };
                pairs.push((key, Node { place, value: Value::Sequence(used) }));
            }
        }
    }
    taken.complete.then_some(file)
}

/// Splits the file of an architecture in two: one for the driver that works on every core, and one for the
/// implementations. The second file has the implementations' findings instead of the driver's findings.
pub fn split(file: &Node, problems: &mut Problems) -> (Node, Option<Node>) {
    let Some(of_ips) = file.get("implementations") else { return (file.clone(), None) };
    let findings = file.get("findings");
    let words = Words::new();
    let mut taken = Taken::new(&words, problems);
    let theirs = findings.map_or(&[][..], Node::items);
    let value = taken.rows("findings", of_ips, theirs, Level::File);
    let of_ips_expanded = Node { value, place: of_ips.place.clone() };
    // Each file has the legend entries that it uses. Unused entries stay in the first file, and are
    // reported there.
    let names = |rows: Option<&Node>| {
        let mut names = HashSet::new();
        rows.iter().for_each(|rows| named_in(rows, &mut names));
        names
    };
    let (of_all, of_ips) = (names(findings), names(Some(&of_ips_expanded)));
    let is_of_all = |name: &str| of_all.contains(name) || !of_ips.contains(name);
    let whole = with(file, &|key, value| match key {
        "implementations" => None,
        "legend" => Some(entries(value, is_of_all)),
        _ => Some(value.clone()),
    });
    let taken = with(file, &|key, value| match key {
        "implementations" => None,
        "findings" => Some(of_ips_expanded.clone()),
        "legend" => Some(entries(value, |name| of_ips.contains(name))),
        _ => Some(value.clone()),
    });
    (whole, Some(taken))
}

/// Returns a mapping with each value replaced, or removed where `value_of` returns `None`.
pub fn with(mapping: &Node, value_of: &dyn Fn(&str, &Node) -> Option<Node>) -> Node {
    let pairs = mapping.pairs().iter().filter_map(|(key, value)| {
        Some((key.clone(), value_of(key.text().unwrap_or_default(), value)?))
    });
    Node { place: mapping.place.clone(), value: Value::Mapping(pairs.collect()) }
}

fn entries(legend: &Node, is_named: impl Fn(&str) -> bool) -> Node {
    let entries = legend.items().iter().filter(|entry| name_of(entry).is_none_or(&is_named));
    Node { place: legend.place.clone(), value: Value::Sequence(entries.cloned().collect()) }
}

/// Returns the architecture's file for use as an IP's file, and adds `manual` and `counters` of the
/// IP's file where they are missing.
pub fn with_head_of(common: &Node, own: &Node) -> Node {
    let is_missing = |key: &Node| {
        key.text().is_some_and(|name| {
            ["manual", "counters"].contains(&name) && common.get(name).is_none()
        })
    };
    let missing = own.pairs().iter().filter(|(key, _)| is_missing(key));
    let mut file = common.clone();
    if let Value::Mapping(pairs) = &mut file.value {
        pairs.extend(missing.cloned());
    }
    file
}

/// Returns the metrics of an IP that has no metrics.yaml: those metrics of the architecture that
/// the IP's events allow.
///
/// `None` if the architecture has several groups of metrics, because the events of an IP do not show which of these
/// groups it needs.
pub fn without_metrics(head: &Node, of_all: &Node, events: &Events) -> Option<Node> {
    let [_] = of_all.get("groups")?.items() else { return None };
    let group = events.groups.first()?;
    let at = |value| Node { value, place: head.place.clone() };
    let scalar = |text: &str| at(Value::Scalar { text: text.to_owned(), quoted: false });
    let rows = at(Value::Mapping(vec![(scalar("common"), scalar("possible"))]));
    let group = at(Value::Mapping(vec![
        (scalar("name"), scalar(&group.name.0)),
        (scalar("metrics"), at(Value::Sequence(vec![rows]))),
    ]));
    let mut file = head.clone();
    if let Value::Mapping(pairs) = &mut file.value {
        let origin = of_all.pairs().iter();
        pairs.extend(
            origin.filter(|(key, _)| key.text().is_some_and(|key| ORIGIN.contains(&key))).cloned(),
        );
        pairs.push((scalar("groups"), at(Value::Sequence(vec![group]))));
    }
    Some(file)
}

struct Taken<'a> {
    words: &'a Words,
    inputs: Inputs,
    /// Names in the common legend.
    sources: HashSet<String>,
    /// Whether all common rows were found.
    complete: bool,
    problems: &'a mut Problems,
}

impl<'a> Taken<'a> {
    fn new(words: &'a Words, problems: &'a mut Problems) -> Self {
        Self { words, inputs: Inputs::new(), sources: HashSet::new(), complete: true, problems }
    }

    fn mapping(&mut self, own: &Node, common: Option<&Node>, level: Level) -> Node {
        let Value::Mapping(pairs) = &own.value else { return own.clone() };
        let is_same_row = matches!(level, Level::File | Level::Row);
        let mut merged = Vec::new();
        for (key, value) in pairs {
            let name = key.text().unwrap_or_default();
            let theirs = common.and_then(|common| common.get(name));
            if ROWS.contains(&name) {
                let rows = theirs.map_or(&[][..], Node::items);
                let rows = Node { value: self.rows(name, value, rows, level), ..value.clone() };
                merged.push((key.clone(), rows));
                continue;
            }
            let may_differ = name == "name" || ORIGIN.contains(&name);
            let may_differ = may_differ || level == Level::File && HEAD.contains(&name);
            if let Some(theirs) = theirs.filter(|theirs| is_same_row && same(theirs, value))
                && !may_differ
            {
                let message = format!("`{name}` only repeats the value of the common row");
                report(self.problems, value, message).other(theirs, "here").help("leave it out");
            }
            merged.push((key.clone(), value.clone()));
        }
        let has_origin = ORIGIN.iter().any(|key| own.get(key).is_some());
        for (key, value) in common.filter(|_| is_same_row).map_or(&[][..], Node::pairs) {
            let name = key.text().unwrap_or_default();
            let is_own = match level {
                Level::File => HEAD.contains(&name) || ORIGIN.contains(&name),
                _ => has_origin && ORIGIN.contains(&name),
            };
            if own.get(name).is_none() && !is_own {
                merged.push((key.clone(), self.taken(name, value)));
            }
        }
        Node { place: own.place.clone(), value: Value::Mapping(merged) }
    }

    fn rows(&mut self, list: &str, own: &Node, theirs: &[Node], level: Level) -> Value {
        let Value::Sequence(items) = &own.value else { return own.value.clone() };
        let chosen: Vec<_> = items.iter().map(|item| self.chosen(item, theirs)).collect();
        let is_chosen =
            |row| chosen.iter().flatten().flatten().any(|chosen| name_of(chosen) == name_of(row));
        let mut rows: Vec<Node> = Vec::new();
        for (item, chosen) in items.iter().zip(&chosen) {
            let same_name =
                |row: &&Node| name_of(row).is_some_and(|name| name_of(item) == Some(name));
            match chosen {
                Some(chosen) => {
                    for row in chosen {
                        let own = items.iter().find(|own| name_of(own) == name_of(row));
                        let row = match own {
                            Some(own) => self.mapping(own, Some(row), Level::Row),
                            None => self.taken("", row),
                        };
                        rows.push(with_origin(row, item));
                    }
                }
                None if is_chosen(item) => {}
                None if level == Level::OtherUnit => rows.push(item.clone()),
                None => {
                    let earlier = rows.iter().find(same_name).filter(|_| list == "groups").cloned();
                    // A row with the same name but another code is a different event, which only
                    // the IP has.
                    let same = |row: &&Node| same_name(row) && !differ(code_of(item), code_of(row));
                    let (common, level) = match (theirs.iter().find(same), theirs, &earlier) {
                        (Some(same), ..) => (Some(same), Level::Row),
                        (None, [only], _) if list == "groups" => (Some(only), Level::OtherGroup),
                        (None, _, Some(earlier)) => (Some(earlier), Level::OtherUnit),
                        (None, ..) => (None, Level::Row),
                    };
                    rows.push(self.mapping(item, common, level));
                }
            }
        }
        Value::Sequence(rows)
    }

    /// Whether the IP has all inputs of a formula.
    fn is_possible(&self, row: &Node) -> bool {
        let formula = row.get("formula").and_then(Node::text).unwrap_or_default();
        let mut words = formula.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let arguments = row.get("arguments").map_or(&[][..], Node::items);
        words.all(|word| {
            word.bytes().all(|byte| byte.is_ascii_digit())
                || self.inputs.contains(word)
                || arguments.iter().any(|argument| name_of(argument) == Some(word))
        })
    }

    /// Returns the common rows to which an item of a list refers; `None` if it does not refer to
    /// any.
    fn chosen(&mut self, item: &Node, theirs: &[Node]) -> Option<Vec<Node>> {
        let named = item.get("common")?;
        let read = CommonRows::read(item, self.problems);
        self.complete &= read.is_some();
        let CommonRows { common, without, place, .. } = read?;
        let mut rows: Vec<&Node> = Vec::new();
        match common {
            Chosen::All if theirs.is_empty() => {
                self.complete = false;
                report(self.problems, named, "there are no common rows")
                    .help("no architecture has a list of this name");
            }
            Chosen::All => rows.extend(theirs),
            Chosen::Possible => rows.extend(theirs.iter().filter(|row| self.is_possible(row))),
            Chosen::Named(List { items, .. }) => {
                for (nth, name) in items.iter().enumerate() {
                    if let Some(first) = items[..nth].iter().find(|first| first.0 == name.0) {
                        let message = format!("`{}` is listed twice", name.0);
                        report(self.problems, name, message).other(first, "first here");
                        continue;
                    }
                    let known: Vec<_> = theirs.iter().filter_map(name_of).collect();
                    match theirs.iter().find(|row| name_of(row) == Some(&*name.0)) {
                        Some(row) => rows.push(row),
                        None => {
                            self.complete = false;
                            let message = format!("there is no common row `{}`", name.0);
                            report(self.problems, name, message).help(suggest(&name.0, &known));
                        }
                    }
                }
            }
        }
        let unknown = without.iter().find(|key| !rows.iter().any(|row| row.get(&key.0).is_some()));
        if let Some(key) = unknown.filter(|_| self.complete) {
            let message = format!("no row here has the key `{}`", key.0);
            report(self.problems, key, message).other(&place, "of these");
        }
        let has_origin = ORIGIN.iter().any(|key| item.get(key).is_some());
        let is_left_out = |key: &str| {
            without.iter().any(|name| name.0 == key) || has_origin && ORIGIN.contains(&key)
        };
        let rest = |row| with(row, &|key, value| (!is_left_out(key)).then(|| value.clone()));
        Some(rows.into_iter().map(rest).collect())
    }

    /// Returns a value of the architecture's file, with its placeholders replaced by the words of
    /// this IP.
    fn taken(&mut self, key: &str, node: &Node) -> Node {
        if key == "from" {
            node.items().iter().for_each(|item| named(item, &mut self.sources));
        }
        let value = match &node.value {
            Value::Scalar { text, quoted } => {
                let words = self.words.iter();
                let text = words.fold(text.clone(), |text, (word, own)| text.replace(word, own));
                Value::Scalar { text, quoted: *quoted }
            }
            Value::Sequence(items) => {
                Value::Sequence(items.iter().map(|item| self.taken("", item)).collect())
            }
            Value::Mapping(pairs) => {
                let taken = pairs.iter().map(|(key, value)| {
                    (key.clone(), self.taken(key.text().unwrap_or_default(), value))
                });
                Value::Mapping(taken.collect())
            }
        };
        Node { place: node.place.clone(), value }
    }
}

/// Returns the row, with the origin of the item if the row itself has none.
fn with_origin(mut row: Node, item: &Node) -> Node {
    let is_origin = |(key, _): &&(Node, Node)| key.text().is_some_and(|key| ORIGIN.contains(&key));
    if let Value::Mapping(pairs) = &mut row.value
        && !pairs.iter().any(|pair| is_origin(&pair))
    {
        pairs.extend(item.pairs().iter().filter(is_origin).cloned());
    }
    row
}

/// Collects the legend names in the origins of a file.
fn named_in(node: &Node, names: &mut HashSet<String>) {
    for (key, value) in node.pairs() {
        if key.text() == Some("from") {
            value.items().iter().for_each(|item| named(item, names));
        }
        named_in(value, names);
    }
    node.items().iter().for_each(|item| named_in(item, names));
}

/// Collects the legend name of a reference: `ihi0070` in `ihi0070 10.5.2`.
fn named(reference: &Node, names: &mut HashSet<String>) {
    let name = reference.text().and_then(|text| text.split(' ').next());
    names.extend(name.map(str::to_owned));
}

fn code_of(row: &Node) -> Option<&str> {
    row.get("code").and_then(Node::text)
}

fn differ(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

fn name_of(row: &Node) -> Option<&str> {
    row.get("name").and_then(Node::text)
}

fn same(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Scalar { text: one, .. }, Value::Scalar { text: other, .. }) => one == other,
        (Value::Sequence(one), Value::Sequence(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Mapping(one), Value::Mapping(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|((key, value), (other_key, other))| {
                    same(key, other_key) && same(value, other)
                })
        }
        _ => false,
    }
}
