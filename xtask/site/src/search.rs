//! The index is the file `search.js`. It holds one constant, because browsers forbid a page on disk to fetch files.

use std::iter;

use arm_pmu_lookup::search::{RANKING, Texts, further_words};
use arm_pmu_tables::{Alias, EventOf, IPS, Ip, PLATFORMS, Pmu, Register, Unit};
use serde::{Serialize, Serializer};

use crate::anchor;
use crate::pages::{address, guide};

/// Something to be found.
#[derive(Debug)]
pub struct Entry {
    /// The kind: `event`, `register`.
    pub kind: &'static str,
    /// The IP or platform.
    pub of: String,
    /// Its own name.
    pub name: String,
    /// One sentence.
    pub text: String,
    /// The page and the place in it.
    pub link: String,
    /// Other names.
    pub names: Vec<&'static str>,
    /// Numbers of the entry, each with its meaning: a code, an event id at `SI3`, an offset.
    pub numbers: Vec<(u64, String)>,
    /// Words of further texts.
    pub more: String,
}

impl Entry {
    /// Returns the texts that `arm_pmu_lookup` searches.
    #[must_use]
    pub fn texts(&self) -> Texts<'_> {
        Texts {
            of: &self.of,
            name: &self.name,
            aliases: self.names.clone(),
            doc: &self.text,
            more: vec![&self.more],
            is_unavailable: self.kind == UNAVAILABLE,
        }
    }

    /// Adds texts that a search looks through, but does not show.
    fn with<'t>(mut self, texts: impl IntoIterator<Item = &'t str>) -> Self {
        let more = further_words(texts, &[&self.name, &self.text, &self.more]);
        self.more = [self.more, more].join(" ").trim().to_owned();
        self
    }
}

/// The kind that an entry shows if its metric cannot be computed.
const UNAVAILABLE: &str = "no metric";

/// Serialized as a list, because field names would be a quarter of the file. `site.js` has the same
/// order.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, of, name, text, link, names, numbers, more } = self;
        (kind, of, name, text, link, names, numbers, more).serialize(serializer)
    }
}

/// Everything that can be found, in the order in which equal hits are shown.
#[must_use]
pub fn index() -> Vec<Entry> {
    let mut all = Vec::new();
    for ip in IPS {
        of_ip(ip, &mut all);
    }
    for platform in PLATFORMS {
        of_platform(platform, &mut all);
    }
    for guide in guide::GUIDES {
        for section in guide.sections() {
            let link = match &section.anchor {
                Some(anchor) => format!("{}#{anchor}", guide.page()),
                None => guide.page(),
            };
            let mut own = entry("guide", guide.title(), &section.heading, &section.text, link);
            own.names.extend(section.anchor.is_none().then_some(guide.name));
            all.push(own);
        }
    }
    all
}

/// The file.
pub fn script() -> Result<String, serde_json::Error> {
    // One line for each entry, so that a changed fact changes one line.
    let mut lines = Vec::new();
    let mut page = String::new();
    for mut entry in index() {
        let (own, anchor) = entry.link.split_once('#').unwrap_or((&entry.link, ""));
        // The entry is on the same page as the entry before.
        if page == own && !anchor.is_empty() {
            entry.link = format!("#{anchor}");
        } else {
            page = own.to_owned();
        }
        lines.push(serde_json::to_string(&entry)?);
    }
    let ranking = serde_json::to_string(&*RANKING)?;
    Ok(format!("const RANKING = {ranking};\nconst ENTRIES = [\n{}\n];\n", lines.join(",\n")))
}

/// Returns the text up to the first full stop that ends a sentence.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first)
}

fn entry(kind: &'static str, of: &str, name: &str, text: &str, link: String) -> Entry {
    let first = first_sentence(text);
    let rest = text.get(first.len()..).unwrap_or_default();
    Entry {
        kind,
        of: of.to_owned(),
        name: name.to_owned(),
        text: first.to_owned(),
        link,
        names: Vec::new(),
        numbers: Vec::new(),
        more: further_words([rest], &[name, first]),
    }
}

fn of_ip(ip: &'static Ip, all: &mut Vec<Entry>) {
    let page = address::of_ip(ip);
    let link = |anchor: String| format!("{page}#{anchor}");
    let own = ip.main_id.iter().map(|id| (id.part.into(), "part number".to_owned()));
    let of_unit =
        |unit: &Unit| Some((unit.main_id?.part.into(), format!("part number of {}", unit.title)));
    all.push(Entry {
        names: ip.units.iter().map(|unit| unit.name).chain([ip.name]).collect(),
        numbers: own.chain(ip.units.iter().filter_map(of_unit)).collect(),
        ..entry("IP", ip.product, ip.product, ip.title, page.clone())
    });
    for of in (Pmu { ip, unit: None }).events() {
        all.push(event(of, link(anchor::event(ip, of.group, of.event))));
    }
    if let Some(counter) = &ip.counters.cycles {
        let text = "Counts cycles in addition to the event counters.";
        all.push(Entry {
            names: names(counter.aliases).into_iter().chain([counter.register]).collect(),
            numbers: counter
                .code
                .map(|code| (code.into(), "code".to_owned()))
                .into_iter()
                .collect(),
            ..entry("cycles", ip.product, "cycles", text, link("cycles".to_owned()))
        });
    }
    for register in ip.registers {
        let to = link(anchor::register(register));
        let own = entry("register", ip.product, register.name, register.title, to);
        all.push(Entry {
            names: register.aliases.to_vec(),
            numbers: offsets(ip, register),
            ..own.with(register.note.into_iter().chain([register.doc]))
        });
        for field in register.fields {
            let name = format!("{}.{}", register.name, field.name);
            let values = field.values.iter().map(|value| value.name);
            let to = link(anchor::field(register, field));
            all.push(Entry {
                names: field.aliases.iter().copied().chain([field.name]).chain(values).collect(),
                ..entry("field", ip.product, &name, field.doc, to)
            });
        }
    }
    for group in ip.groups {
        let of = group.unit.map_or(ip.product.to_owned(), |unit| format!("{}:{unit}", ip.product));
        for metric in group.metrics {
            let link = link(anchor::metric(ip, group, metric));
            let own = entry("metric", &of, metric.name, metric.doc, link);
            all.push(own.with(metric.caveat.into_iter().chain([metric.formula])));
        }
        for figure in group.unavailable {
            let link = link(anchor::unavailable(ip, group, figure));
            let own = entry(UNAVAILABLE, &of, figure.name, figure.doc, link);
            all.push(own.with([figure.reason]));
        }
    }
    for finding in ip.findings {
        let link = link(anchor::finding(finding));
        let own = entry("reads zero", ip.product, finding.name, finding.cause, link);
        all.push(own.with([finding.read, finding.expected, finding.fix]));
    }
}

fn names(aliases: &[Alias]) -> Vec<&'static str> {
    let mut names: Vec<_> = aliases.iter().map(|alias| alias.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn event(of: EventOf, link: String) -> Entry {
    let ip = of.ip;
    // If the units have different events, the unit's name distinguishes events with the same name.
    let unit = of.group.unit.map_or(String::new(), |unit| format!(":{unit}"));
    let own = entry("event", &format!("{}{unit}", ip.product), of.event.name, of.event.doc, link);
    let ids = of.selections().filter_map(|selection| {
        Some((selection.id().into(), format!("event id at {}", selection.source?.name)))
    });
    Entry {
        names: names(of.event.aliases),
        numbers: iter::once((of.event.code.into(), "code".to_owned())).chain(ids).collect(),
        ..own.with(of.event.note.into_iter().chain([of.group.title]))
    }
}

fn offsets(ip: &Ip, register: &Register) -> Vec<(u64, String)> {
    let many = register.count() > 1;
    let page = match register.location {
        arm_pmu_tables::Location::Memory { page, .. } => page,
        _ => None,
    };
    let mut all = Vec::new();
    for element in 0..register.count() {
        let Some(offset) = register.offset(element) else { continue };
        let element = if many { format!(" of [{element}]") } else { String::new() };
        all.push((offset.into(), format!("offset{element}")));
        for unit in ip.units {
            if let Some(base) = page.and_then(|page| unit.page_offset(page)) {
                let text = format!("offset{element} from the base of the {}", unit.title);
                all.push(((base + offset).into(), text));
            }
        }
    }
    all
}

fn of_platform(platform: &'static arm_pmu_tables::Platform, all: &mut Vec<Entry>) {
    let page = address::of_platform(platform);
    let (of, title) = (platform.name, platform.title);
    all.push(Entry {
        names: vec![platform.title, platform.vendor],
        ..entry("platform", of, platform.name, title, page.clone())
    });
    for instance in platform.instances {
        let link = format!("{page}#{}", instance.name);
        let ip = arm_pmu_lookup::cluster::product(instance);
        let text = instance.title.unwrap_or(ip);
        let base = instance.base.iter().map(|base| (base.value, "base".to_owned()));
        let interrupts = instance.interrupts.iter().flat_map(|of| of.numbers);
        let interrupts = interrupts.map(|n| (u64::from(*n), "interrupt".to_owned()));
        all.push(Entry {
            names: [ip].into_iter().chain(instance.linux.map(|linux| linux.value)).collect(),
            numbers: base.chain(interrupts).collect(),
            ..entry("instance", of, instance.name, text, link.clone())
        });
        all.extend(instance.interfaces.iter().map(|port| Entry {
            names: vec![port.source],
            ..entry("port", of, port.name, port.title, link.clone())
        }));
        all.extend(instance.streams.iter().map(|stream| Entry {
            numbers: vec![(stream.id.into(), "StreamID".to_owned())],
            ..entry("stream", of, stream.name, stream.title, link.clone())
        }));
        for switch in instance.switches {
            let address = switch.address.map(|address| (address, "address".to_owned()));
            all.push(Entry {
                names: switch.register.into_iter().collect(),
                numbers: address.into_iter().collect(),
                ..entry("switch", of, switch.name, switch.doc, link.clone())
            });
        }
        for fault in instance.faults {
            all.push(entry("fault", of, fault.name, fault.doc, link.clone()));
        }
    }
}
