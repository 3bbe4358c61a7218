//! A PMU: the part of an IP's tables for one unit.

use core::fmt;

use crate::names::same_name;
use crate::{
    Event, Finding, Group, IPS, Ip, LinuxPmu, Metric, Register, Source, UnavailableMetric, Unit,
};

impl Ip {
    /// Finds an IP by name: `cci400`, `CCI-400`, `cortex_a8`; also `cortex-a57`, which has the events of a Cortex-A72.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let is = |ip: &&&Self| {
            let other = ip.also.iter().any(|product| same_name(product, name));
            same_name(ip.name, name) || same_name(ip.product, name) || other
        };
        IPS.iter().find(is).copied()
    }

    /// Finds a unit by name.
    #[must_use]
    pub fn unit(&self, name: &str) -> Option<&'static Unit> {
        self.units.iter().find(|unit| same_name(unit.name, name))
    }
}

/// A PMU: an IP, or one unit of an IP. A PMU without a unit stands for all units of the IP.
#[derive(Clone, Copy, Debug)]
pub struct Pmu {
    /// IP of the PMU.
    pub ip: &'static Ip,
    /// Unit, core or revision.
    pub unit: Option<&'static Unit>,
}

impl Pmu {
    /// All PMUs: each unit of each IP, or the IP if it has no units.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        IPS.iter().flat_map(|ip| {
            let whole = ip.units.is_empty().then_some(Self { ip, unit: None });
            whole.into_iter().chain(ip.units.iter().map(|unit| Self { ip, unit: Some(unit) }))
        })
    }

    /// Finds a PMU by name: `cci550`, `cci400:r0`, `mmu600:tcu`, `arm11:arm1176`. If the unit is a processor, its name
    /// is enough, without the IP: `arm1176`.
    ///
    /// An IP without a unit stands for all of its units.
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

    /// Returns PMU and product name of the Arm processor with this part number (bits 15 to 4 of the Main ID Register).
    #[must_use]
    pub fn of_part(part: u32) -> Option<(Self, &'static str)> {
        Self::all().find_map(|pmu| match pmu.unit {
            Some(unit) => unit.main_id.filter(|id| id.part == part).map(|_| (pmu, unit.title)),
            None => pmu.ip.parts.iter().find(|known| known.0 == part).map(|known| (pmu, known.1)),
        })
    }

    /// Returns whether `self` and `other` are the same PMU.
    #[must_use]
    pub fn is(self, other: Self) -> bool {
        self.ip.name == other.ip.name && self.unit_name() == other.unit_name()
    }

    /// Whether the PMU belongs to a core.
    #[must_use]
    pub fn is_processor(self) -> bool {
        let has_id =
            !self.ip.parts.is_empty() || self.ip.units.iter().any(|unit| unit.main_id.is_some());
        self.ip.space.is_core() && (has_id || self.is_of_any_core())
    }

    /// Whether the PMU stands for all processors that have no tables of their own, and has the events of an
    /// architecture.
    #[must_use]
    pub fn is_of_any_core(self) -> bool {
        self.ip.space.is_core() && self.ip.architecture.is_some_and(|of| of.name == self.ip.name)
    }

    /// Returns whether the IP has several units and no unit is given.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        self.unit.is_none() && !self.ip.units.is_empty()
    }

    fn unit_name(&self) -> Option<&'static str> {
        self.unit.map(|unit| unit.name)
    }

    /// Whether this PMU has a feature that `only` these units have; if `only` is empty, all units
    /// have the feature.
    #[must_use]
    pub fn has(&self, only: &[&str]) -> bool {
        crate::is_of(only, self.unit_name())
    }

    /// Returns the kernel's PMU of this IP, and then the PMUs of products with the same events. Without a required
    /// unit, the list is empty.
    #[must_use]
    pub fn linux(self) -> &'static [LinuxPmu] {
        self.unit.map_or(self.ip.linux, |unit| unit.linux)
    }

    /// Groups of the PMU's events.
    pub fn groups(self) -> impl Iterator<Item = &'static Group> + Clone {
        let is = move |group: &&Group| {
            self.unit.is_none_or(|u| group.unit.is_none_or(|of| of == u.name))
        };
        self.ip.groups.iter().filter(is)
    }

    /// Events of the PMU.
    pub fn events(self) -> impl Iterator<Item = EventOf> + Clone {
        self.groups().flat_map(move |group| {
            let events = group.events.iter().filter(move |event| self.has(event.only));
            events.map(move |event| EventOf { ip: self.ip, group, event })
        })
    }

    /// Each event of the PMU at each source.
    pub fn selections(self) -> impl Iterator<Item = Selection> + Clone {
        self.events().flat_map(EventOf::selections)
    }

    /// Registers of the PMU. A register can have fields that exist only in [some units](field@crate::Field::only).
    pub fn registers(self) -> impl Iterator<Item = &'static Register> + Clone {
        self.ip.registers.iter().filter(move |register| self.has(register.only))
    }

    /// Metrics of the PMU.
    pub fn metrics(self) -> impl Iterator<Item = MetricOf> + Clone {
        self.groups().flat_map(move |group| {
            let metrics = group.metrics.iter().filter(move |metric| self.has(metric.only));
            metrics.map(move |metric| MetricOf { ip: self.ip, group, metric })
        })
    }

    /// Metrics that users expect but that no events provide.
    pub fn unavailable(self) -> impl Iterator<Item = UnavailableOf> + Clone {
        self.groups().flat_map(move |group| {
            let figures = group.unavailable.iter().filter(move |figure| self.has(figure.only));
            figures.map(move |figure| UnavailableOf { ip: self.ip, group, figure })
        })
    }

    /// Reasons why counters read zero.
    pub fn findings(self) -> impl Iterator<Item = &'static Finding> + Clone {
        self.ip.findings.iter().filter(move |finding| self.has(finding.only))
    }
}

/// Formats the name: `cci550`, `cci400:r0`.
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
    /// IP of the event.
    pub ip: &'static Ip,
    /// Group of the event.
    pub group: &'static Group,
    /// The event.
    pub event: &'static Event,
}

impl EventOf {
    /// Returns the event once for each source of its group, or a single time if the group has no
    /// sources.
    pub fn selections(self) -> impl Iterator<Item = Selection> + Clone {
        let alone = self.group.sources.is_empty().then_some(Selection { of: self, source: None });
        let sources = self.group.sources.iter();
        alone.into_iter().chain(sources.map(move |s| Selection { of: self, source: Some(s) }))
    }

    /// Returns the event at the source of this name; `None` if the PMU has no source of this name.
    #[must_use]
    pub fn at(self, source: &str) -> Option<Selection> {
        let source = self.group.sources.iter().find(|known| same_name(known.name, source))?;
        Some(Selection { of: self, source: Some(source) })
    }

    /// Units with the event; empty if the IP has no units.
    pub fn units(self) -> impl Iterator<Item = &'static Unit> + Clone {
        self.ip.units.iter().filter(move |unit| {
            self.group.unit.is_none_or(|of| of == unit.name)
                && crate::is_of(self.event.only, Some(unit.name))
        })
    }
}

/// An event at a source, for one counter.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// The event.
    pub of: EventOf,
    /// Source of the event, if the group has sources.
    pub source: Option<&'static Source>,
}

impl Selection {
    /// Event id, the number that selects the event; equal to `Selection::id` of the typed crates.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.of.ip.counters.id.compose(self.source, self.of.event.code)
    }

    /// Bit on EVNTBUS, if known.
    #[must_use]
    pub fn evntbus(&self) -> Option<u32> {
        Some(self.source?.evntbus? + self.of.event.evntbus?)
    }
}

/// Formats the name: `SI3:READ_DATA_SNOOP_HIT`, or without a source, the name of the event.
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
    /// IP of the metric.
    pub ip: &'static Ip,
    /// Group of the metric's events.
    pub group: &'static Group,
    /// The metric.
    pub metric: &'static Metric,
}

impl MetricOf {
    /// Events in the order of the inputs; `None` for cycles.
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

/// A metric that cannot be computed, with its group and IP.
#[derive(Clone, Copy, Debug)]
pub struct UnavailableOf {
    /// IP of the metric.
    pub ip: &'static Ip,
    /// Group whose events are the most similar to the events that the metric needs.
    pub group: &'static Group,
    /// The metric.
    pub figure: &'static UnavailableMetric,
}
