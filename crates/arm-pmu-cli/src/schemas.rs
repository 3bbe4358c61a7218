//! Generates the JSON Schemas in `schema/` from the types of documents.

use std::path::Path;

use schemars::schema_for;

use crate::linux::report::{json, record};
use crate::linux::{check, live, perf};
use crate::lookup::view;
use crate::prompt::{device_tree, doctor, recipe};

#[test]
fn stored_schemas_match_the_documents() {
    let all = [
        ("list-ips", schema_for!(view::ListOfIps)),
        ("list", schema_for!(view::List)),
        ("show", schema_for!(view::Show)),
        ("find", schema_for!(view::Find)),
        ("encode", schema_for!(view::Encode)),
        ("decode", schema_for!(view::Decode)),
        ("list-platforms", schema_for!(view::ListOfPlatforms)),
        ("platform", schema_for!(arm_pmu_tables::Platform)),
        ("perf", schema_for!(perf::Perf)),
        ("report", schema_for!(json::Report)),
        ("report-against", schema_for!(json::Against)),
        ("report-runs", schema_for!(json::Runs)),
        ("record", schema_for!(record::Line)),
        ("check", schema_for!(check::Document)),
        ("doctor-live", schema_for!(live::Live)),
        ("recipe", schema_for!(recipe::program::Program)),
        ("device-tree", schema_for!(device_tree::DeviceTree)),
        ("doctor", schema_for!(doctor::view::Doctor)),
    ];
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    for (name, schema) in all {
        let path = directory.join(name).with_extension("json");
        let made = serde_json::to_string_pretty(&schema).expect("a schema") + "\n";
        snapbox::assert_data_eq!(made, snapbox::Data::read_from(&path, None).raw());
    }
}
