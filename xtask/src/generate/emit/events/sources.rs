//! Sources of events.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::{decimal, doc, docs, hex};
use super::shift;
use crate::generate::model::{Bits, Group, Ip, Source};
use crate::generate::names::{self, ident};

/// The enum of a group's sources; `bits` is the source's part of an event id.
pub fn emit(ip: &Ip, group: &Group, unit: Option<usize>, bits: Bits) -> TokenStream {
    let name = ident(&names::source_type(&group.name));
    let events = ident(&names::event_type(&group.name));
    let text = format!(" A {}, as a source of events.", group.title);
    let count = decimal(u32::try_from(group.sources.len()).unwrap_or(u32::MAX));
    let digits = bits.width().div_ceil(4) as usize;
    let low = shift(quote!(<<), bits.low);
    let event_low = shift(quote!(<<), ip.counters.event.low);
    let variants: Vec<_> =
        group.sources.iter().map(|source| ident(&names::source_variant(&source.name))).collect();
    let ids: Vec<_> = group.sources.iter().map(|source| hex(source.id, digits)).collect();
    let texts = group.sources.iter().map(|source| doc(&docs::paragraphs([source_text(source)])));
    let names = group.sources.iter().map(|source| &source.name);
    let all_doc = doc(&[match group.sources.len() {
        1 => "The only source of this kind.".to_owned(),
        _ => "All sources of this kind. Which of them exist depends on the configuration of the part.".to_owned(),
    }]);
    let evntbus = ip.evntbus_of(unit).then(|| {
        let bases = group.sources.iter().map(|source| match source.evntbus {
            Some(bit) => {
                let bit = decimal(bit);
                quote!(Some(#bit))
            }
            None => quote!(None),
        });
        quote! {
            /// Returns the first bit of EVNTBUS for the events of this source.
            ///
            /// `None` if it depends on the configuration of the part.
            #[must_use]
            pub const fn evntbus(self) -> Option<u16> {
                match self {
                    #( Self::#variants => #bases, )*
                }
            }
        }
    });
    quote! {
        #[doc = #text]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #name {
            #( #texts #variants = #ids, )*
        }

        impl #name {
            #all_doc
            pub const ALL: [Self; #count] = [#(Self::#variants),*];

            /// Returns the number of the source in an event id.
            #[inline]
            #[must_use]
            pub const fn id(self) -> u16 {
                self as u16
            }

            /// Returns the source with this number. `None` if there is none of this kind.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match id {
                    #( #ids => Some(Self::#variants), )*
                    _ => None,
                }
            }

            /// Returns the name in the manual.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    #( Self::#variants => #names, )*
                }
            }

            #evntbus
            /// Returns the selection of an event of this source.
            #[inline]
            #[must_use]
            pub const fn event(self, event: #events) -> Selection {
                Selection(EventId::new(self.id() #low | event.code() #event_low))
            }
        }

        impl fmt::Display for #name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    }
}

fn source_text(source: &Source) -> String {
    match source.evntbus {
        Some(bit) => format!("{}: EVNTBUS from bit {bit}.", source.title),
        None => format!("{}.", source.title),
    }
}
