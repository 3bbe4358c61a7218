//! Products that a probe can find, for `arm-pmu-core`: numbers, names and drivers.

use std::collections::BTreeMap;

use super::prelude::*;

/// Maps a number to the product name, and to its driver if the number identifies one.
type Products = BTreeMap<u32, (String, Option<String>)>;

pub fn emit(ips: &[Ip]) -> Vec<Generated> {
    let (mut parts, mut processors) = (Products::new(), Products::new());
    let mut revisions = Vec::new();
    for ip in ips {
        let krate = names::of_ip(&ip.name).module;
        let driver = |unit: Option<&PmuUnit>| match unit {
            Some(unit) => format!("{krate}::{}::Pmu", names::unit_module(&unit.name)),
            None => format!("{krate}::Pmu"),
        };
        if let Some(id) = &ip.main_id {
            processors.insert(id.part, (ip.product().to_owned(), Some(driver(None))));
            let also = ip.also.iter().filter_map(|product| Some((product.main_id?, product)));
            processors.extend(
                also.map(|(part, product)| (part, (product.title.clone(), Some(driver(None))))),
            );
        }
        for unit in &ip.units {
            if let Some(id) = &unit.main_id {
                processors.insert(id.part, (unit.title.clone(), Some(driver(Some(unit)))));
            }
        }
        if are_revisions(ip) {
            let Some(part) = part(ip, None) else { continue };
            parts.insert(part, (ip.product().to_owned(), Some(driver(None))));
            // The first unit is the newest revision, whose driver is the crate's default.
            for unit in ip.units.iter().skip(1) {
                let codes = revision_codes(ip, &unit.name);
                revisions.extend(
                    codes.map(|code| format!("({part:#05X}, {code}, {:?})", driver(Some(unit)))),
                );
            }
            continue;
        }
        for (number, unit) in ip.units.iter().enumerate() {
            let Some(part) = part(ip, Some(number)) else { continue };
            let product = ip.product();
            let mut title =
                format!("{} of {} {product}", unit.name.to_uppercase(), article(product));
            for other in &unit.shares_part {
                let _ = write!(title, " or {other}");
            }
            let driver = unit.shares_part.is_empty().then(|| driver(Some(unit)));
            parts.insert(part, (title, driver));
        }
        if let (true, Some(part)) = (ip.units.is_empty(), part(ip, None)) {
            parts.insert(part, (ip.product().to_owned(), Some(driver(None))));
        }
    }
    for other in ips.iter().flat_map(|ip| &ip.others) {
        if let Some(part) = other.main_id {
            processors.entry(part).or_insert_with(|| (other.title.clone(), None));
        }
    }
    let mut text = format::header("the directories under specs");
    text.push_str("//! Products that a probe can find.\n");
    let rows = |products: Products| {
        let row = |(number, (name, driver)): (u32, (String, Option<String>))| {
            format!("({number:#05X}, {name:?}, {driver:?})")
        };
        products.into_iter().map(row).collect::<Vec<_>>()
    };
    let number_and_names = "(u16, &str, Option<&str>)";
    for (doc, name, of, rows) in [
        (
            "Part numbers in PIDR0 and PIDR1 of memory-mapped devices: the product, and its driver if the number\n\
             /// identifies one.",
            "PARTS",
            number_and_names,
            rows(parts),
        ),
        (
            "Part numbers in the Main ID Register of Arm's cores.",
            "PROCESSORS",
            number_and_names,
            rows(processors),
        ),
        (
            "Codes of a part's revisions that have separate drivers.",
            "REVISIONS",
            "(u16, u8, &str)",
            revisions,
        ),
    ] {
        let _ = write!(text, "\n/// {doc}\npub(super) const {name}: [{of}; {}] = [\n", rows.len());
        rows.iter().for_each(|row| {
            let _ = writeln!(text, "    {},", row.replace("0X", "0x"));
        });
        text.push_str("];\n");
    }
    vec![Generated { name: "generated.rs".to_owned(), text }]
}

/// Returns the article: "an MMU-600", because letters are spelled out.
fn article(product: &str) -> &'static str {
    if product.starts_with(['A', 'E', 'F', 'H', 'I', 'L', 'M', 'N', 'O', 'R', 'S', 'X']) {
        "an"
    } else {
        "a"
    }
}

/// Returns whether the units are revisions of one device.
pub fn are_revisions(ip: &Ip) -> bool {
    ip.driver.as_ref().and_then(|driver| driver.units.as_deref()) == Some("revision")
}

/// Returns the part number, if identification registers have it after a reset.
fn part(ip: &Ip, unit: Option<usize>) -> Option<u32> {
    let half = |name: &str| {
        let (register, field, _) = named(ip, name)?;
        let resets = &register.resets;
        let of = resets.iter().find(|reset| reset.unit.is_none() || reset.unit == unit)?;
        u32::try_from((of.value? & field.bits.mask()) >> field.bits.low).ok()
    };
    Some(half("PART_1")? << 8 | half("PART_0")?)
}

/// Returns the codes of a revision: the codes whose names start with its name, such as `R0P4` for
/// `r0`.
fn revision_codes<'i>(ip: &'i Ip, unit: &'i str) -> impl Iterator<Item = u32> + 'i {
    let values = named(ip, "REVISION").into_iter().flat_map(|(_, _, named)| &named.values);
    let start = unit.to_uppercase();
    values.filter(move |value| value.name.starts_with(&start)).map(|value| value.value)
}

fn named<'i>(ip: &'i Ip, name: &str) -> Option<(&'i Register, &'i Field, &'i Named)> {
    ip.registers.iter().find_map(|register| {
        register.fields.iter().find_map(|field| match &field.content {
            Content::Named(named) if named.name == name => Some((register, field, &**named)),
            _ => None,
        })
    })
}
