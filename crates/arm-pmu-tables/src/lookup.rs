//! Lookup of names and numbers, in any spelling.

use crate::names::{letters, same_name};
use crate::platform::Instance;
use crate::{
    Alias, CycleCounter, EventOf, Field, Ip, Location, MetricOf, PLATFORMS, Platform, Pmu,
    Register, Source, Unit,
};

/// A number as people write it: `0x69`, `105`.
fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        // `from_str_radix` accepts a sign.
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            u32::from_str_radix(digits, 16).ok()
        }
        Some(_) => None,
        None if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        None => None,
    }
}

/// Meaning of a name or a number.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EventMatch {
    /// What is counted.
    pub what: Matched,
    /// Why it was found.
    pub by: FoundBy,
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Matched {
    /// An event, and its source if the text names one.
    Event(EventOf, Option<&'static Source>),
    /// Cycles, on their counter.
    Cycles(&'static CycleCounter),
}

/// Why something was found.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum FoundBy {
    /// By its own name.
    Name,
    /// By a name from another program.
    Alias(&'static Alias),
    /// By its code; the counter of cycles, by the number that other programs give it.
    Code,
    /// By its event id, which contains a source.
    Id,
}

impl Pmu {
    /// All events that a text can mean: by name, name in another program, code or event id. In
    /// front of a name, a colon ends a source, a group or a unit: `SI3:READ_DATA_SNOOP_HIT`.
    ///
    /// Names of other programs collide. All meanings are found, in the order of the tables.
    ///
    /// ```
    /// use arm_pmu_tables::{Matched, Pmu};
    ///
    /// let cortex_a8 = Pmu::find("cortex-a8").unwrap();
    /// let mut codes = cortex_a8.find_events("cpu-cycles").map(|found| match found.what {
    ///     Matched::Event(of, _) => Some(of.event.code),
    ///     Matched::Cycles(counter) => counter.code,
    ///     _ => None,
    /// });
    /// assert!(codes.clone().any(|code| code == Some(0x11)), "event 0x11 for one program");
    /// assert!(codes.any(|code| code == Some(0xFF)), "the counter of cycles for others");
    /// ```
    pub fn find_events(self, text: &str) -> impl Iterator<Item = EventMatch> + Clone {
        let number = number(text);
        let events = self.events().flat_map(move |of| {
            by_name(of, text)
                .into_iter()
                .chain(self.by_alias(of, text))
                .chain(by_code(of, number))
                .chain(by_id(of, number))
        });
        events.chain(self.cycles(text, number))
    }

    fn by_alias(self, of: EventOf, text: &str) -> impl Iterator<Item = EventMatch> + Clone {
        let (source, rest) = scope(of, text).unzip();
        let is = move |alias: &&Alias| {
            same_name(alias.name, text) || rest.is_some_and(|name| same_name(alias.name, name))
        };
        self.aliases(of.event.aliases).filter(is).map(move |alias| {
            let whole = same_name(alias.name, text);
            let source = if whole { None } else { source.flatten() };
            EventMatch { what: Matched::Event(of, source), by: FoundBy::Alias(alias) }
        })
    }

    /// The aliases of this unit.
    fn aliases(self, all: &'static [Alias]) -> impl Iterator<Item = &'static Alias> + Clone {
        all.iter().filter(move |alias| alias.is_of(self.unit.map(|unit| unit.name)))
    }

    fn cycles(self, text: &str, number: Option<u32>) -> impl Iterator<Item = EventMatch> + Clone {
        self.ip.counters.cycles.iter().flat_map(move |counter| {
            let found = move |by| EventMatch { what: Matched::Cycles(counter), by };
            let name = same_name("cycles", text) || same_name(counter.register, text);
            let code = number.is_some() && counter.code == number;
            let aliases = self.aliases(counter.aliases).filter(move |a| same_name(a.name, text));
            name.then_some(FoundBy::Name)
                .into_iter()
                .chain(aliases.map(FoundBy::Alias))
                .chain(code.then_some(FoundBy::Code))
                .map(found)
        })
    }

    /// The metrics of this name. Before it, a colon ends a group.
    pub fn find_metrics(self, name: &str) -> impl Iterator<Item = MetricOf> + Clone {
        self.metrics().filter(move |of| {
            same_name(of.metric.name, name)
                || name.split_once(':').is_some_and(|(group, name)| {
                    same_name(of.metric.name, name) && same_name(of.group.name, group)
                })
        })
    }

    /// All registers that a text can mean: by name, alias, the name of one word of a 64-bit
    /// register (`FOO_HI`), an element (`EVENT_COUNT[3]`, `PMEVTYPER3_EL0`), or an offset.
    ///
    /// An offset is that from the base of the IP or, on pages, both that in the page and that from the
    /// base of the unit.
    pub fn find_registers(self, text: &str) -> impl Iterator<Item = RegisterMatch> + Clone {
        let number = number(text);
        self.registers().flat_map(move |register| {
            self.by_offset(register, number).chain(register_by_name(register, text))
        })
    }

    fn by_offset(
        self,
        register: &'static Register,
        number: Option<u32>,
    ) -> impl Iterator<Item = RegisterMatch> + Clone {
        let ip = self.ip;
        let page = match register.location {
            Location::Memory { page, .. } => page,
            Location::Cp15 { .. } | Location::System { .. } => None,
        };
        let units =
            ip.units.iter().filter(move |unit| self.unit.is_none_or(|of| of.name == unit.name));
        let bases = units.filter_map(move |unit| Some((Some(unit), unit.page_offset(page?)?)));
        let bases = core::iter::once((None, 0)).chain(bases);
        bases.filter_map(move |(unit, base)| {
            let element = element_at(register, number?.checked_sub(base)?)?;
            Some(RegisterMatch { register, field: None, element, from_unit: unit })
        })
    }
}

/// A register that was found.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RegisterMatch {
    /// The register.
    pub register: &'static Register,
    /// The field, if the text names one: `PMCR.CEN`.
    pub field: Option<&'static Field>,
    /// The array element that the text names, or the counter with the selected register.
    pub element: Option<u32>,
    /// The unit with the base of the offset, if it has one.
    pub from_unit: Option<&'static Unit>,
}

fn by_name(of: EventOf, text: &str) -> Option<EventMatch> {
    let source = if same_name(of.event.name, text) {
        None
    } else {
        let (source, name) = scope(of, text)?;
        same_name(of.event.name, name).then_some(source)?
    };
    Some(EventMatch { what: Matched::Event(of, source), by: FoundBy::Name })
}

/// The text before a colon, if it is a source, the group or a unit of the event: the source, and
/// the rest of the text.
fn scope(of: EventOf, text: &str) -> Option<(Option<&'static Source>, &str)> {
    let (scope, rest) = text.split_once(':')?;
    let rest = rest.trim_start_matches(':');
    if let Some(source) = of.group.sources.iter().find(|source| same_name(source.name, scope)) {
        return Some((Some(source), rest));
    }
    let of_group = same_name(of.group.name, scope) || same_name(of.group.rust, scope);
    let of_unit = of.units().any(|unit| same_name(unit.name, scope));
    (of_group || of_unit).then_some((None, rest))
}

fn by_code(of: EventOf, number: Option<u32>) -> Option<EventMatch> {
    let found = EventMatch { what: Matched::Event(of, None), by: FoundBy::Code };
    (number == Some(of.event.code)).then_some(found)
}

fn by_id(of: EventOf, number: Option<u32>) -> Option<EventMatch> {
    let (code, source) = of.ip.counters.id.split(number?)?;
    let source = of.group.sources.iter().find(|known| Some(known.id) == source)?;
    let found = EventMatch { what: Matched::Event(of, Some(source)), by: FoundBy::Id };
    (code == of.event.code).then_some(found)
}

/// Whether there is an element at this offset, and which, if it is an array. Each word of 64 bits has its
/// own.
fn element_at(register: &Register, wanted: u32) -> Option<Option<u32>> {
    let element = (0..register.count()).find(|element| {
        let Some(offset) = register.offset(*element) else { return false };
        wanted >= offset && wanted - offset < register.width / 8 && wanted % 4 == 0
    })?;
    Some((register.count() > 1).then_some(element))
}

fn register_by_name(register: &'static Register, text: &str) -> Option<RegisterMatch> {
    let found = |field, element| RegisterMatch { register, field, element, from_unit: None };
    if let Some((of, field)) = text.split_once('.') {
        let RegisterMatch { element, .. } = register_by_name(register, of)?;
        let is = |known: &&Field| {
            let mut names = known.aliases.iter().chain([&known.name]);
            names.any(|name| same_name(name, field))
        };
        return Some(found(Some(register.fields.iter().find(is)?), element));
    }
    let (name, element) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((name, element)) => {
            let element = number(element).filter(|element| *element < register.count())?;
            (name, Some(element))
        }
        None => (text, None),
    };
    let is = |known: &&str| {
        let word = |suffix: &str| {
            let known = letters(known).chain(suffix.bytes());
            register.width > register.access_width() && known.eq(letters(name))
        };
        same_name(known, name) || word("lo") || word("hi")
    };
    let mut names = register.aliases.iter().chain([&register.name]);
    if names.clone().any(is) {
        return Some(found(None, element));
    }
    if element.is_some() {
        return None;
    }
    names.find_map(|known| element_in_name(register, known, name)).map(|n| found(None, Some(n)))
}

/// The element whose number a name contains: 4 in `PMEVTYPER4_EL0`, of PMEVTYPER_EL0.
fn element_in_name(register: &Register, known: &str, text: &str) -> Option<u32> {
    let count = match register.location {
        Location::Cp15 { selected_by: Some(by), .. } => by.count,
        _ => register.count(),
    };
    if count == 1 {
        return None;
    }
    let mut rest = text;
    loop {
        let start = text.len() - rest.len() + rest.find(|letter: char| letter.is_ascii_digit())?;
        let (before, from) = text.split_at(start);
        rest = from.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if letters(before).chain(letters(rest)).eq(letters(known)) {
            let (digits, _) = from.split_at(from.len() - rest.len());
            return digits.parse().ok().filter(|element| *element < count);
        }
    }
}

impl Platform {
    /// The platform of this name: `zynqmp`, `Agilex-5`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        PLATFORMS.iter().find(|platform| same_name(platform.name, name)).copied()
    }
}

impl Instance {
    /// The PMU. Without a unit it means all units of the IP.
    #[must_use]
    pub fn pmu(&self) -> Option<Pmu> {
        let ip = Ip::find(self.ip.value)?;
        let unit = match self.unit {
            Some(unit) => Some(ip.unit(unit.value)?),
            None => None,
        };
        Some(Pmu { ip, unit })
    }
}
