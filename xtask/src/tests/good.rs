//! The specs without mistakes, to which the tests add mistakes.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use arm_pmu_spec::problem::Renderer;

use crate::generate::emit::emit;
use crate::generate::load::{Directories, Parsed, checked};
use crate::generate::model::Ip;
use crate::generate::problem::{Problems, Sources};

/// Made-up IPs, which together use every feature of the language: `demo` in one region of memory with sources of
/// events, `pages` with two units on pages, `cores` in CP15, `system` among the AArch64 system registers, and `small` and
/// `large`, which implement the architecture `family`.
pub static SPECS: LazyLock<Directories> =
    LazyLock::new(|| Directories::below(directory("")).expect("the made-up IPs"));

/// Returns the files of a made-up IP, and the file that all IPs share.
pub fn sources(name: &str) -> Sources {
    let (sources, errors) = SPECS.files(name);
    assert!(errors.is_empty(), "{errors:?}");
    sources
}

/// Returns the directory of a made-up IP.
pub fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good").join(name)
}

/// Reads and checks specs, and returns the model or the problems.
pub fn load(sources: &Sources) -> (Option<Ip>, Problems) {
    let mut problems = Problems::default();
    let all = SPECS.ips().expect("IPs");
    let (ip, _) = checked(sources, all, &Parsed::default(), &mut problems);
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
