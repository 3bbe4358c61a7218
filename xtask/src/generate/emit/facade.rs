//! Generated part of the facade crate `arm-pmu`: its re-exports, and a table of all PMUs for tests.

use std::collections::BTreeSet;
use std::path::Path;

use super::pmcg;
use super::prelude::*;
use crate::generate::implementation;

/// Names of the events that tests count first, if a PMU has them. Other events follow in the order of
/// the spec.
const USUAL_EVENTS: &str = "INST_RETIRED INSTRUCTION_EXECUTED INST_RENAMED L1D_CACHE_REFILL \
    DATA_CACHE_REFILL BRANCH_EXECUTED L1D_CACHE DATA_CACHE_ACCESS L2D_CACHE L2D_CACHE_REFILL \
    L1I_CACHE_REFILL DATA_READ_REQUEST DATA_READ_HIT";

/// Events that no signal causes, but a register access or another counter.
const UNSIGNALLED_EVENTS: [&str; 3] = ["SW_INCR", "SOFTWARE_INCREMENT", "CHAIN"];

/// Number of events of each PMU that the tests count.
const EVENTS: usize = 6;

/// Returns the files of the facade by name, for all IPs and the architectures with a driver for
/// every core.
pub fn emit(all: &[&Ip]) -> Vec<Generated> {
    vec![
        Generated { name: "ips.rs".to_owned(), text: ips_file(all) },
        Generated { name: "pmus.rs".to_owned(), text: pmus_file(all) },
    ]
}

/// Returns the modules of the simulated devices, in the crate `arm-pmu-sim`.
pub fn devices(root: &Path, all: &[&Ip]) -> Generated {
    let mut text = format::header("the directories under specs");
    for ip in all {
        let names::IpNames { module, type_name, .. } = names::of_ip(&ip.name);
        let has_folder = root.join("crates/arm-pmu-sim/src").join(&module).is_dir();
        let file = if has_folder { format!("{module}/mod.rs") } else { format!("{module}.rs") };
        let _ = write!(
            text,
            "#[path = \"../{file}\"]\npub(crate) mod {module};\npub use {module}::{type_name};\n"
        );
    }
    Generated { name: "devices.rs".to_owned(), text }
}

fn ips_file(all: &[&Ip]) -> String {
    let mut text = format::header("the directories under specs");
    let mut seen: Vec<&str> = Vec::new();
    for ip in all {
        // Only memory-mapped IPs need this, because programs do not name the space of a core.
        let architecture = ip.architecture.as_ref().filter(|_| shares_space(ip));
        if let Some(architecture) = architecture.filter(|of| !seen.contains(&&*of.name)) {
            seen.push(&architecture.name);
            let of =
                |ip: &&&Ip| ip.architecture.as_ref().is_some_and(|a| a.name == architecture.name);
            let features: Vec<_> =
                all.iter().filter(of).map(|ip| format!("feature = {:?}", ip.name)).collect();
            let _ = write!(
                text,
                "// The architecture precedes its IPs, so that the compiler's messages call their \
                 shared space `{module}::Space`.\n#[cfg(any({}))]\npub use {module};\n",
                features.join(", "),
                module = names::of_ip(&architecture.name).module,
            );
        }
        let module = names::of_ip(&ip.name).module;
        let _ = write!(text, "#[cfg(feature = {:?})]\npub use {module};\n", ip.name);
    }
    text
}

/// Returns whether the facade also has the crate of the architecture.
pub fn shares_space(ip: &Ip) -> bool {
    ip.architecture.is_some() && matches!(ip.space, Space::Region { .. })
}

fn pmus_file(all: &[&Ip]) -> String {
    let mut rows: Vec<Row> = Vec::new();
    let (mut undiagnosed, mut drivers) = (String::new(), Vec::new());
    for ip in all {
        let units = (0..ip.units.len()).map(Some).chain(ip.units.is_empty().then_some(None));
        let of_ip = units.map(|unit| row(ip, unit));
        if ip.findings.is_empty() {
            undiagnosed.extend(of_ip);
            continue;
        }
        let driver = driver_of(ip);
        let is_first = driver.is_none() || !drivers.contains(&driver);
        drivers.push(driver);
        rows.extend(of_ip.map(|text| Row { kind: kind(ip), is_first, text }));
    }
    let kinds: BTreeSet<&str> = rows.iter().map(|row| row.kind.as_str()).collect();
    let mut arms = String::new();
    let mut add = |arguments: &str, is_row: &dyn Fn(&Row) -> bool| {
        let rows: String = rows.iter().filter(|row| is_row(row)).map(|row| &*row.text).collect();
        arms += &arm(&format!("{arguments}$with:ident"), &rows);
    };
    add("", &|_| true);
    add("drivers => ", &|row| row.is_first);
    for kind in kinds {
        add(&format!("{kind} => "), &|row| row.kind == kind);
        if rows.iter().any(|row| row.kind == kind && !row.is_first) {
            add(&format!("drivers of {kind} => "), &|row| row.kind == kind && row.is_first);
        }
    }
    arms += &arm("undiagnosed => $with:ident", &undiagnosed);
    format::header("the directories under specs")
        + "/// Calls a macro with a row for each PMU with findings, optionally of one kind, or \
           (`undiagnosed`) for each PMU without findings. With `drivers`, only the first PMU of \
           each driver has a row. Tests use this macro, so they list no PMUs.\n\
           #[doc(hidden)]\n#[macro_export]\nmacro_rules! for_each_pmu {\n"
        + &arms
        + "}\n"
}

/// A PMU in the table.
struct Row {
    kind: String,
    /// Whether this PMU is the first in the table that uses its driver.
    is_first: bool,
    text: String,
}

/// Returns the properties of an IP on which the code of its driver depends, apart from events and names; `None` if the
/// IP has its own driver.
fn driver_of(ip: &Ip) -> Option<(&str, u32, u32, Option<u32>, bool)> {
    let architecture = ip.architecture.as_ref().filter(|_| !ip.is_generic())?;
    let counters = &ip.counters;
    let (version, has_filter) = (implementation::version(ip), implementation::has_filter(ip));
    Some((&architecture.name, counters.count, counters.bits, version, has_filter))
}

fn arm(arguments: &str, rows: &str) -> String {
    format!("    ({arguments}) => {{\n        $with! {{\n{rows}        }}\n    }};\n")
}

/// Returns the architecture of the driver, or the IP if it has its own driver.
pub fn kind(ip: &Ip) -> String {
    match &ip.architecture {
        Some(architecture) => names::of_ip(&architecture.name).module,
        None if pmcg::is_group(ip) => "smmuv3_pmcg".to_owned(),
        None => names::of_ip(&ip.name).module,
    }
}

fn place(ip: &Ip) -> &'static str {
    match ip.space {
        Space::Region { .. } => "memory",
        Space::Pages(_) => "pages",
        Space::Cp15 => "cp15",
        Space::System => "system",
    }
}

fn row(ip: &Ip, unit: Option<usize>) -> String {
    let module = names::of_ip(&ip.name).module;
    let unit_name = unit.map(|unit| ip.units[unit].name.as_str());
    let unit_module = unit_name.map(names::unit_module);
    let id = unit_module.as_ref().map_or(module.clone(), |unit| format!("{module}_{unit}"));
    let name = unit_name.map_or(ip.name.clone(), |unit| format!("{}:{unit}", ip.name));
    let krate = format!("$crate::{module}");
    let driver = unit_module.as_ref().map_or(krate.clone(), |unit| format!("{krate}::{unit}"));
    let finding = if ip.findings_differ() { &driver } else { &krate };
    // A driver without a diagnosis has no `Finding`.
    let finding = match ip.findings.is_empty() {
        true => String::new(),
        false => format!(" finding: {finding}::Finding,"),
    };
    let (kind, place) = (kind(ip), place(ip));
    // Name of the simulated device's constant that lists the registers. Each unit with pages has
    // its own constant.
    let registers = unit_name.filter(|_| place == "pages" || ip.registers_differ());
    let registers =
        registers.map_or("REGISTERS".to_owned(), |unit| names::constant(unit) + "_REGISTERS");
    let groups = ip.groups_of(unit).map(|group| {
        let events = super::events::event_type(ip, group, unit);
        match group.sources.is_empty() {
            true => events,
            false => format!("{events} {}", names::source_type(&group.name)),
        }
    });
    let groups: Vec<_> = groups.collect();
    let events: Vec<_> = events(ip, unit).iter().map(|id| format!("0x{id:02X}")).collect();
    let mut figures = Vec::new();
    figures.extend(ip.metrics_of(unit).next().map(|_| "METRICS"));
    figures.extend(ip.not_computable_of(unit).next().map(|_| "NOT_COMPUTABLE"));
    // The function that recognizes the product's Main ID Register.
    let is_core = ip.main_id.is_some() && ip.architecture.is_some() && !ip.is_generic();
    let is = if is_core { format!("is_{module}") } else { String::new() };
    format!(
        "            {id} {{\n                name: {name:?}, product: {product}, kind: {kind}, place: {place}, \
         cycles: {cycles},\n                krate: {krate}, driver: {driver},{finding}\n                \
         device: {device}{unit}, registers: {registers},\n                events: [{events}],\n                groups: [{groups}], \
         figures: [{figures}], is: [{is}],\n            }}\n",
        product = !ip.is_generic(),
        cycles = ip.counters.cycles,
        device = names::of_ip(&ip.name).type_name,
        unit = unit_module.map_or(String::new(), |unit| format!("::{unit}")),
        events = events.join(", "),
        groups = groups.join(", "),
        figures = figures.join(", "),
        is = is,
    )
}

/// Returns ids of events that a test can signal. The events are from the first group. If the group
/// has several sources, the events happen at its second source.
fn events(ip: &Ip, unit: Option<usize>) -> Vec<u32> {
    let Some(group) = ip.groups_of(unit).next() else { return Vec::new() };
    let counts = |event: &&Event| {
        let never = ["never_fires", "secure_only"].iter().any(|flag| event.flags.contains(flag));
        !never && event.unit != Counted::Cycles && !UNSIGNALLED_EVENTS.contains(&&*event.name)
    };
    let mut events: Vec<_> = group.events_of(unit).filter(counts).collect();
    // The sort is stable, so other events keep their order.
    let usual = |event: &&Event| USUAL_EVENTS.split(' ').position(|name| name == event.name);
    events.sort_by_key(|event| usual(event).unwrap_or(usize::MAX));
    let source = group.sources.get(1).or(group.sources.first()).map_or(0, |source| source.id);
    let first = ip.counters.source.map_or(0, |bits| source << bits.low);
    events.iter().take(EVENTS).map(|event| first | event.code << ip.counters.event.low).collect()
}
