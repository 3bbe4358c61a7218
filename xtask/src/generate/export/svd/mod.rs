//! One CMSIS-SVD file with the memory-mapped IPs of a system, for debuggers that show registers.

pub mod instance;
mod registers;
mod xml;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use self::instance::Instance;
use self::xml::Xml;
use super::write;
use crate::generate::load::load;
use crate::generate::names;

#[derive(clap::Args)]
pub struct Arguments {
    /// What is where: `cci550@0x2A090000`, a unit as `mmu600-tbu@..`, named as `mmu600-tbu=DISPLAY@..`
    #[arg(long = "instance", value_name = "IP[-UNIT][=NAME]@BASE", required = true)]
    instances: Vec<String>,
    /// The name of the system
    #[arg(long, value_name = "NAME", default_value = "ARM_PMU")]
    device: String,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// # Errors
///
/// If a spec has problems, an instance is of no memory-mapped IP, two of them clash, or the file cannot
/// be written.
pub fn svd(root: &Path, arguments: &Arguments) -> Result<()> {
    let ips = load(root, &[])?.ips;
    let parsed = arguments.instances.iter().map(|text| Instance::parse(&ips, text));
    let mut instances = parsed.collect::<Result<Vec<_>>>()?;
    if !instance::is_name(&arguments.device) {
        bail!(
            "`{}` is no name of a device: a letter, then letters, digits, underscores",
            arguments.device
        );
    }
    instance::name(&mut instances)?;
    instance::are_apart(&instances)?;
    write(&arguments.out, &document(&arguments.device, &instances)?)
}

pub fn document(device: &str, instances: &[Instance<'_>]) -> Result<String> {
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
    xml.element("description", "Performance monitors. Made by cargo xtask export svd.");
    xml.element("addressUnitBits", "8");
    xml.element("width", "32");
    xml.open("peripherals", &[]);
    let mut first: HashMap<(&str, Option<usize>), &str> = HashMap::new();
    for instance in instances {
        let key = (instance.ip.name.as_str(), instance.unit);
        match first.get(&key) {
            Some(like) => derived(&mut xml, instance, like),
            None => {
                whole(&mut xml, instance)?;
                first.insert(key, &instance.name);
            }
        }
    }
    xml.close("peripherals");
    xml.close("device");
    Ok(xml.text())
}

/// An instance of what is described already.
fn derived(xml: &mut Xml, instance: &Instance<'_>, like: &str) {
    xml.open("peripheral", &[("derivedFrom", like)]);
    xml.element("name", &instance.name);
    xml.element("baseAddress", &format!("0x{:X}", instance.base));
    xml.close("peripheral");
}

fn whole(xml: &mut Xml, instance: &Instance<'_>) -> Result<()> {
    let Instance { ip, unit, name, base } = instance;
    xml.open("peripheral", &[]);
    xml.element("name", name);
    let title = unit
        .and_then(|unit| ip.units.get(unit))
        .map_or(String::new(), |unit| format!(", {}", unit.title));
    xml.element(
        "description",
        &format!("{}{title}. {}, {}.", ip.title, ip.manual.title, ip.manual.id),
    );
    xml.element("groupName", &names::of_ip(&ip.name).constant);
    xml.element("baseAddress", &format!("0x{base:X}"));
    for (offset, length) in instance::regions(ip, *unit) {
        xml.open("addressBlock", &[]);
        xml.element("offset", &format!("0x{offset:X}"));
        xml.element("size", &format!("0x{length:X}"));
        xml.element("usage", "registers");
        xml.close("addressBlock");
    }
    xml.open("registers", &[]);
    registers::all(xml, ip, *unit)?;
    xml.close("registers");
    xml.close("peripheral");
    Ok(())
}
