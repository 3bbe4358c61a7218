//! Converts the model to generated files.

pub mod architecture;
pub mod common;
pub mod docs;
mod events;
pub mod facade;
mod findings;
mod format;
pub mod kinds;
mod layout;
mod macros;
mod metrics;
pub mod platform_constants;
pub mod platforms;
pub mod pmcg;
mod pmu;
pub mod products;
mod registers;
mod space;
mod svd;
pub mod tables;
mod tidy;
pub mod words;

pub use macros::Macros;

use anyhow::Result;

use crate::generate::files::Generated;
use crate::generate::implementation;
use crate::generate::model::{Architecture, Ip, Space};
use crate::generate::names;
use crate::generate::spec;
use format::inner_doc;

/// Items that most files of this module import.
mod prelude {
    pub use std::fmt::Write as _;

    pub(super) use super::format::{doc, inner_doc};
    pub(super) use super::{docs, format};
    pub use crate::generate::files::Generated;
    pub use crate::generate::model::*;
    pub use crate::generate::names;
}

/// Returns the schemas of the spec language, relative to `specs/schema`.
pub fn schemas() -> Result<Vec<Generated>> {
    let file = |(name, title, root)| {
        let schema = spec::schema::document(title, root);
        let text = serde_json::to_string_pretty(&schema)? + "\n";
        Ok(Generated { name: format!("{name}.json"), text })
    };
    spec::FILES.into_iter().map(file).collect()
}

/// Returns all generated files of an IP. The files call the macros of its architecture.
///
/// Fails only if svd2rust fails, which does not happen with a checked spec.
pub fn emit(ip: &Ip, macros: Option<&Macros>) -> Result<Vec<Generated>> {
    let shared = macros.map(|macros| macros.metrics(ip)).unwrap_or_default();
    let spec = |file: &str| format!("specs/{}/{file}", ip.name);
    let registers = spec("registers.yaml");
    let both = format!("{registers} and events.yaml");
    let of_metrics = format!("{} and events.yaml", spec("metrics.yaml"));
    let findings = match &ip.architecture {
        Some(of) if !ip.is_generic() => {
            format!("specs/{}/findings.yaml and specs/{}", of.name, ip.name)
        }
        _ => spec("findings.yaml") + " and specs/findings.yaml",
    };
    let mut files = vec![format::file("mod.rs", &both, module(ip))];
    files.extend(pmu::emit(ip));
    files.extend(pmcg::emit(ip));
    files.extend(implementation::identity(ip)?);
    if ip.architecture.is_none() {
        files.push(format::file("field.rs", &registers, field(ip)));
        files.push(format::file("space.rs", &registers, space::emit(ip)));
    }
    // Files of the IP itself (`None`), then files of each unit.
    for unit in [None].into_iter().chain((0..ip.units.len()).map(Some)) {
        let directory = ip.unit(unit).map(|unit| names::unit_module(&unit.name) + "/");
        let name = |file: &str| directory.clone().unwrap_or_default() + file;
        if has_findings(ip, unit) {
            let call = macros.and_then(|macros| macros.findings(ip)).filter(|_| unit.is_none());
            let items = findings::emit(ip, unit, call);
            files.push(format::file(&name("findings.rs"), &findings, items));
        }
        if has_registers(ip, unit) {
            let items = registers::emit(ip, unit)?;
            files.push(format::file(&name("registers.rs"), &registers, items));
        }
        if has_events(ip, unit) {
            files.push(format::file(&name("events.rs"), &both, events::emit(ip, unit)));
            let metrics = metrics::emit(ip, unit, &shared);
            let metrics = metrics.map(|of| format::file(&name("metrics.rs"), &of_metrics, of));
            files.extend(metrics);
        }
    }
    Ok(files)
}

/// Returns all generated files of an architecture.
///
/// `generic` is the architecture as a model for every core. If it is given, the files include a
/// driver for every core.
///
/// Fails only if svd2rust fails, which does not happen with a checked spec.
pub fn architecture(
    architecture: &Architecture,
    ips: &[&Ip],
    generic: Option<&Ip>,
    macros: &Macros,
) -> Result<Vec<Generated>> {
    let from = format!("specs/{}/registers.yaml", architecture.name);
    let common = architecture::common(architecture, ips, generic);
    let mut files = vec![
        format::file("mod.rs", &from, architecture::module(architecture, ips, generic)),
        format::file("field.rs", &from, field(&common.ip)),
        format::file("space.rs", &from, space::emit(&common.ip)),
        format::file("registers.rs", &from, registers::common(&common, ips)?),
        pmu::of_implementations(architecture, ips, &macros.definitions()),
    ];
    for ip in ips {
        let name = format!("{}/registers.rs", names::of_ip(&ip.name).module);
        files.push(format::file(&name, &from, registers::of_implementation(&common, ip)?));
    }
    if let Some(generic) = generic {
        let of_driver =
            emit(generic, Some(macros))?.into_iter().filter(|file| file.name != "mod.rs");
        files.extend(of_driver);
    }
    Ok(files)
}

/// Returns the file with the types of fields. The crate must own these types, because their methods
/// are inherent.
fn field(ip: &Ip) -> Vec<String> {
    // Units with different registers each have a module of registers.
    let unit = ip.units.first().filter(|_| ip.architecture.is_none() && ip.registers_differ());
    let registers = match unit {
        Some(unit) => format!("crate::{}::registers", names::unit_module(&unit.name)),
        None => "crate::registers".to_owned(),
    };
    let text = inner_doc([
        "Support code for all registers: the types of values that are read or written, and the accesses to a device."
            .to_owned(),
        "A type without values names each register (`PmcrSpec`). [`R`] is a value that was \
         read, [`W`] a value to write. The methods for their fields are generated beside each \
         register. Values of both types can be used without a device: see [`R::from_bits`] and [`W::encode`]."
            .to_owned(),
        docs::link_to_example(&registers),
    ]);
    vec![text + &format!("arm_pmu_core::register_support!({});\n", word(&ip.space))]
}

/// Returns whether there is a file of metrics, for the IP or for each unit.
fn has_metrics(ip: &Ip, unit: Option<usize>) -> bool {
    let has_any =
        ip.metrics_of(unit).next().is_some() || ip.not_computable_of(unit).next().is_some();
    has_events(ip, unit) && has_any
}

/// Returns whether there is a file of events for this unit (`None`: for the whole IP). If an IP has
/// units, each unit has its own file.
fn has_events(ip: &Ip, unit: Option<usize>) -> bool {
    unit.is_none() == ip.units.is_empty()
}

/// Returns whether the IP or, if one is given, the unit has a file of registers. Units have their
/// own files if their registers differ.
fn has_registers(ip: &Ip, unit: Option<usize>) -> bool {
    let differ = !ip.units.is_empty() && ip.registers_differ();
    ip.architecture.is_none() && unit.is_some() == differ
}

/// Returns whether there is a file of findings for this unit (`None`: for the whole IP). Units have
/// their own files only if their findings differ.
fn has_findings(ip: &Ip, unit: Option<usize>) -> bool {
    !ip.findings.is_empty() && unit.is_some() == ip.findings_differ()
}

/// Attributes of the module that contains all generated files.
const ATTRIBUTES: &str = "\
#![allow(
    missing_debug_implementations,
    reason = \"types that only name a register have no value\"
)]
#![allow(clippy::must_use_candidate, clippy::new_without_default, clippy::precedence)]
";

fn module(ip: &Ip) -> Vec<String> {
    let (own, is_group) = (ip.architecture.is_none(), pmcg::is_group(ip));
    let public = modules(
        "pub mod",
        &[
            ("events", has_events(ip, None)),
            ("field", own),
            ("findings", has_findings(ip, None)),
            ("identity", !own),
            ("metrics", has_metrics(ip, None)),
            ("pmcg", is_group),
            ("pmu", !own || is_group),
            ("registers", has_registers(ip, None)),
            ("running", ip.driver.is_some()),
        ],
    );
    let private = modules(
        "mod",
        &[
            ("filter", implementation::has_filter_file(ip)),
            ("space", own),
            ("stopped", own && ip.driver.is_some() && !is_group),
        ],
    );
    let units = ip.units.iter().enumerate().map(|(number, unit)| {
        let of_unit = modules(
            "pub mod",
            &[
                ("events", true),
                ("findings", has_findings(ip, Some(number))),
                ("metrics", has_metrics(ip, Some(number))),
                ("pmu", is_group),
                ("registers", has_registers(ip, Some(number))),
            ],
        );
        let of_unit = format::indented(&of_unit);
        let name = names::unit_module(&unit.name);
        format!("/// {}.\npub mod {name} {{\n{of_unit}}}\n", unit.title)
    });
    let text = inner_doc([format!("The specs of the {}, as Rust.", ip.title)]);
    [text, ATTRIBUTES.to_owned() + &public, private].into_iter().chain(units).collect()
}

/// Returns a line for each file that exists.
fn modules(keyword: &str, all: &[(&str, bool)]) -> String {
    let names = all.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name);
    names.map(|name| format!("{keyword} {name};\n")).collect()
}

/// Formats a mask with all hexadecimal digits of one access, in groups of four.
fn mask(space: &Space, mask: u64) -> String {
    let parts =
        (0..bits(space) / 16).rev().map(|part| format!("{:04X}", mask >> (16 * part) & 0xFFFF));
    format!("0x{}", parts.collect::<Vec<_>>().join("_"))
}

/// Returns the number of bits of one access: 64 for system registers, 32 in memory and in CP15.
fn bits(space: &Space) -> u32 {
    match space {
        Space::System => 64,
        Space::Region { .. } | Space::Pages(_) | Space::Cp15 => 32,
    }
}

/// Returns the value type of one access.
fn word(space: &Space) -> String {
    format!("u{}", bits(space))
}
