//! Each finding of each IP is one that a simulated device shows in a test.

use std::fs;
use std::path::Path;

use heck::ToUpperCamelCase;

#[test]
fn of_each_ip_have_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut ips = 0;
    for entry in fs::read_dir(root.join("specs")).expect("the specs") {
        let directory = entry.expect("an entry").path();
        let Ok(spec) = fs::read_to_string(directory.join("findings.yaml")) else { continue };
        ips += 1;
        let ip = directory.file_name().expect("a name").to_string_lossy().into_owned();
        // Those of a driver that is taken over are in a directory.
        let tests = ["diagnose.rs", "diagnose/main.rs"]
            .map(|file| fs::read_to_string(root.join(format!("crates/{ip}/tests/{file}"))).ok());
        let tests = tests.into_iter().flatten().next().expect("tests of the findings");
        let own = spec.lines().filter_map(|line| line.strip_prefix("  - name: "));
        let common = spec.lines().find_map(|line| line.strip_prefix("common: ["));
        let common = common.and_then(|list| list.strip_suffix(']')).expect("a list on one line");
        let names: Vec<_> = common.split(", ").chain(own).collect();
        assert!(names.len() > 5, "{ip}: {names:?}");
        for name in names {
            let variant = format!("Finding::{}", name.to_upper_camel_case());
            let shown = tests.contains(&variant) || tests.contains(&format!("\"{name}\""));
            assert!(shown, "{ip}: no test shows {name}");
        }
    }
    assert_eq!(ips, 6);
}
