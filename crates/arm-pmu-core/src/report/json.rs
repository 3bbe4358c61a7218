//! JSON (RFC 8259).

use core::fmt::{self, Write as _};

use super::facts::OTHERS;
use super::row::{Row, RowValue};
use super::section::Section;
use crate::count::Amount;

#[inline]
pub(super) fn write(sections: &[Section<'_>], out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_char('[')?;
    for (nth, section) in sections.iter().enumerate() {
        out.write_str(if nth > 0 { ",{\"pmu\":" } else { "{\"pmu\":" })?;
        string(section.title, out)?;
        out.write_str(",\"rows\":[")?;
        let mut first = true;
        section.rows.each(&mut |row| {
            if !core::mem::take(&mut first) {
                out.write_char(',')?;
            }
            object(&row, out)
        })?;
        out.write_str("]}")?;
    }
    out.write_char(']')
}

#[inline]
fn object(row: &Row<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str("{\"name\":")?;
    string(row.name, out)?;
    out.write_str(",\"value\":")?;
    let facts = row.value.facts();
    match (&row.value, facts.value) {
        (RowValue::Figure(text) | RowValue::Text(text), _) => string(text, out)?,
        (_, Some(number)) => write!(out, "{number}")?,
        (_, None) => out.write_str("null")?,
    }
    write!(out, ",\"unit\":\"{}\"", facts.unit)?;
    if !facts.known.is_empty() {
        write!(out, ",\"known\":\"{}\"", facts.known)?;
    }
    for (name, number) in OTHERS.iter().zip(facts.others) {
        if let Some(number) = number {
            write!(out, ",\"{name}\":{number}")?;
        }
    }
    out.write_char('}')
}

/// Writes an object for a named amount.
#[inline]
pub(super) fn amount(
    name: &dyn fmt::Display,
    amount: Amount,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    object(&Row::events(name, amount), out)
}

/// Writes a string, with escapes.
#[inline]
pub(super) fn string(text: &dyn fmt::Display, out: &mut dyn fmt::Write) -> fmt::Result {
    struct Escaping<'o>(&'o mut dyn fmt::Write);

    impl fmt::Write for Escaping<'_> {
        #[inline]
        fn write_str(&mut self, text: &str) -> fmt::Result {
            text.chars().try_for_each(|character| match character {
                '"' | '\\' => write!(self.0, "\\{character}"),
                '\0'..='\x1F' => write!(self.0, "\\u{:04x}", u32::from(character)),
                _ => self.0.write_char(character),
            })
        }
    }

    out.write_char('"')?;
    write!(Escaping(out), "{text}")?;
    out.write_char('"')
}
