//! Writes C and C++ headers with offsets of registers, positions of fields, and event codes.
//!
//! A header contains only macros, and includes no other header.

use std::collections::HashSet;
use std::fmt::Write as _;

use arm_pmu_tables::{Bits, Field, Group, Ip, Location, Operands, Pmu, Space, Unit};

use super::constant;
use super::word::{Word, words};
use crate::Error;
use crate::text::paragraph;
use crate::words::event_data;

/// Returns the text of `<ip>.h`.
///
/// # Errors
///
/// Fails if two entries of the IP have the same C name.
pub fn header(ip: &'static Ip) -> Result<String, Error> {
    let prefix = constant(ip.name);
    let mut header = Header::default();
    let _ = write!(
        header.text,
        "/* Registers and events of the {title}.\n * {manual}, {id}.\n *\n \
         * Made by `arm-pmu export c {name}`.\n *\n \
         * Register: _OFFSET from the base{of_unit}, or its operand in an instruction. Array of registers:\n \
         * _OFFSET of element 0, and _AT(n) of element n. _KEEP: the bits that a read-modify-write must\n \
         * keep. _INITIAL: the base value for any other write. _RESET: the value after reset, where it\n \
         * is known. Field: _MASK in the register, and _SHIFT, the number of its lowest bit.\n \
         * The named values of a field are not shifted.\n \
         */\n#ifndef ARM_PMU_{prefix}_H\n#define ARM_PMU_{prefix}_H\n",
        title = comment(ip.title),
        manual = comment(ip.manual.title),
        id = comment(ip.manual.id),
        name = ip.name,
        of_unit = if matches!(ip.space, Space::Pages(_)) { " of the unit" } else { "" },
    );
    header.number(
        &format!("{prefix}_COUNTERS"),
        "Number of event counters.",
        &ip.counters.count.to_string(),
    );
    spaces(&mut header, ip, &prefix);
    if registers_differ(ip) {
        for unit in ip.units {
            header.heading(&format!("Registers of {}", unit.title));
            let prefix = format!("{prefix}_{}", constant(unit.name));
            registers(&mut header, Pmu { ip, unit: Some(unit) }, &prefix);
        }
    } else {
        header.heading("Registers");
        registers(&mut header, Pmu { ip, unit: None }, &prefix);
    }
    events(&mut header, ip, &prefix);
    let _ = write!(header.text, "\n#endif /* ARM_PMU_{prefix}_H */\n");
    match header.twice {
        Some(name) => Err(Error::wrong_use(format!("two entries would be called {name} in C"))),
        None => Ok(header.text),
    }
}

/// Whether the units differ in registers, fields, or initial values.
fn registers_differ(ip: &Ip) -> bool {
    let written = |field: &Field| field.access == arm_pmu_tables::Access::ReadWrite;
    ip.registers.iter().any(|register| {
        !register.only.is_empty()
            || register.fields.iter().any(|field| !field.only.is_empty())
            || register.resets.len() > 1 && register.fields.iter().any(written)
    })
}

fn spaces(header: &mut Header, ip: &Ip, prefix: &str) {
    match ip.space {
        Space::Region { length } => {
            header.number(&format!("{prefix}_LENGTH"), "Number of bytes to map.", &hex(length));
        }
        Space::Pages(pages) => {
            header.heading("Pages");
            for page in pages {
                let name = format!("{prefix}_{}_LENGTH", constant(page.name));
                header.number(&name, &format!("{}, in bytes.", page.title), &hex(page.length));
            }
            for unit in ip.units {
                let places =
                    || pages.iter().filter_map(|page| Some((page, unit.page_offset(page.name)?)));
                let end = places().map(|(page, offset)| offset + page.length).max();
                let name = format!("{prefix}_{}_LENGTH", constant(unit.name));
                let text =
                    format!("Bytes to map from the base of a {}, to reach all pages.", unit.title);
                header.number(&name, &text, &hex(end.unwrap_or(0)));
                for (page, offset) in places() {
                    let name = format!("{prefix}_{}_{}", constant(unit.name), constant(page.name));
                    let text = format!("{}, from the base of a {}.", page.title, unit.title);
                    header.number(&name, &text, &hex(offset));
                }
            }
        }
        _ => {}
    }
    let ids = ip.main_id.iter().map(|id| (prefix.to_owned(), id));
    let of_units = ip.units.iter().filter_map(|unit| {
        Some((format!("{prefix}_{}", constant(unit.name)), unit.main_id.as_ref()?))
    });
    for (prefix, id) in ids.chain(of_units) {
        let text = "Bits 15 to 4 of the Main ID Register.";
        header.number(&format!("{prefix}_MAIN_ID_PART"), text, &hex(id.part));
    }
}

fn registers(header: &mut Header, pmu: Pmu, prefix: &str) {
    let ip = constant(pmu.ip.name);
    for word in pmu.registers().flat_map(|register| words(pmu, register)) {
        let name = format!("{prefix}_{}", constant(&word.name));
        let _ = writeln!(header.text, "\n/* {}: {} */", word.name, comment(&word.title));
        match word.register.location {
            Location::Memory { page, count, stride, .. } => {
                let offset = word.offset(0).unwrap_or_default();
                let many = count > 1;
                if many {
                    header.number(&format!("{name}_COUNT"), "", &count.to_string());
                    header.number(&format!("{name}_STRIDE"), "", &hex(stride));
                }
                for (unit, base) in bases(pmu, page) {
                    let at = match unit {
                        Some(unit) => {
                            format!("{ip}_{}_{}", constant(unit.name), constant(&word.name))
                        }
                        None => name.clone(),
                    };
                    header.number(&format!("{at}_OFFSET"), "", &hex(base + offset));
                    if many {
                        let text = format!("({at}_OFFSET + {name}_STRIDE * (n))");
                        header.define(&format!("{at}_AT"), "(n)", "", &text);
                    }
                }
            }
            Location::Cp15 { operands: Operands { opc1, crn, crm, opc2, .. }, .. } => {
                let operands = [("OPC1", opc1), ("CRN", crn), ("CRM", crm), ("OPC2", opc2)];
                for (operand, number) in operands {
                    header.number(&format!("{name}_{operand}"), "", &number.to_string());
                }
                let text = format!("\"p15, {opc1}, %0, c{crn}, c{crm}, {opc2}\"");
                header.define(&format!("{name}_CP15"), "", "after MRC or MCR", &text);
            }
            Location::System { register, count, .. } => {
                if count > 1 {
                    header.number(&format!("{name}_COUNT"), "", &count.to_string());
                }
                for element in 0..count {
                    let which = if count > 1 { format!("_{element}") } else { String::new() };
                    let text = format!("\"{}\"", register.plus(element));
                    let name = format!("{name}{which}_SYSREG");
                    header.define(&name, "", "of MRS and MSR", &text);
                }
            }
            _ => {}
        }
        contents(header, &word, &name);
    }
}

/// Offset of a page from the base of each unit, or 0 without pages.
fn bases(pmu: Pmu, page: Option<&str>) -> Vec<(Option<&'static Unit>, u32)> {
    let Some(page) = page else { return vec![(None, 0)] };
    let units = pmu.ip.units.iter().filter(|unit| pmu.unit.is_none_or(|of| of.name == unit.name));
    units.filter_map(|unit| Some((Some(unit), unit.page_offset(page)?))).collect()
}

fn contents(header: &mut Header, word: &Word, name: &str) {
    header.number(&format!("{name}_KEEP"), "", &mask(word, word.keep()));
    header.number(&format!("{name}_INITIAL"), "", &mask(word, word.initial()));
    for (unit, value) in &word.resets {
        let Some(value) = value else { continue };
        let name = match unit.filter(|_| word.resets.len() > 1) {
            Some(unit) => format!("{name}_RESET_{}", constant(unit)),
            // The register has a single reset value, or the prefix names the unit.
            None => format!("{name}_RESET"),
        };
        header.number(&name, "", &mask(word, *value));
    }
    for (bits, field) in &word.fields {
        let name = format!("{name}_{}", constant(field.name));
        let text = format!("{bits}, {}", field.access);
        header.number(&format!("{name}_MASK"), &text, &mask(word, bits.mask()));
        header.number(&format!("{name}_SHIFT"), "", &bits.low.to_string());
        for value in field.values {
            let text = value.doc.trim_end_matches('.');
            header.number(&format!("{name}_{}", constant(value.name)), text, &hex(value.value));
        }
    }
}

/// Literal for a value of a word, with all digits. The suffix `u` is added later; the suffix `l` selects 64 bits in
/// AArch64.
fn mask(word: &Word, value: u64) -> String {
    match word.register.access_width() {
        64 => format!("0x{value:016X}l"),
        _ => format!("0x{value:08X}"),
    }
}

fn events(header: &mut Header, ip: &'static Ip, prefix: &str) {
    let id = ip.counters.id;
    if let Some(source) = id.source {
        header.heading("Event ids");
        let part = |name: &str, bits: Bits| match bits.low {
            0 => format!("({name})"),
            low => format!("(({name}) << {low})"),
        };
        let id = format!("({} | {})", part("source", source), part("code", id.code));
        header.define(&format!("{prefix}_EVENT_ID"), "(source, code)", "", &id);
    }
    for group in ip.groups {
        // If events have sources, groups of different units can have the same name.
        let unit = group.unit.filter(|_| id.source.is_some()).and_then(|name| ip.unit(name));
        let of = unit.map_or(String::new(), |unit| format!(", {}", unit.title));
        let prefix = &unit.map_or(prefix.to_owned(), |u| format!("{prefix}_{}", constant(u.name)));
        header.heading(&format!("Events of a {}{of}", group.title));
        for source in group.sources {
            let name = format!("{prefix}_SOURCE_{}", constant(source.name));
            header.number(&name, source.title, &hex(source.id));
        }
        for (unit, prefix) in owners(ip, group, prefix) {
            let pmu = Pmu { ip, unit };
            for event in group.events.iter().filter(|event| pmu.has(event.only)) {
                let name = format!("{prefix}_EVENT_{}", constant(event.name));
                header.paragraph(&[event.doc, &event_data(event, group)].join(" "));
                header.number(&name, "", &format!("0x{:02X}", event.code));
            }
        }
    }
}

/// Units that have the events of a group, each with the prefix for the names of the unit's events. A group without a
/// unit belongs to each unit.
fn owners(ip: &'static Ip, group: &Group, prefix: &str) -> Vec<(Option<&'static Unit>, String)> {
    let named = |name: &str| format!("{prefix}_{}", constant(name));
    match group.unit {
        None if !ip.units.is_empty() => {
            ip.units.iter().map(|unit| (Some(unit), named(unit.name))).collect()
        }
        // The only group of a core has the name of the core.
        None if constant(group.name) == constant(ip.name) => vec![(None, prefix.to_owned())],
        unit => vec![(unit.and_then(|unit| ip.unit(unit)), named(group.name))],
    }
}

fn hex(number: u32) -> String {
    format!("0x{number:X}")
}

/// Removes comment delimiters and trigraphs from a text.
fn comment(text: &str) -> String {
    text.replace('\\', "|").replace('*', "x").replace("??", "? ?")
}

#[derive(Default)]
struct Header {
    text: String,
    /// Names of the macros.
    taken: HashSet<String>,
    /// A macro name that was defined twice.
    twice: Option<String>,
}

impl Header {
    fn heading(&mut self, text: &str) {
        let _ = writeln!(self.text, "\n/* ---- {} ---- */", comment(text));
    }

    /// Writes a comment above a definition.
    fn paragraph(&mut self, text: &str) {
        let lines = paragraph(97, "/* ", &comment(text));
        let _ = writeln!(self.text, "{} */", lines.trim_end().replace("\n  ", "\n *"));
    }

    /// Writes a macro with an unsigned number.
    fn number(&mut self, name: &str, text: &str, number: &str) {
        self.define(name, "", text, &format!("{number}u"))
    }

    fn define(&mut self, name: &str, parameters: &str, text: &str, value: &str) {
        if !self.taken.insert(name.to_owned()) {
            self.twice = Some(name.to_owned());
        }
        let text =
            if text.is_empty() { String::new() } else { format!(" /* {} */", comment(text)) };
        let _ = writeln!(self.text, "#define {name}{parameters} {value}{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_end_a_comment() {
        for text in ["*/ #error /*", "a // b", "??/", "end \\"] {
            let text = comment(text);
            let ends = ["*/", "/*", "??", "\\"].iter().any(|end| text.contains(end));
            assert!(!ends, "{text}");
        }
    }

    #[test]
    fn a_duplicate_name_is_detected() {
        let mut header = Header::default();
        header.number("A_MASK", "", "1");
        assert_eq!(header.twice, None);
        header.number("A_MASK", "", "1");
        assert_eq!(header.twice.as_deref(), Some("A_MASK"));
    }
}
