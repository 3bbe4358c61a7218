//! Documents that `--json` prints. `schema/` has the JSON Schema of each document; `schemas.rs` generates them.

use arm_pmu_lookup::perf_name::What;
use arm_pmu_lookup::{decode, programming, words};
use arm_pmu_tables as tables;
use arm_pmu_tables::platform::Instance;
use arm_pmu_tables::{EventOf, Location, MetricOf, Origin, Pmu, Selection, UnavailableOf};
use serde::Serialize;

use crate::base::arguments::Kinds;
use crate::base::documents::documents;

documents! {
    derive(Clone, Debug, PartialEq, Serialize)

    /// Output of `arm-pmu list --json`.
    ListOfIps {
        ips: Vec<IpRow>,
    }

    /// A product.
    IpRow(ip: &'static tables::Ip) {
        name: &'static str = ip.name,
        title: &'static str = ip.title,
        manual: &'static str = ip.manual.id,
        units: Vec<UnitRow> = each(ip.units, UnitRow::new),
        counters: u32 = ip.counters.count,
        counter_bits: u32 = ip.counters.bits,
        /// Register of the cycle counter; null without one.
        cycle_counter: Option<&'static str> = ip.counters.cycles.map(|cycles| cycles.register),
        events: usize = Pmu { ip, unit: None }.events().count(),
    }

    /// A PMU, a core or a revision of a product.
    UnitRow(unit: &'static tables::Unit) {
        name: &'static str = unit.name,
        title: &'static str = unit.title,
    }

    /// Output of `arm-pmu platform --json`. If the command names a platform, the output is the
    /// platform's entry in the tables.
    ListOfPlatforms {
        platforms: Vec<PlatformRow>,
    }

    /// A system on chip.
    PlatformRow(platform: &tables::Platform) {
        name: &'static str = platform.name,
        title: &'static str = platform.title,
        vendor: &'static str = platform.vendor,
        /// Further names: the chip and other boards.
        also: &'static [&'static str] = platform.also,
        pmus: Vec<PlatformPmu> = each(platform.instances, PlatformPmu::new),
    }

    /// A PMU of a platform.
    PlatformPmu(instance: &Instance) {
        name: &'static str = instance.name,
        ip: &'static str = instance.ip.value,
        /// Unit; null if unknown.
        unit: Option<&'static str> = instance.unit.map(|unit| unit.value),
        /// Product of cores; null if it follows from the IP.
        core: Option<&'static str> = instance.core,
        /// Base address; null without memory-mapped registers.
        base: Option<u64> = instance.base.map(|base| base.value),
    }

    /// Output of `arm-pmu list IP --json`.
    List(pmu: Pmu, kinds: Kinds) {
        /// IP and unit.
        pmu: String = pmu.to_string(),
        title: &'static str = pmu.unit.map_or(pmu.ip.title, |unit| unit.title),
        groups: Vec<Group> = pmu.groups().map(Group::new).collect(),
        events: Vec<Event> =
            pmu.events().filter(|_| kinds.events).map(|of| Event::new(pmu, of, None)).collect(),
        registers: Vec<Register> =
            pmu.registers().filter(|_| kinds.registers).map(Register::new).collect(),
        metrics: Vec<Metric> = pmu.metrics().filter(|_| kinds.metrics).map(Metric::new).collect(),
    }

    /// Events with the same kind of source.
    Group(group: &'static tables::Group) {
        name: &'static str = group.name,
        title: &'static str = group.title,
        unit: Option<&'static str> = group.unit,
        sources: Vec<Source> = each(group.sources, Source::new),
    }

    /// A source of events, such as an interface.
    Source(source: &'static tables::Source) {
        name: &'static str = source.name,
        id: u32 = source.id,
        title: &'static str = source.title,
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
    Event(pmu: Pmu, of: EventOf, only: Option<&tables::Source>) {
        name: &'static str = of.event.name,
        code: u32 = of.event.code,
        group: &'static str = of.group.name,
        /// Units that have the event; empty if all units have it, or if the IP has no units.
        units: Vec<&'static str> = of.units().map(|unit| unit.name).collect(),
        /// `occurrences`, `cycles` or `beats`.
        counts: &'static str = of.event.counted.word(),
        doc: &'static str = of.event.doc,
        note: Option<&'static str> = of.event.note,
        attributes: Vec<&'static str> = of.event.attributes().collect(),
        /// Enum variants of the event in the IP's crate: one for each unit that has its own
        /// variant.
        rust: Vec<String> = words::rust_event(of),
        ids: Vec<Id> = selections(of, only).map(Id::new).collect(),
        aliases: Vec<Alias> = aliases(pmu, of.event.aliases).map(Alias::new).collect(),
        /// Names of metrics that use the event.
        metrics: Vec<&'static str> = metrics_of(pmu, of).map(|of| of.metric.name).collect(),
        origin: Origin = of.event.origin,
    }

    /// The number that selects an event at a source.
    Id(one: Selection) {
        source: Option<&'static str> = one.source.map(|source| source.name),
        id: u32 = one.id(),
        /// Bit of EVNTBUS, if known.
        evntbus: Option<u32> = one.evntbus(),
    }

    /// Name in another program.
    Alias(alias: &'static tables::Alias) {
        name: &'static str = alias.name,
        program: &'static str = alias.dialect().word(),
        repository: &'static str = alias.source.repository,
        path: &'static str = alias.source.path,
        commit: &'static str = alias.source.commit,
    }

    /// The cycle counter.
    CycleCounter(pmu: Pmu, counter: &'static tables::CycleCounter) {
        register: &'static str = counter.register,
        /// Event number by which other programs select the cycle counter.
        code: Option<u32> = counter.code,
        aliases: Vec<Alias> = aliases(pmu, counter.aliases).map(Alias::new).collect(),
    }

    /// A register or an array of registers.
    Register(register: &'static tables::Register) {
        name: &'static str = register.name,
        aliases: Vec<&'static str> = register.aliases.to_vec(),
        title: &'static str = register.title,
        doc: &'static str = register.doc,
        note: Option<&'static str> = register.note,
        /// Width in bits: 32 or 64.
        width: u32 = register.width,
        /// `rw`, `ro`, `wo`, `w1`, `w1c` or `w1s`.
        access: &'static str = register.access.word(),
        /// Units with the register, if only some have it; empty if all have it.
        units: Vec<&'static str> = register.only.to_vec(),
        /// Offset of a memory-mapped register from the base of the IP or page.
        offset: Option<u32> = register.offset(0),
        page: Option<&'static str> = match register.location {
            Location::Memory { page, .. } => page,
            _ => None,
        },
        /// Number of array elements; 1 for a single register.
        count: u32 = register.count(),
        stride: u32 = match register.location {
            Location::Memory { stride, .. } => stride,
            _ => 0,
        },
        /// Operands of MRC and MCR: `p15, 0, c9, c12, 0`.
        cp15: Option<String> = match register.location {
            Location::Cp15 { operands, .. } => Some(operands.to_string()),
            _ => None,
        },
        /// Name in MRS and MSR: `S3_3_C9_C12_0`; for an array, the name of the first element.
        sysreg: Option<String> = match register.location {
            Location::System { register, .. } => Some(register.to_string()),
            _ => None,
        },
        resets: Vec<Reset> = each(register.resets, Reset::new),
        fields: Vec<Field> = each(register.fields, Field::new),
        reserved: Vec<Reserved> = each(register.reserved, Reserved::new),
        rust: &'static str = register.rust,
        origin: Origin = register.origin,
    }

    /// Value after reset.
    Reset(reset: &tables::Reset) {
        unit: Option<&'static str> = reset.unit,
        value: Option<u64> = reset.value,
    }

    /// A field of a register.
    Field(field: &tables::Field) {
        name: &'static str = field.name,
        high: u32 = field.bits.high,
        low: u32 = field.bits.low,
        access: &'static str = field.access.word(),
        doc: &'static str = field.doc,
        aliases: Vec<&'static str> = field.aliases.to_vec(),
        units: Vec<&'static str> = field.only.to_vec(),
        /// Array elements with the field, if only some have it; empty if all have it.
        elements: Vec<u32> = field.elements.to_vec(),
        origin: Origin = field.origin,
    }

    /// Bits outside of all fields.
    Reserved(of: &tables::ReservedBits) {
        high: u32 = of.bits.high,
        low: u32 = of.bits.low,
        /// Required value: `zero`, `sbz`, `sbzp` or `one`.
        rule: &'static str = of.reserved.word(),
    }

    /// A metric, computed from counts.
    Metric(of: MetricOf) {
        name: &'static str = of.metric.name,
        group: &'static str = of.group.name,
        /// Unit of the metric's group; null if all units have it.
        unit: Option<&'static str> = of.group.unit,
        /// Unit of the value: `percent`, `per_thousand`, `ratio`, `occurrences` or `bytes`.
        measure: &'static str = of.metric.measure.word(),
        /// Topics: `stat -m` counts all metrics of a topic.
        topics: &'static [&'static str] = of.metric.topics,
        formula: &'static str = of.metric.formula,
        /// Names of events, or `cycles`.
        inputs: Vec<&'static str> = each(of.metric.inputs, |input| match *input {
            tables::Input::Event(name) => name,
            _ => "cycles",
        }),
        arguments: Vec<Argument> = each(of.metric.arguments, Argument::new),
        doc: &'static str = of.metric.doc,
        caveat: Option<&'static str> = of.metric.caveat,
        rust: String = words::rust_metric(of.ip, of.group, of.metric.rust),
        origin: Origin = of.metric.origin,
    }

    /// Input of a formula that is not a count.
    Argument(argument: &tables::Argument) {
        name: &'static str = argument.name,
        doc: &'static str = argument.doc,
    }

    /// A metric that cannot be computed from events.
    Unavailable(of: UnavailableOf) {
        name: &'static str = of.figure.name,
        group: &'static str = of.group.name,
        doc: &'static str = of.figure.doc,
        reason: &'static str = of.figure.reason,
        origin: Origin = of.figure.origin,
    }

    /// A reason why counters read zero.
    Finding(finding: &tables::Finding) {
        name: &'static str = finding.name,
        cause: &'static str = finding.cause,
        read: &'static str = finding.read,
        expected: &'static str = finding.expected,
        fix: &'static str = finding.fix,
        fixable_by: &'static str = finding.fixable_by.word(),
        ambiguous: bool = finding.ambiguous,
        units: Vec<&'static str> = finding.only.to_vec(),
        origin: Origin = finding.origin,
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
    Encoded(what: &What, number: u32, nth: u32, all: &[programming::Write]) {
        /// Event such as `SI3:READ_DATA_SNOOP_HIT`.
        event: String = what.to_string(),
        id: u32 = number,
        counter: u32 = nth,
        /// Register writes in the required order.
        writes: Vec<Write> = each(all, Write::new),
    }

    /// A value to write to a register.
    Write(write: &programming::Write) {
        /// Register such as `EVENT_SELECT[3]`.
        register: String = write.name(),
        value: u64 = write.value(),
        /// Bits to replace. All other bits must be kept.
        mask: u64 = write.mask(),
        fields: Vec<FieldValue> = each(&write.fields, FieldValue::new),
    }

    /// A value of a field.
    FieldValue(of: &(&'static tables::Field, u32)) {
        name: &'static str = of.0.name,
        value: u64 = of.1.into(),
    }

    /// Output of `arm-pmu decode --json`.
    Decode {
        /// IP and unit.
        pmu: String,
        values: Vec<decode::Decoded>,
    }
}

fn each<'i, T, U>(items: &'i [T], document: impl Fn(&'i T) -> U) -> Vec<U> {
    items.iter().map(document).collect()
}

/// Returns the aliases of the unit: names that other programs have for its events.
pub fn aliases(
    pmu: Pmu,
    all: &'static [tables::Alias],
) -> impl Iterator<Item = &'static tables::Alias> + Clone {
    all.iter().filter(move |alias| alias.is_of(pmu.unit.map(|unit| unit.name)))
}

/// Returns the selections of an event: at each source, or only at the source `only`.
pub fn selections(
    of: EventOf,
    only: Option<&tables::Source>,
) -> impl Iterator<Item = Selection> + use<> {
    let only = only.map(|source| source.id);
    of.selections().filter(move |one| only.is_none() || one.source.map(|of| of.id) == only)
}

/// Metrics that use an event.
pub fn metrics_of(pmu: Pmu, of: EventOf) -> impl Iterator<Item = MetricOf> {
    pmu.metrics().filter(move |metric| {
        metric.inputs().flatten().any(|input| std::ptr::eq(input.event, of.event))
    })
}
