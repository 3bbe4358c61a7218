//! A stored mistake: a change of the good specs, and the resulting messages.
//!
//! `arm_pmu_spec::case` defines the format of a case. In these cases, a line `--- events.yaml` names the
//! changed file.
//!
//! `--- specs/findings.yaml` is the file that all IPs share, and `--- specs/family/events.yaml` a file of
//! an architecture. The good specs are from `demo`, unless a remark names others: `# ip: pages`.

use arm_pmu_spec::case::change;
pub use arm_pmu_spec::case::{split, stored, with_messages};

use crate::generate::problem::{File, Sources};

/// Returns the made-up IP that the case changes.
pub fn ip(case: &str) -> &str {
    case.lines().find_map(|line| line.strip_prefix("# ip: ")).unwrap_or("demo")
}

/// Applies the change of a case.
pub fn apply(case: &str, sources: &mut Sources) -> Result<(), String> {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in split(case).0.lines() {
        if let Some(file) = line.strip_prefix("--- ") {
            parts.push((file, Vec::new()));
        } else if let Some((_, lines)) = parts.last_mut() {
            lines.push(line);
        } else if !line.starts_with('#') {
            return Err(format!("before the first `--- file` only remarks are allowed: {line}"));
        }
    }
    if parts.is_empty() {
        return Err("no change: a `--- file` is missing".to_owned());
    }
    for (file, lines) in parts {
        let kind = match file {
            "registers.yaml" => File::Registers,
            "events.yaml" => File::Events,
            "metrics.yaml" => File::Metrics,
            "aliases.yaml" => File::Aliases,
            "findings.yaml" => File::Findings,
            "specs/family/events.yaml" => File::CommonEvents,
            "specs/family/metrics.yaml" => File::CommonMetrics,
            "specs/family/findings.yaml" => File::SharedFindings,
            "specs/findings.yaml" => File::CommonFindings,
            _ => return Err(format!("{file} is none of the files of an IP")),
        };
        let source = sources.get_mut(kind);
        let text = source.text.take().ok_or("no good file")?;
        source.text = Some(change(&text, &lines)?);
    }
    Ok(())
}
