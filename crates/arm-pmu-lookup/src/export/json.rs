//! Writes all data of an IP as JSON.

use arm_pmu_tables::Ip;
use serde::Serialize;

/// File name of the schema next to the exported files.
pub const SCHEMA_NAME: &str = "arm-pmu-export.schema.json";

/// JSON Schema of the documents.
pub const SCHEMA: &str = include_str!("../../schema/export.json");

/// Version of the document format. The version changes only if readers of the old format would fail.
const FORMAT: u32 = 1;

/// Data of an IP, with the version of the format.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
struct Document {
    /// The JSON Schema of this document.
    #[serde(rename = "$schema")]
    schema: &'static str,
    /// Version of the document format.
    #[cfg_attr(test, schemars(extend("const" = FORMAT)))]
    format: u32,
    ip: &'static Ip,
}

/// Returns the text of `<ip>.json`.
///
/// # Errors
///
/// Fails if the serializer fails.
pub fn document(ip: &'static Ip) -> serde_json::Result<String> {
    let document = Document { schema: SCHEMA_NAME, format: FORMAT, ip };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn stored_schema_matches_the_document() {
        let generator = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let schema = generator.into_generator().into_root_schema_for::<super::Document>();
        let made = serde_json::to_string_pretty(&schema).expect("a schema") + "\n";
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/export.json");
        snapbox::assert_data_eq!(made, snapbox::Data::read_from(&path, None).raw());
    }
}
