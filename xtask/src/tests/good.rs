//! The good specs that mistakes are put into.

use std::fs;
use std::path::{Path, PathBuf};

use arm_pmu_spec::problem::Renderer;

use crate::generate::check;
use crate::generate::emit::emit;
use crate::generate::load::{lines_are_short, parse};
use crate::generate::model::Ip;
use crate::generate::problem::{Problems, Source, Sources};

/// The made-up IPs: in one region of memory with sources of events; with two units on pages; in CP15; among
/// the system registers of AArch64.
/// Together they use every feature of the language.
pub const NAMES: [&str; 4] = ["demo", "pages", "cores", "system"];

/// The made-up architecture, and the IPs that implement it.
pub const ARCHITECTURE: (&str, [&str; 2]) = ("family", ["small", "large"]);

/// The files of a made-up IP, and the one that belongs to all.
pub fn sources(name: &str) -> Sources {
    let of = |name: &str, file: &str| {
        let text = fs::read_to_string(directory(name).join(file)).expect("a good spec");
        Source { path: format!("specs/{name}/{file}").into(), text: Some(text) }
    };
    let source = |file: &str| of(name, file);
    let (architecture, implementations) = ARCHITECTURE;
    let registers = if implementations.contains(&name) { architecture } else { name };
    let common = |file: &str| match implementations.contains(&name) {
        true => of(architecture, file),
        false => Source { path: format!("specs/{name}/{file}").into(), text: None },
    };
    let findings = fs::read_to_string(directory("findings.yaml")).expect("a good spec");
    Sources {
        ip: name.to_owned(),
        registers: of(registers, "registers.yaml"),
        common_registers: Source {
            path: format!("specs/{name}/registers.yaml").into(),
            text: None,
        },
        events: source("events.yaml"),
        metrics: source("metrics.yaml"),
        aliases: if directory(name).join("aliases.yaml").exists() {
            source("aliases.yaml")
        } else {
            Source { path: format!("specs/{name}/aliases.yaml").into(), text: None }
        },
        common_events: common("events.yaml"),
        common_metrics: common("metrics.yaml"),
        shared_findings: common("findings.yaml"),
        findings: source("findings.yaml"),
        common_findings: Source { path: "specs/findings.yaml".into(), text: Some(findings) },
    }
}

/// Where the files of a made-up IP are.
pub fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good").join(name)
}

/// What reading and checking gives: a model, or problems.
pub fn load(sources: &Sources) -> (Option<Ip>, Problems) {
    let mut problems = Problems::default();
    let spec = parse(sources, &mut problems);
    if let Some(architecture) = spec.as_ref().and_then(|spec| spec.architecture.as_ref()) {
        let ips = ARCHITECTURE.1.map(str::to_owned);
        check::architecture::implementations_are_there(architecture, &ips, &mut problems);
    }
    let ip = spec.and_then(|spec| check::check(&sources.ip, &spec, &mut problems));
    let ip = ip.filter(|_| lines_are_short(sources, &mut problems));
    (ip, problems)
}

/// The problems as they are shown, without colours.
pub fn render(problems: &mut Problems, sources: &Sources) -> String {
    let text = problems.render(sources, &Renderer::plain());
    let lines = text.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// The generated files of `demo` are stored: a new version of svd2rust, or a change of ours, is one difference to
/// review. `tests/made_up_demo.rs` compiles them.
#[test]
fn generated_files_of_demo_match_stored() {
    let sources = sources("demo");
    let (ip, mut problems) = load(&sources);
    let ip = ip.unwrap_or_else(|| panic!("{}", render(&mut problems, &sources)));
    for file in emit(&ip).expect("every model can be emitted") {
        let path = directory("demo").join("generated").join(&file.name);
        snapbox::assert_data_eq!(file.text, snapbox::Data::read_from(&path, None).raw());
    }
}
