//! A stored mistake: a change that makes the good specs wrong, and the messages that it causes.
//!
//! `arm_pmu_spec::case` defines the format of a case. In the cases of these tests, a line such as `--- events.yaml`
//! names the file that the change applies to.
//!
//! `--- specs/findings.yaml` names the file that all IPs share, and `--- specs/family/events.yaml` names a file of an
//! architecture. The good specs come from `demo`, unless a comment such as `# ip: pages` names another IP.

use arm_pmu_spec::case::change;
pub use arm_pmu_spec::case::{split, stored, with_messages};

use crate::generate::problem::Sources;

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
        // A file of the IP precedes the shared file of the same name.
        let source = sources.all_mut().iter_mut().find(|source| source.path.ends_with(file));
        let source = source.ok_or_else(|| format!("{file} is not a file of an IP"))?;
        let text = source.text.take().ok_or("no good file")?;
        source.text = Some(change(&text, &lines)?);
    }
    Ok(())
}
