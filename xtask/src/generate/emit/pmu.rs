//! `pmu.rs` of an IP that implements an architecture: plain structs of its own crate over the driver of
//! `arm_pmu_core` and the hardware of the architecture, so that messages and documentation name the IP.
//!
//! `pmu.txt` is the text of a PMU in memory, `pmu_cp15.txt` that of a PMU in CP15 with a cycle counter. Both
//! have names in braces, and no procedure.

use std::fmt::Write as _;

use super::docs;
use crate::generate::model::{Architecture, Group, Ip, Space};
use crate::generate::names;

/// A PMU whose registers are in memory.
const IN_MEMORY: &str = include_str!("pmu.txt");

/// A PMU of a core: in CP15, with a cycle counter, in privileged modes and in User mode.
const IN_CP15: &str = include_str!("pmu_cp15.txt");

/// The name of the file that has the text.
pub fn template(ip: &Ip) -> &'static str {
    if matches!(ip.space, Space::Cp15) { "pmu_cp15.txt" } else { "pmu.txt" }
}

/// The text of the file. `None` if the IP has a driver of its own.
pub fn emit(ip: &Ip) -> Option<String> {
    let architecture = ip.architecture.as_ref()?;
    let ip_names = names::of_ip(&ip.name);
    let count = ip.counters.count as usize;
    let letters: Vec<_> = match count {
        0..=26 => ('a'..='z').take(count).map(String::from).collect(),
        _ => (0..count).map(|counter| format!("c{counter}")).collect(),
    };
    let into: Vec<_> = letters.iter().map(|letter| format!("{letter}.into()")).collect();
    let counts: Vec<_> = (0..count).map(|counter| format!("count({counter})")).collect();
    let product = ip.product();
    let notes = architecture.notes.as_ref();
    let interrupts = notes.map_or("", |notes| &notes.interrupts);
    let increment = software_increment(ip);
    let paragraphs = |texts: &[String]| {
        docs::paragraphs(texts.iter().map(|text| text.replace("{product}", product)))
    };
    let start = notes.map_or_else(Vec::new, |notes| paragraphs(&notes.start));
    let diagnose = notes.map_or_else(Vec::new, |notes| paragraphs(&notes.diagnosis));
    let acknowledge = notes.map_or_else(Vec::new, |notes| paragraphs(&notes.acknowledge));
    // After another paragraph.
    let before = if acknowledge.is_empty() { "" } else { "    ///\n" };
    let findings = ip.findings.iter().fold(String::new(), |mut text, finding| {
        let (name, of) = (names::finding_variant(&finding.name), &architecture_names(architecture));
        let _ = writeln!(text, "            {of}::Finding::{name} => Self::{name},");
        text
    });
    let template = match ip.space {
        Space::Cp15 => IN_CP15,
        Space::Region { .. } | Space::Pages(_) => IN_MEMORY,
    };
    let text = template
        .replace("{interrupts}", interrupts)
        .replace("{increment}", &increment)
        .replace("{start}", &comment(&start, "    "))
        .replace("{acknowledge}", &(before.to_owned() + &comment(&acknowledge, "    ")))
        .replace("{diagnose}", &comment(&diagnose, ""))
        .replace("{example}", &example(ip))
        .replace("{letters}", &letters.join(", "))
        .replace("{counters}", &into.join(", "))
        .replace("{counts}", &counts.join(", "))
        .replace("{findings}", &findings)
        .replace("{number}", &count.to_string())
        .replace("{architecture}", &architecture_names(architecture))
        .replace("{krate}", &ip_names.module)
        .replace("{type}", &ip_names.type_name)
        .replace("{product}", product);
    Some(wrapped(&text))
}

/// The crate of an architecture, in code.
fn architecture_names(architecture: &Architecture) -> String {
    names::of_ip(&architecture.name).module
}

/// The event for software increments of a core, in code.
fn software_increment(ip: &Ip) -> String {
    let find = |group: &Group| {
        let event = group.events.iter().find(|event| event.code == 0)?;
        let (events, event) = (names::event_type(&group.name), names::event_variant(&event.name));
        Some(format!("[`{events}::{event}`](crate::{events}::{event})"))
    };
    ip.groups.iter().find_map(find).unwrap_or_default()
}

/// Selects two events of a core, and its cycles.
fn example_of_core(ip: &Ip) -> String {
    let Some(group) = ip.groups.first() else { return String::new() };
    let [_, first, _, second, ..] = &group.events[..] else { return String::new() };
    let [first, second] = [first, second].map(|event| names::event_variant(&event.name));
    let events = names::event_type(&group.name);
    let names = names::of_ip(&ip.name);
    let (krate, device) = (names.module, names.type_name);
    let lines = [
        "```".to_owned(),
        format!("use {krate}::{{{events}, Divider, Pmu}};"),
        format!("# let device = arm_pmu_sim::{device}::new();"),
        "# let bus = device.bus();".to_owned(),
        "let mut pmu = Pmu::new(bus);".to_owned(),
        "let [first, second, ..] = pmu.counters();".to_owned(),
        format!("first.count({events}::{first});"),
        format!("second.count({events}::{second});"),
        "pmu.cycle_counter().count(Divider::By64);".to_owned(),
        "```".to_owned(),
    ];
    comment(&lines, "    ")
}

/// Selects the first event at the first source of two groups.
fn example(ip: &Ip) -> String {
    if matches!(ip.space, Space::Cp15) {
        return example_of_core(ip);
    }
    let selection = |group: &Group| {
        let (source, event) = (group.sources.first()?, group.events.first()?);
        let source = names::source_variant(&source.name);
        let events = names::event_type(&group.name);
        let event = names::event_variant(&event.name);
        Some((source.clone(), events.clone(), format!("{source}.event({events}::{event})")))
    };
    let mut groups = ip.groups.iter().filter_map(selection);
    let (Some(first), Some(second)) = (groups.next(), groups.next()) else { return String::new() };
    let mut imports = ["Pmu", &first.0, &first.1, &second.0, &second.1];
    imports.sort_unstable();
    let names = names::of_ip(&ip.name);
    let (krate, device, imports) = (names.module, names.type_name, imports.join(", "));
    let lines = [
        "```".to_owned(),
        format!("use {krate}::{{{imports}}};"),
        format!("# let device = arm_pmu_sim::{device}::new();"),
        "# let bus = device.bus();".to_owned(),
        "let mut pmu = Pmu::new(bus);".to_owned(),
        "let [first, second, ..] = pmu.counters();".to_owned(),
        format!("first.count({});", first.2),
        format!("second.count({});", second.2),
        "```".to_owned(),
    ];
    comment(&lines, "    ")
}

/// Lines as those of a doc comment.
fn comment(lines: &[String], indentation: &str) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{}", format!("{indentation}/// {line}").trim_end());
        text
    })
}

/// The text with the long lines of doc comments broken.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let content = line.trim_start();
        match content.strip_prefix("/// ") {
            Some(sentence) if line.len() > 100 => {
                let indentation = &line[..line.len() - content.len()];
                out += &comment(&docs::paragraph(sentence), indentation);
            }
            _ => {
                out += line;
                out.push('\n');
            }
        }
    }
    out
}
