//! The good specs, which the mistakes change.

use std::fs;
use std::path::{Path, PathBuf};

use arm_pmu_spec::problem::Renderer;

use crate::generate::check;
use crate::generate::emit::emit;
use crate::generate::load::{Parsed, lines_are_short, parse};
use crate::generate::model::Ip;
use crate::generate::problem::{File, Problems, Source, Sources};

/// Made-up IPs: in one region of memory with sources of events; with two units on pages; in CP15; among the
/// AArch64 system registers. The made-up IPs together use every feature of the language.
pub const NAMES: [&str; 4] = ["demo", "pages", "cores", "system"];

/// Made-up architecture, with the IPs that implement it.
pub const ARCHITECTURE: (&str, [&str; 2]) = ("family", ["small", "large"]);

/// Returns the files of a made-up IP, and the file that all IPs share.
pub fn sources(name: &str) -> Sources {
    let (architecture, implementations) = ARCHITECTURE;
    let is_implementation = implementations.contains(&name);
    let source = |directory: &str, file: &str, is_there: bool| {
        let path = format!("{directory}{file}.yaml");
        let text = is_there.then(|| fs::read_to_string(self::directory(&path)).ok()).flatten();
        Source { path: format!("specs/{path}").into(), text }
    };
    let own = |file: &str| source(&format!("{name}/"), file, true);
    let shared = if is_implementation { architecture } else { name };
    let common = |file: &str| source(&format!("{shared}/"), file, is_implementation);
    Sources::new(name, |file| match file {
        File::Registers if is_implementation => common("registers"),
        File::Registers => own("registers"),
        File::CommonRegisters => source(&format!("{name}/"), "registers", false),
        File::Events => own("events"),
        File::CommonEvents => common("events"),
        File::Metrics => own("metrics"),
        File::CommonMetrics => common("metrics"),
        File::Aliases => own("aliases"),
        File::Findings => own("findings"),
        File::SharedFindings => common("findings"),
        File::CommonFindings => source("", "findings", true),
        File::Platform => unreachable!("a platform is no file of an IP"),
    })
}

/// Returns the directory of a made-up IP.
pub fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good").join(name)
}

/// Reads and checks specs, and returns the model or the problems.
pub fn load(sources: &Sources) -> (Option<Ip>, Problems) {
    let mut problems = Problems::default();
    let spec = parse(sources, &Parsed::default(), &mut problems);
    if let Some(architecture) = spec.as_ref().and_then(|spec| spec.architecture.as_ref()) {
        let ips = ARCHITECTURE.1.map(str::to_owned);
        check::architecture::implementations_are_there(architecture, &ips, &mut problems);
    }
    let ip = spec.and_then(|spec| check::check(&sources.ip, &spec, &mut problems));
    let ip = ip.filter(|_| lines_are_short(sources, &mut problems));
    (ip, problems)
}

/// Formats the problems without colours.
pub fn render(problems: &mut Problems, sources: &Sources) -> String {
    let text = problems.render(sources, &Renderer::plain());
    let lines = text.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// The generated files of `demo` are stored, so that a new version of svd2rust or a change of the generator shows
/// one difference to review. `tests/made_up_demo.rs` compiles them.
#[test]
fn generated_files_of_demo_match_stored() {
    let sources = sources("demo");
    let (ip, mut problems) = load(&sources);
    let ip = ip.unwrap_or_else(|| panic!("{}", render(&mut problems, &sources)));
    for file in emit(&ip, None).expect("every model can be emitted") {
        let path = directory("demo").join("generated").join(&file.name);
        snapbox::assert_data_eq!(file.text, snapbox::Data::read_from(&path, None).raw());
    }
}
