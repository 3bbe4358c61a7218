//! The generated files of an IP that uses every feature of the language, stored: an upgrade of
//! svd2rust, or a change of ours, is one reviewed difference. `tests/made_up_ip.rs` compiles them.

use std::fs;
use std::path::Path;

use crate::load::good;

#[test]
fn its_files_are_those_stored() {
    let sources = good::sources();
    let ip = good::load(&sources).0.expect("the specs are good");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/generated");
    for file in super::emit(&ip).expect("every model can be emitted") {
        let path = directory.join(file.name);
        if std::env::var_os("UPDATE_MESSAGES").is_some() {
            fs::create_dir_all(&directory).expect("to make the directory");
            fs::write(&path, &file.text).expect("to write the file");
        }
        let stored = fs::read_to_string(&path).expect("the stored file");
        for (number, (found, wanted)) in (1..).zip(file.text.lines().zip(stored.lines())) {
            let name = file.name;
            assert_eq!(found, wanted, "{name}:{number}; `UPDATE_MESSAGES=1` takes it over");
        }
        assert_eq!(file.text.len(), stored.len(), "{}", file.name);
    }
}

#[test]
fn output_depends_on_the_specs_alone() {
    let sources = good::sources();
    let texts = || {
        let ip = good::load(&sources).0.expect("the specs are good");
        let files = super::emit(&ip).expect("every model can be emitted");
        files.into_iter().map(|file| file.text).collect::<Vec<_>>()
    };
    assert_eq!(texts(), texts());
}
