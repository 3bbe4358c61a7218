//! Generates the files of a driver that contain no procedures, but structs that delegate. They are in the crate of the
//! IP, so that messages and documentation name the IP.
//!
//! `running.rs` contains the struct `Running`, and the trait implementations of `Pmu` and `Running`. `pmu.rs`
//! contains the struct `Pmu` of an IP that implements an architecture; other IPs have a hand-written `Pmu` beside
//! `hardware.rs`, with the common methods in `stopped.rs`.
//!
//! In the crate of an architecture, two macros contain the code of `running.rs` and `pmu.rs`. Implementations call the
//! macros with their own names; the driver for every core contains the files directly.
//!
//! `running.txt`, `pmu.txt` (a PMU in memory), `pmu_core.txt` (a PMU of a core) and `stopped.txt` (a part of them)
//! contain names in braces; the lines `{if cycles}`, `{else}` and `{end}` enclose text for some PMUs only.

use super::prelude::*;
use crate::generate::implementation::has_thresholds;

/// A generated file of a driver, and the template for it.
struct File {
    name: &'static str,
    template: &'static str,
    text: String,
}

/// Returns the generated files of the driver; empty if the driver is written by hand.
pub fn emit(ip: &Ip) -> Vec<Generated> {
    let macros = ip.architecture.as_ref().filter(|_| !ip.is_generic());
    let file = |file: File| {
        let text = match macros {
            Some(architecture) => call(ip, architecture, &file),
            None => wrapped(&file.text),
        };
        Generated {
            name: format!("{}.rs", file.name),
            text: header(file.template, &ip.name) + &text,
        }
    };
    files(ip, &Words::of(ip)).into_iter().map(file).collect()
}

/// Returns the macros of an architecture that define the files of its implementations; `others` contains the macros
/// that do not belong to the driver.
pub fn of_implementations(architecture: &Architecture, ips: &[&Ip], others: &str) -> Generated {
    let files = ips.first().map_or_else(Vec::new, |ip| files(ip, &Words::of_macro()));
    let templates: Vec<_> = files.iter().map(|file| file.template).collect();
    let mut text = header(&templates.join(" and "), &architecture.name);
    let _ = writeln!(
        text,
        "//! Macros that define the driver, the findings and metrics of an implementation, in its crate."
    );
    files.iter().for_each(|file| text += &definition(file));
    text += others;
    Generated { name: "implementation.rs".to_owned(), text }
}

fn header(templates: &str, of: &str) -> String {
    format::header(&format!("xtask/src/generate/emit/{templates} and specs/{of}"))
}

fn files(ip: &Ip, words: &Words) -> Vec<File> {
    let file = |name, template, text| File { name, template, text };
    let pmu = ip.architecture.as_ref().map(|architecture| match ip.space {
        Space::Cp15 | Space::System => {
            let template = sections(
                include_str!("pmu_core.txt"),
                &[("cp15", matches!(ip.space, Space::Cp15)), ("generic", ip.is_generic())],
            );
            file("pmu", "pmu_core.txt", pmu(ip, words, architecture, &template))
        }
        Space::Region { .. } | Space::Pages(_) => {
            file("pmu", "pmu.txt", pmu(ip, words, architecture, include_str!("pmu.txt")))
        }
    });
    let notes = ip.driver.as_ref().filter(|notes| notes.group_counters.is_none());
    let running = notes.map(|notes| {
        file("running", "running.txt", filled(ip, words, notes, include_str!("running.txt")))
    });
    // These methods complement a hand-written struct.
    let stopped = notes.filter(|_| ip.architecture.is_none()).map(|notes| {
        let template = concat!(include_str!("stopped_head.txt"), include_str!("stopped.txt"));
        file("stopped", "stopped.txt", filled(ip, words, notes, template))
    });
    pmu.into_iter().chain(running).chain(stopped).collect()
}

/// Parameters of macros. Each has a key, which templates contain in braces, and a declaration.
const PARAMETERS: [(&str, &str); 6] = [
    ("device", "$Device:ident"),
    ("product", "$product:literal"),
    ("krate", "$krate:literal"),
    // Function that recognizes a core.
    ("is_processor", "$is_processor:ident"),
    // The core's event for software increments, as the documentation names it.
    ("increment", "$increment:literal"),
    // Words for all counters in texts: `both` or `all 4`.
    ("all", "$all:literal"),
];

/// The words that an IP puts in its files, or the macro parameters that stand for these words.
struct Words {
    /// Values of the [`PARAMETERS`].
    parameters: [String; PARAMETERS.len()],
    /// Lists with an item for each counter: variables, conversions of the variables, and counts.
    letters: String,
    into: String,
    counts: String,
    /// Lines of documentation.
    example: String,
}

impl Words {
    fn of(ip: &Ip) -> Self {
        let names = names::of_ip(&ip.name);
        let count = ip.counters.count as usize;
        let letters = letters(count);
        let into: Vec<_> = letters.iter().map(|letter| format!("{letter}.into()")).collect();
        let counts: Vec<_> = (0..count).map(|counter| format!("count({counter})")).collect();
        let all = match count {
            _ if ip.is_generic() => "all".to_owned(),
            2 => "both".to_owned(),
            _ => format!("all {count}"),
        };
        let is_processor = format!("is_{}", names.module);
        let product = ip.product().to_owned();
        let increment = software_increment(ip);
        Self {
            parameters: [names.type_name, product, names.module, is_processor, increment, all],
            letters: letters.join(", "),
            into: into.join(", "),
            counts: counts.join(", "),
            example: comment(&example(ip), "    "),
        }
    }

    fn of_macro() -> Self {
        Self {
            parameters: PARAMETERS.map(|(_, fragment)| variable(fragment).to_owned()),
            letters: "$($counter),*".to_owned(),
            into: "$($counter.into()),*".to_owned(),
            counts: "$(count($number)),*".to_owned(),
            example: "    $(#[doc = $example])*\n".to_owned(),
        }
    }

    /// Returns the text with the values of the parameters.
    fn put_into(&self, text: &str) -> String {
        let values = PARAMETERS.iter().zip(&self.parameters);
        values.fold(text.to_owned(), |text, ((key, _), value)| {
            text.replace(&format!("{{{key}}}"), value)
        })
    }
}

fn letters(count: usize) -> Vec<String> {
    match count {
        0..=26 => ('a'..='z').take(count).map(String::from).collect(),
        _ => (0..count).map(|counter| format!("c{counter}")).collect(),
    }
}

/// Returns the parameters that occur in a text of [`Words::of_macro`], each with its number.
fn parameters(text: &str) -> impl Iterator<Item = (usize, (&'static str, &'static str))> {
    let all = PARAMETERS.into_iter().enumerate();
    all.filter(|(_, (_, fragment))| text.contains(variable(fragment)))
}

fn variable(fragment: &str) -> &str {
    fragment.split(':').next().unwrap_or_default()
}

fn definition(file: &File) -> String {
    let name = file.name;
    // Omits the documentation at the head of the file, which does not belong in the macro.
    let text = wrapped(&file.text);
    let body = text.lines().skip_while(|line| line.starts_with("//!") || line.is_empty());
    let variables = PARAMETERS.map(|(_, fragment)| match fragment.split_once(':') {
        Some((variable, "ident")) => (variable, format!("stringify!({variable})")),
        _ => (variable(fragment), variable(fragment).to_owned()),
    });
    let body = format::macro_body(&body.collect::<Vec<_>>().join("\n"), &variables);
    let mut keys = String::new();
    if body.contains("$example") {
        keys += "        $(#[doc = $example:literal])*\n";
    }
    for (_, (key, fragment)) in parameters(&body) {
        let _ = writeln!(keys, "        {key} {fragment};");
    }
    if body.contains("$counter") {
        keys += "        counters $($counter:ident $number:literal),*;\n";
    }
    format!(
        "\n/// Defines what is in `{name}.rs` of an implementation.\n#[doc(hidden)]\n#[macro_export]\n\
         #[allow(clippy::crate_in_macro_def, reason = \"the crate of the implementation\")]\n\
         macro_rules! {name} {{\n    (\n{keys}    ) => {{\n{}    }};\n}}\n",
        format::indented(&format::indented(&body))
    )
}

fn call(ip: &Ip, architecture: &Architecture, file: &File) -> String {
    let text: String = files(ip, &Words::of_macro())
        .into_iter()
        .filter(|of_macro| of_macro.name == file.name)
        .map(|of_macro| of_macro.text)
        .collect();
    let words = Words::of(ip);
    let head = file.text.lines().take_while(|line| line.starts_with("//!"));
    let mut lines: String = head.map(|line| format!("{line}\n")).collect();
    let _ = write!(lines, "\n{}::{}! {{\n", names::of_ip(&architecture.name).module, file.name);
    if text.contains("$example") {
        lines += &words.example;
    }
    for (nth, (key, fragment)) in parameters(&text) {
        let value = &words.parameters[nth];
        let is_text = fragment.ends_with("literal");
        let value = if is_text { format!("{value:?}") } else { value.clone() };
        let _ = writeln!(lines, "    {key} {value};");
    }
    if text.contains("$counter") {
        let counters = letters(ip.counters.count as usize).into_iter().enumerate();
        let counters: Vec<_> = counters.map(|(n, letter)| format!("{letter} {n}")).collect();
        let _ = writeln!(lines, "    counters {};", counters.join(", "));
    }
    lines += "}\n";
    if file.name == "pmu" && has_thresholds(ip) {
        let _ = writeln!(lines, "\n{}::thresholds! {{}}", names::of_ip(&architecture.name).module);
    }
    lines
}

fn pmu(ip: &Ip, words: &Words, architecture: &Architecture, template: &str) -> String {
    let of = names::of_ip(&architecture.name).module;
    let notes = ip.driver.as_ref();
    // If the architecture itself has a driver, its crate already has a type `Finding`, with the texts.
    let cause = if architecture.counters.is_some() { "Cause" } else { "Finding" };
    let path = if ip.is_generic() { "crate" } else { "$crate" };
    let findings = ip.findings.iter().fold(String::new(), |mut text, finding| {
        let name = names::type_name(&finding.name);
        let _ = writeln!(text, "            {path}::{cause}::{name} => Self::{name},");
        text
    });
    let counters = Parameter::of(ip);
    let stopped = notes
        .map_or_else(String::new, |notes| filled(ip, words, notes, include_str!("stopped.txt")));
    let diagnosis = notes.map_or_else(Vec::new, |notes| paragraphs(words, &notes.diagnosis));
    let [of_aarch64, of_aarch32] = [0, 1].map(|nth| TERMS.map(|(name, terms)| (name, terms[nth])));
    let terms = if let Space::System = ip.space { of_aarch64 } else { of_aarch32 };
    let template =
        terms.iter().fold(template.to_owned(), |text, (name, term)| text.replace(name, term));
    let text = template
        .replace("{interrupts}", notes.map_or("", |notes| &notes.interrupts))
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
        .replace("{identity}", if ip.is_generic() { "crate::identity" } else { "super::identity" });
    words.put_into(&text).replace("{stopped}\n", &(stopped + "\n"))
}

/// The number of event counters, a parameter of the driver for every core.
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

/// Words for sentences in which AArch64 and AArch32 cores differ.
const TERMS: [(&str, [&str; 2]); 11] = [
    ("{bus}", ["Sysreg", "Cp15"]),
    ("{cycles}", ["Clock, u64", "Clock"]),
    ("{privileged software}", ["software at EL1 or above", "software in a privileged mode"]),
    ("{other number}", ["a smaller number", "another number"]),
    ("{in user mode}", ["at EL0", "in User mode"]),
    ("{In user mode}", ["At EL0", "In User mode"]),
    ("{User mode}", ["EL0", "User mode"]),
    ("{main id register}", ["Main ID Register, MIDR_EL1", "Main ID Register"]),
    ("{pmuserenr}", ["PMUSERENR_EL0", "PMUSERENR"]),
    ("{exception}", ["trap", "Undefined Instruction exception"]),
    ("{an exception}", ["a trap", "an Undefined Instruction exception"]),
];

fn filled(ip: &Ip, words: &Words, notes: &DriverNotes, template: &str) -> String {
    let (product, cycles) = (words.put_into("{product}"), ip.counters.cycles);
    let is_core = ip.is_processor();
    let is_shared = ip.architecture.is_some();
    let has_modes = is_core && is_shared;
    let selects = |register: &Register| register.location.selector().is_some();
    let has_selector = ip.registers.iter().any(selects);
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

    let example = if is_shared { format!("    ///\n{}", words.example) } else { String::new() };
    let skew = match is_core {
        _ if !is_shared => "crate::hardware::SKEW",
        _ if ip.is_generic() => "crate::skew(N as u32)",
        true => "$crate::skew(COUNTERS as u32)",
        false => "$crate::SKEW",
    };
    let one = match units {
        _ if ip.is_generic() => format!("a core with {product}"),
        Some(units) if is_core => format!("{} {units}", docs::with_article(&product)),
        None if is_core => docs::with_article(&product),
        _ => format!("one {product}"),
    };
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
    let imports = imports(is_shared, has_modes, kind.map(|(_, kind)| kind));
    let imports =
        if ip.is_generic() { imports.replace("COUNTERS, ", "DEFAULT_COUNTERS, ") } else { imports };
    let path = if ip.is_generic() || !is_shared { "crate" } else { "$crate" };
    let text = sections(template, &flags)
        .replace("{cycles}", &format!("{path}::Cycles"))
        .replace("{imports}\n", &imports)
        .replace("{kind}", kind.map_or("", |(_, kind)| kind))
        .replace("{n}", parameter.name)
        .replace("{rows}", if ip.is_generic() { "MOST_ROWS" } else { "{ COUNTERS + 1 }" })
        .replace("{example}\n", &example)
        .replace("{start}\n", &continued(words, &notes.start))
        .replace("{resume}\n", &continued(words, &notes.resume))
        .replace("{acknowledge}\n", &continued(words, &notes.acknowledge))
        .replace("{event}", if cycles { "event " } else { "" })
        .replace("{counter}", &counter)
        .replace("{letters}", &words.letters)
        .replace("{counters}", &words.into)
        .replace("{counts}", &words.counts)
        .replace("{bounds}", &format!("{before}B: Bus<Space = Space>{after}{}", parameter.bound))
        .replace("{plain}", &format!("{before}B{after}{}", parameter.bound))
        .replace("{declared}", &format!("{before}B{after}{default}{}", parameter.declared))
        .replace("{arguments}", &format!("{first}B{last}"))
        .replace("{monitored}", &monitored)
        .replace(
            "{detected}",
            match ip.space {
                Space::System if is_core => AND_TAKEN_AWAY,
                _ if has_selector => AND_SELECTOR,
                _ => "",
            },
        )
        .replace("{skew}", skew)
        .replace(
            "{clock}",
            &if is_core { "the core".to_owned() } else { format!("the {product}'s clock") },
        )
        .replace("{one}", &one);
    words.put_into(&text)
}

/// Part of the documentation of CP15 counter reads. Names what a read detects besides a disabled
/// PMU.
const AND_SELECTOR: &str = ", and that the selector changed during the read";

/// Part of the documentation of counter reads in system registers. Names what a read detects
/// besides a disabled PMU.
const AND_TAKEN_AWAY: &str = ", and that a hypervisor took counters away";

/// Returns the items that `running.rs` imports from its crate.
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

/// Returns the lines of a template without the sections for other PMUs. Sections can be nested.
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

/// Formats sentences about a product as paragraphs of a doc comment.
fn paragraphs(words: &Words, texts: &[String]) -> Vec<String> {
    docs::paragraphs(texts.iter().map(|text| words.put_into(text)))
}

/// Formats sentences about a product as paragraphs that continue a doc comment.
fn continued(words: &Words, texts: &[String]) -> String {
    let lines = paragraphs(words, texts);
    if lines.is_empty() { String::new() } else { format!("    ///\n{}", comment(&lines, "    ")) }
}

/// Returns the event that counts software increments of a core, as a link for documentation.
fn software_increment(ip: &Ip) -> String {
    let find = |group: &Group| {
        let event = group.events.iter().find(|event| event.code == 0)?;
        let (events, event) = (names::event_type(&group.name), names::type_name(&event.name));
        Some(format!("[`{events}::{event}`](crate::{events}::{event})"))
    };
    ip.groups.iter().find_map(find).unwrap_or_default()
}

/// Returns whether the driver can count every 64th cycle. Not for PMUv3, whose cycle counter would
/// then have only 32 bits.
const fn has_divider(ip: &Ip) -> bool {
    ip.counters.cycles && !matches!(ip.space, Space::System)
}

/// Parts of an example: imports, two selections, and the divider of the cycles of a core.
type Example = (String, [String; 2], Option<&'static str>);

/// Returns two events of a core, and cycles.
fn example_of_core(ip: &Ip) -> Option<Example> {
    let group = ip.groups.first()?;
    let [_, first, _, second, ..] = &group.events[..] else { return None };
    let events = names::event_type(&group.name);
    let (import, divider) = if has_divider(ip) { ("Divider, ", "Divider::By64") } else { ("", "") };
    let selections =
        [first, second].map(|event| format!("{events}::{}", names::type_name(&event.name)));
    Some((format!("{events}, {import}Pmu"), selections, Some(divider)))
}

/// Returns the first event at the first source of two groups.
fn example_of_sources(ip: &Ip) -> Option<Example> {
    let selection = |group: &Group| {
        let (source, event) = (&group.sources.first()?.name, group.events.first()?);
        let events = names::event_type(&group.name);
        let event = names::type_name(&event.name);
        Some((source.clone(), events.clone(), format!("{source}.event({events}::{event})")))
    };
    let mut groups = ip.groups.iter().filter_map(selection);
    let (first, second) = (groups.next()?, groups.next()?);
    let mut imports = ["Pmu", &first.0, &first.1, &second.0, &second.1];
    imports.sort_unstable();
    Some((imports.join(", "), [first.2, second.2], None))
}

/// Returns an example that selects events.
fn example(ip: &Ip) -> Vec<String> {
    let is_core = matches!(ip.space, Space::Cp15 | Space::System);
    let example = if is_core { example_of_core(ip) } else { example_of_sources(ip) };
    let Some((imports, [first, second], divider)) = example else { return Vec::new() };
    let names = names::of_ip(&ip.name);
    let mut lines = vec![
        "```".to_owned(),
        format!("use {}::{{{imports}}};", names.module),
        format!("# let device = arm_pmu_sim::{}::new();", names.type_name),
        "# let bus = device.bus();".to_owned(),
        "let mut pmu = Pmu::new(bus);".to_owned(),
        "let [first, second, ..] = pmu.counters();".to_owned(),
        format!("first.count({first});"),
        format!("second.count({second});"),
    ];
    lines.extend(divider.map(|divider| format!("pmu.cycle_counter().count({divider});")));
    lines.push("```".to_owned());
    lines
}

fn comment(lines: &[String], indentation: &str) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{}", format!("{indentation}/// {line}").trim_end());
        text
    })
}

/// Breaks long lines of doc comments.
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
