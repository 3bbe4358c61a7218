//! `arm-pmu doctor`: reads a dump and prints a diagnosis.

use std::collections::HashSet;

use arm_pmu_lookup::words;
use arm_pmu_tables::Pmu;

use super::dump::Dump;
use super::{Cause, Report, ask, diagnose, view};
use crate::base::answer::Answer;
use crate::base::arguments::Doctor as Arguments;
use crate::base::failure::{Failure, refuse};
use crate::base::input;
use crate::base::platform::target::{self, Subject, Target};
use crate::base::text::{NAME, Screen, WARNING, styled};
use crate::prompt::recipe;

const LARGEST: u64 = 16 << 20;

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    let (ip, platform) = (arguments.ip.as_ref(), arguments.place.platform.as_ref());
    let is_named = ip.is_some() || platform.is_some();
    let subject = is_named.then(|| target::subject(ip, platform, &[])).transpose()?;
    let file = arguments.from.as_deref().unwrap_or("-");
    let mut dump = match arguments.ask {
        Some(_) => Dump::default(),
        None => Dump::parse(&input::text(file, LARGEST)?),
    };
    let Some((subject, _)) = subject else { return named_in_text(arguments, file, dump, screen) };
    // The kernel name in the dump selects a PMU of the platform.
    let names: Vec<_> = dump.counts.iter().map(|count| count.pmu.as_str()).collect();
    let target = match of_addresses(subject, &dump) {
        Some(target) => target,
        None => subject.one(&names)?.with_unit()?,
    };
    let pmu = target.pmu;
    dump.adopt(pmu);
    if pmu.ip.space.is_core() && dump.counts.is_empty() && dump.refused.is_empty() {
        refuse!(
            "the registers of {pmu} belong to the core, and no dump of memory shows them; call `diagnose` of the crate {} on the core",
            pmu.ip.name
        );
    }
    if let Some(language) = arguments.ask {
        let pages = recipe::pages(pmu, target.base(arguments.base.as_deref()).as_deref())?;
        return Ok(Answer::text(ask::commands(pmu, &pages, language)));
    }
    if dump.is_empty() {
        return Err(Failure::wrong_use(nothing(file, &dump)));
    }
    // Kernel names in the dump suffice without an address.
    let pages = match &target.base(arguments.base.as_deref()) {
        None if dump.words.is_empty() && dump.failed.is_empty() => Vec::new(),
        base => recipe::pages(pmu, base.as_deref())?,
    };
    let report = diagnose(pmu, &pages, &dump)?;
    let found = !report.causes.is_empty();
    let answer = if arguments.json {
        Answer::json(&document(&target, &report, &dump))?
    } else {
        Answer::text(text(&target, &pages, &report, screen) + &unread(&dump, screen))
    };
    Ok(Answer { found, ..answer })
}

/// PMUs in the output of `perf`.
fn named_in_text(
    arguments: &Arguments,
    file: &str,
    dump: Dump,
    screen: Screen,
) -> Result<Answer, Failure> {
    if dump.pmus.is_empty() {
        if dump.is_empty() {
            return Err(Failure::wrong_use(nothing(file, &dump)));
        }
        refuse!("{file} names no known PMU: name an IP, or give --platform");
    }
    let target = |pmu: &Pmu| Target { pmu: *pmu, platform: None, instance: None };
    let targets: Vec<_> = dump.pmus.iter().map(target).collect();
    let reports = targets.iter().map(|target| diagnose(target.pmu, &[], &dump));
    let reports: Vec<_> = reports.collect::<Result<_, _>>()?;
    let found = reports.iter().any(|report| !report.causes.is_empty());
    let answer = match (&targets[..], &reports[..]) {
        ([target], [report]) if arguments.json => Answer::json(&document(target, report, &dump))?,
        _ if arguments.json => {
            let names: Vec<_> = dump.pmus.iter().map(Pmu::to_string).collect();
            let names = names.join(" and ");
            refuse!("{file} has several PMUs ({names}), but --json needs one: name a PMU");
        }
        _ => {
            let texts = targets.iter().zip(&reports);
            let texts: Vec<_> =
                texts.map(|(target, report)| text(target, &[], report, screen)).collect();
            Answer::text(texts.join("\n") + &unread(&dump, screen))
        }
    };
    Ok(Answer { found, ..answer })
}

/// The only PMU of a platform with registers at the addresses of the dump.
fn of_addresses(subject: Subject, dump: &Dump) -> Option<Target> {
    let instances = subject.instances();
    if instances.len() < 2 || dump.words.is_empty() {
        return None;
    }
    let has_registers = |target: &Target| {
        let pages = recipe::pages(target.pmu, target.base(None).as_deref()).unwrap_or_default();
        let places = recipe::places(target.pmu, &pages);
        let places: HashSet<u64> = places.into_iter().map(|(address, ..)| address).collect();
        dump.words.iter().any(|word| places.contains(&word.address))
    };
    let targets = instances.into_iter().filter_map(|one| subject.of(one).ok()?.with_unit().ok());
    let mut found = targets.filter(has_registers);
    let (first, second) = (found.next(), found.next());
    first.filter(|_| second.is_none())
}

/// Error for a text without readings.
fn nothing(file: &str, dump: &Dump) -> String {
    match dump.unread.first() {
        Some(unread) => format!("{file}, line {}: `{}` {}", unread.line, unread.text, unread.why),
        None => format!(
            "{file} has no register values and no counts; --ask prints commands whose output can be read"
        ),
    }
}

fn document(target: &Target, report: &Report, dump: &Dump) -> view::Doctor {
    view::Doctor {
        pmu: name(target.pmu),
        causes: report.causes.iter().map(|cause| view::DoctorCause::new(target, cause)).collect(),
        remarks: report.remarks.clone(),
        unread: dump.unread.clone(),
    }
}

fn text(target: &Target, pages: &[u64], report: &Report, screen: Screen) -> String {
    let place = pages.first().map_or(String::new(), |base| format!(" at 0x{base:X}"));
    let name = styled(NAME, &name(target.pmu));
    let mut text = format!("{name}{place}: why counters read zero\n");
    for (number, cause) in report.causes.iter().enumerate() {
        text += "\n";
        text += &cause_text(target, number + 1, cause, screen);
    }
    if report.causes.is_empty() {
        text += "\nNo cause was found.\n";
    }
    if !report.remarks.is_empty() {
        text += "\nSeen as well\n";
    }
    for remark in &report.remarks {
        text += &screen.paragraph("- ", remark);
    }
    text
}

/// Name of a PMU for messages; an unknown SMMU product has no IP name.
fn name(pmu: Pmu) -> String {
    if pmu.is_ambiguous() { "an SMMUv3 PMCG".to_owned() } else { pmu.to_string() }
}

/// List of the lines that could not be parsed.
fn unread(dump: &Dump, screen: Screen) -> String {
    let mut text = String::new();
    if !dump.unread.is_empty() {
        text += "\nNot read\n";
    }
    for unread in &dump.unread {
        let line = format!("line {}: `{}` {}", unread.line, unread.text, unread.why);
        text += &styled(WARNING, &screen.paragraph("- ", &line));
    }
    text
}

fn cause_text(target: &Target, number: usize, cause: &Cause, screen: Screen) -> String {
    let pmu = target.pmu;
    let finding = &cause.reason;
    let or = cause.or.map_or(String::new(), |other| format!(", or {other}"));
    let head = format!("{}, {}{or}", styled(NAME, finding.name), cause.weight.word());
    let mut text = screen.paragraph(&format!("{number}. "), &head);
    text += &screen.paragraph("   ", finding.cause);
    text += &screen.paragraph("   ", &words::origin(&finding.origin, &pmu.ip.manual));
    for evidence in &cause.evidence {
        text += &screen.paragraph("   Speaks for it: ", evidence);
    }
    text += &screen.paragraph("   Fix: ", &finding.fix);
    for fault in target.faults(finding.name) {
        let fix = fault.fix.unwrap_or_default();
        let grade = fault.origin.confidence;
        text += &screen.paragraph("   Here: ", &format!("{} {fix} [{grade}]", fault.doc));
    }
    for switch in target.switches(finding.name) {
        text += &screen.paragraph("   Here: ", &words::switch(switch));
        for way in switch.ways {
            let fails = if way.fails { "no way: " } else { "" };
            let stage = way.stage.word().replace('_', " ");
            text += &screen.paragraph("   - ", &format!("{fails}{stage}: {}", way.doc));
        }
    }
    if let Some(next) = &cause.next {
        text += &screen.paragraph("   To decide: ", next);
    }
    text
}
