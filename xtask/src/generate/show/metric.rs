//! A metric as text: what it is computed from, and what it does not mean.

use super::{paragraph, source};
use crate::generate::emit::docs;
use crate::generate::model::{Group, Ip, Metric, UnavailableMetric};
use crate::generate::names;

pub fn text(ip: &Ip, metric: &Metric) -> String {
    let mut text = heading(ip, &metric.name, metric.group, "a metric");
    let rust = module(ip, metric.group) + &names::metric_type(&metric.name);
    text += &paragraph("  ", &format!("Rust: {rust}"));
    text += &units(ip, &metric.only);
    text += &paragraph("  ", &format!("in {} = {}", metric.unit.word(), metric.formula));
    for argument in &metric.arguments {
        text += &paragraph("  ", &format!("{}: {}", argument.name, argument.doc));
    }
    text.push('\n');
    text += &paragraph("", &metric.doc);
    metric.caveat.iter().for_each(|caveat| text += &paragraph("", caveat));
    text.push('\n');
    text + &paragraph("", &source(&metric.origin, &ip.manual))
}

/// Of a figure that people ask for, why there is none.
pub fn why_not(ip: &Ip, none: &UnavailableMetric) -> String {
    let mut text = heading(ip, &none.name, none.group, "cannot be computed");
    text += &units(ip, &none.only);
    text += &paragraph("", &none.doc);
    text += &paragraph("", &none.reason);
    text.push('\n');
    text + &paragraph("", &source(&none.origin, &ip.manual))
}

fn heading(ip: &Ip, name: &str, group: usize, what: &str) -> String {
    let of = ip.groups.get(group).map(|group| docs::with_article(&group.title));
    let of = of.map_or(String::new(), |of| format!(", of {of}"));
    format!("{name}: {what}{of}\n{}, {}\n\n", ip.title, ip.manual.id)
}

/// Where the type is: in the module of the unit that has the group, if not all have it.
fn module(ip: &Ip, group: usize) -> String {
    let unit = |group: &Group| ip.units.get(group.unit?);
    let unit = ip.groups.get(group).and_then(unit);
    unit.map_or(String::new(), |unit| names::unit_module(&unit.name) + "::") + "metrics::"
}

/// The only units that it is about.
fn units(ip: &Ip, only: &[usize]) -> String {
    let titles = only.iter().filter_map(|unit| ip.units.get(*unit)).map(|unit| &*unit.title);
    let titles: Vec<_> = titles.collect();
    if titles.is_empty() {
        return String::new();
    }
    paragraph("  ", &format!("of: {}", titles.join(", ")))
}
