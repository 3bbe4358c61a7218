//! Event names in the output of Linux `perf`.
//!
//! `arm-pmu perf` adds a name to each event, for example `name=cci400:r1.S3:READ_REQUEST_ANY`, which `arm-pmu report`
//! parses. The name consists of the PMU, a full stop, and the event. A label distinguishes PMUs of one kind:
//! `mmu600:tbu.smmuv3_pmcg_5f320.TRANSACTION`. Names contain only letters, digits, `_`, `-`, `:` and `.`, because
//! other characters could end a term of `perf` or a column of CSV.

use std::fmt;

use arm_pmu_tables::{Counted, Dialect, EventMatch, FoundBy, Matched, Pmu, Selection};

use crate::kernel::{self, KernelPmu, PMCG};
use crate::{generic, number as any};

/// An event in the output of `perf`.
#[derive(Clone, Debug)]
pub struct PerfName {
    /// The PMU.
    pub pmu: Pmu,
    /// Label that distinguishes PMUs of one kind: the kernel's PMU name, a StreamID. See [`label`].
    pub label: Option<String>,
    /// The counted event.
    pub what: What,
    /// Whether the PMU is a PMCG of an unknown product. If so, [`Self::pmu`] has only the events of the architecture.
    pub is_any_pmcg: bool,
}

/// A counted event.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// Event at a source.
    Event(Selection),
    /// Cycles on the cycle counter.
    Cycles,
    /// Id of an event that the tables lack.
    Other(u32),
}

/// Separates the kernel's PMU name from the StreamIDs of a filter.
const STREAM: char = ':';

/// Label of an event: the kernel's PMU name if there are several PMUs of one kind, and the StreamIDs if there are
/// several filters, for example `smmuv3_pmcg_5f320:0x42`. [`PerfName::device`] and [`PerfName::stream`] return the
/// parts.
pub fn label(device: Option<&str>, stream: Option<&str>) -> Option<String> {
    match (device, stream) {
        (Some(device), Some(stream)) => Some(format!("{device}{STREAM}{stream}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

/// The name of the cycle counter.
const CYCLES: &str = "CYCLES";

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(selection) => selection.fmt(f),
            Self::Cycles => f.write_str(CYCLES),
            Self::Other(id) => write!(f, "{id:#04x}"),
        }
    }
}

impl What {
    /// Unit of one count: `occurrences`, `cycles`, `beats`.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Event(selection) => selection.of.event.counted.word(),
            Self::Cycles => Counted::Cycles.word(),
            Self::Other(_) => "",
        }
    }

    /// Whether `self` and `other` are the same event at the same source.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Event(one), Self::Event(other)) => {
                std::ptr::eq(one.of.event, other.of.event) && one.source == other.source
            }
            (Self::Cycles, Self::Cycles) => true,
            (Self::Other(one), Self::Other(other)) => one == other,
            _ => false,
        }
    }

    /// Whether this is the clock of the PMU: its cycle counter, or the event that Linux uses as cycles.
    #[must_use]
    pub fn is_cycles(&self) -> bool {
        match self {
            Self::Cycles => true,
            Self::Event(selection) => {
                let is_generic = |alias: &arm_pmu_tables::Alias| {
                    alias.dialect() == Dialect::LinuxGeneric
                        && Some(alias.name) == generic::alias("cycles")
                };
                let is = |selection: &Selection| {
                    let event = selection.of.event;
                    event.name == CYCLES || event.aliases.iter().any(is_generic)
                };
                is(selection) || of_architecture(selection).is_some_and(|shared| is(&shared))
            }
            Self::Other(_) => false,
        }
    }
}

/// Formats the value of `name=`.
impl fmt::Display for PerfName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.", self.pmu_name())?;
        if let Some(label) = &self.label {
            write!(f, "{label}.")?;
        }
        self.what.fmt(f)
    }
}

impl PerfName {
    /// Name of an event of a known product.
    #[must_use]
    pub fn new(pmu: Pmu, label: Option<String>, what: What) -> Self {
        Self { pmu, label, what, is_any_pmcg: false }
    }

    /// Returns the name of the product's PMU, or the name that stands for any PMCG.
    #[must_use]
    pub fn pmu_name(&self) -> String {
        if self.is_any_pmcg { "SMMUv3 PMCG".to_owned() } else { self.pmu.to_string() }
    }

    /// Name of the PMU with its label: `mmu600:tbu smmuv3_pmcg_5f320`.
    #[must_use]
    pub fn labelled_pmu(&self) -> String {
        let label = self.label.as_ref().map(|label| format!(" {label}")).unwrap_or_default();
        self.pmu_name() + &label
    }

    /// Parses an event with its PMU in front.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (pmu, rest) = text.split_once('.')?;
        let pmu = Pmu::find(pmu)?;
        let (label, what) = match rest.rsplit_once('.') {
            Some((label, what)) => (Some(label.to_owned()), what),
            None => (None, rest),
        };
        Some(Self::new(pmu, label, What::read(pmu, what)?))
    }

    /// The PMU's kernel name, which the label contains.
    #[must_use]
    pub fn device(&self) -> Option<&str> {
        let label = self.label.as_deref()?;
        Some(label.split_once(STREAM).map_or(label, |(device, _)| device))
    }

    /// StreamIDs in the label.
    #[must_use]
    pub fn stream(&self) -> Option<&str> {
        self.label.as_deref()?.split_once(STREAM).map(|(_, stream)| stream)
    }

    /// Parses a kernel name of an event: `CCI_400_r1/si_rrq_hs_any,source=3/`, or `smmuv3_pmcg.transaction` from the
    /// event tables of `perf`.
    ///
    /// If several products share a PMU name, `given` selects one. The name of a PMCG contains neither product nor unit;
    /// without `given`, only the events of the architecture have names.
    pub fn read_kernel(text: &str, given: Option<Pmu>) -> Option<Self> {
        let (device, terms) = match text.split_once('/') {
            Some((device, rest)) => (device, rest.split_once('/')?.0),
            None => text.split_once('.').filter(|(device, _)| kernel::is_name_of_pmcg(device))?,
        };
        if kernel::is_name_of_pmcg(device) {
            let given = given.filter(|pmu| kernel::is_pmcg(*pmu));
            let pmu = given.or_else(kernel::any_pmcg)?;
            let what = match what_of_terms(pmu, terms)? {
                What::Event(of) if pmu.unit.is_none() && !of.of.event.architectural => {
                    What::Other(of.id())
                }
                what => what,
            };
            let label = device.starts_with(PMCG).then(|| device.to_owned());
            return Some(Self { is_any_pmcg: given.is_none(), ..Self::new(pmu, label, what) });
        }
        let named = KernelPmu::named(device).map(|known| known.pmu);
        let given = given.filter(|pmu| kernel::can_have_name(*pmu, device));
        let pmu = named.or(given)?;
        // perf also accepts generic names for events of a core.
        let generic = pmu.is_processor().then(|| Self::read_bare(terms, pmu)).flatten();
        let label = kernel::is_numbered(pmu).then(|| device.to_owned());
        generic.or_else(|| Some(Self::new(pmu, label, what_of_terms(pmu, terms)?)))
    }

    /// Parses an event name without a PMU, such as `S3:READ_REQUEST_ANY`. For a core, raw codes such as `r24` and
    /// generic names of `perf` are also accepted.
    #[must_use]
    pub fn read_bare(text: &str, pmu: Pmu) -> Option<Self> {
        let of = |what| Self::new(pmu, None, what);
        if let Some(what) = What::read(pmu, text) {
            return Some(of(what));
        }
        if !pmu.is_processor() {
            return None;
        }
        // `cycles:u` counts in user mode only.
        let name = text.split_once(':').map_or(text, |(name, _)| name);
        let raw = name.strip_prefix("r0x").or_else(|| name.strip_prefix('r'));
        if let Some(digits) = raw.filter(|digits| is_hexadecimal(digits)) {
            return Some(of(by_id(pmu, u32::from_str_radix(digits, 16).ok()?)));
        }
        let name = generic::alias(name).unwrap_or(name);
        let found = by_alias(pmu, name, &[Dialect::LinuxGeneric, Dialect::LinuxPerf]);
        // Linux uses the same event names on every core of an architecture; names in sysfs are in lower case.
        let of_architecture = || {
            let any = kernel::any_of_architecture(pmu)?;
            let named = |one: &Selection| one.of.event.name.to_lowercase() == name;
            match by_alias(any, name, &[Dialect::LinuxGeneric]) {
                Some(What::Event(one)) => pmu.selections().find(|own| own.id() == one.id()),
                _ => pmu.selections().find(named),
            }
        };
        let found = found.or_else(|| of_architecture().map(What::Event));
        found.map(of)
    }
}

impl What {
    /// Parses an event of this PMU: a name, a source and name, or an event id.
    fn read(pmu: Pmu, text: &str) -> Option<Self> {
        if let Some(digits) = text.strip_prefix("0x").filter(|digits| is_hexadecimal(digits)) {
            return Some(by_id(pmu, u32::from_str_radix(digits, 16).ok()?));
        }
        let mut all = pmu.find_events(text).filter_map(|found| match found {
            EventMatch { what: Matched::Event(of, source), by: FoundBy::Name, .. } => {
                let source = match of.group.sources {
                    [] => None,
                    [only] => Some(only),
                    _ => Some(source?),
                };
                // The alias `cycles` of `perf` does not mean the event `CYCLES` of an interconnect.
                text.ends_with(of.event.name).then_some(Self::Event(Selection { of, source }))
            }
            _ => None,
        });
        let event = all.next();
        if event.is_some() || text != CYCLES {
            return event;
        }
        pmu.ip.counters.cycles.is_some().then_some(Self::Cycles)
    }
}

fn is_hexadecimal(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Returns the architectural event with the same id, which all cores of the architecture share.
fn of_architecture(of: &Selection) -> Option<Selection> {
    let any = kernel::any_of_architecture(Pmu { ip: of.of.ip, unit: None })?;
    any.selections().find(|selection| selection.id() == of.id())
}

/// Returns the event with this id, or only the id if the tables lack the event.
pub fn by_id(pmu: Pmu, id: u32) -> What {
    pmu.selections().find(|selection| selection.id() == id).map_or(What::Other(id), What::Event)
}

fn by_alias(pmu: Pmu, name: &str, dialects: &[Dialect]) -> Option<What> {
    pmu.find_events(name).find_map(|found| match (found.what, found.by) {
        (Matched::Event(of, None), FoundBy::Alias(alias))
            if dialects.contains(&alias.dialect()) && of.group.sources.is_empty() =>
        {
            Some(What::Event(Selection { of, source: None }))
        }
        (Matched::Cycles(_), FoundBy::Alias(alias)) if dialects.contains(&alias.dialect()) => {
            Some(What::Cycles)
        }
        _ => None,
    })
}

/// The event selected by the terms between the slashes.
fn what_of_terms(pmu: Pmu, terms: &str) -> Option<What> {
    let (mut name, mut event, mut source, mut config) = (None, None, None, None);
    for term in terms.split(',') {
        match term.split_once('=') {
            None if !term.is_empty() && name.is_none() => name = Some(term),
            Some(("event", value)) => event = Some(number(value)?),
            Some(("source", value)) => source = Some(number(value)?),
            Some(("config", value)) => config = Some(number(value)?),
            // Other terms, such as filters, do not select the event.
            _ => {}
        }
    }
    let of_source = |source: Option<u32>| {
        move |selection: &Selection| {
            selection.source.is_none_or(|known| source.is_none_or(|source| source == known.id))
        }
    };
    if let Some(name) = name {
        if pmu.ip.counters.cycles.is_some() && name == "cycles" {
            return Some(What::Cycles);
        }
        let named = |selection: &Selection| {
            let mut aliases = selection.of.event.aliases.iter();
            aliases.any(|alias| alias.dialect() == Dialect::LinuxPerf && alias.name == name)
        };
        let mut all = pmu.selections().filter(named).filter(of_source(source));
        let first = all.next()?;
        // Without a source, several events match.
        let several = source.is_none()
            && first.source.is_some()
            && all.any(|other| other.of.event.name == first.of.event.name);
        return (!several).then_some(What::Event(first));
    }
    if let Some(code) = event {
        let id = pmu.ip.counters.id;
        let place = id.source.map_or(0, |bits| bits.low);
        let composed = code.checked_shl(id.code.low)? | source.unwrap_or(0).checked_shl(place)?;
        return Some(by_id(pmu, composed));
    }
    let config = config?;
    match pmu.ip.counters.cycles.as_ref() {
        Some(counter) if counter.code == Some(config) => Some(What::Cycles),
        _ => Some(by_id(pmu, config)),
    }
}

/// Describes the filters of a term or name: streams, and processor modes (`:u`, or `u` after a term).
#[must_use]
pub fn limits(text: &str) -> Vec<String> {
    let (terms, letters) = match text.split_once('/') {
        Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
        None => ("", text.split_once(':').map_or("", |(_, letters)| letters)),
    };
    let value = |key: &str| {
        let mut values =
            terms.split(',').filter_map(|term| term.strip_prefix(key)?.strip_prefix('='));
        values.next().and_then(any::number)
    };
    let mut limits = Vec::new();
    let whole = value("config1").unwrap_or(0);
    let id = value("filter_stream_id").unwrap_or(whole & 0xFFFF_FFFF);
    if value("filter_enable").unwrap_or(whole >> 33 & 1) == 1 {
        // With a span, the filter ignores the lowest bit that is 0, and all bits below it.
        let span = value("filter_span").unwrap_or(whole >> 32 & 1) == 1;
        let free = if span { id ^ (id + 1) } else { 0 };
        limits.push(match (id & !free, id | free) {
            (_, last) if span && last > 0xFFFF_FFFF => "every StreamID".to_owned(),
            (first, last) if first == last => format!("StreamID 0x{first:X} only"),
            (first, last) => format!("StreamIDs 0x{first:X} to 0x{last:X} only"),
        });
    }
    let modes = [('u', "user mode"), ('k', "the kernel"), ('h', "the hypervisor")];
    let modes: Vec<_> = modes.iter().filter(|(letter, _)| letters.contains(*letter)).collect();
    if !modes.is_empty() && letters.chars().all(|letter| "ukhpPSDWeGHIb".contains(letter)) {
        let modes: Vec<_> = modes.iter().map(|(_, mode)| *mode).collect();
        limits.push(format!("in {} only", modes.join(" and ")));
    }
    limits
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) if is_hexadecimal(digits) => u32::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_written_name_is_read_back() {
        let mut names = 0;
        for pmu in Pmu::all() {
            let cycles = pmu.ip.counters.cycles.is_some().then_some(What::Cycles);
            let all = pmu.selections().map(What::Event).chain(cycles).chain([What::Other(0xEDB)]);
            for (what, label) in
                all.flat_map(|what| [(what, None), (what, Some("smmuv3_pmcg_5f320".to_owned()))])
            {
                let name = PerfName::new(pmu, label, what).to_string();
                let plain =
                    |letter: char| letter.is_ascii_alphanumeric() || "_-:.".contains(letter);
                assert!(
                    name.starts_with(|first: char| first.is_ascii_alphabetic())
                        && name.chars().all(plain),
                    "{name}"
                );
                let read = PerfName::read(&name).unwrap_or_else(|| panic!("{name}"));
                assert_eq!(read.to_string(), name);
                assert_eq!(
                    std::mem::discriminant(&read.what),
                    std::mem::discriminant(&what),
                    "{name}"
                );
                names += 1;
            }
        }
        assert!(names > 2000, "{names}");
    }

    /// Each line has the kernel's name of an event, the given PMU, and the expected name. `names.tsv` of the command
    /// has more names. `-` means no name: the text lacks a source, or its PMU is unknown or shared by several products.
    const KERNEL: &str = "\
CCI_400_r1/config=0xff/ | - | cci400:r1.CYCLES
CCI_400_r1/event=0xa,source=3/ | - | cci400:r1.S3:READ_DATA_SNOOP_HIT
CCI_550/event=0x9,source=3/ | - | cci550.SI3:READ_DATA_SNOOP_HIT
CCI_550/cci_wrq/ | - | cci550.Global:GENERATED_WRITE
armv6_1176/config=0x24/ | - | arm11:arm1176.PROCEDURE_RETURN
smmuv3_pmcg_5f300/transaction,filter_enable=1/ | - | SMMUv3 PMCG.smmuv3_pmcg_5f300.TRANSACTION
smmuv3_pmcg_5f300/event=0x90/ | - | SMMUv3 PMCG.smmuv3_pmcg_5f300.0x90
smmuv3_pmcg_5f300/event=0x7/ | - | SMMUv3 PMCG.smmuv3_pmcg_5f300.ATS_TRANSLATED_TRANSACTION
smmuv3_pmcg.tlb_miss | - | SMMUv3 PMCG.TLB_MISS
armv8_cortex_a53/r17/ | - | cortex-a53.L2D_CACHE_REFILL
armv7_cortex_a8/cycles/ | - | cortex-a8.CYCLES
smmuv3_pmcg_5f300/page_walk/ | - | -
smmuv3_pmcg.page_walk | - | -
armv8_cortex_a720/instructions/ | - | -
armv8_pmuv3_0/l1d_cache/ | - | -
CCI/config=0x6a/ | - | -
cycles | - | -
a/ | - | -
/ | - | -
smmuv3_pmcg_5f300/event=0x90/ | mmu600:tcu | mmu600:tcu.smmuv3_pmcg_5f300.WALK_CACHE_READ
smmuv3_pmcg_5f300/event=0x84/ | mmu700 | mmu700.smmuv3_pmcg_5f300.0x84
smmuv3_pmcg_5f300/event=0x84/ | cci550 | SMMUv3 PMCG.smmuv3_pmcg_5f300.0x84
armv8_pmuv3_0/l1d_cache/ | cortex-a72 | cortex-a72.L1D_CACHE
armv8_pmuv3/branch-misses/k | cortex-a72 | cortex-a72.BR_MIS_PRED
CCI/config=0x6a/ | cci400:r0 | cci400:r0.S3:READ_DATA_SNOOP_HIT
CCI/config=0xff/ | cci400:r1 | cci400:r1.CYCLES
armv8_cortex_a53/r08/ | cortex-a72 | cortex-a53.INST_RETIRED
armv8_pmuv3_0/l1d_cache/ | cortex-a8 | -
armv8_pmuv3_x/l1d_cache/ | cortex-a72 | -
CCI/config=0x6a/ | cci550 | -
CCI_600/cycles/ | cci400:r1 | -
";

    #[test]
    fn kernel_names_are_parsed() {
        for line in KERNEL.lines() {
            let [text, given, name] = line.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let read = PerfName::read_kernel(text, Pmu::find(given)).map(|name| name.to_string());
            assert_eq!(read.as_deref().unwrap_or("-"), name, "{line}");
        }
    }
}
