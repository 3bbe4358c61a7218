//! Converts a spec to the model, if the checks found no problem in the spec.

use super::provenance::{inherit, owned};
use super::units::{index, indices};
use super::{Spec, build_metrics, common_events, events};
use crate::generate::model::{
    Alias, AliasSource, Architecture, Content, Counted, CounterRegisters, Counters, CycleAliases,
    Document, DriverNotes, Event, Field, Finding, Group, Ip, Location, MainId, Named, PageOfUnit,
    PmuUnit, Product, Register, Reset, Space,
};
use crate::generate::names;
use crate::generate::spec::read::{Checked, List};
use crate::generate::spec::scalar;
use crate::generate::spec::{self, origin};

/// Returns `None` only if a rule missed a problem.
pub fn ip(spec: &Spec) -> Option<Ip> {
    let registers = &spec.registers;
    let (metrics, not_computable) = build_metrics::metrics(spec)?;
    Some(Ip {
        name: registers.ip.checked(),
        title: registers.title.checked(),
        also: implementation(spec).map_or_else(Vec::new, |own| own.also.checked()),
        others: others(spec),
        manual: registers.manual.checked(),
        documents: documents(spec),
        architecture: spec.architecture.as_ref().map(architecture),
        driver: driver(spec),
        space: space(spec),
        main_id: registers.main_id.as_ref().map(|id| main_id(id, origin!(registers))),
        instructions: implementation(spec).and_then(|own| own.instructions.checked()),
        linux: registers.linux.checked().filter(|_| registers.units.is_empty()),
        units: all(&registers.units, |of| unit(spec, of))?,
        blocks: registers.blocks.checked(),
        registers: all(&registers.registers, |of| register(spec, of))?,
        counters: counters(spec)?,
        groups: all(&spec.events.groups, |of| group(spec, of))?,
        findings: findings(spec)?,
        metrics,
        not_computable,
        evntbus: spec.events.evntbus.as_ref().map(|bus| **bus),
        alias_sources: alias_sources(spec)?,
        cycle_aliases: cycle_aliases(spec)?,
    })
}

fn all<T, R>(items: &[T], one: impl Fn(&T) -> Option<R>) -> Option<Vec<R>> {
    items.iter().map(one).collect()
}

/// Returns the IP's entry in the file of its architecture.
pub fn implementation(spec: &Spec) -> Option<&spec::architecture::Implementation> {
    let module = names::of_ip(&spec.registers.ip.0).module;
    let mut all = spec.architecture.iter().flat_map(|of| of.implementations.iter());
    all.find(|implementation| implementation.name.0 == module)
}

fn others(spec: &Spec) -> Vec<Product> {
    let of_architecture = spec.architecture.iter().flat_map(|of| of.others.iter());
    spec.registers.others.iter().chain(of_architecture).map(Checked::checked).collect()
}

/// Returns the documents that the legends list: the legend of the registers, or of their
/// architecture, and the legends of the other files.
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
            title: entry.title.checked(),
            id: entry.id.checked(),
            issue: entry.issue.checked(),
        };
        if !documents.contains(&document) {
            documents.push(document);
        }
    }
    documents
}

fn architecture(spec: &spec::architecture::Architecture) -> Architecture {
    let counters = spec.driver.as_ref().and_then(|driver| driver.counters.checked());
    Architecture { name: spec.architecture.checked(), title: spec.title.checked(), counters }
}

fn driver(spec: &Spec) -> Option<DriverNotes> {
    let Some(architecture) = &spec.architecture else {
        return spec.registers.driver.as_ref().map(|driver| DriverNotes {
            units: driver.units.checked(),
            start: driver.start.checked(),
            resume: driver.resume.checked(),
            group_counters: driver.group_counters.checked(),
            no_recipe: driver.no_recipe.checked(),
            halted: driver.halted.checked(),
            ..DriverNotes::default()
        });
    };
    Some(architecture.driver.as_ref().map_or_else(DriverNotes::default, |driver| DriverNotes {
        start: driver.start.checked(),
        interrupts: driver.interrupts.checked().unwrap_or_default(),
        acknowledge: driver.acknowledge.checked(),
        diagnosis: driver.diagnosis.checked(),
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
    let page = |page: &spec::registers::PageSpec| {
        let page = unit.pages.iter().find(|of_unit| of_unit.name.value == page.name.value)?;
        let origin = owned(inherit(origin!(page), whole));
        Some(PageOfUnit { offset: page.offset.0, origin })
    };
    Some(PmuUnit {
        name: unit.name.checked(),
        title: unit.title.checked(),
        main_id: unit.main_id.as_ref().map(|id| main_id(id, whole)),
        linux: unit.linux.as_ref().or(spec.registers.linux.as_ref()).map(Checked::checked),
        shares_part: unit.shares_part.checked(),
        pages: all(&spec.registers.pages, page)?,
    })
}

fn main_id(id: &spec::registers::MainId, whole: spec::Origin<'_>) -> MainId {
    MainId { part: id.part.0, origin: owned(inherit(origin!(id), whole)) }
}

fn register(spec: &Spec, register: &spec::registers::Register) -> Option<Register> {
    let whole = inherit(origin!(register), origin!(spec.registers));
    let field = |field: &spec::registers::Field| {
        let content = match &field.reserved {
            Some(reserved) => Content::Reserved(**reserved),
            None => Content::Named(Box::new(Named {
                name: field.name.checked()?,
                aliases: field.aliases.checked(),
                access: field.access.checked()?,
                reads_unpredictably: field.read.is_some(),
                per_counter: field.per_counter,
                highest: field.widths.first().map(|whole| field.bits.low + whole.bits.0 - 1),
                elements: field.elements.checked(),
                only: indices(spec, &field.only)?,
                is_later: field.since.is_some(),
                elsewhere: field.elsewhere.checked(),
                doc: field.doc.checked()?,
                values: field.values.checked(),
                events_from: field.events_from.checked(),
                origin: owned(inherit(origin!(field), whole)),
            })),
        };
        Some(Field { bits: *field.bits, content })
    };
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
        name: register.name.checked(),
        aliases: prefixed.chain(register.aliases.checked()).collect(),
        title: register.title.checked(),
        origin: owned(whole),
        location: location(spec, register)?,
        width: register.bits(),
        access: *register.access,
        resets: resets.collect::<Option<_>>()?,
        non_secure: register.non_secure.checked(),
        user: register.user.checked(),
        only: indices(spec, &register.only)?,
        is_later: register.since.is_some(),
        doc: register.doc.checked(),
        note: register.note.checked(),
        fields: all(&register.fields, field)?,
    })
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
    let pages = &spec.registers.pages;
    let page = match &register.page {
        Some(name) => Some(pages.iter().position(|page| page.name.value == name.value)?),
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
    let value = events::register(spec, &counters.value.first().0)?;
    let count = match location(spec, value)? {
        _ if counters.value.is_list => u32::try_from(counters.value.len()).ok()?,
        Location::Memory { count, .. } | Location::System { count, selected_by: None, .. } => count,
        place => place.selector().map_or(1, |selector| selector.count),
    };
    let id = events::id_bits(spec)?;
    let named = value.fields.iter().filter(|field| field.name.is_some());
    Some(Counters {
        count,
        bits: named.map(|field| field.bits.width()).sum(),
        event: id.code,
        source: id.source,
        cycles: counters.cycles.is_some(),
        registers: CounterRegisters {
            value: counters.value.iter().map(Checked::checked).collect(),
            event: counters.event.iter().map(|path| path.value.clone()).collect(),
            source: counters.source.as_ref().map(|path| path.value.clone()),
            cycles: counters.cycles.checked(),
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
        name: group.name.checked(),
        title: group.title.checked(),
        origin: owned(whole),
        unit,
        sources: group.sources.checked(),
        events: all(&group.events, |of| event(spec, group, of, whole))?,
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
        name: event.name.checked(),
        origin: owned(inherit(origin!(event), whole)),
        unit: event.unit.as_ref().map_or(Counted::Occurrences, |unit| **unit),
        evntbus: event.evntbus.checked(),
        flags: flags.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect(),
        only: indices(spec, &event.only)?,
        unreported: common_events::is_unreported(spec, event.code.0),
        doc: event.doc.checked()?,
        note: event.note.checked(),
        aliases: aliases_of(spec, group, event)?,
    })
}

fn aliases_of(
    spec: &Spec,
    group: &spec::events::Group,
    event: &spec::events::Event,
) -> Option<Vec<Alias>> {
    let groups = spec.aliases.iter().flat_map(|aliases| aliases.groups.iter());
    let mut groups = groups.filter(|of| group.is_called(&of.name, of.unit.as_ref()));
    let events = groups.next().into_iter().flat_map(|group| group.events.iter());
    let mut events = events.filter(|of| of.name.value == event.name.value);
    events.next().map_or(Some(Vec::new()), |event| aliases(spec, &event.aliases))
}

fn aliases(spec: &Spec, list: &List<spec::aliases::Alias>) -> Option<Vec<Alias>> {
    let of_ip = spec.aliases.as_ref()?;
    all(&of_ip.rows(list), |row| {
        Some(Alias { source: of_ip.position(row)?, name: row.name.to_owned() })
    })
}

fn alias_sources(spec: &Spec) -> Option<Vec<AliasSource>> {
    let legend = spec.aliases.as_ref().map_or(&[][..], |aliases| &aliases.legend);
    all(legend, |source| {
        Some(AliasSource {
            name: source.name.checked(),
            dialect: *source.dialect,
            repository: source.repository.checked(),
            path: source.path.checked(),
            commit: source.commit.checked(),
            of: indices(spec, &source.of)?,
        })
    })
}

fn cycle_aliases(spec: &Spec) -> Option<CycleAliases> {
    let cycles = spec.aliases.as_ref().and_then(|aliases| aliases.cycles.as_ref());
    let Some(cycles) = cycles else { return Some(CycleAliases::default()) };
    let aliases = aliases(spec, &cycles.aliases)?;
    Some(CycleAliases { code: cycles.code.checked(), aliases })
}

/// Returns the common findings that the IP lists, then its own.
fn findings(spec: &Spec) -> Option<Vec<Finding>> {
    let Some(own) = &spec.findings else { return Some(Vec::new()) };
    let all = spec.common.iter().flat_map(|common| common.findings.iter());
    let common = own.common.iter().map(|name| {
        let finding = all.clone().find(|finding| finding.name.value == name.value)?;
        build_finding(spec, finding, spec::Origin::default())
    });
    let own = own.findings.iter().map(|of| build_finding(spec, of, origin!(own)));
    common.chain(own).collect()
}

fn build_finding(
    spec: &Spec,
    finding: &spec::findings::Finding,
    file: spec::Origin<'_>,
) -> Option<Finding> {
    Some(Finding {
        name: finding.name.checked(),
        origin: owned(inherit(origin!(finding), file)),
        only: indices(spec, &finding.only)?,
        ambiguous: finding.ambiguous,
        cause: finding.cause.checked(),
        read: finding.read.checked(),
        expected: finding.expected.checked(),
        fix: finding.fix.checked(),
        fixable_by: *finding.fixable_by,
    })
}
