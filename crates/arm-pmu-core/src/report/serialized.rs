//! Serialization of rows with serde.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::facts::{Number, OTHERS};
use super::row::{Row, RowValue};

/// Serializes numbers with decimals as strings.
///
/// A conversion to floating point would be inexact.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(number) => serializer.serialize_u64(*number),
            Self::Tenths(_) | Self::Decimal(_) => serializer.collect_str(self),
        }
    }
}

/// Serializes a row as a map.
///
/// The map has the members that [`Report::json`](crate::report::Report::json) writes, but numbers with decimals
/// are strings.
impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let facts = self.value.facts();
        let known = Some(facts.known).filter(|known| !known.is_empty());
        let there = known.iter().count() + facts.others.iter().flatten().count();
        let mut map = serializer.serialize_map(Some(3 + there))?;
        map.serialize_entry("name", &format_args!("{}", self.name))?;
        match &self.value {
            RowValue::Figure(text) | RowValue::Text(text) => {
                map.serialize_entry("value", &format_args!("{text}"))?
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
}
