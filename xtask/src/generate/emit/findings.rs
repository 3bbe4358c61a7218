//! `findings.rs` of an IP or of one of its units: what a diagnosis can find.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc, docs, inner_doc};
use crate::generate::model::{Finding, FixableBy, Ip};
use crate::generate::names::{self, ident};

/// The items of the file.
pub fn emit(ip: &Ip, unit: Option<usize>) -> TokenStream {
    let title = unit.and_then(|unit| ip.units.get(unit)).map_or(&ip.title, |unit| &unit.title);
    let text = inner_doc(&docs::paragraphs([format!(
        "Reasons why counters of {} can read zero.",
        docs::with_article(title)
    )]));
    let findings: Vec<_> = ip.findings_of(unit).collect();
    let variants = findings.iter().map(|finding| {
        let (text, variant) = (doc(&lines(finding, ip)), variant(finding));
        quote! {
            #text
            #variant,
        }
    });
    let all = findings.iter().map(|finding| variant(finding));
    let about = doc(&docs::paragraphs([
        format!("A possible finding of the diagnosis of {}.", docs::with_article(title)),
        "Its `Display` is the [cause](Self::cause). Texts that a program does not use take no flash."
            .to_owned(),
    ]));
    let name = texts(&findings, |finding| finding.name.clone());
    let cause = texts(&findings, |finding| finding.cause.clone());
    let read = texts(&findings, |finding| finding.read.clone());
    let expected = texts(&findings, |finding| finding.expected.clone());
    let fix = texts(&findings, |finding| finding.fix.clone());
    let source = texts(&findings, |finding| {
        let origin = docs::plain_origin(&finding.origin, &ip.manual);
        origin.strip_prefix("Source: ").unwrap_or(&origin).to_owned()
    });
    let fixable_by = findings.iter().map(|finding| {
        let (variant, by) = (variant(finding), ident(party(finding.fixable_by)));
        quote!(Self::#variant => FixableBy::#by,)
    });
    let ambiguous: Vec<_> =
        findings.iter().filter(|finding| finding.ambiguous).map(|f| variant(f)).collect();
    let ambiguous = match ambiguous.is_empty() {
        true => quote!(false),
        false => quote!(matches!(self, #(Self::#ambiguous)|*)),
    };
    quote! {
        #text

        use core::fmt;

        use arm_pmu_core::diagnose::FixableBy;

        #about
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Finding {
            #(#variants)*
        }

        impl Finding {
            /// All findings, in the order of the table.
            pub const ALL: &'static [Self] = &[#(Self::#all),*];

            /// Returns the name, in capitals.
            #[must_use]
            pub const fn name(self) -> &'static str {
                #name
            }

            /// Returns why counters read zero, in a sentence or two.
            #[must_use]
            pub const fn cause(self) -> &'static str {
                #cause
            }

            /// Describes what the diagnosis read.
            #[must_use]
            pub const fn read(self) -> &'static str {
                #read
            }

            /// Describes what the diagnosis reads on a device without this cause.
            #[must_use]
            pub const fn expected(self) -> &'static str {
                #expected
            }

            /// Returns how to fix the cause.
            #[must_use]
            pub const fn fix(self) -> &'static str {
                #fix
            }

            /// Returns the party that can fix the cause.
            #[must_use]
            pub const fn fixable_by(self) -> FixableBy {
                match self {
                    #(#fixable_by)*
                }
            }

            /// Returns the sources of this finding and their confidence.
            #[must_use]
            pub const fn source(self) -> &'static str {
                #source
            }

            /// Whether the hardware cannot distinguish several causes.
            #[must_use]
            pub const fn is_ambiguous(self) -> bool {
                #ambiguous
            }
        }

        impl arm_pmu_core::diagnose::Finding for Finding {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn cause(self) -> &'static str {
                self.cause()
            }

            fn read(self) -> &'static str {
                self.read()
            }

            fn expected(self) -> &'static str {
                self.expected()
            }

            fn fix(self) -> &'static str {
                self.fix()
            }

            fn fixable_by(self) -> FixableBy {
                self.fixable_by()
            }

            fn source(self) -> &'static str {
                self.source()
            }

            fn is_ambiguous(self) -> bool {
                self.is_ambiguous()
            }
        }

        impl fmt::Display for Finding {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.cause())
            }
        }

        arm_pmu_core::finding_formats!(Finding);
    }
}

fn variant(finding: &Finding) -> proc_macro2::Ident {
    ident(&names::finding_variant(&finding.name))
}

/// A `match` with a text for each finding.
fn texts(findings: &[&Finding], text: impl Fn(&Finding) -> String) -> TokenStream {
    let arms = findings.iter().map(|finding| {
        let (variant, text) = (variant(finding), text(finding));
        quote!(Self::#variant => #text,)
    });
    quote! {
        match self {
            #(#arms)*
        }
    }
}

fn party(by: FixableBy) -> &'static str {
    match by {
        FixableBy::Caller => "Caller",
        FixableBy::PrivilegedSoftware => "PrivilegedSoftware",
        FixableBy::SecureSoftware => "SecureSoftware",
        FixableBy::Integrator => "Integrator",
        FixableBy::Nobody => "Nobody",
    }
}

/// The documentation of a finding.
fn lines(finding: &Finding, ip: &Ip) -> Vec<String> {
    let ambiguous = finding.ambiguous.then(|| "Ambiguous: these causes look the same.".to_owned());
    docs::paragraphs(std::iter::once(docs::plain(&finding.cause)).chain(ambiguous).chain([
        docs::plain(&format!("Read: {}. Expected: {}.", finding.read, finding.expected)),
        docs::plain(&finding.fix),
        docs::origin(&finding.origin, &ip.manual),
    ]))
}
