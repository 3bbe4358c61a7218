//! Common rows: rows of an architecture's file to which an IP's file refers.

use crate::legend::Facts;
use serde_json::json;

use crate::mapping;
use crate::problem::Problems;
use crate::read::{At, List, Read};
use crate::scalar::{Name, Text};
use crate::schema::{Definitions, Value};
use crate::yaml::Node;

mapping! {
    /// Rows of the architecture, or of another unit's group with the same name. If a row of the list has the name of a
    /// common row, it changes the common row. An origin given here replaces the origins of the common rows.
    "common rows" => CommonRows with origin {
        /// Names of the rows, or `all`. For metrics, `possible` is also allowed: all metrics whose input events the IP
        /// has.
        required common: Chosen,
        /// Keys to omit in these rows.
        list without: At<Text>,
    }
}

/// Selected rows.
#[derive(Clone, Debug)]
pub enum Chosen {
    All,
    Possible,
    Named(List<At<Name>>),
}

impl Facts for Chosen {}

impl Read for Chosen {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        match node.text() {
            Some("all") => Some(Self::All),
            Some("possible") => Some(Self::Possible),
            _ => List::read(node, problems).map(Self::Named),
        }
    }

    fn describe(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [{ "enum": ["all", "possible"] }, List::<Name>::describe(definitions)] })
    }
}
