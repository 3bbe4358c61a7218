//! Platforms of the tables, and of user files.

mod convert;
pub mod target;

use std::path::Path;

use arm_pmu_lookup::kernel::{ANY_PMCG, is_pmcg};
use arm_pmu_lookup::near;
use arm_pmu_spec::file::read_regular;
use arm_pmu_spec::platform::known::{KnownIp, KnownPlace, KnownSource, KnownUnit};
use arm_pmu_spec::platform::read;
use arm_pmu_spec::problem::{Problems, Renderer, Source};
use arm_pmu_spec::text::{MAX_BYTES, decode};
use arm_pmu_tables::{IPS, Ip, PLATFORMS, Platform, Pmu, Space};

use convert::Leaked as _;

use crate::base::failure::Failure;

/// Finds a platform by its name, or in the file at this path.
pub fn find(name: &str) -> Result<&'static Platform, Failure> {
    if target::is_path(name) {
        return of_file(name);
    }
    Platform::find(name).ok_or_else(|| {
        let names = PLATFORMS.iter().map(|platform| platform.name);
        let near = near::suggestion(name, names);
        let near = if near.is_empty() {
            "; `arm-pmu platform` lists all platforms, and ./FILE.yaml names your own file"
                .to_owned()
        } else {
            near
        };
        Failure::not_found(format!("there is no platform `{name}`{near}"))
    })
}

fn of_file(path: &str) -> Result<&'static Platform, Failure> {
    let bytes = read_regular(Path::new(path), MAX_BYTES, "a platform");
    let bytes = bytes.map_err(|error| Failure::unreadable(path, error))?;
    let text = decode(bytes).map_err(|error| Failure::unreadable(path, error))?;
    let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    of_text(&name, path, &text)
}

/// Parses the spec of a platform.
pub fn of_text(name: &str, path: &str, text: &str) -> Result<&'static Platform, Failure> {
    let mut known: Vec<KnownIp> = IPS.iter().map(|ip| known(ip)).collect();
    // All PMCGs have the same pages, so any known product can describe an unknown one.
    let pmcg = IPS.iter().position(|ip| is_pmcg(Pmu { ip, unit: None }));
    known.extend(pmcg.map(|at| KnownIp { name: ANY_PMCG.to_owned(), ..known[at].clone() }));
    for ip in IPS {
        let Some(architecture) = ip.architecture else { continue };
        if known.iter().all(|known| known.name != architecture.name) {
            known.extend(self::known(ip).architecture(architecture.name));
        }
    }
    let mut problems = Problems::default();
    if let Some(platform) = read(name, text, &known, &mut problems) {
        return Ok(Box::leak(Box::new(platform.leaked())));
    }
    let source = Source { path: path.into(), text: Some(text.to_owned()) };
    let messages = problems.render(&source, &Renderer::plain());
    let count = problems.len();
    let count = if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") };
    Err(Failure::wrong_use(format!("{path} has {count}\n\n{messages}")))
}

/// Facts about an IP that the rules for platforms need.
fn known(ip: &'static Ip) -> KnownIp {
    let pages = match ip.space {
        Space::Pages(pages) => pages,
        _ => &[],
    };
    let length = |name: &str| pages.iter().find(|page| page.name == name).map_or(0, |p| p.length);
    let units = ip.units.iter().map(|unit| KnownUnit {
        name: unit.name.to_owned(),
        pages: unit
            .pages
            .iter()
            .map(|placed| (placed.page.to_owned(), placed.offset, length(placed.page)))
            .collect(),
    });
    let sources = ip.groups.iter().flat_map(|group| {
        group.sources.iter().map(|source| KnownSource {
            unit: group.unit.map(str::to_owned),
            name: source.name.to_owned(),
        })
    });
    KnownIp {
        name: ip.name.to_owned(),
        units: units.collect(),
        place: match ip.space {
            Space::Region { length } => KnownPlace::Region(length),
            Space::Pages(_) => KnownPlace::Pages,
            _ => KnownPlace::Core,
        },
        also: ip.also.iter().map(|&product| product.to_owned()).collect(),
        is_any_core: Pmu { ip, unit: None }.is_of_any_core(),
        is_processor: Pmu { ip, unit: None }.is_processor(),
        counters: ip.counters.count,
        has_cycle_counter: ip.counters.cycles.is_some(),
        sources: sources.collect(),
    }
}
