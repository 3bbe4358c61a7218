//! A platform read from its file equals the one in the tables.

use std::path::Path;

use arm_pmu_tables::PLATFORMS;

mod program;

fn shown(platform: &str) -> String {
    let output = program::command().args(["platform", platform, "--json"]).output();
    let output = output.expect("the program");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{platform}: {error}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn files_are_read_as_by_the_generator() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/platforms");
    for table in PLATFORMS {
        let file = specs.join(table.name).with_extension("yaml");
        assert_eq!(shown(&file.to_string_lossy()), shown(table.name), "{}", table.name);
    }
    assert!(PLATFORMS.len() >= 18, "{}", PLATFORMS.len());
}
