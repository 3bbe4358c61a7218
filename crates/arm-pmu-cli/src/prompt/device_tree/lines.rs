//! Writes the lines of a platform file about one PMU.

use std::collections::BTreeSet;

use arm_pmu_lookup::text::wrapped;
use arm_pmu_lookup::words;

use super::interrupts::{Interrupt, Kind};
use crate::base::device_tree::Place;

/// A PMU of the tree, as lines of a platform file.
pub struct Instance {
    pub name: String,
    /// Whether the tree has a core node for the PMU, but no PMU node.
    pub lacks_node: bool,
    pub base: Option<u64>,
    pub lines: Vec<String>,
    pub wanted: Vec<String>,
}

/// The PMUs found, and a sentence for each PMU that a platform file cannot describe.
#[derive(Default)]
pub struct Found {
    pub instances: Vec<Instance>,
    pub unknown: Vec<String>,
}

impl Found {
    pub fn push(&mut self, one: Result<Instance, String>) {
        match one {
            Ok(instance) => self.instances.push(instance),
            Err(why) => self.unknown.push(why),
        }
    }
}

/// Text that states what the value of the key `linux` is based on.
pub const OF_DRIVER: &str = "the driver's name for this PMU";

/// Maximum length of a line without its indent; specs have 120 columns.
const COLUMNS: usize = 110;

/// Collects lines, and a note for each unreadable part.
#[derive(Default)]
pub struct Lines {
    pub lines: Vec<String>,
    pub wanted: Vec<String>,
}

impl Lines {
    pub fn fact(&mut self, key: &str, value: &str, place: Place) {
        self.mapping(key, &[("value", value), ("from", &format!("[{}]", from(place)))]);
    }

    /// Adds a mapping on one line, or on several lines if it is too long for one.
    pub fn mapping(&mut self, key: &str, pairs: &[(&str, &str)]) {
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect();
        let line = format!("{key}: {{ {} }}", pairs.join(", "));
        if line.len() <= COLUMNS {
            self.lines.push(line);
            return;
        }
        self.lines.push(format!("{key}:"));
        self.lines.extend(pairs.iter().map(|pair| format!("  {pair}")));
    }

    pub fn instance(self, name: &str, base: Option<u64>) -> Instance {
        let (lines, wanted) = (self.lines, self.wanted);
        Instance { name: name.to_owned(), lacks_node: false, base, lines, wanted }
    }

    pub fn want(&mut self, what: &str) {
        self.wanted.push(format!("{what}."));
    }

    /// Adds the instance's base (the node's address minus `offset`) to the lines, and returns it.
    pub fn base(&mut self, place: Place, offset: u64) -> Result<u64, String> {
        let base = place.address().and_then(|(address, _)| {
            let base = address.checked_sub(offset).filter(|base| base % 0x1000 == 0);
            base.ok_or(format!("0x{address:x} is not an address of registers"))
        });
        let base = base.map_err(|why| format!("{}: its base, because {why}.", place.shown()))?;
        self.fact("base", &format!("0x{base:X}"), place);
        Ok(base)
    }

    /// Adds the overflow interrupts of `outputs`. Returns the number of interrupts, if the nodes can be parsed.
    pub fn interrupts(&mut self, places: &[Place], outputs: Outputs<'_>) -> Option<usize> {
        let mut all = Vec::new();
        for place in places {
            match place.interrupts() {
                Ok(found) => all.extend(found.unwrap_or_default()),
                Err(why) => {
                    self.want(&format!("the overflow interrupts, because {why}"));
                    return None;
                }
            }
        }
        if all.is_empty() {
            self.want("the overflow interrupts");
            return Some(0);
        }
        let count = all.len();
        let reasons: BTreeSet<&str> =
            all.iter().filter_map(|one| one.as_ref().err().map(String::as_str)).collect();
        let known: Vec<&Interrupt> = all.iter().filter_map(|one| one.as_ref().ok()).collect();
        match known.split_first() {
            Some((first, others)) if reasons.is_empty() => {
                if others.iter().all(|other| other.controller.is(first.controller)) {
                    self.numbers(places, &known, outputs);
                } else {
                    let all = shown(&known, true);
                    self.want(&format!(
                        "overflow interrupts that belong to one controller; in this tree, they are {all}"
                    ));
                }
            }
            _ => {
                let each = match outputs {
                    Outputs::Cores(cores) if cores.len() == count && count > 1 => {
                        ", one for each core"
                    }
                    _ => "",
                };
                let (some, others) = match known.len() {
                    0 => (String::new(), String::new()),
                    some => (
                        format!("{} of ", count - some),
                        format!("; the others are {}", shown(&known, false)),
                    ),
                };
                let reasons: Vec<_> = reasons.into_iter().collect();
                self.want(&format!(
                    "the numbers of {some}the overflow interrupts, {count} in all{each}, because {}{others}",
                    reasons.join(" and ")
                ));
            }
        }
        Some(count)
    }

    /// Appends the interrupt numbers that belong to one interrupt controller.
    fn numbers(&mut self, places: &[Place], all: &[&Interrupt], outputs: Outputs<'_>) {
        let Some(first) = all.first() else { return };
        let same_kind = all.iter().all(|one| one.kind == first.kind);
        let controller = match first.kind {
            Kind::Shared if same_kind => "spi",
            Kind::Private if same_kind => "ppi",
            Kind::Other => "other",
            _ => "intid",
        };
        let number = |one: &&Interrupt| match controller {
            "intid" => one.intid(),
            _ => one.number,
        };
        let mut numbers: Vec<u32> = all.iter().map(number).collect();
        let is_per_cpu = all.iter().all(|one| one.is_per_cpu());
        let mut affinity: Vec<u32> = Vec::new();
        if let Outputs::Cores(cpus) = outputs {
            let mut assigned = Vec::new();
            for (at, cpu) in cpus.iter().enumerate().filter_map(|(at, cpu)| Some((at, (*cpu)?))) {
                if !affinity.contains(&cpu) && (is_per_cpu || at < numbers.len()) {
                    affinity.push(cpu);
                    assigned.extend(numbers.get(at).copied());
                }
            }
            if is_per_cpu {
                numbers.truncate(1);
            } else if !cpus.is_empty() {
                // The remaining interrupts belong to other cores, or to no CPU.
                numbers = assigned;
            }
            if numbers.is_empty() {
                self.want("the overflow interrupts of these cores");
                return;
            }
        }
        let distinct = numbers.iter().collect::<BTreeSet<_>>().len();
        let wiring = match outputs {
            // Interrupts of cores are in the order of the cores.
            Outputs::Cores(_) => None,
            Outputs::Of(1) if numbers.len() == 1 => Some("combined"),
            Outputs::Of(_) if distinct == 1 && numbers.len() > 1 => {
                numbers.truncate(1);
                Some("combined")
            }
            Outputs::Of(count)
                if distinct == count && numbers.len() == count && places.len() == 1 =>
            {
                Some("each")
            }
            Outputs::Of(_) => {
                match numbers.len() {
                    1 => self.want("the outputs that share the single interrupt"),
                    count => self.want(&format!("the outputs of the {count} interrupts")),
                }
                None
            }
        };
        let sense = first.sense.filter(|sense| all.iter().all(|one| one.sense == Some(*sense)));
        let trigger = match sense {
            Some(1) => Some("edge_rising"),
            Some(4) => Some("level_high"),
            Some(8) => Some("level_low"),
            _ => None,
        };
        let name = quoted(&printable(first.controller.name(), 40));
        let numbers: Vec<_> = numbers.iter().map(u32::to_string).collect();
        let numbers = format!("[{}]", numbers.join(", "));
        let source = format!("[{}]", places.first().map_or(String::new(), |place| from(*place)));
        let mut pairs = vec![("controller", controller)];
        pairs.extend((controller == "other").then_some(("of", name.as_str())));
        pairs.push(("numbers", &numbers));
        let affinity = (!affinity.is_empty()).then(|| list(affinity.into_iter()));
        pairs.extend(affinity.as_deref().map(|affinity| ("affinity", affinity)));
        let is_said = controller == "ppi" || !matches!(outputs, Outputs::Cores(_));
        pairs.extend((is_per_cpu && !is_said).then_some(("per_cpu", "true")));
        pairs.extend(wiring.map(|wiring| ("wiring", wiring)));
        pairs.extend(trigger.map(|trigger| ("trigger", trigger)));
        pairs.push(("from", &source));
        self.mapping("interrupts", &pairs);
    }

    pub fn linux(&mut self, name: &str, basis: &str, place: Place) {
        let (source, basis) = (format!("[{}]", from(place)), quoted(basis));
        self.mapping("linux", &[("value", name), ("from", &source), ("basis", &basis)]);
    }

    /// Adds the PMU's node; `missing` has a sentence for each missing item.
    pub fn device_tree(&mut self, place: Place, node: &str, missing: &[String]) {
        match (missing.is_empty(), place.is_enabled()) {
            (false, _) => self.node_state("incomplete", place, node, missing),
            (true, true) => self.node_state("enabled", place, node, &[]),
            (true, false) => {
                let missing = "A board has to enable the node.".to_owned();
                self.node_state("disabled", place, node, &[missing]);
            }
        }
    }

    pub fn node_state(&mut self, state: &str, place: Place, node: &str, missing: &[String]) {
        self.lines.push("device_tree:".to_owned());
        self.lines.push(format!("  state: {state}"));
        if state != "absent" {
            self.lines.push(format!("  node: {}", quoted(&printable(node, 90))));
        }
        if !missing.is_empty() {
            self.text("  missing", &missing.join(" "), 4);
        }
        self.lines.push(format!("  from: [{}]", from(place)));
    }

    pub fn text(&mut self, key: &str, text: &str, indent: usize) {
        let text = format!("{key}:{}", folded(text, indent));
        self.lines.extend(text.lines().map(str::to_owned));
    }
}

/// The sources of overflow interrupts.
#[derive(Clone, Copy)]
pub enum Outputs<'c> {
    /// A block with this number of outputs.
    Of(usize),
    /// Cores with one output each. The list has the CPU of each interrupt, or the CPUs of the partition, if the tree
    /// assigns them. `None` for a CPU of another cluster.
    Cores(&'c [Option<u32>]),
}

/// A list of CPUs as YAML.
pub fn list(cpus: impl Iterator<Item = u32>) -> String {
    let text = words::cpus(&cpus.collect::<Vec<_>>());
    if text.contains(',') { quoted(&text) } else { text }
}

/// Formats interrupts: `SPI 51, 52`, optionally with their controllers.
fn shown(all: &[&Interrupt], with_controller: bool) -> String {
    let one = |one: &&Interrupt| {
        let number = match one.kind {
            Kind::Shared => format!("SPI {}", one.number),
            Kind::Private => format!("PPI {}", one.number),
            Kind::Extended => format!("INTID {}", one.number),
            Kind::Other => one.number.to_string(),
        };
        match with_controller {
            true => format!("{number} of {}", one.controller.name()),
            false => number,
        }
    };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Formats the text of a key, wrapped with this indent.
pub fn folded(text: &str, indent: usize) -> String {
    if text.len() <= 100 {
        return format!(" {}\n", quoted(text));
    }
    let words: Vec<_> = text.split_whitespace().map(|word| printable(word, 100)).collect();
    let indent = " ".repeat(indent);
    let lines = wrapped(COLUMNS - indent.len(), &words.join(" "));
    format!(" >-\n{indent}{}\n", lines.join(&format!("\n{indent}")))
}

/// Formats a node as the source of a fact.
pub fn from(place: Place) -> String {
    quoted(&format!("tree {}", printable(place.name(), 60)))
}

/// Converts a text to ASCII, cut to `most` characters.
pub fn printable(text: &str, most: usize) -> String {
    let shown = text.chars().map(|c| if matches!(c, ' '..='~') { c } else { '?' });
    let mut shown: String = shown.take(most).collect();
    if text.chars().count() > most {
        shown += "...";
    }
    shown
}

pub fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text, 100).replace('\\', "\\\\").replace('"', "\\\""))
}
