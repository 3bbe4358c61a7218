//! The good specs that mistakes are put into.

use std::fs;
use std::path::Path;

use annotate_snippets::Renderer;

use super::parse;
use crate::check;
use crate::model::Ip;
use crate::problem::{Problems, Source, Sources};

/// Both files of the made-up IP.
pub fn sources() -> Sources {
    Sources {
        registers: Source {
            path: "specs/demo/registers.yaml".into(),
            text: Some(include_str!("../../tests/good/registers.yaml").to_owned()),
        },
        events: Source {
            path: "specs/demo/events.yaml".into(),
            text: Some(include_str!("../../tests/good/events.yaml").to_owned()),
        },
    }
}

/// What reading and checking gives: a model, or problems.
pub fn load(sources: &Sources) -> (Option<Ip>, Problems) {
    let mut problems = Problems::default();
    let spec = parse(sources, &mut problems);
    let ip = spec.and_then(|spec| check::check("demo", &spec, &mut problems));
    (ip, problems)
}

/// The problems as they are shown, without colours.
pub fn render(problems: &mut Problems, sources: &Sources) -> String {
    let text = problems.render(sources, &Renderer::plain());
    let lines = text.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

#[test]
fn they_are_good() {
    let sources = sources();
    let (ip, mut problems) = load(&sources);
    assert!(problems.is_empty(), "{}", render(&mut problems, &sources));
    let model = format!("{:#?}\n", ip.expect("a model"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/model.txt");
    if std::env::var_os("UPDATE_MESSAGES").is_some() {
        fs::write(&path, &model).expect("to write the model");
    }
    let on_file = fs::read_to_string(&path).expect("the model on file");
    for (number, (found, wanted)) in (1..).zip(model.lines().zip(on_file.lines())) {
        assert_eq!(
            found, wanted,
            "tests/good/model.txt:{number}; `UPDATE_MESSAGES=1` takes it over"
        );
    }
    assert_eq!(model.len(), on_file.len());
}
