//! A PMU, and its part of the tables of its IP.

use core::fmt;

use crate::names::same_name;
use crate::{
    Event, Finding, Group, IPS, Ip, LinuxPmu, Metric, Register, Source, UnavailableMetric, Unit,
};

impl Ip {
    /// The IP of this name: `cci400`, `CCI-400`, `cortex_a8`; also `cortex-a57`, which has the events of a
    /// Cortex-A72.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let is = |ip: &&&Self| {
            let other = ip.also.iter().any(|product| same_name(product, name));
            same_name(ip.name, name) || same_name(ip.product, name) || other
        };
        IPS.iter().find(is).copied()
    }

    /// The unit of this name.
    #[must_use]
    pub fn unit(&self, name: &str) -> Option<&'static Unit> {
        self.units.iter().find(|unit| same_name(unit.name, name))
    }
}

/// A PMU: an IP, or one of its units. Without a unit it means all units of the IP.
#[derive(Clone, Copy, Debug)]
pub struct Pmu {
    /// The IP.
    pub ip: &'static Ip,
    /// The unit, core or revision.
    pub unit: Option<&'static Unit>,
}

impl Pmu {
    /// Every PMU: each unit of each IP, or the IP if it has no units.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        IPS.iter().flat_map(|ip| {
            let whole = ip.units.is_empty().then_some(Self { ip, unit: None });
            whole.into_iter().chain(ip.units.iter().map(|unit| Self { ip, unit: Some(unit) }))
        })
    }

    /// The PMU of this name: `cci550`, `cci400:r0`, `mmu600:tcu`, `arm11:arm1176`. A processor that is a
    /// unit is found without its IP: `arm1176`.
    ///
    /// An IP without a unit means all of its units.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        if let Some((ip, unit)) = name.split_once(':') {
            let ip = Ip::find(ip)?;
            return Some(Self { ip, unit: Some(ip.unit(unit)?) });
        }
        if let Some(ip) = Ip::find(name) {
            return Some(Self { ip, unit: None });
        }
        Self::all().find(|pmu| {
            pmu.unit.is_some_and(|unit| unit.main_id.is_some() && same_name(unit.name, name))
        })
    }

    /// The PMU of the processor with this part number (bits 15 to 4 of Arm's Main ID Register), and the name of the
    /// product.
    #[must_use]
    pub fn of_part(part: u32) -> Option<(Self, &'static str)> {
        Self::all().find_map(|pmu| match pmu.unit {
            Some(unit) => unit.main_id.filter(|id| id.part == part).map(|_| (pmu, unit.title)),
            None => pmu.ip.parts.iter().find(|known| known.0 == part).map(|known| (pmu, known.1)),
        })
    }

    /// Whether both are the same PMU.
    #[must_use]
    pub fn is(self, other: Self) -> bool {
        self.ip.name == other.ip.name && self.unit_name() == other.unit_name()
    }

    /// Whether it has the events of an architecture, for processors without tables of their own.
    #[must_use]
    pub fn is_of_any_core(self) -> bool {
        self.ip.space.is_core() && self.ip.architecture.is_some_and(|of| of.name == self.ip.name)
    }

    /// Whether there is anything that only some units have, and the unit is not known.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        self.unit.is_none() && !self.ip.units.is_empty()
    }

    fn unit_name(&self) -> Option<&'static str> {
        self.unit.map(|unit| unit.name)
    }

    /// Whether this PMU has a feature that only some units have.
    #[must_use]
    pub fn has(&self, only: &[&str]) -> bool {
        crate::is_of(only, self.unit_name())
    }

    /// Its PMU in the Linux kernel, then PMUs of products with the same events; empty if the required unit is missing.
    #[must_use]
    pub fn linux(self) -> &'static [LinuxPmu] {
        self.unit.map_or(self.ip.linux, |unit| unit.linux)
    }

    /// The groups of its events.
    pub fn groups(self) -> impl Iterator<Item = &'static Group> + Clone {
        let is = move |group: &&Group| {
            self.unit.is_none_or(|u| group.unit.is_none_or(|of| of == u.name))
        };
        self.ip.groups.iter().filter(is)
    }

    /// Its events.
    pub fn events(self) -> impl Iterator<Item = EventOf> + Clone {
        self.groups().flat_map(move |group| {
            let events = group.events.iter().filter(move |event| self.has(event.only));
            events.map(move |event| EventOf { ip: self.ip, group, event })
        })
    }

    /// Each of its events at each source.
    pub fn selections(self) -> impl Iterator<Item = Selection> + Clone {
        self.events().flat_map(EventOf::selections)
    }

    /// Its registers. Fields of a register shared by units can be
    /// [limited](field@crate::Field::only) to some of them.
    pub fn registers(self) -> impl Iterator<Item = &'static Register> + Clone {
        self.ip.registers.iter().filter(move |register| self.has(register.only))
    }

    /// Its metrics.
    pub fn metrics(self) -> impl Iterator<Item = MetricOf> + Clone {
        self.groups().flat_map(move |group| {
            let metrics = group.metrics.iter().filter(move |metric| self.has(metric.only));
            metrics.map(move |metric| MetricOf { ip: self.ip, group, metric })
        })
    }

    /// Figures that people look for, and that no events give.
    pub fn unavailable(self) -> impl Iterator<Item = UnavailableOf> + Clone {
        self.groups().flat_map(move |group| {
            let figures = group.unavailable.iter().filter(move |figure| self.has(figure.only));
            figures.map(move |figure| UnavailableOf { ip: self.ip, group, figure })
        })
    }

    /// Why its counters may read zero.
    pub fn findings(self) -> impl Iterator<Item = &'static Finding> + Clone {
        self.ip.findings.iter().filter(move |finding| self.has(finding.only))
    }
}

/// `cci550`, `cci400:r0`.
impl fmt::Display for Pmu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            None => f.write_str(self.ip.name),
            Some(unit) => write!(f, "{}:{}", self.ip.name, unit.name),
        }
    }
}

/// An event with its group and IP.
#[derive(Clone, Copy, Debug)]
pub struct EventOf {
    /// The IP.
    pub ip: &'static Ip,
    /// The group.
    pub group: &'static Group,
    /// The event.
    pub event: &'static Event,
}

impl EventOf {
    /// The event at each source of its group; once, if the group has no sources.
    pub fn selections(self) -> impl Iterator<Item = Selection> + Clone {
        let alone = self.group.sources.is_empty().then_some(Selection { of: self, source: None });
        let sources = self.group.sources.iter();
        alone.into_iter().chain(sources.map(move |s| Selection { of: self, source: Some(s) }))
    }

    /// The event at the source of this name; with a name, also of a group without sources, `None`.
    #[must_use]
    pub fn at(self, source: &str) -> Option<Selection> {
        let source = self.group.sources.iter().find(|known| same_name(known.name, source))?;
        Some(Selection { of: self, source: Some(source) })
    }

    /// The units that have it; none if the IP has no units.
    pub fn units(self) -> impl Iterator<Item = &'static Unit> + Clone {
        self.ip.units.iter().filter(move |unit| {
            self.group.unit.is_none_or(|of| of == unit.name)
                && crate::is_of(self.event.only, Some(unit.name))
        })
    }
}

/// An event at a source: the setting of one counter.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// The event.
    pub of: EventOf,
    /// The source, if the events of the group have one.
    pub source: Option<&'static Source>,
}

impl Selection {
    /// The event id, the value that selects it: `Selection::id` of the typed crates.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.of.ip.counters.id.compose(self.source, self.of.event.code)
    }

    /// The bit of EVNTBUS that the event drives, if known.
    #[must_use]
    pub fn evntbus(&self) -> Option<u32> {
        Some(self.source?.evntbus? + self.of.event.evntbus?)
    }
}

/// `SI3:READ_DATA_SNOOP_HIT`, or the name of the event alone.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source {
            None => f.write_str(self.of.event.name),
            Some(source) => write!(f, "{}:{}", source.name, self.of.event.name),
        }
    }
}

/// A metric with its group and IP.
#[derive(Clone, Copy, Debug)]
pub struct MetricOf {
    /// The IP.
    pub ip: &'static Ip,
    /// The group of events that it is computed from.
    pub group: &'static Group,
    /// The metric.
    pub metric: &'static Metric,
}

impl MetricOf {
    /// The events that it is computed from, in the order of the inputs; `None` for cycles.
    pub fn inputs(self) -> impl Iterator<Item = Option<EventOf>> + Clone {
        self.metric.inputs.iter().map(move |input| match input {
            crate::Input::Cycles => None,
            crate::Input::Event(name) => {
                let event = self.group.events.iter().find(|event| event.name == *name)?;
                Some(EventOf { ip: self.ip, group: self.group, event })
            }
        })
    }
}

/// A figure that no events give, with its group and IP.
#[derive(Clone, Copy, Debug)]
pub struct UnavailableOf {
    /// The IP.
    pub ip: &'static Ip,
    /// The group of events that come near.
    pub group: &'static Group,
    /// The figure.
    pub figure: &'static UnavailableMetric,
}
