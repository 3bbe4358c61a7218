//! Rows in the formats of serde.

use core::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::facts::{Number, OTHERS};
use super::row::{Row, RowValue};

/// What prints is a string.
struct Text<'t>(&'t dyn fmt::Display);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// Decimals as they are: what has no decimal point here cannot come out wrong.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(number) => serializer.serialize_u64(*number),
            Self::Tenths(_) | Self::Decimal(_) => serializer.collect_str(self),
        }
    }
}

/// As [`Report::json`](crate::report::Report::json) writes it.
impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        row(self, serializer)
    }
}

/// A map with the members that [`Report::json`](crate::report::Report::json) writes, but that what has
/// decimals is a string.
fn row<S: Serializer>(row: &Row<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let facts = row.value.facts();
    let known = Some(facts.known).filter(|known| !known.is_empty());
    let there = known.iter().count() + facts.others.iter().flatten().count();
    let mut map = serializer.serialize_map(Some(3 + there))?;
    map.serialize_entry("name", &Text(row.name))?;
    match &row.value {
        RowValue::Figure(text) | RowValue::Text(text) => {
            map.serialize_entry("value", &Text(*text))?
        }
        _ => map.serialize_entry("value", &facts.value)?,
    }
    map.serialize_entry("unit", facts.unit)?;
    if let Some(known) = known {
        map.serialize_entry("known", known)?;
    }
    for (name, number) in OTHERS.iter().zip(facts.others) {
        if let Some(number) = number {
            map.serialize_entry(name, &number)?;
        }
    }
    map.end()
}
