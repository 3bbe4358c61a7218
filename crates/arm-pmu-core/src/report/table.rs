//! Reports as tables.

use core::fmt;

use super::row::{Row, RowValue};
use super::section::Section;
use super::text::{length, repeat};
use crate::count::Scaling;

/// Width of the value column, for the widest count ">= 4294967296".
const VALUE: usize = 13;

/// Properties of all rows, computed before the first row is written.
struct Layout {
    value: usize,
    /// Length of the longest name among the rows that have a note.
    name: usize,
    /// Whether the rows have more than one pass.
    passes: bool,
    bars: usize,
}

#[inline]
pub(super) fn write(
    sections: &[Section<'_>],
    bars: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (nth, section) in sections.iter().enumerate() {
        if nth > 0 {
            f.write_str("\n")?;
        }
        writeln!(f, "{}", section.title)?;
        let mut layout = Layout { value: VALUE, name: 0, passes: false, bars };
        section.rows.each(&mut |row| {
            layout.value = layout.value.max(value_length(&row.value));
            layout.passes |= row.value.amount().is_some_and(|amount| amount.pass() != 0);
            Ok(())
        })?;
        section.rows.each(&mut |row| {
            if layout.has_note(&row.value) {
                layout.name = layout.name.max(length(row.name));
            }
            Ok(())
        })?;
        section.rows.each(&mut |row| layout.write(&row, f))?;
    }
    Ok(())
}

#[inline]
fn value_length(value: &RowValue<'_>) -> usize {
    match value {
        RowValue::Events(amount) | RowValue::MultiplexedCount { amount, .. } => length(amount),
        RowValue::Percent(percent) => length(percent),
        RowValue::Computed(computed) => computed.length(),
        RowValue::Figure(figure) => length(*figure),
        RowValue::Text(_) => 0,
    }
}

impl Layout {
    #[inline]
    fn has_note(&self, value: &RowValue<'_>) -> bool {
        match value {
            RowValue::Events(amount) => self.passes || amount.scaling() != Scaling::WHOLE,
            RowValue::MultiplexedCount { .. } => true,
            RowValue::Percent(percent) => {
                self.bars > 0 && matches!(percent.per_mille(), Ok(Some(_)))
            }
            RowValue::Computed(computed) => {
                let bar = self.bars > 0 && computed.per_mille().is_some();
                bar || computed.reason().is_some()
            }
            RowValue::Figure(_) | RowValue::Text(_) => false,
        }
    }

    #[inline]
    fn write(&self, row: &Row<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, width) = (row.name, self.value);
        match &row.value {
            RowValue::Events(amount) | RowValue::MultiplexedCount { amount, .. } => {
                write!(f, "{amount:>width$}  {name}")?;
            }
            RowValue::Percent(percent) => write!(f, "{percent:>width$}  {name}")?,
            RowValue::Computed(computed) => {
                computed.figure(width, f)?;
                write!(f, "  {name}")?;
            }
            RowValue::Figure(figure) => {
                repeat(f, ' ', width.saturating_sub(length(*figure)))?;
                write!(f, "{figure}  {name}")?;
            }
            RowValue::Text(text) => return writeln!(f, "{:width$}  {name}: {text}", ""),
        }
        if self.has_note(&row.value) {
            repeat(f, ' ', self.name.saturating_sub(length(name)) + 2)?;
            self.note(&row.value, f)?;
        }
        f.write_str("\n")
    }

    #[inline]
    fn note(&self, value: &RowValue<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match value {
            RowValue::Percent(percent) => {
                return bar(percent.per_mille().ok().flatten(), self.bars, f);
            }
            RowValue::Computed(computed) => {
                return match computed.reason() {
                    Some(why) => computed.write_reason(why, f),
                    None => bar(computed.per_mille(), self.bars, f),
                };
            }
            _ => {}
        }
        let Some(amount) = value.amount() else { return Ok(()) };
        let mut separator = "";
        if self.passes {
            write!(f, "pass {}", amount.pass())?;
            separator = ", ";
        }
        if amount.scaling() != Scaling::WHOLE {
            let per_mille = amount.scaling().running_per_mille();
            let (percent, tenth) = (per_mille / 10, per_mille % 10);
            write!(f, "{separator}{percent}.{tenth} % of the time")?;
            separator = ", ";
        }
        if let RowValue::MultiplexedCount { slices, least, most, .. } = value {
            let plural = if *slices == 1 { "" } else { "s" };
            write!(f, "{separator}{slices} slice{plural}")?;
            if *slices > 1 && amount.exact().is_err() {
                write!(f, ", like {least} to {most}")?;
            }
        }
        Ok(())
    }
}

/// Writes a bar of `width` characters, filled in proportion; full at 100 % and above.
#[inline]
fn bar(per_mille: Option<u64>, width: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(per_mille) = per_mille else { return Ok(()) };
    let length = (per_mille.min(1_000) as usize * width + 500) / 1_000;
    repeat(f, '#', length)?;
    repeat(f, '.', width.saturating_sub(length))
}
