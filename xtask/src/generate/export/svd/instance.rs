//! An IP, or a unit of one, at an address: as the command line says it.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};

use crate::generate::model::{Ip, Space};
use crate::generate::names;
use crate::generate::spec::read::{shown, suggest};

/// Something with registers, at its address.
#[derive(Debug)]
pub struct Instance<'m> {
    pub ip: &'m Ip,
    /// Index into the units of the IP, if its registers are on pages.
    pub unit: Option<usize>,
    /// Empty until [`name`] has given it one.
    pub name: String,
    pub base: u64,
}

impl<'m> Instance<'m> {
    /// Reads `ip@base`, `ip-unit@base`, `ip=NAME@base`.
    pub fn parse(ips: &'m [Ip], text: &str) -> Result<Self> {
        let how = "an instance is written as cci550@0x2A090000, mmu600-tbu@0x40000000 or \
                   mmu600-tbu=DISPLAY@0x40000000";
        let (what, base) =
            text.rsplit_once('@').with_context(|| format!("`{}`: {how}", shown(text)))?;
        let base = address(base).with_context(|| {
            format!("`{}` is no address: 0x and up to 16 hexadecimal digits; {how}", shown(base))
        })?;
        let (what, name) = what.split_once('=').unwrap_or((what, ""));
        if what.len() != text.len() && text.contains('=') && !is_name(name) {
            bail!(
                "`{}` is no name of a peripheral: a letter, then letters, digits, underscores",
                shown(name)
            );
        }
        let candidates = candidates(ips);
        let Some((_, ip, unit)) = candidates.iter().find(|(known, ..)| known == what) else {
            if let Some(ip) = ips.iter().find(|ip| ip.name == what) {
                return Err(not_mapped(ip));
            }
            let known: Vec<_> = candidates.iter().map(|(known, ..)| known.as_str()).collect();
            bail!("there is no `{}`; {}", shown(what), suggest(what, &known));
        };
        let end = regions(ip, *unit)
            .iter()
            .map(|(offset, length)| u64::from(*offset) + u64::from(*length))
            .max();
        if base % 4 != 0 {
            bail!("0x{base:X} is not a multiple of 4, and registers are");
        }
        if base.checked_add(end.unwrap_or(0)).is_none() {
            bail!("`{}` does not end below 2^64", shown(text));
        }
        Ok(Self { ip, unit: *unit, name: name.to_owned(), base })
    }
}

/// Everything that can be at an address, and what it is called on the command line.
fn candidates(ips: &[Ip]) -> Vec<(String, &Ip, Option<usize>)> {
    let mut found = Vec::new();
    for ip in ips {
        match ip.space {
            Space::Region { .. } => found.push((ip.name.clone(), ip, None)),
            Space::Pages(_) => {
                let units = ip.units.iter().enumerate();
                found.extend(
                    units.map(|(n, unit)| (format!("{}-{}", ip.name, unit.name), ip, Some(n))),
                );
            }
            Space::Cp15 => {}
        }
    }
    found
}

/// Why an IP as a whole is at no address.
fn not_mapped(ip: &Ip) -> anyhow::Error {
    if let Space::Cp15 = ip.space {
        return anyhow::anyhow!(
            "the registers of {} are in coprocessor 15, which an SVD file cannot describe",
            ip.name
        );
    }
    let units: Vec<_> =
        ip.units.iter().map(|unit| format!("`{}-{}`", ip.name, unit.name)).collect();
    anyhow::anyhow!("{} is several units; name one: {}", ip.name, units.join(", "))
}

fn address(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?.replace('_', "");
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(&digits, 16).ok().filter(|_| is_hex)
}

/// Whether every reader of SVD files takes it for a name.
pub fn is_name(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(word)
}

/// Gives each instance a name of its own: that of the IP and unit, with a number where there are several.
pub fn name(instances: &mut [Instance<'_>]) -> Result<()> {
    let base = |instance: &Instance<'_>| {
        let unit = instance.unit.and_then(|unit| instance.ip.units.get(unit));
        let unit = unit.map_or(String::new(), |unit| format!("_{}", unit.name));
        names::constant(&format!("{}{unit}", instance.ip.name))
    };
    let mut without: HashMap<String, u32> = HashMap::new();
    for instance in instances.iter().filter(|instance| instance.name.is_empty()) {
        *without.entry(base(instance)).or_default() += 1;
    }
    let mut next: HashMap<String, u32> = HashMap::new();
    for instance in &mut *instances {
        if !instance.name.is_empty() {
            continue;
        }
        let base = base(instance);
        let number = next.entry(base.clone()).or_default();
        instance.name = match without.get(&base) {
            Some(1) => base,
            _ => format!("{base}_{number}"),
        };
        *number += 1;
    }
    let mut taken: HashMap<String, u64> = HashMap::new();
    for instance in instances {
        // Some readers do not tell capitals from small letters.
        if let Some(other) = taken.insert(instance.name.to_ascii_lowercase(), instance.base) {
            bail!(
                "two instances are called {}: at 0x{other:X} and at 0x{:X}; name one as IP=NAME@BASE",
                instance.name,
                instance.base
            );
        }
    }
    Ok(())
}

/// No two instances lie across each other.
pub fn are_apart(instances: &[Instance<'_>]) -> Result<()> {
    let ranges = |instance: &Instance<'_>| {
        let base = u128::from(instance.base);
        let regions = regions(instance.ip, instance.unit).into_iter();
        regions.map(move |(offset, length)| {
            let start = base + u128::from(offset);
            start..start + u128::from(length)
        })
    };
    for (nth, one) in instances.iter().enumerate() {
        for other in &instances[..nth] {
            let across = ranges(one).any(|one| {
                ranges(other).any(|other| one.start < other.end && other.start < one.end)
            });
            if across {
                bail!(
                    "{} at 0x{:X} lies across {} at 0x{:X}",
                    one.name,
                    one.base,
                    other.name,
                    other.base
                );
            }
        }
    }
    Ok(())
}

/// The parts of memory that belong to an instance: offset from its base, and length.
pub fn regions(ip: &Ip, unit: Option<usize>) -> Vec<(u32, u32)> {
    match &ip.space {
        Space::Region { length } => vec![(0, *length)],
        Space::Pages(pages) => {
            let unit = unit.and_then(|unit| ip.units.get(unit));
            let places = unit.map_or(&[][..], |unit| &unit.pages[..]);
            let mut regions: Vec<_> = pages
                .iter()
                .zip(places)
                .map(|(page, of_unit)| (of_unit.offset, page.length))
                .collect();
            regions.sort_unstable();
            regions
        }
        Space::Cp15 => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;

    fn ips() -> Vec<Ip> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        crate::generate::load::load(&root, &[]).expect("good specs").ips
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn whatever_is_given_there_is_an_instance_or_a_message(
            text in "(cci550|mmu600-tbu|arm11|mmu600|[a-z0-9-]{0,8})(=[A-Za-z0-9_]{0,4})?@0x[0-9A-F_]{0,18}|.{0,40}"
        ) {
            static IPS: LazyLock<Vec<Ip>> = LazyLock::new(ips);
            match Instance::parse(&IPS, &text) {
                Ok(instance) => {
                    prop_assert!(instance.base % 4 == 0 && text.contains("@0"));
                    let mut one = [Instance { name: String::new(), ..instance }];
                    prop_assert!(name(&mut one).is_ok() && is_name(&one[0].name));
                }
                Err(error) => prop_assert!(!error.to_string().contains('\n')),
            }
        }
    }
}
