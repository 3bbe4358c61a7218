//! The addresses of events, registers and fields in a page. Other sites link to these addresses, so the addresses never
//! change.

use arm_pmu_tables::{Event, Field, Finding, Group, Ip, Metric, Register, UnavailableMetric};

/// `READ_DATA_SNOOP_HIT` as `read-data-snoop-hit`.
fn kebab(name: &str) -> String {
    name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-").to_ascii_lowercase()
}

/// The common part of a group's source names (`si` for `SI0` to `SI6`), or the group's name. If several units have such
/// a group, the result begins with the name of the unit.
pub fn group(ip: &Ip, group: &Group) -> String {
    let own = short(group);
    let others = ip.groups.iter().filter(|other| short(other) == own).count();
    match group.unit.filter(|_| others > 1) {
        Some(unit) => format!("{}.{own}", kebab(unit)),
        None => own,
    }
}

fn short(group: &Group) -> String {
    let letters =
        |name: &'static str| name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match group.sources {
        [first, others @ ..] if others.iter().all(|s| letters(s.name) == letters(first.name)) => {
            kebab(letters(first.name))
        }
        _ => kebab(group.name),
    }
}

/// `si.read-data-snoop-hit`.
#[must_use]
pub fn event(ip: &Ip, of: &Group, event: &Event) -> String {
    format!("{}.{}", group(ip, of), kebab(event.name))
}

/// `event-select`.
#[must_use]
pub fn register(register: &Register) -> String {
    kebab(register.name)
}

/// `event-select.source`.
#[must_use]
pub fn field(of: &Register, field: &Field) -> String {
    format!("{}.{}", register(of), kebab(field.name))
}

/// `metric.si.snoop-hit-rate`.
#[must_use]
pub fn metric(ip: &Ip, of: &Group, metric: &Metric) -> String {
    format!("metric.{}.{}", group(ip, of), kebab(metric.name))
}

/// `figure.si.latency`, for a figure that cannot be computed from events.
#[must_use]
pub fn unavailable(ip: &Ip, of: &Group, figure: &UnavailableMetric) -> String {
    format!("figure.{}.{}", group(ip, of), kebab(figure.name))
}

/// `zero.niden-low`.
#[must_use]
pub fn finding(finding: &Finding) -> String {
    format!("zero.{}", kebab(finding.name))
}
