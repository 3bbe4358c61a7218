//! Filters that templates apply to texts from the tables.

use std::fmt;

use askama::filters::{Escaper, Html, HtmlSafe};
use askama::{Result, Values};

/// Formats a sentence of the specs: text between back quotes becomes code.
#[askama::filter_fn]
pub fn prose<'t>(text: &'t str, _: &dyn Values) -> Result<Prose<'t>> {
    Ok(Prose(text))
}

pub struct Prose<'t>(&'t str);

impl HtmlSafe for Prose<'_> {}

impl fmt::Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, part) in self.0.split('`').enumerate() {
            let (before, after) = if nth % 2 == 1 { ("<code>", "</code>") } else { ("", "") };
            f.write_str(before)?;
            Html.write_escaped_str(&mut *f, part)?;
            f.write_str(after)?;
        }
        Ok(())
    }
}
