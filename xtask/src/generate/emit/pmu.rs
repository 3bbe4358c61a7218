//! The files of a driver that have no procedure of their own: plain structs and delegations in the crate of the
//! IP, so that messages and documentation name the IP.
//!
//! `running.rs` is what every PMU has: selections, start and stop, `Running`, and the traits. `pmu.rs` is the
//! struct `Pmu` of an IP that implements an architecture; other IPs have it by hand, beside `hardware.rs`.
//! `running.txt`, `pmu.txt` (a PMU in memory) and `pmu_cp15.txt` (a PMU in CP15) have names in braces; lines
//! `{if cycles}`, `{else}` and `{end}` enclose what only some PMUs have.

use std::fmt::Write as _;

use super::{docs, format};
use crate::generate::files::Generated;
use crate::generate::model::{Architecture, DriverNotes, Group, Ip, Space};
use crate::generate::names;

/// The driver's files; none if all of it is written by hand.
pub fn emit(ip: &Ip) -> Vec<Generated> {
    let pmu = ip.architecture.as_ref().map(|architecture| match ip.space {
        Space::Cp15 => {
            ("pmu.rs", "pmu_cp15.txt", pmu(ip, architecture, include_str!("pmu_cp15.txt")))
        }
        Space::Region { .. } | Space::Pages(_) => {
            ("pmu.rs", "pmu.txt", pmu(ip, architecture, include_str!("pmu.txt")))
        }
    });
    let running = ip.driver.as_ref().map(|notes| ("running.rs", "running.txt", running(ip, notes)));
    let file = |(name, template, text): (&str, &str, String)| {
        let from = format!("xtask/src/generate/emit/{template} and specs/{}", ip.name);
        Generated { name: name.to_owned(), text: format::header(&from) + &wrapped(&text) }
    };
    pmu.into_iter().chain(running).map(file).collect()
}

/// `pmu.rs` of an IP that implements an architecture.
fn pmu(ip: &Ip, architecture: &Architecture, template: &str) -> String {
    let ip_names = names::of_ip(&ip.name);
    let of = names::of_ip(&architecture.name).module;
    let notes = ip.driver.as_ref();
    let findings = ip.findings.iter().fold(String::new(), |mut text, finding| {
        let name = names::finding_variant(&finding.name);
        let _ = writeln!(text, "            {of}::Finding::{name} => Self::{name},");
        text
    });
    let diagnosis = notes.map_or_else(Vec::new, |notes| paragraphs(ip, &notes.diagnosis));
    template
        .replace("{interrupts}", notes.map_or("", |notes| &notes.interrupts))
        .replace("{increment}", &software_increment(ip))
        .replace("{diagnose}", &comment(&diagnosis, ""))
        .replace("{findings}", &findings)
        .replace("{architecture}", &of)
        .replace("{krate}", &ip_names.module)
        .replace("{type}", &ip_names.type_name)
        .replace("{product}", ip.product())
}

/// `running.rs`.
fn running(ip: &Ip, notes: &DriverNotes) -> String {
    let (product, cycles) = (ip.product(), ip.counters.cycles);
    let is_core = matches!(ip.space, Space::Cp15);
    let of = ip.architecture.as_ref().map(|of| names::of_ip(&of.name).module);
    let has_modes = is_core && of.is_some();
    let units = (!ip.units.is_empty()).then(|| notes.units.as_deref().unwrap_or("unit"));
    // `C` and `Core`.
    let kind = units.map(|units| names::of_ip(units).type_name);
    let kind = kind.as_deref().map(|kind| (kind.get(..1).unwrap_or_default(), kind));
    let (before, first) = kind.map_or_else(Default::default, |(letter, kind)| {
        (format!("{letter}: {kind}, "), format!("{letter}, "))
    });
    let (after, default, last) =
        if has_modes { (", M: Mode", " = Privileged", ", M") } else { Default::default() };
    let (selection, counter) = match kind {
        Some((letter, _)) => {
            (format!("{letter}::Selection"), format!("Counter<'_, {letter}::Selection>"))
        }
        None => ("Selection".to_owned(), "Counter<'_>".to_owned()),
    };
    let monitored = if cycles { format!("EventOrCycles<{selection}>") } else { selection };

    let count = ip.counters.count as usize;
    let letters: Vec<_> = match count {
        0..=26 => ('a'..='z').take(count).map(String::from).collect(),
        _ => (0..count).map(|counter| format!("c{counter}")).collect(),
    };
    let into: Vec<_> = letters.iter().map(|letter| format!("{letter}.into()")).collect();
    let counts: Vec<_> = (0..count).map(|counter| format!("count({counter})")).collect();

    let example = of.as_ref().map_or_else(String::new, |_| format!("    ///\n{}", example(ip)));
    let skew = match &of {
        None => "crate::hardware::SKEW".to_owned(),
        Some(of) if is_core => format!("{of}::skew(COUNTERS as u32)"),
        Some(of) => format!("{of}::SKEW"),
    };
    let article = if product.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    let one = match units {
        Some(units) if is_core => format!("{article} {product} {units}"),
        None if is_core => format!("{article} {product}"),
        _ => format!("one {product}"),
    };
    sections(include_str!("running.txt"), &[("cycles", cycles), ("core", is_core)])
        .replace("{imports}\n", &imports(of.is_some(), has_modes, kind.map(|(_, kind)| kind)))
        .replace("{example}\n", &example)
        .replace("{start}\n", &continued(ip, &notes.start))
        .replace("{resume}\n", &continued(ip, &notes.resume))
        .replace("{acknowledge}\n", &continued(ip, &notes.acknowledge))
        .replace("{all}", &if count == 2 { "both".to_owned() } else { format!("all {count}") })
        .replace("{event}", if cycles { "event " } else { "" })
        .replace("{counter}", &counter)
        .replace("{letters}", &letters.join(", "))
        .replace("{counters}", &into.join(", "))
        .replace("{counts}", &counts.join(", "))
        .replace("{bounds}", &format!("{before}B: Bus<Space = Space>{after}"))
        .replace("{plain}", &format!("{before}B{after}"))
        .replace("{declared}", &format!("{before}B{after}{default}"))
        .replace("{arguments}", &format!("{first}B{last}"))
        .replace("{monitored}", &monitored)
        .replace("{selector}", if has_modes { AND_SELECTOR } else { "" })
        .replace("{skew}", &skew)
        .replace(
            "{clock}",
            &if is_core { "the core".to_owned() } else { format!("the {product}'s clock") },
        )
        .replace("{one}", &one)
        .replace("{product}", product)
}

/// What reading the counters of an ARMv7 PMU detects beside a disabled PMU.
const AND_SELECTOR: &str = ", and that the selector was moved during the reading";

/// What `running.rs` takes from its crate.
fn imports(is_shared: bool, has_modes: bool, kind: Option<&str>) -> String {
    let modes = if has_modes { "Mode, Privileged, " } else { "" };
    match (kind, is_shared) {
        (Some(kind), _) => format!(
            "use arm_pmu_core::driver::Counter;\n\n\
             use crate::pmu::Pmu;\nuse crate::{{COUNTERS, {kind}, Space}};\n\n"
        ),
        (None, false) => "\nuse crate::pmu::Pmu;\nuse crate::{Counter, Space};\n\n\
                          use super::events::{COUNTERS, Selection};\n\n"
            .to_owned(),
        (None, true) => format!(
            "\nuse crate::{{Counter, {modes}Space}};\n\n\
             use super::events::{{COUNTERS, Selection}};\nuse super::pmu::Pmu;\n\n"
        ),
    }
}

/// The lines of a template without the sections for other PMUs. A section has no other inside.
fn sections(template: &str, flags: &[(&str, bool)]) -> String {
    let condition = |line: &str| {
        let flag = line.strip_prefix("{if ")?.strip_suffix('}')?;
        flags.iter().find(|(name, _)| *name == flag).map(|(_, on)| *on)
    };
    let mut shown = true;
    let mut text = String::new();
    for line in template.lines() {
        match (condition(line), line) {
            (Some(on), _) => shown = on,
            (None, "{else}") => shown = !shown,
            (None, "{end}") => shown = true,
            _ if shown => {
                text += line;
                text.push('\n');
            }
            _ => {}
        }
    }
    text
}

/// Sentences about a product, as paragraphs of a doc comment.
fn paragraphs(ip: &Ip, texts: &[String]) -> Vec<String> {
    docs::paragraphs(texts.iter().map(|text| text.replace("{product}", ip.product())))
}

/// The same, after another paragraph.
fn continued(ip: &Ip, texts: &[String]) -> String {
    let lines = paragraphs(ip, texts);
    if lines.is_empty() { String::new() } else { format!("    ///\n{}", comment(&lines, "    ")) }
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
