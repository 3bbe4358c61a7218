//! What `--json` prints. `schema/` has the JSON Schema of each document; a test below makes them again.

use arm_pmu_lookup::decode;
use arm_pmu_lookup::programming;
use arm_pmu_lookup::words;
use arm_pmu_tables as tables;
use arm_pmu_tables::{EventOf, Location, MetricOf, Origin, Pmu, UnavailableOf};
use serde::Serialize;

use crate::base::documents::documents;

documents! {
    derive(Debug, PartialEq, Serialize)

    /// `arm-pmu list`
    ListOfIps {
        ips: Vec<IpRow>,
    }

    /// A product.
    IpRow {
        name: &'static str,
        title: &'static str,
        manual: &'static str,
        units: Vec<UnitRow>,
        counters: u32,
        counter_bits: u32,
        /// The register that counts cycles, if there is one.
        cycle_counter: Option<&'static str>,
        events: usize,
    }

    /// A PMU, a core or a revision of a product.
    UnitRow {
        name: &'static str,
        title: &'static str,
    }

    /// `arm-pmu platform`; of one, it has everything in the tables.
    ListOfPlatforms {
        platforms: Vec<PlatformRow>,
    }

    /// A system on chip.
    PlatformRow {
        name: &'static str,
        title: &'static str,
        vendor: &'static str,
        pmus: Vec<PlatformPmu>,
    }

    /// A PMU of it.
    PlatformPmu {
        name: &'static str,
        ip: &'static str,
        /// Null if it is not known.
        unit: Option<&'static str>,
        /// Null in a core.
        base: Option<u64>,
    }

    /// `arm-pmu list IP`
    List {
        /// The IP, with its unit.
        pmu: String,
        title: &'static str,
        groups: Vec<Group>,
        events: Vec<Event>,
        registers: Vec<Register>,
        metrics: Vec<Metric>,
    }

    /// Events of one kind of source.
    Group {
        name: &'static str,
        title: &'static str,
        unit: Option<&'static str>,
        sources: Vec<Source>,
    }

    /// What signals events.
    Source {
        name: &'static str,
        id: u32,
        title: &'static str,
    }

    /// `arm-pmu show`
    Show {
        /// The IP, with its unit.
        pmu: String,
        registers: Vec<Register>,
        events: Vec<Event>,
        cycle_counter: Option<CycleCounter>,
        metrics: Vec<Metric>,
        unavailable: Vec<Unavailable>,
        findings: Vec<Finding>,
    }

    /// An event.
    Event {
        name: &'static str,
        code: u32,
        group: &'static str,
        /// The only units that have it; empty if the IP has no units.
        units: Vec<&'static str>,
        /// `occurrences`, `cycles` or `beats`.
        counts: &'static str,
        doc: &'static str,
        note: Option<&'static str>,
        attributes: Vec<&'static str>,
        /// Its variant in the crate of the IP; one for each unit that has its own.
        rust: Vec<String>,
        ids: Vec<Id>,
        aliases: Vec<Alias>,
        /// The metrics that are computed from it.
        metrics: Vec<&'static str>,
        origin: Origin,
    }

    /// The number that selects an event at a source.
    Id {
        source: Option<&'static str>,
        id: u32,
        /// Its bit of EVNTBUS, if known.
        evntbus: Option<u32>,
    }

    /// A name in another program.
    Alias {
        name: &'static str,
        program: &'static str,
        repository: &'static str,
        path: &'static str,
        commit: &'static str,
    }

    /// The counter of cycles.
    CycleCounter {
        register: &'static str,
        /// The number that other programs give it in the place of a code.
        code: Option<u32>,
        aliases: Vec<Alias>,
    }

    /// A register or an array of registers.
    Register {
        name: &'static str,
        aliases: Vec<&'static str>,
        title: &'static str,
        doc: &'static str,
        note: Option<&'static str>,
        /// 32 or 64 bits.
        width: u32,
        /// `rw`, `ro`, `wo`, `w1`, `w1c` or `w1s`.
        access: &'static str,
        /// The only units that have it; empty if all have it.
        units: Vec<&'static str>,
        /// In memory, from the base of the IP or of the page.
        offset: Option<u32>,
        page: Option<&'static str>,
        /// Number of elements; 1 if it is no array.
        count: u32,
        stride: u32,
        /// The operands of MRC and MCR: `p15, 0, c9, c12, 0`.
        cp15: Option<String>,
        /// The encoding in MRS and MSR: `S3_3_C9_C12_0`; for an array, the first element's.
        sysreg: Option<String>,
        resets: Vec<Reset>,
        fields: Vec<Field>,
        reserved: Vec<Reserved>,
        rust: &'static str,
        origin: Origin,
    }

    /// The value after reset.
    Reset {
        unit: Option<&'static str>,
        value: Option<u64>,
    }

    /// A field.
    Field {
        name: &'static str,
        high: u32,
        low: u32,
        access: &'static str,
        doc: &'static str,
        aliases: Vec<&'static str>,
        units: Vec<&'static str>,
        /// The only elements of an array that have it; empty if all have it.
        elements: Vec<u32>,
        origin: Origin,
    }

    /// Bits in no field.
    Reserved {
        high: u32,
        low: u32,
        /// `zero`, `sbz`, `sbzp` or `one`.
        rule: &'static str,
    }

    /// A figure that is computed from counts.
    Metric {
        name: &'static str,
        group: &'static str,
        /// The unit of its group; null if all units have it.
        unit: Option<&'static str>,
        /// `percent`, `ratio`, `occurrences` or `bytes`.
        measure: &'static str,
        formula: &'static str,
        /// Events, and `cycles`.
        inputs: Vec<&'static str>,
        arguments: Vec<Argument>,
        doc: &'static str,
        caveat: Option<&'static str>,
        rust: String,
        origin: Origin,
    }

    /// Inputs of a formula besides counts.
    Argument {
        name: &'static str,
        doc: &'static str,
    }

    /// A figure that no events give.
    Unavailable {
        name: &'static str,
        group: &'static str,
        doc: &'static str,
        reason: &'static str,
        origin: Origin,
    }

    /// A reason why counters read zero.
    Finding {
        name: &'static str,
        cause: &'static str,
        read: &'static str,
        expected: &'static str,
        fix: &'static str,
        fixable_by: &'static str,
        ambiguous: bool,
        units: Vec<&'static str>,
        origin: Origin,
    }

    /// `arm-pmu find`
    Find {
        /// The best first.
        hits: Vec<Hit>,
    }

    /// Something that was found.
    Hit {
        /// The IP, with the unit if not all units have it.
        pmu: String,
        /// `event`, `counter`, `metric`, `unavailable`, `register`, `finding` or `platform`.
        kind: &'static str,
        name: &'static str,
        /// The group of an event or metric.
        group: Option<&'static str>,
        /// The code of an event.
        code: Option<u32>,
        /// The matching name in another program.
        alias: Option<&'static str>,
        doc: &'static str,
    }

    /// `arm-pmu encode`
    Encode {
        /// The IP, with its unit.
        pmu: String,
        events: Vec<Encoded>,
    }

    /// An event on a counter.
    Encoded {
        /// `SI3:READ_DATA_SNOOP_HIT`.
        event: String,
        id: u32,
        counter: u32,
        /// In this order.
        writes: Vec<Write>,
    }

    /// A value for a register.
    Write {
        /// `EVENT_SELECT[3]`.
        register: String,
        value: u64,
        /// The bits that belong to the value. All others are kept.
        mask: u64,
        fields: Vec<FieldValue>,
    }

    /// A value of a field.
    FieldValue {
        name: &'static str,
        value: u64,
    }

    /// `arm-pmu decode`
    Decode {
        /// The IP, with its unit.
        pmu: String,
        values: Vec<decode::Decoded>,
    }

}

pub fn group(group: &'static tables::Group) -> Group {
    let source =
        |source: &tables::Source| Source { name: source.name, id: source.id, title: source.title };
    Group {
        name: group.name,
        title: group.title,
        unit: group.unit,
        sources: group.sources.iter().map(source).collect(),
    }
}

fn aliases(pmu: Pmu, all: &'static [tables::Alias]) -> Vec<Alias> {
    let unit = pmu.unit.map(|unit| unit.name);
    let alias = |alias: &'static tables::Alias| Alias {
        name: alias.name,
        program: alias.dialect().word(),
        repository: alias.source.repository,
        path: alias.source.path,
        commit: alias.source.commit,
    };
    all.iter().filter(|alias| alias.is_of(unit)).map(alias).collect()
}

/// An event, at one source if `source` is given.
pub fn event(pmu: Pmu, of: EventOf, only: Option<&tables::Source>) -> Event {
    let selections = of.selections();
    let selections =
        selections.filter(|one| only.is_none() || one.source.map(|s| s.id) == only.map(|s| s.id));
    let id = |one: tables::Selection| Id {
        source: one.source.map(|source| source.name),
        id: one.id(),
        evntbus: one.evntbus(),
    };
    Event {
        name: of.event.name,
        code: of.event.code,
        group: of.group.name,
        units: of.units().map(|unit| unit.name).collect(),
        counts: of.event.counted.word(),
        doc: of.event.doc,
        note: of.event.note,
        attributes: of.event.attributes().collect(),
        rust: words::rust_event(of),
        ids: selections.map(id).collect(),
        aliases: aliases(pmu, of.event.aliases),
        metrics: metrics_of(pmu, of).map(|metric| metric.metric.name).collect(),
        origin: of.event.origin,
    }
}

/// The metrics that are computed from an event.
pub fn metrics_of(pmu: Pmu, of: EventOf) -> impl Iterator<Item = MetricOf> {
    pmu.metrics().filter(move |metric| {
        metric.inputs().flatten().any(|input| std::ptr::eq(input.event, of.event))
    })
}

pub fn cycle_counter(pmu: Pmu, counter: &'static tables::CycleCounter) -> CycleCounter {
    CycleCounter {
        register: counter.register,
        code: counter.code,
        aliases: aliases(pmu, counter.aliases),
    }
}

pub fn register(register: &'static tables::Register) -> Register {
    let (page, stride) = match register.location {
        Location::Memory { page, stride, .. } => (page, stride),
        _ => (None, 0),
    };
    let cp15 = match register.location {
        Location::Cp15 { operands, .. } => Some(operands.to_string()),
        _ => None,
    };
    let sysreg = match register.location {
        Location::System { register, .. } => Some(register.to_string()),
        _ => None,
    };
    let field = |field: &tables::Field| Field {
        name: field.name,
        high: field.bits.high,
        low: field.bits.low,
        access: field.access.word(),
        doc: field.doc,
        aliases: field.aliases.to_vec(),
        units: field.only.to_vec(),
        elements: field.elements.to_vec(),
        origin: field.origin,
    };
    let reserved = |reserved: &tables::ReservedBits| Reserved {
        high: reserved.bits.high,
        low: reserved.bits.low,
        rule: reserved.reserved.word(),
    };
    Register {
        name: register.name,
        aliases: register.aliases.to_vec(),
        title: register.title,
        doc: register.doc,
        note: register.note,
        width: register.width,
        access: register.access.word(),
        units: register.only.to_vec(),
        offset: register.offset(0),
        page,
        count: register.count(),
        stride,
        cp15,
        sysreg,
        resets: register.resets.iter().map(|r| Reset { unit: r.unit, value: r.value }).collect(),
        fields: register.fields.iter().map(field).collect(),
        reserved: register.reserved.iter().map(reserved).collect(),
        rust: register.rust,
        origin: register.origin,
    }
}

pub fn metric(of: MetricOf) -> Metric {
    let input = |input: &tables::Input| match *input {
        tables::Input::Event(name) => name,
        _ => "cycles",
    };
    let argument =
        |argument: &tables::Argument| Argument { name: argument.name, doc: argument.doc };
    Metric {
        name: of.metric.name,
        group: of.group.name,
        unit: of.group.unit,
        measure: of.metric.measure.word(),
        formula: of.metric.formula,
        inputs: of.metric.inputs.iter().map(input).collect(),
        arguments: of.metric.arguments.iter().map(argument).collect(),
        doc: of.metric.doc,
        caveat: of.metric.caveat,
        rust: words::rust_metric(of.ip, of.group, of.metric.rust),
        origin: of.metric.origin,
    }
}

pub fn unavailable(of: UnavailableOf) -> Unavailable {
    Unavailable {
        name: of.figure.name,
        group: of.group.name,
        doc: of.figure.doc,
        reason: of.figure.reason,
        origin: of.figure.origin,
    }
}

pub fn finding(finding: &'static tables::Finding) -> Finding {
    Finding {
        name: finding.name,
        cause: finding.cause,
        read: finding.read,
        expected: finding.expected,
        fix: finding.fix,
        fixable_by: finding.fixable_by.word(),
        ambiguous: finding.ambiguous,
        units: finding.only.to_vec(),
        origin: finding.origin,
    }
}

pub fn write(write: &programming::Write) -> Write {
    let field = |(field, value): &(&'static tables::Field, u32)| FieldValue {
        name: field.name,
        value: u64::from(*value),
    };
    Write {
        register: write.name(),
        value: write.value(),
        mask: write.mask(),
        fields: write.fields.iter().map(field).collect(),
    }
}
