//! Each finding of each IP is one that a simulated device shows in a test.

use std::fs;
use std::path::Path;

use heck::ToUpperCamelCase;

/// The tests of the crate with the procedures of the IP, which run on its simulated device.
fn of_architecture(root: &Path, ip: &str) -> String {
    let manifest =
        fs::read_to_string(root.join(format!("crates/{ip}/Cargo.toml"))).expect("a file");
    let crates = fs::read_dir(root.join("crates")).expect("the crates");
    let mut names = crates.map(|entry| entry.expect("an entry").file_name());
    let tests_of =
        |name: &std::ffi::OsString| root.join("crates").join(name).join("tests/diagnose");
    let is_used = |name: &std::ffi::OsString| {
        let dependency = format!("\n{}.workspace = true", name.to_string_lossy());
        // An architecture can have a driver itself.
        tests_of(name).is_dir() && (manifest.contains(&dependency) || *name == *ip)
    };
    let tests = tests_of(&names.find(is_used).expect("an architecture"));
    let read = |file: &str| fs::read_to_string(tests.join(file)).expect("tests of the findings");
    let product = format!("use {} as product;", ip.replace('-', "_"));
    assert!(read("main.rs").contains(&product), "{ip} is not tested");
    read("tests.rs")
}

#[test]
fn of_each_ip_have_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut ips = 0;
    for entry in fs::read_dir(root.join("specs")).expect("the specs") {
        let directory = entry.expect("an entry").path();
        let Ok(spec) = fs::read_to_string(directory.join("findings.yaml")) else { continue };
        ips += 1;
        let ip = directory.file_name().expect("a name").to_string_lossy().into_owned();
        let own = fs::read_to_string(root.join(format!("crates/{ip}/tests/diagnose.rs")));
        let tests = own.unwrap_or_else(|_| of_architecture(root, &ip));
        // After the legend, which has names too.
        let rows = spec.lines().skip_while(|line| *line != "findings:");
        let own = rows.filter_map(|line| line.strip_prefix("  - name: "));
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
    // More after `cargo xtask new`.
    assert!(ips >= 6, "{ips}");
}
