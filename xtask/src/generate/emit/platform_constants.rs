//! Platforms as typed constants in the crate `arm-pmu`.

use arm_pmu_spec::platform::model::{Controller, Fact, Instance, Interface, Origin, Platform};

use super::prelude::*;

/// Example that uses such a platform.
const EXAMPLE: &str = "crate#beyond-one-run";

pub fn emit(platforms: &[Platform], ips: &[Ip]) -> Vec<Generated> {
    let mut text = format::header("the files under specs/platforms");
    text.push_str(
        "//! Systems on chip: bases, interrupts, and interfaces by the names of the connected components.\n//!\n\
         //! Data only. Each constant states its confidence: A for a document of Arm or of the vendor, B for\n\
         //! independent sources, C for one source, D for an inferred fact. This project has measured none of these
         //! facts.\n//!\n",
    );
    let _ = writeln!(text, "//! {}\n", docs::link_to_example(EXAMPLE));
    for platform in platforms {
        let _ = writeln!(text, "pub mod {};", names::of_ip(&platform.name).module);
    }
    let list = Generated { name: "platforms/mod.rs".to_owned(), text };
    std::iter::once(list).chain(platforms.iter().map(|of| file(of, ips))).collect()
}

fn file(platform: &Platform, ips: &[Ip]) -> Generated {
    let mut text = format::header(&format!("specs/platforms/{}.yaml", platform.name));
    let _ = writeln!(text, "//! {}, by {}.", platform.title, platform.vendor);
    if !platform.wanted.is_empty() {
        text.push_str("//!\n//! Not known:\n");
        for wanted in &platform.wanted {
            let _ = writeln!(text, "//! - {}", escaped(wanted));
        }
    }
    let _ = writeln!(text, "//!\n//! {}", docs::link_to_example(EXAMPLE));
    for instance in &platform.instances {
        let Some(ip) = ips.iter().find(|ip| ip.name == instance.ip.value) else { continue };
        let constants = constants(instance, ip);
        if constants.is_empty() {
            continue;
        }
        let alone = platform.instances.iter().filter(|of| of.ip.value == ip.name).count() == 1;
        let module = names::of_ip(if alone { &ip.name } else { &instance.name }).module;
        let unit = instance.unit.as_ref().map_or(String::new(), |unit| format!(", {}", unit.value));
        let title = instance.title.as_ref().map_or(String::new(), |title| format!(": {title}"));
        let _ = write!(
            text,
            "\n/// `{}` of the command: {}{unit}{}.\n///\n/// {}\n///\n/// {}\n#[cfg(feature = {:?})]\npub mod {module} {{\n",
            instance.name,
            escaped(&ip.title),
            escaped(&title),
            sure("The IP: confidence", &instance.ip.origin),
            docs::link_to_example(EXAMPLE),
            ip.name,
        );
        text.push_str(&constants);
        text.push_str("}\n");
    }
    Generated { name: format!("platforms/{}.rs", names::of_ip(&platform.name).module), text }
}

fn sure(start: &str, origin: &Origin) -> String {
    format!("{start} {}. Source: {}.", origin.confidence.word(), escaped(&origin.source))
}

/// Returns a text as documentation, with square and angle brackets escaped.
fn escaped(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]").replace('<', "\\<")
}

fn constants(instance: &Instance, ip: &Ip) -> String {
    let mut text = String::new();
    let mut constant = |doc: &str, origin: &Origin, item: &str| {
        let sure = sure("Confidence", origin);
        let _ = write!(text, "    /// {doc}\n    ///\n    /// {sure}\n    {item}\n");
    };
    let hex = |fact: &Fact<u64>| format!("0x{:X}", fact.value);
    if let Some(base) = &instance.base {
        let item = format!("pub const BASE: u64 = {};", hex(base));
        constant("The address of the registers.", &base.origin, &item);
    }
    if let Some(length) = &instance.length {
        let item = format!("pub const LENGTH: u64 = {};", hex(length));
        constant(
            "The number of bytes that the system decodes from this address.",
            &length.origin,
            &item,
        );
    }
    if let Some(interrupts) = &instance.interrupts {
        let numbers: Vec<_> = interrupts.numbers.iter().map(u32::to_string).collect();
        let kind = match interrupts.controller {
            Controller::Spi => "SPIs of the GIC; INTID = number + 32".to_owned(),
            Controller::Ppi => "PPIs of the GIC; INTID = number + 16".to_owned(),
            Controller::Intid => "INTIDs of the GIC".to_owned(),
            Controller::Other => {
                format!("of {}", interrupts.of.as_deref().unwrap_or("a controller"))
            }
        };
        let item =
            format!("pub const INTERRUPTS: [u32; {}] = [{}];", numbers.len(), numbers.join(", "));
        constant(&format!("The overflow interrupts, {kind}."), &interrupts.origin, &item);
    }
    for interface in &instance.interfaces {
        let Some(source) = source_type(instance, interface, ip) else { continue };
        let name = names::constant(&name_of(interface));
        let item = format!("pub const {name}: {source} = {source}::{};", interface.port);
        let doc = format!("{}: {}.", interface.port, escaped(&interface.title));
        constant(&doc, &interface.origin, &item);
        if let Some(bytes) = &interface.beat_bytes {
            let item = format!("pub const {name}_BEAT_BYTES: u32 = {};", bytes.value);
            constant(
                &format!("The width of the data bus of {name}, in bytes."),
                &bytes.origin,
                &item,
            );
        }
    }
    text
}

/// Returns the name of an interface. If the entry applies only to certain revisions of the chip,
/// the name ends with these revisions.
fn name_of(interface: &Interface) -> String {
    let condition = interface.condition.as_deref().unwrap_or_default();
    let words =
        condition.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(interface.name.as_str()).chain(words).collect::<Vec<_>>().join("_")
}

/// Returns the type of a source. If the revision is unknown, the type is from the first unit.
fn source_type(instance: &Instance, interface: &Interface, ip: &Ip) -> Option<String> {
    let unit = instance.unit.as_ref().map(|unit| unit.value.as_str());
    let unit = ip
        .units
        .iter()
        .position(|of| Some(of.name.as_str()) == unit)
        .or(if ip.units.is_empty() { None } else { Some(0) });
    let group = ip.groups.iter().find(|group| {
        (group.unit.is_none() || group.unit == unit)
            && group.sources.iter().any(|source| source.name == interface.port)
    })?;
    let krate = names::of_ip(&ip.name).module;
    // The items of the first unit are at the root of the crate.
    let path = match unit {
        Some(unit) if unit > 0 => {
            format!("::{krate}::{}", names::unit_module(&ip.units[unit].name))
        }
        _ => format!("::{krate}"),
    };
    Some(format!("{path}::events::{}", names::source_type(&group.name)))
}
