//! Data for the script of a page, which encodes events and decodes registers: bit positions, and lines of text with
//! gaps for values.

use arm_pmu_lookup::kernel::is_pmcg;
use arm_pmu_lookup::perf::{LinuxPmu, Term, stat_command};
use arm_pmu_lookup::perf_name::What;
use arm_pmu_lookup::programming::{self, Write};
use arm_pmu_tables::{Bits, EventOf, Group, Ip, Location, Operands, Pmu, Register, Selection};
use serde::Serialize;

/// The PMUs of an IP.
#[derive(Debug, Serialize)]
pub struct Data {
    pmus: Vec<PmuData>,
    /// The registers that select events: one entry for each field with an event code.
    selects: Vec<Select>,
    /// The fields that tell which events exist.
    announces: Vec<Announce>,
}

/// A PMU: an IP or one of its units.
#[derive(Debug, Serialize)]
struct PmuData {
    name: String,
    title: &'static str,
    /// Number of digits of an event id.
    digits: usize,
    /// The lowest bit of the code, and of the source, in an event id.
    code: u32,
    source: u32,
    /// The writes for each counter.
    counters: Vec<Vec<WriteData>>,
    groups: Vec<GroupData>,
}

/// A write to a register.
#[derive(Debug, Serialize)]
struct WriteData {
    name: String,
    place: String,
    /// Bits that do not depend on the event.
    fixed: u64,
    /// Position of the code's lowest bit in the register; `source` is the position of the source's
    /// lowest bit.
    code: Option<u32>,
    source: Option<u32>,
    /// Mask of the bits that a write changes; `None` if the register has no other fields.
    mask: Option<String>,
    /// C, with `{value}`.
    c: String,
}

/// Events with the same sources.
#[derive(Debug, Serialize)]
struct GroupData {
    title: &'static str,
    sources: Vec<(&'static str, u32, &'static str)>,
    events: Vec<EventData>,
}

/// An event.
#[derive(Debug, Serialize)]
struct EventData {
    name: &'static str,
    code: u32,
    /// The Rust code that counts the event, with the placeholder `{source}`.
    rust: String,
    /// The command for Linux, with the placeholders `{source}` and `{number}`.
    perf: Option<String>,
}

/// A field for the code of an event.
#[derive(Debug, Serialize)]
struct Select {
    register: &'static str,
    /// The counter, if each counter has its own field.
    counter: Option<usize>,
    code: Bits,
    source: Option<Bits>,
}

/// A field whose bit n tells whether event `first` + n exists.
#[derive(Debug, Serialize)]
struct Announce {
    register: &'static str,
    bits: Bits,
    first: u32,
}

impl Data {
    /// The events of all PMUs of an IP.
    #[must_use]
    pub fn new(ip: &'static Ip) -> Self {
        let bits = |path| programming::resolve(ip, path).map(|(_, field)| field.bits);
        let source = ip.counters.source.as_ref().and_then(bits);
        let each = ip.counters.event.len() > 1;
        let selects = ip.counters.event.iter().zip(0..).filter_map(|(path, counter)| {
            let (register, counter) = (path.register, each.then_some(counter));
            Some(Select { register, counter, code: bits(path)?, source })
        });
        let announces = ip.registers.iter().flat_map(|register| {
            register.fields.iter().filter_map(|field| {
                Some(Announce {
                    register: register.name,
                    bits: field.bits,
                    first: field.events_from?,
                })
            })
        });
        Self {
            pmus: Pmu::all().filter(|pmu| pmu.ip.name == ip.name).map(PmuData::new).collect(),
            selects: selects.collect(),
            announces: announces.collect(),
        }
    }

    /// JSON that can be embedded in a page: it contains no character that has a meaning in XML.
    #[must_use]
    pub fn json(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
    }
}

impl PmuData {
    fn new(pmu: Pmu) -> Self {
        let id = pmu.ip.counters.id;
        let counter = |n| {
            let first = pmu.selections().next()?;
            Some(programming::writes(&first, n)?.iter().map(|of| write(pmu, &first, of)).collect())
        };
        Self {
            name: pmu.to_string(),
            title: pmu.unit.map_or(pmu.ip.title, |unit| unit.title),
            digits: id.width().div_ceil(4) as usize,
            code: id.code.low,
            source: id.source.map_or(0, |bits| bits.low),
            counters: (0..pmu.ip.counters.count).filter_map(counter).collect(),
            groups: pmu.groups().map(|group| of_group(pmu, group)).collect(),
        }
    }
}

fn of_group(pmu: Pmu, group: &'static Group) -> GroupData {
    let events = group.events.iter().filter(|event| pmu.has(event.only));
    let events = events.map(|event| {
        let of = EventOf { ip: pmu.ip, group, event };
        EventData { name: event.name, code: event.code, rust: rust(pmu, of), perf: perf(pmu, of) }
    });
    let source = |source: &arm_pmu_tables::Source| (source.name, source.id, source.title);
    GroupData {
        title: group.title,
        sources: group.sources.iter().map(source).collect(),
        events: events.collect(),
    }
}

/// Converts a register write to data for the page. `of` is a write that selects `first`. In
/// `fixed`, the bits that depend on the selection are 0.
fn write(pmu: Pmu, first: &Selection, of: &Write) -> WriteData {
    let low = |is: &dyn Fn(&str, &str) -> bool| {
        let field = of.fields.iter().find(|(field, _)| is(of.register.name, field.name));
        field.map(|(field, _)| field.bits.low)
    };
    let counters = &pmu.ip.counters;
    let code = low(&|register, field| {
        counters.event.iter().any(|path| path.register == register && path.field == field)
    });
    let source = low(&|register, field| {
        counters.source.is_some_and(|path| path.register == register && path.field == field)
    });
    let of_event = code.map_or(0, |low| u64::from(first.of.event.code) << low)
        | source.zip(first.source).map_or(0, |(low, source)| u64::from(source.id) << low);
    let (place, c) = place(pmu, of);
    WriteData {
        name: of.name(),
        place,
        fixed: of.value() & !of_event,
        code,
        source,
        mask: of.has_other_fields().then(|| format!("0x{:08X}", of.mask())),
        c,
    }
}

/// The address of a register, and C that writes it.
pub fn place(pmu: Pmu, of: &Write) -> (String, String) {
    let mask = of.has_other_fields().then(|| format!("0x{:08X}u", of.mask()));
    // C code with the instructions that read and write a core's register.
    let of_core = |word, load, store| {
        let suffix = if word == "uint64_t" { "lu" } else { "u" };
        let assign = if of.has_other_fields() {
            let mask = of.mask();
            format!(
                "{word} v; __asm__ volatile(\"{load}\" : \"=r\"(v)); v = (v & ~0x{mask:08X}{suffix}) | {{value}}u;"
            )
        } else {
            format!("{word} v = {{value}}u;")
        };
        format!("{{ {assign} __asm__ volatile(\"{store}\" :: \"r\"(v)); }}")
    };
    match of.register.location {
        Location::Cp15 { operands, .. } => {
            let Operands { opc1, crn, crm, opc2, .. } = operands;
            let place = format!("p15, {opc1}, %0, c{crn}, c{crm}, {opc2}");
            let c = of_core("uint32_t", format!("mrc {place}"), format!("mcr {place}"));
            (format!("MCR {operands}"), c)
        }
        Location::System { register, .. } => {
            let name = register.plus(of.element.unwrap_or(0));
            let c = of_core("uint64_t", format!("mrs %0, {name}"), format!("msr {name}, %0"));
            (format!("MSR {name}"), c)
        }
        Location::Memory { page, .. } => {
            let own = of.register.offset(of.element.unwrap_or(0)).unwrap_or(0);
            let base = page.and_then(|page| pmu.unit?.page_offset(page)).unwrap_or(0);
            let address = format!("*(volatile uint32_t *)(base + 0x{:X})", base + own);
            let c = match mask {
                None => format!("{address} = {{value}}u;"),
                Some(mask) => format!("{address} = ({address} & ~{mask}) | {{value}}u;"),
            };
            let page = page.map_or(String::new(), |page| format!(", 0x{own:X} of {page}"));
            (format!("base + 0x{:X}{page}", base + own), c)
        }
        _ => (String::new(), String::new()),
    }
}

/// Returns Rust code such as `cci550::SI3.event(cci550::SlaveEvent::ReadDataSnoopHit)`, with a gap
/// in place of the source.
pub fn rust(pmu: Pmu, of: EventOf) -> String {
    let all = arm_pmu_lookup::words::rust_event(of);
    // Each core has its own enum.
    let nth = of.units().position(|unit| pmu.unit.is_some_and(|own| own.name == unit.name));
    let path = all.get(nth.unwrap_or(0)).or(all.first()).cloned().unwrap_or_default();
    if of.group.sources.is_empty() {
        return path;
    }
    // A source is in the module that contains the enum of the events: `cci400::r0::S3`.
    let module = path.rsplitn(3, "::").nth(2).unwrap_or_default();
    format!("{module}::{{source}}.event({path})")
}

/// Under Linux, each SMMU PMU has a different name. The reader of the page replaces each X.
const PMCG: &str = "smmuv3_pmcg_XXXXX";

/// The command `perf stat` for an event, with a placeholder where the reader selects the source;
/// `None` if Linux has no such PMU.
#[must_use]
pub fn perf(pmu: Pmu, of: EventOf) -> Option<String> {
    let first = of.selections().next()?;
    let name = format!("{pmu}.{{source}}:{}", of.event.name);
    perf_with(pmu, &first, |term| Term {
        source: term.source.map(|_| "{number}".to_owned()),
        name: if first.source.is_some() { name } else { term.name },
        ..term
    })
}

/// The command `perf stat` for a selection.
#[must_use]
pub fn perf_of(pmu: Pmu, selection: &Selection) -> Option<String> {
    perf_with(pmu, selection, |term| term)
}

fn perf_with(pmu: Pmu, selection: &Selection, change: impl FnOnce(Term) -> Term) -> Option<String> {
    let linux = LinuxPmu::new(pmu, is_pmcg(pmu).then_some(PMCG)).ok()?;
    let term = linux.term(What::Event(*selection), None).ok()?;
    Some(stat_command(&linux, &[vec![change(term).into()]], &[]))
}

/// Returns values to decode: the reset values, the first and the last selection, a value with only
/// bits 31 and 0 set, and a value with all bits set.
#[must_use]
pub fn examples(pmu: Pmu, register: &'static Register) -> Vec<u64> {
    let mut values: Vec<u64> = register.resets.iter().filter_map(|reset| reset.value).collect();
    let selections: Vec<_> = pmu.selections().collect();
    for selection in selections.first().into_iter().chain(selections.last()) {
        for write in programming::writes(selection, 0).into_iter().flatten() {
            if std::ptr::eq(write.register, register) {
                values.push(write.value());
            }
        }
    }
    values.push(0x8000_0001);
    values.push(u64::MAX >> (64 - register.width));
    values
}
