//! A register as text: a picture of its bits, then every field.

use super::{COLUMNS, paragraph, source};
use crate::generate::emit::docs;
use crate::generate::model::{Content, Field, Ip, Location, Operands, Register, Reserved, Space};
use crate::generate::names;

pub fn text(ip: &Ip, register: &Register) -> String {
    let mut text = format!("{}: {}\n", register.name, register.title);
    text += &format!("{}, {}\n", ip.title, ip.manual.id);
    if !register.aliases.is_empty() {
        text += &format!("{}\n", docs::aliases(&register.aliases));
    }
    text.push('\n');
    text += &paragraph("  ", &place(ip, register));
    let access = docs::access(register.access);
    text += &paragraph(
        "  ",
        &format!("{} bits, {access}; {}", register.width, docs::resets(ip, register)),
    );
    let modules =
        register.words().iter().map(|word| names::register_module(&word.name)).collect::<Vec<_>>();
    text += &format!("  Rust: {}\n\n", modules.join(", "));
    text += &picture(&register.fields);
    text.push('\n');
    let width = register.named().map(|(bits, _)| bits.to_string().len()).max().unwrap_or(0);
    for (bits, named) in register.named() {
        let mut words = format!("{} ({}). {}", named.name, docs::field_access(named), named.doc);
        words += &docs::limit(named);
        if !named.aliases.is_empty() {
            words += &format!(" {}", docs::aliases(&named.aliases));
        }
        let units: Vec<_> = named
            .only
            .iter()
            .filter_map(|unit| ip.units.get(*unit))
            .map(|u| u.title.as_str())
            .collect();
        if !units.is_empty() {
            words += &format!(" {} only.", units.join(", "));
        }
        if named.origin != register.origin {
            words += &format!(" {}", source(&named.origin, &ip.manual));
        }
        text += &paragraph(&format!("  {:>width$}  ", bits.to_string()), &words);
    }
    text.push('\n');
    text += &paragraph("", &register.doc);
    register.note.iter().for_each(|note| text += &paragraph("", note));
    docs::of_units(ip, register).iter().for_each(|rule| text += &paragraph("", rule));
    docs::restrictions(register).for_each(|rule| text += &paragraph("", &rule));
    text.push('\n');
    text + &paragraph("", &source(&register.origin, &ip.manual))
}

/// Where it is, for people.
fn place(ip: &Ip, register: &Register) -> String {
    match &register.location {
        Location::Memory { page, block, offset, count, stride } => {
            let mut text = format!("offset 0x{offset:03X}");
            if let (Some(page), Space::Pages(pages)) = (page, &ip.space)
                && let Some(page) = pages.get(*page)
            {
                text += &format!(" of {}", page.name);
            }
            if *count > 1 {
                text += &format!(" + 0x{stride:X} * n, n = 0 to {}", count - 1);
            }
            if let Some(block) = block.and_then(|block| ip.blocks.get(block)) {
                text += &format!(" (block {})", block.name);
            }
            text
        }
        Location::Cp15 { operands: Operands { opc1, crn, crm, opc2 }, selected_by } => {
            let mut text = format!("MRC or MCR p15, {opc1}, Rt, c{crn}, c{crm}, {opc2}");
            if let Some(by) = selected_by {
                text +=
                    &format!("; {}.{} says which of {} is seen", by.register, by.field, by.count);
            }
            text
        }
    }
}

/// The bits, high one first, in rows that fit the columns.
fn picture(fields: &[Field]) -> String {
    let cells: Vec<_> =
        fields.iter().map(|field| (field.bits.to_string(), content(field))).collect();
    let width = |(bits, name): &(String, String)| bits.len().max(name.len());
    let mut rows: Vec<Vec<&(String, String)>> = Vec::new();
    let mut used = COLUMNS;
    for cell in &cells {
        let columns = width(cell) + 3;
        if used + columns > COLUMNS {
            rows.push(Vec::new());
            used = 3;
        }
        used += columns;
        rows.last_mut().into_iter().for_each(|row| row.push(cell));
    }
    let mut text = String::new();
    for row in rows {
        let line = |with: &dyn Fn(&(String, String)) -> String, between: &str| {
            let cells: Vec<_> = row.iter().map(|cell| with(cell)).collect();
            let line = format!("  {between}{}{between}", cells.join(between));
            line.trim_end().to_owned() + "\n"
        };
        let edge = line(&|cell| "-".repeat(width(cell) + 2), "+");
        text += &line(&|cell| format!(" {:^1$} ", cell.0, width(cell)), " ");
        text += &edge;
        text += &line(&|cell| format!(" {:^1$} ", cell.1, width(cell)), "|");
        text += &edge;
    }
    text
}

fn content(field: &Field) -> String {
    match &field.content {
        Content::Named(named) => named.name.clone(),
        Content::Reserved(Reserved::Zero) => "0".to_owned(),
        Content::Reserved(Reserved::One) => "1".to_owned(),
        Content::Reserved(other) => other.word().to_owned(),
    }
}
