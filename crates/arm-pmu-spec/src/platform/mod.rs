//! Platforms: the IPs of a system on chip and their addresses. [`read`] is the entry point.

mod build;
mod check;
pub mod known;
pub mod language;
pub mod model;
mod place;
mod provenance;
pub mod scalar;

use crate::problem::{File, Problems};
use crate::read::Read;
use crate::{text, yaml};
use known::KnownIp;

/// Parses and checks the spec of a platform. `None` if there is a problem.
pub fn read(
    name: &str,
    text: &str,
    known: &[KnownIp],
    problems: &mut Problems,
) -> Option<model::Platform> {
    let node = yaml::parse(File::Platform, text, problems)?;
    let mut spec = language::Platform::read(&node, problems)?;
    provenance::apply_legend(&mut spec, problems);
    check::all(name, &spec, known, problems);
    text::has_short_lines(File::Platform, text, problems);
    problems.is_empty().then(|| build::platform(&spec))
}
