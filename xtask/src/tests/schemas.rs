//! Each spec names its schema, for editors. `cargo xtask ci exports` validates the specs with the schemas.

use std::fs;

use crate::generate::{load, spec};
use crate::tests::root;

#[test]
fn specs_name_their_schema() {
    let specs = root().join("specs");
    let mut files = vec![("common-findings", "schema", specs.join("findings.yaml"))];
    for ip in load::names(root()).expect("IPs") {
        for (name, _) in spec::FILES {
            files.push((name, "../schema", specs.join(&ip).join(name).with_extension("yaml")));
        }
    }
    for architecture in load::architectures(root()).expect("architectures") {
        let of_all = specs.join(architecture);
        files.push(("architecture", "../schema", of_all.join("registers.yaml")));
        for name in ["events", "metrics", "findings"] {
            files.push((name, "../schema", of_all.join(name).with_extension("yaml")));
        }
    }
    files.retain(|(.., path)| path.exists());
    assert!(files.len() > 20, "{files:?}");
    for (name, schemas, path) in files {
        let text = fs::read_to_string(&path).expect("a spec");
        let first = format!("# yaml-language-server: $schema={schemas}/{name}.json\n");
        assert!(text.starts_with(&first), "{} has to start with\n{first}", path.display());
    }
}
