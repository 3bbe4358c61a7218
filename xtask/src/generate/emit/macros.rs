//! Macros of an architecture with the findings and the metrics that its implementations share. An implementation calls
//! these macros, and passes the parts in which it differs.

use super::findings::{self, Row};
use super::metrics;
use super::prelude::*;

/// The macros of an architecture.
pub struct Macros {
    /// The crate of the architecture.
    krate: String,
    findings: Option<Findings>,
    /// Name and text of each metric that several implementations have.
    metrics: Vec<(String, String)>,
}

/// The table of findings: the rows of one implementation, and the texts that differ in other implementations.
struct Findings {
    rows: Vec<Row>,
    /// Texts that differ between implementations, as row and line. Each of these texts is a
    /// parameter of the macro.
    differing: Vec<(usize, usize)>,
}

/// Placeholder for the product name in a text.
const PRODUCT: &str = "\u{1}";

impl Macros {
    /// `generic` is the architecture for every core.
    pub fn of(architecture: &Architecture, ips: &[&Ip], generic: Option<&Ip>) -> Self {
        Self {
            krate: names::of_ip(&architecture.name).module,
            findings: Findings::of(ips),
            metrics: shared_metrics(ips.iter().copied().chain(generic)),
        }
    }

    pub fn definitions(&self) -> String {
        let mut text = String::new();
        if let Some(findings) = &self.findings {
            text += &findings.definition();
        }
        if !self.metrics.is_empty() {
            // The macro's path is an argument, because `$crate` does not resolve to the macro in its own crate.
            let mut arms = "    ($Event:ident, $own:path: $($Metric:ident),+) => {\n        \
                            $($own! { @$Metric $Event })+\n    };\n"
                .to_owned();
            for (name, body) in &self.metrics {
                let call = format::indented(&format::indented(&format::call("metric", body)));
                let _ = write!(arms, "    (@{name} $Event:ident) => {{\n{call}\n    }};\n");
            }
            text += &definition("metrics", "Defines metrics of an implementation.", &arms);
        }
        text
    }

    /// Returns the call that defines the findings of an implementation.
    pub fn findings(&self, ip: &Ip) -> Option<String> {
        let findings = self.findings.as_ref().filter(|_| !ip.is_generic())?;
        let rows = rows(ip);
        findings.fit(&rows).then(|| {
            let mut text = format!("{}::findings! {{\n", self.krate);
            let product = ip.product();
            let _ = writeln!(text, "    of {:?};", docs::with_article(&ip.title));
            let _ = writeln!(text, "    product {product:?};");
            for (row, line) in &findings.differing {
                let (key, words) = &rows[*row].lines[*line];
                let words = words.replace(PRODUCT, product);
                let _ = writeln!(text, "    {} {words:?};", parameter(&rows[*row], key));
            }
            text + "}\n"
        })
    }

    /// Returns the path of the macro `metrics`, and the names of the metrics that it defines.
    pub fn metrics(&self, ip: &Ip) -> (String, Vec<String>) {
        let path = if ip.is_generic() { String::new() } else { self.krate.clone() + "::" };
        let own = metrics::texts(ip);
        let shared = own.into_iter().filter(|metric| self.metrics.contains(metric));
        (path + "metrics", shared.map(|(name, _)| name).collect())
    }
}

impl Findings {
    fn of(ips: &[&Ip]) -> Option<Self> {
        let all: Vec<_> = ips.iter().map(|ip| rows(ip)).filter(|rows| !rows.is_empty()).collect();
        let first = all.first()?;
        let mut findings = Self { rows: first.clone(), differing: Vec::new() };
        let like: Vec<_> = all.iter().filter(|rows| findings.fit(rows)).collect();
        for (row, of_first) in first.iter().enumerate() {
            for (line, text) in of_first.lines.iter().enumerate() {
                if like.iter().any(|rows| rows[row].lines[line] != *text) {
                    findings.differing.push((row, line));
                }
            }
        }
        (like.len() > 1).then_some(findings)
    }

    /// Returns whether the rows of an implementation have the same findings as this table, apart
    /// from their texts.
    fn fit(&self, rows: &[Row]) -> bool {
        rows.len() == self.rows.len()
            && rows.iter().zip(&self.rows).all(|(one, other)| one.header == other.header)
    }

    fn definition(&self) -> String {
        let mut keys = "        of $of:literal;\n        product $product:literal;\n".to_owned();
        let mut table =
            "#[doc = concat!(\"A possible finding of the diagnosis of \", $of, \".\")]\n\
                         pub enum Finding;\n"
                .to_owned();
        for (nth, row) in self.rows.iter().enumerate() {
            let _ = writeln!(table, "{};", row.header);
            for (line, (key, text)) in row.lines.iter().enumerate() {
                if self.differing.contains(&(nth, line)) {
                    let parameter = parameter(row, key);
                    let _ = writeln!(keys, "        {parameter} ${parameter}:literal;");
                    let _ = writeln!(table, "    {key} ${parameter};");
                } else if text.contains(PRODUCT) {
                    let parts: Vec<_> = text.split(PRODUCT).map(|of| format!("{of:?}")).collect();
                    let _ = writeln!(table, "    {key} concat!({});", parts.join(", $product, "));
                } else {
                    let _ = writeln!(table, "    {key} {text:?};");
                }
            }
        }
        let call = format::indented(&format::indented(&format::call("findings", &table)));
        let arm = format!("    (\n{keys}    ) => {{\n{call}\n    }};\n");
        definition("findings", "Defines what is in `findings.rs` of an implementation.", &arm)
    }
}

fn definition(name: &str, doc: &str, arms: &str) -> String {
    format!("\n/// {doc}\n#[doc(hidden)]\n#[macro_export]\nmacro_rules! {name} {{\n{arms}}}\n")
}

fn parameter(row: &Row, key: &str) -> String {
    format!("{}_{key}", row.name.to_ascii_lowercase())
}

/// Returns the findings of an implementation, with [`PRODUCT`] in place of the product name.
fn rows(ip: &Ip) -> Vec<Row> {
    let mut rows = findings::rows(ip, None);
    for (_, text) in rows.iter_mut().flat_map(|row| &mut row.lines) {
        *text = text.replace(ip.product(), PRODUCT);
    }
    rows
}

/// Returns the metrics that several implementations have, each with its most frequent text.
fn shared_metrics<'m>(ips: impl Iterator<Item = &'m Ip>) -> Vec<(String, String)> {
    let all: Vec<Vec<_>> = ips.map(metrics::texts).collect();
    let times = |metric| all.iter().filter(|of_ip| of_ip.contains(metric)).count();
    let mut shared: Vec<(usize, &(String, String))> = Vec::new();
    for metric in all.iter().flatten() {
        let times = times(metric);
        match shared.iter().position(|(_, (name, _))| *name == metric.0) {
            Some(at) if times > shared[at].0 => shared[at] = (times, metric),
            None if times > 1 => shared.push((times, metric)),
            _ => {}
        }
    }
    shared.into_iter().map(|(_, metric)| metric.clone()).collect()
}
