//! The good specs that mistakes are put into.

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
    assert!(ip.is_some() && problems.is_empty(), "{}", render(&mut problems, &sources));
}
