//! Writes a CMSIS-SVD file with the memory-mapped PMUs of a system, for debuggers that show registers.

pub mod cpu;
pub mod instance;
pub mod merge;
mod registers;
mod xml;

use std::collections::HashMap;

use self::cpu::Cpu;
use self::instance::Instance;
use self::xml::Xml;
use super::constant;
use crate::Error;

/// First address that 32-bit tools truncate.
const FOUR_GIGABYTES: u64 = 1 << 32;

/// Warnings about base addresses.
#[must_use]
pub fn warnings(instances: &[Instance]) -> Vec<String> {
    let far = instances.iter().filter(|instance| instance.base >= FOUR_GIGABYTES);
    let far: Vec<_> = far.map(|of| format!("{} at 0x{:X}", of.name, of.base)).collect();
    if far.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "{}: the base is above 4 GB. svdconv, and debuggers that use it, truncate it to 32 bits.",
        far.join(", ")
    )]
}

/// Returns the text of a file with these instances as the only peripherals.
///
/// # Errors
///
/// Fails if two registers or fields have the same SVD name.
pub fn document(device: &str, cpu: Option<&Cpu>, instances: &[Instance]) -> Result<String, Error> {
    let mut xml = Xml::default();
    xml.open(
        "device",
        &[
            ("schemaVersion", "1.3"),
            ("xmlns:xs", "http://www.w3.org/2001/XMLSchema-instance"),
            ("xs:noNamespaceSchemaLocation", "CMSIS-SVD.xsd"),
        ],
    );
    xml.element("name", device);
    xml.element("version", "1.0");
    xml.element("description", "Performance monitors. Made by arm-pmu export svd.");
    xml.element("licenseText", "SPDX-License-Identifier: MIT OR Apache-2.0");
    if let Some(cpu) = cpu {
        cpu.write(&mut xml);
    }
    xml.element("addressUnitBits", "8");
    xml.element("width", "32");
    xml.open("peripherals", &[]);
    peripherals(&mut xml, instances)?;
    xml.close("peripherals");
    xml.close("device");
    Ok(xml.text())
}

fn peripherals(xml: &mut Xml, instances: &[Instance]) -> Result<(), Error> {
    let mut first: HashMap<String, &str> = HashMap::new();
    for instance in instances {
        let key = instance.pmu.to_string();
        match first.get(&key) {
            Some(like) => derived(xml, instance, like),
            None => {
                whole(xml, instance)?;
                first.insert(key, &instance.name);
            }
        }
    }
    Ok(())
}

/// Writes a peripheral that is derived from an earlier one.
fn derived(xml: &mut Xml, instance: &Instance, like: &str) {
    xml.open("peripheral", &[("derivedFrom", like)]);
    xml.element("name", &instance.name);
    xml.element("baseAddress", &format!("0x{:X}", instance.base));
    xml.close("peripheral");
}

fn whole(xml: &mut Xml, instance: &Instance) -> Result<(), Error> {
    let Instance { pmu, name, base } = instance;
    let ip = pmu.ip;
    xml.open("peripheral", &[]);
    xml.element("name", name);
    let title = instance.unit().map_or(String::new(), |unit| format!(", {}", unit.title));
    xml.element(
        "description",
        &format!("{}{title}. {}, {}.", ip.title, ip.manual.title, ip.manual.id),
    );
    xml.element("groupName", &constant(ip.name));
    xml.element("baseAddress", &format!("0x{base:X}"));
    for (offset, length) in instance::regions(*pmu) {
        xml.open("addressBlock", &[]);
        xml.element("offset", &format!("0x{offset:X}"));
        xml.element("size", &format!("0x{length:X}"));
        xml.element("usage", "registers");
        xml.close("addressBlock");
    }
    xml.open("registers", &[]);
    registers::all(xml, *pmu)?;
    xml.close("registers");
    xml.close("peripheral");
    Ok(())
}
