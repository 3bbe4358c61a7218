//! The files of a driver that have no procedure of their own: plain structs and delegations in the crate of the
//! IP, so that messages and documentation name the IP.
//!
//! `running.rs` is the struct `Running`, with the traits of both. `pmu.rs` is the struct `Pmu` of an IP that implements
//! an architecture; other IPs have it by hand, beside `hardware.rs`, and its common methods in `stopped.rs`. `running.txt`, `pmu.txt` (a PMU in memory),
//! `pmu_core.txt` (a PMU of a core) and `stopped.txt` (part of them) have names in braces; lines `{if cycles}`, `{else}` and
//! `{end}` enclose text for some PMUs only.

use std::fmt::Write as _;

use super::{docs, format};
use crate::generate::files::Generated;
use crate::generate::model::{Architecture, DriverNotes, Group, Ip, Space};
use crate::generate::names;

/// The driver's files; none if all of it is written by hand.
pub fn emit(ip: &Ip) -> Vec<Generated> {
    let pmu = ip.architecture.as_ref().map(|architecture| match ip.space {
        Space::Cp15 | Space::System => {
            let template = sections(
                include_str!("pmu_core.txt"),
                &[("cp15", matches!(ip.space, Space::Cp15)), ("generic", ip.is_generic())],
            );
            ("pmu.rs", "pmu_core.txt", pmu(ip, architecture, &template))
        }
        Space::Region { .. } | Space::Pages(_) => {
            ("pmu.rs", "pmu.txt", pmu(ip, architecture, include_str!("pmu.txt")))
        }
    });
    let notes = ip.driver.as_ref().filter(|notes| notes.group_counters.is_none());
    let running = notes
        .map(|notes| ("running.rs", "running.txt", filled(ip, notes, include_str!("running.txt"))));
    let file = |(name, template, text): (&str, &str, String)| {
        let from = format!("xtask/src/generate/emit/{template} and specs/{}", ip.name);
        Generated { name: name.to_owned(), text: format::header(&from) + &wrapped(&text) }
    };
    // Beside a struct by hand.
    let stopped = notes.filter(|_| ip.architecture.is_none()).map(|notes| {
        let template = concat!(include_str!("stopped_head.txt"), include_str!("stopped.txt"));
        ("stopped.rs", "stopped.txt", filled(ip, notes, template))
    });
    pmu.into_iter().chain(running).chain(stopped).map(file).collect()
}

/// `pmu.rs` of an IP that implements an architecture.
fn pmu(ip: &Ip, architecture: &Architecture, template: &str) -> String {
    let ip_names = names::of_ip(&ip.name);
    let of = names::of_ip(&architecture.name).module;
    let notes = ip.driver.as_ref();
    // The name of a finding with a text is taken where the architecture has a driver itself.
    let cause = if architecture.counters.is_some() { "Cause" } else { "Finding" };
    let path = if ip.is_generic() { "crate" } else { &of };
    let findings = ip.findings.iter().fold(String::new(), |mut text, finding| {
        let name = names::finding_variant(&finding.name);
        let _ = writeln!(text, "            {path}::{cause}::{name} => Self::{name},");
        text
    });
    let counters = Parameter::of(ip);
    let stopped =
        notes.map_or_else(String::new, |notes| filled(ip, notes, include_str!("stopped.txt")));
    let diagnosis = notes.map_or_else(Vec::new, |notes| paragraphs(ip, &notes.diagnosis));
    let words = words(&ip.space);
    let template =
        words.iter().fold(template.to_owned(), |text, (name, word)| text.replace(name, word));
    template
        .replace("{interrupts}", notes.map_or("", |notes| &notes.interrupts))
        .replace("{increment}", &software_increment(ip))
        .replace("{diagnose}", &comment(&diagnosis, ""))
        .replace("{findings}", &findings)
        .replace("{cause}", cause)
        .replace("{of}", path)
        .replace("{n}", counters.name)
        .replace("{Counters}", if ip.is_generic() { "Counters<N>" } else { "Counters" })
        .replace(
            "{from_word}",
            if ip.is_generic() { "Counters::<N>::from_word" } else { "Counters::from_word" },
        )
        .replace("{declared of user}", &format!("B{}", counters.declared))
        .replace("{arguments of user}", &format!("B, User{}", counters.argument))
        .replace("{declared}", &format!("B, M: Mode = Privileged{}", counters.declared))
        .replace("{bounds}", &format!("B: Bus<Space = Space>, M: Mode{}", counters.bound))
        .replace("{plain}", &format!("B, M: Mode{}", counters.bound))
        .replace("{arguments}", &format!("B, M{}", counters.argument))
        .replace("{architecture}", &of)
        .replace("{krate}", &ip_names.module)
        .replace("{identity}", if ip.is_generic() { "crate::identity" } else { "super::identity" })
        .replace("{type}", &ip_names.type_name)
        .replace("{product}", ip.product())
        .replace("{stopped}\n", &(stopped + "\n"))
}

/// The number of event counters, which is a parameter of the driver for every core.
struct Parameter {
    name: &'static str,
    declared: &'static str,
    bound: &'static str,
    argument: &'static str,
}

impl Parameter {
    fn of(ip: &Ip) -> Self {
        if ip.is_generic() {
            Self {
                name: "N",
                declared: ", const N: usize = DEFAULT_COUNTERS",
                bound: ", const N: usize",
                argument: ", N",
            }
        } else {
            Self { name: "COUNTERS", declared: "", bound: "", argument: "" }
        }
    }
}

/// What differs between the cores of AArch32 and AArch64, as words in sentences.
const fn words(space: &Space) -> &'static [(&'static str, &'static str)] {
    match space {
        Space::System => &[
            ("{bus}", "Sysreg"),
            ("{privileged software}", "software at EL1 or above"),
            ("{other number}", "a smaller number"),
            ("{in user mode}", "at EL0"),
            ("{In user mode}", "At EL0"),
            ("{User mode}", "EL0"),
            ("{main id register}", "Main ID Register, MIDR_EL1"),
            ("{pmuserenr}", "PMUSERENR_EL0"),
            ("{exception}", "trap"),
            ("{an exception}", "a trap"),
        ],
        Space::Cp15 | Space::Region { .. } | Space::Pages(_) => &[
            ("{bus}", "Cp15"),
            ("{privileged software}", "software in a privileged mode"),
            ("{other number}", "another number"),
            ("{in user mode}", "in User mode"),
            ("{In user mode}", "In User mode"),
            ("{User mode}", "User mode"),
            ("{main id register}", "Main ID Register"),
            ("{pmuserenr}", "PMUSERENR"),
            ("{exception}", "Undefined Instruction exception"),
            ("{an exception}", "an Undefined Instruction exception"),
        ],
    }
}

/// A template of what every PMU has.
fn filled(ip: &Ip, notes: &DriverNotes, template: &str) -> String {
    let (product, cycles) = (ip.product(), ip.counters.cycles);
    let is_core = matches!(ip.space, Space::Cp15 | Space::System);
    let of = ip.architecture.as_ref().map(|of| names::of_ip(&of.name).module);
    let has_modes = is_core && of.is_some();
    let has_selector = has_modes && matches!(ip.space, Space::Cp15);
    let units = (!ip.units.is_empty()).then(|| notes.units.as_deref().unwrap_or("unit"));
    // `C` and `Core`.
    let kind = units.map(|units| names::of_ip(units).type_name);
    let kind = kind.as_deref().map(|kind| (kind.get(..1).unwrap_or_default(), kind));
    let (before, first) = kind.map_or_else(Default::default, |(letter, kind)| {
        (format!("{letter}: {kind}, "), format!("{letter}, "))
    });
    let parameter = Parameter::of(ip);
    let (after, default, last) =
        if has_modes { (", M: Mode", " = Privileged", ", M") } else { Default::default() };
    let last = format!("{last}{}", parameter.argument);
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
        Some(_) if ip.is_generic() => "crate::skew(N as u32)".to_owned(),
        Some(of) if is_core => format!("{of}::skew(COUNTERS as u32)"),
        Some(of) => format!("{of}::SKEW"),
    };
    let article = if product.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    let one = match units {
        Some(units) if is_core => format!("{article} {product} {units}"),
        None if is_core => format!("{article} {product}"),
        _ => format!("one {product}"),
    };
    let one = if ip.is_generic() { format!("a core with {product}") } else { one };
    let divider = has_divider(ip);
    let flags = [
        ("cycles", cycles),
        ("core", is_core),
        ("divider", divider),
        ("undivided", cycles && !divider),
        ("eventsonly", !cycles),
        ("units", units.is_some()),
        ("generic", ip.is_generic()),
    ];
    let imports = imports(of.is_some(), has_modes, kind.map(|(_, kind)| kind));
    let imports =
        if ip.is_generic() { imports.replace("COUNTERS, ", "DEFAULT_COUNTERS, ") } else { imports };
    let path = if ip.is_generic() { Some("crate") } else { of.as_deref() };
    sections(template, &flags)
        .replace("{architecture}", path.unwrap_or_default())
        .replace("{imports}\n", &imports)
        .replace("{kind}", kind.map_or("", |(_, kind)| kind))
        .replace("{n}", parameter.name)
        .replace("{rows}", if ip.is_generic() { "MOST_ROWS" } else { "{ COUNTERS + 1 }" })
        .replace("{example}\n", &example)
        .replace("{start}\n", &continued(ip, &notes.start))
        .replace("{resume}\n", &continued(ip, &notes.resume))
        .replace("{acknowledge}\n", &continued(ip, &notes.acknowledge))
        .replace(
            "{all}",
            &match count {
                _ if ip.is_generic() => "all".to_owned(),
                2 => "both".to_owned(),
                _ => format!("all {count}"),
            },
        )
        .replace("{event}", if cycles { "event " } else { "" })
        .replace("{counter}", &counter)
        .replace("{letters}", &letters.join(", "))
        .replace("{counters}", &into.join(", "))
        .replace("{counts}", &counts.join(", "))
        .replace("{bounds}", &format!("{before}B: Bus<Space = Space>{after}{}", parameter.bound))
        .replace("{plain}", &format!("{before}B{after}{}", parameter.bound))
        .replace("{declared}", &format!("{before}B{after}{default}{}", parameter.declared))
        .replace("{arguments}", &format!("{first}B{last}"))
        .replace("{monitored}", &monitored)
        .replace(
            "{detected}",
            match ip.space {
                Space::System => AND_TAKEN_AWAY,
                _ if has_selector => AND_SELECTOR,
                _ => "",
            },
        )
        .replace("{skew}", &skew)
        .replace(
            "{clock}",
            &if is_core { "the core".to_owned() } else { format!("the {product}'s clock") },
        )
        .replace("{one}", &one)
        .replace("{product}", product)
}

/// What reading the counters of a PMU in CP15 detects beside a disabled PMU.
const AND_SELECTOR: &str = ", and that the selector was moved during the reading";

/// What reading the counters of a PMU among the system registers detects beside a disabled PMU.
const AND_TAKEN_AWAY: &str = ", and that a hypervisor took counters away";

/// What `running.rs` takes from its crate.
fn imports(is_shared: bool, has_modes: bool, kind: Option<&str>) -> String {
    let modes = if has_modes { "Mode, Privileged, " } else { "" };
    match (kind, is_shared) {
        (Some(kind), _) => {
            format!("\nuse crate::pmu::Pmu;\nuse crate::{{COUNTERS, {kind}, Space}};\n\n")
        }
        (None, false) => "\nuse crate::Space;\nuse crate::pmu::Pmu;\n\n\
                          use super::events::{COUNTERS, Selection};\n\n"
            .to_owned(),
        (None, true) => format!(
            "\nuse crate::{{{modes}Space}};\n\n\
             use super::events::{{COUNTERS, Selection}};\nuse super::pmu::Pmu;\n\n"
        ),
    }
}

/// The lines of a template without the sections for other PMUs. A section may have others inside.
pub fn sections(template: &str, flags: &[(&str, bool)]) -> String {
    let condition = |line: &str| {
        let flag = line.strip_prefix("{if ")?.strip_suffix('}')?;
        flags.iter().find(|(name, _)| *name == flag).map(|(_, on)| *on)
    };
    let mut shown: Vec<bool> = Vec::new();
    let mut text = String::new();
    for line in template.lines() {
        match (condition(line), line) {
            (Some(on), _) => shown.push(on),
            (None, "{else}") => {
                if let Some(on) = shown.last_mut() {
                    *on = !*on;
                }
            }
            (None, "{end}") => drop(shown.pop()),
            _ if shown.iter().all(|on| *on) => {
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

/// Whether the cycle counter can count every 64th cycle. That of PMUv3 could, but then it would have 32 bits.
const fn has_divider(ip: &Ip) -> bool {
    ip.counters.cycles && !matches!(ip.space, Space::System)
}

/// Selects two events of a core, and its cycles.
fn example_of_core(ip: &Ip) -> String {
    let Some(group) = ip.groups.first() else { return String::new() };
    let [_, first, _, second, ..] = &group.events[..] else { return String::new() };
    let [first, second] = [first, second].map(|event| names::event_variant(&event.name));
    let events = names::event_type(&group.name);
    let names = names::of_ip(&ip.name);
    let (krate, device) = (names.module, names.type_name);
    let has_divider = has_divider(ip);
    let lines = [
        "```".to_owned(),
        format!("use {krate}::{{{events}, {}Pmu}};", if has_divider { "Divider, " } else { "" }),
        format!("# let device = arm_pmu_sim::{device}::new();"),
        "# let bus = device.bus();".to_owned(),
        "let mut pmu = Pmu::new(bus);".to_owned(),
        "let [first, second, ..] = pmu.counters();".to_owned(),
        format!("first.count({events}::{first});"),
        format!("second.count({events}::{second});"),
        format!("pmu.cycle_counter().count({});", if has_divider { "Divider::By64" } else { "" }),
        "```".to_owned(),
    ];
    comment(&lines, "    ")
}

/// Selects the first event at the first source of two groups.
fn example(ip: &Ip) -> String {
    if matches!(ip.space, Space::Cp15 | Space::System) {
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
pub fn wrapped(text: &str) -> String {
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
