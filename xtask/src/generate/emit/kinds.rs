//! The PMUs that `arm-pmu-linux` can open.

use super::prelude::*;
use super::products::are_revisions;
use super::{facade, pmcg};

/// Implementations of `Kind`, and the look-up of a `Kind` by its name in the tables.
pub fn emit(ips: &[Ip]) -> Vec<Generated> {
    let kinds: Vec<_> = ips.iter().flat_map(of_ip).collect();
    let mut text = format::header("the directories under specs");
    text.push_str("//! The PMUs that can be opened.\n\nuse super::kind::{Kind, KindVisitor, driver, kind};\n\n");
    for Kind { declaration, .. } in &kinds {
        let _ = writeln!(text, "kind!({declaration});");
    }
    text.push_str(
        "\n/// Calls the visitor with the kind named `name` in the tables: `cci400:r1`, `mmu600:tcu`, `cortex-a53`. `None` if \
         it cannot\n/// be opened.\npub fn visit_kind<V: KindVisitor>(name: &str, visitor: V) -> Option<V::Output> {\n    \
         Some(match name {\n",
    );
    for Kind { name, selection, .. } in &kinds {
        let _ = writeln!(text, "        {name:?} => visitor.visit::<{selection}>(),");
    }
    text.push_str("        _ => return None,\n    })\n}\n");
    vec![Generated { name: "mod.rs".to_owned(), text }]
}

/// Devices that have a diagnosis, and whose registers a program can access: all devices in memory, except caches, which
/// the kernel itself uses.
pub fn devices(ips: &[Ip]) -> Vec<Generated> {
    let mut text = format::header("the directories under specs");
    text.push_str("devices! {\n");
    let in_memory = |ip: &&Ip| {
        let is_cache = |linux: &LinuxPmu| linux.driver == LinuxDriver::CacheL2x0Pmu;
        matches!(ip.space, Space::Region { .. } | Space::Pages(_))
            && !ip.findings.is_empty()
            && !ip.linux.as_ref().is_some_and(is_cache)
    };
    for ip in ips.iter().filter(in_memory) {
        let names::IpNames { module, type_name, .. } = names::of_ip(&ip.name);
        let place = if matches!(ip.space, Space::Pages(_)) { "pages" } else { "region" };
        let mut row = |title: &str, device: &str, name: &str, unit: &str| {
            let kind = facade::kind(ip);
            let _ = writeln!(
                text,
                "    #[doc = {title:?}] {device} = {name:?}, {kind} {place} {module}{unit};"
            );
        };
        if ip.units.is_empty() {
            row(&format!("{}.", ip.title), &type_name, &ip.name, "");
        }
        for unit in &ip.units {
            let of = if place == "pages" { ip.product().to_owned() + ", " } else { String::new() };
            row(
                &format!("{of}{}.", unit.title),
                &(type_name.clone() + &names::of_ip(&unit.name).type_name),
                &format!("{}:{}", ip.name, unit.name),
                &format!("::{}", names::unit_module(&unit.name)),
            );
        }
    }
    text.push_str("}\n");
    vec![Generated { name: "devices.rs".to_owned(), text }]
}

struct Kind {
    /// In the tables.
    name: String,
    /// Type of the selections.
    selection: String,
    declaration: String,
}

fn of_ip(ip: &Ip) -> Vec<Kind> {
    let krate = names::of_ip(&ip.name).module;
    if let Some(linux) = &ip.linux {
        return kind(ip, linux, ip.name.clone(), krate, None).into_iter().collect();
    }
    let of_unit = |(number, unit): (usize, &crate::generate::model::PmuUnit)| {
        // The crate's default driver is the driver of the newest revision.
        let path = if are_revisions(ip) && number == 0 {
            krate.clone()
        } else {
            format!("{krate}::{}", names::unit_module(&unit.name))
        };
        let component = format!("{krate}::{}", names::of_ip(&unit.name).type_name);
        let parts =
            pmcg::is_group(ip).then(|| format!("<{component} as {krate}::Component>::PARTS"));
        kind(ip, unit.linux.as_ref()?, format!("{}:{}", ip.name, unit.name), path, parts)
    };
    ip.units.iter().enumerate().filter_map(of_unit).collect()
}

/// Returns `None` for a PMU without a device-tree node: only a kernel with a board file has such a
/// PMU.
fn kind(
    ip: &Ip,
    linux: &LinuxPmu,
    name: String,
    path: String,
    parts: Option<String>,
) -> Option<Kind> {
    let driver = match linux.driver {
        LinuxDriver::ArmCci => "CCI",
        LinuxDriver::ArmSmmuv3Pmu => "SMMU",
        LinuxDriver::CacheL2x0Pmu => "CACHE",
        LinuxDriver::ArmDsuPmu => "CLUSTER",
        LinuxDriver::ArmPmuv3 | LinuxDriver::ArmV6Pmu | LinuxDriver::ArmV7Pmu => "CORE",
    };
    if linux.node.is_none() && linux.driver != LinuxDriver::ArmSmmuv3Pmu {
        return None;
    }
    let cycles = if ip.counters.cycles { "cycles" } else { "events" };
    let source = if ip.counters.source.is_some() { "source" } else { "code" };
    let also = ip.also.iter().filter_map(|product| product.linux.as_ref()?.name.as_deref());
    let also: Vec<_> = also.collect();
    let selection = format!("{path}::Selection");
    let device =
        linux.name.as_ref().map_or_else(|| "driver::PMCG".to_owned(), |name| format!("{name:?}"));
    let parts = parts.unwrap_or_else(|| "&[]".to_owned());
    let declaration = format!(
        "{selection}, {}, {cycles}, {source}, driver::{driver}, {device}, &{also:?}, {parts}",
        ip.counters.count
    );
    Some(Kind { name, selection, declaration })
}
