//! The generated files of the made-up IPs, which use every feature of the language, stored: an upgrade
//! of svd2rust, or a change of ours, is one reviewed difference. `tests/made_up_*.rs` compile them.

use std::fs;

use super::good;
use crate::generate::emit::emit;

#[test]
fn their_files_are_those_stored() {
    for name in good::NAMES {
        let sources = good::sources(name);
        let ip = good::load(&sources).0.expect("the specs are good");
        let directory = good::directory(name).join("generated");
        for file in emit(&ip).expect("every model can be emitted") {
            let path = directory.join(&file.name);
            if std::env::var_os("UPDATE_MESSAGES").is_some() {
                fs::create_dir_all(path.parent().expect("a directory")).expect("to make it");
                fs::write(&path, &file.text).expect("to write the file");
            }
            let stored = fs::read_to_string(&path).expect("the stored file");
            for (number, (found, wanted)) in (1..).zip(file.text.lines().zip(stored.lines())) {
                let file = path.display();
                assert_eq!(found, wanted, "{file}:{number}; `UPDATE_MESSAGES=1` takes it over");
            }
            assert_eq!(file.text.len(), stored.len(), "{}", path.display());
        }
    }
}

#[test]
fn output_depends_on_the_specs_alone() {
    for name in good::NAMES {
        let sources = good::sources(name);
        let texts = || {
            let ip = good::load(&sources).0.expect("the specs are good");
            let files = emit(&ip).expect("every model can be emitted");
            files.into_iter().map(|file| file.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(), texts());
    }
}
