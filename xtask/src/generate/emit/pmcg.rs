//! Generates the driver of SMMUv3 PMCGs in the crate of an IP: structs that delegate to `smmuv3-pmcg`, and functions
//! with which `smmuv3-pmcg` accesses the typed registers of the IP.
//!
//! The templates in `pmcg` contain names in braces, and sections as in `pmu`: `fixed` if every device has the same
//! number of counters, otherwise `variable`; `main` for the first unit.

use super::pmu::{sections, wrapped};
use super::prelude::*;

pub fn is_group(ip: &Ip) -> bool {
    default_counters(ip).is_some()
}

fn default_counters(ip: &Ip) -> Option<u32> {
    ip.driver.as_ref()?.group_counters
}

/// Returns the driver's files; empty if the units of the IP are not PMCGs.
pub fn emit(ip: &Ip) -> Vec<Generated> {
    let Some(counters) = default_counters(ip) else { return Vec::new() };
    let file = |name: String, template: &str, text: &str, unit: Option<(usize, &str)>| {
        let from =
            format!("xtask/src/generate/emit/pmcg/{template} and specs/{}/registers.yaml", ip.name);
        Generated { name, text: format::header(&from) + &filled(ip, counters, text, unit) }
    };
    let of_ip = [
        ("pmcg", include_str!("pmcg/pmcg.txt")),
        ("pmu", include_str!("pmcg/pmu.txt")),
        ("running", include_str!("pmcg/running.txt")),
    ];
    let of_ip =
        of_ip.map(|(name, text)| file(format!("{name}.rs"), &format!("{name}.txt"), text, None));
    let of_units = ip.units.iter().enumerate().map(|(number, unit)| {
        let name = format!("{}/pmu.rs", names::unit_module(&unit.name));
        file(name, "unit.txt", include_str!("pmcg/unit.txt"), Some((number, &unit.name)))
    });
    of_ip.into_iter().chain(of_units).collect()
}

fn filled(ip: &Ip, counters: u32, template: &str, unit: Option<(usize, &str)>) -> String {
    let is_fixed = ip.counters.count == counters;
    let is_main = unit.is_some_and(|(number, _)| number == 0);
    let flags = [("fixed", is_fixed), ("variable", !is_fixed), ("main", is_main)];
    let text = sections(template, &flags);
    let mask = field(ip, "CNTENSET0", "CNTEN");
    let is_word = mask.is_some_and(|bits| bits.high - bits.low == 31);
    let (declared, with, number) = if is_fixed {
        ("", "", "COUNTERS")
    } else {
        (", const N: usize = DEFAULT_COUNTERS", ", const N: usize", "N")
    };
    let argument = if is_fixed { "" } else { ", N" };
    let names = names::of_ip(&ip.name);
    let (_, name) = unit.unwrap_or_default();
    let upper = name.to_uppercase();
    let one = format!("{} {upper}", if is_main { "the" } else { "a" });
    let nctr = field(ip, "CFGR", "NCTR").map_or(0, Bits::mask);
    let text = text
        .replace("{declared}", &format!("C: Component, P0, P1{declared}"))
        .replace(
            "{bounds}",
            &format!("C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>{with}"),
        )
        .replace("{plain}", &format!("C: Component, P0, P1{with}"))
        .replace("{arguments}", &format!("C, P0, P1{argument}"))
        .replace("{n}", number)
        .replace("{counters}", &counters.to_string())
        .replace("{nctr}", &format!("{nctr:#X}").replace("0X", "0x"))
        .replace("{mask}", if is_word { "" } else { " as u8" })
        .replace("{into}", if is_word { "" } else { ".into()" })
        .replace("{one}", &one)
        .replace("{unit}", &names::unit_module(name))
        .replace("{Unit}", &names::of_ip(name).type_name)
        .replace("{krate}", &names.module)
        .replace("{type}", &names.type_name)
        .replace("{product}", ip.product());
    wrapped(&text)
}

fn field(ip: &Ip, register: &str, field: &str) -> Option<Bits> {
    let register = ip.registers.iter().find(|found| found.name == register)?;
    register.named().find(|(_, named)| named.name == field).map(|(bits, _)| bits)
}
