//! Tables in `crates/arm-pmu-tables`: an IP as static values.
//!
//! The tables are written as text instead of tokens, so that an event takes few lines even with long texts.

use super::common::{Common, Entry, Kind, Sources};
use super::layout::{
    Code, Hex, chain, constructed, deeper, each, list_call, list_of, named, packed, quoted,
};
use super::prelude::*;

/// Returns the file name of an IP's tables in the directory of generated files.
fn file_name(ip: &str) -> String {
    format!("{}.rs", names::of_ip(ip).module)
}

/// Returns the list of all IPs, with modules for the IPs and for the architectures without a driver.
pub fn list(ips: &[&Ip], architectures: &[&Common]) -> Generated {
    let of_ips = ips.iter().map(|ip| ip.name.as_str());
    let mut modules: Vec<_> =
        of_ips.clone().chain(architectures.iter().map(|of| of.name.as_str())).collect();
    modules.sort_unstable();
    let modules = modules.into_iter().map(|name| format!("mod {};\n", names::of_ip(name).module));
    let rows = of_ips.map(|name| format!("    &{}::IP,\n", names::of_ip(name).module));
    let items = [
        "//! The tables, with one file for each IP or architecture.\n".to_owned(),
        modules.collect::<String>() + "pub mod platforms;\npub mod words;\n",
        format!(
            "/// All IPs, in the order of their names.\npub static IPS: &[&crate::Ip] = &[\n{}];\n",
            rows.collect::<String>()
        ),
    ];
    format::file("mod.rs", "the directories under specs", items.into())
}

pub fn common(architecture: &Architecture, ips: &[&Ip]) -> Common {
    let of_kind = |kind| each(ips, |ip| of_kind(ip, kind));
    Common::of(architecture, of_kind)
}

fn of_kind(ip: &Ip, kind: Kind) -> Vec<Entry> {
    let groups = ip.groups.iter();
    match kind {
        Kind::Registers => registers(ip),
        Kind::Events => groups.flat_map(|group| events(ip, group)).collect(),
        Kind::Metrics => groups.flat_map(|group| metrics(ip, group)).collect(),
        Kind::Findings => findings(ip),
    }
}

/// Returns the file of an architecture that has no driver and therefore is not an IP.
pub fn of_architecture(common: &Common) -> Generated {
    let Common { name, title, .. } = common;
    let header = format::header(&format!("specs/{name} and its implementations"));
    let text = format!("{header}//! {title}.\n{}", common.modules());
    Generated { name: file_name(name), text }
}

/// Returns the tables of an IP, which refer to the entries of its architecture.
pub fn emit(ip: &Ip, common: Option<&Common>) -> Generated {
    let mut text = format::header(&format!("specs/{}", ip.name));
    let _ = write!(text, "//! {}.\n\n", ip.title.trim_end_matches('.'));
    let common = match common {
        Some(common) => common,
        None => &Common::default(),
    };
    let table = Table { ip, common, sources: Sources::of(&of_kind(ip, Kind::Events)) };
    let lists = [
        ("UNITS", "Unit", each(&ip.units, |u| unit(ip, u))),
        ("BLOCKS", "Block", each(&ip.blocks, block)),
        ("REGISTERS", "Register", table.entries(Kind::Registers, registers(ip))),
        ("GROUPS", "Group", each(&ip.groups, |g| table.group(g))),
        ("FINDINGS", "Finding", table.entries(Kind::Findings, findings(ip))),
    ];
    let mut statics = String::new();
    for (name, of, items) in lists.into_iter().filter(|(.., items)| !items.is_empty()) {
        let _ = write!(statics, "\nstatic {name}: &[{of}] = &{};\n", list_of(&items));
    }
    if common.module != names::of_ip(&ip.name).module {
        text.push_str(&common.imports(&statics));
    }
    text.push_str("use crate::prelude::*;\n");
    text.push_str(&this(ip));
    text.push_str(&alias_sources(ip));
    text.push_str(&table.sources.constants(&statics));
    text.push_str(&statics);
    if common.module == names::of_ip(&ip.name).module {
        text.push_str(&common.modules());
    }
    Generated { name: file_name(&ip.name), text }
}

fn option(text: Option<String>) -> String {
    text.map_or("None".to_owned(), |text| format!("Some({text})"))
}

fn units(ip: &Ip, only: &[usize]) -> Vec<String> {
    only.iter().filter_map(|unit| ip.units.get(*unit)).map(|unit| quoted(&unit.name)).collect()
}

impl Code for Origin {
    fn code(&self) -> String {
        let confidence = self.confidence.word();
        match (&self.section, &self.source) {
            (None, None) => format!("{confidence}.nowhere()"),
            (Some(section), None) => format!("{confidence}.section({section:?})"),
            (None, Some(source)) => format!("{confidence}.source({source:?})"),
            (Some(section), Some(source)) => {
                format!("{confidence}.section({section:?}).and({source:?})")
            }
        }
    }
}

constructed! {
    Manual => Manual(id, title, issue) {}
    Document => Document(title) { id, issue }
    LinuxPmu => LinuxPmu(driver) { name, node, parent, specific }
    MainId => MainId(part as Hex, origin) {}
    Page => Page(name, title, length as Hex, doc) {}
    FieldPath => FieldPath(register, field) {}
    NamedValue => FieldValue(value as Hex, name, doc) {}
    ArgumentValue => ArgumentValue(value) { product, before }
}

named!(LinuxDriver, NonSecure, UserMode);

/// An IP, and what is needed to write its tables.
struct Table<'t> {
    ip: &'t Ip,
    common: &'t Common,
    sources: Sources,
}

fn this(ip: &Ip) -> String {
    let architecture = ip.architecture.as_ref().map(|architecture| {
        format!("Architecture::new({:?}, {:?})", architecture.name, architecture.title)
    });
    let space = match &ip.space {
        Space::Region { length } => format!("Space::Region {{ length: 0x{length:X} }}"),
        Space::Cp15 => "Space::Cp15".to_owned(),
        Space::System => "Space::System".to_owned(),
        Space::Pages(pages) => {
            format!("Space::Pages(&{})", list_of(&each(pages, Code::code)))
        }
    };
    let evntbus = ip.evntbus.map(|bus| match bus {
        EventBus::Configured => "EventBus::Configured".to_owned(),
        EventBus::Bits(bits) => format!("EventBus::Bits({bits})"),
    });
    let sources = each(&ip.alias_sources, |source| format!("&{}", alias_source(&source.name)));
    let notes = ip.driver.clone().unwrap_or_default();
    let or_empty = |name: &str, is_empty| if is_empty { "&[]" } else { name }.to_owned();
    let fields = [
        ("name", quoted(&ip.name)),
        ("rust", quoted(&names::of_ip(&ip.name).module)),
        ("product", quoted(ip.product())),
        ("also", format!("&{}", list_of(&each(&ip.also, |product| quoted(&product.title))))),
        ("title", quoted(&ip.title)),
        ("manual", ip.manual.code()),
        ("documents", format!("&{}", list_of(&each(&ip.documents, Code::code)))),
        ("architecture", option(architecture)),
        ("main_id", ip.main_id.code()),
        ("parts", format!("&{}", list_of(&parts(ip)))),
        ("linux", format!("&{}", list_of(&linux(ip)))),
        ("no_recipe", notes.no_recipe.code()),
        ("halted", notes.halted.code()),
        ("units", or_empty("UNITS", ip.units.is_empty())),
        ("space", space),
        ("blocks", or_empty("BLOCKS", ip.blocks.is_empty())),
        ("registers", or_empty("REGISTERS", ip.registers.is_empty())),
        ("counters", counters(ip, &ip.counters)),
        ("evntbus", option(evntbus)),
        ("groups", or_empty("GROUPS", ip.groups.is_empty())),
        ("findings", or_empty("FINDINGS", ip.findings.is_empty())),
        ("alias_sources", format!("&{}", list_of(&sources))),
    ];
    let mut text = "\npub static IP: Ip = Ip {\n".to_owned();
    for (name, value) in fields {
        let _ = writeln!(text, "    {name}: {},", deeper(&value));
    }
    text + "};\n"
}

/// Part numbers of the processor and of other products, with their names.
fn parts(ip: &Ip) -> Vec<String> {
    let own = ip.main_id.iter().map(|id| (id.part, ip.product()));
    let also = ip.also.iter().filter_map(|product| Some((product.main_id?, &*product.title)));
    own.chain(also).map(|(part, product)| format!("(0x{part:X}, {product:?})")).collect()
}

/// Returns the IP's PMU in Linux, then the PMUs of other products.
fn linux(ip: &Ip) -> Vec<String> {
    let also = ip.also.iter().filter_map(|product| product.linux.as_ref());
    ip.linux.iter().chain(also).map(Code::code).collect()
}

fn counters(ip: &Ip, counters: &Counters) -> String {
    let id = format!("EventId::new({}, {})", counters.event.code(), counters.source.code());
    let registers = &counters.registers;
    let cycles = registers.cycles.as_ref().map(|register| {
        let code = ip.cycle_aliases.code.map(|code| format!(".code(0x{code:02X})"));
        let calls = [code.unwrap_or_default(), aliases(ip, &ip.cycle_aliases.aliases)];
        format!(".cycles({})", chain(format!("CycleCounter::new({register:?})"), &calls))
    });
    chain(
        format!("Counters::new({}, {}, {id})", counters.count, counters.bits),
        &[
            registers.value.call("value"),
            registers.event.call("event"),
            registers.source.call("source"),
            cycles.unwrap_or_default(),
        ],
    )
}

fn alias_source(name: &str) -> String {
    names::constant(name)
}

fn alias_sources(ip: &Ip) -> String {
    let mut text = String::new();
    for source in &ip.alias_sources {
        let start = format!(
            "AliasSource::new(Dialect::{:?}, {:?}, {:?}, {:?})",
            source.dialect, source.repository, source.path, source.commit
        );
        let of = chain(start, &[list_call("units", &units(ip, &source.of))]);
        let name = alias_source(&source.name);
        let _ = write!(text, "\nstatic {name}: AliasSource =\n    {};\n", deeper(&of));
    }
    text
}

fn aliases(ip: &Ip, aliases: &[Alias]) -> String {
    let alias = |alias: &Alias| {
        let source = ip.alias_sources.get(alias.source);
        format!("{}.name({:?})", alias_source(source.map_or("", |s| &s.name)), alias.name)
    };
    list_call("aliases", &packed(aliases.iter().map(alias)))
}

fn unit(ip: &Ip, unit: &PmuUnit) -> String {
    let placed = ip.pages().iter().zip(&unit.pages).map(|(page, of_unit)| {
        let offset = of_unit.offset;
        format!("PlacedPage::new({:?}, 0x{offset:X}, {})", page.name, of_unit.origin.code())
    });
    let module = names::unit_module(&unit.name);
    let number = ip.units.iter().position(|other| std::ptr::eq(other, unit));
    let own = ip.groups.iter().find(|group| shared(ip, group)).map(|group| {
        let name = super::events::event_type(ip, group, number);
        format!(".rust_events({name:?})")
    });
    chain(
        format!("Unit::new({:?}, {module:?}, {:?})", unit.name, unit.title),
        &[
            own.unwrap_or_default(),
            unit.main_id.call("main_id"),
            list_call("linux", &unit.linux.iter().map(Code::code).collect::<Vec<_>>()),
            list_call("pages", &placed.collect::<Vec<_>>()),
        ],
    )
}

/// Returns whether each unit has its own enum for the events of a group.
fn shared(ip: &Ip, group: &Group) -> bool {
    !ip.units.is_empty() && group.unit.is_none() && ip.counters.source.is_none()
}

fn block(block: &Block) -> String {
    chain(
        format!("Block::new({:?}, {:?}, {:?})", block.name, block.title, block.doc),
        &[format!(".at(0x{:X}, {}, 0x{:X})", block.offset, block.count, block.stride)],
    )
}

fn registers(ip: &Ip) -> Vec<Entry> {
    ip.registers.iter().map(|of| register(ip, of)).collect()
}

fn register(ip: &Ip, register: &Register) -> Entry {
    let location = location(ip, &register.location);
    let reserved = register.fields.iter().filter_map(|field| match &field.content {
        Content::Reserved(reserved) => {
            let (high, low) = (field.bits.high, field.bits.low);
            Some(format!("ReservedBits::new({high}, {low}, {reserved:?})"))
        }
        Content::Named(_) => None,
    });
    // A 64-bit register has the module of its low word.
    let module = register.words().first().map(|word| names::register_module(&word.name));
    let module = module.unwrap_or_default();
    let fields = register.fields.iter().filter_map(|of| field(ip, of));
    let width = if register.width == 32 { None } else { Some(register.width) };
    Entry::new(
        &register.name,
        format!("Register::new({:?}, {module:?}, {location}, {:?}", register.name, register.access,),
        register.origin.code(),
        vec![
            list_call("aliases", &packed(register.aliases.iter().map(|name| quoted(name)))),
            register.title.call("title"),
            register.doc.call("doc"),
            register.note.call("note"),
            width.call("width"),
            register.non_secure.call("non_secure"),
            register.user.call("user"),
            list_call("only", &units(ip, &register.only)),
            list_call("resets", &each(&register.resets, |of| reset(ip, of))),
            list_call("fields", &fields.collect::<Vec<_>>()),
            list_call("reserved", &reserved.collect::<Vec<_>>()),
        ],
    )
}

fn location(ip: &Ip, location: &Location) -> String {
    match location {
        Location::Memory { page, block, offset, count, stride } => {
            let page = page.and_then(|page| ip.pages().get(page)).map(|page| page.name.clone());
            let block = block.and_then(|of| ip.blocks.get(of)).map(|block| block.name.clone());
            let times =
                (*count > 1 || *stride > 0).then(|| format!(".times({count}, 0x{stride:X})"));
            format!(
                "Location::at(0x{offset:03X}){}{}{}",
                page.call("page"),
                block.call("block"),
                times.unwrap_or_default()
            )
        }
        Location::Cp15 { operands, selected_by } => format!(
            "Location::cp15({}, {}, {}, {}){}",
            operands.opc1,
            operands.crn,
            operands.crm,
            operands.opc2,
            selector(selected_by.as_ref())
        ),
        Location::System { register, count, selected_by } => {
            let SystemRegister { op0, op1, crn, crm, op2 } = register;
            let times = (*count > 1).then(|| format!(".times({count}, 0)"));
            format!(
                "Location::system({op0}, {op1}, {crn}, {crm}, {op2}){}{}",
                times.unwrap_or_default(),
                selector(selected_by.as_ref())
            )
        }
    }
}

fn selector(of: Option<&Selector>) -> String {
    of.map_or_else(String::new, |of| {
        format!(".selected_by({:?}, {:?}, {})", of.register, of.field, of.count)
    })
}

fn reset(ip: &Ip, reset: &Reset) -> String {
    let start = match reset.value {
        Some(value) => format!("Reset::to(0x{value:X}, {})", reset.origin.code()),
        None => format!("Reset::unknown({})", reset.origin.code()),
    };
    start + &ip.unit(reset.unit).map(|unit| unit.name.clone()).call("unit")
}

fn field(ip: &Ip, field: &Field) -> Option<String> {
    let Content::Named(named) = &field.content else { return None };
    let Named { name, access, .. } = &**named;
    let elsewhere = named.elsewhere.map(|bits| format!(".elsewhere({bits:?})"));
    Some(chain(
        format!(
            "Field::new({}, {name:?}, {:?}, {access:?}, {})",
            field.bits.code(),
            names::field_accessor(name),
            named.origin.code()
        ),
        &[
            named.doc.call("doc"),
            named.values.call("values"),
            named.events_from.map(Hex).call("events_from"),
            named.aliases.call("aliases"),
            named.reads_unpredictably.call("reads_unpredictably"),
            named.elements.call("elements"),
            list_call("only", &units(ip, &named.only)),
            elsewhere.unwrap_or_default(),
        ],
    ))
}

impl Table<'_> {
    /// Returns the Rust code of the IP's entries: a reference for an entry that the architecture
    /// already has.
    fn entries(&self, kind: Kind, entries: Vec<Entry>) -> Vec<String> {
        packed(entries.iter().map(|entry| self.common.refer(kind, entry, &self.sources)))
    }

    fn group(&self, group: &Group) -> String {
        let ip = self.ip;
        let position = ip.groups.iter().position(|other| std::ptr::eq(other, group));
        let sources = each(&group.sources, |source| {
            let Source { id, name, title, evntbus } = source;
            format!("Source::new(0x{id:X}, {name:?}, {title:?})") + &evntbus.call("evntbus")
        });
        let sources = if sources.is_empty() {
            String::new()
        } else {
            format!(".sources({:?}, &{})", names::source_type(&group.name), list_of(&sources))
        };
        let none = ip.not_computable.iter().filter(|none| Some(none.group) == position);
        let events = self.entries(Kind::Events, events(ip, group));
        let metrics = self.entries(Kind::Metrics, metrics(ip, group));
        let unit = ip.unit(group.unit).map(|unit| unit.name.clone());
        // If units share a group, each unit has its own enum.
        let of_units = shared(ip, group);
        let event_type = if of_units { String::new() } else { names::event_type(&group.name) };
        chain(
            format!(
                "Group::new({:?}, {event_type:?}, {:?}, {})",
                group.name,
                group.title,
                group.origin.code()
            ),
            &[
                unit.call("unit"),
                sources,
                list_call("events", &events),
                list_call("metrics", &metrics),
                list_call("unavailable", &none.map(|of| unavailable(ip, of)).collect::<Vec<_>>()),
            ],
        )
    }
}

/// The driver for every core has the events that registers report.
fn events(ip: &Ip, group: &Group) -> Vec<Entry> {
    let events = group.events.iter().filter(|event| !event.unreported);
    events.map(|of| event(ip, of)).collect()
}

fn event(ip: &Ip, event: &Event) -> Entry {
    let counts = match event.unit {
        Counted::Occurrences => String::new(),
        unit => format!(".counts(Counted::{unit:?})"),
    };
    let mut calls =
        vec![event.doc.call("doc"), event.note.call("note"), counts, event.evntbus.call("evntbus")];
    calls.extend(event.flags.iter().map(|name| true.call(name)));
    calls.push(list_call("only", &units(ip, &event.only)));
    calls.push(aliases(ip, &event.aliases));
    let variant = names::type_name(&event.name);
    let start = format!("Event::new(0x{:02X}, {:?}, {variant:?}", event.code, event.name);
    Entry::new(&event.name, start, event.origin.code(), calls)
}

fn metrics(ip: &Ip, group: &Group) -> Vec<Entry> {
    let position = ip.groups.iter().position(|other| std::ptr::eq(other, group));
    let metrics = ip.metrics.iter().filter(|metric| Some(metric.group) == position);
    metrics.map(|of| metric(ip, group, of)).collect()
}

fn metric(ip: &Ip, group: &Group, metric: &Metric) -> Entry {
    let inputs = each(&metric.inputs, |input| match input {
        Input::Cycles => "Input::Cycles".to_owned(),
        Input::Event(event) => {
            let name = group.events.get(*event).map_or("", |event| event.name.as_str());
            format!("Input::Event({name:?})")
        }
    });
    let arguments = each(&metric.arguments, |of| {
        let values = metric.values.iter().filter(|value| value.name == of.name);
        let start = format!("Argument::new({:?}, {:?})", of.name, of.doc);
        chain(start, &[list_call("values", &values.map(Code::code).collect::<Vec<_>>())])
    });
    let formula = format!(
        ".formula({:?}, &{}, {})",
        metric.formula,
        list_of(&inputs),
        expression(&metric.root)
    );
    Entry::new(
        &metric.name,
        format!(
            "Metric::new({:?}, {:?}, Measure::{:?}",
            metric.name,
            names::type_name(&metric.name),
            metric.unit,
        ),
        metric.origin.code(),
        vec![
            metric.doc.call("doc"),
            metric.caveat.call("caveat"),
            formula,
            list_call("arguments", &arguments),
            metric.topics.call("topics"),
            metric.next.call("next"),
            list_call("only", &units(ip, &metric.only)),
        ],
    )
}

fn expression(part: &Expression) -> String {
    match part {
        Expression::Number(number) => format!("E::Number({number})"),
        Expression::Input(nth) => format!("E::Input({nth})"),
        Expression::Argument(nth) => format!("E::Argument({nth})"),
        Expression::Parentheses(inner) => expression(inner),
        Expression::Binary(operator, left, right) => {
            let operator = match operator {
                Operator::Plus => "Sum",
                Operator::Minus => "Difference",
                Operator::Times => "Product",
                Operator::Over => "Quotient",
            };
            format!("E::{operator}(&{}, &{})", expression(left), expression(right))
        }
    }
}

fn unavailable(ip: &Ip, none: &UnavailableMetric) -> String {
    chain(
        format!("UnavailableMetric::new({:?}, {})", none.name, none.origin.code()),
        &[
            none.doc.call("doc"),
            none.reason.call("reason"),
            list_call("only", &units(ip, &none.only)),
        ],
    )
}

fn findings(ip: &Ip) -> Vec<Entry> {
    ip.findings.iter().map(|of| finding(ip, of)).collect()
}

fn finding(ip: &Ip, finding: &Finding) -> Entry {
    let variant = names::type_name(&finding.name);
    Entry::new(
        &finding.name,
        format!("Finding::new({:?}, {variant:?}", finding.name),
        finding.origin.code(),
        vec![
            finding.cause.call("cause"),
            format!(".reads({:?}, {:?})", finding.read, finding.expected),
            format!(".fix(FixableBy::{:?}, {:?})", finding.fixable_by, finding.fix),
            finding.ambiguous.call("ambiguous"),
            list_call("only", &units(ip, &finding.only)),
        ],
    )
}
