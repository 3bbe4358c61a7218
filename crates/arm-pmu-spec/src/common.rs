//! Rows that a file takes from the file of its architecture, as an item of a list of rows.

use serde_json::json;

use crate::mapping;
use crate::problem::Problems;
use crate::read::{At, List, Read};
use crate::scalar::{Name, Text};
use crate::schema::{Definitions, Describe, Value};
use crate::yaml::Node;

mapping! {
    /// Rows of the architecture, or of another unit's group of this name. Another row with one of
    /// their names contains the changes to it. An origin here replaces the origin of each row.
    "common rows" => CommonRows with origin {
        /// Their names, `all`, or of metrics `possible`: those with inputs that the IP has.
        required common: Chosen,
        /// Keys that are left out of them.
        list without: At<Text>,
    }
}

/// The rows that are taken.
#[derive(Clone, Debug)]
pub enum Chosen {
    All,
    Possible,
    Named(List<At<Name>>),
}

impl Read for Chosen {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        match node.text() {
            Some("all") => Some(Self::All),
            Some("possible") => Some(Self::Possible),
            _ => List::read(node, problems).map(Self::Named),
        }
    }
}

impl Describe for Chosen {
    fn describe(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [{ "enum": ["all", "possible"] }, List::<Name>::describe(definitions)] })
    }
}
