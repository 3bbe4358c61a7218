//! Generates `findings.rs` of an IP or a unit: the findings of a diagnosis.

use proc_macro2::TokenStream;
use quote::quote;

use super::{docs, format, inner_doc};
use crate::generate::model::{Finding, Ip};
use crate::generate::names;

/// Returns the items of the file.
pub fn emit(ip: &Ip, unit: Option<usize>) -> TokenStream {
    let title = ip.title_of(unit);
    let text = inner_doc(&docs::paragraphs([format!(
        "Reasons why counters of {} can read zero.",
        docs::with_article(title)
    )]));
    let about = format!(
        "/// A possible finding of the diagnosis of {}.\npub enum Finding;\n",
        docs::with_article(title)
    );
    let rows = ip.findings_of(unit).map(|finding| row(finding, ip));
    let table: String = std::iter::once(about).chain(rows).collect();
    let call = format::call("findings", &table);
    quote! {
        #text
        #call
    }
}

/// Returns the table row of a finding.
fn row(finding: &Finding, ip: &Ip) -> String {
    let Finding { name, cause, read, expected, fix, .. } = finding;
    let origin = docs::plain_origin(&finding.origin, &ip.manual);
    let source = origin.strip_prefix("Source: ").unwrap_or(&origin);
    let ambiguous = if finding.ambiguous { ", ambiguous" } else { "" };
    format!(
        "{} {name:?}: {:?}{ambiguous};\n    cause {cause:?};\n    read {read:?};\n    \
         expected {expected:?};\n    fix {fix:?};\n    source {source:?};\n",
        names::finding_variant(name),
        finding.fixable_by,
    )
}
