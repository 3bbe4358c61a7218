//! Converts a spec without problems to the model.

use super::events::{id_bits, register};
use super::provenance::{inherit, owned};
use super::units::{index, indices};
use super::{Spec, build_metrics, common_events};
use crate::generate::model::{
    Alias, AliasSource, Architecture, Content, CounterRegisters, Counters, CycleAliases, Document,
    DriverNotes, Event, Field, Finding, Group, Ip, Location, MainId, Named, PageOfUnit, PmuUnit,
    Product, Register, Reset, Space, Unit,
};
use crate::generate::names;
use crate::generate::spec::read::{At, Checked, List};
use crate::generate::spec::scalar::{self, Name};
use crate::generate::spec::{self, origin};

/// Returns `None` only if a rule missed a problem.
pub fn ip(spec: &Spec) -> Option<Ip> {
    let registers = &spec.registers;
    let (metrics, not_computable) = build_metrics::metrics(spec)?;
    Some(Ip {
        name: registers.ip.0.clone(),
        title: registers.title.0.clone(),
        also: also(spec),
        others: others(spec),
        manual: registers.manual.checked(),
        documents: documents(spec),
        architecture: spec.architecture.as_ref().map(architecture),
        driver: driver(spec),
        space: space(spec),
        main_id: registers.main_id.as_ref().map(|id| main_id(id, origin!(registers))),
        instructions: implementation(spec)
            .and_then(|own| Some(own.instructions.as_ref()?.0.clone())),
        linux: registers
            .linux
            .as_ref()
            .filter(|_| registers.units.is_empty())
            .map(Checked::checked),
        units: registers.units.iter().map(|u| unit(spec, u)).collect::<Option<_>>()?,
        blocks: registers.blocks.checked(),
        registers: registers
            .registers
            .iter()
            .map(|r| build_register(spec, r))
            .collect::<Option<_>>()?,
        counters: counters(spec)?,
        groups: spec.events.groups.iter().map(|g| group(spec, g)).collect::<Option<_>>()?,
        findings: findings(spec)?,
        metrics,
        not_computable,
        evntbus: spec.events.evntbus.as_ref().map(|bus| **bus),
        alias_sources: alias_sources(spec)?,
        cycle_aliases: cycle_aliases(spec)?,
    })
}

/// Returns the other products of an IP that implements an architecture.
fn also(spec: &Spec) -> Vec<Product> {
    implementation(spec).into_iter().flat_map(|own| own.also.iter()).map(product).collect()
}

/// Returns the IP's entry in the file of its architecture.
pub fn implementation(spec: &Spec) -> Option<&spec::architecture::Implementation> {
    let module = names::of_ip(&spec.registers.ip.0).module;
    let mut all = spec.architecture.iter().flat_map(|of| of.implementations.iter());
    all.find(|implementation| implementation.name.0 == module)
}

fn others(spec: &Spec) -> Vec<Product> {
    let of_architecture = spec.architecture.iter().flat_map(|of| of.others.iter());
    spec.registers.others.iter().chain(of_architecture).map(product).collect()
}

fn product(product: &spec::registers::Product) -> Product {
    Product {
        title: product.title.0.clone(),
        main_id: product.main_id.as_ref().map(|id| id.part.0),
        linux: product.linux.checked(),
    }
}

/// Returns the documents in the legends of the registers (or their architecture) and the other
/// files.
fn documents(spec: &Spec) -> Vec<Document> {
    let registers = match &spec.architecture {
        Some(architecture) => &architecture.legend,
        None => &spec.registers.legend,
    };
    let unit = names::of_ip(&spec.registers.ip.0).module;
    let speaks = |entry: &&spec::LegendEntry| {
        !entry.manual && (entry.of.is_empty() || entry.describes(&unit))
    };
    let legends = [registers, &spec.events.legend].into_iter();
    let legends = legends.chain(spec.metrics.iter().map(|metrics| &metrics.legend));
    let legends = legends.chain(spec.findings.iter().map(|findings| &findings.legend));
    let mut documents = Vec::new();
    for entry in legends.flat_map(|legend| legend.iter()).filter(speaks) {
        let document = Document {
            title: entry.title.0.clone(),
            id: entry.id.as_ref().map(|id| id.0.clone()),
            issue: entry.issue.as_ref().map(|issue| issue.0.clone()),
        };
        if !documents.contains(&document) {
            documents.push(document);
        }
    }
    documents
}

fn architecture(spec: &spec::architecture::Architecture) -> Architecture {
    let counters = spec.driver.as_ref().and_then(|driver| driver.counters.as_ref());
    Architecture {
        name: spec.architecture.0.clone(),
        title: spec.title.0.clone(),
        counters: counters.map(|counters| counters.0),
    }
}

fn driver(spec: &Spec) -> Option<DriverNotes> {
    let texts = |texts: &[At<scalar::Text>]| texts.iter().map(|text| text.0.clone()).collect();
    let Some(architecture) = &spec.architecture else {
        return spec.registers.driver.as_ref().map(|driver| DriverNotes {
            units: driver.units.as_ref().map(|units| units.0.clone()),
            start: texts(&driver.start),
            resume: texts(&driver.resume),
            group_counters: driver.group_counters.as_ref().map(|counters| counters.0),
            no_recipe: driver.no_recipe.as_ref().map(|text| text.0.clone()),
            halted: driver.halted.as_ref().map(|text| text.0.clone()),
            ..DriverNotes::default()
        });
    };
    Some(architecture.driver.as_ref().map_or_else(DriverNotes::default, |driver| DriverNotes {
        start: texts(&driver.start),
        interrupts: driver.interrupts.as_ref().map_or_else(String::new, |text| text.0.clone()),
        acknowledge: texts(&driver.acknowledge),
        diagnosis: texts(&driver.diagnosis),
        ..DriverNotes::default()
    }))
}

fn space(spec: &Spec) -> Space {
    match &spec.registers.length {
        Some(length) => Space::Region { length: length.0 },
        None if spec.registers.registers.iter().any(|register| register.sysreg.is_some()) => {
            Space::System
        }
        None if spec.registers.pages.is_empty() => Space::Cp15,
        None => Space::Pages(spec.registers.pages.checked()),
    }
}

fn unit(spec: &Spec, unit: &spec::registers::Unit) -> Option<PmuUnit> {
    let whole = inherit(origin!(unit), origin!(spec.registers));
    let pages = spec.registers.pages.iter().map(|page| {
        let page = unit.pages.iter().find(|of_unit| of_unit.name.value == page.name.value)?;
        let origin = owned(inherit(origin!(page), whole));
        Some(PageOfUnit { offset: page.offset.0, origin })
    });
    let pages = pages.collect::<Option<_>>()?;
    Some(PmuUnit {
        name: unit.name.0.clone(),
        title: unit.title.0.clone(),
        main_id: unit.main_id.as_ref().map(|id| main_id(id, whole)),
        linux: unit.linux.as_ref().or(spec.registers.linux.as_ref()).map(Checked::checked),
        shares_part: unit.shares_part.iter().map(|title| title.0.clone()).collect(),
        pages,
    })
}

fn main_id(id: &spec::registers::MainId, whole: spec::Origin<'_>) -> MainId {
    MainId { part: id.part.0, origin: owned(inherit(origin!(id), whole)) }
}

fn build_register(spec: &Spec, register: &spec::registers::Register) -> Option<Register> {
    let whole = inherit(origin!(register), origin!(spec.registers));
    let fields = register.fields.iter().map(|field| {
        let content = match &field.reserved {
            Some(reserved) => Content::Reserved(**reserved),
            None => Content::Named(Box::new(Named {
                name: field.name.as_ref()?.0.clone(),
                aliases: texts(&field.aliases),
                access: **field.access.as_ref()?,
                reads_unpredictably: field.read.is_some(),
                per_counter: field.per_counter,
                highest: field.widths.first().map(|whole| field.bits.low + whole.bits.0 - 1),
                elements: field.elements.iter().map(|element| element.0).collect(),
                only: indices(spec, &field.only)?,
                is_later: field.since.is_some(),
                elsewhere: field.elsewhere.as_ref().map(|elsewhere| **elsewhere),
                doc: field.doc.as_ref()?.0.clone(),
                values: field.values.checked(),
                events_from: field.events_from.as_ref().map(|code| code.0),
                origin: owned(inherit(origin!(field), whole)),
            })),
        };
        Some(Field { bits: *field.bits, content })
    });
    let reset = |unit: Option<usize>, value: scalar::Reset, own: spec::Origin<'_>| Reset {
        unit,
        value: match value {
            scalar::Reset::Known(value) => Some(value),
            scalar::Reset::Unknown => None,
        },
        origin: owned(inherit(own, whole)),
    };
    let units = register.resets.iter().map(|of_unit| index(spec, &of_unit.unit).map(Some));
    let units = register.reset.iter().map(|_| Some(None)).chain(units);
    let resets = units
        .zip(register.all_resets())
        .map(|(unit, (_, value, own))| Some(reset(unit?, value, own)));
    let prefix = spec.registers.prefix.iter();
    let prefixed = prefix.map(|prefix| format!("{}{}", prefix.0, register.name.0));
    Some(Register {
        name: register.name.0.clone(),
        aliases: prefixed.chain(texts(&register.aliases)).collect(),
        title: register.title.0.clone(),
        origin: owned(whole),
        location: location(spec, register)?,
        width: register.bits(),
        access: *register.access,
        resets: resets.collect::<Option<_>>()?,
        non_secure: register.non_secure.as_ref().map(|at| **at),
        user: register.user.as_ref().map(|at| **at),
        only: indices(spec, &register.only)?,
        is_later: register.since.is_some(),
        doc: register.doc.0.clone(),
        note: register.note.as_ref().map(|note| note.0.clone()),
        fields: fields.collect::<Option<_>>()?,
    })
}

fn texts(names: &List<At<Name>>) -> Vec<String> {
    names.iter().map(|name| name.0.clone()).collect()
}

fn location(spec: &Spec, register: &spec::registers::Register) -> Option<Location> {
    if let Some(cp15) = &register.cp15 {
        let (operands, selected_by) = (cp15.checked(), register.selected_by.checked());
        return Some(Location::Cp15 { operands, selected_by });
    }
    if let Some(at) = &register.sysreg {
        let count = register.count.as_ref().map_or(1, |count| count.0);
        let selected_by = register.selected_by.checked();
        return Some(Location::System { register: at.checked(), count, selected_by });
    }
    let offset = register.offset.as_ref()?.0;
    let page = register
        .page
        .as_ref()
        .map(|name| spec.registers.pages.iter().position(|page| page.name.value == name.value));
    let page = match page {
        Some(known) => Some(known?),
        None => None,
    };
    let Some(name) = &register.block else {
        return Some(Location::Memory {
            page,
            block: None,
            offset,
            count: register.count.as_ref().map_or(1, |count| count.0),
            stride: register.stride.as_ref().map_or(0, |stride| stride.0),
        });
    };
    let index = spec.registers.blocks.iter().position(|block| block.name.value == name.value)?;
    let block = &spec.registers.blocks[index];
    Some(Location::Memory {
        page,
        block: Some(index),
        offset: block.offset.0 + offset,
        count: block.count.0,
        stride: block.stride.0,
    })
}

fn counters(spec: &Spec) -> Option<Counters> {
    let counters = &spec.events.counters;
    let value = register(spec, &counters.value.first().0)?;
    let count = match location(spec, value)? {
        _ if counters.value.is_list => u32::try_from(counters.value.len()).ok()?,
        Location::Memory { count, .. } | Location::System { count, selected_by: None, .. } => count,
        place => place.selector().map_or(1, |selector| selector.count),
    };
    let id = id_bits(spec)?;
    Some(Counters {
        count,
        bits: value
            .fields
            .iter()
            .filter(|field| field.name.is_some())
            .map(|f| f.bits.width())
            .sum(),
        event: id.code,
        source: id.source,
        cycles: counters.cycles.is_some(),
        registers: CounterRegisters {
            value: counters.value.iter().map(|name| name.0.clone()).collect(),
            event: counters.event.iter().map(|path| path.value.clone()).collect(),
            source: counters.source.as_ref().map(|path| path.value.clone()),
            cycles: counters.cycles.as_ref().map(|name| name.0.clone()),
        },
    })
}

fn group(spec: &Spec, group: &spec::events::Group) -> Option<Group> {
    let whole = inherit(origin!(group), origin!(spec.events));
    let unit = match &group.unit {
        Some(name) => Some(index(spec, name)?),
        None => None,
    };
    Some(Group {
        name: group.name.0.clone(),
        title: group.title.0.clone(),
        origin: owned(whole),
        unit,
        sources: group.sources.checked(),
        events: group.events.iter().map(|e| event(spec, group, e, whole)).collect::<Option<_>>()?,
    })
}

fn event(
    spec: &Spec,
    group: &spec::events::Group,
    event: &spec::events::Event,
    whole: spec::Origin<'_>,
) -> Option<Event> {
    let flags = [
        ("secure_exempt", event.secure_exempt),
        ("ace_only", event.ace_only),
        ("never_fires", event.never_fires),
        ("filterable", event.filterable),
        ("secure_only", event.secure_only),
        ("architectural", event.architectural),
    ];
    Some(Event {
        code: event.code.0,
        name: event.name.0.clone(),
        origin: owned(inherit(origin!(event), whole)),
        unit: event.unit.as_ref().map_or(Unit::Occurrences, |unit| **unit),
        evntbus: event.evntbus.as_ref().map(|bit| bit.0),
        flags: flags.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect(),
        only: indices(spec, &event.only)?,
        unreported: common_events::is_unreported(spec, event.code.0),
        doc: event.doc.as_ref()?.0.clone(),
        note: event.note.as_ref().map(|note| note.0.clone()),
        aliases: aliases_of(spec, group, event)?,
    })
}

/// Returns the names of an event in other programs.
fn aliases_of(
    spec: &Spec,
    group: &spec::events::Group,
    event: &spec::events::Event,
) -> Option<Vec<Alias>> {
    let groups = spec.aliases.iter().flat_map(|aliases| aliases.groups.iter());
    let mut groups = groups.filter(|of| group.is_called(&of.name, of.unit.as_ref()));
    let events = groups.next().into_iter().flat_map(|group| group.events.iter());
    let mut events = events.filter(|of| of.name.value == event.name.value);
    let aliases = events.next().into_iter().flat_map(|event| event.aliases.iter());
    aliases.map(|a| alias(spec, a)).collect()
}

fn alias(spec: &Spec, alias: &spec::aliases::Alias) -> Option<Alias> {
    let mut legend = spec.aliases.iter().flat_map(|aliases| aliases.legend.iter());
    let source = legend.position(|source| source.name.value == alias.source.first().value)?;
    Some(Alias { source, name: alias.name.0.clone() })
}

fn alias_sources(spec: &Spec) -> Option<Vec<AliasSource>> {
    let legend = spec.aliases.iter().flat_map(|aliases| aliases.legend.iter());
    let source = |source: &spec::aliases::Source| {
        Some(AliasSource {
            name: source.name.0.clone(),
            dialect: *source.dialect,
            repository: source.repository.0.clone(),
            path: source.path.0.clone(),
            commit: source.commit.0.clone(),
            of: indices(spec, &source.of)?,
        })
    };
    legend.map(source).collect()
}

fn cycle_aliases(spec: &Spec) -> Option<CycleAliases> {
    let cycles = spec.aliases.as_ref().and_then(|aliases| aliases.cycles.as_ref());
    let Some(cycles) = cycles else { return Some(CycleAliases::default()) };
    let aliases = cycles.aliases.iter().map(|a| alias(spec, a)).collect::<Option<_>>()?;
    Some(CycleAliases { code: cycles.code.as_ref().map(|code| code.0), aliases })
}

/// Returns the common findings that the IP lists, then its own.
fn findings(spec: &Spec) -> Option<Vec<Finding>> {
    let Some(own) = &spec.findings else { return Some(Vec::new()) };
    let all = spec.common.iter().flat_map(|common| common.findings.iter());
    let common = own.common.iter().map(|name| {
        let finding = all.clone().find(|finding| finding.name.value == name.value)?;
        build_finding(spec, finding, spec::Origin::default())
    });
    let own = own.findings.iter().map(|f| build_finding(spec, f, origin!(own)));
    common.chain(own).collect()
}

fn build_finding(
    spec: &Spec,
    finding: &spec::findings::Finding,
    file: spec::Origin<'_>,
) -> Option<Finding> {
    Some(Finding {
        name: finding.name.0.clone(),
        origin: owned(inherit(origin!(finding), file)),
        only: indices(spec, &finding.only)?,
        ambiguous: finding.ambiguous,
        cause: finding.cause.0.clone(),
        read: finding.read.0.clone(),
        expected: finding.expected.0.clone(),
        fix: finding.fix.0.clone(),
        fixable_by: *finding.fixable_by,
    })
}
