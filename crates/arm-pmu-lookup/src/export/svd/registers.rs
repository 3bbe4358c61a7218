//! Writes the registers of a PMU as SVD elements.

use std::collections::HashMap;

use arm_pmu_tables::{Access, Bits, Field, Location, Pmu};

use super::xml::Xml;
use crate::Error;
use crate::export::word::{Word, words};

/// Writes the 32-bit words of the registers: address blocks first, then registers by address.
pub fn all(xml: &mut Xml, pmu: Pmu) -> Result<(), Error> {
    let words: Vec<Word> = pmu.registers().flat_map(|register| words(pmu, register)).collect();
    let mut taken = HashMap::new();
    for block in pmu.ip.blocks {
        xml.open("cluster", &[]);
        xml.element("dim", &block.count.to_string());
        xml.element("dimIncrement", &format!("0x{:X}", block.stride));
        let name = array(block.name);
        for n in 0..block.count {
            take(&mut taken, name.replace("%s", &n.to_string()), block.name)?;
        }
        xml.element("name", &name);
        xml.element("description", block.doc);
        xml.element("addressOffset", &format!("0x{:X}", block.offset));
        let mut of_block = HashMap::new();
        for word in words.iter().filter(|word| block_of(word) == Some(block.name)) {
            take(&mut of_block, word.name.clone(), &word.name)?;
            let Some(offset) = word.offset(0) else { continue };
            one(xml, word, &word.name, None, offset - block.offset, &word.fields);
        }
        xml.close("cluster");
    }
    for word in words.iter().filter(|word| block_of(word).is_none()) {
        let Location::Memory { page, count, stride, .. } = word.register.location else { continue };
        let page = page.and_then(|page| pmu.unit?.page_offset(page)).unwrap_or(0);
        for (first, last) in runs(word, count) {
            let Some(offset) = word.offset(first) else { continue };
            let fields: Vec<_> =
                word.fields.iter().filter(|(_, field)| has(field, first)).copied().collect();
            let name = match count {
                1 => word.name.clone(),
                _ if first == last => array(&word.name).replace("%s", &first.to_string()),
                _ => array(&word.name),
            };
            for n in first..=last {
                take(&mut taken, name.replace("%s", &n.to_string()), &word.name)?;
            }
            let dim = (first != last).then_some((first, last, stride));
            one(xml, word, &name, dim, page + offset, &fields);
        }
    }
    Ok(())
}

fn block_of(word: &Word) -> Option<&'static str> {
    match word.register.location {
        Location::Memory { block, .. } => block,
        _ => None,
    }
}

/// Whether an array element has a field.
fn has(field: &Field, element: u32) -> bool {
    field.elements.is_empty() || field.elements.contains(&element)
}

/// Name of an array with numbered elements.
fn array(name: &str) -> String {
    // Without the underscore, element 1 of COUNT and a register COUNT1 would have the same name.
    let end = if name.ends_with(|c: char| c.is_ascii_digit()) { "_%s" } else { "%s" };
    format!("{name}{end}")
}

fn take(taken: &mut HashMap<String, String>, name: String, of: &str) -> Result<(), Error> {
    match taken.insert(name.to_ascii_uppercase(), of.to_owned()) {
        Some(other) => {
            Err(Error::wrong_use(format!("{of} and {other} are both called {name} in SVD")))
        }
        None => Ok(()),
    }
}

/// Returns the first and the last index of each run of consecutive elements that have the same
/// fields.
fn runs(word: &Word, count: u32) -> Vec<(u32, u32)> {
    let fields = |n: u32| -> Vec<bool> { word.fields.iter().map(|(_, of)| has(of, n)).collect() };
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for n in 0..count {
        match runs.last_mut() {
            Some((first, last)) if fields(*first) == fields(n) => *last = n,
            _ => runs.push((n, n)),
        }
    }
    runs
}

fn one(
    xml: &mut Xml,
    word: &Word,
    name: &str,
    dim: Option<(u32, u32, u32)>,
    offset: u32,
    fields: &[(Bits, &Field)],
) {
    let register = word.register;
    xml.open("register", &[]);
    if let Some((first, last, stride)) = dim {
        xml.element("dim", &(last - first + 1).to_string());
        xml.element("dimIncrement", &format!("0x{stride:X}"));
        // By default, programs that read SVD files number elements from 0. Some readers treat a
        // range such as `1-3` as a name.
        if first > 0 {
            let all: Vec<_> = (first..=last).map(|n| n.to_string()).collect();
            xml.element("dimIndex", &all.join(","));
        }
    }
    xml.element("name", name);
    xml.element("description", &format!("{}. {}", word.title, register.doc));
    xml.element("addressOffset", &format!("0x{offset:X}"));
    xml.element("size", "32");
    xml.element(
        "access",
        match (register.access.can_read(), register.access.can_write()) {
            (true, true) => "read-write",
            (true, false) => "read-only",
            (false, _) => "write-only",
        },
    );
    if register.non_secure.is_some() && xml.has_protection {
        xml.element("protection", "s");
    }
    let reset = word.reset();
    // A reset mask of zero marks an unknown value.
    xml.element("resetValue", &format!("0x{:08X}", reset.unwrap_or(0)));
    xml.element("resetMask", if reset.is_some() { "0xFFFFFFFF" } else { "0x00000000" });
    if !fields.is_empty() {
        xml.open("fields", &[]);
        for (bits, named) in fields {
            field(xml, *bits, named);
        }
        xml.close("fields");
    }
    xml.close("register");
}

fn field(xml: &mut Xml, bits: Bits, field: &Field) {
    xml.open("field", &[]);
    xml.element("name", field.name);
    xml.element("description", field.doc);
    xml.element("bitRange", &format!("[{}:{}]", bits.high, bits.low));
    let (access, writing) = match field.access {
        Access::ReadOnly => ("read-only", None),
        Access::WriteOnly => ("write-only", None),
        Access::WriteOneActs => ("write-only", Some("oneToSet")),
        Access::WriteOneClears => ("read-write", Some("oneToClear")),
        Access::WriteOneSets => ("read-write", Some("oneToSet")),
        _ => ("read-write", None),
    };
    xml.element("access", access);
    writing.into_iter().for_each(|writing| xml.element("modifiedWriteValues", writing));
    if !field.values.is_empty() {
        xml.open("enumeratedValues", &[]);
        for value in field.values {
            xml.open("enumeratedValue", &[]);
            xml.element("name", value.name);
            xml.element("description", value.doc);
            xml.element("value", &format!("0x{:X}", value.value));
            xml.close("enumeratedValue");
        }
        xml.close("enumeratedValues");
    }
    xml.close("field");
}
