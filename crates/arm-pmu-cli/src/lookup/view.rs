//! Documents that `--json` prints. `schema/` has the JSON Schema of each document; `schemas.rs` generates them.

use arm_pmu_lookup::decode;
use arm_pmu_lookup::programming;
use arm_pmu_lookup::words;
use arm_pmu_tables as tables;
use arm_pmu_tables::{EventOf, Location, MetricOf, Origin, Pmu, UnavailableOf};
use serde::Serialize;

use crate::base::documents::documents;

documents! {
    derive(Debug, PartialEq, Serialize)

    /// Output of `arm-pmu list --json`.
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
        /// Register of the cycle counter; null without one.
        cycle_counter: Option<&'static str>,
        events: usize,
    }

    /// A PMU, a core or a revision of a product.
    UnitRow {
        name: &'static str,
        title: &'static str,
    }

    /// Output of `arm-pmu platform --json`. With a name, the output is a platform of the tables.
    ListOfPlatforms {
        platforms: Vec<PlatformRow>,
    }

    /// A system on chip.
    PlatformRow {
        name: &'static str,
        title: &'static str,
        vendor: &'static str,
        /// Further names: of the chip, of other boards.
        also: &'static [&'static str],
        pmus: Vec<PlatformPmu>,
    }

    /// A PMU of a platform.
    PlatformPmu {
        name: &'static str,
        ip: &'static str,
        /// Unit; null if unknown.
        unit: Option<&'static str>,
        /// Product of cores; null if it follows from the IP.
        core: Option<&'static str>,
        /// Base address; null in a core.
        base: Option<u64>,
    }

    /// Output of `arm-pmu list IP --json`.
    List {
        /// IP and unit.
        pmu: String,
        title: &'static str,
        groups: Vec<Group>,
        events: Vec<Event>,
        registers: Vec<Register>,
        metrics: Vec<Metric>,
    }

    /// Events with the same kind of source.
    Group {
        name: &'static str,
        title: &'static str,
        unit: Option<&'static str>,
        sources: Vec<Source>,
    }

    /// A source of events, such as an interface.
    Source {
        name: &'static str,
        id: u32,
        title: &'static str,
    }

    /// Output of `arm-pmu show --json`.
    Show {
        /// IP and unit.
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
        /// Units with the event if only some have it; empty if all have it, or without units.
        units: Vec<&'static str>,
        /// `occurrences`, `cycles` or `beats`.
        counts: &'static str,
        doc: &'static str,
        note: Option<&'static str>,
        attributes: Vec<&'static str>,
        /// Enum variants in the crate of the IP; one for each unit with its own variant.
        rust: Vec<String>,
        ids: Vec<Id>,
        aliases: Vec<Alias>,
        /// Names of metrics that use the event.
        metrics: Vec<&'static str>,
        origin: Origin,
    }

    /// The number that selects an event at a source.
    Id {
        source: Option<&'static str>,
        id: u32,
        /// Bit of EVNTBUS, if known.
        evntbus: Option<u32>,
    }

    /// Name in another program.
    Alias {
        name: &'static str,
        program: &'static str,
        repository: &'static str,
        path: &'static str,
        commit: &'static str,
    }

    /// The cycle counter.
    CycleCounter {
        register: &'static str,
        /// Event number of the cycle counter in other programs.
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
        /// Width in bits: 32 or 64.
        width: u32,
        /// `rw`, `ro`, `wo`, `w1`, `w1c` or `w1s`.
        access: &'static str,
        /// Units with the register, if only some have it; empty if all have it.
        units: Vec<&'static str>,
        /// Offset of a memory-mapped register from the base of the IP or page.
        offset: Option<u32>,
        page: Option<&'static str>,
        /// Number of array elements; 1 for a single register.
        count: u32,
        stride: u32,
        /// Operands of MRC and MCR: `p15, 0, c9, c12, 0`.
        cp15: Option<String>,
        /// Name in MRS and MSR: `S3_3_C9_C12_0`; for an array, of the first element.
        sysreg: Option<String>,
        resets: Vec<Reset>,
        fields: Vec<Field>,
        reserved: Vec<Reserved>,
        rust: &'static str,
        origin: Origin,
    }

    /// Value after reset.
    Reset {
        unit: Option<&'static str>,
        value: Option<u64>,
    }

    /// A field of a register.
    Field {
        name: &'static str,
        high: u32,
        low: u32,
        access: &'static str,
        doc: &'static str,
        aliases: Vec<&'static str>,
        units: Vec<&'static str>,
        /// Array elements with the field, if only some have it; empty if all have it.
        elements: Vec<u32>,
        origin: Origin,
    }

    /// Bits outside of all fields.
    Reserved {
        high: u32,
        low: u32,
        /// Required value: `zero`, `sbz`, `sbzp` or `one`.
        rule: &'static str,
    }

    /// A metric, computed from counts.
    Metric {
        name: &'static str,
        group: &'static str,
        /// Unit of the metric's group; null if all units have it.
        unit: Option<&'static str>,
        /// Unit of the value: `percent`, `per_thousand`, `ratio`, `occurrences` or `bytes`.
        measure: &'static str,
        /// Topics: `stat -m` counts all metrics of a topic.
        topics: &'static [&'static str],
        formula: &'static str,
        /// Names of events, or `cycles`.
        inputs: Vec<&'static str>,
        arguments: Vec<Argument>,
        doc: &'static str,
        caveat: Option<&'static str>,
        rust: String,
        origin: Origin,
    }

    /// Input of a formula that is not a count.
    Argument {
        name: &'static str,
        doc: &'static str,
    }

    /// A metric that cannot be computed from events.
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

    /// Output of `arm-pmu find --json`.
    Find {
        /// Hits, best first.
        hits: Vec<Hit>,
    }

    /// An entry that matches.
    Hit {
        /// IP, with the unit if only some units have the entry.
        pmu: String,
        /// Kind of entry: `event`, `counter`, `metric`, `unavailable`, `register`, `finding` or `platform`.
        kind: &'static str,
        name: &'static str,
        /// Group of an event or metric.
        group: Option<&'static str>,
        /// Code of an event.
        code: Option<u32>,
        /// Matching name in another program.
        alias: Option<&'static str>,
        doc: &'static str,
    }

    /// Output of `arm-pmu encode --json`.
    Encode {
        /// IP and unit.
        pmu: String,
        events: Vec<Encoded>,
    }

    /// An event on a counter.
    Encoded {
        /// Event such as `SI3:READ_DATA_SNOOP_HIT`.
        event: String,
        id: u32,
        counter: u32,
        /// Register writes in the required order.
        writes: Vec<Write>,
    }

    /// A value to write to a register.
    Write {
        /// Register such as `EVENT_SELECT[3]`.
        register: String,
        value: u64,
        /// Bits to replace. All other bits must be kept.
        mask: u64,
        fields: Vec<FieldValue>,
    }

    /// A value of a field.
    FieldValue {
        name: &'static str,
        value: u64,
    }

    /// Output of `arm-pmu decode --json`.
    Decode {
        /// IP and unit.
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

/// Document of an event, at one source if `only` is given.
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

/// Metrics that use an event.
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
        topics: of.metric.topics,
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
