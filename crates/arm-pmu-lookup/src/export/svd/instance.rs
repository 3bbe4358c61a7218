//! A PMU with its address, parsed from the command line.

use std::collections::HashMap;

use arm_pmu_tables::{Pmu, Space, Unit};

use super::constant;
use crate::Error;
use crate::error::refuse;
use crate::name;

/// A PMU with its address.
#[derive(Debug)]
pub struct Instance {
    /// The PMU.
    pub pmu: Pmu,
    /// Name of the peripheral; empty before [`give_names`].
    pub name: String,
    /// Address of the registers.
    pub base: u64,
}

/// Describes the syntax of an instance; messages end with this text.
pub const HOW: &str = "an instance is written as cci550@0x2A090000, mmu600:tbu@0x40000000 or \
                   mmu600:tbu=DISPLAY@0x40000000";

impl Instance {
    /// Parses `ip@base`, `ip:unit@base` or `ip=NAME@base`.
    ///
    /// # Errors
    ///
    /// Fails if the PMU, the name or the address is not valid.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let Some((what, base)) = text.rsplit_once('@') else {
            refuse!("`{text}` has no address: {HOW}");
        };
        let Some(base) = address(base) else {
            refuse!(
                "`{base}` is not an address, which is 0x and up to 16 hexadecimal digits: {HOW}"
            );
        };
        let (what, given) = match what.split_once('=') {
            Some((what, name)) => (what, Some(name)),
            None => (what, None),
        };
        if let Some(given) = given.filter(|given| !is_name(given)) {
            refuse!(
                "`{given}` is not a name of a peripheral: a letter, then letters, digits, underscores"
            );
        }
        let pmu = name::pmu(what)?;
        match pmu.ip.space {
            Space::Cp15 => {
                refuse!(
                    "the registers of {pmu} are in coprocessor 15, which an SVD file cannot describe"
                );
            }
            Space::System => {
                refuse!(
                    "the registers of {pmu} are system registers, which an SVD file cannot describe"
                );
            }
            Space::Pages(_) => drop(name::one_unit(pmu)?),
            _ => {}
        }
        let ends = regions(pmu).into_iter().map(|(offset, length)| offset + length);
        let end = u64::from(ends.max().unwrap_or(0));
        if base % 4 != 0 {
            refuse!("0x{base:X} is not a multiple of 4, but the address of a register must be one");
        }
        if base.checked_add(end).is_none() {
            refuse!("`{text}` does not end below 2^64");
        }
        Ok(Self { pmu, name: given.unwrap_or_default().to_owned(), base })
    }

    /// Unit of the PMU, if the unit is a separate device and not a revision.
    #[must_use]
    pub fn unit(&self) -> Option<&'static Unit> {
        self.pmu.unit.filter(|_| matches!(self.pmu.ip.space, Space::Pages(_)))
    }

    fn default_name(&self) -> String {
        let unit = self.unit().map_or(String::new(), |unit| format!("_{}", unit.name));
        constant(&format!("{}{unit}", self.pmu.ip.name))
    }

    /// Address ranges of the registers.
    pub fn ranges(&self) -> impl Iterator<Item = std::ops::Range<u128>> + use<> {
        let base = u128::from(self.base);
        regions(self.pmu).into_iter().map(move |(offset, length)| {
            let start = base + u128::from(offset);
            start..start + u128::from(length)
        })
    }
}

fn address(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?.replace('_', "");
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(&digits, 16).ok().filter(|_| is_hex)
}

/// Whether all readers of SVD files accept a text as a name.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(word)
}

/// Gives each instance a unique name: IP and unit, with a number if there are several.
///
/// # Errors
///
/// Fails if two instances have the same name.
pub fn give_names(instances: &mut [Instance]) -> Result<(), Error> {
    let mut without: HashMap<String, u32> = HashMap::new();
    for instance in instances.iter().filter(|instance| instance.name.is_empty()) {
        *without.entry(instance.default_name()).or_default() += 1;
    }
    let mut next: HashMap<String, u32> = HashMap::new();
    for instance in &mut *instances {
        if !instance.name.is_empty() {
            continue;
        }
        let name = instance.default_name();
        let number = next.entry(name.clone()).or_default();
        instance.name = match without.get(&name) {
            Some(1) => name,
            _ => format!("{name}_{number}"),
        };
        *number += 1;
    }
    let mut taken: HashMap<String, u64> = HashMap::new();
    for instance in instances {
        // Some readers ignore the case of names.
        if let Some(other) = taken.insert(instance.name.to_ascii_lowercase(), instance.base) {
            refuse!(
                "two instances are called {}: at 0x{other:X} and at 0x{:X}; name one as IP=NAME@BASE",
                instance.name,
                instance.base
            );
        }
    }
    Ok(())
}

/// Checks that no instances overlap.
///
/// # Errors
///
/// Fails if two instances overlap.
pub fn are_apart(instances: &[Instance]) -> Result<(), Error> {
    for (nth, one) in instances.iter().enumerate() {
        for other in &instances[..nth] {
            let overlap = one.ranges().any(|one| {
                other.ranges().any(|other| one.start < other.end && other.start < one.end)
            });
            if overlap {
                refuse!(
                    "{} at 0x{:X} overlaps {} at 0x{:X}",
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

/// Register regions of a PMU: offset from its base, and length.
#[must_use]
pub fn regions(pmu: Pmu) -> Vec<(u32, u32)> {
    match pmu.ip.space {
        Space::Region { length } => vec![(0, length)],
        Space::Pages(pages) => {
            let of = |page: &arm_pmu_tables::Page| {
                Some((pmu.unit?.page_offset(page.name)?, page.length))
            };
            let mut regions: Vec<_> = pages.iter().filter_map(of).collect();
            regions.sort_unstable();
            regions
        }
        _ => Vec::new(),
    }
}
