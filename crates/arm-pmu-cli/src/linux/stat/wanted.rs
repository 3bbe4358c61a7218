//! Parses the options `-e` and `-m` to events and metrics.

use std::cell::OnceCell;

use arm_pmu::mmu700::StreamFilter;
use arm_pmu_linux::perf::{Device, Sysfs};
use arm_pmu_lookup::cluster::{Consequence, consequences, product};
use arm_pmu_lookup::kernel::{
    KernelPmu, PMUV3, any_core, is_cluster, is_numbered, is_pmcg, name_of_instance, node_of_cluster,
};
use arm_pmu_lookup::name;
use arm_pmu_lookup::perf_name::{PerfName, label};
use arm_pmu_lookup::{near, words};
use arm_pmu_tables::platform::{Instance, Symptom};
use arm_pmu_tables::{Argument, Ip, Platform, Pmu};

use super::environment::elsewhere;
use crate::base::failure::{Failure, refuse};
use crate::base::platform::target::{self, Target};
use crate::linux::cores::{self, Core, kernel_pmu, of_processors, processors};
use arm_pmu_lookup::perf::{STALLS, TOPDOWN, groups, is_topic, of_topic};
use arm_pmu_lookup::perf_name::What;

/// A PMU to count on.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The PMU's entry in the tables; `None` if a core PMU has no entry, so its events are numbers,
    /// or names from sysfs.
    pub pmu: Option<Pmu>,
    /// Kernel name; `None` selects the only PMU of its kind.
    pub device: Option<String>,
    /// Whether reports need the kernel's name to distinguish the PMU from others.
    is_one_of_many: bool,
    /// Reasons why other cores do not count the event.
    lacking: Vec<String>,
}

impl Place {
    fn new(pmu: impl Into<Option<Pmu>>, device: Option<String>) -> Self {
        let pmu = pmu.into();
        let is_one_of_many = pmu.is_some_and(|pmu| is_pmcg(pmu) || is_numbered(pmu));
        Self { pmu, device, is_one_of_many, lacking: Vec::new() }
    }

    pub fn is(&self, other: &Self) -> bool {
        let is_same = match (self.pmu, other.pmu) {
            (Some(one), Some(another)) => one.is(another),
            (one, another) => one.is_none() && another.is_none(),
        };
        is_same && self.device == other.device
    }

    fn is_of_core(&self) -> bool {
        self.pmu.is_some_and(Pmu::is_processor)
    }

    /// Whether this is the PMU of a cluster, not of a core.
    fn is_of_cluster(&self) -> bool {
        self.pmu.is_some_and(is_numbered)
    }

    /// Returns a note if the PMUs of other cores lack the event or metric.
    fn only(&self, text: &str) -> Option<String> {
        let (name, lacking) = (self.name(), self.lacking.join(" and "));
        (!lacking.is_empty()).then(|| format!("{text} is counted on {name} only: {lacking}."))
    }

    pub fn name(&self) -> String {
        let pmu = || self.pmu.map(|pmu| pmu.to_string());
        self.device.clone().or_else(pmu).unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
pub enum Column {
    Known(What),
    /// Number and name of a core event that is not in the tables.
    Number(u16, String),
}

impl Column {
    /// Number of the event; `None` for the cycle counter.
    pub fn number(&self) -> Option<u32> {
        match self {
            Self::Known(What::Cycles) => None,
            Self::Known(What::Event(selection)) => Some(selection.id()),
            Self::Known(What::Other(number)) => Some(*number),
            Self::Number(number, _) => Some(u32::from(*number)),
        }
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Known(one), Self::Known(another)) => one.is(another),
            (Self::Number(one, _), Self::Number(another, _)) => one == another,
            _ => false,
        }
    }
}

/// Columns to count on one PMU with one filter.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub place: Place,
    /// Columns without duplicates, in the order of the command line.
    pub columns: Vec<Column>,
    /// Indices of columns that are counted together, such as the events of one metric.
    pub groups: Vec<Vec<usize>>,
    /// Stream filter of an SMMU PMU. All counters of the PMU share the filter.
    pub stream: Option<StreamFilter>,
    /// Label of the counts, if there are several filters.
    pub mark: Option<String>,
    /// Whether PMCEID lacks one of the events, although it could report this event.
    pub is_hidden: bool,
    /// Doubts about the events.
    pub notes: Vec<String>,
}

impl Wanted {
    pub fn has_filter(&self) -> bool {
        self.place.pmu.is_some_and(|pmu| pmu.events().any(|of| of.event.filterable))
    }

    /// Columns that ignore the stream filter.
    pub fn unfiltered(&self) -> impl Iterator<Item = String> {
        let is_filtered = |column: &&Column| match column {
            Column::Known(What::Event(selection)) => selection.of.event.filterable,
            _ => false,
        };
        let unfiltered = self.columns.iter().filter(move |column| !is_filtered(column));
        unfiltered.map(|column| self.name(column))
    }

    /// Whether the PMU counts the whole system.
    pub fn is_of_system(&self) -> bool {
        self.place.pmu.is_some_and(|pmu| !pmu.is_processor())
    }

    /// Name of a core's PMU in reports; `None` for other PMUs.
    pub fn core(&self) -> Option<String> {
        let pmu = self.place.pmu.filter(|pmu| pmu.is_processor())?;
        Some(PerfName::new(pmu, self.label(), What::Cycles).labelled_pmu())
    }

    fn label(&self) -> Option<String> {
        let device = self.place.device.as_deref().filter(|_| self.place.is_one_of_many);
        label(device, self.mark.as_deref())
    }

    pub fn name(&self, column: &Column) -> String {
        match (self.place.pmu, column) {
            (Some(pmu), Column::Known(counted)) => {
                PerfName::new(pmu, self.label(), *counted).to_string()
            }
            (_, Column::Number(_, name)) => format!("{}/{name}/", self.place.name()),
            (None, Column::Known(_)) => String::new(),
        }
    }
}

/// Resolves names of PMUs, events and metrics.
#[derive(Clone)]
pub struct Names<'s> {
    sysfs: &'s Sysfs,
    /// Names of the kernel's PMUs.
    present: Vec<String>,
    /// Kernel names of core PMUs whose events are known.
    cores: OnceCell<Vec<(String, Pmu)>>,
    platform: Option<&'static Platform>,
    /// Stream to count; it selects the PMU if the platform lists the stream.
    pub stream: Option<u32>,
    /// Names of SMMU PMUs (`--pmu`), for events that are given without a PMU.
    pub pmus: Vec<String>,
    /// Arguments with a value (`--set`).
    pub set: Vec<(String, f64)>,
    /// Processor architecture, by Rust's name.
    machine: &'static str,
}

impl<'s> Names<'s> {
    pub fn new(
        sysfs: &'s Sysfs,
        platform: Option<&'static Platform>,
        machine: &'static str,
    ) -> Self {
        // A kernel without PMUs is reported later, when a PMU is opened.
        let present = sysfs.names().unwrap_or_default();
        let cores = OnceCell::new();
        let (pmus, set) = (Vec::new(), Vec::new());
        Self { sysfs, present, cores, platform, stream: None, pmus, set, machine }
    }

    /// Resolves the options to columns, grouped by PMU.
    pub fn wanted(&self, events: &[String], metrics: &[String]) -> Result<Vec<Wanted>, Failure> {
        let events = events.iter().map(|text| (text, false));
        let mut all = Vec::new();
        for (text, is_metric) in events.chain(metrics.iter().map(|text| (text, true))) {
            let inputs = |place: &Place, name: &str| match is_metric {
                true => self.inputs(place, name),
                false => Ok(vec![vec![self.column(place, name)?]]),
            };
            let (places, name) = self.places(text, |place, name| inputs(place, name).map(drop))?;
            for place in places {
                for columns in inputs(&place, &name)? {
                    let notes = [place.only(&name), self.without_slots(&place, &name)];
                    add(&mut all, place.clone(), columns, notes.into_iter().flatten());
                }
            }
        }
        for wanted in &mut all {
            let hidden = self.hidden(wanted);
            wanted.is_hidden = hidden.is_some();
            wanted.notes.extend(hidden);
            wanted.notes.extend(self.partly(wanted));
        }
        if all.is_empty() {
            refuse!(
                "no event is given. Give -m METRIC or -e EVENT, as in -m basics or -e cci400:S3:READ_REQUEST_ANY"
            );
        }
        let counts = |name: &&String| all.iter().any(|one| one.place.device.as_ref() == Some(name));
        if let Some(name) = self.pmus.iter().find(|name| !counts(name)) {
            refuse!(
                "--pmu {name}: none of the events is counted on this PMU; give an event of an SMMU, as in -e mmu600:tbu:TRANSACTION"
            );
        }
        Ok(all)
    }

    /// Fails on a machine that is not Arm.
    pub fn on_arm(&self) -> Result<(), Failure> {
        let Some((problem, fix)) = elsewhere(self.machine) else { return Ok(()) };
        Err(Failure::not_found(format!("the kernel has no PMU of Arm: {problem}. {fix}")))
    }

    /// Returns the events of a metric, or of each metric of a topic.
    fn inputs(&self, place: &Place, metric: &str) -> Result<Vec<Vec<Column>>, Failure> {
        let Some(pmu) = place.pmu else {
            refuse!("`{metric}`: this PMU has no metrics here; count events with -e");
        };
        let topic = self.without_slots(place, metric).map_or(metric, |_| STALLS);
        let groups = groups(pmu, topic)?.into_iter();
        Ok(groups.map(|group| group.into_iter().map(Column::Known).collect()).collect())
    }

    /// Returns a note if top-down on a core counts stalled cycles in place of slots, because an argument of its metrics
    /// has no value on this machine.
    fn without_slots(&self, place: &Place, metric: &str) -> Option<String> {
        let pmu = place.pmu?;
        let device = self.device(place.device.as_deref()?).ok()??;
        let core = cores::pmu(self.sysfs, &device, String::new());
        let is_known = |argument: &&Argument| {
            self.set.iter().any(|(name, _)| name == argument.name)
                || core.argument(argument).is_some()
        };
        let mut topdown = of_topic(pmu, TOPDOWN).flat_map(|of| of.metric.arguments);
        let missing = topdown.find(|argument| !is_known(argument))?;
        let has_stalls = of_topic(pmu, STALLS).next().is_some();
        (has_stalls && metric.eq_ignore_ascii_case(TOPDOWN)).then(|| {
            let (name, doc) = (missing.name, missing.doc.trim_end_matches('.'));
            format!(
                "{} counts stalled cycles in place of slots, because the kernel does not show `{name}` ({doc}). With \
                 --set {name}=N, it counts slots.",
                place.name()
            )
        })
    }

    fn column(&self, place: &Place, event: &str) -> Result<Column, Failure> {
        let device = || place.device.as_deref().and_then(|name| self.device(name).ok()?);
        if let Some(pmu) = place.pmu {
            return name::what(pmu, event).map(Column::Known).or_else(|error| {
                // The kernel can have other names than the tables, and a core can have undocumented events.
                let number = number(device().as_ref(), event).filter(|_| pmu.is_processor());
                let Some(number) = number else {
                    return Err(match pmu.is_of_any_core() {
                        true => Failure::not_found(format!(
                            "{error}; no table has this core ({}): common events have names (`arm-pmu list {pmu}`), and \
                             others numbers, as in {}:0xc0",
                            self.core(device().as_ref()),
                            place.name()
                        )),
                        false => error.into(),
                    });
                };
                let listed = name::what(pmu, &format!("{number:#x}"));
                Ok(listed.map_or(Column::Number(number, event.to_owned()), Column::Known))
            });
        }
        let name = place.device.as_deref().unwrap_or_default();
        let number = number(self.device(name)?.as_ref(), event);
        number.map(|number| Column::Number(number, event.to_owned())).ok_or_else(|| {
            Failure::not_found(format!(
                "{name} has no event `{event}`; give a number, or a name in /sys/bus/event_source/devices/{name}/events"
            ))
        })
    }

    /// Returns the names of the cores with this PMU.
    fn core(&self, device: Option<&Device>) -> String {
        let cpus = device.map(|device| processors(self.sysfs, device)).unwrap_or_default();
        let cores: Vec<_> =
            of_processors(self.sysfs, &cpus).iter().map(|core| core.main_id.name()).collect();
        if cores.is_empty() { "without a Main ID".to_owned() } else { cores.join(" and ") }
    }

    /// Returns a note on events that the core does not report in PMCEID.
    fn hidden(&self, wanted: &Wanted) -> Option<String> {
        let name = wanted.place.device.as_deref()?;
        let device = self.device(name).ok()??;
        let hidden = wanted.columns.iter().filter_map(|column| match column {
            Column::Known(What::Event(selection)) => Some(selection.of.event),
            _ => None,
        });
        let hidden = hidden.filter(|of| cores::is_hidden(&device, of.code));
        let hidden: Vec<_> = hidden.map(|event| event.name).collect();
        let note = cores::hidden_note(name, &hidden)?;
        Some(match wanted.place.is_of_cluster() {
            true => format!(
                "{} of {name}: not in the kernel's list, because Linux builds this list from only \
                 one of the two registers that report common events. A zero may mean that the cluster does \
                 not count the event.",
                hidden.join(", ")
            ),
            false => note,
        })
    }

    /// Returns a note if the kernel's PMU lacks CPUs of the platform's cluster.
    fn partly(&self, wanted: &Wanted) -> Option<String> {
        let (platform, device) = (self.platform?, wanted.place.device.as_deref()?);
        let is = |one: &&Instance| {
            is_cluster(one) && cores::of_cluster(self.sysfs, one).as_deref() == Some(device)
        };
        let instance = platform.instances.iter().find(is)?;
        let listed = self.device(device).ok()??.processors().ok()??;
        let is_lacking = instance.cpus?.numbers.iter().any(|cpu| !listed.contains(cpu));
        let some = |of: &Consequence| of.symptom == Some(Symptom::SomeCpus);
        let of_platform = consequences(platform, instance).into_iter().find(some);
        of_platform.filter(|_| is_lacking).map(|of| of.text)
    }

    fn device(&self, name: &str) -> Result<Option<Device>, Failure> {
        self.sysfs.device(name).map_err(|error| Failure::wrong_use(error.to_string()))
    }

    /// Splits a text into PMUs and an event or metric, which keeps its source (`S3:EVENT`). The PMUs are the named PMU
    /// (a core can be in several clusters, each with a PMU), all PMUs of a platform unit (`tbu:EVENT`), the PMUs of
    /// `--pmu`, or the only PMU that has the event or metric.
    fn places(
        &self,
        text: &str,
        has: impl Fn(&Place, &str) -> Result<(), Failure>,
    ) -> Result<(Vec<Place>, String), Failure> {
        let (head, rest) = text.split_once(':').unwrap_or((text, ""));
        let one = |place, rest: &str| Ok((vec![place], rest.to_owned()));
        if self.present.iter().any(|name| name == head) {
            return one(self.of_kernel(head)?, rest);
        }
        if let Some((platform, unit)) =
            self.platform.and_then(|of| Some((of, target::unit_of(of, head)?)))
        {
            let units = platform.instances.iter().filter(|one| target::is_unit(one, Some(unit)));
            let places = units.map(|one| self.of_instance(platform, one));
            return Ok((places.collect::<Result<_, _>>()?, rest.to_owned()));
        }
        let (unit, event) = rest.split_once(':').unwrap_or((rest, ""));
        let unit = Pmu::find(&format!("{head}:{unit}"));
        let pmcg = unit.filter(|pmu| is_pmcg(*pmu));
        let names_another = event.contains(':') || Pmu::find(head).is_some();
        if !self.pmus.is_empty() && (pmcg.is_some() || !names_another) {
            let of_pmu = |name: &String| match pmcg {
                Some(pmu) => Ok(Place::new(pmu, Some(name.clone()))),
                None => match self.of_kernel(name)? {
                    Place { pmu: None, .. } => refuse!(
                        "--pmu {name}: its unit is unknown; name the unit, as in mmu700:tbu:TRANSACTION"
                    ),
                    place => Ok(place),
                },
            };
            let places = self.pmus.iter().map(of_pmu).collect::<Result<_, _>>()?;
            return Ok((places, if pmcg.is_some() { event } else { text }.to_owned()));
        }
        if let Some(platform) = self.platform {
            if let Some(instance) = platform.instance(head) {
                let place = self.of_instance(platform, instance)?;
                if is_cluster(instance) {
                    return one(place, rest);
                }
                return one(place, &interface(platform, instance, rest)?);
            }
            // The name of an interface: `apu:EVENT` or `METRIC:apu`.
            for word in [head, rest] {
                let mut found = platform.interfaces(word);
                let (Some((instance, _)), None) = (found.next(), found.next()) else { continue };
                let place = self.of_instance(platform, instance)?;
                return one(place, &interface(platform, instance, text)?);
            }
        }
        if let Some(pmu) = unit {
            // A PMU without an identifier, named with its unit: `mmu700:tbu:smmuv3_pmcg_5f320:EVENT`.
            return match event.split_once(':') {
                Some((device, event)) if self.present.iter().any(|name| name == device) => {
                    one(Place::new(pmu, Some(device.to_owned())), event)
                }
                _ => one(Place::new(pmu, None), event),
            };
        }
        if Ip::find(head).is_some() || Pmu::find(head).is_some() {
            let pmu = name::one_unit(self.revision(name::pmu(head)?))?;
            let clusters = self.clusters(pmu);
            if clusters.is_empty() {
                let is = |of: Pmu| of.is(pmu) || of.is_processor() && pmu.is_of_any_core();
                if let Some(failure) = self.without_pmu(rest, is) {
                    return Err(failure);
                }
                return one(Place::new(pmu, None), rest);
            }
            return Ok((clusters, rest.to_owned()));
        }
        Ok((self.only(text, has)?, text.to_owned()))
    }

    /// Returns the kernel's PMUs of cores with known events.
    fn cores(&self) -> &[(String, Pmu)] {
        self.cores.get_or_init(|| {
            let known = |name: &String| {
                let pmu = kernel_pmu(self.sysfs, &self.sysfs.device(name).ok()??)?;
                pmu.is_processor().then(|| (name.clone(), pmu))
            };
            self.present.iter().filter_map(known).collect()
        })
    }

    /// Returns all kernel PMUs of this kind, one for each cluster; for events of the architecture, the PMUs of all
    /// cores.
    fn clusters(&self, pmu: Pmu) -> Vec<Place> {
        if let Some(known) = KernelPmu::of(pmu).filter(KernelPmu::is_numbered) {
            let all = self.present.iter().filter(|name| known.is_named(name));
            return all.map(|name| Place::new(pmu, Some(name.clone()))).collect();
        }
        let is = |(_, known): &&(String, Pmu)| known.is(pmu) || pmu.is_of_any_core();
        let all = self.cores().iter().filter(is).map(|(name, _)| name.clone());
        all.map(|name| self.of_core(name, pmu)).collect()
    }

    /// Returns the PMU of a core. Reports show the kernel's name of the PMU if it does not identify the product, or if
    /// the system has several PMUs of this core.
    fn of_core(&self, name: String, pmu: Pmu) -> Place {
        let tells_product = KernelPmu::named(&name).is_some_and(|known| known.pmu.is(pmu));
        let several = self.cores().iter().filter(|(_, known)| known.is(pmu)).count() > 1;
        let place = Place::new(pmu, Some(name));
        Place { is_one_of_many: several || !tells_product, ..place }
    }

    /// Returns the one PMU that has an event or metric. The kernel's PMUs are searched only if no PMU of the platform
    /// has it. It is an error if several PMUs have it, unless all of them are PMUs of cores: then returns them all.
    fn only(
        &self,
        text: &str,
        has: impl Fn(&Place, &str) -> Result<(), Failure>,
    ) -> Result<Vec<Place>, Failure> {
        let mut found = Vec::new();
        let mut failed = Vec::new();
        // Clusters without a PMU in the kernel.
        let mut absent: Vec<(&Instance, Failure)> = Vec::new();
        let mut try_places = |places: Vec<(&str, Place)>| {
            for (name, place) in places {
                match has(&place, text) {
                    Ok(()) => found.push((name.to_owned(), place)),
                    Err(error) => failed.push((name.to_owned(), place, error)),
                }
            }
            !found.is_empty()
        };
        let on_board = self.platform.into_iter();
        let on_board = on_board.flat_map(|of| of.instances.iter().map(move |one| (of, one)));
        let (clusters, others): (Vec<_>, Vec<_>) = on_board.partition(|(_, one)| is_cluster(one));
        let others = others.into_iter().map(|(of, one)| Ok((one.name, self.of_instance(of, one)?)));
        if !try_places(others.collect::<Result<_, Failure>>()?) {
            let mut present = Vec::new();
            for (of, one) in clusters {
                match self.of_instance(of, one) {
                    Ok(place) => present.push((one.name, place)),
                    Err(failure) => absent.push((one, failure)),
                }
            }
            // The file of a board may omit PMUs that the kernel has.
            if !try_places(present) {
                let kernel = self.present.iter().map(|name| Ok((&**name, self.of_kernel(name)?)));
                let mut kernel = kernel.collect::<Result<Vec<_>, Failure>>()?;
                kernel.retain(|(_, place)| place.pmu.is_some());
                try_places(kernel);
            }
        }
        // A core without a table may have any event.
        absent.retain(|(instance, _)| match instance.pmu() {
            Some(pmu) => has(&Place::new(pmu, None), text).is_ok(),
            None => true,
        });
        if found.is_empty() {
            self.on_arm()?;
            let first = absent.into_iter().next().map(|(_, failure)| failure);
            return Err(first.unwrap_or_else(|| self.nowhere(text, failed, has)));
        }
        let instance = |name: &str| self.platform.and_then(|platform| platform.instance(name));
        let serves = |name: &str| {
            let instance = instance(name);
            let mut streams = instance.into_iter().flat_map(|instance| instance.streams);
            streams.any(|stream| Some(stream.id) == self.stream)
        };
        if found.iter().any(|(name, _)| serves(name)) {
            found.retain(|(name, _)| serves(name));
        }
        let of_cluster = |name: &str| instance(name).is_some_and(is_cluster);
        // Cores and clusters have events of the same name; a name without a PMU means the cores.
        if found.iter().any(|(_, place)| place.is_of_core()) {
            found.retain(|(_, place)| !place.is_of_cluster());
        }
        let are_cores = found.iter().all(|(name, place)| place.is_of_core() || of_cluster(name));
        let are_units = found.iter().all(|(_, place)| place.is_of_cluster());
        if found.len() > 1 && !are_cores && !are_units {
            let names: Vec<_> = found.iter().map(|(name, _)| format!("{name}:{text}")).collect();
            refuse!("several PMUs have `{text}`; name one: {}", names.join(", "));
        }
        let lacking = failed.into_iter().filter(|(_, place, _)| are_cores && place.is_of_core());
        let lacking = lacking.map(|(name, ..)| format!("{name} has no such event"));
        let absent = absent.iter().map(|(instance, _)| {
            format!("{} ({}) has no PMU in the kernel", instance.name, product(instance))
        });
        let lacking: Vec<_> = lacking.chain(absent).collect();
        let places = found.into_iter().map(|(_, place)| place);
        Ok(places.map(|place| Place { lacking: lacking.clone(), ..place }).collect())
    }

    /// Describes the first core that has an event or metric, but no PMU in the kernel.
    fn without_pmu(&self, text: &str, has: impl Fn(Pmu) -> bool) -> Option<Failure> {
        let table = |core: &Core| core.main_id.known().map(|(pmu, _)| pmu).or(any_core(PMUV3));
        let mut cores = cores::without_pmu(self.sysfs).into_iter();
        let core = cores.find(|core| table(core).is_some_and(&has))?;
        let ((problem, fix), cpus) = (core.without_pmu(), words::cpus(&core.cpus));
        let text = format!("`{text}` cannot be counted on CPU {cpus}: {problem}. {fix}");
        Some(Failure::not_found(text))
    }

    /// Returns the error that explains why no PMU can count an event or metric.
    fn nowhere(
        &self,
        text: &str,
        failed: Vec<(String, Place, Failure)>,
        has: impl Fn(&Place, &str) -> Result<(), Failure>,
    ) -> Failure {
        let has = |pmu| failed.is_empty() || has(&Place::new(pmu, None), text).is_ok();
        if let Some(failure) = self.without_pmu(text, has) {
            return failure;
        }
        if failed.is_empty() {
            let has = match self.present.is_empty() {
                true => "none at all".to_owned(),
                false => self.present.join(", "),
            };
            return Failure::not_found(format!(
                "`{text}` does not name a PMU, and none of the kernel's PMUs is known ({has}). To see what \
                 the kernel needs for a PMU, write the PMU before the event, as in \
                 cci400:S3:READ_REQUEST_ANY"
            ));
        }
        // If the text is a topic and some reasons concern cores, only these reasons are reported.
        let is_of_core = is_topic(text) && failed.iter().any(|(_, place, _)| place.is_of_core());
        let reasons = failed.into_iter().filter(|(_, place, _)| !is_of_core || place.is_of_core());
        let mut reasons: Vec<_> = reasons.map(|(.., error)| error.to_string()).collect();
        reasons.dedup();
        if !is_of_core {
            // An error that suggests similar names is preferred.
            reasons.sort_by_key(|reason| !near::is_in(reason));
            reasons.truncate(1);
        }
        Failure::not_found(reasons.join("; "))
    }

    /// Returns the kernel's PMU for an instance of the platform.
    fn of_instance(&self, platform: &Platform, instance: &Instance) -> Result<Place, Failure> {
        if is_cluster(instance) {
            return self.of_cluster(platform, instance);
        }
        let pmu = name::one_unit(target::of(platform, instance)?)?;
        // The kernel's name of an SMMU PMU contains its address; other PMUs have fixed names.
        Ok(Place::new(pmu, name_of_instance(pmu, instance)))
    }

    /// Returns the kernel's PMU for a cluster of the platform.
    fn of_cluster(&self, platform: &Platform, instance: &Instance) -> Result<Place, Failure> {
        if let Some(name) = cores::of_cluster(self.sysfs, instance) {
            return self.of_kernel(&name);
        }
        self.on_arm()?;
        let place = format!("{}:{}", platform.name, instance.name);
        let no_device = |of: &Consequence| of.symptom == Some(Symptom::NoDevice);
        let why = match consequences(platform, instance).into_iter().find(no_device) {
            Some(of) => format!("{} {}", of.text, of.fix.unwrap_or_default()),
            None => format!(
                "the kernel has no {}, although the device trees of Linux have its node. `arm-pmu doctor --live --platform \
                 {}` says more",
                node_of_cluster(instance).map_or("PMU of the cluster", |(_, name)| name),
                platform.name
            ),
        };
        Err(Failure::not_found(format!("{place} ({}): {why}", product(instance))))
    }

    fn of_kernel(&self, name: &str) -> Result<Place, Failure> {
        let pmu = self.device(name)?.and_then(|device| kernel_pmu(self.sysfs, &device));
        Ok(match pmu {
            Some(pmu) if pmu.is_processor() => self.of_core(name.to_owned(), pmu),
            _ => Place::new(pmu, Some(name.to_owned())),
        })
    }

    /// Revision of the kernel's PMU, for an IP that was named without a revision.
    fn revision(&self, newest: Pmu) -> Pmu {
        let present = |pmu: &Pmu| {
            let mut all = KernelPmu::all_of(*pmu);
            all.any(|known| self.present.iter().any(|name| name == known.name))
        };
        let others = Pmu::all().filter(|pmu| pmu.ip.name == newest.ip.name);
        std::iter::once(newest).chain(others).find(present).unwrap_or(newest)
    }
}

/// Number of an event, given by its kernel name or as a number.
fn number(device: Option<&Device>, event: &str) -> Option<u16> {
    let named = device.and_then(|device| device.event_number(event));
    named.or_else(|| u16::try_from(arm_pmu_lookup::number(event)?).ok())
}

/// Replaces the board's name of an interface by its source, in `apu:EVENT` or `METRIC:apu`.
fn interface(
    platform: &'static Platform,
    instance: &'static Instance,
    text: &str,
) -> Result<String, Failure> {
    let pmu = target::of(platform, instance)?;
    let target = Target { pmu, platform: Some(platform), instance: Some(instance) };
    target.event(&target.metric(text)?)
}

/// Appends a group of columns, which are counted together.
fn add(
    all: &mut Vec<Wanted>,
    place: Place,
    columns: Vec<Column>,
    notes: impl Iterator<Item = String>,
) {
    let known = all.iter().position(|wanted| wanted.place.is(&place));
    let nth = known.unwrap_or_else(|| {
        all.push(Wanted { place, ..Wanted::default() });
        all.len() - 1
    });
    let wanted = &mut all[nth];
    let group = columns.into_iter().map(|column| {
        let known = wanted.columns.iter().position(|other| other.is(&column));
        known.unwrap_or_else(|| {
            wanted.columns.push(column);
            wanted.columns.len() - 1
        })
    });
    let group: Vec<_> = group.collect();
    wanted.groups.push(group);
    for note in notes {
        if !wanted.notes.contains(&note) {
            wanted.notes.push(note);
        }
    }
}
