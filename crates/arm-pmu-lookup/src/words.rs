//! Formats facts of the tables as phrases.

use arm_pmu_tables::{
    Access, Confidence, Event, EventOf, Field, Group, Ip, Location, Manual, NonSecure, Origin, Pmu,
    Register, Reserved, Selector, UserMode,
};

use arm_pmu_tables::platform::{Controller, Instance, Interrupts, NodeState, Switch, Writer};

use crate::kernel::{is_cluster, node_of_cluster};
use crate::text::with_article;

/// Describes the source of a fact in a sentence.
#[must_use]
pub fn origin(origin: &Origin, manual: &Manual) -> String {
    let place = match (origin.section, origin.source) {
        (Some(section), Some(source)) => format!("{} {section}; {source}", manual.id),
        (Some(section), None) => format!("{} {section}", manual.id),
        (None, Some(source)) => source.to_owned(),
        (None, None) => "none".to_owned(),
    };
    let grade = match origin.confidence {
        Confidence::B => " (two or more independent sources agree)",
        Confidence::C => " (one source)",
        Confidence::D => " (inferred, not confirmed)",
        Confidence::M => " (measured on hardware)",
        _ => "",
    };
    format!("Source: {place}{grade}.")
}

/// A row that describes one fact about a PMU of a platform.
#[derive(Clone, Debug)]
pub struct FactRow {
    /// Subject, such as `base`.
    pub what: &'static str,
    /// Formatted value.
    pub value: String,
    /// Origin; `None` if the value follows from other facts, or is unknown.
    pub origin: Option<Origin>,
    /// Further information.
    pub note: Option<&'static str>,
}

/// Facts about a PMU of a platform. `enabled` is the word printed for a device tree node that the driver binds to.
#[must_use]
pub fn facts(of: &Instance, enabled: &str) -> Vec<FactRow> {
    let mut rows = Vec::new();
    let mut add = |what, value, origin, note| rows.push(FactRow { what, value, origin, note });
    add("IP", of.ip.value.to_owned(), Some(of.ip.origin), None);
    if let Some(unit) = of.unit {
        add("unit", unit.value.to_owned(), Some(unit.origin), None);
    } else if of.pmu().is_some_and(|pmu| pmu.is_ambiguous()) {
        add("unit", "not known".to_owned(), None, None);
    }
    if let Some(all) = of.cpus {
        add("CPUs", cpus(all.numbers), Some(all.origin), None);
    }
    for (what, fact) in [("base", of.base), ("length", of.length)] {
        if let Some(fact) = fact {
            add(what, format!("0x{:X}", fact.value), Some(fact.origin), None);
        }
    }
    if let Some(all) = of.interrupts {
        add("interrupts", interrupts(&all), Some(all.origin), all.note);
    }
    if let Some(linux) = of.linux {
        add("Linux", linux.value.to_owned(), Some(linux.origin), None);
    } else if let (true, Some((_, name))) = (is_cluster(of), node_of_cluster(of)) {
        add("Linux", name.to_owned(), None, None);
    }
    if let Some(node) = of.device_tree {
        let state = if node.state == NodeState::Enabled { enabled } else { node.state.word() };
        let name = node.node.map_or(String::new(), |node| format!(", {node}"));
        add("device tree", format!("{state}{name}"), Some(node.origin), node.missing);
    }
    if let Some(clock) = of.clock {
        let mut value = clock.name.unwrap_or("not named").to_owned();
        if let Some(hertz) = clock.hertz {
            value += &format!(", {:.2} MHz", f64::from(hertz) / 1e6);
        }
        add("clock", value, Some(clock.origin), clock.note);
    }
    rows
}

/// Describes interrupts: `SPI 123, for all counters, level high`, `PPI 7 of each CPU, level high`.
pub fn interrupts(interrupts: &Interrupts) -> String {
    let numbers: Vec<_> = interrupts.numbers.iter().map(u32::to_string).collect();
    let controller = match interrupts.controller.word() {
        "spi" => "SPI",
        "ppi" => "PPI",
        "intid" => "INTID",
        _ => interrupts.of.unwrap_or("input"),
    };
    let cpus = match interrupts.affinity {
        [] if interrupts.per_cpu || interrupts.controller == Controller::Ppi => {
            " of each CPU".to_owned()
        }
        [] => String::new(),
        affinity => format!(" for CPU {}", self::cpus(affinity)),
    };
    let wiring = match interrupts.wiring.map(|wiring| wiring.word()) {
        Some("combined") => ", for all counters",
        Some(_) => ", one for each counter",
        None => "",
    };
    let trigger = interrupts
        .trigger
        .map_or(String::new(), |trigger| format!(", {}", trigger.word().replace('_', " ")));
    format!("{controller} {}{cpus}{wiring}{trigger}", numbers.join(", "))
}

/// Lists CPUs as Linux does: `0-3,5`.
#[must_use]
pub fn cpus(cpus: &[u32]) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for cpu in cpus {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == *cpu => *last = *cpu,
            _ => spans.push((*cpu, *cpu)),
        }
    }
    let text = |(first, last): (u32, u32)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    };
    spans.into_iter().map(text).collect::<Vec<_>>().join(",")
}

/// Describes a switch and the software that may write it: `NIDEN is bit 1 of CCI_REG CCI_MISC_CTRL at 0xFD5E0040: ..`.
#[must_use]
pub fn switch(switch: &Switch) -> String {
    let mut text = if switch.written_by == Writer::FirmwareMenu {
        format!("{} is an option in the setup menu of the firmware.", switch.name)
    } else {
        let bits = switch.bits.map_or(String::new(), |bits| format!("bit {bits} of "));
        let register = switch.register.unwrap_or("an unknown register");
        let address = switch.address.map_or(String::new(), |address| format!(" at 0x{address:X}"));
        let reset = match (switch.on, switch.reset) {
            (Some(on), Some(reset)) => format!(", {on} to count, {reset} after reset"),
            _ => String::new(),
        };
        let writer = switch.written_by.word().replace('_', " ");
        format!("{} is {bits}{register}{address}{reset}; written by: {writer}.", switch.name)
    };
    if let Some(seen) = switch.seen_from_elsewhere {
        text += &format!(" {seen}");
    }
    text
}

/// Describes the access of software to a register.
#[must_use]
pub fn access(access: Access) -> &'static str {
    match access {
        Access::ReadWrite => "read and write",
        Access::ReadOnly => "read only",
        Access::WriteOnly => "write only",
        Access::WriteOneActs => "write 1 to act, reads as 0",
        Access::WriteOneClears => "write 1 to clear",
        Access::WriteOneSets => "write 1 to set",
        other => other.word(),
    }
}

/// Describes the access of software to a field.
#[must_use]
pub fn field_access(field: &Field) -> &'static str {
    match field.access {
        Access::WriteOneActs if field.reads_unpredictably => "write 1 to act, reads unpredictably",
        other => access(other),
    }
}

/// Describes a field, with its other names, elements and units, and its origin if the register's origin differs.
#[must_use]
pub fn field_doc(ip: &Ip, register: &Register, field: &Field) -> String {
    let mut doc = field.doc.to_owned();
    if !field.aliases.is_empty() {
        doc += &format!(" Other names: {}.", field.aliases.join(", "));
    }
    if !field.elements.is_empty() {
        let elements: Vec<_> = field.elements.iter().map(u32::to_string).collect();
        doc += &format!(" Elements {} only.", elements.join(", "));
    }
    if !field.only.is_empty() {
        doc += &format!(" {} only.", titles(ip, field.only));
    }
    if field.origin != register.origin {
        doc += &format!(" {}", origin(&field.origin, &ip.manual));
    }
    doc
}

/// Describes an event: `Code 0x09, counts occurrences, Secure exempt.`
#[must_use]
pub fn event_data(event: &Event, group: &Group) -> String {
    let mut data = format!("Code 0x{:02X}, counts {}", event.code, event.counted);
    if let Some(bit) = event.evntbus {
        data += &format!(", bit {bit} of its source on EVNTBUS");
    }
    for word in event.attributes() {
        data += ", ";
        data += match word {
            "secure_exempt" => "Secure exempt",
            "ace_only" => "ACE interfaces only",
            "never_fires" => "never fires",
            "filterable" => "obeys the StreamID filter",
            "secure_only" => "Secure: counted only under Secure observation",
            "architectural" => "defined by the architecture",
            other => other,
        };
    }
    let has_filter = group.events.iter().any(|event| event.filterable);
    if has_filter && !event.filterable {
        data += ", counted for all StreamIDs";
    }
    data + "."
}

/// Path of an event in the crate of its IP: `SlaveEvent::ReadDataSnoopHit`, with the module of its unit. An event that
/// several cores share has a path for each core.
#[must_use]
pub fn rust_event(of: EventOf) -> Vec<String> {
    let krate = of.ip.rust;
    let module = |unit: &arm_pmu_tables::Unit| {
        if unit.rust.is_empty() { String::new() } else { format!("{}::", unit.rust) }
    };
    if of.group.rust.is_empty() {
        let own = of.units().filter_map(|unit| unit.rust_events);
        return own.map(|name| format!("{krate}::{name}::{}", of.event.rust)).collect();
    }
    // If events have sources, groups of different units can have the same name, so their types are in modules.
    let unit =
        of.units().next().filter(|_| of.group.unit.is_some() && of.ip.counters.source.is_some());
    let module = unit.map_or(String::new(), module);
    vec![format!("{krate}::{module}{}::{}", of.group.rust, of.event.rust)]
}

/// Type of a metric in the crate of its IP.
#[must_use]
pub fn rust_metric(ip: &Ip, group: &Group, name: &str) -> String {
    let unit = group.unit.and_then(|unit| ip.unit(unit));
    let module = unit.map_or(String::new(), |unit| format!("{}::", unit.rust));
    format!("{}::{module}metrics::{name}", ip.rust)
}

/// Full names of units.
#[must_use]
pub fn titles(ip: &Ip, units: &[&str]) -> String {
    let titles = units.iter().filter_map(|unit| ip.unit(unit)).map(|unit| unit.title);
    titles.collect::<Vec<_>>().join(", ")
}

/// Location of a register.
#[must_use]
pub fn place(pmu: Pmu, register: &Register) -> String {
    match register.location {
        Location::Memory { page, block, offset, count, stride } => {
            let mut text = format!("offset 0x{offset:03X}");
            if let Some(page) = page {
                text += &format!(" of {page}");
            }
            if count > 1 {
                text += &format!(" + 0x{stride:X} * n, n = 0 to {}", count - 1);
            }
            if let Some(block) = block {
                text += &format!(" (block {block})");
            }
            let units =
                pmu.ip.units.iter().filter(|unit| pmu.unit.is_none_or(|of| of.name == unit.name));
            for unit in units {
                if let Some(base) = page.and_then(|page| unit.page_offset(page)) {
                    text += &format!("; 0x{:X} from the base of the {}", base + offset, unit.title);
                }
            }
            text
        }
        Location::Cp15 { operands: o, selected_by } => {
            format!("MRC or MCR p15, {}, Rt, c{}, c{}, {}", o.opc1, o.crn, o.crm, o.opc2)
                + &selection(selected_by)
        }
        Location::System { register, count: 1, selected_by } => {
            format!("MRS or MSR {register}{}", selection(selected_by))
        }
        Location::System { register, count, .. } => {
            format!("MRS or MSR {register} to {}, n = 0 to {}", register.plus(count - 1), count - 1)
        }
        _ => String::new(),
    }
}

fn selection(by: Option<Selector>) -> String {
    by.map_or_else(String::new, |by| {
        format!("; {}.{} selects one of {}", by.register, by.field, by.count)
    })
}

/// Reset value of a register.
#[must_use]
pub fn resets(ip: &Ip, register: &Register) -> String {
    let value = |reset: &arm_pmu_tables::Reset| match reset.value {
        Some(value) => format!("0x{value:X}{}", doubt(&reset.origin, &register.origin)),
        None => "unknown".to_owned(),
    };
    match register.resets {
        [] => "reset value not given".to_owned(),
        [reset] if reset.value.is_none() => "unknown after reset".to_owned(),
        [reset] => format!("after reset {}", value(reset)),
        resets => {
            let of_unit = |reset: &arm_pmu_tables::Reset| {
                let unit = reset.unit.and_then(|unit| ip.unit(unit));
                let unit =
                    unit.map_or(String::new(), |unit| format!(" in {}", with_article(unit.title)));
                format!("{}{unit}", value(reset))
            };
            format!("after reset {}", resets.iter().map(of_unit).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns a remark if the confidence in a detail is lower than the confidence in the whole.
fn doubt(own: &Origin, whole: &Origin) -> &'static str {
    match own.confidence {
        same if same == whole.confidence => "",
        Confidence::C => " (one source)",
        Confidence::D => " (inferred, not confirmed)",
        _ => "",
    }
}

/// Software that can access a register; empty if all software can.
pub fn restrictions(register: &Register) -> impl Iterator<Item = &'static str> {
    let non_secure = register.non_secure.map(|answer| match answer {
        NonSecure::Zero => {
            "Only for Secure software: Non-secure reads return zero, and Non-secure writes are ignored."
        }
        _ => "For Secure software.",
    });
    let is_system = matches!(register.location, Location::System { .. });
    let user = register.user.map(|rule| match rule {
        UserMode::Enabled if is_system => {
            "Accessible at EL0 only if enabled; otherwise the access traps."
        }
        UserMode::Read if is_system => "At EL0, always readable and never writable.",
        _ if is_system => "Not accessible at EL0: an access traps.",
        UserMode::Enabled => "In User mode only if enabled, otherwise undefined.",
        UserMode::Read => "In User mode, always readable and never writable.",
        _ => "Not accessible in User mode: an access is undefined.",
    });
    non_secure.into_iter().chain(user)
}

/// Required value of reserved bits.
#[must_use]
pub fn reserved(rule: Reserved) -> &'static str {
    match rule {
        Reserved::Zero => "reserved, zero",
        Reserved::ShouldBeZero => "reserved, write zero",
        Reserved::ShouldBeZeroOrPreserved => "reserved, write zero or what was read",
        Reserved::One => "reserved, one",
        other => other.word(),
    }
}

/// Returns the text for reserved bits in a cell of a diagram: their required value.
#[must_use]
pub fn reserved_cell(rule: Reserved) -> &'static str {
    match rule {
        Reserved::Zero => "0",
        Reserved::One => "1",
        other => other.word(),
    }
}
