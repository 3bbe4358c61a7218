//! Looks up names in any spelling, and numbers.

use crate::names::{letters, same_name};
use crate::platform::Instance;
use crate::{
    Alias, CycleCounter, EventOf, Field, Ip, Location, MetricOf, PLATFORMS, Platform, Pmu,
    Register, Source, Unit,
};

/// Parses a number such as `0x69` or `105`.
fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        // `from_str_radix` would accept a sign.
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            u32::from_str_radix(digits, 16).ok()
        }
        Some(_) => None,
        None if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        None => None,
    }
}

/// Meaning of a name or number.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EventMatch {
    /// Counted entry.
    pub what: Matched,
    /// Kind of match.
    pub by: FoundBy,
}

/// An event or the cycles.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Matched {
    /// Event, with a source if the text names one.
    Event(EventOf, Option<&'static Source>),
    /// Cycles on the cycle counter.
    Cycles(&'static CycleCounter),
}

/// Kind of a match.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum FoundBy {
    /// Name of the entry.
    Name,
    /// Name in another program.
    Alias(&'static Alias),
    /// Code of an event, or the number by which other programs select the cycle counter.
    Code,
    /// Event id, which includes a source.
    Id,
}

impl Pmu {
    /// Returns the events that a text can mean: a name, a name in another program, a code or an
    /// event id. A source, group or unit with a colon can precede a name: `SI3:READ_DATA_SNOOP_HIT`.
    ///
    /// Names in other programs can have several meanings, which are returned in the order of the tables.
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

    /// Aliases of this unit.
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

    /// Returns the metrics with this name. A group with a colon can precede the name.
    pub fn find_metrics(self, name: &str) -> impl Iterator<Item = MetricOf> + Clone {
        self.metrics().filter(move |of| {
            same_name(of.metric.name, name)
                || name.split_once(':').is_some_and(|(group, name)| {
                    same_name(of.metric.name, name) && same_name(of.group.name, group)
                })
        })
    }

    /// Returns the registers that a text can mean: a name, an alias, one word of a 64-bit register (`FOO_HI`), an
    /// element (`EVENT_COUNT[3]`, `PMEVTYPER3_EL0`), or an offset.
    ///
    /// Offsets are from the base of the IP. A register on a page matches by its offset in the page, and by its offset
    /// from the base of the unit.
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

/// A register that matches.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RegisterMatch {
    /// The register.
    pub register: &'static Register,
    /// Field that the text names: `PMCR.CEN`.
    pub field: Option<&'static Field>,
    /// Array element that the text names; for a register behind the counter selector, the number of
    /// the counter.
    pub element: Option<u32>,
    /// Unit of the offset, if the offset is from the base of a unit.
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

/// Splits a text at the colon after a source, group or unit of the event. Returns the source and the rest of the
/// text.
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

/// Finds the element at this offset; the inner `None` means that the register is not an array. The offsets of both
/// words of a 64-bit register match.
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

/// Returns the element number that a name contains: 4 for `PMEVTYPER4_EL0`, an element of
/// PMEVTYPER_EL0.
fn element_in_name(register: &Register, known: &str, text: &str) -> Option<u32> {
    let count = register.location.selector().map_or(register.count(), |by| by.count);
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
    /// Finds a platform by its name or by a further name: `zynqmp`, `Agilex-5`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let is = |own: &&str| same_name(own, name);
        let mut all = PLATFORMS.iter().copied();
        all.find(|platform| is(&platform.name) || platform.also.iter().any(&is))
    }
}

impl Instance {
    /// Returns the PMU. If the unit is unknown, the PMU stands for all units of the IP.
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
