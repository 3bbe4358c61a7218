//! The subject of a command: an IP, a platform, or a PMU of a platform.

use arm_pmu_lookup::cluster::product;
use arm_pmu_lookup::kernel::{ANY_PMCG, is_cluster, is_pmcg, node_of_cluster};
use arm_pmu_lookup::{name, near};
use arm_pmu_tables::platform::{Fault, Instance, Interface, Switch};
use arm_pmu_tables::{Platform, Pmu, same_name};

use super::find;
use crate::base::failure::Failure;
use crate::base::text::listed;

/// Subject of a command: its first argument, or `--platform`.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// An IP such as `cci400:r1`.
    Ip(Pmu),
    /// A platform, optionally with a PMU, and with a unit or product: `zynqmp`, `agilex5:tcu`, `./mine.yaml`. The unit
    /// or product must be given if the platform does not state it. A unit without a PMU selects all PMUs of that kind:
    /// `agilex5:tbu`.
    Board(&'static Platform, Option<&'static Instance>, Option<&'static str>),
}

/// A PMU with its platform, if known.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The PMU; some commands accept an IP without a unit.
    pub pmu: Pmu,
    pub platform: Option<&'static Platform>,
    pub instance: Option<&'static Instance>,
}

/// Separates the subject (an IP or a platform) from the other arguments. With `--platform`, the platform is the
/// subject, and the first argument is one of the others.
pub fn subject<'a>(
    ip: Option<&'a String>,
    platform: Option<&String>,
    others: &'a [String],
) -> Result<(Subject, Vec<&'a str>), Failure> {
    let first = ip.filter(|_| platform.is_some());
    let none = || Failure::wrong_use("name an IP, or give --platform");
    let subject = Subject::given(ip, platform)?.ok_or_else(none)?;
    Ok((subject, first.into_iter().chain(others).map(String::as_str).collect()))
}

impl Subject {
    /// The subject of a command without other arguments, if it is given.
    pub fn given(ip: Option<&String>, platform: Option<&String>) -> Result<Option<Self>, Failure> {
        let of_ip = || ip.map(|ip| Self::read(ip));
        platform.map(|platform| Self::board(platform)).or_else(of_ip).transpose()
    }

    /// Parses an IP or a platform.
    pub fn read(text: &str) -> Result<Self, Failure> {
        if Self::is_board(text) { Self::board(text) } else { Ok(Self::Ip(name::pmu(text)?)) }
    }

    /// Whether a text names a platform.
    pub fn is_board(text: &str) -> bool {
        let (platform, _) = split(text);
        is_path(platform) || Platform::find(platform).is_some()
    }

    /// Parses a platform, or a PMU of a platform: `agilex5:tcu`, `juno:cci:r1`.
    pub fn board(text: &str) -> Result<Self, Failure> {
        let (name, rest) = split(text);
        let platform = find(name)?;
        let Some(rest) = rest else { return Ok(Self::Board(platform, None, None)) };
        let (name, unit) =
            rest.split_once(':').map_or((rest, None), |(name, unit)| (name, Some(unit)));
        if let Some(unit) = unit_of(platform, rest) {
            return Ok(Self::Board(platform, None, Some(unit)));
        }
        let instance = platform.instance(name).ok_or_else(|| {
            let names = names(platform, platform.instances);
            Failure::not_found(format!("{} has no PMU `{name}`; there are {names}", platform.name))
        })?;
        let unit_or_product = |text| {
            if let Some(product) = products(instance).find(|pmu| same_name(pmu.ip.name, text)) {
                return Ok(product.ip.name);
            }
            let pmu = of(platform, instance)?;
            let unit = pmu.ip.unit(text).filter(|_| instance.unit.is_none());
            unit.map(|unit| unit.name).ok_or_else(|| {
                let place = format!("{}:{name}", platform.name);
                Failure::not_found(format!("{place} is {pmu}, which has no `{text}`"))
            })
        };
        Ok(Self::Board(platform, Some(instance), unit.map(unit_or_product).transpose()?))
    }

    pub fn platform(self) -> Option<&'static Platform> {
        match self {
            Self::Ip(_) => None,
            Self::Board(platform, ..) => Some(platform),
        }
    }

    /// The selected PMUs of a platform.
    pub fn instances(self) -> Vec<&'static Instance> {
        match self {
            Self::Ip(_) => Vec::new(),
            Self::Board(_, Some(instance), _) => vec![instance],
            Self::Board(platform, None, unit) => platform
                .instances
                .iter()
                .filter(|one| unit.is_none() || is_unit(one, unit))
                .collect(),
        }
    }

    /// Returns all PMUs of a unit, if the subject (`agilex5:tbu`) or every event (`tbu:TRANSACTION`) names this unit.
    /// If neither the subject nor the events name a unit, returns only the selected PMU.
    pub fn all<T: AsRef<str>>(self, events: &[T]) -> Result<Vec<Target>, Failure> {
        let Self::Board(platform, None, unit) = self else { return Ok(vec![self.one(events)?]) };
        let heads = || events.iter().filter_map(|event| Some(event.as_ref().split_once(':')?.0));
        let of_events = heads().next().filter(|first| heads().all(|head| head == *first));
        match unit.or_else(|| unit_of(platform, of_events?)) {
            None => Ok(vec![self.one(events)?]),
            unit => {
                let all = Self::Board(platform, None, unit).instances();
                all.into_iter().map(|one| self.of(one)).collect()
            }
        }
    }

    /// Returns the target for one of the PMUs in [`Self::instances`].
    pub fn of(self, instance: &'static Instance) -> Result<Target, Failure> {
        match self {
            Self::Ip(_) => self.one::<&str>(&[]),
            Self::Board(platform, of, unit) => {
                let unit = of.and(unit);
                Self::Board(platform, Some(instance), unit).one::<&str>(&[])
            }
        }
    }

    /// Returns a target without an instance if the platform's name can mean PMUs of only one IP. This target has no
    /// unit if the PMUs belong to different units. Otherwise, returns the selected PMU.
    pub fn any(self) -> Result<Target, Failure> {
        let all = uncommon(self.instances());
        let is_one_ip = all.windows(2).all(|pair| pair[0].ip.value == pair[1].ip.value);
        let (Self::Board(platform, None, _), [first, _, ..], true) = (self, &all[..], is_one_ip)
        else {
            return self.one::<&str>(&[]);
        };
        let unit = |one: &Instance| one.unit.map(|unit| unit.value);
        let is_one_unit = all.iter().all(|one| unit(one) == unit(first));
        let pmu = of(platform, first)?;
        let pmu = Pmu { unit: pmu.unit.filter(|_| is_one_unit), ..pmu };
        Ok(Target { pmu, platform: Some(platform), instance: None })
    }

    /// Returns the selected PMU, or else the PMU that the events name: `tsn-tbu:TRANSACTION`.
    pub fn one<T: AsRef<str>>(self, events: &[T]) -> Result<Target, Failure> {
        let (platform, instance, unit) = match self {
            Self::Ip(pmu) => return Ok(Target { pmu, platform: None, instance: None }),
            Self::Board(platform, instance, unit) => (platform, instance, unit),
        };
        let instance = match (instance, &self.instances()[..]) {
            (Some(instance), _) => instance,
            (None, [instance]) => *instance,
            (None, all) => match named(platform, events)? {
                Some(instance) => instance,
                None => only(platform, with_events(all, events))?,
            },
        };
        let product = products(instance).find(|pmu| Some(pmu.ip.name) == unit);
        let mut pmu = product.map_or_else(|| of(platform, instance), Ok)?;
        if let (Some(unit), None) = (unit, product) {
            pmu.unit = pmu.ip.unit(unit);
        }
        Ok(Target { pmu, platform: Some(platform), instance: Some(instance) })
    }
}

impl Target {
    /// Fails if the unit is unknown.
    pub fn with_unit(self) -> Result<Self, Failure> {
        let (true, Some(platform)) = (self.pmu.is_ambiguous(), self.platform) else {
            name::one_unit(self.pmu)?;
            return Ok(self);
        };
        let Some(instance) = self.instance else {
            return Err(several(platform, platform.instances));
        };
        let place = format!("{}:{}", platform.name, instance.name);
        let units: Vec<_> =
            self.pmu.ip.units.iter().map(|unit| format!("{place}:{}", unit.name)).collect();
        Err(Failure::wrong_use(format!(
            "the unit of the {} {place} is unknown; try one: {}",
            self.pmu.ip.product,
            units.join(", ")
        )))
    }

    /// Address of the registers as text; `given` overrides the platform.
    pub fn base(&self, given: Option<&str>) -> Option<String> {
        let known = || Some(format!("0x{:X}", self.instance?.base?.value));
        given.map(str::to_owned).or_else(known)
    }

    /// The interfaces that a source can have, in any revision of the chip.
    pub fn interfaces(&self, source: &str) -> impl Iterator<Item = &'static Interface> {
        let all = self.instance.map_or(&[][..], |instance| instance.interfaces);
        all.iter().filter(move |interface| interface.source == source)
    }

    /// Source of the interface with this name; `None` if there is no such interface.
    pub fn source(&self, name: &str) -> Result<Option<&'static str>, Failure> {
        let all = self.instance.map_or(&[][..], |instance| instance.interfaces);
        let named: Vec<_> = all.iter().filter(|one| same_name(one.name, name)).collect();
        match named[..] {
            [] => Ok(None),
            [one] => Ok(Some(one.source)),
            // The source that counts at this interface depends on the version of the silicon.
            _ => {
                let silicon = |one: &&Interface| {
                    format!("{} ({})", one.source, one.condition.unwrap_or("other silicon"))
                };
                let all: Vec<_> = named.iter().map(silicon).collect();
                let text = format!(
                    "the source of `{name}` depends on the silicon; use {}",
                    all.join(" or ")
                );
                Err(Failure::wrong_use(text))
            }
        }
    }

    /// Removes the name of the PMU or unit if it precedes an event, or replaces the board's name of an interface by the
    /// source, as in `apu:READ_REQUEST_ANY`.
    pub fn event(&self, text: &str) -> Result<String, Failure> {
        let Some((first, rest)) = text.split_once(':') else { return Ok(text.to_owned()) };
        let is_unit = |instance: &'static Instance| is_unit(instance, Some(first));
        if self.instance.is_some_and(|one| same_name(one.name, first) || is_unit(one)) {
            return self.event(rest);
        }
        let source = self.source(first)?;
        Ok(source.map_or_else(|| text.to_owned(), |source| format!("{source}:{rest}")))
    }

    /// Adds similar names of another PMU, or the board's interface names, to the error about an unknown event.
    pub fn with_interfaces(&self, event: &str, failure: impl Into<Failure>) -> Failure {
        let failure = failure.into();
        let name = event.rsplit(':').next().unwrap_or_default();
        let of_interface = |found: arm_pmu_tables::EventMatch| match found.what {
            arm_pmu_tables::Matched::Event(of, _) => !of.group.sources.is_empty(),
            _ => false,
        };
        let (Some(platform), Some(instance)) = (self.platform, self.instance) else {
            return failure;
        };
        let others = platform.instances.iter().filter(|one| one.name != instance.name);
        let errors = others.filter_map(|one| name::event(one.pmu()?, event).err());
        let near = errors.map(|error| error.to_string()).find(|error| near::is_in(error));
        if let Some(near) = near.filter(|_| !near::is_in(&failure.to_string())) {
            return failure.with(&format!(", and {near}"));
        }
        if instance.interfaces.is_empty() || !self.pmu.find_events(name).any(of_interface) {
            return failure;
        }
        let names = instance.interfaces.iter().map(|one| format!("{} is {}", one.name, one.source));
        let names: Vec<_> = names.collect();
        failure.with(&format!("; on {}, {}", platform.name, names.join(", ")))
    }

    /// Replaces the board's name of a source in a metric: `SNOOP_HIT_RATE:apu`.
    pub fn metric(&self, text: &str) -> Result<String, Failure> {
        let Some((name, source)) = text.rsplit_once(':') else { return Ok(text.to_owned()) };
        let source = self.source(source)?;
        Ok(source.map_or_else(|| text.to_owned(), |source| format!("{name}:{source}")))
    }

    /// Known faults of the board that explain a finding: a wrong address of `page1` explains `PAGE_1_ELSEWHERE`.
    pub fn faults(&self, finding: &str) -> impl Iterator<Item = &'static Fault> {
        let all = self.instance.map_or(&[][..], |instance| instance.faults);
        let subject = finding.replace('_', "").to_ascii_lowercase();
        let is = move |fault: &&Fault| {
            fault.announced.is_some_and(|announced| subject.starts_with(announced.page))
        };
        all.iter().filter(is)
    }

    /// Switches of the board that a finding names: `NIDEN_LOW` names NIDEN.
    pub fn switches(&self, finding: &str) -> impl Iterator<Item = &'static Switch> {
        let all = self.instance.map_or(&[][..], |instance| instance.switches);
        let subject = finding.split('_').next().unwrap_or_default().to_owned();
        all.iter().filter(move |switch| switch.name == subject)
    }
}

/// Finds a unit by name, if the platform has PMUs of this unit but no PMU of that name.
pub fn unit_of(platform: &Platform, name: &str) -> Option<&'static str> {
    let unit = |one: &Instance| one.pmu()?.unit.map(|unit| unit.name);
    let mut units = platform.instances.iter().filter_map(unit);
    units.find(|unit| same_name(unit, name)).filter(|_| platform.instance(name).is_none())
}

pub fn is_unit(instance: &Instance, unit: Option<&str>) -> bool {
    let own = instance.pmu().and_then(|pmu| pmu.unit);
    own.zip(unit).is_some_and(|(own, unit)| same_name(own.name, unit))
}

/// Whether a platform is given as a path instead of a name.
pub fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".yaml")
}

/// Splits `PLATFORM:PMU`. A file name can contain other colons.
fn split(text: &str) -> (&str, Option<&str>) {
    let parts = match text.rfind(".yaml") {
        Some(start) => {
            let (file, rest) = text.split_at(start + ".yaml".len());
            rest.strip_prefix(':').map(|rest| (file, rest))
        }
        None if is_path(text) => None,
        None => text.split_once(':'),
    };
    parts.map_or((text, None), |(platform, rest)| (platform, Some(rest)))
}

/// The IP and, if known, the unit of a platform's PMU.
pub fn of(platform: &Platform, instance: &Instance) -> Result<Pmu, Failure> {
    instance.pmu().ok_or_else(|| {
        let place = format!("{}:{}", platform.name, instance.name);
        let all: Vec<_> =
            products(instance).map(|pmu| format!("{place}:{}", pmu.ip.name)).collect();
        if all.is_empty() {
            let core = product(instance);
            return Failure::not_found(format!("{place} is a {core}, which has no table of events here"));
        }
        let text = format!(
            "{place} is an SMMUv3 PMCG of an unknown product; write the product into the file, or try one: {}",
            all.join(", ")
        );
        Failure::wrong_use(text)
    })
}

/// Candidate PMUs for an SMMUv3 PMCG of an unknown product.
fn products(instance: &Instance) -> impl Iterator<Item = Pmu> + use<> {
    let unit = instance.unit.map(|unit| unit.value);
    let is_any = instance.ip.value == ANY_PMCG;
    let is = move |pmu: &Pmu| is_pmcg(*pmu) && pmu.unit.map(|unit| unit.name) == unit;
    Pmu::all().filter(move |pmu| is_any && is(pmu))
}

/// The PMUs that a platform's bare name can mean: core PMUs only if there are no others, because every chip has
/// cores.
fn uncommon(all: Vec<&'static Instance>) -> Vec<&'static Instance> {
    let others: Vec<_> = all.iter().filter(|one| !is_cluster(one)).copied().collect();
    if others.is_empty() { all } else { others }
}

/// The PMUs that have all of these events, or all PMUs if none has them all.
fn with_events<T: AsRef<str>>(all: &[&'static Instance], events: &[T]) -> Vec<&'static Instance> {
    let has = |one: &&Instance| {
        let pmu = one.pmu();
        pmu.is_some_and(|pmu| events.iter().all(|event| name::what(pmu, event.as_ref()).is_ok()))
    };
    let with: Vec<_> = all.iter().copied().filter(has).collect();
    if with.is_empty() { all.to_vec() } else { with }
}

/// Returns the PMU that the bare name of a platform means; an error if it can mean several of these
/// PMUs.
fn only(platform: &Platform, all: Vec<&'static Instance>) -> Result<&'static Instance, Failure> {
    match uncommon(all)[..] {
        [instance] => Ok(instance),
        ref several => Err(self::several(platform, several.iter().copied())),
    }
}

/// The PMU that the events or kernel names select, if any.
fn named<T: AsRef<str>>(
    platform: &'static Platform,
    events: &[T],
) -> Result<Option<&'static Instance>, Failure> {
    let of_event = |event: &T| {
        let name = event.as_ref();
        let is = |one: &&Instance| match one.linux {
            Some(linux) => linux.value == name,
            None => is_cluster(one) && node_of_cluster(one).is_some_and(|(_, own)| own == name),
        };
        if let Some(instance) = platform.instances.iter().find(is) {
            return Some(instance);
        }
        let (first, _) = name.split_once(':')?;
        let of_interface = || platform.interfaces(first).next().map(|(instance, _)| instance);
        platform.instance(first).or_else(of_interface)
    };
    let mut all: Vec<&'static Instance> = Vec::new();
    for instance in events.iter().filter_map(of_event) {
        if !all.iter().any(|known| known.name == instance.name) {
            all.push(instance);
        }
    }
    match all[..] {
        [one] => Ok(Some(one)),
        [] => Ok(None),
        _ => {
            let names: Vec<_> = all.iter().map(|one| one.name).collect();
            let text =
                format!("these events belong to {}; give events of one PMU", names.join(" and "));
            Err(Failure::wrong_use(text))
        }
    }
}

/// Names of the first few of these PMUs.
fn names<'i>(platform: &Platform, all: impl IntoIterator<Item = &'i Instance>) -> String {
    const MOST: usize = 8;
    let names = all.into_iter().map(|one| format!("{}:{}", platform.name, one.name));
    let names: Vec<_> = names.collect();
    let first = listed(&names, MOST);
    match names.len() {
        ..=MOST => first,
        _ => format!("{first}, which `arm-pmu platform {}` lists", platform.name),
    }
}

fn several<'i>(platform: &Platform, all: impl IntoIterator<Item = &'i Instance>) -> Failure {
    let names = names(platform, all);
    Failure::wrong_use(format!("{} has several PMUs; name one: {names}", platform.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_colons_in_its_name() {
        assert_eq!(split("C:\\boards\\mine.yaml"), ("C:\\boards\\mine.yaml", None));
        assert_eq!(split("C:\\mine.yaml:cci"), ("C:\\mine.yaml", Some("cci")));
        assert_eq!(split("./mine"), ("./mine", None));
        assert_eq!(split("juno:cci:r1"), ("juno", Some("cci:r1")));
    }
}
