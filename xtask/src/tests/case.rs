//! A mistake on file: a change of the good specs, and the messages that it leads to.
//!
//! `arm_pmu_spec::case` has the form of a case. Here, a line `--- events.yaml` names the file that is changed.
//!
//! `--- specs/findings.yaml` is the file that belongs to all IPs, `--- specs/family/events.yaml` one of an
//! architecture. The good specs come from `demo`, unless a remark names others: `# ip: pages`.

use arm_pmu_spec::case::change;
pub use arm_pmu_spec::case::{split, stored, with_messages};

use crate::generate::problem::Sources;

/// The made-up IP that is changed.
pub fn ip(case: &str) -> &str {
    case.lines().find_map(|line| line.strip_prefix("# ip: ")).unwrap_or("demo")
}

/// Carries the change of a case out.
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
        let source = match file {
            "registers.yaml" => &mut sources.registers,
            "events.yaml" => &mut sources.events,
            "metrics.yaml" => &mut sources.metrics,
            "aliases.yaml" => &mut sources.aliases,
            "findings.yaml" => &mut sources.findings,
            "specs/family/events.yaml" => &mut sources.common_events,
            "specs/family/metrics.yaml" => &mut sources.common_metrics,
            "specs/family/findings.yaml" => &mut sources.shared_findings,
            "specs/findings.yaml" => &mut sources.common_findings,
            _ => return Err(format!("{file} is none of the files of an IP")),
        };
        let text = source.text.take().ok_or("no good file")?;
        source.text = Some(change(&text, &lines)?);
    }
    Ok(())
}
