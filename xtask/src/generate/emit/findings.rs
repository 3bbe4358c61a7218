//! Generates `findings.rs` of an IP or a unit: the findings of a diagnosis.

use super::prelude::*;

/// A finding in the table.
#[derive(Clone)]
pub struct Row {
    pub name: String,
    /// The first line.
    pub header: String,
    /// Key and text of each further line.
    pub lines: Vec<(&'static str, String)>,
}

/// Returns the items of the file. `call` is the call of the architecture's macro for findings; `None` without such a
/// macro.
pub fn emit(ip: &Ip, unit: Option<usize>, call: Option<String>) -> Vec<String> {
    let one = docs::with_article(ip.title_of(unit));
    let text = inner_doc([format!("Reasons why counters of {one} can read zero.")]);
    let table = || {
        let mut table =
            format!("/// A possible finding of the diagnosis of {one}.\npub enum Finding;\n");
        for Row { header, lines, .. } in rows(ip, unit) {
            let _ = writeln!(table, "{header};");
            for (key, text) in lines {
                let _ = writeln!(table, "    {key} {text:?};");
            }
        }
        format::call("findings", &table)
    };
    vec![text, call.unwrap_or_else(table)]
}

pub fn rows(ip: &Ip, unit: Option<usize>) -> Vec<Row> {
    ip.findings_of(unit).map(|finding| row(finding, ip)).collect()
}

fn row(finding: &Finding, ip: &Ip) -> Row {
    let Finding { name, cause, read, expected, fix, .. } = finding;
    let origin = docs::plain_origin(&finding.origin, &ip.manual);
    let source = origin.strip_prefix("Source: ").unwrap_or(&origin).to_owned();
    let ambiguous = if finding.ambiguous { ", ambiguous" } else { "" };
    let [cause, read, expected, fix] = [cause, read, expected, fix].map(String::clone);
    Row {
        name: name.clone(),
        header: format!("{} {name:?}: {:?}{ambiguous}", names::type_name(name), finding.fixable_by),
        lines: vec![
            ("cause", cause),
            ("read", read),
            ("expected", expected),
            ("fix", fix),
            ("source", source),
        ],
    }
}
