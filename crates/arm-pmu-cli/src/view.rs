//! What `--json` prints. `schema/` has the JSON Schema of each document; a test below makes them again.

use arm_pmu_tables as tables;
use arm_pmu_tables::{EventOf, Location, MetricOf, Pmu, UnavailableOf};
use serde::Serialize;

use crate::documents::documents;
use crate::{programming, words};

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

    /// `arm-pmu device-tree`
    DeviceTree {
        platform: &'static str,
        /// What is missing in the tree, for each PMU that Linux can have.
        nodes: Vec<DeviceTreeNode>,
    }

    /// An addition for a PMU.
    DeviceTreeNode {
        /// Its name in the platform.
        pmu: &'static str,
        /// In the language of device trees.
        source: String,
    }

    /// `arm-pmu doctor`
    Doctor {
        pmu: String,
        /// The surest first.
        causes: Vec<DoctorCause>,
        /// What was seen and is no cause.
        remarks: Vec<String>,
        /// Lines that look like readings and could not be read.
        unread: Vec<UnreadLine>,
    }

    /// A reason why counters read zero.
    DoctorCause {
        finding: &'static str,
        /// `decided`, `probable` or `possible`.
        weight: &'static str,
        cause: &'static str,
        /// What speaks for it.
        evidence: Vec<String>,
        /// What else it could be.
        or: Option<&'static str>,
        fix: &'static str,
        fixable_by: &'static str,
        /// What switches it in the platform.
        switches: Vec<CauseSwitch>,
        /// The test that would decide.
        next_test: Option<String>,
        origin: Origin,
    }

    /// A setting of a platform.
    CauseSwitch {
        name: &'static str,
        register: Option<&'static str>,
        address: Option<u64>,
        high: Option<u32>,
        low: Option<u32>,
        /// The value that lets counters count.
        on: Option<u32>,
        written_by: &'static str,
        ways: Vec<CauseWay>,
        origin: Origin,
    }

    /// A way to set a switch.
    CauseWay {
        stage: &'static str,
        text: &'static str,
        /// It does not work.
        fails: bool,
    }

    /// A line of a dump.
    UnreadLine {
        line: usize,
        text: String,
        why: String,
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

    /// A name that another program has.
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

    /// A register, or an array of them.
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
        /// The encoding in MRS and MSR: `S3_3_C9_C12_0`; of an array, that of the first element.
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

    /// What a formula needs beside counts.
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

    /// Where a fact comes from.
    Origin {
        /// `A`: a document of Arm. `B`: two or more sources. `C`: one source. `D`: inferred.
        confidence: &'static str,
        section: Option<&'static str>,
        source: Option<&'static str>,
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
        /// `event`, `register`, `metric` or `unavailable`.
        kind: &'static str,
        name: &'static str,
        /// The group of an event or metric.
        group: Option<&'static str>,
        /// The code of an event.
        code: Option<u32>,
        /// The name of another program that was found.
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
        values: Vec<Decoded>,
    }

    /// A value with its meaning.
    Decoded {
        /// `EVENT_SELECT[3]`; null for an event id.
        register: Option<String>,
        value: u64,
        /// The highest first; none of an event id.
        bits: Vec<Bits>,
        /// The events that it selects, or announces.
        events: Vec<DecodedEvent>,
        /// What else there is to say.
        notes: Vec<String>,
        /// What is wrong with it.
        warnings: Vec<String>,
    }

    /// Bits with their value.
    Bits {
        high: u32,
        low: u32,
        /// The field; null if reserved.
        field: Option<&'static str>,
        value: u64,
        meaning: String,
    }

    /// `arm-pmu perf`
    Perf {
        /// The IP, with its unit.
        pmu: String,
        /// Its name under Linux.
        linux_pmu: String,
        /// The command line for a shell.
        command: String,
        events: Vec<PerfEvent>,
        /// What to know about the counts.
        notes: Vec<String>,
    }

    /// An event of a command line.
    PerfEvent {
        /// The name that perf prints.
        name: String,
        /// `CCI_550/event=0x12,source=2,name=SI2:WRITE_DATA_BEAT/`.
        term: String,
    }

    /// An event that a value selects.
    DecodedEvent {
        /// The counter, if the register tells it.
        counter: Option<usize>,
        /// `SI3:READ_DATA_SNOOP_HIT`.
        event: String,
        id: u32,
    }
}

pub fn origin(origin: &tables::Origin) -> Origin {
    Origin { confidence: origin.confidence.word(), section: origin.section, source: origin.source }
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

/// An event; only at one source, if that is given.
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
        origin: origin(&of.event.origin),
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
        origin: origin(&field.origin),
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
        origin: origin(&register.origin),
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
        origin: origin(&of.metric.origin),
    }
}

pub fn unavailable(of: UnavailableOf) -> Unavailable {
    Unavailable {
        name: of.figure.name,
        group: of.group.name,
        doc: of.figure.doc,
        reason: of.figure.reason,
        origin: origin(&of.figure.origin),
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
        origin: origin(&finding.origin),
    }
}

fn cause_switch(switch: &'static tables::platform::Switch) -> CauseSwitch {
    let way = |way: &'static tables::platform::Way| CauseWay {
        stage: way.stage.word(),
        text: way.doc,
        fails: way.fails,
    };
    CauseSwitch {
        name: switch.name,
        register: switch.register,
        address: switch.address,
        high: switch.bits.map(|bits| bits.high),
        low: switch.bits.map(|bits| bits.low),
        on: switch.on,
        written_by: switch.written_by.word(),
        ways: switch.ways.iter().map(way).collect(),
        origin: origin(&switch.origin),
    }
}

pub fn cause(
    target: &crate::platform::target::Target,
    cause: &crate::doctor::Cause,
) -> DoctorCause {
    let finding = cause.finding;
    DoctorCause {
        finding: finding.name,
        weight: cause.weight.word(),
        cause: finding.cause,
        evidence: cause.evidence.clone(),
        or: cause.or,
        fix: finding.fix,
        fixable_by: finding.fixable_by.word(),
        switches: target.switches(finding.name).map(cause_switch).collect(),
        next_test: cause.next.clone(),
        origin: origin(&finding.origin),
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// `UPDATE_SCHEMAS=1 cargo test -p arm-pmu-cli --lib` stores them.
    #[test]
    fn stored_schemas_are_those_of_the_documents() {
        let all = [
            ("list-ips", schemars::schema_for!(ListOfIps)),
            ("list", schemars::schema_for!(List)),
            ("show", schemars::schema_for!(Show)),
            ("find", schemars::schema_for!(Find)),
            ("encode", schemars::schema_for!(Encode)),
            ("decode", schemars::schema_for!(Decode)),
            ("perf", schemars::schema_for!(Perf)),
            ("recipe", schemars::schema_for!(crate::recipe::steps::Steps)),
            ("device-tree", schemars::schema_for!(DeviceTree)),
            ("doctor", schemars::schema_for!(Doctor)),
            ("list-platforms", schemars::schema_for!(ListOfPlatforms)),
            ("platform", schemars::schema_for!(tables::Platform)),
        ];
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
        for (name, schema) in all {
            let path = directory.join(name).with_extension("json");
            let made = serde_json::to_string_pretty(&schema).expect("a schema") + "\n";
            if std::env::var_os("UPDATE_SCHEMAS").is_some() {
                std::fs::write(&path, &made).expect("a schema file");
            }
            let stored = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(stored == made, "{} is old", path.display());
        }
    }
}
