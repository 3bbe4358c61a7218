//! `pmu.rs` of an IP that implements an architecture: plain structs of its own crate over the driver of
//! `arm_pmu_core` and the hardware of the architecture, so that messages and documentation name the IP.
//!
//! `pmu.txt` is the text, with names in braces. There is no procedure in it.

use std::fmt::Write as _;

use super::docs;
use crate::generate::model::{Architecture, Ip};
use crate::generate::names;

const TEXT: &str = include_str!("pmu.txt");

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
    let text = TEXT
        .replace("{interrupts}", interrupts)
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

/// Selects the first event at the first source of two groups.
fn example(ip: &Ip) -> String {
    let selection = |group: &crate::generate::model::Group| {
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
