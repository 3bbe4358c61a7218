//! Reads the files under `specs/platforms` into checked platforms.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use arm_pmu_spec::file::read_regular;
use arm_pmu_spec::platform::known::{KnownIp, KnownPlace, KnownSource, KnownUnit};
use arm_pmu_spec::platform::model::Platform;
use arm_pmu_spec::platform::read;
use arm_pmu_spec::problem::Renderer;
use arm_pmu_spec::text::{MAX_BYTES, decode};
use rayon::prelude::*;

use crate::generate::model::{Ip, Space};
use crate::generate::problem::{Problems, Source};

/// Specs of platforms: a directory under `specs/` that belongs to no IP.
pub const SPECS: &str = "specs/platforms";

/// All platforms in the order of their names, or their problems.
#[derive(Default)]
pub struct Loaded {
    pub platforms: Vec<Platform>,
    /// Problems as text.
    pub report: String,
    /// Number of problems.
    pub count: usize,
}

pub fn load(root: &Path, known: &[KnownIp]) -> Result<Loaded> {
    let one = |name: &String| {
        let path = Path::new(SPECS).join(format!("{name}.yaml"));
        let text = read_regular(&root.join(&path), MAX_BYTES, "a spec")
            .map_err(anyhow::Error::from)
            .and_then(|bytes| decode(bytes).map_err(|error| anyhow!(error)))
            .with_context(|| format!("cannot read {}", path.display()))?;
        let mut problems = Problems::default();
        let platform = read(name, &text, known, &mut problems);
        anyhow::Ok((path, text, platform, problems))
    };
    let mut loaded = Loaded::default();
    let read = names(root)?.par_iter().map(one).collect::<Result<Vec<_>>>()?;
    for (path, text, platform, mut problems) in read {
        loaded.platforms.extend(platform);
        if !problems.is_empty() {
            loaded.count += problems.len();
            let source = Source { path, text: Some(text) };
            let of_one = problems.render(&source, &Renderer::styled());
            let _ = writeln!(loaded.report, "{of_one}\n");
        }
    }
    Ok(loaded)
}

pub fn names(root: &Path) -> Result<Vec<String>> {
    let directory = root.join(SPECS);
    if !directory.exists() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    let entries = fs::read_dir(&directory);
    for entry in entries.with_context(|| format!("cannot list {}", directory.display()))? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        names.extend(name.strip_suffix(".yaml").map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// Returns the facts about an IP that the rules need.
pub fn known(ip: &Ip) -> KnownIp {
    let units = ip.units.iter().map(|unit| KnownUnit {
        name: unit.name.clone(),
        // The order of pages is as in the IP.
        pages: ip
            .pages()
            .iter()
            .zip(&unit.pages)
            .map(|(page, placed)| (page.name.clone(), placed.offset, page.length))
            .collect(),
    });
    let sources = ip.groups.iter().flat_map(|group| {
        let unit = group.unit.map(|unit| ip.units[unit].name.clone());
        group.sources.iter().map(move |s| KnownSource { unit: unit.clone(), name: s.name.clone() })
    });
    KnownIp {
        name: ip.name.clone(),
        units: units.collect(),
        place: match &ip.space {
            Space::Region { length } => KnownPlace::Region(*length),
            Space::Pages(_) => KnownPlace::Pages,
            Space::Cp15 | Space::System => KnownPlace::Core,
        },
        also: ip.also.iter().map(|product| product.title.clone()).collect(),
        is_any_core: false,
        is_processor: ip.is_processor(),
        counters: ip.counters.count,
        has_cycle_counter: ip.counters.cycles,
        sources: sources.collect(),
    }
}
