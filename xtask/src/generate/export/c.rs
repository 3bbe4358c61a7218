//! A header for C and C++: where registers and fields are, and the codes of events.
//!
//! Macros only: it declares nothing and needs no other header.

use std::collections::HashMap;
use std::fmt::Write as _;

use anyhow::{Result, bail};

use crate::generate::model::{Bits, Group, Ip, Location, Named, Operands, Register, Space};
use crate::generate::names;

/// The text of `<ip>.h`.
///
/// # Errors
///
/// If two things of the IP come to one name.
pub fn header(ip: &Ip) -> Result<String> {
    let prefix = names::of_ip(&ip.name).constant;
    let mut header = Header { text: String::new(), taken: HashMap::new() };
    let _ = write!(
        header.text,
        "/* Registers and events of the {title}.\n * {manual}, {id}.\n *\n \
         * Made by `cargo xtask export c` from specs/{name}.\n *\n \
         * Of a register: _OFFSET from the base, or the operands of MRC and MCR; of an array, _OFFSET is that\n \
         * of the first, and _AT(n) that of any. _KEEP has the bits that a read-modify-write carries over,\n \
         * _INITIAL those that any other write starts from, _RESET the value after reset where it is known.\n \
         */\n#ifndef ARM_PMU_{prefix}_H\n#define ARM_PMU_{prefix}_H\n",
        title = comment(&ip.title),
        manual = comment(&ip.manual.title),
        id = comment(&ip.manual.id),
        name = ip.name,
    );
    header.number(
        &format!("{prefix}_COUNTERS"),
        "Number of event counters.",
        &ip.counters.count.to_string(),
    )?;
    spaces(&mut header, ip, &prefix)?;
    if ip.registers_differ() {
        for (number, unit) in ip.units.iter().enumerate() {
            header.heading(&format!("Registers of {}", unit.title));
            let prefix = format!("{prefix}_{}", names::constant(&unit.name));
            registers(&mut header, ip, &prefix, &ip.registers_of(number))?;
        }
    } else {
        header.heading("Registers");
        registers(&mut header, ip, &prefix, &ip.registers)?;
    }
    events(&mut header, ip, &prefix)?;
    let _ = write!(header.text, "\n#endif /* ARM_PMU_{prefix}_H */\n");
    Ok(header.text)
}

fn spaces(header: &mut Header, ip: &Ip, prefix: &str) -> Result<()> {
    match &ip.space {
        Space::Region { length } => {
            header.number(&format!("{prefix}_LENGTH"), "Number of bytes to map.", &hex(*length))?;
        }
        Space::Pages(pages) => {
            header.heading("Pages");
            for page in pages {
                let name = format!("{prefix}_{}_LENGTH", names::constant(&page.name));
                header.number(&name, &format!("{}, in bytes.", page.title), &hex(page.length))?;
            }
            for unit in &ip.units {
                let places = pages.iter().zip(&unit.pages);
                let ends = places.map(|(page, of_unit)| of_unit.offset + page.length);
                let name = format!("{prefix}_{}_LENGTH", names::constant(&unit.name));
                let text =
                    format!("Bytes to map from the base of a {}, to reach all pages.", unit.title);
                header.number(&name, &text, &hex(ends.max().unwrap_or(0)))?;
                for (page, of_unit) in pages.iter().zip(&unit.pages) {
                    let name = format!(
                        "{prefix}_{}_{}",
                        names::constant(&unit.name),
                        names::constant(&page.name)
                    );
                    let text = format!("{}, from the base of a {}.", page.title, unit.title);
                    header.number(&name, &text, &hex(of_unit.offset))?;
                }
            }
        }
        Space::Cp15 => {}
    }
    let ids = ip.main_id.iter().map(|id| (prefix.to_owned(), id));
    let of_units = ip.units.iter().filter_map(|unit| {
        Some((format!("{prefix}_{}", names::constant(&unit.name)), unit.main_id.as_ref()?))
    });
    for (prefix, id) in ids.chain(of_units) {
        let text = "Bits 15 to 4 of the Main ID Register.";
        header.number(&format!("{prefix}_MAIN_ID_PART"), text, &hex(id.part))?;
    }
    Ok(())
}

fn registers(header: &mut Header, ip: &Ip, prefix: &str, registers: &[Register]) -> Result<()> {
    for register in registers.iter().flat_map(Register::words) {
        let name = format!("{prefix}_{}", names::constant(&register.name));
        let _ = writeln!(header.text, "\n/* {}: {} */", register.name, comment(&register.title));
        match &register.location {
            Location::Memory { offset, count, stride, .. } => {
                header.number(&format!("{name}_OFFSET"), "", &hex(*offset))?;
                if *count > 1 {
                    header.number(&format!("{name}_COUNT"), "", &count.to_string())?;
                    header.number(&format!("{name}_STRIDE"), "", &hex(*stride))?;
                    let at = format!("({name}_OFFSET + {name}_STRIDE * (n))");
                    header.define(&format!("{name}_AT"), "(n)", "", &at)?;
                }
            }
            Location::Cp15 { operands: Operands { opc1, crn, crm, opc2 }, .. } => {
                let operands = [("OPC1", opc1), ("CRN", crn), ("CRM", crm), ("OPC2", opc2)];
                for (operand, number) in operands {
                    header.number(&format!("{name}_{operand}"), "", &number.to_string())?;
                }
                let text = format!("\"p15, {opc1}, %0, c{crn}, c{crm}, {opc2}\"");
                header.define(&format!("{name}_CP15"), "", "after MRC or MCR", &text)?;
            }
        }
        header.number(&format!("{name}_KEEP"), "", &format!("0x{:08X}", register.keep()))?;
        header.number(&format!("{name}_INITIAL"), "", &format!("0x{:08X}", register.initial()))?;
        for reset in &register.resets {
            let Some(value) = reset.value else { continue };
            let unit = reset.unit.and_then(|unit| ip.units.get(unit));
            let name = match unit.filter(|_| register.resets.len() > 1) {
                Some(unit) => format!("{name}_RESET_{}", names::constant(&unit.name)),
                // The only one, or of the unit that the prefix already names.
                None => format!("{name}_RESET"),
            };
            header.number(&name, "", &format!("0x{value:08X}"))?;
        }
        for (bits, field) in register.named() {
            one_field(header, &name, bits, field)?;
        }
    }
    Ok(())
}

fn one_field(header: &mut Header, register: &str, bits: Bits, field: &Named) -> Result<()> {
    let name = format!("{register}_{}", names::constant(&field.name));
    let text = format!("{}, {}", bits, field.access.word());
    header.number(&format!("{name}_MASK"), &text, &format!("0x{:08X}", bits.mask()))?;
    header.number(&format!("{name}_SHIFT"), "", &bits.low.to_string())
}

fn events(header: &mut Header, ip: &Ip, prefix: &str) -> Result<()> {
    if let Some(source) = ip.counters.source {
        header.heading("Event ids");
        let code = ip.counters.event;
        let part = |name: &str, bits: Bits| match bits.low {
            0 => format!("({name})"),
            low => format!("(({name}) << {low})"),
        };
        let id = format!("({} | {})", part("source", source), part("code", code));
        header.define(&format!("{prefix}_EVENT_ID"), "(source, code)", "", &id)?;
    }
    for group in &ip.groups {
        // Units that have sources have groups of the same names.
        let unit = group.unit.filter(|_| ip.counters.source.is_some());
        let unit = unit.and_then(|unit| ip.units.get(unit));
        let of = unit.map_or(String::new(), |unit| format!(", {}", unit.title));
        let prefix =
            &unit.map_or(prefix.to_owned(), |u| format!("{prefix}_{}", names::constant(&u.name)));
        header.heading(&format!("Events of a {}{of}", group.title));
        for source in &group.sources {
            let name = format!("{prefix}_SOURCE_{}", names::constant(&source.name));
            header.number(&name, &source.title, &hex(source.id))?;
        }
        for (unit, prefix) in owners(ip, group, prefix) {
            for event in group.events_of(unit) {
                let name = format!("{prefix}_EVENT_{}", names::constant(&event.name));
                header.number(&name, "", &format!("0x{:02X}", event.code))?;
            }
        }
    }
    Ok(())
}

/// What has the events of a group, and how their names start: a group of all units is one of each.
fn owners(ip: &Ip, group: &Group, prefix: &str) -> Vec<(Option<usize>, String)> {
    let named = |name: &str| format!("{prefix}_{}", names::constant(name));
    match group.unit {
        None if !ip.units.is_empty() => {
            let units = ip.units.iter().enumerate();
            units.map(|(number, unit)| (Some(number), named(&unit.name))).collect()
        }
        unit => vec![(unit, named(&group.name))],
    }
}

fn hex(number: u32) -> String {
    format!("0x{number:X}")
}

/// A text that ends no comment, opens none, and has no trigraphs.
fn comment(text: &str) -> String {
    text.replace('\\', "|").replace('*', "x").replace("??", "? ?")
}

struct Header {
    text: String,
    /// Each macro with what it is defined as.
    taken: HashMap<String, String>,
}

impl Header {
    fn heading(&mut self, text: &str) {
        let _ = writeln!(self.text, "\n/* ---- {} ---- */", comment(text));
    }

    /// An unsigned number.
    fn number(&mut self, name: &str, text: &str, number: &str) -> Result<()> {
        self.define(name, "", text, &format!("{number}u"))
    }

    fn define(&mut self, name: &str, parameters: &str, text: &str, value: &str) -> Result<()> {
        if self.taken.insert(name.to_owned(), value.to_owned()).is_some() {
            bail!(
                "two things would be called {name} in C; a register or field has to be named otherwise"
            );
        }
        let text =
            if text.is_empty() { String::new() } else { format!(" /* {} */", comment(text)) };
        let _ = writeln!(self.text, "#define {name}{parameters} {value}{text}");
        Ok(())
    }
}
