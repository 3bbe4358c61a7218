//! Comma-separated values (RFC 4180).

use core::fmt::{self, Write as _};

use super::row::{Row, RowValue};
use super::section::Section;

const HEADER: &str =
    "pmu,name,value,unit,known,pass,time_running,time_enabled,slices,least,most,part,whole\r\n";

#[inline]
pub(super) fn write(sections: &[Section<'_>], out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str(HEADER)?;
    for section in sections {
        section.rows.each(&mut |row| line(section.title, &row, out))?;
    }
    Ok(())
}

#[inline]
fn line(title: &dyn fmt::Display, row: &Row<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    quoted(title, out)?;
    out.write_char(',')?;
    quoted(row.name, out)?;
    let facts = row.value.facts();
    out.write_char(',')?;
    match &row.value {
        RowValue::Figure(text) | RowValue::Text(text) => quoted(text, out)?,
        _ => optional(facts.value, out)?,
    }
    write!(out, ",{},{}", facts.unit, facts.known)?;
    for number in facts.others {
        out.write_char(',')?;
        optional(number, out)?;
    }
    out.write_str("\r\n")
}

fn optional(number: Option<impl fmt::Display>, out: &mut dyn fmt::Write) -> fmt::Result {
    number.map_or(Ok(()), |number| write!(out, "{number}"))
}

/// Writes a text in quotation marks, and doubles the quotation marks in the text.
///
/// RFC 4180 allows quotation marks around any text and requires them around some texts.
#[inline]
pub(super) fn quoted(text: &dyn fmt::Display, out: &mut dyn fmt::Write) -> fmt::Result {
    struct Doubling<'o>(&'o mut dyn fmt::Write);

    impl fmt::Write for Doubling<'_> {
        #[inline]
        fn write_str(&mut self, text: &str) -> fmt::Result {
            text.chars().try_for_each(|character| {
                if character == '"' {
                    self.0.write_char('"')?;
                }
                self.0.write_char(character)
            })
        }
    }

    out.write_char('"')?;
    write!(Doubling(out), "{text}")?;
    out.write_char('"')
}
