//! `arm-pmu show`.

use arm_pmu_lookup::name;
use arm_pmu_lookup::near;
use arm_pmu_lookup::perf_name::{PerfName, What};
use arm_pmu_lookup::programming;
use arm_pmu_lookup::text::with_article;
use arm_pmu_lookup::words;
use arm_pmu_tables::{
    Alias, CycleCounter, EventOf, Field, Finding, FoundBy, Group, Ip, Matched, MetricOf, Pmu,
    Register, RegisterMatch, Selection, Source, UnavailableOf, same_name,
};

use crate::base::answer::Answer;
use crate::base::arguments::Show;
use crate::base::failure::{Failure, refuse};
use crate::base::platform::target::{self, Subject};
use crate::base::text::{ASIDE, HEADING, NAME, Screen, styled};
use crate::lookup::encode;
use crate::lookup::view;

/// All entries that a text can mean.
#[derive(Debug, Default)]
struct Found {
    registers: Vec<RegisterMatch>,
    /// Events without duplicates, each with its source if the text names a source.
    events: Vec<(EventOf, Option<&'static Source>)>,
    cycles: Option<&'static CycleCounter>,
    metrics: Vec<MetricOf>,
    unavailable: Vec<UnavailableOf>,
    findings: Vec<&'static Finding>,
}

impl Found {
    fn is_empty(&self) -> bool {
        self.registers.is_empty()
            && self.events.is_empty()
            && self.cycles.is_none()
            && self.metrics.is_empty()
            && self.unavailable.is_empty()
            && self.findings.is_empty()
    }
}

pub fn run(arguments: &Show, screen: Screen) -> Result<Answer, Failure> {
    let (ip, name) = (arguments.ip.as_ref(), arguments.name.as_ref());
    let names: Vec<_> = name.into_iter().cloned().collect();
    let found = target::subject(ip, arguments.place.platform.as_ref(), &names);
    let (subject, names) = found.map_err(|failure| match (ip, name) {
        (Some(first), Some(second)) if Subject::read(second).is_ok() => {
            failure.with(&format!("; the IP comes first: arm-pmu show {second} {first}"))
        }
        _ => failure,
    })?;
    let [name] = names[..] else {
        refuse!("show needs one NAME, not {}", names.len());
    };
    let target = subject.one(&[name]).or_else(|_| subject.any())?;
    let pmu = target.pmu;
    let name = target.event(&target.metric(name)?)?;
    let found = find(pmu, &name);
    let (pmu, found) = match found.is_empty() {
        true => of_perf(pmu, &name)?.ok_or_else(|| nothing(pmu, &name))?,
        false => (pmu, found),
    };
    if arguments.json {
        return Answer::json(&document(pmu, &found));
    }
    Ok(Answer::text(text(pmu, &found, screen)))
}

fn find(pmu: Pmu, text: &str) -> Found {
    let mut found = Found {
        registers: pmu.find_registers(text).collect(),
        metrics: pmu.find_metrics(text).collect(),
        unavailable: pmu.unavailable().filter(|of| same_name(of.figure.name, text)).collect(),
        findings: pmu.findings().filter(|finding| same_name(finding.name, text)).collect(),
        ..Found::default()
    };
    for one in pmu.find_events(text) {
        match one.what {
            Matched::Cycles(counter) => found.cycles = Some(counter),
            Matched::Event(of, source) => {
                let known =
                    found.events.iter_mut().find(|(known, _)| std::ptr::eq(known.event, of.event));
                match known {
                    None => found.events.push((of, source)),
                    // A code selects all sources; an event id with the same number selects one source.
                    Some(known) if !matches!(one.by, FoundBy::Id) && source.is_none() => {
                        known.1 = None
                    }
                    Some(_) => {}
                }
            }
            _ => {}
        }
    }
    found
}

fn of_perf(pmu: Pmu, text: &str) -> Result<Option<(Pmu, Found)>, Failure> {
    let Some(PerfName { pmu, what, .. }) = name::of_perf(pmu, text)? else { return Ok(None) };
    let found = match what {
        What::Event(Selection { of, source }) => {
            Found { events: vec![(of, source)], ..Found::default() }
        }
        What::Cycles => Found { cycles: pmu.ip.counters.cycles.as_ref(), ..Found::default() },
        What::Other(id) => return Err(nothing(pmu, &format!("0x{id:02X}"))),
    };
    Ok(Some((pmu, found)))
}

fn nothing(pmu: Pmu, text: &str) -> Failure {
    let registers = pmu
        .registers()
        .flat_map(|register| register.aliases.iter().chain([&register.name]).copied());
    let figures =
        pmu.metrics().map(|of| of.metric.name).chain(pmu.unavailable().map(|of| of.figure.name));
    let findings = pmu.findings().map(|finding| finding.name);
    let known = name::event_names(pmu).chain(registers).chain(figures).chain(findings);
    // The source is removed before the search for similar names.
    let wanted = text.split_once(':').map_or(text, |(_, name)| name);
    let near = near::suggestion(wanted, known);
    Failure::not_found(format!("{pmu} has no `{text}`{near}{}", name::other_units(pmu, text)))
}

fn document(pmu: Pmu, found: &Found) -> view::Show {
    view::Show {
        pmu: pmu.to_string(),
        registers: found.registers.iter().map(|of| view::Register::new(of.register)).collect(),
        events: found.events.iter().map(|(of, at)| view::Event::new(pmu, *of, *at)).collect(),
        cycle_counter: found.cycles.map(|counter| view::CycleCounter::new(pmu, counter)),
        metrics: found.metrics.iter().copied().map(view::Metric::new).collect(),
        unavailable: found.unavailable.iter().copied().map(view::Unavailable::new).collect(),
        findings: found.findings.iter().map(|finding| view::Finding::new(finding)).collect(),
    }
}

fn text(pmu: Pmu, found: &Found, screen: Screen) -> String {
    let registers = found.registers.iter().map(|found| register(pmu, found, screen));
    let events = found.events.iter().map(|(of, source)| event(pmu, *of, *source, screen));
    let cycles = found.cycles.iter().map(|counter| cycles(pmu, counter, screen));
    let metrics = found.metrics.iter().map(|of| metric(*of, screen));
    let unavailable = found.unavailable.iter().map(|of| unavailable(*of, screen));
    let findings = found.findings.iter().map(|one| finding(pmu, one, screen));
    let all =
        registers.chain(events).chain(cycles).chain(metrics).chain(unavailable).chain(findings);
    all.collect::<Vec<_>>().join("\n\n")
}

fn heading(pmu: Pmu, name: &str, what: &str) -> String {
    format!("{}: {what}\n{} ({pmu})\n\n", styled(NAME, name), pmu.ip.title)
}

fn section(title: &str) -> String {
    format!("\n{}\n", styled(HEADING, title))
}

fn event(pmu: Pmu, of: EventOf, only: Option<&Source>, screen: Screen) -> String {
    let what = format!("an event of {}", with_article(of.group.title));
    let mut text = heading(pmu, of.event.name, &what);
    text += &screen.paragraph("  ", &words::event_data(of.event, of.group));
    let units: Vec<_> = of.units().map(|unit| unit.name).collect();
    if !units.is_empty() {
        text += &screen.paragraph("  of: ", &words::titles(of.ip, &units));
    }
    text += &screen.paragraph("  Rust: ", &words::rust_event(of).join(", "));
    text.push('\n');
    text += &screen.paragraph("", of.event.doc);
    of.event.note.iter().for_each(|note| text += &screen.paragraph("", note));

    let selections: Vec<_> = view::selections(of, only).collect();
    if !of.group.sources.is_empty() {
        text += &section("Event ids");
        let digits = of.ip.counters.id.width().div_ceil(4) as usize;
        let row = |one: &arm_pmu_tables::Selection| {
            let (name, title) = one.source.map_or(("", ""), |source| (source.name, source.title));
            let bit = one.evntbus().map_or(String::new(), |bit| format!("EVNTBUS bit {bit}"));
            vec![format!("0x{:0digits$X}", one.id()), name.to_owned(), title.to_owned(), bit]
        };
        text += &screen.whole().table(2, &[NAME], &selections.iter().map(row).collect::<Vec<_>>());
    }
    if let Some(first) = selections.first() {
        let last = of.ip.counters.count.saturating_sub(1);
        let at = first.source.map_or(String::new(), |source| format!(", at {}", source.name));
        text += &section(&format!("Registers, on counters 0 and {last}{at}"));
        let all = [0, last].into_iter().filter_map(|counter| programming::writes(first, counter));
        text += &encode::writes(&all.flatten().collect::<Vec<_>>(), screen);
    }
    text += &other_names(pmu, of.event.aliases, screen);
    let metrics: Vec<_> = view::metrics_of(pmu, of).collect();
    if !metrics.is_empty() {
        text += &section("Metrics");
        for of in metrics {
            text += &screen.paragraph("  ", &format!("{} = {}", of.metric.name, of.metric.formula));
        }
    }
    text.push('\n');
    text + &screen.paragraph("", &words::origin(&of.event.origin, &of.ip.manual))
}

/// Names of an entry in other programs.
fn other_names(pmu: Pmu, aliases: &'static [Alias], screen: Screen) -> String {
    let all = view::aliases(pmu, aliases);
    let Some(width) = all.clone().map(|alias| alias.dialect().word().len()).max() else {
        return String::new();
    };
    let line = |alias: &Alias| {
        let first = format!("  {:width$}  ", alias.dialect().word());
        let source = alias.source;
        screen.paragraph(
            &first,
            &format!("{} ({} of {})", alias.name, source.path, source.repository),
        )
    };
    section("Other names") + &all.map(line).collect::<String>()
}

fn cycles(pmu: Pmu, counter: &'static CycleCounter, screen: Screen) -> String {
    let mut text = heading(pmu, counter.register, "the counter of cycles");
    text += &screen.paragraph(
        "  ",
        "Counts cycles in addition to the event counters, without an event selection.",
    );
    if let Some(code) = counter.code {
        let code = format!(
            "Other programs use the number 0x{code:02X} for this counter, in place of an event code."
        );
        text += &screen.paragraph("  ", &code);
    }
    text + &other_names(pmu, counter.aliases, screen)
}

fn register(pmu: Pmu, found: &RegisterMatch, screen: Screen) -> String {
    let register = found.register;
    let name = programming::element_name(register, found.element);
    let mut text = heading(pmu, &name, register.title);
    if !register.aliases.is_empty() {
        text += &screen.paragraph("  other names: ", &register.aliases.join(", "));
    }
    if let (Some(element), Some(offset)) =
        (found.element, found.element.and_then(|n| register.offset(n)))
    {
        text += &screen.paragraph("  ", &format!("element {element}: offset 0x{offset:03X}"));
    }
    text += &screen.paragraph("  ", &words::place(pmu, register));
    let access = words::access(register.access);
    let data = format!("{} bits, {access}; {}", register.width, words::resets(pmu.ip, register));
    text += &screen.paragraph("  ", &data);
    if !register.only.is_empty() {
        text += &screen.paragraph("  of: ", &words::titles(pmu.ip, register.only));
    }
    text += &screen.paragraph("  Rust: ", register.rust);
    text.push('\n');
    text += &screen.boxes(&cells(register));
    text.push('\n');
    let shown = register
        .fields
        .iter()
        .filter(|field| found.field.is_none_or(|only| std::ptr::eq(only, *field)));
    let width = register.fields.iter().map(|field| field.bits.to_string().len()).max().unwrap_or(0);
    for field in shown {
        let doc = words::field_doc(pmu.ip, register, field);
        let words = format!("{} ({}). {doc}", field.name, words::field_access(field));
        text += &screen.paragraph(&format!("  {:>width$}  ", field.bits.to_string()), &words);
        for value in field.values {
            let number = format!("{:width$}    0x{:X}  ", "", value.value);
            text += &screen.paragraph(&number, &format!("{}: {}", value.name, value.doc));
        }
    }
    if !register.fields.is_empty() {
        text.push('\n');
    }
    text += &screen.paragraph("", register.doc);
    register.note.iter().for_each(|note| text += &screen.paragraph("", note));
    words::restrictions(register).for_each(|rule| text += &screen.paragraph("", rule));
    text.push('\n');
    text + &screen.paragraph("", &words::origin(&register.origin, &pmu.ip.manual))
}

/// All bits and their contents, beginning with the highest bits.
fn cells(register: &'static Register) -> Vec<(String, String)> {
    let name = |part: Result<&Field, _>| part.map_or_else(words::reserved_cell, |field| field.name);
    let parts = programming::parts(register).into_iter();
    parts.map(|(bits, part)| (bits.to_string(), name(part).to_owned())).collect()
}

/// PMU of a group, with the unit if only one unit has the group.
fn of_group(ip: &'static Ip, group: &Group) -> Pmu {
    Pmu { ip, unit: group.unit.and_then(|unit| ip.unit(unit)) }
}

fn metric(of: MetricOf, screen: Screen) -> String {
    let metric = of.metric;
    let mut text = heading(
        of_group(of.ip, of.group),
        metric.name,
        &format!("a metric of {}", with_article(of.group.title)),
    );
    text += &screen.paragraph("  ", &format!("in {}: {}", metric.measure, metric.formula));
    if !metric.only.is_empty() {
        text += &screen.paragraph("  of: ", &words::titles(of.ip, metric.only));
    }
    for argument in metric.arguments {
        text += &screen.paragraph(&format!("  {}: ", argument.name), argument.doc);
    }
    text += &screen.paragraph("  Rust: ", &words::rust_metric(of.ip, of.group, metric.rust));
    text.push('\n');
    text += &screen.paragraph("", metric.doc);
    metric.caveat.iter().for_each(|caveat| text += &screen.paragraph("", caveat));
    text += &section("Counts");
    let row = |input: Option<EventOf>| match input {
        Some(of) => vec![
            format!("0x{:02X}", of.event.code),
            of.event.name.to_owned(),
            arm_pmu_lookup::text::first_sentence(of.event.doc).to_owned(),
        ],
        None => {
            vec![String::new(), "cycles".to_owned(), "Cycles, from the cycle counter".to_owned()]
        }
    };
    text += &screen.table(2, &[ASIDE, NAME], &of.inputs().map(row).collect::<Vec<_>>());
    text.push('\n');
    text + &screen.paragraph("", &words::origin(&metric.origin, &of.ip.manual))
}

fn unavailable(of: UnavailableOf, screen: Screen) -> String {
    let mut text = heading(of_group(of.ip, of.group), of.figure.name, "cannot be computed");
    text += &screen.paragraph("", of.figure.doc);
    text += &screen.paragraph("", of.figure.reason);
    text.push('\n');
    text + &screen.paragraph("", &words::origin(&of.figure.origin, &of.ip.manual))
}

fn finding(pmu: Pmu, finding: &Finding, screen: Screen) -> String {
    let mut text = heading(pmu, finding.name, "a reason why counters read zero");
    text += &screen.paragraph("", finding.cause);
    text += &screen.paragraph("  read: ", finding.read);
    text += &screen.paragraph("  expected: ", finding.expected);
    text += &screen.paragraph("  fix: ", finding.fix);
    if finding.ambiguous {
        text += &screen.paragraph("  ", "Several causes look the same.");
    }
    text.push('\n');
    text + &screen.paragraph("", &words::origin(&finding.origin, &pmu.ip.manual))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn show_fits_80_columns_with_descriptions() {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Cores share most entries, so each entry is checked once.
        let mut seen = HashSet::new();
        for pmu in Pmu::all() {
            let events = pmu.events().map(|of| (of.event.name, of.event.doc));
            let registers = pmu.registers().map(|one| (one.name, one.doc));
            let metrics = pmu.metrics().map(|of| (of.metric.name, of.metric.doc));
            let unavailable = pmu.unavailable().map(|of| (of.figure.name, of.figure.doc));
            let findings = pmu.findings().map(|one| (one.name, one.cause));
            let all = events.chain(registers).chain(metrics).chain(unavailable).chain(findings);
            for (name, doc) in all.filter(|entry| seen.insert(*entry)) {
                let shown = text(pmu, &find(pmu, name), Screen::terminal(80));
                let shown = anstream::adapter::strip_str(&shown).to_string();
                let long = |line: &&str| line.len() > 80 && line.trim().contains(' ');
                assert_eq!(shown.lines().find(long), None, "{pmu} {name}");
                assert!(flat(&shown).contains(&flat(doc)), "{pmu} {name}: {shown}");
            }
        }
    }
}
