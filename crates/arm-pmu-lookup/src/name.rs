//! Resolves names from users: IPs with units, events with sources, and numbers.

use arm_pmu_tables::{
    EventMatch, EventOf, FoundBy, IPS, Ip, Matched, PLATFORMS, Pmu, Selection, Unit, same_name,
};

use crate::Error;
use crate::error::refuse;
use crate::kernel::KernelPmu;
use crate::number::number;
use crate::perf_name::{PerfName, What, by_id, limits};
use crate::{generic, near};

/// Finds the PMU with this name. If the units of an IP are revisions, the name of the IP means the newest revision;
/// otherwise it means all units.
///
/// # Errors
///
/// Fails if there is no such IP or unit. The message suggests similar names.
pub fn pmu(name: &str) -> Result<Pmu, Error> {
    if let Some(pmu) = Pmu::find(name) {
        return Ok(newest(pmu));
    }
    let known_ip = name.split_once(':').and_then(|(ip, unit)| Some((Ip::find(ip)?, unit)));
    if let Some((ip, unit)) = known_ip {
        return Err(Error::not_found(no_unit(ip, unit)));
    }
    let all: Vec<String> = Pmu::all().map(|pmu| pmu.to_string()).collect();
    let known = IPS.iter().map(|ip| ip.name).chain(all.iter().map(String::as_str));
    // Commands also accept a platform in place of an IP, so names of platforms are suggested too.
    let known = known.chain(PLATFORMS.iter().map(|platform| platform.name));
    let near = near::suggestion(name, known);
    let all = if near.is_empty() {
        let names: Vec<_> = IPS.iter().map(|ip| ip.name).collect();
        format!("; there are {}", names.join(", "))
    } else {
        near
    };
    Err(Error::not_found(format!("there is no IP `{name}`{all}")))
}

fn no_unit(ip: &Ip, unit: &str) -> String {
    if ip.units.is_empty() {
        return format!("the {} has no units, so `{unit}` does not exist", ip.product);
    }
    format!("the {} has no unit `{unit}`; there are {}", ip.product, choices(ip))
}

/// Names of an IP with its units: `mmu600:tcu, mmu600:tbu`.
#[must_use]
pub fn choices(ip: &Ip) -> String {
    let names: Vec<_> = ip.units.iter().map(|unit| format!("{}:{}", ip.name, unit.name)).collect();
    names.join(", ")
}

fn newest(pmu: Pmu) -> Pmu {
    if pmu.unit.is_some() {
        return pmu;
    }
    let revision = |unit: &Unit| unit.name.strip_prefix('r')?.parse::<u32>().ok();
    if pmu.ip.units.iter().any(|unit| revision(unit).is_none()) {
        return pmu;
    }
    Pmu { unit: pmu.ip.units.iter().max_by_key(|unit| revision(unit)), ..pmu }
}

/// Checks that the unit is known, for callers whose answer depends on the unit.
///
/// # Errors
///
/// Fails if the name gives no unit although the units of the IP differ.
pub fn one_unit(pmu: Pmu) -> Result<Pmu, Error> {
    if pmu.is_ambiguous() {
        refuse!("the {} has units that differ; name one: {}", pmu.ip.product, choices(pmu.ip));
    }
    Ok(pmu)
}

/// Finds the event and source that a text names.
///
/// # Errors
///
/// Fails if the text names no event, or several.
pub fn selection(pmu: Pmu, text: &str) -> Result<Selection, Error> {
    match event(pmu, text)? {
        (What::Event(selection), _) => Ok(selection),
        (_, id) => Err(Error::not_found(format!("{pmu} has no event of id 0x{id:02X}"))),
    }
}

/// Finds the event that a text names, and its event id.
///
/// # Errors
///
/// Fails if the text names no event, or several.
pub fn event(pmu: Pmu, text: &str) -> Result<(What, u32), Error> {
    match what(pmu, text)? {
        what @ What::Event(selection) => Ok((what, selection.id())),
        what @ What::Other(id) => Ok((what, id)),
        What::Cycles => Err(no_number(pmu, text)),
    }
}

/// Error for cycles, which have no event number.
#[must_use]
pub fn no_number(pmu: Pmu, text: &str) -> Error {
    let register = pmu.ip.counters.cycles.as_ref().map_or("a counter", |of| of.register);
    let text = format!("`{text}` is not an event: {register} counts cycles, and selects no event");
    Error::wrong_use(text)
}

/// Finds the event that a text names: by its name here or in another program, by an event id, or by a perf name as in
/// [`of_perf`].
///
/// # Errors
///
/// Fails if the text names no event, or several.
pub fn what(pmu: Pmu, text: &str) -> Result<What, Error> {
    let all: Vec<EventMatch> = pmu.find_events(text).collect();
    let is_id = |found: &&EventMatch| match (found.what, found.by) {
        (_, FoundBy::Id) => true,
        (Matched::Event(of, None), FoundBy::Code) => of.group.sources.is_empty(),
        _ => false,
    };
    let by_id = distinct(all.iter().filter(is_id));
    let chosen = if by_id.is_empty() { distinct(all.iter()) } else { by_id };
    match chosen[..] {
        [] => {
            let found = of_perf(pmu, text)?.ok_or_else(|| no_event(pmu, text))?;
            if pmu.unit.is_some() && found.pmu.to_string() != pmu.to_string() {
                refuse!("`{text}` is an event of {}, not of {pmu}", found.pmu);
            }
            match limits(text).first() {
                None => Ok(found.what),
                Some(limit) => Err(Error::wrong_use(format!(
                    "`{text}` counts {limit}: give the event without this filter"
                ))),
            }
        }
        [EventMatch { what: Matched::Cycles(_), .. }] => Ok(What::Cycles),
        [EventMatch { what: Matched::Event(of, source), .. }] => {
            let source = match (source, of.group.sources) {
                (Some(source), _) => Some(source),
                (None, []) => None,
                (None, [only]) => Some(only),
                (None, _) => return Err(no_source(of)),
            };
            Ok(What::Event(Selection { of, source }))
        }
        _ => {
            let meanings: Vec<_> =
                chosen.iter().map(|one| format!("\n  {}", meaning(pmu, one))).collect();
            Err(Error::wrong_use(format!(
                "`{text}` has {} meanings; use one of these names:{}",
                chosen.len(),
                meanings.concat()
            )))
        }
    }
}

/// Finds the event of a perf name: a term (`CCI_400_r1/si_rrq_hs_any,source=3/`), a raw code of a core (`r17`), a
/// generic name (`cache-misses`), or `raw:0x99` with an event id, even if the tables lack it. `None` for other texts.
///
/// # Errors
///
/// Fails if a term or generic name of `perf` selects no event of this PMU.
pub fn of_perf(pmu: Pmu, text: &str) -> Result<Option<PerfName>, Error> {
    if text.contains('/') {
        return term(pmu, text).map(Some);
    }
    if let Some(digits) = text.strip_prefix("raw:") {
        let id = number(digits).and_then(|id| u32::try_from(id).ok());
        let ids = pmu.ip.counters.id;
        let id = id.filter(|id| ids.split(*id).is_some()).ok_or_else(|| {
            let width = ids.width();
            Error::wrong_use(format!(
                "`{digits}` is not an event id of {pmu}, a {width}-bit number as in raw:0x19"
            ))
        })?;
        return Ok(Some(PerfName::new(pmu, None, by_id(pmu, id))));
    }
    if number(text).is_some() {
        return Ok(None);
    }
    let found = PerfName::read_bare(text, pmu);
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    if found.is_none() && pmu.is_processor() && generic::alias(name).is_some() {
        let text = format!("the kernel has no event of {pmu} for `{name}` of perf");
        return Err(Error::not_found(text));
    }
    Ok(found)
}

fn term(pmu: Pmu, text: &str) -> Result<PerfName, Error> {
    if let Some(found) = PerfName::read_kernel(text, Some(pmu)) {
        if found.pmu.ip.name == pmu.ip.name {
            return Ok(found);
        }
        refuse!("`{text}` is an event of {}, not of {pmu}", found.pmu);
    }
    let (device, terms) = text.split_once('/').unwrap_or((text, ""));
    let terms = terms.split('/').next().unwrap_or_default();
    let known = KernelPmu::named(device).map(|known| known.pmu);
    let name = |known: KernelPmu| match known.is_numbered() {
        true => format!("{}0, 1, ..", known.name),
        false => known.name.to_owned(),
    };
    let all: Vec<_> = KernelPmu::all_of(pmu).map(name).collect();
    Err(Error::not_found(if known.is_none() && !all.is_empty() {
        format!("the kernel has no PMU `{device}`; {pmu} is {}", all.join(" or "))
    } else if pmu.ip.counters.source.is_some() && !terms.contains("source=") {
        format!("`{terms}` is not an event of {device}, or needs a source, as in {terms},source=1")
    } else {
        format!("`{terms}` is not an event of {device}")
    }))
}

/// Events and sources without duplicates.
fn distinct<'m>(found: impl Iterator<Item = &'m EventMatch>) -> Vec<EventMatch> {
    let mut kept: Vec<EventMatch> = Vec::new();
    for one in found {
        if !kept.iter().any(|other| same(one, other)) {
            kept.push(*one);
        }
    }
    kept
}

fn same(one: &EventMatch, other: &EventMatch) -> bool {
    match (one.what, other.what) {
        (Matched::Event(one, at), Matched::Event(other, elsewhere)) => {
            std::ptr::eq(one.event, other.event) && at == elsewhere
        }
        (Matched::Cycles(_), Matched::Cycles(_)) => true,
        _ => false,
    }
}

/// Formats a meaning: `0x09 SLAVE:READ_DATA_SNOOP_HIT (gator)`.
fn meaning(pmu: Pmu, found: &EventMatch) -> String {
    let by = match found.by {
        FoundBy::Alias(alias) => format!(" (so called by {})", alias.dialect().word()),
        _ => String::new(),
    };
    match found.what {
        Matched::Event(of, source) => {
            let scope = source.map_or(of.group.name, |source| source.name);
            let units: Vec<_> = of.units().map(|unit| unit.name).collect();
            let units = if pmu.is_ambiguous() {
                format!(" of {}", units.join(", "))
            } else {
                String::new()
            };
            format!("0x{:02X} {scope}:{}{units}{by}", of.event.code, of.event.name)
        }
        Matched::Cycles(counter) => format!("the cycle counter, {}{by}", counter.register),
        _ => by,
    }
}

fn no_source(of: EventOf) -> Error {
    let sources: Vec<_> = of.group.sources.iter().map(|source| source.name).collect();
    let first = sources.first().copied().unwrap_or_default();
    Error::wrong_use(format!(
        "{} needs a source, as in {first}:{}; there are {}",
        of.event.name,
        of.event.name,
        sources.join(", ")
    ))
}

fn no_event(pmu: Pmu, text: &str) -> Error {
    let (scope, name) = text.split_once(':').unwrap_or(("", text));
    let of_other_source = if scope.is_empty() { None } else { pmu.find_events(name).next() };
    if let Some(EventMatch { what: Matched::Event(of, _), .. }) = of_other_source {
        let sources: Vec<_> = of.group.sources.iter().map(|source| source.name).collect();
        let has = if sources.is_empty() { "none".to_owned() } else { sources.join(", ") };
        return Error::not_found(format!(
            "{} has no source `{scope}`; sources: {has}",
            of.event.name
        ));
    }
    if let Some(failure) = unavailable(pmu, text) {
        return failure;
    }
    if let Some(metric) = pmu.find_metrics(text).chain(pmu.find_metrics(scope)).next() {
        let inputs = metric.inputs().map(|input| input.map_or("cycles", |of| of.event.name));
        return Error::wrong_use(format!(
            "`{text}` is a metric; count its events: {}",
            inputs.collect::<Vec<_>>().join(", ")
        ));
    }
    let near = near::suggestion(name, event_names(pmu));
    let raw = number(text).map_or_else(String::new, |_| format!("; as a number, raw:{text}"));
    let others = other_units(pmu, text);
    Error::not_found(format!("{pmu} has no event `{text}`{near}{others}{raw}"))
}

/// Reason why the named metric cannot be computed; `None` if this is not the name of an unavailable metric. A source
/// can precede or follow the name.
#[must_use]
pub fn unavailable(pmu: Pmu, text: &str) -> Option<Error> {
    let is = |name: &str| text.split(':').any(|part| same_name(name, part));
    let of = pmu.unavailable().find(|of| is(of.figure.name))?;
    let (name, reason) = (of.figure.name, of.figure.reason);
    Some(Error::not_found(format!("{name} cannot be computed on {pmu}. {reason}")))
}

/// Names of events, in the tables and in other programs.
pub fn event_names(pmu: Pmu) -> impl Iterator<Item = &'static str> {
    pmu.events().flat_map(|of| {
        std::iter::once(of.event.name).chain(of.event.aliases.iter().map(|alias| alias.name))
    })
}

/// Lists the other units with this event, as the end of a message: `; cci400:r0 has it`.
#[must_use]
pub fn other_units(pmu: Pmu, text: &str) -> String {
    let has = |other: &Pmu| {
        other.find_events(text).next().is_some()
            || other.find_registers(text).next().is_some()
            || other.find_metrics(text).next().is_some()
    };
    let units = pmu.ip.units.iter().map(|unit| Pmu { unit: Some(unit), ..pmu });
    let names: Vec<_> = units.filter(has).map(|other| other.to_string()).collect();
    if pmu.unit.is_none() || names.is_empty() {
        String::new()
    } else {
        format!("; found in {}", names.join(", "))
    }
}

/// Names the events with this id in other units, as the end of a message: `; of cci400:r0, it is
/// M1:SPECULATIVE_FETCH_RETRY`.
#[must_use]
pub fn in_other_units(pmu: Pmu, id: u64) -> String {
    let others = pmu.ip.units.iter().map(|unit| Pmu { unit: Some(unit), ..pmu });
    let all = others.filter(|_| pmu.unit.is_some()).flat_map(|other| {
        let same = other.selections().filter(move |one| u64::from(one.id()) == id);
        same.map(move |one| format!("; {other} has it as {one}"))
    });
    all.collect()
}
